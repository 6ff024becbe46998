//! `heat-wait stack wait`: only follows; joins whatever runs.

use std::time::Duration;

use os_identity::Error;
use poll_core::{
    Baseline, Deadline, Event, Fault, Finished, GoneTwice, Judge, Observation, Outcome, Quorum,
    Verdict, wait_all,
};
use serde_json::json;
use wait_cli::options::Shape;
use wait_cli::output::{Format, Layout};
use wait_cli::progress::Watched;
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure, duration, engine, failure};

use crate::args::Wait;
use crate::client::Client;
use crate::failures;
use crate::failures_list;
use crate::goal::{Appearing, Goal, Look, StackJudge, Why};
use crate::hooks;
use crate::model::{Stack, StackRef};
use crate::resolve::{self, Resolved};
use crate::show;
use crate::status::Status;
use crate::watch::{Tracked, Watch};

/// Heat's own limit of an action where the stack says nothing (heat.conf, `stack_action_timeout`).
const ACTION_TIMEOUT: Duration = Duration::from_secs(60 * 60);

/// So much later than Heat's own limit is ours, so that Heat's "Timed out" is seen first.
const GRACE: Duration = Duration::from_secs(5 * 60);

/// At the deadline, so many of the stacks that still run are looked through for hooks.
const HOOKS_LOOKED_FOR: usize = 5;

/// The last words are renewed at each change of status where so many stacks or fewer are waited for.
const WORDS_AT_ONCE: usize = 10;

type End = Finished<Look, Why, Error>;

pub(crate) fn run(args: &Wait, stage: &mut Stage<'_>) -> Result<Exit, Failure> {
    let names = distinct(&args.stacks);
    let shape = if names.len() == 1 {
        Shape::One
    } else {
        Shape::List
    };
    let layout = stage.layout(shape)?;
    check_columns(&layout, shape)?;
    check_since(args, &names)?;
    let appear = appear(args)?;

    let resume = stage.command(resume_words(args, &names, true));
    stage.set_last_words("what runs goes on", Some(&resume));
    let deadline = stage.deadline(ACTION_TIMEOUT + GRACE);
    let session = stage.session(deadline)?;
    let client = Client::open(session, stage.clock)?;
    let found = look_up(&names, &client, deadline, stage)?;
    let (names, found) = once_each(names, found);
    let deadline = stage.deadline(default_deadline(&found));
    client.set_deadline(deadline);

    let mut tracked = Vec::with_capacity(names.len());
    let mut judges = Vec::with_capacity(names.len());
    for (name, found) in names.iter().zip(found) {
        let there = found.is_some();
        // What is not there is looked for once more only where absence is what is waited for.
        judges.push(judge(args, stage, appear.unwrap_or_default(), there));
        tracked.push(Tracked::new(
            name,
            found,
            args.since.as_deref(),
            args.nested_depth,
        ));
    }
    let mut watch = Watch::new(&client, stage.reporter, args.goal, tracked);
    let ends = follow(args, stage, deadline, &mut judges, &mut watch);
    let layout = (&layout, shape);
    report(args, stage, &client, deadline, &watch, layout, &ends)
}

/// Two words for one stack are one.
fn once_each<'n>(
    names: Vec<&'n str>,
    found: Vec<Option<Resolved>>,
) -> (Vec<&'n str>, Vec<Option<Resolved>>) {
    let mut known = std::collections::HashSet::new();
    let pairs = names.into_iter().zip(found);
    pairs
        .filter(|(_, found)| match found {
            Some(found) => known.insert(found.stack.id.clone()),
            None => true,
        })
        .unzip()
}

/// The same name twice is one stack.
fn distinct(names: &[String]) -> Vec<&str> {
    let mut distinct: Vec<&str> = Vec::with_capacity(names.len());
    let mut known = std::collections::HashSet::new();
    distinct.extend(
        names
            .iter()
            .map(String::as_str)
            .filter(|name| known.insert(*name)),
    );
    distinct
}

/// What cannot be printed at the end is refused before the wait.
fn check_columns(layout: &Layout, shape: Shape) -> Result<(), Failure> {
    let blank = Stack::unseen("");
    match shape {
        Shape::One => show::one(layout, &blank, Some(Exit::Reached)),
        Shape::List => show::list(layout, &[(&blank, Exit::Reached)]),
    }
    .map(drop)
}

fn check_since(args: &Wait, names: &[&str]) -> Result<(), Failure> {
    if args.stacks.iter().any(|name| name.trim().is_empty()) {
        return Err(Failure::usage(
            "an empty word is no stack: give a name or an id",
        ));
    }
    match &args.since {
        Some(_) if names.len() > 1 => Err(Failure::usage(
            "--since: an event belongs to one stack, several were given",
        )),
        Some(event) if !resolve::is_id(event) => Err(Failure::usage(format!(
            "--since: '{event}' is no id of an event (see heat-wait stack event list)"
        ))),
        _ => Ok(()),
    }
}

fn appear(args: &Wait) -> Result<Option<Duration>, Failure> {
    let Some(text) = &args.appear else {
        return Ok(None);
    };
    let limit = duration::parse_or_none(text)
        .map_err(|message| Failure::usage(format!("--appear: {message}")))?;
    Ok(Some(limit.unwrap_or(Duration::MAX)))
}

/// All names are looked up before anything is waited for. What is not found is `None`.
fn look_up(
    names: &[&str],
    client: &Client<'_>,
    deadline: Deadline,
    stage: &Stage<'_>,
) -> Result<Vec<Option<Resolved>>, Failure> {
    let policy = stage.retries(deadline);
    let mut found = match names {
        [_] => vec![None],
        several => engine::persist(
            &policy,
            stage.clock,
            stage.reporter,
            "looking the stacks up",
            &mut |budget| {
                match resolve::by_list(client, several, budget) {
                    // Who may not list may still look at each.
                    Err(Fault::Refused(error)) if error.status() == Some(403) => {
                        Ok(vec![None; several.len()])
                    }
                    found => found,
                }
            },
        )?,
    };
    for (name, slot) in names.iter().zip(&mut found) {
        if slot.is_none() {
            let what = format!("stack {name}");
            *slot = engine::persist(&policy, stage.clock, stage.reporter, &what, &mut |budget| {
                resolve::one(client, name, budget)
            })?;
        }
    }
    Ok(found)
}

/// The stack's own limit and some grace, twice that where a rollback may follow; the longest of several.
fn default_deadline(found: &[Option<Resolved>]) -> Duration {
    let of = |stack: &Stack| {
        let limit = stack.timeout_mins().map_or(ACTION_TIMEOUT, |minutes| {
            Duration::from_secs(minutes.saturating_mul(60))
        });
        let limit = limit.saturating_add(GRACE);
        if stack.rolls_back() == Some(true) {
            limit.saturating_mul(2)
        } else {
            limit
        }
    };
    let seen = found
        .iter()
        .flatten()
        .filter_map(|found| found.seen.as_ref());
    seen.map(of).max().unwrap_or(ACTION_TIMEOUT + GRACE)
}

type StackJudges = Vec<Box<dyn Judge<Look, Why = Why>>>;

fn judge(
    args: &Wait,
    stage: &Stage<'_>,
    appear: Duration,
    there: bool,
) -> Box<dyn Judge<Look, Why = Why>> {
    let timing = &stage.timing;
    let inner = StackJudge::new(args.goal, args.conditions.clone(), timing.settle);
    let gap = timing.period.shortest().min(Duration::from_secs(1));
    // Absence is the goal, for a name, too.
    let there = there || args.goal == Goal::Deleted;
    let appearing = Appearing::new(GoneTwice::new(inner, gap), appear, there);
    if args.since.is_none() {
        return Box::new(appearing);
    }
    // Only what is newer than the baseline counts: an own event after it, or a status that runs.
    Box::new(Baseline::new(
        appearing,
        |seen: &Observation<Look>| match seen {
            Observation::Present(look) => {
                look.fresh || look.stack.status().is_some_and(Status::runs)
            }
            Observation::Gone => true,
        },
    ))
}

fn follow(
    args: &Wait,
    stage: &Stage<'_>,
    deadline: Deadline,
    judges: &mut StackJudges,
    watch: &mut Watch<'_, '_>,
) -> Vec<End> {
    let reporter = stage.reporter;
    let labels: Vec<String> = watch.tracked().iter().map(Tracked::label).collect();
    reporter.watching(
        labels
            .iter()
            .map(|label| Watched {
                label: label.clone(),
                status: String::new(),
                done: false,
            })
            .collect(),
    );
    let resume = stage.command(resume_of(args, watch));
    let statuses = watch.tracked().iter().map(|one| one.last());
    let mut statuses: Vec<String> = statuses
        .map(|last| last.map_or_else(String::new, |stack| stack.status_text().to_owned()))
        .collect();
    stage.set_last_words(&going_on(&labels, &statuses), Some(&resume));
    let mut hinted = false;
    let mut stale = false;
    let mut on_event = |event: Event<'_, Look, Why, Error>| {
        if let Event::Seen {
            index,
            seen,
            verdict,
        } = &event
        {
            let status = match seen {
                Observation::Present(look) => look.stack.status_text(),
                Observation::Gone => "gone",
            };
            let done = !matches!(verdict, Verdict::Pending { .. });
            reporter.status(*index, status, done);
            if let Some(slot) = statuses.get_mut(*index) {
                if slot != status {
                    status.clone_into(slot);
                    // Of a few, at once; of many, when the round is over: the words name them all.
                    stale = labels.len() > WORDS_AT_ONCE;
                    if !stale {
                        stage.set_last_words(&going_on(&labels, &statuses), Some(&resume));
                    }
                }
            }
            if let (Observation::Present(look), Verdict::Pending { .. }, false) =
                (seen, verdict, hinted)
            {
                hinted = true;
                say_what_is_waited_for(args.goal, look, labels.get(*index), stage);
            }
        }
        if matches!(event, Event::Pause(_)) && std::mem::take(&mut stale) {
            stage.set_last_words(&going_on(&labels, &statuses), Some(&resume));
        }
        engine::report(reporter, &labels, &event);
    };
    let policy = stage.timing.policy(deadline, stage.seed);
    let quorum = if args.any { Quorum::Any } else { Quorum::All };
    let ends = wait_all(
        &policy,
        stage.clock,
        judges,
        quorum,
        &mut |due, at| watch.round(due, at),
        &mut on_event,
    );
    if stale {
        stage.set_last_words(&going_on(&labels, &statuses), Some(&resume));
    }
    ends
}

/// A stack that stands still where an action is waited for looks like a hang: it is said once.
fn say_what_is_waited_for(goal: Goal, look: &Look, label: Option<&String>, stage: &Stage<'_>) {
    let stands = look.stack.status().is_some_and(|status| !status.runs());
    let (Goal::Action(_) | Goal::Deleted, true, Some(label)) = (goal, stands, label) else {
        return;
    };
    stage.reporter.note(&format!(
        "{label} stands at {}; waiting for {} to begin",
        look.stack.status_text(),
        goal.word()
    ));
}

/// What the last words say of the stacks.
fn going_on(labels: &[String], statuses: &[String]) -> String {
    let shown: Vec<String> = labels
        .iter()
        .zip(statuses)
        .filter(|(_, status)| !status.is_empty())
        .take(3)
        .map(|(label, status)| format!("{label} is {status}"))
        .collect();
    let more = if labels.len() > shown.len() {
        ", …"
    } else {
        ""
    };
    if shown.is_empty() {
        return "what runs goes on".to_owned();
    }
    format!("{}{more}; what runs goes on", shown.join(", "))
}

/// The words after the program's name that go on with this wait: by id, and right even when all has ended meanwhile.
fn resume_of(args: &Wait, watch: &Watch<'_, '_>) -> Vec<String> {
    let tracked = watch.tracked();
    let called = tracked
        .iter()
        .map(|one| one.stack().map_or(one.name(), |stack| &stack.id));
    let missing = tracked.iter().any(|one| one.stack().is_none());
    resume_words(args, &called.collect::<Vec<_>>(), missing)
}

/// The same for stacks that are called so; `missing`: one of them was not seen yet.
fn resume_words(args: &Wait, stacks: &[&str], missing: bool) -> Vec<String> {
    let mut words = vec!["stack".to_owned(), "wait".to_owned()];
    words.extend(stacks.iter().map(|&stack| stack.to_owned()));
    words.extend(["--for".to_owned(), args.goal.word()]);
    if let (Some(limit), true) = (&args.appear, missing) {
        words.push(format!("--appear={limit}"));
    }
    if args.nested_depth > 0 {
        words.extend(["--nested-depth".to_owned(), args.nested_depth.to_string()]);
    }
    words.extend(
        args.since
            .iter()
            .flat_map(|event| ["--since".to_owned(), event.clone()]),
    );
    for condition in &args.conditions {
        words.extend([
            "--and".to_owned(),
            format!("{}={}", condition.field, condition.value),
        ]);
    }
    if args.any {
        words.push("--any".to_owned());
    }
    words
}

/// Says how each ended, prints the result, and makes the exit code of it all.
fn report(
    args: &Wait,
    stage: &mut Stage<'_>,
    client: &Client<'_>,
    deadline: Deadline,
    watch: &Watch<'_, '_>,
    (layout, shape): (&Layout, Shape),
    ends: &[End],
) -> Result<Exit, Failure> {
    let exits: Vec<Exit> = ends.iter().map(exit_of).collect();
    let resume = stage.command(resume_of(args, watch));
    let mut goes_on = false;
    let until = reported_until(stage, deadline);
    let (mut left_out, mut hooks_left) = (0_usize, HOOKS_LOOKED_FOR);
    for ((end, exit), one) in ends.iter().zip(&exits).zip(watch.tracked()) {
        goes_on |= explain(stage, one, end, *exit, ends.len() > 1);
        let runs = one.last().and_then(Stack::status).is_some_and(Status::runs);
        match (one.stack(), *exit) {
            (Some(_), Exit::Failed) if until.has_come(stage.clock.now()) => left_out += 1,
            (Some(stack), Exit::Failed) => show_causes(stage, client, until, stack),
            (Some(stack), Exit::Deadline) if runs && hooks_left > 0 => {
                hooks_left -= 1;
                show_hooks(stage, client, until, stack);
            }
            _ => {}
        }
        stage.reporter.result(result_fields(one, end, *exit));
    }
    if left_out > 0 {
        stage.reporter.note(&format!(
            "the deadline has come: what failed inside {left_out} of the stacks is left out"
        ));
    }
    if goes_on {
        stage
            .reporter
            .hint(&format!("go on waiting with: {resume}"));
    }
    let exit = if args.any {
        Exit::of_any(&exits)
    } else {
        Exit::of_all(exits.iter().copied())
    };
    // In JSON the outcome of each is told, also of one that was never seen.
    let unseen: Vec<Option<Stack>> = watch
        .tracked()
        .iter()
        .map(|one| (layout.format == Format::Json).then(|| Stack::unseen(one.name())))
        .collect();
    let shown: Vec<(&Stack, Exit)> = ends
        .iter()
        .zip(&exits)
        .zip(watch.tracked().iter().zip(&unseen))
        .filter_map(|((end, exit), (one, unseen))| {
            Some((stack_of(end, one).or(unseen.as_ref())?, *exit))
        })
        .collect();
    let text = match (shape, shown.as_slice()) {
        (Shape::One, [(stack, exit)]) => {
            show::one(layout, stack, (*exit != Exit::Reached).then_some(*exit))?
        }
        (Shape::One, _) => String::new(),
        (Shape::List, shown) => show::list(layout, shown)?,
    };
    if !text.is_empty() {
        stage.print(&text)?;
    }
    Ok(exit)
}

fn exit_of(end: &End) -> Exit {
    match &end.outcome {
        Outcome::Failed(_, why) if why.missing => Exit::NotFound,
        outcome => Exit::of_outcome(outcome, failure::exit_of),
    }
}

/// The stack as it was last known.
fn stack_of<'e>(end: &'e End, one: &'e Tracked) -> Option<&'e Stack> {
    let seen = match &end.outcome {
        Outcome::Reached(seen, _) | Outcome::Failed(seen, _) => Some(seen),
        Outcome::TimedOut(seen, _) | Outcome::GaveUp(_, seen) | Outcome::Left(seen) => {
            seen.as_ref()
        }
    };
    match seen {
        Some(Observation::Present(look)) => Some(&look.stack),
        _ => one.last(),
    }
}

/// Says how one ended. True: it may go on, and a hint is due.
fn explain(stage: &Stage<'_>, one: &Tracked, end: &End, exit: Exit, several: bool) -> bool {
    let label = one.label();
    let reporter = stage.reporter;
    let status = one.last().map(Stack::status_text).unwrap_or_default();
    let runs = one.last().and_then(Stack::status).is_some_and(Status::runs);
    let goes_on = if runs { "; the operation goes on" } else { "" };
    let fail = |text: String| reporter.failure(&Failure::new(exit, text));
    match &end.outcome {
        Outcome::Reached(Observation::Gone, _) if one.stack().is_none() => {
            reporter.note(&format!("{label} does not exist: nothing to wait for"));
            false
        }
        Outcome::Reached(_, why) => {
            if several {
                reporter.note(&format!("{label}: {}", said(why)));
            }
            false
        }
        Outcome::Failed(_, why) => {
            fail(format!("{label}: {}", said(why)));
            false
        }
        Outcome::TimedOut(_, Some(error)) => {
            fail(format!(
                "{label}: its state is unknown at the deadline: {}",
                failure::chain(error)
            ));
            true
        }
        Outcome::TimedOut(None, None) => {
            fail(format!("{label}: the deadline came before it was seen"));
            true
        }
        Outcome::TimedOut(Some(_), None) => {
            fail(format!("{label}: still {status} at the deadline{goes_on}"));
            true
        }
        // Wrong arguments that only the service could tell.
        Outcome::GaveUp(error, _) if exit == Exit::Usage => {
            fail(failure::chain(error));
            false
        }
        Outcome::GaveUp(error, _) => {
            fail(format!(
                "{label}: its state is unknown: {}{goes_on}",
                failure::chain(error)
            ));
            if let Some(hint) = error.hint() {
                reporter.hint(hint);
            }
            true
        }
        Outcome::Left(_) => false,
    }
}

fn said(why: &Why) -> String {
    match (why.status.as_str(), why.text.as_str()) {
        ("", text) => text.to_owned(),
        (status, "") => status.to_owned(),
        (status, text) => format!("{status}: {text}"),
    }
}

/// What failed inside, the cause first. Whatever happens here, the verdict stands.
fn show_causes(stage: &Stage<'_>, client: &Client<'_>, until: Deadline, stack: &StackRef) {
    let budget = || until.left(stage.clock.now());
    match failures::causes(client, stack, budget()) {
        Ok(causes) => {
            let mut causes = causes.unwrap_or_default();
            failures_list::tell_causes(&mut causes, stage, &mut |cause| {
                failures::ask_deployment(client, cause, budget())
            });
            if causes.iter().all(|cause| cause.consequence) {
                show_hooks(stage, client, until, stack);
            }
        }
        Err(fault) => stage.reporter.note(&format!(
            "the failed resources cannot be read: {}",
            failure::chain(fault.error())
        )),
    }
}

/// Until when ends are explained: the deadline, and where it has come the time of a last round, for all of them.
fn reported_until(stage: &Stage<'_>, deadline: Deadline) -> Deadline {
    match deadline {
        Deadline::At(point) => {
            let grace = poll_core::Policy::default().last_round;
            Deadline::At(point.max(stage.clock.now().saturating_add(grace)))
        }
        Deadline::Never => Deadline::Never,
    }
}

/// What waits for somebody may be why nothing else happened.
fn show_hooks(stage: &Stage<'_>, client: &Client<'_>, until: Deadline, stack: &StackRef) {
    let now = stage.clock.now();
    if until.has_come(now) {
        return;
    }
    if let Ok(paused) = hooks::paused(client, stack, until.left(now)) {
        failures_list::tell_hooks(&paused, stage);
    }
}

fn result_fields(
    one: &Tracked,
    end: &End,
    exit: Exit,
) -> serde_json::Map<String, serde_json::Value> {
    let stack = stack_of(end, one);
    let fields = json!({
        "outcome": exit.name(),
        "exit": exit.code(),
        "id": one.stack().map(|stack| &stack.id),
        "name": one.stack().map(|stack| &stack.name),
        "status": stack.map(Stack::status_text),
        "reason": stack.map(Stack::reason),
        "newest_event": one.newest_event(),
        "elapsed": end.elapsed.as_secs_f64(),
    });
    match fields {
        serde_json::Value::Object(fields) => fields,
        _ => serde_json::Map::new(),
    }
}
