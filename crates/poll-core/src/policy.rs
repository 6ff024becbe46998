//! When to look again: pure arithmetic.

use std::time::Duration;

/// A service in trouble is not asked again at once, however short the period.
const SHORTEST_RETRY: Duration = Duration::from_millis(100);

/// The end of everything, as a point on the clock. Passed down whole.
///
/// ```
/// use std::time::Duration;
/// use poll_core::Deadline;
///
/// let (now, limit) = (Duration::from_secs(100), Duration::from_secs(12));
/// let deadline = Deadline::after(now, limit);
/// assert_eq!(deadline, Deadline::At(Duration::from_secs(112)));
/// assert_eq!(deadline.cut(Duration::from_secs(110), Duration::from_secs(5)), Duration::from_secs(2));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deadline {
    /// This long after the clock's origin.
    At(Duration),
    /// There is none.
    Never,
}

impl Deadline {
    /// The point `limit` after `now`; [`Deadline::Never`] where the clock cannot count so far.
    #[must_use]
    pub fn after(now: Duration, limit: Duration) -> Self {
        now.checked_add(limit).map_or(Self::Never, Self::At)
    }

    /// What is left of it at `now`: zero once it has come, `None` if it never comes.
    #[must_use]
    pub fn left(self, now: Duration) -> Option<Duration> {
        match self {
            Self::At(point) => Some(point.saturating_sub(now)),
            Self::Never => None,
        }
    }

    /// `span`, cut to what is left at `now`.
    #[must_use]
    pub fn cut(self, now: Duration, span: Duration) -> Duration {
        self.left(now).map_or(span, |left| span.min(left))
    }

    /// Whether it has come at `now`.
    #[must_use]
    pub fn has_come(self, now: Duration) -> bool {
        self.left(now) == Some(Duration::ZERO)
    }
}

/// The pause between two good looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    /// Always the same.
    Fixed(Duration),
    /// A tenth of the time waited so far, within bounds, and the result spread by a tenth either way.
    Adaptive {
        /// Never less than this.
        least: Duration,
        /// Never more than this at first.
        most: Duration,
        /// From this much waited time on …
        slow_after: Duration,
        /// … never more than this.
        slow_most: Duration,
    },
}

impl Default for Period {
    fn default() -> Self {
        Self::Adaptive {
            least: Duration::from_millis(500),
            most: Duration::from_secs(5),
            slow_after: Duration::from_secs(30 * 60),
            slow_most: Duration::from_secs(15),
        }
    }
}

impl Period {
    /// The pause after a good look when `elapsed` has been waited; an adaptive one is spread by a tenth either way.
    #[must_use]
    pub fn pause(self, elapsed: Duration, jitter: &mut Jitter) -> Duration {
        match self {
            Self::Fixed(pause) => pause,
            Self::Adaptive { .. } => jitter.spread(self.pace(elapsed)),
        }
    }

    /// The pause when `elapsed` has been waited, before it is spread.
    #[must_use]
    pub fn pace(self, elapsed: Duration) -> Duration {
        match self {
            Self::Fixed(pause) => pause,
            Self::Adaptive {
                least,
                most,
                slow_after,
                slow_most,
            } => {
                let most = if elapsed < slow_after {
                    most
                } else {
                    slow_most
                };
                (elapsed / 10).min(most).max(least)
            }
        }
    }

    /// The shortest pause that this period makes, jitter apart.
    #[must_use]
    pub fn shortest(self) -> Duration {
        match self {
            Self::Fixed(pause) => pause,
            Self::Adaptive { least, .. } => least,
        }
    }
}

/// How long nothing but faults is put up with, for each resource by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Since the first fault in the row, pauses that a throttling service asked for apart. `None`: without end.
    pub time: Option<Duration>,
    /// The fault of this number in the row ends it. `None`: no count.
    pub faults: Option<u32>,
    /// The refusal ([`crate::Fault::Refused`]) of this number in a row is final.
    pub refusals: u32,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            time: Some(Duration::from_secs(15 * 60)),
            faults: None,
            refusals: 3,
        }
    }
}

/// The pauses after faults: they double from the period (at least 100 ms) up to `most`, spread by a tenth either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// Never more than this, unless the period itself is longer: then never more than the period.
    pub most: Duration,
    /// What a service that throttles may ask for at the most.
    pub asked_most: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Self {
            most: Duration::from_secs(30),
            asked_most: Duration::from_secs(5 * 60),
        }
    }
}

impl Backoff {
    /// The pause after the fault of number `in_a_row` (from 1), grown from `period`.
    #[must_use]
    pub fn pause(self, period: Duration, in_a_row: u32, jitter: &mut Jitter) -> Duration {
        let first = period.max(SHORTEST_RETRY);
        let most = self.most.max(first);
        let grown = first.saturating_mul(1 << in_a_row.saturating_sub(1).min(31));
        jitter.spread(grown.min(most)).min(most)
    }
}

/// Everything that decides when to look and when to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// The pause between good looks.
    pub period: Period,
    /// The end of everything.
    pub deadline: Deadline,
    /// How long faults are put up with.
    pub patience: Patience,
    /// The pauses after faults.
    pub backoff: Backoff,
    /// What the last round, which starts at the deadline, may take in all. A wait ends at the deadline plus this at the
    /// latest, if its probe keeps to [`Attempt::budget`](crate::Attempt::budget).
    pub last_round: Duration,
    /// Seeds the jitter, so that many processes do not look in step.
    pub seed: u64,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            period: Period::default(),
            deadline: Deadline::Never,
            patience: Patience::default(),
            backoff: Backoff::default(),
            last_round: Duration::from_millis(400),
            seed: 0,
        }
    }
}

/// A small seeded source of spread (`SplitMix64`): not for secrets.
#[derive(Debug, Clone)]
pub struct Jitter(u64);

impl Jitter {
    /// A source that gives the same spread for the same seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// `pause`, spread by up to a tenth either way.
    pub fn spread(&mut self, pause: Duration) -> Duration {
        // 0 ..= 2000, in thousandths of a tenth.
        let share = u32::try_from(self.next() % 2001).unwrap_or(1000);
        let tenth = pause / 10;
        pause
            .saturating_sub(tenth)
            .saturating_add((tenth / 1000).saturating_mul(share))
    }

    /// A source of its own that starts from this one, which moves on.
    pub(crate) fn fork(&mut self) -> Self {
        Self(self.next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}
