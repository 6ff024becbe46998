//! The cloud's time: a clock that tests share, and the wall clock that bodies and headers show.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use poll_core::{Clock, FakeClock, SystemClock};

/// 2031-03-04T10:00:00Z: the wall-clock time that answers show at the clock's origin.
const EPOCH: Duration = Duration::from_secs(1_930_384_800);

/// Where the cloud's time comes from. Everything that happens in the models is a point of this
/// time, so a client that sleeps on the same fake clock sees it happen at once.
#[derive(Clone)]
pub struct Time {
    clock: Arc<dyn Clock + Send + Sync>,
    fake: Option<Arc<FakeClock>>,
    epoch: SystemTime,
}

impl Time {
    /// The time of a clock that a test moves.
    #[must_use]
    pub fn fake(clock: Arc<FakeClock>) -> Self {
        Self {
            clock: clock.clone(),
            fake: Some(clock),
            epoch: UNIX_EPOCH + EPOCH,
        }
    }

    /// Real time, as the demo uses it; the wall clock still starts at the fixed epoch.
    #[must_use]
    pub fn real() -> Self {
        Self {
            clock: Arc::new(SystemClock::new()),
            fake: None,
            epoch: UNIX_EPOCH + EPOCH,
        }
    }

    /// The same time with another wall clock at the origin.
    #[must_use]
    pub fn with_epoch(self, epoch: SystemTime) -> Self {
        Self { epoch, ..self }
    }

    /// The time since the clock's origin.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.clock.now()
    }

    /// Lets time pass: a fake clock is moved, a real one waited for.
    pub fn pass(&self, by: Duration) {
        match &self.fake {
            Some(fake) => fake.advance(by),
            None => self.clock.sleep(by),
        }
    }

    /// A pause of the client: in the log of a fake clock it counts as one.
    pub(crate) fn sleep(&self, pause: Duration) {
        self.clock.sleep(pause);
    }

    /// Heat's notation, whole seconds: `2031-03-04T10:00:05Z`.
    #[must_use]
    pub fn seconds(&self, at: Duration) -> String {
        humantime::format_rfc3339_seconds(self.epoch + at).to_string()
    }

    /// Keystone's and Manila's notation, microseconds and no zone: `2031-03-04T10:00:05.000000`.
    #[must_use]
    pub fn micros(&self, at: Duration) -> String {
        humantime::format_rfc3339_micros(self.epoch + at)
            .to_string()
            .trim_end_matches('Z')
            .to_owned()
    }

    /// The notation of the `Date` header: `Tue, 04 Mar 2031 10:00:05 GMT` (RFC 9110, 5.6.7).
    #[must_use]
    pub fn http_date(&self, at: Duration) -> String {
        const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
        const MONTHS: [&str; 12] = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ];
        let days = (self.epoch + at)
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_secs()
            / 86_400;
        let weekday = DAYS
            .iter()
            .cycle()
            .nth((days % 7) as usize)
            .unwrap_or(&"Thu");
        let text = self.seconds(at);
        let (date, clock) = text
            .trim_end_matches('Z')
            .split_once('T')
            .unwrap_or_default();
        let mut parts = date.split('-');
        let (year, month, day) = (
            parts.next().unwrap_or_default(),
            parts.next().unwrap_or_default(),
            parts.next().unwrap_or_default(),
        );
        let month = month
            .parse::<usize>()
            .ok()
            .and_then(|month| MONTHS.get(month.checked_sub(1)?))
            .unwrap_or(&"Jan");
        format!("{weekday}, {day} {month} {year} {clock} GMT")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_notations_show_the_same_instant() {
        let time = Time::fake(Arc::new(FakeClock::new()));
        let at = Duration::from_millis(5_250);
        assert_eq!(time.seconds(at), "2031-03-04T10:00:05Z");
        assert_eq!(time.micros(at), "2031-03-04T10:00:05.250000");
        assert_eq!(time.http_date(at), "Tue, 04 Mar 2031 10:00:05 GMT");
    }

    #[test]
    fn passing_time_moves_a_fake_clock_without_a_pause_in_its_log() {
        let clock = Arc::new(FakeClock::new());
        Time::fake(clock.clone()).pass(Duration::from_secs(3));
        assert_eq!(clock.now(), Duration::from_secs(3));
        assert!(clock.pauses().is_empty());
    }
}
