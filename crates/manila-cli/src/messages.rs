//! Why something failed: Manila's user messages (since 2.37).

use std::time::Duration;

use jiff::Timestamp;
use os_identity::Error;
use poll_core::Fault;
use serde_json::Value;
use wait_cli::{order, time};

use crate::client::{Body, Client, encoded};
use crate::version::Microversion;

/// The first version with user messages.
pub const SINCE: Microversion = Microversion::new(37);

/// The messages on a resource, and, where the filter is not known, on others.
///
/// # Errors
/// What kept us from asking.
pub fn of(
    client: &Client<'_>,
    id: &str,
    budget: Option<Duration>,
) -> Result<Vec<Body>, Fault<Error>> {
    let path = format!("/messages?resource_id={}", encoded(id));
    client.rows(&path, "messages", false, budget)
}

/// Those that are not older than `since`.
#[must_use]
pub fn since(messages: Vec<Body>, since: Option<Timestamp>) -> Vec<Body> {
    let is_new = |message: &Body| {
        let created = time::parse(text(message, "created_at"));
        since
            .zip(created)
            .is_none_or(|(since, created)| created.as_second() >= since.as_second())
    };
    messages.into_iter().filter(is_new).collect()
}

/// The causes that the service recorded for a resource, as one line each, the newest first: the newest error and what
/// else belongs to its request. Messages stay for 30 days, so older requests say nothing of this one.
#[must_use]
pub fn causes(messages: &[Body], id: &str) -> Vec<String> {
    let is_its = |message: &&Body| {
        text(message, "resource_id") == id && text(message, "message_level") != "INFO"
    };
    let mut its: Vec<&Body> = messages.iter().filter(is_its).collect();
    order::sort_by(&mut its, |one, other| {
        text(other, "created_at").cmp(text(one, "created_at"))
    });
    lines(&its)
}

fn lines(messages: &[&Body]) -> Vec<String> {
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

    fn message(request: &str, time: &str, said: &str) -> Body {
        json!({"resource_id": "s", "request_id": request, "created_at": time, "user_message": said})
            .as_object()
            .unwrap()
            .clone()
    }

    #[test]
    fn the_causes_are_those_of_the_newest_request_once_each() {
        let messages = [
            message("req-1", "2031-03-01", "create: of last week."),
            message("req-2", "2031-03-04", "extend: The driver failed."),
            message("req-2", "2031-03-04", "extend: The driver failed."),
        ];
        assert_eq!(
            causes(&messages, "s"),
            ["extend: The driver failed (req-2)"]
        );
        assert_eq!(causes(&messages, "t"), Vec::<String>::new());
    }
}
