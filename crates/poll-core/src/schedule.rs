//! Who is looked at when: the state behind [`crate::wait_all`].

use std::time::Duration;

use crate::policy::Jitter;
use crate::resource::{Due, Resource, throttle_pause};
use crate::{
    Attempt, Clock, Deadline, Event, Fault, Finished, Judge, Observation, Outcome, Policy, Quorum,
    Verdict, Watch,
};

const SECOND: Duration = Duration::from_secs(1);
/// A period of zero would be a busy loop.
const SHORTEST_PERIOD: Duration = Duration::from_millis(1);

pub(crate) struct Schedule<'a, R, W, E> {
    policy: &'a Policy,
    clock: &'a dyn Clock,
    jitter: Jitter,
    began: Duration,
    number: u32,
    next_tick: Duration,
    resources: Vec<Resource<R, W, E>>,
    /// Throttled: nothing is asked before this point. Set within a round, taken by the next.
    gate: Option<Duration>,
    throttled_rounds: u32,
    /// When the last round must be over, once it has begun.
    last_ends: Option<Duration>,
    /// Who is looked at once more in the last round. `None`: that was done.
    once_more: Option<Vec<usize>>,
}

impl<'a, R, W, E: Clone> Schedule<'a, R, W, E> {
    pub(crate) fn new(policy: &'a Policy, clock: &'a dyn Clock, count: usize) -> Self {
        let began = clock.now();
        Self {
            policy,
            clock,
            jitter: Jitter::new(policy.seed),
            began,
            number: 0,
            next_tick: began.saturating_add(SECOND),
            resources: std::iter::repeat_with(|| Resource::new(began))
                .take(count)
                .collect(),
            gate: None,
            throttled_rounds: 0,
            last_ends: None,
            once_more: Some(Vec::new()),
        }
    }

    /// Pauses until somebody is due, or the deadline. `None`: there is nothing more to look at.
    pub(crate) fn next_round(
        &mut self,
        watch: &mut Watch<'_, R, W, E>,
    ) -> Option<(Vec<usize>, Attempt)> {
        if let Some(ends) = self.last_ends {
            let due = self.once_more.take()?;
            let now = self.clock.now();
            return (!due.is_empty() && now < ends).then(|| self.attempt(due, now, Some(ends)));
        }
        let earliest = self
            .resources
            .iter()
            .filter(|one| one.is_open())
            .map(Resource::due)
            .min()?;
        let target = self.gate.map_or(earliest, |gate| gate.max(earliest));
        let now = self.clock.now();
        let pause = self.policy.deadline.cut(now, target.saturating_sub(now));
        if !pause.is_zero() {
            watch(Event::Pause(pause));
            self.sleep(pause, watch);
        }
        let now = self.clock.now();
        if self.gate.take().is_some_and(|gate| gate > now) {
            return None;
        }
        if !self.policy.deadline.has_come(now) {
            let due = self.indices(|one| one.due() <= now);
            return Some(self.attempt(due, now, None));
        }
        let ends = if self.number == 0 {
            now.saturating_add(self.policy.last_round)
        } else {
            self.last_round_ends()
        };
        self.last_ends = Some(ends);
        let due = self.indices(|_| true);
        // A wait that never looked looks once, however late it is.
        (self.number == 0 || now < ends).then(|| self.attempt(due, now, Some(ends)))
    }

    /// When a last round must be over: it starts at the deadline, also when the round before it overran that.
    fn last_round_ends(&self) -> Duration {
        match self.policy.deadline {
            Deadline::At(point) => point.saturating_add(self.policy.last_round),
            Deadline::Never => Duration::MAX,
        }
    }

    fn indices(&self, wanted: impl Fn(&Resource<R, W, E>) -> bool) -> Vec<usize> {
        let open = self
            .resources
            .iter()
            .enumerate()
            .filter(|(_, one)| one.is_open() && wanted(one));
        open.map(|(index, _)| index).collect()
    }

    /// Begins a round; `last_ends`: it is the last one, or its second look.
    fn attempt(
        &mut self,
        due: Vec<usize>,
        now: Duration,
        last_ends: Option<Duration>,
    ) -> (Vec<usize>, Attempt) {
        for &index in &due {
            if let Some(one) = self.resources.get_mut(index) {
                one.ask();
            }
        }
        self.number = self.number.saturating_add(1);
        let left = self.policy.deadline.left(now);
        let at = Attempt {
            number: self.number,
            elapsed: now.saturating_sub(self.began),
            left,
            budget: last_ends.map_or(left, |ends| Some(ends.saturating_sub(now))),
            last: last_ends.is_some(),
        };
        (due, at)
    }

    /// Sleeps, with a tick for each second of the wait: seconds go on counting over short pauses.
    fn sleep(&mut self, pause: Duration, watch: &mut Watch<'_, R, W, E>) {
        let end = self.clock.now().saturating_add(pause);
        loop {
            let now = self.clock.now();
            if now >= self.next_tick {
                self.next_tick = now.saturating_add(SECOND);
                watch(Event::Tick {
                    elapsed: now.saturating_sub(self.began),
                    left: self.policy.deadline.left(now),
                });
            }
            if now >= end {
                return;
            }
            self.clock
                .sleep(end.min(self.next_tick).saturating_sub(now));
        }
    }

    /// Notes what was seen of one resource.
    pub(crate) fn seen<J: Judge<R, Why = W> + ?Sized>(
        &mut self,
        index: usize,
        seen: Observation<R>,
        at: &Attempt,
        judge: &mut J,
        watch: &mut Watch<'_, R, W, E>,
    ) {
        if !self.hear(index) {
            return;
        }
        let Some(one) = self.resources.get_mut(index) else {
            return;
        };
        let verdict = judge.judge(&seen, at);
        watch(Event::Seen {
            index,
            seen: &seen,
            verdict: &verdict,
        });
        if at.last
            && matches!(
                verdict,
                Verdict::Pending {
                    again: Some(Duration::ZERO)
                }
            )
        {
            self.once_more
                .iter_mut()
                .for_each(|once_more| once_more.push(index));
        }
        one.seen(seen, verdict, self.clock.now());
    }

    /// Notes one fault of all of `indices`.
    pub(crate) fn fault(
        &mut self,
        indices: &[usize],
        fault: &Fault<E>,
        at: &Attempt,
        watch: &mut Watch<'_, R, W, E>,
    ) {
        let heard: Vec<usize> = indices
            .iter()
            .copied()
            .filter(|&index| self.hear(index))
            .collect();
        if heard.is_empty() {
            return;
        }
        let now = self.clock.now();
        let period = self.policy.period.pace(now.saturating_sub(self.began));
        let cut_short = at.budget.is_some_and(|budget| self.took(at, now) >= budget);
        if let Fault::Throttled(_, asked) = fault {
            let rounds = self.throttled_rounds.saturating_add(1);
            let pause = throttle_pause(
                self.policy.backoff,
                *asked,
                period,
                rounds,
                &mut self.jitter,
            );
            self.gate = self.gate.max(Some(now.saturating_add(pause)));
        }
        // One spread for all whom this fault concerns, so that they stay together.
        let jitter = self.jitter.fork();
        let (mut in_a_row, mut next) = (0, None::<Duration>);
        for &index in &heard {
            let Some(one) = self.resources.get_mut(index) else {
                continue;
            };
            match fault {
                Fault::Throttled(..) => one.throttled(now),
                Fault::Transient(_) if cut_short => one.not_looked(now),
                _ => {
                    let pause = |faults| {
                        self.policy
                            .backoff
                            .pause(period, faults, &mut jitter.clone())
                    };
                    in_a_row = in_a_row.max(one.faulted(fault, &self.policy.patience, now, pause));
                }
            }
            if one.is_open() {
                next = Some(next.map_or(one.due(), |next| next.min(one.due())));
            }
        }
        let pause = next
            .filter(|_| !at.last)
            .and_then(|next| self.pause_until(next, now));
        watch(Event::Retry {
            indices: &heard,
            fault,
            in_a_row,
            pause,
        });
    }

    /// Whether what the probe says of this resource is heard.
    fn hear(&mut self, index: usize) -> bool {
        self.resources.get_mut(index).is_some_and(Resource::hear)
    }

    /// How long the round of `at` has taken so far.
    fn took(&self, at: &Attempt, now: Duration) -> Duration {
        now.saturating_sub(self.began).saturating_sub(at.elapsed)
    }

    /// The pause before a look that is due at `next`. `None`: that look will not be made.
    fn pause_until(&self, next: Duration, now: Duration) -> Option<Duration> {
        let cut = |point: Duration| self.policy.deadline.cut(now, point.saturating_sub(now));
        let gate = self.gate.unwrap_or(now);
        let opens_in_time = cut(gate) == gate.saturating_sub(now);
        (opens_in_time && now < self.last_round_ends()).then(|| cut(next.max(gate)))
    }

    /// Sets when those are looked at next whose looks left that open, those who were left out among them.
    pub(crate) fn close_round(&mut self) {
        let now = self.clock.now();
        match self.gate {
            Some(gate) => {
                self.throttled_rounds = self.throttled_rounds.saturating_add(1);
                let pause = gate.saturating_sub(now);
                self.resources.iter_mut().for_each(|one| one.excuse(pause));
            }
            None => self.throttled_rounds = 0,
        }
        let elapsed = now.saturating_sub(self.began);
        let pause = self
            .policy
            .period
            .pause(elapsed, &mut self.jitter)
            .max(SHORTEST_PERIOD);
        let alone = now.saturating_add(pause);
        // Whoever comes back into step joins the others' next look: one request a round where the probe can list.
        let paced = |one: &Resource<R, W, E>| match one.due {
            Due::Paced(point) if one.is_open() && point > now => Some(point),
            _ => None,
        };
        let next = self
            .resources
            .iter()
            .filter_map(paced)
            .min()
            .map_or(alone, |joined| joined.min(alone));
        for one in &mut self.resources {
            one.pace(next);
        }
    }

    fn any_reached(&self) -> bool {
        self.resources
            .iter()
            .filter_map(|one| one.end.as_deref())
            .any(|(outcome, _)| matches!(outcome, Outcome::Reached(..)))
    }

    /// Whether enough resources have reached their goal, whatever the others do.
    pub(crate) fn is_enough(&self, quorum: Quorum) -> bool {
        quorum == Quorum::Any && self.any_reached()
    }

    pub(crate) fn finish(self, quorum: Quorum) -> Vec<Finished<R, W, E>> {
        let now = self.clock.now();
        let enough = self.is_enough(quorum);
        let began = self.began;
        let finish = |one: Resource<R, W, E>| {
            let (outcome, at) = match one.end {
                Some(end) => *end,
                None if enough => (Outcome::Left(one.last), now),
                None => (Outcome::TimedOut(one.last, one.fault), now),
            };
            Finished {
                outcome,
                elapsed: at.saturating_sub(began),
                looks: one.looks,
            }
        };
        self.resources.into_iter().map(finish).collect()
    }
}
