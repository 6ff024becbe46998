//! What a cancelled action may end in.

use std::time::Duration;

use poll_core::{Attempt, Judge, Observation, Verdict};

use crate::goal::{Look, Why};
use crate::model::Stack;
use crate::status::{Action, Progress, Status};

/// Whether this end is the doing of a cancel: "Stack UPDATE cancelled" (heat/engine/stack.py).
pub(crate) fn is_cancelled(status: Status, reason: &str) -> bool {
    status.progress == Progress::Failed && reason.to_ascii_lowercase().contains("cancelled")
}

/// Judges the end of an action that was cancelled.
pub(crate) struct CancelJudge {
    rollback: bool,
    settle: Duration,
    /// Since when a failure stands that a rollback may follow.
    failed_at: Option<Duration>,
}

impl CancelJudge {
    /// With or without a rollback.
    pub(crate) fn new(rollback: bool, settle: Duration) -> Self {
        Self {
            rollback,
            settle,
            failed_at: None,
        }
    }

    fn present(&mut self, stack: &Stack, at: &Attempt) -> Verdict<Why> {
        let Some(status) = stack.status().filter(|status| !status.runs()) else {
            self.failed_at = None;
            return Verdict::Pending { again: None };
        };
        let why = |text: String| Why {
            status: stack.status_text().to_owned(),
            text,
            missing: false,
        };
        let reason = stack.reason();
        match (status.action, status.progress) {
            (Some(Action::Rollback), Progress::Complete) if self.rollback => {
                Verdict::Reached(why(String::new()))
            }
            (Some(Action::Rollback), Progress::Complete) => {
                Verdict::Failed(why("it was rolled back, which was not asked for".to_owned()))
            }
            (Some(Action::Rollback), _) => {
                Verdict::Failed(why(format!("neither definition is in place: {reason}")))
            }
            (_, Progress::Failed) if !self.rollback && is_cancelled(status, reason) => {
                Verdict::Reached(why(reason.to_owned()))
            }
            (Some(Action::Create | Action::Update), Progress::Failed) => {
                let since = *self.failed_at.get_or_insert(at.elapsed);
                let waited = at.elapsed.saturating_sub(since);
                // The rollback begins after the failure is written.
                if (self.rollback || stack.rolls_back() == Some(true)) && waited < self.settle {
                    return Verdict::Pending {
                        again: Some(self.settle.saturating_sub(waited)),
                    };
                }
                if is_cancelled(status, reason) {
                    return Verdict::Failed(why(format!("no rollback has begun: {reason}")));
                }
                Verdict::Failed(why(format!("it failed, but not for the cancel: {reason}")))
            }
            (Some(Action::Create | Action::Update), _) => {
                Verdict::Failed(why("the cancel came too late".to_owned()))
            }
            _ => Verdict::Failed(why(format!("another action has taken over: {reason}"))),
        }
    }
}

impl Judge<Look> for CancelJudge {
    type Why = Why;

    fn judge(&mut self, seen: &Observation<Look>, at: &Attempt) -> Verdict<Why> {
        match seen {
            Observation::Present(look) => self.present(&look.stack, at),
            Observation::Gone => Verdict::Failed(Why {
                status: String::new(),
                text: "it vanished".to_owned(),
                missing: false,
            }),
        }
    }
}
