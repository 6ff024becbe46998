//! Why something failed: Manila's user messages (since 2.37).

use std::time::Duration;

use os_identity::Error;
use poll_core::Fault;
use serde_json::Value;

use crate::client::{Body, Client, encoded};
use crate::version::Microversion;

/// The first version with user messages.
pub const SINCE: Microversion = Microversion::new(37);

/// The causes that the service recorded for a resource, as one line each, the newest first: the newest error and what
/// else belongs to its request. Messages stay for 30 days, so older requests say nothing of this one.
///
/// # Errors
/// What kept us from asking.
pub fn causes(
    client: &Client<'_>,
    id: &str,
    budget: Option<Duration>,
) -> Result<Vec<String>, Fault<Error>> {
    let path = format!("/messages?resource_id={}", encoded(id));
    let mut messages = client.rows(&path, "messages", false, budget)?;
    // Where the filter is not known, all messages come.
    messages.retain(|message| {
        text(message, "resource_id") == id && text(message, "message_level") != "INFO"
    });
    messages.sort_by(|one, other| text(other, "created_at").cmp(text(one, "created_at")));
    Ok(lines(&messages))
}

fn lines(messages: &[Body]) -> Vec<String> {
    let Some(newest) = messages.first() else {
        return Vec::new();
    };
    let request = text(newest, "request_id");
    let mut lines = Vec::new();
    for message in messages
        .iter()
        .filter(|message| text(message, "request_id") == request)
    {
        let line = match (text(message, "user_message"), request) {
            ("", _) => continue,
            (said, "") => said.to_owned(),
            (said, request) => format!("{} ({request})", said.trim_end_matches('.')),
        };
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

fn text<'m>(message: &'m Body, key: &str) -> &'m str {
    message.get(key).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn message(request: &str, said: &str) -> Body {
        json!({"request_id": request, "user_message": said})
            .as_object()
            .unwrap()
            .clone()
    }

    #[test]
    fn the_causes_are_those_of_the_newest_request_once_each() {
        let messages = [
            message("req-2", "extend: The driver failed."),
            message("req-2", "extend: The driver failed."),
            message("req-1", "create: of last week."),
        ];
        assert_eq!(lines(&messages), ["extend: The driver failed (req-2)"]);
        assert_eq!(lines(&[]), Vec::<String>::new());
    }
}
