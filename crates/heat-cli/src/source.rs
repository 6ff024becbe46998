//! A stack's events from any source of messages, such as a websocket of Zaqar: written as a log until the stack ends.
//!
//! Heat sends each event as one message to the queue that the environment's `event_sinks` names
//! (heat/engine/event.py, `as_dict`). Replaces `wait_for_events` of the Python client
//! (heatclient/common/event_utils.py:246), which takes a resource of the stack's name for the stack, and ends in a
//! `KeyError` on whatever is no event.

use std::error::Error as StdError;
use std::io::Write;

use serde_json::{Map, Value};
use thiserror::Error;

use crate::log_line::log_line;
use crate::model::{Event, Link};
use crate::paths::Paths;

/// How the stack ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinalStatus {
    /// `CREATE_COMPLETE`, `UPDATE_FAILED` and the like.
    pub status: String,
    /// What the client prints then: `\n Stack web CREATE_COMPLETE \n`.
    pub text: String,
}

impl FinalStatus {
    /// Whether it ended well.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.status.ends_with("_COMPLETE")
    }
}

/// Why there is no final status. Messages are counted from 1.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The source cannot give the next message.
    #[error("message {number} cannot be received")]
    Receive {
        /// Which message.
        number: u64,
        /// What the source says.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// The message is no JSON.
    #[error("message {number} is no JSON")]
    Json {
        /// Which message.
        number: u64,
        /// Where and why.
        source: serde_json::Error,
    },
    /// The message lacks a part that every event has.
    #[error("message {number} is no event: it has no {part}")]
    Missing {
        /// Which message.
        number: u64,
        /// The part, as a path: `body.payload`.
        part: &'static str,
    },
    /// The source ended before the stack did.
    #[error("the source ended after {received} messages, before stack {stack} did")]
    Ended {
        /// As the caller called it.
        stack: String,
        /// How many messages there were.
        received: u64,
    },
    /// The log cannot be written.
    #[error("the log cannot be written")]
    Write(#[from] std::io::Error),
}

/// Writes the events that `messages` bring to `out`, one line each, until the stack of this name (or id) has ended.
///
/// A message is the text of a JSON object as Zaqar sends it; the event is its `body`, with `timestamp` and `payload`.
/// Fields that are not known are of no account. The stack is told from a resource of its name by the physical id.
/// The iterator blocks until there is a message; time limits are the source's own.
///
/// ```
/// use heat_cli::source::wait_for_events;
///
/// let message = r#"{"body": {"timestamp": "2031-03-04T10:00:09Z", "payload": {
///     "resource_name": "web", "physical_resource_id": "5ac0", "stack_id": "5ac0",
///     "resource_action": "CREATE", "resource_status": "COMPLETE", "resource_status_reason": "done"}}}"#;
/// let mut log = Vec::new();
/// let ended = wait_for_events([Ok::<_, std::io::Error>(message)], "web", &mut log)?;
/// assert_eq!(ended.status, "CREATE_COMPLETE");
/// assert_eq!(log, b"2031-03-04 10:00:09Z  [web]: CREATE_COMPLETE  done\n");
/// # Ok::<(), heat_cli::source::SourceError>(())
/// ```
///
/// # Errors
/// [`SourceError`]: a message that is no event, a source that fails or ends, a log that cannot be written.
pub fn wait_for_events<M, E>(
    messages: impl IntoIterator<Item = Result<M, E>>,
    stack: &str,
    out: &mut dyn Write,
) -> Result<FinalStatus, SourceError>
where
    M: AsRef<[u8]>,
    E: Into<Box<dyn StdError + Send + Sync>>,
{
    let mut paths = Paths::default();
    let mut number = 0;
    for message in messages {
        number += 1;
        let message = message.map_err(|error| SourceError::Receive {
            number,
            source: error.into(),
        })?;
        let message = read(message.as_ref(), number)?;
        out.write_all(log_line(&message.event, &message.path(&mut paths)).as_bytes())?;
        if message.ends(stack) {
            let status = message.event.resource_status;
            let text = format!("\n Stack {stack} {status} \n");
            return Ok(FinalStatus { status, text });
        }
    }
    Err(SourceError::Ended {
        stack: stack.to_owned(),
        received: number,
    })
}

struct Message {
    event: Event,
    /// `COMPLETE` and the like, without the action.
    word: String,
    /// The id of the stack that the event belongs to; empty: the message does not say.
    stack_id: String,
}

fn read(message: &[u8], number: u64) -> Result<Message, SourceError> {
    let message: Value =
        serde_json::from_slice(message).map_err(|source| SourceError::Json { number, source })?;
    let missing = |part| SourceError::Missing { number, part };
    let body = message.get("body").ok_or_else(|| missing("body"))?;
    let payload = body.get("payload").and_then(Value::as_object);
    let payload = payload.ok_or_else(|| missing("body.payload"))?;
    let text = |key: &str| payload.get(key).and_then(Value::as_str);
    let action = text("resource_action").ok_or_else(|| missing("body.payload.resource_action"))?;
    let word = text("resource_status").ok_or_else(|| missing("body.payload.resource_status"))?;
    let mut raw: Map<String, Value> = payload.clone();
    raw.insert(
        "resource_status".to_owned(),
        format!("{action}_{word}").into(),
    );
    if let Some(time) = body.get("timestamp") {
        raw.insert("event_time".to_owned(), time.clone());
    }
    let stack_id = text("stack_id").unwrap_or_default().to_owned();
    let mut event = Event::from(raw);
    if event.links.is_empty() && !stack_id.is_empty() {
        event.links.push(Link {
            rel: "stack".to_owned(),
            href: stack_id.clone(),
        });
    }
    Ok(Message {
        word: word.to_owned(),
        stack_id,
        event,
    })
}

impl Message {
    /// Where it happened: the stack's own events name the top of the path.
    fn path(&self, paths: &mut Paths) -> String {
        paths.path(&self.event)
    }

    fn ends(&self, stack: &str) -> bool {
        let event = &self.event;
        let is_called = event.resource_name == stack || event.physical_resource_id == stack;
        let is_own = self.stack_id.is_empty() || event.physical_resource_id == self.stack_id;
        is_called && is_own && matches!(&*self.word, "COMPLETE" | "FAILED")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(name: &str, physical: &str, status: &str) -> String {
        format!(
            r#"{{"ttl": 3600, "body": {{"timestamp": "2031-03-04T10:00:05", "type": "os.heat.event", "payload": {{
            "resource_name": "{name}", "physical_resource_id": "{physical}", "stack_id": "s1", "version": "9.9",
            "resource_action": "CREATE", "resource_status": "{status}", "resource_status_reason": "state changed"}}}}}}"#
        )
    }

    fn told(messages: &[String]) -> (Result<FinalStatus, SourceError>, String) {
        let mut out = Vec::new();
        let messages = messages.iter().map(Ok::<_, std::io::Error>);
        let ended = wait_for_events(messages, "web", &mut out);
        (ended, String::from_utf8(out).unwrap_or_default())
    }

    #[test]
    fn a_resource_of_the_stacks_name_does_not_end_it() {
        let (ended, log) = told(&[
            message("web", "s1", "IN_PROGRESS"),
            message("web", "r1", "COMPLETE"),
            message("web", "s1", "FAILED"),
            message("never", "r2", "COMPLETE"),
        ]);
        assert_eq!(
            ended
                .map(|ended| (ended.text.clone(), ended.is_complete()))
                .ok(),
            Some(("\n Stack web CREATE_FAILED \n".to_owned(), false))
        );
        let expected = "2031-03-04 10:00:05Z  [web]: CREATE_IN_PROGRESS  state changed\n\
             2031-03-04 10:00:05Z  [web.web]: CREATE_COMPLETE  state changed\n\
             2031-03-04 10:00:05Z  [web]: CREATE_FAILED  state changed\n";
        assert_eq!(log, expected);
    }

    #[test]
    fn what_is_no_event_is_named() {
        let good = message("a", "r1", "COMPLETE");
        let with = |text: &str| {
            told(&[good.clone(), text.to_owned()])
                .0
                .map_err(|e| e.to_string())
        };
        for (text, part) in [
            ("{}", "body"),
            (r#"{"body": {}}"#, "body.payload"),
            (
                r#"{"body": {"payload": {}}}"#,
                "body.payload.resource_action",
            ),
            (
                r#"{"body": {"payload": {"resource_action": "CREATE"}}}"#,
                "body.payload.resource_status",
            ),
        ] {
            let expected = format!("message 2 is no event: it has no {part}");
            assert_eq!(with(text), Err(expected), "{text}");
        }
        assert_eq!(with("nothing"), Err("message 2 is no JSON".to_owned()));
    }

    #[test]
    fn a_source_that_ends_or_fails_says_so() {
        let (ended, _) = told(&[message("a", "r1", "COMPLETE")]);
        assert_eq!(
            ended.map_err(|error| error.to_string()),
            Err("the source ended after 1 messages, before stack web did".to_owned())
        );
        let broken = [Err::<String, _>(std::io::Error::other("reset"))];
        let ended = wait_for_events(broken, "web", &mut Vec::new());
        assert!(matches!(ended, Err(SourceError::Receive { number: 1, .. })));
    }
}
