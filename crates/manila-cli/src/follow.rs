//! One wait while it goes on: what is seen is told.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use os_identity::Error;
use poll_core::{Baseline, Deadline, Event, GoneTwice, Judge, Observation, Quorum, Verdict};
use serde_json::Value;
use wait_cli::progress::{Line, LineKind, Watched};
use wait_cli::run::Stage;
use wait_cli::{engine, time};

use crate::client::{Body, Seen};
use crate::ended::{self, Ended};
use crate::goal::{Goal, GoalJudge, Why, word_of};
use crate::proof::has_moved;
use crate::resume::Resume;
use crate::watch::Watch;

/// How long what is missing is left alone before it is believed to be gone.
const GONE_GAP: Duration = Duration::from_millis(500);

/// The same where several are looked at together: longer than the shortest pause, so that they stay together.
const GONE_GAP_OF_SEVERAL: Duration = Duration::from_millis(600);

/// So many resources or fewer are told of anew at each change.
const AT_ONCE: usize = 10;

/// Where a wait for what was changed starts from.
#[derive(Default)]
pub struct Start {
    /// Each as it was before the change, where an end counts only once that was left.
    pub before: Vec<Option<Body>>,
    /// How long an end that proves nothing is not believed.
    pub settle: Duration,
}

/// Looks until every resource has its end. Nothing is known of them.
pub fn follow(
    goal: &Goal,
    any: bool,
    watch: &Watch<'_, '_>,
    hint: &Resume,
    stage: &Stage<'_>,
    deadline: Deadline,
) -> Vec<Ended> {
    let judges = hint.ids.iter().map(|_| GoalJudge::new(goal)).collect();
    let start = Start::default();
    run(goal, any, watch, hint, stage, deadline, (judges, start))
}

/// The same for what exists and was changed.
pub fn follow_from(
    goal: &Goal,
    any: bool,
    watch: &Watch<'_, '_>,
    hint: &Resume,
    stage: &Stage<'_>,
    deadline: Deadline,
    start: Start,
) -> Vec<Ended> {
    let judges = hint.ids.iter().map(|_| GoalJudge::of_known(goal)).collect();
    run(goal, any, watch, hint, stage, deadline, (judges, start))
}

/// An end of `judge` counts once the resource has left what it was `before`, or is still seen after `settle`.
fn based(
    judge: GoalJudge,
    before: Option<Body>,
    settle: Duration,
    gap: Duration,
) -> impl Judge<Seen, Why = Why> {
    let moved = move |seen: &Observation<Seen>| match (&before, seen) {
        (Some(before), Observation::Present(now)) => has_moved(before, now),
        _ => true,
    };
    GoneTwice::new(Baseline::new(judge, moved).settling(settle), gap)
}

fn run(
    goal: &Goal,
    any: bool,
    watch: &Watch<'_, '_>,
    hint: &Resume,
    stage: &Stage<'_>,
    deadline: Deadline,
    (judges, start): (Vec<GoalJudge>, Start),
) -> Vec<Ended> {
    let count = hint.ids.len();
    let followed = Followed {
        goal,
        watch,
        hint,
        stage,
        labels: RefCell::new((0..count).map(|index| watch.label(index)).collect()),
        last: RefCell::new(vec![None; count]),
        done: RefCell::new(vec![false; count]),
        warned: RefCell::new(BTreeSet::new()),
        stale: Cell::new(false),
    };
    followed.name_all();
    let policy = stage.timing.policy(deadline, stage.seed);
    let gap = if count > 1 {
        GONE_GAP_OF_SEVERAL
    } else {
        GONE_GAP
    };
    let before = start.before.into_iter().chain(std::iter::repeat(None));
    let mut judges: Vec<_> = judges
        .into_iter()
        .zip(before)
        .map(|(judge, before)| based(judge, before, start.settle, gap))
        .collect();
    let quorum = if any { Quorum::Any } else { Quorum::All };
    let ends = poll_core::wait_all(
        &policy,
        stage.clock,
        &mut judges,
        quorum,
        &mut |due, at| engine::forgiving(watch.round(due, at)),
        &mut |event| followed.hear(&event),
    );
    followed.catch_up();
    stage.reporter.waited();
    let last = followed.last.into_inner();
    let ended = ends
        .into_iter()
        .zip(last)
        .enumerate()
        .map(|(index, (end, last))| {
            Ended::of(goal, watch.target(index), watch.label(index), last, end)
        });
    ended.collect()
}

/// What is told while it is waited.
struct Followed<'f, 'w, 'c, 's> {
    goal: &'f Goal,
    watch: &'f Watch<'w, 'c>,
    hint: &'f Resume,
    stage: &'f Stage<'s>,
    labels: RefCell<Vec<String>>,
    last: RefCell<Vec<Option<Seen>>>,
    done: RefCell<Vec<bool>>,
    /// Words that were warned of.
    warned: RefCell<BTreeSet<(&'static str, String)>>,
    /// Of many, names and last words are renewed when the round is over: each of them names all.
    stale: Cell<bool>,
}

impl Followed<'_, '_, '_, '_> {
    fn hear(&self, event: &Event<'_, Seen, Why, Error>) {
        if matches!(event, Event::Pause(_)) {
            self.catch_up();
        }
        engine::report(self.stage.reporter, &self.labels.borrow(), event);
        let Event::Seen {
            index,
            seen,
            verdict,
        } = event
        else {
            return;
        };
        let done = !matches!(verdict, Verdict::Pending { .. });
        if let Some(known) = self.done.borrow_mut().get_mut(*index) {
            *known = done;
        }
        match seen {
            Observation::Present(body) => self.present(*index, body, done),
            Observation::Gone => self.stage.reporter.status(*index, "not there", done),
        }
    }

    fn present(&self, index: usize, body: &Seen, done: bool) {
        let before = self
            .last
            .borrow_mut()
            .get_mut(index)
            .and_then(|last| last.replace(body.clone()));
        if !done
            && before
                .as_ref()
                .is_some_and(|before| Rc::ptr_eq(before, body))
        {
            return;
        }
        let label = self.watch.label(index);
        if self.labels.borrow().get(index) != Some(&label) {
            if let Some(known) = self.labels.borrow_mut().get_mut(index) {
                *known = label;
            }
            self.renew(Self::name_all);
        }
        let shown = ended::status_of(self.goal, body);
        self.stage.reporter.status(index, &shown, done);
        if before
            .as_ref()
            .map(|before| ended::status_of(self.goal, before))
            .as_ref()
            == Some(&shown)
        {
            return;
        }
        self.tell(index, body, before.is_none());
        self.warn(index, body);
        self.renew(Self::last_words);
    }

    /// Tells of all of them anew: at once where they are few, else when the round is over.
    fn renew(&self, tell: fn(&Self)) {
        if self.done.borrow().len() > AT_ONCE {
            self.stale.set(true);
        } else {
            tell(self);
        }
    }

    /// The round is over.
    fn catch_up(&self) {
        if self.stale.take() {
            self.name_all();
            self.last_words();
        }
    }

    /// One line for a status that is new.
    fn tell(&self, index: usize, body: &Body, first: bool) {
        let target = self.watch.target(index);
        let id = target.id.unwrap_or_default();
        let mut fields = self.goal.fields().into_iter();
        let status = fields
            .next()
            .and_then(|field| word_of(body, field))
            .unwrap_or_else(|| "-".to_owned());
        let others: Vec<_> = fields.map(|field| ended::field_of(body, field)).collect();
        let time = time::iso((self.stage.wall)());
        self.stage.reporter.line(&Line {
            kind: LineKind::Status,
            time: Some(&time),
            id: &id,
            path: target.name.as_deref().unwrap_or(self.goal.kind.noun),
            status: &status,
            reason: &others.join(", "),
            // The heartbeat knows what is waited for already.
            runs: false,
        });
        let is_soft_deleted = body.get("is_soft_deleted") == Some(&Value::Bool(true));
        if first && is_soft_deleted && self.goal.wants_gone() && !self.goal.runs(body) {
            self.stage.reporter.note(&format!(
                "{} is in the recycle bin: it stays until it is purged; --for is_soft_deleted=true waits for no more than that",
                self.watch.label(index)
            ));
        }
    }

    fn warn(&self, index: usize, body: &Body) {
        for (field, word) in self.goal.unknown_words(body) {
            if self.warned.borrow_mut().insert((field, word.clone())) {
                let label = self.watch.label(index);
                self.stage.reporter.warning(&format!(
                    "{label}: {field} {word} is a word that this program does not know; taken for in progress"
                ));
            }
        }
    }

    /// What it is called, if it is: else its id.
    fn name(&self, index: usize) -> String {
        let target = self.watch.target(index);
        target.name.or(target.id).unwrap_or(target.asked)
    }

    fn name_all(&self) {
        let labels = self.labels.borrow();
        let last = self.last.borrow();
        let done = self.done.borrow();
        let states = labels.iter().zip(last.iter()).zip(done.iter());
        let watched = states
            .enumerate()
            .map(|(index, ((label, last), done))| Watched {
                label: label.clone(),
                name: self.name(index),
                status: last
                    .as_ref()
                    .map_or_else(String::new, |body| ended::status_of(self.goal, body)),
                done: *done,
            });
        self.stage.reporter.watching(watched.collect());
    }

    fn last_words(&self) {
        let last = self.last.borrow();
        let state = |index: usize| match last.get(index).and_then(Option::as_ref) {
            Some(body) => format!(
                "{} {}",
                self.watch.label(index),
                ended::status_of(self.goal, body)
            ),
            None => self.watch.label(index),
        };
        let states: Vec<_> = (0..last.len()).map(state).collect();
        let ids: Vec<_> = (0..last.len())
            .map(|index| self.watch.target(index))
            .map(|target| target.id.unwrap_or(target.asked))
            .collect();
        let runs = last.iter().flatten().any(|body| self.goal.runs(body));
        let missing = last.iter().any(Option::is_none);
        let goes_on = if runs { "; the operation goes on" } else { "" };
        self.stage.set_last_words(
            &format!("{}{goes_on}", states.join(", ")),
            Some(&self.hint.command(self.stage, &ids, missing)),
        );
    }
}
