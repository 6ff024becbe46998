//! The loop, and the words for what goes into it and comes out.

use std::time::Duration;

use crate::schedule::Schedule;
use crate::{Clock, Policy};

/// One round of looks, as the probe and the judges see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// From 1.
    pub number: u32,
    /// Since the wait began.
    pub elapsed: Duration,
    /// Until the deadline, at the start of the round. `None`: there is none.
    pub left: Option<Duration>,
    /// What the whole round may take. `None`: no bound but the probe's own.
    pub budget: Option<Duration>,
    /// No round follows this one.
    pub last: bool,
}

/// What one look saw of one resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Observation<R> {
    /// It is there, in this state.
    Present(R),
    /// The service says that it does not exist.
    Gone,
}

/// What a judge makes of an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict<W> {
    /// Not the end.
    Pending {
        /// Look again after this pause rather than after the period's, if it is shorter. Zero: at once.
        again: Option<Duration>,
    },
    /// The wanted end; `W` says what was seen.
    Reached(W),
    /// Another end; `W` says which.
    Failed(W),
}

/// Judges what is seen of one resource. One for each resource: baseline, settling and first reason live here.
pub trait Judge<R> {
    /// What explains an end.
    type Why;
    /// Judges one observation.
    fn judge(&mut self, seen: &Observation<R>, at: &Attempt) -> Verdict<Self::Why>;
}

impl<R, J: Judge<R> + ?Sized> Judge<R> for Box<J> {
    type Why = J::Why;
    fn judge(&mut self, seen: &Observation<R>, at: &Attempt) -> Verdict<Self::Why> {
        (**self).judge(seen, at)
    }
}

/// Why a look gave no observation. The probe says which; the engine only counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault<E> {
    /// May pass: counted against patience.
    Transient(E),
    /// The service asks to come later, after the given pause if it names one. Holds for all resources; not counted.
    Throttled(E, Option<Duration>),
    /// Not allowed: final when it lasts (see [`crate::Patience::refusals`]).
    Refused(E),
    /// Nothing will help.
    Fatal(E),
}

impl<E> Fault<E> {
    /// What went wrong.
    pub fn error(&self) -> &E {
        match self {
            Self::Transient(e) | Self::Throttled(e, _) | Self::Refused(e) | Self::Fatal(e) => e,
        }
    }

    /// What went wrong, alone.
    pub fn into_error(self) -> E {
        match self {
            Self::Transient(e) | Self::Throttled(e, _) | Self::Refused(e) | Self::Fatal(e) => e,
        }
    }
}

/// What a probe returns: for each index that it was asked for, an observation or that resource's own fault;
/// or one fault for all of them. An index that it leaves out counts as not looked at.
pub type Round<R, E> = Result<Vec<(usize, Result<Observation<R>, Fault<E>>)>, Fault<E>>;

/// What happens during a wait, for whoever reports it.
#[derive(Debug)]
pub enum Event<'a, R, W, E> {
    /// A resource was seen and judged.
    Seen {
        /// Which resource.
        index: usize,
        /// What was seen.
        seen: &'a Observation<R>,
        /// What the judge made of it.
        verdict: &'a Verdict<W>,
    },
    /// A look failed and will be repeated.
    Retry {
        /// The resources concerned.
        indices: &'a [usize],
        /// What went wrong.
        fault: &'a Fault<E>,
        /// The longest row of faults among them, this one included. Zero for throttling.
        in_a_row: u32,
        /// When they are looked at again. `None`: not any more.
        pause: Option<Duration>,
    },
    /// A pause begins.
    Pause(Duration),
    /// A second of a pause has passed.
    Tick {
        /// Since the wait began.
        elapsed: Duration,
        /// Until the deadline.
        left: Option<Duration>,
    },
}

/// How many resources must reach their goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quorum {
    /// Every one.
    All,
    /// The first ends the wait.
    Any,
}

/// How the wait for one resource ended. An answer, not an error.
#[must_use]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome<R, W, E> {
    /// The wanted end was seen.
    Reached(Observation<R>, W),
    /// Another end was seen.
    Failed(Observation<R>, W),
    /// The deadline came; the last observation, and the fault of the last look if that failed.
    TimedOut(Option<Observation<R>>, Option<E>),
    /// The state cannot be learnt: the last fault, and the last observation before it.
    GaveUp(E, Option<Observation<R>>),
    /// Another resource reached its goal first ([`Quorum::Any`]); the last observation.
    Left(Option<Observation<R>>),
}

/// The end of the wait for one resource.
#[must_use]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished<R, W, E> {
    /// How it ended.
    pub outcome: Outcome<R, W, E>,
    /// Since the wait began.
    pub elapsed: Duration,
    /// Looks at this resource, failed ones included.
    pub looks: u32,
}

/// Waits for one resource: [`wait_all`] of one.
pub fn wait<R, W, E: Clone, J: Judge<R, Why = W>>(
    policy: &Policy,
    clock: &dyn Clock,
    judge: &mut J,
    probe: &mut dyn FnMut(&Attempt) -> Result<Observation<R>, Fault<E>>,
    watch: &mut dyn FnMut(Event<'_, R, W, E>),
) -> Finished<R, W, E> {
    let mut round = |_: &[usize], at: &Attempt| Ok(vec![(0, probe(at))]);
    let mut finished =
        wait_all(policy, clock, std::slice::from_mut(judge), Quorum::All, &mut round, watch).into_iter();
    match finished.next() {
        Some(one) => one,
        None => unreachable!("wait_all returns one end for each judge"),
    }
}

/// Waits until every resource (or any, see [`Quorum`]) has an end, or the deadline has come.
///
/// Looks first, then pauses. Each round asks the probe for the resources that are due; faults of one never delay
/// another's look. The last round starts at the deadline and may take [`Policy::last_round`]; no look follows it,
/// except the second look at once that a judge may ask for there (`again` of zero), and none is made where
/// throttling reaches up to the deadline. Returns one [`Finished`] for each judge, in their order.
pub fn wait_all<R, W, E: Clone, J: Judge<R, Why = W>>(
    policy: &Policy,
    clock: &dyn Clock,
    judges: &mut [J],
    quorum: Quorum,
    probe: &mut dyn FnMut(&[usize], &Attempt) -> Round<R, E>,
    watch: &mut dyn FnMut(Event<'_, R, W, E>),
) -> Vec<Finished<R, W, E>> {
    let mut schedule = Schedule::new(policy, clock, judges.len());
    while let Some((due, at)) = schedule.next_round(watch) {
        let began = clock.now();
        match probe(&due, &at) {
            Ok(looks) => {
                for (index, look) in looks {
                    let Some(judge) = judges.get_mut(index) else { continue };
                    match look {
                        Ok(seen) => schedule.seen(index, seen, &at, judge, watch),
                        Err(fault) => schedule.fault(&[index], fault, &at, began, watch),
                    }
                }
            }
            Err(fault) => schedule.fault(&due, fault, &at, began, watch),
        }
        schedule.close_round(&due, &at);
        if quorum == Quorum::Any && schedule.any_reached() {
            break;
        }
    }
    schedule.finish()
}
