//! Once a wait is over: how each ended, and why.

use std::time::Duration;

use wait_cli::run::Stage;
use wait_cli::{Exit, failure};

use crate::client::Client;
use crate::ended::Ended;
use crate::goal::Goal;
use crate::messages;
use crate::resume::Resume;

/// What is left for causes and the final look at the result where the deadline has come.
pub const AFTER_DEADLINE: Duration = Duration::from_millis(400);

/// What may still be asked for once the wait is over.
pub struct After<'a, 's> {
    /// Asks.
    pub client: &'a Client<'s>,
    /// Until when. `None`: there is no bound.
    pub ends_at: Option<Duration>,
}

impl After<'_, '_> {
    /// What is left; `None` where there is no bound, an error where there is nothing left.
    pub fn left(&self, stage: &Stage<'_>) -> Result<Option<Duration>, ()> {
        match self
            .ends_at
            .map(|ends| ends.saturating_sub(stage.clock.now()))
        {
            Some(Duration::ZERO) => Err(()),
            left => Ok(left),
        }
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
        let hint = (Some(index) == last_that_goes_on)
            .then(|| format!("go on waiting with: {}", resume.command(stage, &left)));
        stage.reporter.failure(&end.failure(&causes, hint));
    }
}

/// The service's own words on a failure. That they cannot be had changes nothing but is said once.
fn causes(end: &Ended, after: &After<'_, '_>, stage: &Stage<'_>) -> Vec<String> {
    let Some(id) = end
        .target
        .id
        .as_ref()
        .filter(|_| after.client.version() >= messages::SINCE)
    else {
        return Vec::new();
    };
    let asked = match after.left(stage) {
        Ok(left) => messages::causes(after.client, id, left),
        Err(()) => {
            stage.reporter.note(&format!(
                "{}: no time was left to ask for the cause",
                end.label
            ));
            return Vec::new();
        }
    };
    asked.unwrap_or_else(|fault| {
        stage.reporter.note(&format!(
            "the cause is not known: {}",
            failure::chain(fault.error())
        ));
        Vec::new()
    })
}
