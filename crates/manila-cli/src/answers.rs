//! The answers of the Shared File Systems API, from JSON to bodies and rows; pure.

use os_identity::{Error, Kind, Reply};
use poll_core::Fault;
use serde_json::Value;

use crate::client::Body;

/// The resource under `key`; `path` is for messages.
///
/// # Errors
/// There is none with an id.
pub fn one(answer: &Value, path: &str, key: &str) -> Result<Body, Fault<Error>> {
    match answer.get(key).and_then(Value::as_object) {
        Some(body) if body.get("id").is_some_and(Value::is_string) => Ok(body.clone()),
        _ => Err(senseless(path, key)),
    }
}

/// The rows under `key`; what is no object is left out.
///
/// # Errors
/// There is no list.
pub fn rows(answer: &Value, path: &str, key: &str) -> Result<Vec<Body>, Fault<Error>> {
    let rows = answer
        .get(key)
        .and_then(Value::as_array)
        .ok_or_else(|| senseless(path, key))?;
    Ok(rows
        .iter()
        .filter_map(|row| row.as_object().cloned())
        .collect())
}

/// The service's own 404: `{"itemNotFound": {"code": 404, …}}`. One with another body comes from something before it.
#[must_use]
pub fn is_own_404(reply: &Reply) -> bool {
    reply
        .json::<Value>()
        .is_ok_and(|body| body.get("itemNotFound").is_some())
}

/// A 200 that is not what the API promises: it may pass.
#[must_use]
pub fn senseless(path: &str, key: &str) -> Fault<Error> {
    Fault::Transient(Error::new(
        Kind::Unknown,
        format!("the answer of {path} makes no sense: it has no {key}"),
    ))
}
