//! One answer: status, headers, body.

use serde_json::Value;

/// An answer as a service gives it. `Date`, `Server`, `Content-Length` and the request id are
/// added when it is sent, unless the headers have them already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// In the order they are sent.
    pub headers: Vec<(String, String)>,
    /// The body, not yet framed.
    pub body: Vec<u8>,
}

impl Response {
    /// A JSON answer.
    #[must_use]
    pub fn json(status: u16, body: &Value) -> Self {
        Self::new(status)
            .header("Content-Type", "application/json")
            .body(body.to_string())
    }

    /// The HTML page that Manila and proxies answer with.
    #[must_use]
    pub fn html(status: u16) -> Self {
        let title = format!("{status} {}", reason(status));
        let text = if status == 404 {
            "The resource could not be found."
        } else {
            "The server is not able to answer."
        };
        let page = format!(
            "<html>\n <head>\n  <title>{title}</title>\n </head>\n <body>\n  <h1>{title}</h1>\n  {text}<br /><br />\n\n\n\n </body>\n</html>"
        );
        Self::new(status)
            .header("Content-Type", "text/html; charset=UTF-8")
            .body(page)
    }

    /// An answer without headers and body.
    #[must_use]
    pub fn new(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    /// With one more header.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// With this body.
    #[must_use]
    pub fn body(self, body: impl Into<Vec<u8>>) -> Self {
        Self {
            body: body.into(),
            ..self
        }
    }

    /// Whether a header of that name is there, in any case.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.headers
            .iter()
            .any(|(key, _)| key.eq_ignore_ascii_case(name))
    }

    /// The body as JSON; null if it is none.
    pub(crate) fn json_body(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// Everything up to and including the empty line.
    pub(crate) fn head(&self) -> String {
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head + "\r\n"
    }
}

/// The reason phrase.
pub(crate) fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        204 => "No Content",
        300 => "Multiple Choices",
        301 => "Moved Permanently",
        302 => "Found",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        406 => "Not Acceptable",
        408 => "Request Timeout",
        409 => "Conflict",
        413 => "Request Entity Too Large",
        422 => "Unprocessable Entity",
        425 => "Too Early",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "Unknown",
    }
}
