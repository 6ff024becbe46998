//! One look at one stack: by its events, by a list, or by itself.

use std::time::Duration;

use os_identity::{Error, Kind};
use poll_core::{Fault, Observation};
use wait_cli::Reporter;
use wait_cli::progress::{Line, LineKind};

use super::tracked::{Tracked, has_failed};
use super::{LookResult, time_left};
use crate::client::Client;
use crate::events::{self, Trail};
use crate::goal::Goal;
use crate::model::{Event, Stack};
use crate::paths::Paths;
use crate::resolve;
use crate::status::{Progress, Status};

/// After so many rounds without an event the stack itself is looked at.
const QUIET_ROUNDS: u32 = 2;

/// One look at one stack.
pub(super) struct Eye<'e, 'w, 's> {
    pub(super) client: &'w Client<'s>,
    pub(super) reporter: &'w Reporter<'s>,
    pub(super) goal: Goal,
    pub(super) until: Option<Duration>,
    pub(super) last_round: bool,
    pub(super) one: Option<&'e mut Tracked>,
}

enum EventsSaid {
    Gone,
    Nothing,
    Something,
}

impl Eye<'_, '_, '_> {
    pub(super) fn id(&self) -> Option<&str> {
        Some(self.one.as_ref()?.stack.as_ref()?.id.as_str())
    }

    /// A stack by itself: its events tell of progress and end, a look at the stack confirms the end.
    pub(super) fn alone(&mut self) -> LookResult {
        let Some(one) = self.one.as_deref_mut() else {
            return Ok(Observation::Gone);
        };
        let budget = time_left(self.client, self.until)?;
        if one.stack.is_none() {
            match resolve::one(self.client, &one.name, budget)? {
                Some(found) => one.found(found),
                None => return Ok(Observation::Gone),
            }
        }
        if std::mem::take(&mut one.just_seen) {
            // The look-up was this round's look; of a stack that stands still nothing more need be known.
            if one.runs() || one.trail.is_some() {
                self.fetch_events_or_complain()?;
            }
            return self.observation();
        }
        // No event follows, and none says that it is gone.
        if one.deleted {
            return self.look_by_itself();
        }
        let said = self.fetch_events_or_complain()?;
        let Some(one) = self.one.as_deref() else {
            return Ok(Observation::Gone);
        };
        let in_doubt = match said {
            EventsSaid::Gone => true,
            EventsSaid::Nothing => one.quiet_rounds >= QUIET_ROUNDS || one.may_move_silently(),
            EventsSaid::Something => !one.runs(),
        };
        // Events alone do not say that it is there: until a look has, silence would be taken for absence.
        if in_doubt || self.last_round || one.last.is_none() {
            return self.look_by_itself();
        }
        self.observation()
    }

    /// Of several stacks, one that the look-up showed a moment ago: that was this round's look.
    pub(super) fn as_looked_up(&mut self) -> LookResult {
        match self.one.as_deref().and_then(|one| one.last.clone()) {
            // A list does not say whether a rollback will follow.
            Some(last) if has_failed(&last) && last.rolls_back().is_none() => self.look_by_itself(),
            _ => self.observation(),
        }
    }

    /// A stack as a list shows it. Events are fetched only when its status changed, and a failure, which a rollback
    /// may follow, is looked at by itself: a list does not say whether there will be one.
    pub(super) fn listed(&mut self, stack: Stack) -> LookResult {
        let Some(one) = self.one.as_deref_mut() else {
            return Ok(Observation::Gone);
        };
        let changed = one
            .last
            .as_ref()
            .is_none_or(|last| *last != stack && last.status_text() != stack.status_text());
        // What has not changed is kept, and shared with what the engine knows.
        let stack = match &one.last {
            Some(last) if *last == stack => last.clone(),
            _ => stack,
        };
        one.listed = Some(stack.clone());
        // What the list says is better than no look.
        let in_time = time_left(self.client, self.until).is_ok();
        let failed = has_failed(&stack) && in_time;
        if changed && in_time {
            self.fetch_events_or_complain()?;
        }
        if failed {
            return self.look_by_itself();
        }
        if let Some(one) = self.one.as_deref_mut() {
            one.last = Some(stack);
        }
        self.observation()
    }

    /// The look at one that is listed as before, where the list is all that was known of it: what [`Eye::listed`] would find.
    pub(super) fn stands_as_listed(&self) -> Option<LookResult> {
        let one = self.one.as_deref()?;
        let listed = one.listed.as_ref()?;
        (one.last.as_ref() == Some(listed) && !has_failed(listed)).then(|| self.observation())
    }

    pub(super) fn as_listed_before(&self) -> Option<Stack> {
        self.one.as_deref()?.listed.clone()
    }

    pub(super) fn forget_listed(&mut self) {
        if let Some(one) = self.one.as_deref_mut() {
            one.listed = None;
        }
    }

    pub(super) fn look_by_itself(&mut self) -> LookResult {
        let Some(one) = self.one.as_deref_mut() else {
            return Ok(Observation::Gone);
        };
        let Some(stack) = &one.stack else {
            return Ok(Observation::Gone);
        };
        let budget = time_left(self.client, self.until)?;
        one.quiet_rounds = 0;
        match self.client.stack(stack, budget)? {
            Some(seen) => one.last = Some(seen),
            None => return Ok(Observation::Gone),
        }
        self.observation()
    }

    fn observation(&self) -> LookResult {
        let Some((one, stack)) = self
            .one
            .as_ref()
            .and_then(|one| Some((one, one.last.clone()?)))
        else {
            let text = "it was not looked at yet";
            return Err(Fault::Transient(Error::new(Kind::Unknown, text)));
        };
        match stack.status() {
            // An answer that makes no sense is no verdict. What ended in FAILED, failed.
            None
            | Some(Status {
                action: None,
                progress: Progress::Complete,
            }) => Err(Fault::Fatal(Error::new(
                Kind::Unknown,
                format!(
                    "it has the status '{}', which this program does not know",
                    stack.status_text()
                ),
            ))),
            Some(_) => Ok(Observation::Present(one.look(stack))),
        }
    }

    /// As [`Eye::fetch_events`], but where it is the events alone that cannot be read, this is said once, and the stack
    /// itself is looked at instead.
    fn fetch_events_or_complain(&mut self) -> Result<EventsSaid, Fault<Error>> {
        let fault = match self.fetch_events() {
            Err(Fault::Transient(error)) if matches!(error.status(), Some(200 | 500)) => error,
            said => return said,
        };
        let Some(one) = self.one.as_deref_mut() else {
            return Err(Fault::Transient(fault));
        };
        let Some(stack) = &one.stack else {
            return Err(Fault::Transient(fault));
        };
        let budget = time_left(self.client, self.until)?;
        let Ok(Some(seen)) = self.client.stack(stack, budget) else {
            return Err(Fault::Transient(fault));
        };
        one.last = Some(seen);
        if !std::mem::replace(&mut one.complained, true) {
            self.reporter.note(&format!(
                "the events of {} cannot be read: {}; going by the stack itself",
                stack.label(),
                wait_cli::failure::chain(&fault)
            ));
        }
        one.quiet_rounds = 0;
        Ok(EventsSaid::Nothing)
    }

    /// Fetches what is new, writes it, and takes over what the stack's own events say.
    fn fetch_events(&mut self) -> Result<EventsSaid, Fault<Error>> {
        let Some(one) = self.one.as_deref_mut() else {
            return Ok(EventsSaid::Nothing);
        };
        let Some(stack) = one.stack.clone() else {
            return Ok(EventsSaid::Nothing);
        };
        let budget = time_left(self.client, self.until)?;
        let fetched = match &mut one.trail {
            Some(trail) => trail.more(self.client, &stack, budget)?,
            None => {
                let stands = (!one.runs())
                    .then(|| one.last.as_ref().map(Stack::status_text))
                    .flatten();
                let (trail, events) =
                    Trail::join(self.client, &stack, stands, one.nested_depth, budget)?;
                one.trail = Some(Box::new(trail));
                Some(events)
            }
        };
        let Some(mut fresh) = fetched else {
            return Ok(EventsSaid::Gone);
        };
        // Heat ignores a marker that it does not know. One that it has purged was older than all that is left; but where
        // nothing was purged, it never was an event of this stack, and proves nothing.
        if let (Some(since), Some(first)) = (one.since.take(), fresh.first()) {
            if first.is_own_of(&stack.id) && first.status().is_some_and(Status::begins_a_stack) {
                let text = format!("--since: {since} is no event of {}", stack.label());
                return Err(Fault::Fatal(Error::new(Kind::Config, text)));
            }
        }
        if fresh.is_empty() {
            one.quiet_rounds += 1;
            return Ok(EventsSaid::Nothing);
        }
        one.quiet_rounds = 0;
        if one.nested_depth > 0 {
            events::sort_by_time(&mut fresh);
        }
        let paths = one
            .paths
            .get_or_insert_with(|| Box::new(Paths::of(&stack.id, &stack.name)));
        for event in &fresh {
            if one.nested_depth > 0 && paths.misses(event) {
                // Only the names are lost if this fails.
                let resources = self.client.resources(&stack, one.nested_depth, budget);
                paths.learn_all(&resources.ok().flatten().unwrap_or_default());
            }
            let path = paths.path(event);
            self.reporter.line(&line(event, &path));
        }
        for event in fresh.iter().filter(|event| event.is_own_of(&stack.id)) {
            one.own_event(event, self.goal);
        }
        Ok(EventsSaid::Something)
    }
}

/// An event as a line of progress.
fn line<'l>(event: &'l Event, path: &'l str) -> Line<'l> {
    Line {
        kind: LineKind::Event,
        time: event.event_time.as_deref(),
        id: &event.id,
        path,
        status: &event.resource_status,
        reason: &event.resource_status_reason,
        runs: event.status().is_some_and(Status::runs),
    }
}
