//! Time as the engine sees it.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A monotonic clock that can pause.
pub trait Clock {
    /// The time since this clock's origin. Never goes back.
    fn now(&self) -> Duration;
    /// Returns after `pause`.
    fn sleep(&self, pause: Duration);
}

/// The machine's monotonic clock. On Linux it stands still while the machine sleeps.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock {
    origin: Instant,
}

impl SystemClock {
    /// A clock whose origin is now.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the machine's clock"
    )]
    pub fn new() -> Self {
        Self {
            origin: Instant::now(),
        }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.origin.elapsed()
    }

    #[expect(clippy::disallowed_methods, reason = "the one place that sleeps")]
    fn sleep(&self, pause: Duration) {
        std::thread::sleep(pause);
    }
}

/// A clock for tests: a pause returns at once, moves the time and is kept in a log.
#[derive(Debug, Default)]
pub struct FakeClock {
    state: Mutex<(Duration, Vec<Duration>)>,
}

impl FakeClock {
    /// A clock that stands at zero.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Moves the time, as a slow request does.
    pub fn advance(&self, by: Duration) {
        let mut state = self.lock();
        state.0 = state.0.saturating_add(by);
    }

    /// Every sleep so far, in order. [`crate::wait_all`] sleeps up to each [`crate::Event::Tick`]: a pause of 5 s is
    /// five sleeps of 1 s. Whole pauses are told by [`crate::Event::Pause`].
    #[must_use]
    pub fn pauses(&self) -> Vec<Duration> {
        self.lock().1.clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, (Duration, Vec<Duration>)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Duration {
        self.lock().0
    }

    fn sleep(&self, pause: Duration) {
        let mut state = self.lock();
        state.0 = state.0.saturating_add(pause);
        state.1.push(pause);
    }
}
