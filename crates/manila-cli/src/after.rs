//! Once a wait is over: how each ended, and why.

use std::cell::Cell;
use std::time::Duration;

use jiff::Timestamp;
use os_identity::Error;
use poll_core::{Deadline, Fault};
use wait_cli::run::Stage;
use wait_cli::{Exit, failure};

use crate::client::{Body, Client};
use crate::ended::Ended;
use crate::goal::Goal;
use crate::messages;
use crate::resume::Resume;
use crate::version::Microversion;

/// What the last look at the deadline, the causes and the rest of the result may take together behind it.
const AFTER_DEADLINE: Duration = Duration::from_millis(400);

/// What may still be asked for once the wait is over.
pub struct After<'a, 's> {
    client: &'a Client<'s>,
    /// Until when. `None`: there is no bound.
    ends_at: Option<Duration>,
    /// When the change was sent, by the service's own clock: older messages say nothing of it.
    pub since: Option<Timestamp>,
    /// It was said that something could not be had.
    noted: Cell<bool>,
}

impl<'a, 's> After<'a, 's> {
    /// From now on what is left of the deadline counts, and a little behind it. A wait that looks once has the time of a
    /// request instead, as its sign-in had.
    pub fn begin(client: &'a Client<'s>, deadline: Deadline, stage: &Stage<'_>) -> Self {
        let ends_at = match deadline {
            Deadline::Never => None,
            Deadline::At(_) if stage.timing.looks_once() => {
                Some(stage.began.saturating_add(stage.timing.request_timeout))
            }
            Deadline::At(point) => Some(point.saturating_add(AFTER_DEADLINE)),
        };
        if let Some(ends_at) = ends_at.filter(|_| deadline.has_come(stage.clock.now())) {
            client.session().set_deadline(Deadline::At(ends_at));
        }
        Self {
            client,
            ends_at,
            since: None,
            noted: Cell::new(false),
        }
    }

    /// The rows of a list, if they can be had in time. If not, that is said, once for all of them; `what` begins it.
    pub fn rows(
        &self,
        stage: &Stage<'_>,
        what: &str,
        ask: impl FnOnce(&Client<'_>, Option<Duration>) -> Result<Vec<Body>, Fault<Error>>,
    ) -> Option<Vec<Body>> {
        let left = self
            .ends_at
            .map(|ends| ends.saturating_sub(stage.clock.now()));
        let why = if left == Some(Duration::ZERO) {
            "no time was left".to_owned()
        } else {
            match ask(self.client, left) {
                Ok(rows) => return Some(rows),
                Err(fault) => failure::chain(fault.error()),
            }
        };
        if !self.noted.replace(true) {
            stage.reporter.note(&format!("{what}: {why}"));
        }
        None
    }

    /// The microversion that is spoken.
    pub fn version(&self) -> Microversion {
        self.client.version()
    }
}

/// Says how each ended, and why.
pub fn tell(
    goal: &Goal,
    ends: &[Ended],
    after: &After<'_, '_>,
    resume: &Resume,
    stage: &Stage<'_>,
) {
    let left: Vec<String> = ends
        .iter()
        .filter(|end| end.goes_on)
        .map(|end| {
            end.target
                .id
                .clone()
                .unwrap_or_else(|| end.target.asked.clone())
        })
        .collect();
    let missing = ends.iter().any(|end| end.goes_on && end.body.is_none());
    let last_that_goes_on = ends.iter().rposition(|end| end.goes_on);
    for (index, end) in ends.iter().enumerate() {
        let causes = if end.has_cause {
            causes(end, after, stage)
        } else {
            Vec::new()
        };
        stage.reporter.result(end.line(goal, &causes));
        if end.exit == Exit::Reached {
            if let (Some(message), true) = (&end.message, end.note) {
                stage.reporter.note(message);
            }
            continue;
        }
        let hint = (Some(index) == last_that_goes_on).then(|| {
            format!(
                "go on waiting with: {}",
                resume.command(stage, &left, missing)
            )
        });
        stage.reporter.failure(&end.failure(&causes, hint));
    }
}

/// The service's own words on a failure. That they cannot be had changes nothing but is said once.
fn causes(end: &Ended, after: &After<'_, '_>, stage: &Stage<'_>) -> Vec<String> {
    let Some(id) = end
        .target
        .id
        .as_ref()
        .filter(|_| after.version() >= messages::SINCE)
    else {
        return Vec::new();
    };
    let messages = after.rows(stage, "the cause is not known", |client, left| {
        messages::of(client, id, left)
    });
    messages.map_or_else(Vec::new, |messages| {
        messages::causes(&messages::since(messages, after.since), id)
    })
}
