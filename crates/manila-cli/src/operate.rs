//! An operation from its arguments to its true end: plan, baseline, change, wait, report.

use std::time::Duration;

use poll_core::Deadline;
use wait_cli::options::Shape;
use wait_cli::output::Layout;
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure, duration, engine};

use crate::after::{After, tell};
use crate::client::{Body, Client};
use crate::ended::{self, Ended};
use crate::follow::{Start, follow_from};
use crate::goal::Goal;
use crate::kind::ACCESS;
use crate::lookup::id_of;
use crate::operation::change::default_goal;
use crate::operation::{Change, Given, On, Operation};
use crate::plan::{Planned, label, needed, plan};
use crate::result;
use crate::resume::Resume;
use crate::send::{Parcel, Sender, Sent, created};
use crate::watch::{Looks, Watch};
use crate::words::Meaning;

/// An error of a replica heals within one cycle of the replication, if it does.
const HEALS_WITHIN: Duration = Duration::from_secs(6 * 60);

/// How long the key of a rule that is active is asked for.
const KEY_WITHIN: Duration = Duration::from_secs(30);

/// One change that was taken.
struct Running {
    planned: Planned,
    /// What is waited on, as far as it is known.
    body: Body,
    /// Its state before, where an end counts only once it was left.
    before: Option<Body>,
    /// It was in a list of so many rows, and the service says that it removes it.
    leaves: Option<usize>,
}

/// Runs an operation.
///
/// # Errors
/// What kept it from beginning; for one resource also what it was refused for.
pub fn run<'s>(
    operation: &'static Operation,
    given: &Given,
    stage: &mut Stage<'s>,
) -> Result<Exit, Failure> {
    let layout = stage.layout(Shape::One)?;
    given.not_both("--wait", "--no-wait")?;
    let tolerate = given.raw("--tolerate-error");
    let span = tolerate
        .map(|text| {
            duration::parse(text)
                .map_err(|message| Failure::usage(format!("--tolerate-error: {message}")))
        })
        .transpose()?
        .unwrap_or_default();
    stage.set_last_words("nothing was sent", None);
    let deadline = stage.deadline(operation.waits_on.deadline);
    let client = Client::open(stage, deadline)?;
    needed(&client, operation, given)?;
    let mut exits = Vec::new();
    let plan = plan(operation, given, &client, stage, deadline, &mut exits)?;
    let mut run = Run {
        operation,
        given,
        client: &client,
        deadline,
        tolerate,
        span,
        exits,
    };
    let since = client.service_time();
    let running = run.send_all(plan, stage)?;
    if given.flag("--no-wait") {
        for one in running.iter().filter(|_| operation.prints) {
            let text = result::of_answer(
                operation.waits_on,
                &one.body,
                operation.words,
                layout.clone(),
            )?;
            stage.print(&text)?;
        }
        return Ok(Exit::of_all(run.exits));
    }
    if running.is_empty() {
        return Ok(Exit::of_all(run.exits));
    }
    let ends = run.wait_all(&running, stage);
    let mut after = After::begin(&client, deadline, stage);
    after.since = since;
    run.report(ends, &after, layout, stage)
}

/// What the steps of a run have in common.
struct Run<'r, 's> {
    operation: &'static Operation,
    given: &'r Given,
    client: &'r Client<'s>,
    deadline: Deadline,
    tolerate: Option<&'r str>,
    span: Duration,
    /// The codes of those that have their verdict.
    exits: Vec<Exit>,
}

impl<'s> Run<'_, 's> {
    /// Sends the changes one by one. What is refused has its verdict.
    fn send_all(&mut self, plan: Vec<Planned>, stage: &Stage<'s>) -> Result<Vec<Running>, Failure> {
        let mut running: Vec<Running> = Vec::new();
        for planned in plan {
            let label = label(&planned, self.operation);
            let resume = self.resume(&planned.change, Vec::new());
            let command = |id: &str| resume.command(stage, &[id.to_owned()], false);
            let known = match &planned.change.on {
                On::Old(body) => Some(command(&id_of(body))),
                On::New(..) => None,
            };
            let on_its_way = format!("{label}: it is not known whether the request was taken");
            let last_words = |is_on_its_way: bool| {
                if is_on_its_way {
                    stage.set_last_words(&on_its_way, known.as_deref());
                } else {
                    self.words_of(&running, stage);
                }
            };
            let sender = Sender {
                client: self.client,
                stage,
                deadline: self.deadline,
                when_idle: self.given.flag("--when-idle"),
                experimental: self.operation.experimental.is_needed(self.client.version()),
            };
            let target = planned.target.as_ref().map(|(kind, body)| (*kind, body));
            let parcel = Parcel {
                change: &planned.change,
                label: &label,
                target,
                resume: &command,
                last_words: &last_words,
            };
            let sent = sender.send(&parcel);
            let is_unknown = sent
                .as_ref()
                .is_err_and(|failure| failure.exit == Exit::Unknown);
            match sent {
                Ok(sent) => running.extend(begun(planned, sent)),
                Err(failure) => {
                    let known = match &planned.change.on {
                        On::Old(body) => Some(body),
                        On::New(..) => None,
                    };
                    let kind = planned.change.goal.kind;
                    let line = ended::not_begun(kind, &planned.asked, known, &failure);
                    stage.reporter.result(line);
                    stage.reporter.failure(&failure);
                    self.exits.push(failure.exit);
                }
            }
            // What is not known stays the last word.
            if !is_unknown {
                self.words_of(&running, stage);
            }
        }
        Ok(running)
    }

    /// What a signal makes the program say between two requests.
    fn words_of(&self, running: &[Running], stage: &Stage<'s>) {
        let ids: Vec<String> = running.iter().map(|one| id_of(&one.body)).collect();
        match running.first() {
            Some(first) => {
                let resume = self.resume(&first.planned.change, ids.clone());
                let hint = resume.command(stage, &ids, false);
                stage.set_last_words("the operation goes on", Some(&hint));
            }
            None => stage.set_last_words("nothing was changed", None),
        }
    }

    fn resume(&self, change: &Change, ids: Vec<String>) -> Resume {
        let share = change
            .share
            .as_deref()
            .filter(|_| self.client.version() < crate::kind::ACCESS_BY_ID);
        Resume::of_goal(&change.goal, ids, share, self.tolerate)
    }

    /// Waits for all that was taken, and for what must be usable again afterwards.
    fn wait_all(&self, running: &[Running], stage: &Stage<'s>) -> Vec<(Goal, Resume, Vec<Ended>)> {
        let Some(first) = running.first() else {
            return Vec::new();
        };
        let goal = Goal {
            tolerate: self.span,
            ..first.planned.change.goal.clone()
        };
        let bodies: Vec<_> = running.iter().map(|one| (&one.body, one.leaves)).collect();
        let before = running.iter().map(|one| one.before.clone()).collect();
        let start = Start {
            before,
            settle: settle(&goal, &first.before, stage),
        };
        let (resume, mut ends) = self.follow(&goal, &first.planned.change, &bodies, start, stage);
        self.read_key(&mut ends, stage);
        let mut all = Vec::new();
        let reached = ends.iter().all(|end| end.exit == Exit::Reached);
        let also = first.planned.change.also.as_ref().filter(|_| reached);
        all.push((goal, resume, ends));
        if let Some(also) = also {
            let goal = default_goal(also.kind);
            let body = Body::from_iter([("id".to_owned(), also.id.as_str().into())]);
            let start = Start {
                before: vec![None],
                settle: Duration::ZERO,
            };
            let change = Change {
                goal: goal.clone(),
                share: None,
                ..first.planned.change.clone()
            };
            let (resume, ends) = self.follow(&goal, &change, &[(&body, None)], start, stage);
            all.push((goal, resume, ends));
        }
        all
    }

    fn follow(
        &self,
        goal: &Goal,
        change: &Change,
        bodies: &[(&Body, Option<usize>)],
        start: Start,
        stage: &Stage<'s>,
    ) -> (Resume, Vec<Ended>) {
        let ids: Vec<String> = bodies.iter().map(|(body, _)| id_of(body)).collect();
        let fields = goal
            .fields()
            .into_iter()
            .skip(1)
            .map(str::to_owned)
            .collect();
        let looks = Looks {
            share: change.share.clone(),
            wide: false,
            fields,
        };
        let watch = Watch::new(self.client, stage.clock, goal.kind, &ids, looks);
        for (index, (body, leaves)) in bodies.iter().enumerate() {
            watch.knows(index, body);
            if let Some(rows) = leaves {
                watch.leaves(index, *rows);
            }
        }
        let resume = self.resume(change, ids);
        let ends = follow_from(goal, false, &watch, &resume, stage, self.deadline, start);
        (resume, ends)
    }

    /// The key of a CephX user comes with the end, and is part of the result: the rule is read once more.
    fn read_key(&self, ends: &mut [Ended], stage: &Stage<'s>) {
        for end in ends.iter_mut().filter(|end| end.exit == Exit::Reached) {
            let Some(body) = end.body.as_ref() else {
                continue;
            };
            let is_cephx = body.get("access_type").and_then(|kind| kind.as_str()) == Some("cephx");
            if !is_cephx || body.get("access_key").is_some_and(|key| !key.is_null()) {
                continue;
            }
            let id = id_of(body);
            let what = format!("the key of {}", end.label);
            let until = Deadline::after(stage.clock.now(), KEY_WITHIN);
            let until = match (until, self.deadline) {
                (Deadline::At(until), Deadline::At(point)) => Deadline::At(until.min(point)),
                (until, _) => until,
            };
            let read = engine::persist(
                &stage.retries(until),
                stage.clock,
                stage.reporter,
                &what,
                &mut |budget| self.client.one(&ACCESS, &id, budget),
            );
            match read {
                Ok(Some(body)) => end.body = Some(body.into()),
                Ok(None) => {}
                Err(failure) => stage
                    .reporter
                    .note(&format!("it cannot be read: {}", failure.message)),
            }
        }
    }

    /// Says how each ended and prints the result.
    fn report(
        mut self,
        mut all: Vec<(Goal, Resume, Vec<Ended>)>,
        after: &After<'_, '_>,
        layout: Layout,
        stage: &mut Stage<'s>,
    ) -> Result<Exit, Failure> {
        let abandons = self.operation.words.last() == Some(&"abandon");
        for (goal, resume, ends) in &mut all {
            for end in ends
                .iter_mut()
                .filter(|end| abandons && end.exit == Exit::Reached)
            {
                end.message = Some(format!("{}: not managed any more", end.label));
            }
            tell(goal, ends, after, resume, stage);
            self.exits.extend(ends.iter().map(|end| end.exit));
        }
        let exit = Exit::of_all(self.exits.iter().copied());
        let end = all.first_mut().and_then(|(_, _, ends)| ends.first_mut());
        let Some(end) = end.filter(|_| self.operation.prints) else {
            return Ok(exit);
        };
        // The verdict of the whole, what must be usable again included.
        end.exit = exit;
        end.outcome = exit.name();
        let text = result::of_operation(self.operation.waits_on, end, self.operation.words, layout);
        let printed = text.and_then(|text| text.map_or(Ok(()), |text| stage.print(&text)));
        match printed {
            Err(failure) if exit != Exit::Reached => {
                stage.reporter.failure(&failure);
                Ok(exit)
            }
            printed => printed.map(|()| exit),
        }
    }
}

/// How long an unproved end is not believed. A resync of a replica in error says nothing before it helps.
fn settle(goal: &Goal, before: &Option<Body>, stage: &Stage<'_>) -> Duration {
    let settle = stage.timing.settle;
    let is_bad = before.as_ref().is_some_and(|before| {
        crate::goal::word_of(before, "replica_state")
            .is_some_and(|word| crate::words::REPLICA_STATE.meaning(&word) == Meaning::Failed)
    });
    let is_resync = goal.and.is_empty() && goal.fields().contains(&"replica_state");
    if is_bad && is_resync {
        settle.max(HEALS_WITHIN)
    } else {
        settle
    }
}

/// What is waited for now that a change was taken. `None`: nothing, which an answer that was read does not give.
fn begun(planned: Planned, sent: Sent) -> Option<Running> {
    let kind = planned.change.goal.kind;
    let is_said = !matches!(sent, Sent::Proved);
    let leaves = planned
        .listed
        .filter(|_| is_said && planned.change.removes());
    let (body, before) = match (&planned.change.on, sent) {
        (On::New(..), Sent::Taken(answer)) => (created(kind, answer.as_ref())?, None),
        (On::New(..), Sent::Proved | Sent::Joined) => return None,
        (On::Old(body), Sent::Taken(_) | Sent::Proved) => (body.clone(), Some(body.clone())),
        (On::Old(body), Sent::Joined) => (body.clone(), None),
    };
    Some(Running {
        planned,
        body,
        before,
        leaves,
    })
}
