//! What is transient, what is final: one table.

use std::time::Duration;

use poll_core::Fault;

use crate::{Error, Reply};

/// Sorts an answer.
///
/// `Ok`: 2xx, 3xx and the service's own 404 in JSON, which the caller judges. `now` is the clock's time, for logs.
///
/// # Errors
/// What the engine needs to know.
pub fn classify(result: Result<Reply, Error>, _now: Duration) -> Result<Reply, Fault<Error>> {
    result.map_err(Fault::Transient)
}
