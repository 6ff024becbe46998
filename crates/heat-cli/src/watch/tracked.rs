//! What is known of one stack that is waited for.

use crate::events::Trail;
use crate::goal::{Goal, Look, OwnEnd};
use crate::model::{Event, Stack, StackRef};
use crate::paths::Paths;
use crate::resolve::Resolved;
use crate::status::{Action, Progress, Status};

/// One stack that is waited for.
pub struct Tracked {
    /// What was typed.
    pub(super) name: String,
    /// Where it is. `None`: it was not found yet.
    pub(super) stack: Option<StackRef>,
    /// As it was seen last.
    pub(super) last: Option<Stack>,
    /// As a list showed it last.
    pub(super) listed: Option<Stack>,
    /// `last` is as new as this round: no request is needed.
    pub(super) just_seen: bool,
    pub(super) trail: Option<Box<Trail>>,
    pub(super) paths: Option<Box<Paths>>,
    pub(super) nested_depth: u32,
    pub(super) quiet_rounds: u32,
    pub(super) fresh: bool,
    /// The action of the goal has begun, says an event.
    pub(super) begun: bool,
    /// It is DELETE_COMPLETE, says its own event. Until it is gone it is shown for some seconds.
    pub(super) deleted: bool,
    pub(super) first_reason: Option<String>,
    pub(super) ended: Option<OwnEnd>,
    /// The baseline that was handed in, until the server has answered to it.
    pub(super) since: Option<String>,
    /// It was said that events cannot be read.
    pub(super) complained: bool,
}

impl Tracked {
    /// What `name` stands for, as it was looked up a moment ago. `since`: the id of the event that is the baseline.
    #[must_use]
    pub fn new(
        name: &str,
        found: Option<Resolved>,
        since: Option<&str>,
        nested_depth: u32,
    ) -> Self {
        let mut tracked = Self {
            name: name.to_owned(),
            stack: None,
            last: None,
            listed: None,
            just_seen: false,
            trail: since.map(|id| Box::new(Trail::after_id(id, nested_depth))),
            paths: None,
            nested_depth,
            quiet_rounds: 0,
            fresh: false,
            begun: false,
            deleted: false,
            first_reason: None,
            ended: None,
            since: since.map(str::to_owned),
            complained: false,
        };
        if let Some(found) = found {
            tracked.found(found);
        }
        tracked
    }

    /// The same, of a stack whose first event belongs to the operation: nobody need ask where that began.
    #[must_use]
    pub fn from_first_event(self) -> Self {
        let trail = Some(Box::new(Trail::after(None, self.nested_depth)));
        Self { trail, ..self }
    }

    pub(super) fn found(&mut self, found: Resolved) {
        self.paths = None;
        self.just_seen = found.seen.is_some();
        self.last = found.seen;
        self.stack = Some(found.stack);
    }

    /// Where it is, once it was found.
    #[must_use]
    pub fn stack(&self) -> Option<&StackRef> {
        self.stack.as_ref()
    }

    /// What was typed.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How messages call it.
    #[must_use]
    pub fn label(&self) -> String {
        self.stack
            .as_ref()
            .map_or_else(|| format!("stack {}", self.name), StackRef::label)
    }

    /// The newest event that is known, by id.
    #[must_use]
    pub fn newest_event(&self) -> Option<&str> {
        self.trail.as_deref().and_then(Trail::newest)
    }

    /// As it was seen last.
    #[must_use]
    pub fn last(&self) -> Option<&Stack> {
        self.last.as_ref()
    }

    pub(super) fn runs(&self) -> bool {
        self.last
            .as_ref()
            .and_then(Stack::status)
            .is_some_and(Status::runs)
    }

    pub(super) fn look(&self, stack: Stack) -> Look {
        Look {
            stack,
            fresh: self.fresh,
            begun: self.begun,
            first_reason: self.first_reason.clone(),
            ended: self.ended.clone(),
        }
    }
}

impl Tracked {
    /// Whether more may become of this state without an event: a delete shows its end before the stack is gone, and a
    /// failure may be followed by a rollback.
    pub(super) fn may_move_silently(&self) -> bool {
        self.last.as_ref().is_some_and(|last| {
            let deletes = last
                .status()
                .is_some_and(|status| status.action == Some(Action::Delete));
            has_failed(last) || (deletes && !self.runs())
        })
    }

    /// Takes over what an own event of the stack says.
    pub(super) fn own_event(&mut self, event: &Event, goal: Goal) {
        let Some(status) = event.status() else { return };
        let concerns_goal = match goal {
            Goal::Action(action) => {
                status.action == Some(action) || status.action == Some(Action::Rollback)
            }
            _ => true,
        };
        self.fresh = self.fresh || concerns_goal;
        self.deleted =
            status.action == Some(Action::Delete) && status.progress == Progress::Complete;
        if goal.begins_with(status) && !std::mem::replace(&mut self.begun, true) {
            // What ended before belonged to an earlier action.
            self.ended = None;
            self.first_reason = None;
        }
        if self.ended.is_none() && goal.ends_with(status) {
            self.ended = Some(OwnEnd {
                status,
                text: event.resource_status.clone(),
                reason: event.resource_status_reason.clone(),
            });
        }
        if status.progress == Progress::Failed && self.first_reason.is_none() {
            self.first_reason = Some(event.resource_status_reason.clone());
        }
        self.last = self
            .last
            .take()
            .map(|last| last.with_status(&event.resource_status, &event.resource_status_reason));
    }
}

pub(super) fn has_failed(stack: &Stack) -> bool {
    stack
        .status()
        .is_some_and(|status| status.progress == Progress::Failed)
}
