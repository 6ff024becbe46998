//! Heat's three shapes of an error, as recorded in `fixtures/heat`.

use serde_json::{Value, json};

use crate::response::{Response, reason};

/// Heat's own: `{"code": 404, "title", "explanation", "error": {"type", "message"}}`.
pub(crate) fn fault(status: u16, kind: &str, message: &str) -> Response {
    let explanation = match status {
        400 => {
            "The server could not comply with the request since it is either malformed or otherwise incorrect."
        }
        403 => "Access was denied to this resource.",
        404 => "The resource could not be found.",
        409 => "There was a conflict when trying to complete your request.",
        _ => "The server has either erred or is incapable of performing the requested operation.",
    };
    let error = json!({"type": kind, "traceback": null, "message": message});
    Response::json(
        status,
        &json!({"code": status, "title": reason(status), "explanation": explanation, "error": error}),
    )
}

/// The 403 without a message that an application credential without trusts gets.
pub(crate) fn mute_forbidden() -> Response {
    let error = json!({"type": "Forbidden", "traceback": null});
    let body = json!({"code": 403, "title": "Forbidden", "explanation": "Access was denied to this resource.", "error": error});
    Response::json(403, &body)
}

/// WebOb's: `{"message": "..<br />..", "code": "404 Not Found", "title"}`.
pub(crate) fn webob(status: u16, first: &str, second: &str) -> Response {
    let message = format!("{first}<br /><br />\n{second}\n\n");
    let body: Value = json!({"message": message, "code": format!("{status} {}", reason(status)), "title": reason(status)});
    Response::json(status, &body)
}

/// A path that Heat does not have.
pub(crate) fn no_path() -> Response {
    webob(404, "The resource could not be found.", "")
}

/// A stack that is not there, by what it was called.
pub(crate) fn no_stack(name: &str) -> Response {
    fault(
        404,
        "EntityNotFound",
        &format!("The Stack ({name}) could not be found."),
    )
}

/// A parameter or body that makes no sense.
pub(crate) fn bad_request(message: &str) -> Response {
    fault(400, "HTTPBadRequest", message)
}

/// A status by itself, for faults.
pub(crate) fn by_status(status: u16) -> Response {
    match status {
        401 => Response::json(
            401,
            &json!({"error": {"code": 401, "title": "Unauthorized", "message": "The request you have made requires authentication."}}),
        ),
        403 => fault(403, "Forbidden", "Access was denied to this resource."),
        404 => fault(
            404,
            "EntityNotFound",
            "The Stack (unknown) could not be found.",
        ),
        500 => fault(
            500,
            "MessagingTimeout",
            "Timed out waiting for a reply to message ID 5b2e1f0c",
        ),
        503 => webob(
            503,
            "The server is currently unavailable. Please try again at a later time.",
            "The Keystone service is temporarily unavailable.",
        ),
        other => webob(other, reason(other), ""),
    }
}
