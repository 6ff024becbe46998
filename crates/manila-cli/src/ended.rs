//! How the wait for each resource ended: messages, hints, and the result.

use os_identity::Error;
use poll_core::{Finished, Observation, Outcome};
use serde_json::{Map, Value, json};
use wait_cli::{Exit, Failure, failure};

use crate::client::{Body, Seen};
use crate::goal::{Appear, Goal, Why, word_of};
use crate::kind::Kind;
use crate::watch::Target;

/// The end of the wait for one resource.
pub struct Ended {
    /// As far as it is known.
    pub target: Target,
    /// How messages call it.
    pub label: String,
    /// As it was last seen. `None`: never, or it is gone as was wanted.
    pub body: Option<Seen>,
    /// The code for it alone.
    pub exit: Exit,
    /// The end in a word, for JSON.
    pub outcome: &'static str,
    /// What to say of it on stderr. `None`: nothing, the result speaks.
    pub message: Option<String>,
    /// To be said though it is no failure.
    pub note: bool,
    /// Somebody may want to wait on.
    pub goes_on: bool,
    /// The service may know why.
    pub has_cause: bool,
    /// What to do about an error.
    pub hint: Option<String>,
    elapsed: f64,
    looks: u32,
}

impl Ended {
    /// Makes the words of an end. `last` is the resource as it was last seen.
    pub fn of(
        goal: &Goal,
        target: Target,
        label: String,
        last: Option<Seen>,
        end: Finished<Seen, Why, Error>,
    ) -> Self {
        let exit = exit_of(goal, &last, &end.outcome);
        let mut ended = Self {
            target,
            label,
            body: last,
            exit,
            outcome: exit.name(),
            message: None,
            note: false,
            goes_on: false,
            has_cause: false,
            hint: None,
            elapsed: end.elapsed.as_secs_f64(),
            looks: end.looks,
        };
        ended.word(goal, end.outcome);
        ended
    }

    fn word(&mut self, goal: &Goal, outcome: Outcome<Seen, Why, Error>) {
        let missing = goal.kind.missing(&self.target.asked);
        match outcome {
            Outcome::Reached(_, Why::Vanished) => {
                self.body = None;
                self.message = Some(format!("{}: deleted", self.label));
                self.note = true;
            }
            Outcome::Reached(_, Why::NeverThere) => {
                self.message = Some(format!("{missing}: deleted already, or never there"));
                self.note = true;
            }
            Outcome::Reached(..) => {}
            Outcome::Failed(_, Why::NeverThere) if goal.appear == Appear::Now => {
                self.message = Some(missing);
                self.hint = Some("--appear waits for what does not exist yet".to_owned());
            }
            Outcome::Failed(_, Why::NeverThere) => {
                self.message = Some(format!("{missing}: it did not appear in time"))
            }
            Outcome::Failed(_, Why::Vanished) => {
                self.message = Some(format!(
                    "{}: deleted while {} was awaited",
                    self.label,
                    goal.shown()
                ));
            }
            Outcome::Failed(_, Why::Bad { field, word }) => {
                let shown = if field == goal.kind.field.name {
                    word
                } else {
                    format!("{field} {word}")
                };
                self.message = Some(format!("{}: {shown}", self.label));
                self.has_cause = true;
            }
            Outcome::Failed(_, Why::Unmet { field, wanted, is }) => {
                let status = self
                    .body
                    .as_ref()
                    .and_then(|body| word_of(body, goal.kind.field.name));
                let status = status.unwrap_or_else(|| "without a status".to_owned());
                self.message = Some(format!(
                    "{}: {status}, but {field} is {is}, not {wanted}",
                    self.label
                ));
                self.has_cause = true;
            }
            Outcome::Failed(_, Why::Seen) => {}
            Outcome::TimedOut(None | Some(Observation::Gone), None)
                if self.exit == Exit::NotFound =>
            {
                self.message = Some(format!("{missing}: it did not appear before the deadline"));
            }
            Outcome::TimedOut(_, None) => {
                self.goes_on = true;
                self.message = Some(match &self.body {
                    None => format!(
                        "{}: the deadline came before its state was seen",
                        self.label
                    ),
                    Some(body) => {
                        let runs = if goal.runs(body) {
                            "; the operation goes on"
                        } else {
                            ""
                        };
                        format!(
                            "{}: still {} at the deadline{runs}",
                            self.label,
                            self.status(goal)
                        )
                    }
                });
            }
            Outcome::TimedOut(_, Some(error)) => {
                self.unknown(goal, &error, "state unknown at the deadline")
            }
            Outcome::GaveUp(error, _) => match self.exit {
                Exit::Unknown | Exit::Deadline => self.unknown(goal, &error, "state unknown"),
                _ => {
                    self.message = Some(format!("{}: {}", self.label, failure::chain(&error)));
                    self.hint = error.hint().map(str::to_owned);
                    self.goes_on = self.exit == Exit::Refused && self.body.is_some();
                }
            },
            Outcome::Left(_) => self.outcome = "left",
        }
    }

    fn unknown(&mut self, goal: &Goal, error: &Error, what: &str) {
        let seen = self.body.as_ref().map_or_else(String::new, |_| {
            format!("; last seen {}", self.status(goal))
        });
        self.message = Some(format!(
            "{}: {what}: {}{seen}",
            self.label,
            failure::chain(error)
        ));
        self.hint = error.hint().map(str::to_owned);
        self.goes_on = true;
    }

    /// The status as the service wrote it, and what else the goal names.
    fn status(&self, goal: &Goal) -> String {
        self.body
            .as_ref()
            .map_or_else(String::new, |body| status_of(goal, body))
    }

    /// The failure to be reported, its causes in front of the hint.
    pub fn failure(&self, causes: &[String], hint: Option<String>) -> Failure {
        let mut message = self.message.clone().unwrap_or_default();
        for cause in causes {
            message.push_str(": ");
            message.push_str(cause);
        }
        Failure {
            exit: self.exit,
            message,
            hint: hint.or_else(|| self.hint.clone()),
        }
    }

    /// The line of the result in `--progress json`.
    pub fn line(&self, goal: &Goal, causes: &[String]) -> Map<String, Value> {
        let status = self
            .body
            .as_ref()
            .and_then(|body| word_of(body, goal.kind.field.name));
        let line = json!({
            "kind": goal.kind.noun, "asked": self.target.asked, "id": self.target.id, "name": self.target.name,
            "status": status, "outcome": self.outcome, "exit": self.exit.code(), "reason": self.message,
            "causes": causes, "elapsed": self.elapsed, "looks": self.looks,
        });
        match line {
            Value::Object(fields) => fields,
            _ => Map::new(),
        }
    }
}

/// The line of the result in `--progress json` of what was not waited for: it is missing, or the change was refused.
pub fn not_begun(
    kind: &Kind,
    asked: &str,
    body: Option<&Body>,
    failure: &Failure,
) -> Map<String, Value> {
    let field = |name: &str| body.and_then(|body| body.get(name)).cloned();
    let line = json!({
        "kind": kind.noun, "asked": asked, "id": field("id"), "name": field("name"),
        "status": field(kind.field.name), "outcome": failure.exit.name(), "exit": failure.exit.code(),
        "reason": failure.message, "causes": [], "elapsed": 0.0, "looks": 0,
    });
    match line {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// The status as the service wrote it, and, behind it, the other fields that the goal names.
pub fn status_of(goal: &Goal, body: &Body) -> String {
    let mut fields = goal.fields().into_iter();
    let main = fields
        .next()
        .and_then(|field| word_of(body, field))
        .unwrap_or_else(|| "without a status".to_owned());
    let others: Vec<_> = fields.map(|field| field_of(body, field)).collect();
    if others.is_empty() {
        main
    } else {
        format!("{main} ({})", others.join(", "))
    }
}

/// A field with its value: `size 2`.
pub fn field_of(body: &Body, field: &str) -> String {
    format!(
        "{field} {}",
        word_of(body, field).unwrap_or_else(|| "none".to_owned())
    )
}

fn exit_of(goal: &Goal, last: &Option<Seen>, outcome: &Outcome<Seen, Why, Error>) -> Exit {
    match outcome {
        Outcome::Failed(_, Why::NeverThere) => Exit::NotFound,
        // What was waited for did not appear.
        Outcome::TimedOut(_, None) if last.is_none() && goal.appear != Appear::Now => {
            Exit::NotFound
        }
        outcome => Exit::of_outcome(outcome, failure::exit_of),
    }
}
