//! What is waited for, and what a status means for it: one table, pure.

use std::time::Duration;

use poll_core::{Attempt, Judge, Observation, Verdict};
use serde_json::Value;

use crate::model::Stack;
use crate::status::{Action, Progress, Status};

/// What is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The end of the action that runs, or the verdict of the last one.
    End,
    /// The end of this action.
    Action(Action),
    /// Exactly this status.
    Status(Status),
    /// That the stack is gone.
    Deleted,
}

impl Goal {
    /// Reads `complete`, `deleted`, an action or a status, in any case.
    ///
    /// # Errors
    /// Says what there is, when the text is none of them.
    pub fn parse(text: &str) -> Result<Self, String> {
        let word = text.trim();
        if word.eq_ignore_ascii_case("complete") {
            return Ok(Self::End);
        }
        if word.eq_ignore_ascii_case("deleted") {
            return Ok(Self::Deleted);
        }
        if let Some(action) = Action::parse(word) {
            return Ok(Self::Action(action));
        }
        match Status::parse(word) {
            Some(status) if status.action.is_some() => Ok(Self::Status(status)),
            _ => {
                let actions: Vec<_> = Action::ALL
                    .iter()
                    .map(|action| action.word().to_lowercase())
                    .collect();
                Err(format!(
                    "'{text}' is nothing to wait for: choose complete, deleted, an action ({}) or a status such as UPDATE_COMPLETE",
                    actions.join(", ")
                ))
            }
        }
    }

    /// The word that [`Goal::parse`] reads back.
    #[must_use]
    pub fn word(self) -> String {
        match self {
            Self::End => "complete".to_owned(),
            Self::Deleted => "deleted".to_owned(),
            Self::Action(action) => action.word().to_lowercase(),
            Self::Status(status) => status.to_string(),
        }
    }
}

/// What one look at a stack brings.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// The stack.
    pub stack: Stack,
    /// An own event of the stack was seen that is newer than the baseline (and, for the goal of an action, is its own).
    pub fresh: bool,
    /// An own event of the stack said that the action of the goal has begun.
    pub begun: bool,
    /// The reason of the first failure among the events seen.
    pub first_reason: Option<String>,
    /// What the goal asks for has ended, says an event, whatever the stack does by now.
    pub ended: Option<OwnEnd>,
}

/// An end that an own event of the stack told of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnEnd {
    /// The status as it was understood.
    pub status: Status,
    /// The same as Heat wrote it.
    pub text: String,
    /// Why, or nothing.
    pub reason: String,
}

impl Goal {
    /// Whether this status of the stack itself is the beginning of the action that is waited for.
    #[must_use]
    pub fn begins_with(self, status: Status) -> bool {
        let action = match self {
            Self::Action(action) => action,
            Self::Deleted => Action::Delete,
            Self::End | Self::Status(_) => return false,
        };
        status == Status::new(action, Progress::InProgress)
    }

    /// Whether this status of the stack itself is what was waited for, so that it counts even when another action has
    /// begun before anybody looked.
    #[must_use]
    pub fn ends_with(self, status: Status) -> bool {
        match self {
            Self::Action(action) => status.action == Some(action) && !status.runs(),
            Self::Status(wanted) => status == wanted,
            Self::End | Self::Deleted => false,
        }
    }
}

/// What explains an end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Why {
    /// The status that ended the wait, as Heat wrote it; empty: the stack is gone.
    pub status: String,
    /// One fragment for people; empty: the status says it all.
    pub text: String,
    /// It was never there.
    pub missing: bool,
}

/// A condition on a field of the stack that must hold at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The key in the stack's object.
    pub field: String,
    /// Its value as text.
    pub value: String,
}

impl Condition {
    /// Reads `FIELD=VALUE`.
    ///
    /// # Errors
    /// Says what is expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((field, value)) if !field.trim().is_empty() => Ok(Self {
                field: field.trim().to_owned(),
                value: value.to_owned(),
            }),
            _ => Err(format!("'{text}' is no condition: write FIELD=VALUE")),
        }
    }

    /// What is wrong, if it does not hold.
    fn broken(&self, stack: Option<&Stack>) -> Option<String> {
        let seen = match stack.map(|stack| stack.raw().get(&self.field)) {
            Some(Some(Value::String(text))) => text.clone(),
            Some(Some(value)) => value.to_string(),
            Some(None) => {
                return Some(format!(
                    "it has no field {}, {} was asked for",
                    self.field, self.value
                ));
            }
            None => {
                return Some(format!(
                    "it is gone, {}={} was asked for",
                    self.field, self.value
                ));
            }
        };
        // Python clients print booleans and null with a capital.
        let same = seen == self.value
            || (seen.eq_ignore_ascii_case(&self.value) && matches!(&*seen, "true" | "false"));
        (!same).then(|| format!("{} is {seen}, {} was asked for", self.field, self.value))
    }
}

/// Judges one stack.
#[derive(Debug, Clone)]
pub struct StackJudge {
    goal: Goal,
    conditions: Vec<Condition>,
    /// How long a failure waits for its rollback to begin.
    settle: Duration,
    /// The action seen last.
    action: Option<Action>,
    /// Since when a failure stands that a rollback may follow.
    failed_at: Option<Duration>,
    first_reason: Option<String>,
}

impl StackJudge {
    /// A judge of `goal`.
    #[must_use]
    pub fn new(goal: Goal, conditions: Vec<Condition>, settle: Duration) -> Self {
        Self {
            goal,
            conditions,
            settle,
            action: None,
            failed_at: None,
            first_reason: None,
        }
    }

    fn gone(&self) -> Verdict<Why> {
        let why = |text: &str| Why {
            status: String::new(),
            text: text.to_owned(),
            missing: false,
        };
        match self.goal {
            Goal::Deleted | Goal::Action(Action::Delete) => Verdict::Reached(why("it is gone")),
            Goal::Status(Status {
                action: Some(Action::Delete),
                progress: Progress::Complete,
            }) => Verdict::Reached(why("it is gone")),
            Goal::End if self.action == Some(Action::Delete) => Verdict::Reached(why("it is gone")),
            _ if self.action == Some(Action::Delete) => Verdict::Failed(why("it was deleted")),
            _ => Verdict::Failed(why("it vanished")),
        }
    }

    fn present(&mut self, look: &Look, at: &Attempt) -> Verdict<Why> {
        let Some(status) = look.stack.status() else {
            return PENDING;
        };
        self.action = status.action;
        if self.first_reason.is_none() {
            self.first_reason.clone_from(&look.first_reason);
        }
        if status.progress == Progress::Failed && self.first_reason.is_none() {
            self.first_reason = Some(look.stack.reason().to_owned());
        }
        let deleted = status == Status::new(Action::Delete, Progress::Complete);
        if deleted && !look.stack.is_deleted() {
            return PENDING;
        }
        if deleted && !matches!(self.goal, Goal::End) {
            return self.gone();
        }
        if let Some(end) = &look.ended {
            let overtaken = match self.goal {
                // A rollback is part of what failed: its own end is waited for.
                Goal::Action(_) => {
                    status.action != end.status.action && status.action != Some(Action::Rollback)
                }
                _ => status != end.status,
            };
            if overtaken {
                return self.meanwhile(end);
            }
        }
        let ends_well = match self.goal {
            Goal::Status(wanted) if wanted == status => true,
            _ if status.runs() => {
                self.failed_at = None;
                return PENDING;
            }
            Goal::Status(_) => false,
            Goal::End => {
                status.progress == Progress::Complete && status.action != Some(Action::Rollback)
            }
            Goal::Deleted => match status.action {
                Some(Action::Delete) => false,
                // Whoever is to delete it has not begun.
                _ => return PENDING,
            },
            Goal::Action(wanted) if status.action == Some(wanted) => {
                status.progress == Progress::Complete
            }
            Goal::Action(wanted) => match (wanted, status.action) {
                // What has gone through a later action has been created.
                (Action::Create | Action::Adopt, Some(Action::Rollback | Action::Delete)) => false,
                (Action::Create | Action::Adopt, _) => true,
                (Action::Update | Action::Restore, Some(Action::Rollback)) => false,
                // Another action's end says nothing of this one.
                _ => return PENDING,
            },
        };
        if !ends_well
            && status.progress == Progress::Failed
            && self.awaits_rollback(&look.stack, status)
        {
            let since = *self.failed_at.get_or_insert(at.elapsed);
            let waited = at.elapsed.saturating_sub(since);
            if waited < self.settle {
                return Verdict::Pending {
                    again: Some(self.settle - waited),
                };
            }
        }
        let why = Why {
            status: look.stack.status_text().to_owned(),
            text: self.explain(status, ends_well, &look.stack),
            missing: false,
        };
        if ends_well {
            Verdict::Reached(why)
        } else {
            Verdict::Failed(why)
        }
    }

    /// The verdict of an end after which something else has begun.
    fn meanwhile(&self, end: &OwnEnd) -> Verdict<Why> {
        let why = |text: &str| Why {
            status: end.text.clone(),
            text: text.to_owned(),
            missing: false,
        };
        // A status was asked for as such, also where it is a failure.
        if end.status.progress == Progress::Failed && matches!(self.goal, Goal::Action(_)) {
            Verdict::Failed(why(&end.reason))
        } else {
            Verdict::Reached(why(""))
        }
    }

    /// Heat writes CREATE_FAILED or UPDATE_FAILED and then ROLLBACK_IN_PROGRESS.
    fn awaits_rollback(&self, stack: &Stack, status: Status) -> bool {
        stack.rolls_back() == Some(true)
            && matches!(status.action, Some(Action::Create | Action::Update))
    }

    fn explain(&self, status: Status, ends_well: bool, stack: &Stack) -> String {
        if ends_well {
            return String::new();
        }
        let first = self.first_reason.as_deref().unwrap_or_default();
        match status {
            Status {
                action: Some(Action::Rollback),
                progress: Progress::Complete,
            } if first.is_empty() => "rolled back".to_owned(),
            Status {
                action: Some(Action::Rollback),
                progress: Progress::Complete,
            } => format!("rolled back: {first}"),
            Status {
                action: Some(Action::Rollback),
                progress: Progress::Failed,
            } => {
                format!(
                    "neither definition is in place: {}; first: {first}",
                    stack.reason()
                )
            }
            _ => stack.reason().to_owned(),
        }
    }
}

const PENDING: Verdict<Why> = Verdict::Pending { again: None };

impl Judge<Look> for StackJudge {
    type Why = Why;

    fn judge(&mut self, seen: &Observation<Look>, at: &Attempt) -> Verdict<Why> {
        let (verdict, stack) = match seen {
            Observation::Gone => (self.gone(), None),
            Observation::Present(look) => (self.present(look, at), Some(&look.stack)),
        };
        match verdict {
            Verdict::Reached(why) => match self
                .conditions
                .iter()
                .find_map(|condition| condition.broken(stack))
            {
                Some(text) => Verdict::Failed(Why { text, ..why }),
                None => Verdict::Reached(why),
            },
            verdict => verdict,
        }
    }
}

/// Waits for what does not exist yet, for `limit`; what never was there is not what vanished.
#[derive(Debug, Clone)]
pub struct Appearing<J> {
    inner: J,
    limit: Duration,
    there: bool,
}

impl<J> Appearing<J> {
    /// Wraps `inner`, which hears of nothing until the resource was seen. `there`: it was seen already.
    pub fn new(inner: J, limit: Duration, there: bool) -> Self {
        Self {
            inner,
            limit,
            there,
        }
    }
}

impl<J: Judge<Look, Why = Why>> Judge<Look> for Appearing<J> {
    type Why = Why;

    fn judge(&mut self, seen: &Observation<Look>, at: &Attempt) -> Verdict<Why> {
        self.there = self.there || matches!(seen, Observation::Present(_));
        if self.there {
            return self.inner.judge(seen, at);
        }
        if at.elapsed < self.limit && !at.last {
            return Verdict::Pending {
                again: Some(self.limit - at.elapsed),
            };
        }
        Verdict::Failed(Why {
            status: String::new(),
            text: "there is no such stack".to_owned(),
            missing: true,
        })
    }
}

#[cfg(test)]
mod tests;
