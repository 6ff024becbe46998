//! One cell: a run with a fault at a step, and everything that must hold for it.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::Duration;

use sim_cloud::{Seen, Service};

use crate::fault::{How, Place, REQUEST_TIMEOUT, named};
use crate::harness::{Ended, World};
use crate::step::{PASSWORD, Program, Step, world};
use crate::table::Expected;

/// Every deadline may be overrun by so much: the last round's time and what its end costs.
const GRACE: Duration = Duration::from_millis(500);
/// The deadline of a fault that stays, where nothing waits in real time.
const DEADLINE: Duration = Duration::from_secs(300);
/// From the step on, where the client waits in real time.
const SHORT: Duration = Duration::from_millis(300);

/// An undisturbed run of each command, by what makes it differ.
#[derive(Default)]
pub(crate) struct Dry(Mutex<BTreeMap<(Program, Step), Vec<Seen>>>);

impl Dry {
    fn log(&self, program: Program, step: Step) -> Vec<Seen> {
        let known = self.0.lock().unwrap().get(&(program, step)).cloned();
        known.unwrap_or_else(|| {
            let ended = world(program, step, None, "127.0.0.1").run(step.words(program).unwrap());
            let exit = if step == Step::Report { 1 } else { 0 };
            let log = ended.exits(exit).requests;
            self.0.lock().unwrap().insert((program, step), log.clone());
            log
        })
    }
}

/// Runs it. `Err`: everything that is wrong, and what happened. Where the client waits with its real clock, a machine that
/// is busy can make it late: the best of three counts.
pub(crate) fn run(
    expected: &Expected,
    dry: &Dry,
    elsewhere: &World,
    mark: &str,
) -> Result<(), String> {
    let tries = if named(expected.fault).is_hang() {
        3
    } else {
        1
    };
    let mut end = Ok(());
    for _ in 0..tries {
        end = once(expected, dry, elsewhere, mark);
        if end.is_ok() {
            break;
        }
    }
    end
}

fn once(expected: &Expected, dry: &Dry, elsewhere: &World, mark: &str) -> Result<(), String> {
    let (program, step) = (expected.program, expected.step);
    let how = named(expected.fault);
    let log = dry.log(program, step);
    let at = step.find(program, &log);
    let service = step.service(program);
    let nth = log
        .iter()
        .take(at)
        .filter(|seen| seen.service == service)
        .count();
    let mut world = world(program, step, how.tls(), how.host());
    let other = elsewhere.url(Service::Heat);
    let place = Place {
        program,
        step,
        stays: expected.stays,
        at,
        nth,
        path: &log[at].request.path,
        elsewhere: &other,
        mark,
    };
    how.strike(&mut world, &place);
    let began = log.first().map_or(Duration::ZERO, |seen| seen.time);
    let deadline = deadline(&how, expected.stays, log[at].time - began);
    let request_timeout = if how.is_hang() && expected.stays {
        "3s"
    } else {
        REQUEST_TIMEOUT
    };
    let timeout = if how.is_hang() {
        format!(" --request-timeout {request_timeout}")
    } else {
        String::new()
    };
    let line = format!(
        "{} --deadline {}ms{timeout}",
        step.words(program).unwrap(),
        deadline.as_millis()
    );
    let ended = catch_unwind(AssertUnwindSafe(|| world.run(&line)));
    let Ok(ended) = ended else {
        return Err(format!("it panics: {line}"));
    };
    let followed = elsewhere.requests();
    let followed = followed.iter().any(|seen| seen.target().contains(mark));
    let wrong = wrong(expected, &ended, deadline, followed, &how);
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(format!("{}\n{line}\n{ended}", wrong.join("\n")))
    }
}

fn deadline(how: &How, stays: bool, step: Duration) -> Duration {
    if how.is_hang() && stays {
        step + SHORT
    } else if how.is_big() && stays {
        step + Duration::from_secs(2)
    } else {
        DEADLINE
    }
}

fn wrong(
    expected: &Expected,
    ended: &Ended,
    deadline: Duration,
    followed: bool,
    how: &How,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut check = |holds: bool, what: String| {
        if !holds {
            wrong.push(what);
        }
    };
    check(
        ended.exit == expected.exit,
        format!("exit {} and not {}", ended.exit, expected.exit),
    );
    check(
        ended.elapsed <= deadline + GRACE,
        format!("{:?}, with a deadline of {deadline:?}", ended.elapsed),
    );
    check(
        !followed,
        "a redirect to another host was followed".to_owned(),
    );
    for text in [&ended.stdout, &ended.stderr, &ended.last_words] {
        check(!text.contains(PASSWORD), "the password is told".to_owned());
        check(!text.contains("gAAAAA"), "the token is told".to_owned());
        check(
            !text.to_lowercase().contains("<html"),
            "HTML is dumped".to_owned(),
        );
        check(!text.contains("panicked"), "it panics".to_owned());
    }
    if expected.exit > 1 {
        let said = expected
            .words
            .split('/')
            .any(|words| ended.stderr.contains(words.trim()));
        check(said, format!("'{}' is not said", expected.words));
    }
    changes(expected, ended, how, &mut check);
    let goes_on = ["goes on", "may still be carried out"]
        .iter()
        .any(|text| ended.stderr.contains(text));
    match expected.step {
        Step::Poll | Step::Events | Step::End if matches!(expected.exit, 3 | 5 | 124) => {
            let hint = ended.stderr.contains("hint: go on waiting with: ");
            check(hint, "it does not say how to go on".to_owned());
            let said = expected.exit != 124 || goes_on;
            check(
                said,
                "it does not say that the operation goes on".to_owned(),
            );
        }
        Step::Discovery | Step::SignIn | Step::Version | Step::LookUp | Step::Baseline
            if expected.exit != 0 =>
        {
            check(!goes_on, "it says that something goes on".to_owned());
        }
        _ => {}
    }
    check(
        !ended.stderr.contains("still waiting for ;"),
        "a heartbeat names nothing".to_owned(),
    );
    check(
        !ended.stderr.contains("internal error"),
        format!("{how:?} is called a bug"),
    );
    wrong
}

/// Nothing is changed twice, and success is claimed only of what was changed and has ended.
fn changes(expected: &Expected, ended: &Ended, how: &How, check: &mut impl FnMut(bool, String)) {
    let changes: Vec<&Seen> = ended
        .requests
        .iter()
        .filter(|seen| seen.service != Service::Keystone && seen.request.method != "GET")
        .collect();
    let accepted = |seen: &&&Seen| matches!(seen.status, Some(200..=299));
    let good = changes.iter().filter(accepted).count();
    let lies = usize::from(how.lies() && !expected.stays);
    check(good <= 1 + lies, format!("{good} changes were accepted"));
    if let Some(sent) = expected.sent {
        check(
            changes.len() == sent,
            format!("{} changes were sent and not {sent}", changes.len()),
        );
    }
    if ended.exit == 0 {
        let sent = changes.last().map_or(Duration::ZERO, |seen| seen.time);
        let end = ended
            .requests
            .last()
            .map_or(Duration::ZERO, |seen| seen.time);
        // What was taken although its answer was lost began with the first.
        let begun = changes.first().map_or(sent, |seen| seen.time);
        check(
            end - begun >= Duration::from_secs(20),
            "success before the end".to_owned(),
        );
        check(!changes.is_empty(), "success without a change".to_owned());
    }
}
