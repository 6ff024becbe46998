//! The probe: one look a round at one or many stacks, with their events on the way.

use std::collections::HashMap;
use std::time::Duration;

use os_identity::{Error, Kind};
use poll_core::{Attempt, Fault, Observation, Round};
use wait_cli::Reporter;
use wait_cli::progress::{Line, LineKind};

use crate::client::{CHUNK, Client};
use crate::events::{self, Trail};
use crate::goal::{Goal, Look, OwnEnd};
use crate::model::{Event, Stack, StackRef};
use crate::paths::Paths;
use crate::resolve::{self, Resolved};
use crate::status::{Action, Progress, Status};

/// After so many rounds without an event the stack itself is looked at.
const QUIET_ROUNDS: u32 = 2;

/// One stack that is waited for.
pub struct Tracked {
    /// What was typed.
    name: String,
    /// Where it is. `None`: it was not found yet.
    stack: Option<StackRef>,
    /// As it was seen last.
    last: Option<Stack>,
    /// As a list showed it last.
    listed: Option<Stack>,
    /// `last` is as new as this round: no request is needed.
    just_seen: bool,
    trail: Option<Box<Trail>>,
    paths: Option<Box<Paths>>,
    nested_depth: u32,
    quiet_rounds: u32,
    fresh: bool,
    /// The action of the goal has begun, says an event.
    begun: bool,
    /// It is DELETE_COMPLETE, says its own event. Until it is gone it is shown for some seconds.
    deleted: bool,
    first_reason: Option<String>,
    ended: Option<OwnEnd>,
    /// The baseline that was handed in, until the server has answered to it.
    since: Option<String>,
    /// It was said that events cannot be read.
    complained: bool,
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

    fn found(&mut self, found: Resolved) {
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

    fn runs(&self) -> bool {
        self.last
            .as_ref()
            .and_then(Stack::status)
            .is_some_and(Status::runs)
    }

    fn look(&self, stack: Stack) -> Look {
        Look {
            stack,
            fresh: self.fresh,
            begun: self.begun,
            first_reason: self.first_reason.clone(),
            ended: self.ended.clone(),
        }
    }
}

/// A chunk of a round.
#[derive(Default)]
struct Asked {
    indices: Vec<usize>,
    url: String,
    /// Of the answer: what has not changed by a byte is not read again.
    print: u64,
}

/// Looks at stacks, and writes their events on the way.
pub struct Watch<'w, 's> {
    client: &'w Client<'s>,
    reporter: &'w Reporter<'s>,
    goal: Goal,
    tracked: Vec<Tracked>,
    /// What was asked for each chunk, by its first stack.
    asked: HashMap<usize, Asked>,
    /// When the present round must be over.
    until: Option<Duration>,
}

impl<'w, 's> Watch<'w, 's> {
    /// Watches these stacks, in the order of the engine's indices.
    #[must_use]
    pub fn new(
        client: &'w Client<'s>,
        reporter: &'w Reporter<'s>,
        goal: Goal,
        tracked: Vec<Tracked>,
    ) -> Self {
        Self {
            client,
            reporter,
            goal,
            tracked,
            asked: HashMap::new(),
            until: None,
        }
    }

    /// The stacks, as they are known now.
    #[must_use]
    pub fn tracked(&self) -> &[Tracked] {
        &self.tracked
    }

    /// One round.
    ///
    /// # Errors
    /// What kept all of them from being seen.
    pub fn round(&mut self, due: &[usize], at: &Attempt) -> Round<Look, Error> {
        // All requests of a round share its time.
        self.until = at
            .budget
            .map(|budget| self.client.now().saturating_add(budget));
        let mut looks = Vec::with_capacity(due.len());
        let alone = self.tracked.len() == 1;
        let mut listed = Vec::new();
        for &index in due {
            let Some(one) = self.tracked.get_mut(index) else {
                continue;
            };
            if alone || one.stack.is_none() {
                looks.push((index, self.eye(index, at).alone()));
            } else if std::mem::take(&mut one.just_seen) {
                looks.push((index, self.eye(index, at).as_looked_up()));
            } else {
                listed.push(index);
            }
        }
        for chunk in listed.chunks(CHUNK) {
            self.chunk(chunk, at, &mut looks)?;
        }
        Ok(looks)
    }

    /// Up to [`CHUNK`] stacks by one list; one that the list leaves out is looked at by itself.
    fn chunk(
        &mut self,
        indices: &[usize],
        at: &Attempt,
        looks: &mut Looks,
    ) -> Result<(), Fault<Error>> {
        // Those who are left out were not looked at.
        let Ok(budget) = time_left(self.client, self.until) else {
            return Ok(());
        };
        let place = indices.first().copied().unwrap_or_default();
        let asked = self.asked.entry(place).or_default();
        if asked.indices != indices {
            let ids = indices.iter().map(|&index| self.tracked.get(index));
            let ids: Vec<&str> = ids
                .filter_map(|one| Some(one?.stack.as_ref()?.id.as_str()))
                .collect();
            asked.url = self.client.list_url("id", &ids);
            indices.clone_into(&mut asked.indices);
        }
        let answer = self
            .client
            .stacks_unless_same(&asked.url, &mut asked.print, budget)
            .map(|stacks| stacks.map(by_id));
        let mut listed: Option<HashMap<String, Stack>> = match answer {
            Ok(listed) => listed,
            // Who may not list, or is not understood, may still look at each.
            Err(Fault::Refused(error)) if error.status() == Some(403) => Some(HashMap::new()),
            Err(Fault::Fatal(_)) => Some(HashMap::new()),
            // A token that is refused is refused for all: no look at each, which would sign in again for each.
            Err(fault @ (Fault::Throttled(..) | Fault::Refused(_))) => return Err(fault),
            Err(fault) => {
                looks.extend(indices.iter().map(|&index| (index, Err(fault.clone()))));
                return Ok(());
            }
        };
        for &index in indices {
            let mut eye = self.eye(index, at);
            let found = match &mut listed {
                Some(listed) => eye.id().and_then(|id| listed.remove(id)),
                None => {
                    if let Some(look) = eye.stands_as_listed() {
                        looks.push((index, look));
                        continue;
                    }
                    eye.as_listed_before()
                }
            };
            let look = match found {
                Some(stack) => eye.listed(stack),
                None => {
                    eye.forget_listed();
                    eye.look_by_itself()
                }
            };
            looks.push((index, look));
        }
        Ok(())
    }

    fn eye<'e>(&'e mut self, index: usize, at: &Attempt) -> Eye<'e, 'w, 's> {
        let (client, reporter, goal) = (self.client, self.reporter, self.goal);
        // Indices come from the engine, which counts the judges that were made from `tracked`.
        Eye {
            client,
            reporter,
            goal,
            until: self.until,
            last_round: at.last,
            one: self.tracked.get_mut(index),
        }
    }
}

fn by_id(stacks: Vec<Stack>) -> HashMap<String, Stack> {
    let pairs = stacks
        .into_iter()
        .map(|stack| (stack.id().to_owned(), stack));
    pairs.collect()
}

type LookResult = Result<Observation<Look>, Fault<Error>>;
type Looks = Vec<(usize, LookResult)>;

/// One look at one stack.
struct Eye<'e, 'w, 's> {
    client: &'w Client<'s>,
    reporter: &'w Reporter<'s>,
    goal: Goal,
    until: Option<Duration>,
    last_round: bool,
    one: Option<&'e mut Tracked>,
}

/// What is left of a round; an error where nothing is.
fn time_left(
    client: &Client<'_>,
    until: Option<Duration>,
) -> Result<Option<Duration>, Fault<Error>> {
    let left = until.map(|until| until.saturating_sub(client.now()));
    if left.is_some_and(|left| left.is_zero()) {
        let text = "the time of the round is up";
        return Err(Fault::Transient(Error::new(Kind::Deadline, text)));
    }
    Ok(left)
}

enum EventsSaid {
    Gone,
    Nothing,
    Something,
}

impl Eye<'_, '_, '_> {
    fn id(&self) -> Option<&str> {
        Some(self.one.as_ref()?.stack.as_ref()?.id.as_str())
    }

    /// A stack by itself: its events tell of progress and end, a look at the stack confirms the end.
    fn alone(&mut self) -> LookResult {
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
    fn as_looked_up(&mut self) -> LookResult {
        match self.one.as_deref().and_then(|one| one.last.clone()) {
            // A list does not say whether a rollback will follow.
            Some(last) if has_failed(&last) && last.rolls_back().is_none() => self.look_by_itself(),
            _ => self.observation(),
        }
    }

    /// A stack as a list shows it. Events are fetched only when its status changed, and a failure, which a rollback
    /// may follow, is looked at by itself: a list does not say whether there will be one.
    fn listed(&mut self, stack: Stack) -> LookResult {
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
    fn stands_as_listed(&self) -> Option<LookResult> {
        let one = self.one.as_deref()?;
        let listed = one.listed.as_ref()?;
        (one.last.as_ref() == Some(listed) && !has_failed(listed)).then(|| self.observation())
    }

    fn as_listed_before(&self) -> Option<Stack> {
        self.one.as_deref()?.listed.clone()
    }

    fn forget_listed(&mut self) {
        if let Some(one) = self.one.as_deref_mut() {
            one.listed = None;
        }
    }

    fn look_by_itself(&mut self) -> LookResult {
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

impl Tracked {
    /// Whether more may become of this state without an event: a delete shows its end before the stack is gone, and a
    /// failure may be followed by a rollback.
    fn may_move_silently(&self) -> bool {
        self.last.as_ref().is_some_and(|last| {
            let deletes = last
                .status()
                .is_some_and(|status| status.action == Some(Action::Delete));
            has_failed(last) || (deletes && !self.runs())
        })
    }

    /// Takes over what an own event of the stack says.
    fn own_event(&mut self, event: &Event, goal: Goal) {
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

fn has_failed(stack: &Stack) -> bool {
    stack
        .status()
        .is_some_and(|status| status.progress == Progress::Failed)
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
