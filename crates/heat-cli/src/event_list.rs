//! `heat-wait stack event list`: events page by page, as they come.

use std::time::Duration;

use os_identity::Error;
use poll_core::{
    Attempt, Deadline, Event as Beat, Fault, GoneTwice, Judge, Observation, Outcome, Verdict, wait,
};
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure, engine, failure};

use crate::args::EventList;
use crate::client::{Client, EventQuery};
use crate::event_query::Query;
use crate::event_rows::{Form, Rows, check_columns};
use crate::events::{self, Trail};
use crate::model::{Event, StackRef};
use crate::paths::Paths;
use crate::reading::{Asking, Reading, no_stack};
use crate::status::Action;

/// After so many rounds without news the stack itself is looked at: its last event may be one of those left out.
const QUIET_ROUNDS: u32 = 10;

pub(crate) fn run(args: &EventList, stage: &mut Stage<'_>) -> Result<Exit, Failure> {
    let form = Form::of(stage, args.follow)?;
    check_columns(&form, stage.given())?;
    let query = Query::of(args)?;
    if args.follow {
        // Until somebody says so; a deadline has to be asked for.
        let deadline = match stage.timing.deadline {
            Some(Some(limit)) => Deadline::after(stage.began, limit),
            Some(None) | None => Deadline::Never,
        };
        let reading = Reading::until(deadline, stage)?;
        let stack = reading.find(&args.stack)?;
        let writer = Writer::new(form, args, &stack);
        return follow(args, &query, stage, &reading, &stack, deadline, writer);
    }
    let reading = Reading::begin(stage)?;
    let stack = reading.find(&args.stack)?;
    let needs_all = form.needs_all() || query.sorts();
    let mut writer = Writer::new(form, args, &stack);
    let list = List {
        args,
        query: &query,
        reading: &reading,
        stack: &stack,
    };
    if needs_all {
        let events = list.all()?;
        writer.write(&events, &reading.client, None, stage)?;
    } else {
        list.stream(&mut |events| {
            writer.write(events, &reading.client, None, stage)?;
            Ok(!stage.reader_gone())
        })?;
    }
    writer.end(stage)?;
    Ok(Exit::Reached)
}

/// The result, and where its events happened.
struct Writer<'a> {
    rows: Rows,
    is_log: bool,
    paths: Paths,
    stack: &'a StackRef,
    nested_depth: u32,
    written: bool,
}

impl<'a> Writer<'a> {
    fn new(form: Form, args: &EventList, stack: &'a StackRef) -> Self {
        Self {
            is_log: matches!(form, Form::Log),
            rows: Rows::new(form, args.nested_depth > 0, &stack.name),
            paths: Paths::of(&stack.id, &stack.name),
            stack,
            nested_depth: args.nested_depth,
            written: false,
        }
    }

    fn write(
        &mut self,
        events: &[Event],
        client: &Client<'_>,
        budget: Option<Duration>,
        stage: &mut Stage<'_>,
    ) -> Result<(), Failure> {
        let (paths, stack, depth) = (&mut self.paths, self.stack, self.nested_depth);
        let text = self.rows.batch(events, &mut |event| {
            if depth > 0 && paths.misses(event) {
                // Only the names are lost if this fails.
                let resources = client.resources(stack, depth, budget);
                paths.learn_all(&resources.ok().flatten().unwrap_or_default());
            }
            paths.path(event)
        })?;
        if text.is_empty() {
            return Ok(());
        }
        self.written = true;
        stage.print(&text)
    }

    fn end(&self, stage: &mut Stage<'_>) -> Result<(), Failure> {
        let text = match (self.is_log, self.written) {
            // As the client: the end of a line that is not there.
            (true, false) => "\n".to_owned(),
            _ => self.rows.end()?,
        };
        if text.is_empty() || stage.reader_gone() {
            return Ok(());
        }
        stage.print(&text)
    }
}

/// The events that there are now.
struct List<'a, 's> {
    args: &'a EventList,
    query: &'a Query,
    reading: &'a Reading<'s>,
    stack: &'a StackRef,
}

/// Takes events; false: nobody wants more.
type Take<'t> = dyn FnMut(&[Event]) -> Result<bool, Failure> + 't;

impl<'s> List<'_, 's> {
    /// Zero is no limit to the client.
    fn limit(&self) -> Option<usize> {
        self.args.limit.filter(|limit| *limit > 0)
    }

    /// Page by page, oldest first; memory holds one page.
    fn stream(&self, take: &mut Take<'_>) -> Result<(), Failure> {
        let mut left = self.limit().unwrap_or(usize::MAX);
        let mut trail = self.trail(self.args.marker.as_deref()).paged(left);
        loop {
            let mut page =
                self.ask(&mut |client, budget| trail.page(client, self.stack, budget))?;
            if trail.walks() || self.is_silent_old_heat(&page)? {
                let events = self.walked()?;
                return take(&events).map(|_| ());
            }
            page.events.truncate(left);
            left -= page.events.len();
            if !take(&page.events)? || left == 0 || !page.more {
                return Ok(());
            }
        }
    }

    /// Everything at once, in the order asked for.
    fn all(&self) -> Result<Vec<Event>, Failure> {
        let cut = self.limit().filter(|_| self.query.sorts());
        let mut events = match cut {
            // The server sorts before it cuts.
            Some(limit) => {
                let further = format!("{}{}", self.query.filters, self.query.server_keys());
                let query = EventQuery {
                    marker: self.args.marker.as_deref(),
                    limit: Some(limit),
                    newest_first: self.query.newest_first,
                    nested_depth: self.args.nested_depth,
                    resource: self.args.resource.as_deref(),
                    further: &further,
                };
                let events =
                    self.ask(&mut |client, budget| client.events(self.stack, query, budget))?;
                let old = self.args.nested_depth > 0
                    && events.first().is_some_and(|event| !event.has_root());
                if old { self.walked()? } else { events }
            }
            None => {
                let mut events = Vec::new();
                self.stream(&mut |page| {
                    events.extend_from_slice(page);
                    Ok(true)
                })?;
                if self.query.newest_first {
                    // Equal events stand as the server would have them in this direction.
                    events.reverse();
                }
                events
            }
        };
        self.query.sort(&mut events);
        Ok(events)
    }

    /// With an old Heat: everything of all stacks, by time, and marker and limit applied here.
    fn walked(&self) -> Result<Vec<Event>, Failure> {
        let mut trail = self.trail(None);
        let events = self.ask(&mut |client, budget| trail.more(client, self.stack, budget))?;
        let mut events = after_marker(events, self.args.marker.as_deref());
        events.truncate(self.limit().unwrap_or(usize::MAX));
        Ok(events)
    }

    /// After the last event of the stack itself an old Heat has nothing to tell, though nested stacks may.
    fn is_silent_old_heat(&self, page: &events::Page) -> Result<bool, Failure> {
        if self.args.nested_depth == 0 || self.args.marker.is_none() || !page.events.is_empty() {
            return Ok(false);
        }
        let query = EventQuery {
            limit: Some(1),
            nested_depth: self.args.nested_depth,
            ..EventQuery::default()
        };
        let first = self.ask(&mut |client, budget| client.events(self.stack, query, budget))?;
        Ok(first.first().is_some_and(|event| !event.has_root()))
    }

    fn trail(&self, marker: Option<&str>) -> Trail {
        trail(self.args, self.query, marker)
    }

    fn ask<T>(&self, ask: Asking<'_, 's, Option<T>>) -> Result<T, Failure> {
        let found = self.reading.ask(&self.stack.label(), ask)?;
        found.ok_or_else(|| match &self.args.resource {
            Some(resource) => Failure::new(
                Exit::NotFound,
                format!("{}: it has no resource {resource}", self.stack.label()),
            ),
            None => no_stack(&self.args.stack),
        })
    }
}

fn trail(args: &EventList, query: &Query, marker: Option<&str>) -> Trail {
    let trail = match marker {
        Some(id) => Trail::after_id(id, args.nested_depth),
        None => Trail::after(None, args.nested_depth),
    };
    trail.narrowed(args.resource.as_deref(), &query.filters)
}

/// What comes after the marker; everything where there is no such event, as Heat does.
fn after_marker(mut events: Vec<Event>, marker: Option<&str>) -> Vec<Event> {
    match events
        .iter()
        .position(|event| Some(event.id.as_str()) == marker)
    {
        Some(at) => events.split_off(at + 1),
        None => events,
    }
}

/// What a look while following brings.
enum Seen {
    GoesOn,
    /// The stack is deleted.
    Deleted,
    /// Nobody wants more.
    Enough,
}

struct UntilGone;

impl Judge<Seen> for UntilGone {
    type Why = ();

    fn judge(&mut self, seen: &Observation<Seen>, _: &Attempt) -> Verdict<()> {
        match seen {
            Observation::Present(Seen::GoesOn) => Verdict::Pending { again: None },
            Observation::Present(Seen::Deleted | Seen::Enough) | Observation::Gone => {
                Verdict::Reached(())
            }
        }
    }
}

fn follow(
    args: &EventList,
    query: &Query,
    stage: &mut Stage<'_>,
    reading: &Reading<'_>,
    stack: &StackRef,
    deadline: Deadline,
    writer: Writer<'_>,
) -> Result<Exit, Failure> {
    stage.last_words.end_on_interrupt();
    let (reporter, clock) = (stage.reporter, stage.clock);
    let policy = stage.timing.policy(deadline, stage.seed);
    let gap = stage.timing.period.shortest().min(Duration::from_secs(1));
    let labels = [stack.label()];
    let mut following = Following {
        args,
        query,
        client: &reading.client,
        stack,
        trail: trail(args, query, args.marker.as_deref()),
        marker: args.marker.clone(),
        writer,
        left: args.limit.filter(|limit| *limit > 0).unwrap_or(usize::MAX),
        // The stack may be gone already.
        quiet_rounds: QUIET_ROUNDS,
        failed: None,
    };
    following.set_last_words(stage);
    let finished = wait(
        &policy,
        clock,
        &mut GoneTwice::new(UntilGone, gap),
        &mut |at| following.look(at, stage),
        &mut |event| {
            // Silence is no news here: somebody watches.
            if !matches!(event, Beat::Tick { .. }) {
                engine::report(reporter, &labels, &event);
            }
        },
    );
    if let Some(failure) = following.failed.take() {
        return Err(failure);
    }
    let hint = format!("go on with: {}", stage.command(following.resume_words()));
    let label = stack.label();
    match finished.outcome {
        Outcome::Reached(Observation::Present(Seen::Enough), ()) => Ok(Exit::Reached),
        Outcome::Reached(..) | Outcome::Failed(..) | Outcome::Left(_) => {
            reporter.note(&format!("{label} is gone"));
            Ok(Exit::Reached)
        }
        Outcome::TimedOut(_, None) => Err(Failure::new(
            Exit::Deadline,
            format!("{label}: followed until the deadline"),
        )
        .hint(hint)),
        Outcome::TimedOut(_, Some(error)) => Err(Failure::new(
            Exit::Unknown,
            format!(
                "{label}: its events cannot be read at the deadline: {}",
                failure::chain(&error)
            ),
        )
        .hint(hint)),
        Outcome::GaveUp(error, _) => {
            let failure =
                Failure::from(error).context(format!("{label}: its events cannot be read"));
            Err(match failure.hint {
                Some(_) => failure,
                None => failure.hint(hint),
            })
        }
    }
}

/// Following one stack.
struct Following<'a, 's> {
    args: &'a EventList,
    query: &'a Query,
    client: &'a Client<'s>,
    stack: &'a StackRef,
    trail: Trail,
    /// With an old Heat: the event after which to begin, until it has come.
    marker: Option<String>,
    writer: Writer<'a>,
    left: usize,
    quiet_rounds: u32,
    /// Why the result cannot be written.
    failed: Option<Failure>,
}

impl Following<'_, '_> {
    fn look(
        &mut self,
        at: &Attempt,
        stage: &mut Stage<'_>,
    ) -> Result<Observation<Seen>, Fault<Error>> {
        let mut quiet = true;
        let mut deletes = false;
        loop {
            let Some((events, more)) = self.fetch(at)? else {
                return Ok(Observation::Gone);
            };
            quiet &= events.is_empty();
            deletes |= events.iter().any(|event| {
                event.is_own_of(&self.stack.id)
                    && event
                        .status()
                        .is_some_and(|s| s.action == Some(Action::Delete))
            });
            if !self.take(events, at, stage) {
                return Ok(Observation::Present(Seen::Enough));
            }
            if !more {
                break;
            }
        }
        self.quiet_rounds = if quiet {
            self.quiet_rounds + 1
        } else {
            self.quiet_rounds
        };
        if deletes || self.quiet_rounds >= QUIET_ROUNDS {
            self.quiet_rounds = 0;
            return Ok(match self.client.stack(self.stack, at.budget)? {
                None => Observation::Gone,
                Some(stack) if stack.is_deleted() => Observation::Present(Seen::Deleted),
                Some(stack) => {
                    if stack
                        .status()
                        .is_some_and(|s| s.action == Some(Action::Delete))
                    {
                        // It will be gone soon: look at it each round.
                        self.quiet_rounds = QUIET_ROUNDS;
                    }
                    Observation::Present(Seen::GoesOn)
                }
            });
        }
        Ok(Observation::Present(Seen::GoesOn))
    }

    /// Some events, and whether there may be more at once. `None`: the stack is gone.
    fn fetch(&mut self, at: &Attempt) -> Result<Option<(Vec<Event>, bool)>, Fault<Error>> {
        if !self.trail.walks() {
            let Some(page) = self.trail.page(self.client, self.stack, at.budget)? else {
                return Ok(None);
            };
            if !self.trail.walks() {
                return Ok(Some((page.events, page.more)));
            }
            // It is an old Heat: begin anew, everything by time, and find the marker ourselves.
            self.trail = trail(self.args, self.query, None);
        }
        let all = self.trail.more(self.client, self.stack, at.budget)?;
        Ok(all.map(|events| (after_marker(events, self.marker.take().as_deref()), false)))
    }

    /// Writes events; false: nobody wants more.
    fn take(&mut self, mut events: Vec<Event>, at: &Attempt, stage: &mut Stage<'_>) -> bool {
        events.truncate(self.left);
        self.left -= events.len();
        if let Err(failure) = self.writer.write(&events, self.client, at.budget, stage) {
            self.failed = Some(failure);
            return false;
        }
        if !events.is_empty() {
            self.set_last_words(stage);
        }
        self.left > 0 && !stage.reader_gone()
    }

    /// What was written is not written again by whoever goes on: the words follow each page, never precede it.
    fn set_last_words(&self, stage: &Stage<'_>) {
        let words = format!(
            "the events of {} are not followed any more",
            self.stack.label()
        );
        stage.set_last_words(&words, Some(&stage.command(self.resume_words())));
    }

    /// The words after the program's name that go on where this ends.
    fn resume_words(&self) -> Vec<String> {
        let mut words: Vec<String> = ["stack", "event", "list", &self.stack.id, "--follow"]
            .map(str::to_owned)
            .to_vec();
        let marker = self
            .trail
            .newest()
            .map(str::to_owned)
            .or_else(|| self.marker.clone());
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        if let Some(marker) = marker {
            option("--marker", marker);
        }
        if let Some(resource) = &self.args.resource {
            option("--resource", resource.clone());
        }
        if self.args.nested_depth > 0 {
            option("--nested-depth", self.args.nested_depth.to_string());
        }
        for filter in &self.args.filters {
            option("--filter", filter.clone());
        }
        words
    }
}
