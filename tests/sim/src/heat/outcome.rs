//! What a request that changes a stack leads to, as a time line.

use std::time::Duration;

use super::{Stack, errors};
use crate::response::Response;

/// What a request that changes a stack leads to.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// `ACTION_IN_PROGRESS` at once, `ACTION_COMPLETE` after this time.
    Complete(Duration),
    /// `ACTION_FAILED` after this time, for this reason.
    Fail(Duration, String),
    /// `ACTION_FAILED` and in the same second `ROLLBACK_IN_PROGRESS` after the first time, `ROLLBACK_COMPLETE` after the second.
    RollBack(Duration, Duration, String),
    /// The same, ending in `ROLLBACK_FAILED`.
    RollBackFails(Duration, Duration, String),
    /// `ACTION_IN_PROGRESS` for good: a dead engine.
    Stay,
    /// The request is accepted and nothing whatever happens.
    Nothing,
    /// The time line of this stack, counted from the request.
    Like(Box<Stack>),
    /// The outcome begins only after a while: a queue in the engine.
    Later(Duration, Box<Outcome>),
    /// The request is answered like this and nothing happens.
    Answer(Response),
}

impl Outcome {
    /// A refusal in Heat's words: `refused(409, "ActionInProgress", "Stack tarn already has an action (UPDATE) in progress.")`.
    #[must_use]
    pub fn refused(status: u16, kind: &str, message: &str) -> Self {
        Self::Answer(errors::fault(status, kind, message))
    }

    /// The 403 without any message that an application credential gets that may make no trusts.
    #[must_use]
    pub fn mute_forbidden() -> Self {
        Self::Answer(errors::mute(403, "Forbidden"))
    }

    /// The time line of an action (`UPDATE`) over these resources.
    pub(crate) fn steps(
        &self,
        action: &str,
        resources: &[(String, String, Option<String>)],
        begin: Duration,
    ) -> Stack {
        let title = |word: &str| format!("Stack {action} {word}");
        let begun = || {
            let mut stack =
                Stack::default().own(begin, &format!("{action}_IN_PROGRESS"), &title("started"));
            for (name, kind, physical) in resources {
                stack.push(
                    begin,
                    Some(name),
                    kind,
                    physical.clone(),
                    &format!("{action}_IN_PROGRESS"),
                    "state changed",
                );
            }
            stack
        };
        let failed = |fails: Duration, ends: Duration, reason: &str, word: &str, how: &str| {
            begun()
                .own(begin + fails, &format!("{action}_FAILED"), reason)
                .own(
                    begin + fails,
                    "ROLLBACK_IN_PROGRESS",
                    "Stack ROLLBACK started",
                )
                .own(begin + ends, word, how)
        };
        match self {
            Self::Complete(after) => {
                let mut stack = begun();
                for (name, kind, physical) in resources {
                    stack.push(
                        begin + *after,
                        Some(name),
                        kind,
                        physical.clone(),
                        &format!("{action}_COMPLETE"),
                        "state changed",
                    );
                }
                let mut stack = stack.own(
                    begin + *after,
                    &format!("{action}_COMPLETE"),
                    &title("completed successfully"),
                );
                if action == "DELETE" {
                    // Heat shows the end of a delete 2 to 3 s before the stack is gone.
                    stack.gone = Some(begin + *after + Duration::from_secs(3));
                }
                stack
            }
            Self::Fail(after, reason) => {
                begun().own(begin + *after, &format!("{action}_FAILED"), reason)
            }
            Self::RollBack(fails, ends, reason) => failed(
                *fails,
                *ends,
                reason,
                "ROLLBACK_COMPLETE",
                "Stack ROLLBACK completed successfully",
            ),
            Self::RollBackFails(fails, ends, reason) => failed(
                *fails,
                *ends,
                reason,
                "ROLLBACK_FAILED",
                "Resource UPDATE failed: boom",
            ),
            Self::Stay => begun(),
            Self::Nothing | Self::Answer(_) => Stack::default(),
            Self::Like(stack) => {
                let mut stack = stack.as_ref().clone();
                stack.shift(begin);
                stack
            }
            Self::Later(wait, then) => then.steps(action, resources, begin + *wait),
        }
    }
}
