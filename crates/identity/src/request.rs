//! One request and its answer.

use std::fmt;
use std::time::Duration;

use serde::de::DeserializeOwned;

use crate::{Error, Kind};

/// The method of a request. Every one but `Get` is a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Looks.
    Get,
    /// Creates, or does.
    Post,
    /// Replaces.
    Put,
    /// Changes in part.
    Patch,
    /// Removes.
    Delete,
}

impl Method {
    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }

    /// Whether it changes something, so that it must not be sent twice.
    #[must_use]
    pub fn is_change(self) -> bool {
        self != Self::Get
    }
}

/// One logical request. The session adds the token.
#[derive(Clone)]
pub struct Request<'r> {
    /// What to do.
    pub method: Method,
    /// Absolute.
    pub url: &'r str,
    /// Beside those that the session adds.
    pub headers: Vec<(&'r str, &'r str)>,
    /// JSON.
    pub body: Option<&'r [u8]>,
    /// What this request may take at most, redirects and the repeat after a 401 included. The session's own
    /// time-outs and the deadline bound it as well.
    pub budget: Option<Duration>,
    /// Whether redirects to the same origin are followed.
    pub follow: bool,
}

impl<'r> Request<'r> {
    /// A request without headers and body that follows redirects.
    #[must_use]
    pub fn new(method: Method, url: &'r str) -> Self {
        Self {
            method,
            url,
            headers: Vec::new(),
            body: None,
            budget: None,
            follow: true,
        }
    }

    /// A look.
    #[must_use]
    pub fn get(url: &'r str) -> Self {
        Self::new(Method::Get, url)
    }

    /// A creation or an action.
    #[must_use]
    pub fn post(url: &'r str, body: &'r [u8]) -> Self {
        Self::new(Method::Post, url).body(body)
    }

    /// A removal.
    #[must_use]
    pub fn delete(url: &'r str) -> Self {
        Self::new(Method::Delete, url)
    }

    /// The same with one more header.
    #[must_use]
    pub fn header(mut self, name: &'r str, value: &'r str) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The same with a JSON body.
    #[must_use]
    pub fn body(mut self, body: &'r [u8]) -> Self {
        self.body = Some(body);
        self
    }

    /// The same with a bound on its time; `None` leaves the session's own.
    #[must_use]
    pub fn budget(mut self, budget: Option<Duration>) -> Self {
        self.budget = budget;
        self
    }

    /// The same, with redirects returned as they are.
    #[must_use]
    pub fn no_follow(mut self) -> Self {
        self.follow = false;
        self
    }
}

/// Header values and bodies may be secrets.
impl fmt::Debug for Request<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("url", &crate::url::shown(self.url))
            .field(
                "headers",
                &self
                    .headers
                    .iter()
                    .map(|(name, _)| *name)
                    .collect::<Vec<_>>(),
            )
            .field("body", &self.body.map(<[u8]>::len))
            .finish_non_exhaustive()
    }
}

/// An answer of any status.
#[derive(Clone)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// In the order of the answer; names in lower case.
    pub headers: Vec<(String, String)>,
    /// Whole.
    pub body: Vec<u8>,
    /// What was asked, after redirects.
    pub url: String,
}

impl Reply {
    /// The first header of this name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    ///
    /// # Errors
    /// [`Kind::Unknown`] with status and request id where it is something else.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Error> {
        serde_json::from_slice(&self.body).map_err(|error| {
            let shown = crate::url::shown(&self.url);
            let message = match self.coding() {
                Some(coding) => {
                    format!("the answer of {shown} is encoded ({coding}), which was not asked for")
                }
                None => format!("the answer of {shown} makes no sense: {error}"),
            };
            Error::new(Kind::Unknown, message).with_answer(self.status, self.request_id())
        })
    }

    /// A content coding that the body still has. Every request asks for none, and none can be read.
    #[must_use]
    pub fn coding(&self) -> Option<&str> {
        let coding = self.header("content-encoding")?.trim();
        (!coding.is_empty() && !coding.eq_ignore_ascii_case("identity")).then_some(coding)
    }

    /// What the service calls this request in its logs.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.header("x-openstack-request-id")
            .or_else(|| self.header("x-compute-request-id"))
    }
}

/// Header values and bodies may be secrets.
impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply")
            .field("status", &self.status)
            .field("url", &crate::url::shown(&self.url))
            .field("bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}
