//! The answer to a change was lost: looks for proof of what became of it.

use std::time::Duration;

use os_identity::Error;
use poll_core::{Attempt, Deadline, Fault, Judge, Observation, Outcome, Verdict};
use wait_cli::progress::Watched;
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure, engine, failure};

/// How long proof is looked for: a stack can appear after the 504 of a proxy.
pub(crate) const SEARCH: Duration = Duration::from_secs(2 * 60);

/// What one look brings.
pub(crate) enum Looked<T> {
    /// It was taken.
    Proof(T),
    /// Nothing shows it; what was seen instead.
    Nothing(String),
}

/// What is said of an answer that is lost.
pub(crate) fn said(error: &Error) -> String {
    format!(
        "the answer to the request was lost ({})",
        failure::chain(error)
    )
}

/// Looks for proof, for two minutes and never past the deadline.
///
/// # Errors
/// [`Exit::Unknown`], with what was seen: there is no proof.
pub(crate) fn prove<T>(
    stage: &Stage<'_>,
    deadline: Deadline,
    label: &str,
    why: &str,
    look: &mut dyn FnMut(Option<Duration>) -> Result<Looked<T>, Fault<Error>>,
) -> Result<T, Failure> {
    let mut found = None;
    let searched = search(stage, deadline, label, why, &mut |left| {
        Ok(match look(left)? {
            Looked::Proof(proof) => {
                found = Some(proof);
                Seen::Proof
            }
            Looked::Nothing(instead) => Seen::Nothing(instead),
        })
    });
    found.ok_or_else(|| {
        let seen = searched.unwrap_or_else(|| "nothing was seen".to_owned());
        Failure::new(
            Exit::Unknown,
            format!("{label}: nobody knows whether the request was taken: {seen}"),
        )
    })
}

/// [`Looked`] without the proof, so that the engine is compiled once.
enum Seen {
    Proof,
    Nothing(String),
}

/// Looks until there is proof; what was seen last where there is none.
fn search(
    stage: &Stage<'_>,
    deadline: Deadline,
    label: &str,
    why: &str,
    look: &mut dyn FnMut(Option<Duration>) -> Result<Seen, Fault<Error>>,
) -> Option<String> {
    stage
        .reporter
        .note(&format!("{label}: {why}; looking for what became of it"));
    stage.reporter.watching(vec![Watched {
        label: label.to_owned(),
        name: label.to_owned(),
        status: String::new(),
        done: false,
    }]);
    let now = stage.clock.now();
    let until = match deadline {
        Deadline::At(point) => point.min(now.saturating_add(SEARCH)),
        Deadline::Never => now.saturating_add(SEARCH),
    };
    let policy = stage.timing.policy(Deadline::At(until), stage.seed);
    let labels = [label.to_owned()];
    let finished = poll_core::wait(
        &policy,
        stage.clock,
        &mut Proof,
        &mut |at| look(at.budget).map(Observation::Present),
        &mut |event| engine::report(stage.reporter, &labels, &event),
    );
    stage.reporter.waited();
    match finished.outcome {
        Outcome::TimedOut(_, Some(error)) | Outcome::GaveUp(error, _) => {
            Some(failure::chain(&error))
        }
        Outcome::TimedOut(Some(Observation::Present(Seen::Nothing(seen))), None) => Some(seen),
        _ => None,
    }
}

struct Proof;

impl Judge<Seen> for Proof {
    type Why = ();

    fn judge(&mut self, seen: &Observation<Seen>, _: &Attempt) -> Verdict<()> {
        match seen {
            Observation::Present(Seen::Proof) => Verdict::Reached(()),
            _ => Verdict::Pending { again: None },
        }
    }
}
