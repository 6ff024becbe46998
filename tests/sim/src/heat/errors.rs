//! Heat's three shapes of an error, as recorded in `fixtures/heat`.

use serde_json::{Value, json};

use crate::response::{Response, reason};
use crate::wire::Request;

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

/// A refusal without a message: a 403 for trusts, a 400 for a bad sort direction.
pub(crate) fn mute(status: u16, kind: &str) -> Response {
    let mut body = fault(status, kind, "").json_body();
    if let Some(error) = body.get_mut("error").and_then(Value::as_object_mut) {
        error.shift_remove("message");
    }
    Response::json(status, &body)
}

/// WebOb's: `{"message": "..<br />..", "code": "404 Not Found", "title"}`.
pub(crate) fn webob(status: u16, first: &str, second: &str) -> Response {
    let message = format!("{first}<br /><br />\n{second}\n\n");
    let body: Value = json!({"message": message, "code": format!("{status} {}", reason(status)), "title": reason(status)});
    Response::json(status, &body)
}

/// WebOb gives its own messages as JSON only to those who say that they accept it.
pub(crate) fn as_accepted(reply: Response, request: &Request) -> Response {
    let json = request
        .header("accept")
        .is_some_and(|accept| accept.contains("json"));
    let body = reply.json_body();
    let webob = body.get("code").is_some_and(Value::is_string);
    let Some(message) = body
        .get("message")
        .and_then(Value::as_str)
        .filter(|_| webob && !json)
    else {
        return reply;
    };
    let title = format!("{} {}", reply.status, reason(reply.status));
    let page = format!(
        "<html>\n <head>\n  <title>{title}</title>\n </head>\n <body>\n  <h1>{title}</h1>\n  {message}\n </body>\n</html>"
    );
    let mut page = Response::new(reply.status)
        .header("Content-Type", "text/html; charset=UTF-8")
        .body(page);
    page.headers.extend(
        reply
            .headers
            .into_iter()
            .filter(|(name, _)| name != "Content-Type"),
    );
    page
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
