//! Between the engine and the reporter.

use std::time::Duration;

use os_identity::{Error, Kind};
use poll_core::{
    Attempt, Clock, Event, Fault, Judge, Observation, Outcome, Policy, Round, Verdict,
};

use crate::{Exit, Failure, Reporter, failure};

/// Tells the reporter of retries, of pauses and of time passing; `labels` name the resources in the engine's order.
pub fn report<R, W>(reporter: &Reporter<'_>, labels: &[String], event: &Event<'_, R, W, Error>) {
    match event {
        Event::Retry {
            indices,
            fault,
            in_a_row,
            pause,
        } => {
            let what = match indices {
                [one] => labels.get(*one).cloned().unwrap_or_default(),
                several => format!("{} resources", several.len()),
            };
            reporter.retry(&what, &failure::chain(fault.error()), *in_a_row, *pause);
        }
        Event::Tick { elapsed, left } => reporter.tick(*elapsed, *left),
        Event::Pause(_) => reporter.pause(),
        Event::Seen { .. } => {}
    }
}

/// The round of a wait that goes on: one bad answer never ends it. A 4xx that says nothing of the resource (the 400 of a
/// proxy in trouble, say) is final only when it lasts, and then the state is not known.
pub fn forgiving<R>(round: Round<R, Error>) -> Round<R, Error> {
    let forgive = |fault: Fault<Error>| match fault {
        Fault::Fatal(error) if error.kind() == Kind::Rejected => {
            Fault::Refused(error.with_kind(Kind::Unknown))
        }
        fault => fault,
    };
    let looks = round.map_err(forgive)?.into_iter();
    Ok(looks
        .map(|(index, look)| (index, look.map_err(forgive)))
        .collect())
}

/// Asks until there is an answer, as patiently as the wait itself: for the steps before it.
///
/// # Errors
/// What ended the asking; `what` says what was asked for.
pub fn persist<T>(
    policy: &Policy,
    clock: &dyn Clock,
    reporter: &Reporter<'_>,
    what: &str,
    ask: &mut dyn FnMut(Option<Duration>) -> Result<T, Fault<Error>>,
) -> Result<T, Failure> {
    let mut answer = None;
    answered(policy, clock, reporter, what, &mut |budget| {
        answer = Some(ask(budget)?);
        Ok(())
    })?;
    match answer {
        Some(answer) => Ok(answer),
        None => unreachable!("what was answered has an answer"),
    }
}

/// The wait itself, which is no other for another answer: the engine is compiled once for all of them.
fn answered(
    policy: &Policy,
    clock: &dyn Clock,
    reporter: &Reporter<'_>,
    what: &str,
    ask: &mut dyn FnMut(Option<Duration>) -> Result<(), Fault<Error>>,
) -> Result<(), Failure> {
    let labels = [what.to_owned()];
    let finished = poll_core::wait(
        policy,
        clock,
        &mut Anything,
        &mut |at| ask(at.budget).map(Observation::Present),
        &mut |event| report(reporter, &labels, &event),
    );
    match finished.outcome {
        Outcome::Reached(Observation::Present(()), ()) => Ok(()),
        Outcome::GaveUp(error, _) => Err(Failure::from(error).context(what)),
        Outcome::TimedOut(_, Some(error)) => Err(Failure {
            exit: Exit::Unknown,
            ..Failure::from(error).context(format!("{what}: the deadline came"))
        }),
        _ => Err(Failure::new(
            Exit::Deadline,
            format!("{what}: the deadline came before there was an answer"),
        )),
    }
}

struct Anything;

impl Judge<()> for Anything {
    type Why = ();
    fn judge(&mut self, _: &Observation<()>, _: &Attempt) -> Verdict<()> {
        Verdict::Reached(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_forgives_a_4xx_and_nothing_else_that_is_final() {
        let fault = |kind| Fault::Fatal(Error::new(kind, "no"));
        let sorted = |fault| match forgiving::<()>(Ok(vec![(7, Err(fault))])) {
            Ok(looks) => match looks.into_iter().next() {
                Some((7, Err(Fault::Refused(error)))) => ("refused", error.kind()),
                Some((7, Err(Fault::Fatal(error)))) => ("fatal", error.kind()),
                other => panic!("{other:?}"),
            },
            Err(fault) => panic!("{fault:?}"),
        };
        assert_eq!(sorted(fault(Kind::Rejected)), ("refused", Kind::Unknown));
        assert_eq!(sorted(fault(Kind::Unknown)), ("fatal", Kind::Unknown));
        let whole = forgiving::<()>(Err(fault(Kind::Rejected)));
        assert!(matches!(whole, Err(Fault::Refused(_))));
    }
}
