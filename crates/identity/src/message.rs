//! One reader for the error bodies of Keystone, Heat, Manila and what stands before them.

use serde_json::Value;

use crate::Reply;

/// Longer words are cut: they go on one line.
const LONGEST: usize = 2000;

/// What the service says went wrong, as one line. `None` where it says nothing that a person can read; HTML never.
///
/// Shapes (all recorded from Keystone 30, Heat 27, Manila 23): `{"error": {"message"}}` of Keystone and the token
/// middleware; `{"explanation", "error": {"message"}}` of Heat, where `message` may be missing; `{"message"}` of
/// WebOb, with `<br />` in it; `{"KIND": {"message"}}` of Manila; plain text of proxies.
#[must_use]
pub fn service_message(reply: &Reply) -> Option<String> {
    let text = match serde_json::from_slice::<Value>(&reply.body) {
        Ok(body) => of_json(&body)?,
        Err(_) => of_text(reply)?,
    };
    let line = text.replace("<br />", " ").replace("<br/>", " ");
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = line.chars().take(LONGEST).collect();
    Some(if cut.len() < line.len() {
        format!("{cut}…")
    } else {
        cut
    })
    .filter(|line| !line.is_empty())
}

fn of_json(body: &Value) -> Option<String> {
    let words = |value: &Value| {
        value
            .as_str()
            .map(str::to_owned)
            .filter(|text| !text.trim().is_empty())
    };
    let map = body.as_object()?;
    if let Some(error) = map.get("error") {
        // OAuth: {"error": "invalid_grant", "error_description": "…"}.
        if let Some(code) = words(error) {
            return Some(match map.get("error_description").and_then(words) {
                Some(description) => format!("{code}: {description}"),
                None => code,
            });
        }
        if let Some(message) = error.get("message").and_then(words) {
            return Some(message);
        }
    }
    for key in ["message", "explanation", "description"] {
        if let Some(message) = map.get(key).and_then(words) {
            return Some(message);
        }
    }
    map.values()
        .find_map(|inner| inner.get("message").and_then(words))
        .or_else(|| {
            map.get("error")
                .and_then(|error| error.get("title"))
                .and_then(words)
        })
}

/// Plain text of one short line; anything with tags is somebody's page.
fn of_text(reply: &Reply) -> Option<String> {
    let text = std::str::from_utf8(&reply.body).ok()?.trim();
    let is_page = text.contains('<')
        || reply
            .header("content-type")
            .is_some_and(|kind| kind.contains("html"));
    (!is_page && !text.is_empty() && text.len() <= 300).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::service_message;
    use crate::Reply;

    fn reply(kind: &str, body: &str) -> Reply {
        Reply {
            status: 400,
            headers: vec![("content-type".into(), kind.into())],
            body: body.as_bytes().to_vec(),
            url: "http://h/".into(),
        }
    }

    #[test]
    fn every_recorded_shape_is_read() {
        for (body, expected) in [
            (
                r#"{"error":{"code":401,"message":"The request you have made requires authentication.","title":"Unauthorized"}}"#,
                Some("The request you have made requires authentication."),
            ),
            (
                r#"{"code": 404, "title": "Not Found", "explanation": "The resource could not be found.", "error": {"type": "EntityNotFound", "traceback": null, "message": "The Stack (nosuch) could not be found."}}"#,
                Some("The Stack (nosuch) could not be found."),
            ),
            (
                r#"{"code": 403, "title": "Forbidden", "explanation": "Access was denied to this resource.", "error": {"type": "Forbidden", "traceback": null}}"#,
                Some("Access was denied to this resource."),
            ),
            (
                r#"{"message": "The server is currently unavailable. Please try again at a later time.<br /><br />\nThe Keystone service is temporarily unavailable.\n\n", "code": "503 Service Unavailable", "title": "Service Unavailable"}"#,
                Some(
                    "The server is currently unavailable. Please try again at a later time. The Keystone service is temporarily unavailable.",
                ),
            ),
            (
                r#"{"overLimit": {"code": 413, "message": "ShareSizeExceedsAvailableQuota: too big.", "retryAfter": "0"}}"#,
                Some("ShareSizeExceedsAvailableQuota: too big."),
            ),
            (
                r#"{"error": "invalid_grant", "error_description": "bad user"}"#,
                Some("invalid_grant: bad user"),
            ),
            (
                r#"{"error": {"code": 500, "title": "Internal Server Error"}}"#,
                Some("Internal Server Error"),
            ),
            (r#"{"message": 5}"#, None),
            ("null", None),
            ("[]", None),
            ("", None),
        ] {
            assert_eq!(
                service_message(&reply("application/json", body)).as_deref(),
                expected,
                "{body}"
            );
        }
    }

    #[test]
    fn pages_are_never_shown_and_plain_words_are() {
        assert_eq!(
            service_message(&reply("text/html", "<html><h1>502</h1></html>")),
            None
        );
        assert_eq!(service_message(&reply("text/html", "Bad Gateway")), None);
        assert_eq!(
            service_message(&reply("text/plain", "upstream timed out\n")).as_deref(),
            Some("upstream timed out")
        );
        assert_eq!(
            service_message(&reply("text/plain", &"x".repeat(4000))),
            None
        );
    }
}
