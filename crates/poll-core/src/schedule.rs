//! Who is looked at when: the state behind [`crate::wait_all`].

use std::time::Duration;

use crate::policy::Jitter;
use crate::{Attempt, Clock, Event, Fault, Finished, Judge, Observation, Outcome, Policy, Verdict};

const SECOND: Duration = Duration::from_secs(1);

/// Faults in a row.
struct Row {
    since: Duration,
    faults: u32,
    refusals: u32,
}

struct State<R, W, E> {
    /// When it is looked at next, on the clock.
    due: Duration,
    looks: u32,
    last: Option<Observation<R>>,
    row: Option<Row>,
    /// The fault of the last look, if that failed.
    fault: Option<E>,
    /// How it ended, and when on the clock.
    end: Option<(Outcome<R, W, E>, Duration)>,
}

pub(crate) struct Schedule<'a, R, W, E> {
    policy: &'a Policy,
    clock: &'a dyn Clock,
    jitter: Jitter,
    began: Duration,
    number: u32,
    states: Vec<State<R, W, E>>,
    /// Throttled: nothing is asked before this point.
    gate: Option<Duration>,
    throttled_in_a_row: u32,
    /// When the last round began, and who is looked at once more in it.
    last_round: Option<Duration>,
    once_more: Vec<usize>,
}

impl<'a, R, W, E: Clone> Schedule<'a, R, W, E> {
    pub(crate) fn new(policy: &'a Policy, clock: &'a dyn Clock, count: usize) -> Self {
        let began = clock.now();
        let state = || State { due: began, looks: 0, last: None, row: None, fault: None, end: None };
        Self {
            policy,
            clock,
            jitter: Jitter::new(policy.seed),
            began,
            number: 0,
            states: std::iter::repeat_with(state).take(count).collect(),
            gate: None,
            throttled_in_a_row: 0,
            last_round: None,
            once_more: Vec::new(),
        }
    }

    /// Pauses until somebody is due, or the deadline. `None`: there is nothing more to look at.
    pub(crate) fn next_round(&mut self, watch: &mut dyn FnMut(Event<'_, R, W, E>)) -> Option<(Vec<usize>, Attempt)> {
        if let Some(last_began) = self.last_round {
            return self.second_look_of_last_round(last_began);
        }
        let earliest = self.open().map(|(_, state)| state.due).min()?;
        let deadline = self.policy.deadline;
        let target = self.gate.map_or(earliest, |gate| gate.max(earliest));
        let now = self.clock.now();
        let pause = deadline.cut(now, target.saturating_sub(now));
        if !pause.is_zero() {
            watch(Event::Pause(pause));
            self.sleep(pause, watch);
        }
        let now = self.clock.now();
        let last = deadline.has_come(now);
        if last && self.gate.is_some_and(|gate| gate > now) {
            return None;
        }
        self.gate = None;
        let due: Vec<usize> =
            self.open().filter(|(_, state)| last || state.due <= now).map(|(index, _)| index).collect();
        if last {
            self.last_round = Some(now);
        }
        let budget = if last { Some(self.policy.last_round) } else { deadline.left(now) };
        Some((due, self.attempt(now, budget, last)))
    }

    fn second_look_of_last_round(&mut self, last_began: Duration) -> Option<(Vec<usize>, Attempt)> {
        let due = std::mem::take(&mut self.once_more);
        let now = self.clock.now();
        let budget = (last_began + self.policy.last_round).saturating_sub(now);
        (!due.is_empty() && !budget.is_zero()).then(|| (due, self.attempt(now, Some(budget), true)))
    }

    fn attempt(&mut self, now: Duration, budget: Option<Duration>, last: bool) -> Attempt {
        self.number = self.number.saturating_add(1);
        Attempt {
            number: self.number,
            elapsed: now.saturating_sub(self.began),
            left: self.policy.deadline.left(now),
            budget,
            last,
        }
    }

    fn sleep(&self, pause: Duration, watch: &mut dyn FnMut(Event<'_, R, W, E>)) {
        let end = self.clock.now() + pause;
        loop {
            let left = end.saturating_sub(self.clock.now());
            if left.is_zero() {
                return;
            }
            self.clock.sleep(left.min(SECOND));
            if left >= SECOND {
                let now = self.clock.now();
                watch(Event::Tick { elapsed: now.saturating_sub(self.began), left: self.policy.deadline.left(now) });
            }
        }
    }

    pub(crate) fn seen<J: Judge<R, Why = W> + ?Sized>(
        &mut self,
        index: usize,
        seen: Observation<R>,
        at: &Attempt,
        judge: &mut J,
        watch: &mut dyn FnMut(Event<'_, R, W, E>),
    ) {
        let now = self.clock.now();
        let Some(state) = self.states.get_mut(index).filter(|state| state.end.is_none()) else { return };
        state.looks = state.looks.saturating_add(1);
        state.row = None;
        state.fault = None;
        self.throttled_in_a_row = 0;
        let verdict = judge.judge(&seen, at);
        watch(Event::Seen { index, seen: &seen, verdict: &verdict });
        match verdict {
            Verdict::Pending { again } => {
                state.last = Some(seen);
                // Whoever asks for nothing gets the period's pause when the round is closed.
                state.due = again.map_or(Duration::MAX, |again| now.saturating_add(again));
                if at.last && again == Some(Duration::ZERO) {
                    self.once_more.push(index);
                }
            }
            Verdict::Reached(why) => state.end = Some((Outcome::Reached(seen, why), now)),
            Verdict::Failed(why) => state.end = Some((Outcome::Failed(seen, why), now)),
        }
    }

    /// Notes one fault of all of `indices`. `began`: when the round did, on the clock.
    pub(crate) fn fault(
        &mut self,
        indices: &[usize],
        fault: Fault<E>,
        at: &Attempt,
        began: Duration,
        watch: &mut dyn FnMut(Event<'_, R, W, E>),
    ) {
        let now = self.clock.now();
        let period = self.policy.period.pause(at.elapsed, &mut Jitter::new(0));
        // Cut short by the deadline, a look says nothing of the service: it did not look.
        let cut_short = at.budget.is_some_and(|budget| now.saturating_sub(began) >= budget);
        let mut in_a_row = 0;
        let mut next: Option<Duration> = None;
        if let Fault::Throttled(_, asked) = &fault {
            self.throttled_in_a_row = self.throttled_in_a_row.saturating_add(1);
            let backoff = self.policy.backoff;
            let asked = asked.unwrap_or_else(|| backoff.pause(period, self.throttled_in_a_row, &mut self.jitter));
            let pause = asked.min(backoff.asked_most);
            let gate = now.saturating_add(pause);
            self.gate = Some(self.gate.map_or(gate, |other| other.max(gate)));
            next = (!at.last).then_some(gate);
        }
        for &index in indices {
            let Some(state) = self.states.get_mut(index).filter(|state| state.end.is_none()) else { continue };
            state.looks = state.looks.saturating_add(1);
            if let Fault::Throttled(..) = fault {
                // It answers: not an outage. The row, if there is one, does not grow by this pause.
                state.fault = None;
                state.due = now;
                if let (Some(row), Some(gate)) = (&mut state.row, self.gate) {
                    row.since = row.since.saturating_add(gate.saturating_sub(now));
                }
                continue;
            }
            if cut_short && matches!(fault, Fault::Transient(_)) {
                state.due = now;
                continue;
            }
            let patience = self.policy.patience;
            let row = state.row.get_or_insert(Row { since: now, faults: 0, refusals: 0 });
            row.faults = row.faults.saturating_add(1);
            row.refusals = if matches!(fault, Fault::Refused(_)) { row.refusals.saturating_add(1) } else { 0 };
            let waited = now.saturating_sub(row.since);
            let over = match fault {
                Fault::Fatal(_) => true,
                Fault::Refused(_) if row.refusals >= patience.refusals => true,
                _ => {
                    patience.faults.is_some_and(|most| row.faults >= most)
                        || patience.time.is_some_and(|most| waited >= most)
                }
            };
            if over {
                state.end = Some((Outcome::GaveUp(fault.error().clone(), state.last.take()), now));
                continue;
            }
            in_a_row = in_a_row.max(row.faults);
            let mut pause = self.policy.backoff.pause(period, row.faults, &mut self.jitter);
            if let Some(most) = patience.time {
                pause = pause.min(most.saturating_sub(waited));
            }
            state.fault = Some(fault.error().clone());
            state.due = now.saturating_add(pause);
            if !at.last {
                next = Some(next.map_or(state.due, |next| next.min(state.due)));
            }
        }
        let pause = next.map(|next| self.policy.deadline.cut(now, next.saturating_sub(now)));
        watch(Event::Retry { indices, fault: &fault, in_a_row, pause });
    }

    /// Gives everybody who asked for nothing else the period's pause, the same for all so that they stay together.
    pub(crate) fn close_round(&mut self, due: &[usize], at: &Attempt) {
        let now = self.clock.now();
        let elapsed = now.saturating_sub(self.began).max(at.elapsed);
        let next = now.saturating_add(self.policy.period.pause(elapsed, &mut self.jitter));
        for &index in due {
            if let Some(state) = self.states.get_mut(index) {
                let left_out = state.due <= self.began.saturating_add(at.elapsed) && state.fault.is_none();
                if left_out && state.looks == 0 {
                    state.due = next;
                } else if state.row.is_none() {
                    state.due = state.due.min(next);
                }
            }
        }
    }

    pub(crate) fn any_reached(&self) -> bool {
        self.states.iter().any(|state| matches!(state.end, Some((Outcome::Reached(..), _))))
    }

    pub(crate) fn finish(self) -> Vec<Finished<R, W, E>> {
        let now = self.clock.now();
        let superseded = self.any_reached() && !self.policy.deadline.has_come(now);
        let began = self.began;
        let finish = |state: State<R, W, E>| {
            let (outcome, at) = match state.end {
                Some(end) => end,
                None if superseded => (Outcome::Left(state.last), now),
                None => (Outcome::TimedOut(state.last, state.fault), now),
            };
            Finished { outcome, elapsed: at.saturating_sub(began), looks: state.looks }
        };
        self.states.into_iter().map(finish).collect()
    }

    fn open(&self) -> impl Iterator<Item = (usize, &State<R, W, E>)> {
        self.states.iter().enumerate().filter(|(_, state)| state.end.is_none())
    }
}
