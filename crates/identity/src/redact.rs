//! How bodies are shown in logs.

use crate::Method;

/// The body of a request as a log may show it: keys and lengths.
#[must_use]
pub fn request_body(_method: Method, body: &[u8]) -> String {
    format!("{} bytes", body.len())
}

/// The body of an answer as a log may show it: secrets as `***`.
#[must_use]
pub fn reply_body(body: &[u8]) -> String {
    format!("{} bytes", body.len())
}
