//! Following a stack's events: markers, pages, overlaps. Nothing twice, nothing lost.

use std::collections::HashSet;
use std::time::Duration;

use jiff::Timestamp;
use os_identity::Error;
use poll_core::Fault;

use crate::client::{Client, EventQuery, Found, PAGE};
use crate::model::{Event, StackRef};
use crate::status::Status;

/// Several engines commit events out of order: the marker stays this far behind the newest event.
const OVERLAP: Duration = Duration::from_secs(5);

/// How many pages back a wait that joins late looks for the beginning of the action that runs.
const PAGES_BACK: usize = 4;

/// The events of one stack from a point on, each once.
#[derive(Debug, Clone, Default)]
pub struct Trail {
    nested_depth: u32,
    /// The event after which the server is asked for more, and its time.
    marker: Option<(String, Option<Timestamp>)>,
    /// Events that a later answer may repeat: those since the marker.
    recent: Vec<(String, Option<Timestamp>)>,
    seen: HashSet<String>,
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
        let mut fresh = Vec::new();
        let mut marker = self.marker.as_ref().map(|(id, _)| id.clone());
        loop {
            let query = EventQuery {
                marker: marker.as_deref(),
                limit: Some(PAGE),
                newest_first: false,
                nested_depth: self.nested_depth,
            };
            let Some(page) = client.events(stack, query, budget)? else {
                return Ok(None);
            };
            let full = page.len() >= PAGE;
            let last = page.last().map(|event| event.id.clone());
            for event in page {
                if self.is_new(&event) {
                    self.note(&event);
                    fresh.push(event);
                }
            }
            // A server that ignores the marker answers the same page for ever: then there is nothing new on it.
            if !full || last.is_none() || last == marker {
                break;
            }
            marker = last;
        }
        self.advance();
        Ok(Some(fresh))
    }

    /// Where a server does not know the marker any more, it answers with everything: what is older is no news.
    fn is_new(&self, event: &Event) -> bool {
        if self.seen.contains(&event.id) {
            return false;
        }
        match (&self.marker, time_of(event)) {
            (Some((_, Some(marked))), Some(time)) => time >= *marked,
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

/// The events of the action that runs, oldest first, for a wait that joins it: from the newest back to the own event
/// with which the action began, if that is near. The second value is the event before them, if there is one.
fn of_running_action(
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
pub fn sort_by_time(events: &mut [Event]) {
    let mut times = Vec::with_capacity(events.len());
    let mut last = Timestamp::MIN;
    for event in events.iter() {
        last = time_of(event).unwrap_or(last);
        times.push(last);
    }
    let mut order: Vec<usize> = (0..events.len()).collect();
    order.sort_by_key(|&at| times.get(at).copied());
    let mut sorted: Vec<Event> = order
        .iter()
        .filter_map(|&at| events.get(at).cloned())
        .collect();
    events.swap_with_slice(&mut sorted);
}
