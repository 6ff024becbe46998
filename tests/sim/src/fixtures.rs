//! Recorded exchanges (`curl -i`): a comment line, head, empty line, body.

use serde_json::Value;

/// The body of an exchange.
pub(crate) fn body(exchange: &str) -> &str {
    let start = exchange
        .find("\r\n\r\n")
        .map(|at| at + 4)
        .or_else(|| exchange.find("\n\n").map(|at| at + 2));
    start
        .and_then(|start| exchange.get(start..))
        .unwrap_or_default()
        .trim_end()
}

/// The body of an exchange as JSON.
pub(crate) fn json(exchange: &str) -> Value {
    serde_json::from_str(body(exchange)).unwrap_or_default()
}
