//! Judges around judges: what waiting for anything needs. They nest: the outermost judges first.

use std::time::Duration;

use crate::{Attempt, Judge, Observation, Verdict};

/// Believes that something is gone only at the second look running: a stale node answers 404 once.
///
/// The second look comes after `gap`; where the deadline comes first, the look there is the second; what is first gone
/// at the deadline is looked at a second time at once. A look that failed in between changes nothing.
///
/// ```
/// use std::time::Duration;
/// use poll_core::{Attempt, GoneTwice, Judge, Observation, Verdict};
///
/// struct UntilGone;
/// impl Judge<()> for UntilGone {
///     type Why = ();
///     fn judge(&mut self, seen: &Observation<()>, _at: &Attempt) -> Verdict<()> {
///         match seen {
///             Observation::Gone => Verdict::Reached(()),
///             Observation::Present(()) => Verdict::Pending { again: None },
///         }
///     }
/// }
///
/// let gap = Duration::from_secs(1);
/// let mut judge = GoneTwice::new(UntilGone, gap);
/// let at = Attempt { number: 1, elapsed: Duration::ZERO, left: None, budget: None, last: false };
/// assert_eq!(judge.judge(&Observation::Gone, &at), Verdict::Pending { again: Some(gap) });
/// assert_eq!(judge.judge(&Observation::Gone, &at), Verdict::Reached(()));
/// ```
#[derive(Debug, Clone)]
pub struct GoneTwice<J> {
    inner: J,
    gap: Duration,
    gone: bool,
}

impl<J> GoneTwice<J> {
    /// Wraps `inner`, which then hears of [`Observation::Gone`] only when it is confirmed.
    pub fn new(inner: J, gap: Duration) -> Self {
        Self {
            inner,
            gap,
            gone: false,
        }
    }
}

impl<R, J: Judge<R>> Judge<R> for GoneTwice<J> {
    type Why = J::Why;

    fn judge(&mut self, seen: &Observation<R>, at: &Attempt) -> Verdict<J::Why> {
        let before = std::mem::replace(&mut self.gone, matches!(seen, Observation::Gone));
        if self.gone && !before {
            let gap = if at.last { Duration::ZERO } else { self.gap };
            return Verdict::Pending { again: Some(gap) };
        }
        self.inner.judge(seen, at)
    }
}

/// Believes an end only once the resource has left its baseline, the state before the request:
/// the result of a previous action is never taken for the answer.
///
/// `moved` says whether an observation proves that; one proof is enough for good. With [`Baseline::settling`] an end
/// that is still seen so long after the wait began is believed as well, for requests that may change nothing.
#[derive(Debug, Clone)]
pub struct Baseline<J, F> {
    inner: J,
    moved: F,
    has_moved: bool,
    settle: Option<Duration>,
}

impl<J, F> Baseline<J, F> {
    /// Wraps `inner`, whose ends count only once `moved` has been true.
    pub fn new(inner: J, moved: F) -> Self {
        Self {
            inner,
            moved,
            has_moved: false,
            settle: None,
        }
    }

    /// Believes an end without a proof, too, from `settle` after the wait began.
    #[must_use]
    pub fn settling(self, settle: Duration) -> Self {
        Self {
            settle: Some(settle),
            ..self
        }
    }
}

impl<R, J: Judge<R>, F: FnMut(&Observation<R>) -> bool> Judge<R> for Baseline<J, F> {
    type Why = J::Why;

    fn judge(&mut self, seen: &Observation<R>, at: &Attempt) -> Verdict<J::Why> {
        self.has_moved = self.has_moved || (self.moved)(seen);
        let verdict = self.inner.judge(seen, at);
        if self.has_moved || matches!(verdict, Verdict::Pending { .. }) {
            return verdict;
        }
        match self.settle {
            Some(settle) if at.elapsed >= settle => verdict,
            Some(settle) => Verdict::Pending {
                again: Some(settle.saturating_sub(at.elapsed)),
            },
            None => Verdict::Pending { again: None },
        }
    }
}

/// Believes a failure only when it has lasted for `span` without a break: some errors heal by themselves.
#[derive(Debug, Clone)]
pub struct Lasting<J> {
    inner: J,
    span: Duration,
    since: Option<Duration>,
}

impl<J> Lasting<J> {
    /// Wraps `inner`, whose failures must last for `span`. Zero: believed at once.
    pub fn new(inner: J, span: Duration) -> Self {
        Self {
            inner,
            span,
            since: None,
        }
    }
}

impl<R, J: Judge<R>> Judge<R> for Lasting<J> {
    type Why = J::Why;

    fn judge(&mut self, seen: &Observation<R>, at: &Attempt) -> Verdict<J::Why> {
        let verdict = self.inner.judge(seen, at);
        if !matches!(verdict, Verdict::Failed(_)) {
            self.since = None;
            return verdict;
        }
        let lasted = at
            .elapsed
            .saturating_sub(*self.since.get_or_insert(at.elapsed));
        if lasted >= self.span {
            verdict
        } else {
            Verdict::Pending {
                again: Some(self.span.saturating_sub(lasted)),
            }
        }
    }
}
