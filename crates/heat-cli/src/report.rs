//! How waits ended: one line each, the cause of a failure, and the result in the client's columns.

use poll_core::{Deadline, Observation, Outcome};
use serde_json::json;
use wait_cli::options::Shape;
use wait_cli::output::{Format, Layout};
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure, failure};

use crate::client::Client;
use crate::failures;
use crate::failures_list;
use crate::follow::End;
use crate::goal::Why;
use crate::hooks;
use crate::model::{Stack, StackRef};
use crate::show;
use crate::status::Status;
use crate::watch::{Tracked, Watch};

/// At the deadline, so many of the stacks that still run are looked through for hooks.
const HOOKS_LOOKED_FOR: usize = 5;

/// How it ended for one stack.
pub(crate) struct Ended {
    /// What was typed.
    pub(crate) name: String,
    /// As it was known last.
    pub(crate) stack: Option<Stack>,
    pub(crate) exit: Exit,
    /// It may go on: a hint is due.
    pub(crate) open: bool,
}

/// What is told beside the ends themselves.
pub(crate) struct Telling<'t, 's> {
    pub(crate) client: &'t Client<'s>,
    pub(crate) deadline: Deadline,
    /// Good ends have a line each.
    pub(crate) several: bool,
    /// A change was taken: it may be carried out though nothing of it was seen.
    pub(crate) taken: bool,
}

/// Says how each ended, and why.
pub(crate) fn tell(
    telling: &Telling<'_, '_>,
    stage: &Stage<'_>,
    watch: &Watch<'_, '_>,
    ends: &[End],
) -> Vec<Ended> {
    let client = telling.client;
    let until = reported_until(stage, telling.deadline);
    let (mut left_out, mut hooks_left) = (0_usize, HOOKS_LOOKED_FOR);
    let mut told = Vec::with_capacity(ends.len());
    for (end, one) in ends.iter().zip(watch.tracked()) {
        let exit = exit_of(end);
        let open = explain(stage, one, end, exit, telling);
        let runs = one.last().and_then(Stack::status).is_some_and(Status::runs);
        match (one.stack(), exit) {
            (Some(_), Exit::Failed) if until.has_come(stage.clock.now()) => left_out += 1,
            (Some(stack), Exit::Failed) => show_causes(stage, client, until, stack),
            (Some(stack), Exit::Deadline) if runs && hooks_left > 0 => {
                hooks_left -= 1;
                show_hooks(stage, client, until, stack);
            }
            _ => {}
        }
        stage.reporter.result(result_fields(one, end, exit));
        told.push(Ended {
            name: one.name().to_owned(),
            stack: stack_of(end, one).cloned(),
            exit,
            open,
        });
    }
    if left_out > 0 {
        stage.reporter.note(&format!(
            "the deadline has come: what failed inside {left_out} of the stacks is left out"
        ));
    }
    told
}

/// Prints the stacks. In JSON the outcome of each is told, also of one that was never seen.
///
/// # Errors
/// A column that is none; an output that cannot be written.
pub(crate) fn print(
    stage: &mut Stage<'_>,
    (layout, shape): (&Layout, Shape),
    ended: &[Ended],
) -> Result<(), Failure> {
    let unseen: Vec<Option<Stack>> = ended
        .iter()
        .map(|one| (layout.format == Format::Json).then(|| Stack::unseen(&one.name)))
        .collect();
    let shown: Vec<(&Stack, Exit)> = ended
        .iter()
        .zip(&unseen)
        .filter_map(|(one, unseen)| Some((one.stack.as_ref().or(unseen.as_ref())?, one.exit)))
        .collect();
    let text = match (shape, shown.as_slice()) {
        (Shape::One, [(stack, exit)]) => {
            show::one(layout, stack, (*exit != Exit::Reached).then_some(*exit))?
        }
        (Shape::One, _) => String::new(),
        (Shape::List, shown) => show::list(layout, shown)?,
    };
    if text.is_empty() {
        return Ok(());
    }
    stage.print(&text)
}

/// What cannot be printed at the end is refused before the wait.
///
/// # Errors
/// A column that is none.
pub(crate) fn check_columns(layout: &Layout, shape: Shape) -> Result<(), Failure> {
    let blank = Stack::unseen("");
    match shape {
        Shape::One => show::one(layout, &blank, Some(Exit::Reached)),
        Shape::List => show::list(layout, &[(&blank, Exit::Reached)]),
    }
    .map(drop)
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
fn explain(
    stage: &Stage<'_>,
    one: &Tracked,
    end: &End,
    exit: Exit,
    telling: &Telling<'_, '_>,
) -> bool {
    let label = one.label();
    let reporter = stage.reporter;
    let status = one.last().map(Stack::status_text).unwrap_or_default();
    let runs = one.last().and_then(Stack::status).is_some_and(Status::runs);
    let goes_on = match (runs, telling.taken) {
        (true, _) => "; the operation goes on",
        (false, true) => "; the request was taken and may still be carried out",
        (false, false) => "",
    };
    let fail = |text: String| reporter.failure(&Failure::new(exit, text));
    match &end.outcome {
        Outcome::Reached(Observation::Gone, _) if one.stack().is_none() => {
            reporter.note(&format!("{label} does not exist: nothing to wait for"));
            false
        }
        Outcome::Reached(_, why) => {
            if telling.several {
                reporter.note(&format!("{label}: {}", said(why)));
            }
            false
        }
        Outcome::Failed(_, why) => {
            fail(format!("{label}: {}", said(why)));
            if let Some(limit) = limit_of(one, why) {
                reporter.note(&limit);
            }
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

/// Heat's word for its own limit does not say what the limit is.
fn limit_of(one: &Tracked, why: &Why) -> Option<String> {
    let minutes = one.last()?.timeout_mins()?;
    let unit = if minutes == 1 { "minute" } else { "minutes" };
    why.text
        .to_ascii_lowercase()
        .contains("timed out")
        .then(|| {
            format!(
                "{} has a limit of {minutes} {unit} for each operation (--timeout)",
                one.label()
            )
        })
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

/// Until when ends are explained: the deadline and the time of a last round, which the last look has used as well. A wait
/// that looks once has that time for itself.
fn reported_until(stage: &Stage<'_>, deadline: Deadline) -> Deadline {
    match deadline {
        Deadline::At(point) => {
            let grace = poll_core::Policy::default().last_round;
            let from = if stage.timing.looks_once() {
                point.max(stage.clock.now())
            } else {
                point
            };
            Deadline::At(from.saturating_add(grace))
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
