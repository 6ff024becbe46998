//! Following a stack's events: markers, pages, overlaps. Nothing twice, nothing lost.

use std::collections::HashSet;
use std::time::Duration;

use jiff::Timestamp;
use os_identity::Error;
use poll_core::Fault;
use wait_cli::order;

use crate::client::{Client, EventQuery, Found, PAGE};
use crate::model::{Event, StackRef};
use crate::nested::Walk;
use crate::status::Status;

/// Several engines commit events out of order: the marker stays this far behind the newest event.
const OVERLAP: Duration = Duration::from_secs(5);

/// How many pages back a wait that joins late looks for the beginning of the action that runs.
const PAGES_BACK: usize = 4;

/// The events of one stack from a point on, each once.
#[derive(Debug, Clone, Default)]
pub struct Trail {
    nested_depth: u32,
    /// Only events that meet these conditions.
    resource: Option<String>,
    further: String,
    page_size: Option<usize>,
    /// Nothing older is news.
    floor: Option<Timestamp>,
    /// The event after which the server is asked for more, and its time.
    marker: Option<(String, Option<Timestamp>)>,
    /// Events that a later answer may repeat: those since the marker.
    recent: Vec<(String, Option<Timestamp>)>,
    seen: HashSet<String>,
    /// Inside an answer of several pages: after which event the next one begins, and with which the last one began.
    cursor: Option<String>,
    page_began: Option<String>,
    /// What has come and was not handed out, because a later request failed.
    kept: Vec<Event>,
    /// The trails of the nested stacks, where the server leaves them to us.
    walk: Option<Walk>,
}

/// Some events in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Oldest first.
    pub events: Vec<Event>,
    /// There may be more at once.
    pub more: bool,
}

impl Trail {
    /// A trail that begins after `marker`, or with the stack's first event.
    #[must_use]
    pub fn after(marker: Option<&Event>, nested_depth: u32) -> Self {
        let mut trail = Self {
            nested_depth,
            ..Self::default()
        };
        if let Some(event) = marker {
            trail.note(event);
            trail.marker = Some((event.id.clone(), time_of(event)));
        }
        trail
    }

    /// A trail that begins after the event of this id, of which nothing else is known.
    #[must_use]
    pub fn after_id(id: &str, nested_depth: u32) -> Self {
        let seen = HashSet::from([id.to_owned()]);
        Self {
            nested_depth,
            marker: Some((id.to_owned(), None)),
            seen,
            ..Self::default()
        }
    }

    /// The same, only of one resource, and with further conditions (see [`EventQuery::further`]).
    #[must_use]
    pub fn narrowed(self, resource: Option<&str>, further: &str) -> Self {
        Self {
            resource: resource.map(str::to_owned),
            further: further.to_owned(),
            ..self
        }
    }

    /// The same, asking for so many at once ([`PAGE`] at the most).
    #[must_use]
    pub fn paged(self, size: usize) -> Self {
        Self {
            page_size: Some(size.clamp(1, PAGE)),
            ..self
        }
    }

    /// A trail that shows nothing older than this.
    pub(crate) fn since(floor: Option<Timestamp>) -> Self {
        Self {
            floor,
            ..Self::default()
        }
    }

    /// Whether the nested stacks are walked through here, because the server does not know `nested_depth` for events.
    #[must_use]
    pub fn walks(&self) -> bool {
        self.walk.is_some()
    }

    /// The trail of a wait that joins, and the events of the action that runs. Of a stack that stands still only the
    /// newest event is asked for, however many there are. `stands`: the status at which the stack was seen to stand; its
    /// newest event tells whether something has begun since.
    ///
    /// # Errors
    /// What kept the answer from coming.
    pub fn join(
        client: &Client<'_>,
        stack: &StackRef,
        stands: Option<&str>,
        nested_depth: u32,
        budget: Option<Duration>,
    ) -> Result<(Self, Vec<Event>), Fault<Error>> {
        let newest = newest(client, stack, budget)?;
        let Some(newest) = newest else {
            return Ok((Self::after(None, nested_depth), Vec::new()));
        };
        if stands.is_some_and(|status| !moved_on(&newest, stack, status)) {
            return Ok((Self::after(Some(&newest), nested_depth), Vec::new()));
        }
        let (events, before) = of_running_action(client, stack, nested_depth, budget)?;
        let mut trail = Self::after(before.as_ref(), nested_depth);
        trail.begin_with(&events);
        Ok((trail, events))
    }

    /// Takes over events that were fetched in another way, oldest first.
    fn begin_with(&mut self, events: &[Event]) {
        for event in events {
            if self.is_new(event) {
                self.note(event);
            }
        }
        self.advance();
    }

    /// The newest event known, by id: what a later wait hands in as its baseline.
    #[must_use]
    pub fn newest(&self) -> Option<&str> {
        let last = self.recent.last().map(|(id, _)| id);
        last.or(self.marker.as_ref().map(|(id, _)| id))
            .map(String::as_str)
    }

    /// What has come since, oldest first. `None`: the stack is gone.
    ///
    /// # Errors
    /// What kept the answer from coming. What had come before stays to be had.
    pub fn more(
        &mut self,
        client: &Client<'_>,
        stack: &StackRef,
        budget: Option<Duration>,
    ) -> Found<Vec<Event>> {
        loop {
            let Some(page) = self.page(client, stack, budget)? else {
                return Ok(None);
            };
            self.kept.extend(page.events);
            if !page.more {
                break;
            }
        }
        let nested = self.nested(client, stack, budget)?;
        let mut events = std::mem::take(&mut self.kept);
        if !nested.is_empty() {
            events.extend(nested);
            sort_by_time(&mut events);
        }
        Ok(Some(events))
    }

    /// The next page of what has come since. `None`: the stack is gone. What nested stacks tell that the server
    /// leaves to us is not in it: that is [`Trail::nested`].
    ///
    /// # Errors
    /// What kept the answer from coming: the same page stays to be had.
    pub fn page(
        &mut self,
        client: &Client<'_>,
        stack: &StackRef,
        budget: Option<Duration>,
    ) -> Found<Page> {
        let size = self.page_size.unwrap_or(PAGE);
        let marker = self.marker.as_ref().map(|(id, _)| id);
        let asked = self.cursor.as_ref().or(marker).cloned();
        let query = EventQuery {
            marker: asked.as_deref(),
            limit: Some(size),
            newest_first: false,
            nested_depth: self.nested_depth,
            resource: self.resource.as_deref(),
            further: &self.further,
        };
        let Some(page) = client.events(stack, query, budget)? else {
            self.cursor = None;
            self.page_began = None;
            return Ok(None);
        };
        let began = page.first().map(|event| event.id.clone());
        // A server that ignores the marker answers the same page for ever.
        let repeats = self.cursor.is_some() && began == self.page_began;
        self.cursor = if page.len() >= size && !repeats {
            cursor_after(&page)
        } else {
            None
        };
        self.page_began = self.cursor.is_some().then_some(began).flatten();
        if self.nested_depth > 0 && page.first().is_some_and(|event| !event.has_root()) {
            let floor = self.marker.as_ref().map(|(_, time)| *time);
            let floor = floor.map(|time| time.or_else(|| page.first().and_then(time_of)));
            self.walk.get_or_insert_with(|| Walk::new(floor.flatten()));
        }
        let mut fresh = Vec::new();
        for event in page {
            if self.is_new(&event) {
                self.note(&event);
                fresh.push(event);
            }
        }
        self.advance();
        Ok(Some(Page {
            events: fresh,
            more: self.cursor.is_some(),
        }))
    }

    /// What nested stacks tell and the server leaves to us; nothing where the server follows them itself.
    ///
    /// # Errors
    /// What kept the answer from coming. What had come before stays to be had.
    pub fn nested(
        &mut self,
        client: &Client<'_>,
        stack: &StackRef,
        budget: Option<Duration>,
    ) -> Result<Vec<Event>, Fault<Error>> {
        match &mut self.walk {
            Some(walk) => walk.more(client, stack, self.nested_depth, budget),
            None => Ok(Vec::new()),
        }
    }

    /// Where a server does not know the marker any more, it answers with everything: what is older is no news.
    fn is_new(&self, event: &Event) -> bool {
        if self.seen.contains(&event.id) {
            return false;
        }
        let marked = self.marker.as_ref().and_then(|(_, time)| *time);
        match (marked.max(self.floor), time_of(event)) {
            (Some(marked), Some(time)) => time >= marked,
            _ => true,
        }
    }

    fn note(&mut self, event: &Event) {
        self.seen.insert(event.id.clone());
        self.recent.push((event.id.clone(), time_of(event)));
    }

    /// Moves the marker up to the overlap, and forgets what cannot be repeated any more.
    fn advance(&mut self) {
        let Some(newest) = self.recent.iter().filter_map(|(_, time)| *time).max() else {
            return;
        };
        let Ok(edge) = newest.checked_sub(OVERLAP) else {
            return;
        };
        let settled = self
            .recent
            .iter()
            .rposition(|(_, time)| time.is_some_and(|time| time < edge));
        let Some((id, time)) = settled.and_then(|at| self.recent.get(at)).cloned() else {
            return;
        };
        self.recent
            .retain(|(_, other)| *other >= time || other.is_none());
        self.seen = self.recent.iter().map(|(id, _)| id.clone()).collect();
        self.marker = Some((id, time));
    }
}

/// After which event the next page begins: before those that share the last one's second, because a server may show
/// these in another order next time.
fn cursor_after(page: &[Event]) -> Option<String> {
    let last = page.last()?;
    let second = time_of(last);
    let before = page
        .iter()
        .rev()
        .find(|event| time_of(event).is_some_and(|time| Some(time) < second));
    Some(before.unwrap_or(last).id.clone())
}

/// The events of the action that runs, oldest first, for a wait that joins it: from the newest back to the own event
/// with which the action began, if that is near. The second value is the event before them, if there is one.
pub(crate) fn of_running_action(
    client: &Client<'_>,
    stack: &StackRef,
    nested_depth: u32,
    budget: Option<Duration>,
) -> Result<(Vec<Event>, Option<Event>), Fault<Error>> {
    let mut events: Vec<Event> = Vec::new();
    let begins =
        |event: &Event| event.is_own_of(&stack.id) && event.status().is_some_and(Status::runs);
    for _ in 0..PAGES_BACK {
        let marker = events.last().map(|event| event.id.clone());
        let query = EventQuery {
            marker: marker.as_deref(),
            limit: Some(PAGE),
            newest_first: true,
            nested_depth,
            ..EventQuery::default()
        };
        let page = client.events(stack, query, budget)?.unwrap_or_default();
        let ended = page.len() < PAGE;
        let begin = page.iter().position(begins);
        let kept = begin.map_or(page.len(), |at| at + 1);
        let mut page = page.into_iter();
        events.extend(page.by_ref().take(kept));
        if begin.is_some() || ended {
            events.reverse();
            return Ok((events, page.next()));
        }
    }
    // The beginning is too far back: what lies before the last page was before our time.
    let before = events.pop();
    events.reverse();
    Ok((events, before))
}

/// Whether a stack that stood at `status` has begun something, by its newest event: one of its own that says another
/// status, or a resource in progress.
fn moved_on(newest: &Event, stack: &StackRef, status: &str) -> bool {
    if newest.is_own_of(&stack.id) {
        !newest.resource_status.eq_ignore_ascii_case(status)
    } else {
        newest.status().is_some_and(Status::runs)
    }
}

/// The newest event of a stack. `None`: it has none, or is gone.
fn newest(client: &Client<'_>, stack: &StackRef, budget: Option<Duration>) -> Found<Event> {
    let query = EventQuery {
        limit: Some(1),
        newest_first: true,
        ..EventQuery::default()
    };
    Ok(client
        .events(stack, query, budget)?
        .and_then(|events| events.into_iter().next()))
}

/// When an event was, if it says so.
#[must_use]
pub fn time_of(event: &Event) -> Option<Timestamp> {
    wait_cli::time::parse(event.event_time.as_deref()?)
}

/// Sorts by time what came in one answer. Events without a time stay with the one before them.
pub fn sort_by_time(events: &mut Vec<Event>) {
    let mut last = Timestamp::MIN;
    let timed = std::mem::take(events).into_iter().map(|event| {
        last = time_of(&event).unwrap_or(last);
        (last, event)
    });
    let mut timed: Vec<(Timestamp, Event)> = timed.collect();
    order::sort_by(&mut timed, |(one, _), (other, _)| one.cmp(other));
    events.extend(timed.into_iter().map(|(_, event)| event));
}
