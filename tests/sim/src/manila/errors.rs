//! Manila's shapes of an error, as recorded in `fixtures/manila`.

use serde_json::json;

use crate::response::{Response, reason};

/// `{"badRequest": {"code": 400, "message"}}` and its sisters.
pub(crate) fn fault(status: u16, message: &str) -> Response {
    let name = match status {
        400 => "badRequest",
        403 => "forbidden",
        404 => "itemNotFound",
        409 => "conflictingRequest",
        413 | 429 => "overLimit",
        _ => "computeFault",
    };
    let mut body = json!({"code": status, "message": message});
    if let (413, Some(body)) = (status, body.as_object_mut()) {
        body.insert("retryAfter".to_owned(), json!("0"));
    }
    let reply = Response::json(status, &json!({name: body}));
    if status == 413 {
        reply.header("Retry-After", "0")
    } else {
        reply
    }
}

/// The 404 of most kinds.
pub(crate) fn not_found() -> Response {
    fault(404, "The resource could not be found.")
}

/// The 403 of a policy.
pub(crate) fn denied() -> Response {
    fault(403, "Access was denied to this resource.")
}

/// A status by itself, for faults.
pub(crate) fn by_status(status: u16) -> Response {
    match status {
        401 => Response::json(
            401,
            &json!({"error": {"code": 401, "title": "Unauthorized", "message": "The request you have made requires authentication."}}),
        ),
        403 => denied(),
        404 => not_found(),
        // A throttle says for itself when to come back.
        413 => Response::json(
            413,
            &json!({"overLimit": {"code": 413, "message": "This request was rate-limited."}}),
        ),
        other => fault(other, reason(other)),
    }
}
