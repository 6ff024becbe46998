//! One resource of a wait: its row of faults, when it is looked at next, how it ended.

use std::time::Duration;

use crate::policy::Jitter;
use crate::{Backoff, Fault, Observation, Outcome, Patience, Verdict};

/// When a resource is looked at next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    /// At this point on the clock, whatever the period is: the first look, and after a fault.
    At(Duration),
    /// At this point on the clock, by the period's pace. Resources that keep pace are looked at together.
    Paced(Duration),
    /// Decided when the round is closed (`Resource::pace`): by the period's pace, or at this point if that is sooner.
    Open(Option<Duration>),
}

/// Faults in a row.
#[derive(Debug)]
struct Row {
    since: Duration,
    faults: u32,
    refusals: u32,
}

pub(crate) type End<R, W, E> = (Outcome<R, W, E>, Duration);

#[derive(Debug)]
pub(crate) struct Resource<R, W, E> {
    pub(crate) due: Due,
    /// The probe was asked for it and has not answered yet. What it says unasked, or twice, is not heard.
    asked: bool,
    pub(crate) looks: u32,
    pub(crate) last: Option<Observation<R>>,
    row: Option<Row>,
    /// The fault of the last look, if that failed.
    pub(crate) fault: Option<E>,
    /// How it ended, and when on the clock. Boxed: of thousands, a round passes over those that go on several times.
    pub(crate) end: Option<Box<End<R, W, E>>>,
}

impl<R, W, E: Clone> Resource<R, W, E> {
    pub(crate) fn new(due: Duration) -> Self {
        Self {
            due: Due::At(due),
            asked: false,
            looks: 0,
            last: None,
            row: None,
            fault: None,
            end: None,
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.end.is_none()
    }

    pub(crate) fn due(&self) -> Duration {
        match self.due {
            Due::At(point) | Due::Paced(point) => point,
            Due::Open(sooner) => sooner.unwrap_or(Duration::MAX),
        }
    }

    pub(crate) fn ask(&mut self) {
        self.asked = true;
        self.due = Due::Open(None);
    }

    /// Whether the probe's answer is heard: it is one look.
    pub(crate) fn hear(&mut self) -> bool {
        let heard = std::mem::replace(&mut self.asked, false);
        self.looks = self.looks.saturating_add(u32::from(heard));
        heard
    }

    pub(crate) fn seen(&mut self, seen: Observation<R>, verdict: Verdict<W>, now: Duration) {
        self.row = None;
        self.fault = None;
        match verdict {
            Verdict::Pending { again } => {
                self.last = Some(seen);
                self.due = Due::Open(again.map(|again| now.saturating_add(again)));
            }
            Verdict::Reached(why) => self.ended(Outcome::Reached(seen, why), now),
            Verdict::Failed(why) => self.ended(Outcome::Failed(seen, why), now),
        }
    }

    fn ended(&mut self, outcome: Outcome<R, W, E>, now: Duration) {
        self.end = Some(Box::new((outcome, now)));
    }

    /// Throttled: it answers, so this is no outage, and the row, if there is one, stays as it is.
    pub(crate) fn throttled(&mut self, now: Duration) {
        self.fault = None;
        self.due = Due::At(now);
    }

    /// Cut short by the deadline: it did not look, so what the look before it saw still holds.
    pub(crate) fn not_looked(&mut self, now: Duration) {
        self.due = Due::At(now);
    }

    /// One more fault in the row, which may end it. Returns the length of the row.
    pub(crate) fn faulted(
        &mut self,
        fault: &Fault<E>,
        patience: &Patience,
        now: Duration,
        pause: impl FnOnce(u32) -> Duration,
    ) -> u32 {
        let row = self.row.get_or_insert(Row {
            since: now,
            faults: 0,
            refusals: 0,
        });
        row.faults = row.faults.saturating_add(1);
        row.refusals = if matches!(fault, Fault::Refused(_)) {
            row.refusals.saturating_add(1)
        } else {
            0
        };
        let (faults, waited) = (row.faults, now.saturating_sub(row.since));
        let over = matches!(fault, Fault::Fatal(_))
            || (row.refusals > 0 && row.refusals >= patience.refusals)
            || patience.faults.is_some_and(|most| faults >= most)
            || patience.time.is_some_and(|most| waited >= most);
        if over {
            let last = self.last.take();
            self.ended(Outcome::GaveUp(fault.error().clone(), last), now);
        } else {
            // Looked at once more when patience ends, not a whole pause later.
            let left = patience
                .time
                .map_or(Duration::MAX, |most| most.saturating_sub(waited));
            self.fault = Some(fault.error().clone());
            self.due = Due::At(now.saturating_add(pause(faults).min(left)));
        }
        faults
    }

    /// Sets when it is looked at next where its look left that open: at `next`, or sooner where the judge asked for it.
    pub(crate) fn pace(&mut self, next: Duration) {
        if let Due::Open(sooner) = self.due {
            self.due = match sooner {
                Some(sooner) if sooner < next => Due::At(sooner),
                _ => Due::Paced(next),
            };
        }
    }

    /// Takes `pause` out of the time that patience counts: nothing was asked meanwhile.
    pub(crate) fn excuse(&mut self, pause: Duration) {
        if let Some(row) = &mut self.row {
            row.since = row.since.saturating_add(pause);
        }
    }
}

/// The pause after a throttled answer: what was asked for, within bounds. Without a wish, or with one of zero, which
/// would make a busy loop, it grows with each throttled round in a row.
pub(crate) fn throttle_pause(
    backoff: Backoff,
    asked: Option<Duration>,
    period: Duration,
    rounds: u32,
    jitter: &mut Jitter,
) -> Duration {
    let asked = asked.filter(|asked| !asked.is_zero());
    asked
        .unwrap_or_else(|| backoff.pause(period, rounds, jitter))
        .min(backoff.asked_most)
}
