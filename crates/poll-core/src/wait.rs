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
    /// What the whole round may take: what is left until the deadline, and in the last round what is left of
    /// [`Policy::last_round`]. `None`: no bound but the probe's own. A transient fault that comes after it is taken for
    /// the bound at work: that look does not count.
    pub budget: Option<Duration>,
    /// The deadline has come. Nothing follows but a second look at once, where a judge asks for it.
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
        /// Look again after this pause rather than after the period's, if it is shorter. Zero: at once, so a judge that
        /// keeps asking for that must see something new each time.
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
    /// The service asks to come later, after the given pause if it names one (zero names none). Holds for all
    /// resources; not counted.
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

/// What one look at one resource brings.
pub type Look<R, E> = Result<Observation<R>, Fault<E>>;

/// What a probe returns: for each index that it was asked for, an observation or that resource's own fault;
/// or one fault for all of them. An index that it leaves out was not looked at, and is after the period. What it says
/// of others, or says twice in a round, is not heard.
pub type Round<R, E> = Result<Vec<(usize, Look<R, E>)>, Fault<E>>;

/// Looks at the resources of these indices, within [`Attempt::budget`].
pub type Probe<'p, R, E> = dyn FnMut(&[usize], &Attempt) -> Round<R, E> + 'p;

/// Looks at the one resource of [`wait`].
pub type ProbeOne<'p, R, E> = dyn FnMut(&Attempt) -> Look<R, E> + 'p;

/// Is told what happens; cannot steer it.
pub type Watch<'w, R, W, E> = dyn FnMut(Event<'_, R, W, E>) + 'w;

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
    /// A look failed.
    Retry {
        /// The resources concerned.
        indices: &'a [usize],
        /// What went wrong.
        fault: &'a Fault<E>,
        /// The longest row of faults among them, this one included. Zero for what is not counted: throttling, and
        /// looks that the deadline cut short.
        in_a_row: u32,
        /// The pause before the first of them is looked at again. `None`: none of them is.
        pause: Option<Duration>,
    },
    /// A pause begins.
    Pause(Duration),
    /// A second of the wait has passed. Comes in pauses only, and under any period.
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
    probe: &mut ProbeOne<'_, R, E>,
    watch: &mut Watch<'_, R, W, E>,
) -> Finished<R, W, E> {
    let mut round = |_: &[usize], at: &Attempt| Ok(vec![(0, probe(at))]);
    let mut finished = wait_all(
        policy,
        clock,
        std::slice::from_mut(judge),
        Quorum::All,
        &mut round,
        watch,
    )
    .into_iter();
    match finished.next() {
        Some(one) => one,
        None => unreachable!("wait_all returns one end for each judge"),
    }
}

/// Waits until every resource (or any, see [`Quorum`]) has an end, or the deadline has come.
///
/// Looks first, then pauses. Each round asks the probe for the resources that are due; faults of one never delay
/// another's look, throttling delays all. The last round starts at the deadline and asks for every open resource; with
/// the second look at once that a judge may ask for there (`again` of zero) it must be over [`Policy::last_round`]
/// later. No look follows it, and none is made where throttling reaches beyond the deadline. A wait that begins after
/// its deadline looks once. Returns one [`Finished`] for each judge, in their order.
pub fn wait_all<R, W, E: Clone, J: Judge<R, Why = W>>(
    policy: &Policy,
    clock: &dyn Clock,
    judges: &mut [J],
    quorum: Quorum,
    probe: &mut Probe<'_, R, E>,
    watch: &mut Watch<'_, R, W, E>,
) -> Vec<Finished<R, W, E>> {
    let mut schedule = Schedule::new(policy, clock, judges.len());
    while let Some((due, at)) = schedule.next_round(watch) {
        match probe(&due, &at) {
            Ok(looks) => {
                for (index, look) in looks {
                    let Some(judge) = judges.get_mut(index) else {
                        continue;
                    };
                    match look {
                        Ok(seen) => schedule.seen(index, seen, &at, judge, watch),
                        Err(fault) => schedule.fault(&[index], &fault, &at, watch),
                    }
                }
            }
            Err(fault) => schedule.fault(&due, &fault, &at, watch),
        }
        schedule.close_round();
        if schedule.is_enough(quorum) {
            break;
        }
    }
    schedule.finish(quorum)
}
