//! A change whose answer was lost: was it taken?
//!
//! An action on something that exists is proved by its state leaving the baseline. A creation is not: names are not
//! unique. Then what has appeared since is named.

use std::time::Duration;

use os_identity::Error;
use poll_core::{
    Attempt, Deadline, Fault, GoneTwice, Judge, Observation, Outcome, Policy, Verdict,
};
use serde_json::Value;
use wait_cli::progress::Watched;
use wait_cli::{Exit, Failure, engine, time};

use crate::client::Body;
use crate::kind::ACCESS;
use crate::lookup::id_of;
use crate::operation::{Change, On};
use crate::send::{Parcel, Sender, line, state_of};

/// So long proof is looked for.
const LOOKED_FOR: Duration = Duration::from_secs(120);

/// How long what is missing is left alone before it is believed to be gone.
const GONE_GAP: Duration = Duration::from_millis(500);

/// Fields that leave the baseline when something happens to a resource.
const MOVING: [&str; 9] = [
    "status",
    "state",
    "size",
    "task_state",
    "replica_state",
    "is_soft_deleted",
    "host",
    "updated_at",
    "share_server_id",
];

/// A change whose answer was lost.
pub struct Lost<'l, 'a, 's> {
    /// What it was sent with.
    pub sender: &'l Sender<'a, 's>,
    /// The change.
    pub parcel: &'l Parcel<'l>,
    /// What came instead of the answer.
    pub error: &'l Error,
}

/// Whether a resource has left its baseline. What a service does to all shares by itself (`ensuring`), and a transfer
/// that waits for another project, prove nothing.
#[must_use]
pub fn has_moved(before: &Body, now: &Body) -> bool {
    let by_itself = |word: &str| matches!(word, "ensuring" | "awaiting_transfer");
    if now
        .get("status")
        .and_then(Value::as_str)
        .is_some_and(by_itself)
    {
        return false;
    }
    MOVING
        .iter()
        .any(|field| now.contains_key(*field) && before.get(*field) != now.get(*field))
}

/// Looks for proof that it was taken.
///
/// # Errors
/// There is none: what is known then.
pub fn find(lost: &Lost<'_, '_, '_>) -> Result<(), Failure> {
    let Lost {
        sender,
        parcel,
        error,
    } = lost;
    let reporter = sender.stage.reporter;
    reporter.note(&format!(
        "{}: the answer to the request was lost: {}; looking whether it was taken",
        parcel.label,
        line(error)
    ));
    reporter.watching(vec![Watched {
        label: parcel.label.to_owned(),
        name: parcel.label.to_owned(),
        status: String::new(),
        done: false,
    }]);
    let found = match &parcel.change.on {
        On::Old(before) => lost.existing(before),
        On::New(fields, query) => Err(lost.created(fields, query)),
    };
    reporter.waited();
    found
}

impl Lost<'_, '_, '_> {
    fn policy(&self) -> Policy {
        let stage = self.sender.stage;
        let ends = Deadline::after(stage.clock.now(), LOOKED_FOR);
        let deadline = match (ends, self.sender.deadline) {
            (Deadline::At(ends), Deadline::At(point)) if !stage.timing.looks_once() => {
                Deadline::At(ends.min(point))
            }
            (ends, _) => ends,
        };
        stage.timing.policy(deadline, stage.seed)
    }

    fn wait<J: Judge<Vec<Body>, Why = ()>>(
        &self,
        mut judge: J,
        look: &mut dyn FnMut(Option<Duration>) -> Result<Option<Vec<Body>>, Fault<Error>>,
    ) -> Outcome<Vec<Body>, (), Error> {
        let labels = [self.parcel.label.to_owned()];
        poll_core::wait(
            &self.policy(),
            self.sender.stage.clock,
            &mut judge,
            &mut |at| Ok(look(at.budget)?.map_or(Observation::Gone, Observation::Present)),
            &mut |event| engine::report(self.sender.stage.reporter, &labels, &event),
        )
        .outcome
    }

    fn existing(&self, before: &Body) -> Result<(), Failure> {
        let change: &Change = self.parcel.change;
        let id = id_of(before);
        let judge = GoneTwice::new(
            Moved {
                before,
                removes: change.removes(),
            },
            GONE_GAP,
        );
        let outcome = self.wait(judge, &mut |left| {
            Ok(self.sender.look(change, &id, left)?.map(|body| vec![body]))
        });
        let one = |seen: Observation<Vec<Body>>| match seen {
            Observation::Present(mut bodies) => bodies.pop().map(Observation::Present),
            Observation::Gone => Some(Observation::Gone),
        };
        let (is_proved, seen) = match outcome {
            Outcome::Reached(seen, ()) => (true, one(seen)),
            Outcome::Failed(seen, ()) => (false, one(seen)),
            Outcome::TimedOut(seen, _) | Outcome::GaveUp(_, seen) | Outcome::Left(seen) => {
                (false, seen.and_then(one))
            }
        };
        let state = state_of(change.goal.kind, seen.as_ref());
        if is_proved {
            self.sender.stage.reporter.note(&format!(
                "{}: {state}: the request was taken",
                self.parcel.label
            ));
            return Ok(());
        }
        Err(
            Failure::new(Exit::Unknown, format!("{}; {state}", self.unknown()))
                .hint(format!("go on waiting with: {}", (self.parcel.resume)(&id))),
        )
    }

    fn unknown(&self) -> String {
        format!(
            "{}: it is not known whether the request was taken: {}",
            self.parcel.label,
            line(self.error)
        )
    }

    /// Names what may be the new one.
    fn created(&self, fields: &[(&'static str, Value)], query: &str) -> Failure {
        let change: &Change = self.parcel.change;
        let kind = change.goal.kind;
        let since = self.sender.client.service_time();
        let is_it = |body: &Body| {
            let same = |(field, wanted): &(&str, Value)| match body.get(*field) {
                Some(Value::String(is)) if is.is_empty() => wanted.is_null(),
                Some(is) => is == wanted,
                None => true,
            };
            let created = body
                .get("created_at")
                .and_then(Value::as_str)
                .and_then(time::parse);
            let is_new = since
                .zip(created)
                .is_none_or(|(since, created)| created.as_second() >= since.as_second());
            is_new && fields.iter().all(same)
        };
        let outcome = self.wait(Any, &mut |left| {
            let client = self.sender.client;
            let found = match &change.share {
                Some(share) if *kind == ACCESS => {
                    client.rules(share, query, left)?.unwrap_or_default()
                }
                _ => client.page(kind, query, 0, left)?,
            };
            Ok(Some(found.into_iter().filter(is_it).collect()))
        });
        let unknown = self.unknown();
        let Outcome::Reached(Observation::Present(found), ()) = outcome else {
            return Failure::new(
                Exit::Unknown,
                format!("{unknown}; nothing like it has appeared since"),
            );
        };
        let shown: Vec<String> = found
            .iter()
            .map(|body| {
                let state = state_of(kind, Some(&Observation::Present(body.clone())));
                format!("{} ({state})", id_of(body))
            })
            .collect();
        let first = found.first().map(id_of).unwrap_or_default();
        Failure::new(
            Exit::Unknown,
            format!(
                "{unknown}; created since then, and perhaps by it: {}",
                shown.join(", ")
            ),
        )
        .hint(format!(
            "if it is that one, go on waiting with: {}",
            (self.parcel.resume)(&first)
        ))
    }
}

/// Reached once the resource has left its baseline, or is gone where that is wanted.
struct Moved<'b> {
    before: &'b Body,
    removes: bool,
}

impl Judge<Vec<Body>> for Moved<'_> {
    type Why = ();
    fn judge(&mut self, seen: &Observation<Vec<Body>>, _: &Attempt) -> Verdict<()> {
        match seen {
            Observation::Gone if self.removes => Verdict::Reached(()),
            Observation::Gone => Verdict::Failed(()),
            Observation::Present(bodies)
                if bodies.iter().any(|now| has_moved(self.before, now)) =>
            {
                Verdict::Reached(())
            }
            Observation::Present(_) => Verdict::Pending { again: None },
        }
    }
}

/// Reached once there is something.
struct Any;

impl Judge<Vec<Body>> for Any {
    type Why = ();
    fn judge(&mut self, seen: &Observation<Vec<Body>>, _: &Attempt) -> Verdict<()> {
        match seen {
            Observation::Present(found) if !found.is_empty() => Verdict::Reached(()),
            _ => Verdict::Pending { again: None },
        }
    }
}
