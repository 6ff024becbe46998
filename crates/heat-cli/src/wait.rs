//! `heat-wait stack wait`: only follows; joins whatever runs.

use std::time::Duration;

use poll_core::{Baseline, GoneTwice, Judge, Observation, Quorum};
use wait_cli::options::Shape;
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure, duration};

use crate::args::Wait;
use crate::client::Client;
use crate::follow::{Following, follow};
use crate::goal::{Appearing, Goal, Look, StackJudge, Why};
use crate::names;
use crate::report::{self, Ended, Telling};
use crate::resolve;
use crate::status::Status;
use crate::watch::{Tracked, Watch};

pub(crate) fn run(args: &Wait, stage: &mut Stage<'_>) -> Result<Exit, Failure> {
    let names = names::distinct(&args.stacks)?;
    let shape = if names.len() == 1 {
        Shape::One
    } else {
        Shape::List
    };
    let layout = stage.layout(shape)?;
    report::check_columns(&layout, shape)?;
    check_since(args, &names)?;
    let appear = appear(args)?;

    let resume = stage.command(resume_words(args, &names, true));
    stage.set_last_words("what runs goes on", Some(&resume));
    let deadline = stage.deadline(names::DEADLINE);
    let session = stage.session(deadline)?;
    let client = Client::open(session, stage.clock)?;
    let found = names::look_up(&names, &client, deadline, stage)?;
    let (names, found) = names::once_each(names, found);
    let deadline = stage.deadline(names::default_deadline(&found));
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
    let resume = stage.command(resume_of(args, &watch));
    let following = Following {
        deadline,
        quorum: if args.any { Quorum::Any } else { Quorum::All },
        resume: &resume,
        awaited: Some(args.goal),
    };
    let ends = follow(&following, stage, &mut judges, &mut watch);
    let telling = Telling {
        client: &client,
        deadline,
        several: ends.len() > 1,
        taken: false,
    };
    let ended = report::tell(&telling, stage, &watch, &ends);
    if ended.iter().any(|one| one.open) {
        // What was seen only now is called by its id.
        let resume = stage.command(resume_of(args, &watch));
        stage
            .reporter
            .hint(&format!("go on waiting with: {resume}"));
    }
    // Of thousands, what was needed to follow them takes more than what is printed.
    drop((ends, watch, judges));
    report::print(stage, (&layout, shape), &ended)?;
    let exits: Vec<Exit> = ended.iter().map(|one: &Ended| one.exit).collect();
    Ok(if args.any {
        Exit::of_any(&exits)
    } else {
        Exit::of_all(exits)
    })
}

fn check_since(args: &Wait, names: &[&str]) -> Result<(), Failure> {
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
    // Only what is newer than the baseline counts: an own event after it, a status that runs, or that the stack is gone
    // for good, which nothing can follow.
    Box::new(Baseline::new(
        appearing,
        |seen: &Observation<Look>| match seen {
            Observation::Present(look) => {
                let runs = look.stack.status().is_some_and(Status::runs);
                look.fresh || runs || look.stack.is_deleted()
            }
            Observation::Gone => true,
        },
    ))
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
