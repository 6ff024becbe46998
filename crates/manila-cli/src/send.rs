//! One change on its way: sent once, repeated only where it is certain that the service did not take it.

use std::cell::RefCell;
use std::time::Duration;

use os_identity::{Error, Kind as ErrorKind, Reply, Taken, classify};
use poll_core::{Deadline, Fault, Observation};
use serde_json::Value;
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure, engine, failure};

use crate::client::{Body, Client, is_own_404};
use crate::goal::word_of;
use crate::kind::Kind;
use crate::lookup::id_of;
use crate::operation::{Change, On};
use crate::proof::{self, Lost};
use crate::words::Meaning;

/// What became of a change that was not refused.
pub enum Sent {
    /// It was taken. What the service answered, if that is known.
    Taken(Option<Value>),
    /// Its answer was lost; the state says that it was taken.
    Proved,
    /// It need not be: the same runs already, or is done.
    Joined,
}

/// What changes are sent with.
pub struct Sender<'a, 's> {
    /// The service.
    pub client: &'a Client<'s>,
    /// Where is told what happens.
    pub stage: &'a Stage<'s>,
    /// The end of everything.
    pub deadline: Deadline,
    /// Whether a refusal by something busy is waited out.
    pub when_idle: bool,
    /// Whether the requests need the experimental header.
    pub experimental: bool,
}

/// One change, and what it concerns.
pub struct Parcel<'a> {
    /// The change.
    pub change: &'a Change,
    /// How messages call what it is about.
    pub label: &'a str,
    /// What the user named: it may be what is busy.
    pub target: Option<(&'static Kind, &'a Body)>,
    /// The command that goes on waiting for what is known by this ID.
    pub resume: &'a dyn Fn(&str) -> String,
    /// Told whether the request is on its way (true), or was surely not taken.
    pub last_words: &'a dyn Fn(bool),
}

/// One try.
enum Try {
    Taken(Reply),
    Refused(Error),
    Lost(Error),
}

impl Sender<'_, '_> {
    /// Sends it.
    ///
    /// # Errors
    /// It was refused, or its fate is not known, or it could not be sent in time.
    pub fn send(&self, parcel: &Parcel<'_>) -> Result<Sent, Failure> {
        let began = self.stage.clock.now();
        let last_fault = RefCell::new(None);
        let outcome = engine::persist(
            &self.stage.retries(self.deadline),
            self.stage.clock,
            self.stage.reporter,
            parcel.label,
            &mut |budget| {
                if self.is_too_late() {
                    return Err(too_late(last_fault.take()));
                }
                let tried = self.attempt(parcel, began, budget);
                *last_fault.borrow_mut() = tried.as_ref().err().cloned();
                tried
            },
        );
        match outcome.map_err(not_sent)? {
            Try::Taken(reply) => Ok(Sent::Taken(reply.json::<Value>().ok())),
            Try::Refused(error) if self.is_joined(parcel, &error) => Ok(Sent::Joined),
            Try::Refused(error) => Err(Failure::from(error).context(parcel.label)),
            Try::Lost(error) => {
                let lost = Lost {
                    sender: self,
                    parcel,
                    error: &error,
                };
                proof::find(&lost).map(|()| Sent::Proved)
            }
        }
    }

    /// The engine looks once more at the deadline; a change is not sent there.
    fn is_too_late(&self) -> bool {
        self.deadline.has_come(self.stage.clock.now()) && !self.stage.timing.looks_once()
    }

    fn attempt(
        &self,
        parcel: &Parcel<'_>,
        began: Duration,
        budget: Option<Duration>,
    ) -> Result<Try, Fault<Error>> {
        let change = parcel.change;
        let body = change.body.as_ref().map(Value::to_string);
        let body = body.as_deref().map(str::as_bytes);
        (parcel.last_words)(true);
        let sent = self
            .client
            .change(change.method, &change.path, body, self.experimental, budget);
        let tried = match sent {
            Err(error) if error.taken() == Taken::Perhaps => Ok(Try::Lost(error)),
            Err(error) => match classify(Err(error), self.stage.clock.now()) {
                Err(fault) => Err(fault),
                Ok(reply) => Ok(Try::Taken(reply)),
            },
            Ok(reply) => self.sort(change, reply),
        };
        let tried = tried.inspect_err(|_| (parcel.last_words)(false))?;
        if matches!(tried, Try::Refused(_)) {
            (parcel.last_words)(false);
        }
        match tried {
            Try::Refused(error) if self.when_idle && self.is_busy(parcel, &error) => {
                let waited = self.stage.clock.now().saturating_sub(began);
                Err(Fault::Throttled(
                    error,
                    Some(self.stage.timing.period.pace(waited)),
                ))
            }
            tried => Ok(tried),
        }
    }

    /// What an answer says of the change.
    fn sort(&self, change: &Change, reply: Reply) -> Result<Try, Fault<Error>> {
        let status = reply.status;
        let is_new = matches!(change.on, On::New(..));
        if (200..=299).contains(&status) {
            let is_readable =
                !is_new || created(change.goal.kind, reply.json().ok().as_ref()).is_some();
            if is_readable {
                return Ok(Try::Taken(reply));
            }
            let message = format!("the answer with HTTP {status} does not say what was created");
            let error = Error::new(ErrorKind::Unknown, message);
            return Ok(Try::Lost(error.with_answer(status, reply.request_id())));
        }
        let is_own = is_own_404(&reply);
        let is_json = reply.json::<Value>().is_ok();
        match (status, classify(Ok(reply), self.stage.clock.now())) {
            (404, Ok(reply)) if is_own => {
                let words = os_identity::service_message(&reply).unwrap_or_default();
                let error = Error::new(ErrorKind::NotFound, format!("{words} (HTTP 404)"));
                Ok(Try::Refused(error.with_answer(status, reply.request_id())))
            }
            (_, Ok(reply)) => {
                let message = format!("{} is answered with HTTP {status}", change.path);
                let error =
                    Error::new(ErrorKind::Unknown, message).with_answer(status, reply.request_id());
                // What stands before the service answers 404 to what it does not know, and passes nothing on.
                if status == 404 {
                    Err(Fault::Transient(error))
                } else {
                    Ok(Try::Lost(error))
                }
            }
            (401, Err(fault)) => Err(Fault::Fatal(fault.into_error())),
            (404 | 425 | 429, Err(fault)) => Err(fault),
            (503, Err(fault @ Fault::Throttled(..))) if is_json => Err(fault),
            (408 | 500..=599, Err(fault)) => Ok(Try::Lost(fault.into_error())),
            // Of a change it is a quota, whatever Retry-After says.
            (413, Err(fault)) => Ok(Try::Refused(
                fault.into_error().with_kind(ErrorKind::Rejected),
            )),
            (_, Err(fault)) => Ok(Try::Refused(fault.into_error())),
        }
    }

    /// Whether a refusal comes from something that is busy now, or was when it was asked.
    fn is_busy(&self, parcel: &Parcel<'_>, error: &Error) -> bool {
        if !matches!(error.status(), Some(400 | 403 | 409)) || error.kind() != ErrorKind::Rejected {
            return false;
        }
        let Some((kind, body)) = parcel.target else {
            return false;
        };
        let seen = self.client.one(kind, &id_of(body), None).ok().flatten();
        let word = seen
            .as_ref()
            .and_then(|body| word_of(body, kind.field.name));
        match word.map(|word| kind.field.meaning(&word)) {
            Some(Meaning::Pending | Meaning::Unknown) => true,
            Some(Meaning::Failed | Meaning::Gone) => false,
            _ => {
                let words = error.to_string().to_lowercase();
                ["status", "busy", "in progress", "being"]
                    .iter()
                    .any(|word| words.contains(word))
            }
        }
    }

    /// Whether what was asked for runs already, or is done.
    fn is_joined(&self, parcel: &Parcel<'_>, error: &Error) -> bool {
        let On::Old(before) = &parcel.change.on else {
            return false;
        };
        let removes = parcel.change.removes();
        if removes && error.status() == Some(404) {
            self.note(parcel, "is gone already");
            return true;
        }
        if error.kind() != ErrorKind::Rejected {
            return false;
        }
        let id = id_of(before);
        let Ok(now) = self.look(parcel.change, &id, None) else {
            return false;
        };
        let kind = parcel.change.goal.kind;
        let word = now.as_ref().and_then(|now| word_of(now, kind.field.name));
        let goes = matches!(
            word.as_deref().map(str::to_lowercase).as_deref(),
            Some(
                "deleting"
                    | "deferred_deleting"
                    | "error_deferred_deleting"
                    | "unmanage_starting"
                    | "manage_error_unmanage_starting"
                    | "queued_to_deny"
                    | "denying"
            )
        );
        let is_in_bin = |now: &Body| now.get("is_soft_deleted") == Some(&Value::Bool(true));
        let wants_bin = parcel.change.goal.fields().contains(&"is_soft_deleted");
        let joined =
            removes && (goes || now.is_none()) || wants_bin && now.as_ref().is_some_and(is_in_bin);
        if joined {
            let state = word.unwrap_or_else(|| "gone".to_owned());
            self.note(
                parcel,
                &format!("is {state} already; the refusal does not matter"),
            );
        }
        joined
    }

    fn note(&self, parcel: &Parcel<'_>, text: &str) {
        self.stage
            .reporter
            .note(&format!("{}: {text}", parcel.label));
    }

    /// One look at what a change is waited for on.
    ///
    /// # Errors
    /// What kept us from looking.
    pub fn look(
        &self,
        change: &Change,
        id: &str,
        budget: Option<Duration>,
    ) -> Result<Option<Body>, Fault<Error>> {
        let kind = change.goal.kind;
        match &change.share {
            Some(share) if self.client.version() < crate::kind::ACCESS_BY_ID => {
                let rules = self.client.rules(share, "", budget)?.unwrap_or_default();
                Ok(rules.into_iter().find(|rule| id_of(rule) == id))
            }
            _ => self.client.one(kind, id, budget),
        }
    }
}

/// What was created, from the answer.
#[must_use]
pub fn created(kind: &Kind, answer: Option<&Value>) -> Option<Body> {
    let body = answer?.get(kind.one)?.as_object()?;
    (!id_of(body).is_empty()).then(|| body.clone())
}

/// The deadline came before the change could be sent: while the service was away, if that is why it could not.
fn too_late(last: Option<Fault<Error>>) -> Fault<Error> {
    let late = "the deadline has come";
    Fault::Fatal(match last {
        Some(Fault::Transient(error)) => error.context(late),
        _ => Error::new(ErrorKind::Deadline, late),
    })
}

/// Nothing went out.
fn not_sent(failure: Failure) -> Failure {
    match failure.exit {
        Exit::Deadline | Exit::Unknown => Failure {
            message: format!("{}: nothing was sent", failure.message),
            ..failure
        },
        _ => failure,
    }
}

/// The state of a resource in its own field, for messages.
#[must_use]
pub fn state_of(kind: &Kind, seen: Option<&Observation<Body>>) -> String {
    match seen {
        Some(Observation::Present(body)) => {
            let word = word_of(body, kind.field.name);
            format!(
                "it is {}",
                word.unwrap_or_else(|| "without a status".to_owned())
            )
        }
        Some(Observation::Gone) => "it does not exist".to_owned(),
        None => "its state could not be seen".to_owned(),
    }
}

/// An error as one line.
#[must_use]
pub fn line(error: &Error) -> String {
    failure::chain(error)
}
