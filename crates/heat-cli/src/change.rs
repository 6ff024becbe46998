//! One request that changes something: sent once, and again only where it was certainly not taken.

use std::cell::RefCell;
use std::time::Duration;

use os_identity::{Error, Kind, Method, Reply, Request, Taken, classify};
use poll_core::{Deadline, Fault};
use serde_json::Value;
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure, engine};

use crate::client::Client;

/// A request that changes something.
pub(crate) struct Change<'c> {
    /// How messages call what is changed.
    pub(crate) label: &'c str,
    pub(crate) method: Method,
    pub(crate) url: &'c str,
    pub(crate) body: Option<&'c [u8]>,
    /// A refusal because something else runs is no answer: it is sent again (`--when-idle`).
    pub(crate) when_idle: bool,
}

/// What became of it.
pub(crate) enum Sent {
    /// The service has taken it.
    Taken(Reply),
    /// It went out, and no answer says what became of it.
    Lost(Error),
    /// It was not taken, and will not be.
    Refused(Failure),
}

/// Called before the request goes out once more after the stack was busy: what was known of it is old.
pub(crate) type Again<'a> = &'a mut dyn FnMut(Option<Duration>) -> Result<(), Fault<Error>>;

/// Sends it.
pub(crate) fn send(
    change: &Change<'_>,
    client: &Client<'_>,
    stage: &Stage<'_>,
    deadline: Deadline,
    again: Again<'_>,
) -> Sent {
    let busy: RefCell<Option<Error>> = RefCell::new(None);
    let answer = engine::persist(
        &stage.retries(deadline),
        stage.clock,
        stage.reporter,
        change.label,
        &mut |budget| {
            if busy.borrow().is_some() {
                again(budget)?;
            }
            let mut request = Request::new(change.method, change.url).budget(budget);
            if let Some(body) = change.body {
                request = request.body(body);
            }
            let sent = sorted(client.session().send(&request), client.now());
            match sent {
                Ok(Sent::Refused(failure)) if change.when_idle && is_busy(&failure) => {
                    let error = Error::new(Kind::Rejected, failure.message);
                    *busy.borrow_mut() = Some(error.clone());
                    let waited = stage.clock.now().saturating_sub(stage.began);
                    Err(Fault::Throttled(
                        error,
                        Some(stage.timing.period.pace(waited)),
                    ))
                }
                sent => sent,
            }
        },
    );
    match answer {
        Ok(Sent::Refused(failure)) => Sent::Refused(failure.context(change.label)),
        Ok(sent) => sent,
        Err(failure) => Sent::Refused(match busy.into_inner() {
            Some(error) if failure.exit == Exit::Deadline => Failure::new(
                Exit::Deadline,
                format!(
                    "{}: still busy at the deadline, nothing was changed: {error}",
                    change.label
                ),
            ),
            _ => failure,
        }),
    }
}

/// Heat's word for a stack on which something else runs.
fn is_busy(failure: &Failure) -> bool {
    failure.exit == Exit::Rejected && failure.message.contains("already has an action")
}

/// What an answer to a change means. `Err`: certainly not taken, and it may be sent again.
fn sorted(answer: Result<Reply, Error>, now: Duration) -> Result<Sent, Fault<Error>> {
    let reply = match answer {
        Ok(reply) => reply,
        // Where it leads to is not ours to ask.
        Err(error) if error.status().is_some_and(|status| status / 100 == 3) => {
            return Ok(Sent::Refused(Failure::from(error)));
        }
        Err(error) if error.taken() == Taken::Perhaps => return Ok(Sent::Lost(error)),
        Err(error) => return classify(Err(error), now).map(Sent::Taken),
    };
    let status = reply.status;
    let error = match (status, classify(Ok(reply), now)) {
        (200..=299, Ok(reply)) => return Ok(Sent::Taken(reply)),
        (404, Ok(reply)) => {
            return Ok(Sent::Refused(Failure::new(
                Exit::NotFound,
                words(&reply).unwrap_or_else(|| "there is no such stack".to_owned()),
            )));
        }
        (status, Ok(reply)) => {
            let shown = os_identity::url::shown(&reply.url);
            let text = format!("{shown} answers {status}, which is no answer to a change");
            return Ok(Sent::Refused(Failure::new(Exit::Unknown, text)));
        }
        // A quota: it asks for no time.
        (413, Err(fault)) => fault.into_error().with_kind(Kind::Rejected),
        (404 | 425 | 429, Err(fault)) => return Err(fault),
        (503, Err(fault @ Fault::Throttled(..))) => return Err(fault),
        (408 | 500..=599, Err(fault)) => return Ok(Sent::Lost(fault.into_error())),
        (_, Err(fault)) => fault.into_error(),
    };
    Ok(Sent::Refused(Failure::from(error)))
}

/// What Heat says in an answer of its own.
fn words(reply: &Reply) -> Option<String> {
    let body: Value = reply.json().ok()?;
    let text = body.get("error")?.get("message")?.as_str()?;
    Some(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = r#"{"error": {"message": "no"}}"#;

    fn word(answer: Result<Reply, Error>) -> String {
        match sorted(answer, Duration::ZERO) {
            Ok(Sent::Taken(_)) => "taken".to_owned(),
            Ok(Sent::Lost(_)) => "lost".to_owned(),
            Ok(Sent::Refused(failure)) => format!("exit {}", failure.exit.code()),
            Err(_) => "again".to_owned(),
        }
    }

    #[test]
    fn the_table_of_answers_to_a_change() {
        for (status, headers, body, expected) in [
            (200, None, "null", "taken"),
            (201, None, "{}", "taken"),
            (202, None, "", "taken"),
            (204, None, "", "taken"),
            (300, None, "{}", "exit 3"),
            (400, None, OWN, "exit 6"),
            (403, None, r#"{"error": {"type": "Forbidden"}}"#, "exit 5"),
            (
                403,
                None,
                r#"{"error": {"message": "Share is busy"}}"#,
                "exit 6",
            ),
            (404, None, OWN, "exit 4"),
            (404, None, "<html>", "again"),
            (408, None, "", "lost"),
            (409, None, OWN, "exit 6"),
            (413, None, OWN, "exit 6"),
            (413, Some("7"), OWN, "exit 6"),
            (422, None, OWN, "exit 6"),
            (429, Some("7"), "", "again"),
            (500, None, OWN, "lost"),
            (502, None, "", "lost"),
            (503, None, "", "lost"),
            (503, Some("3"), "", "again"),
            (504, None, "<html>", "lost"),
        ] {
            let retry = headers.map(|after: &str| ("retry-after".to_owned(), after.to_owned()));
            let reply = Reply {
                status,
                headers: retry.into_iter().collect(),
                body: body.as_bytes().to_vec(),
                url: "http://h/v1/p/stacks".into(),
            };
            assert_eq!(word(Ok(reply)), expected, "{status} {body}");
        }
        let error = |taken| Error::new(Kind::Unknown, "reset").with_taken(taken);
        assert_eq!(word(Err(error(Taken::Perhaps))), "lost");
        assert_eq!(word(Err(error(Taken::No))), "again");
        let elsewhere = error(Taken::Perhaps).with_answer(302, None);
        assert_eq!(word(Err(elsewhere)), "exit 3");
    }
}
