//! Waits of many days, and the clocks.

use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use poll_core::{
    Attempt, Clock, Deadline, Event, FakeClock, Fault, Judge, Observation, Period, Policy,
    SystemClock, Verdict, wait,
};

use crate::support::{ms, s};

/// A clock without a log, for waits of many days.
#[derive(Default)]
struct Days(std::cell::Cell<Duration>);

impl Clock for Days {
    fn now(&self) -> Duration {
        self.0.get()
    }
    fn sleep(&self, pause: Duration) {
        self.0.set(self.0.get() + pause);
    }
}

/// Never content, and holds on to nothing.
struct Endless;

impl Judge<Rc<()>> for Endless {
    type Why = ();
    fn judge(&mut self, _: &Observation<Rc<()>>, _: &Attempt) -> Verdict<()> {
        Verdict::Pending { again: None }
    }
}

const MONTH: Duration = s(30 * 86_400);

#[test]
fn thirty_days_do_not_drift_and_keep_one_observation() {
    let (clock, state) = (Days::default(), Rc::new(()));
    let policy = Policy {
        period: Period::Fixed(s(5)),
        deadline: Deadline::At(MONTH),
        ..Policy::default()
    };
    let (mut looks, mut ticks) = (0, 0);
    let finished = wait(
        &policy,
        &clock,
        &mut Endless,
        &mut |at| {
            assert_eq!(at.elapsed, s(5) * looks);
            assert!(Rc::strong_count(&state) <= 2, "one observation is kept");
            looks += 1;
            if looks % 1000 == 0 {
                return Err(Fault::Throttled("429", Some(s(5))));
            }
            Ok(Observation::Present(Rc::clone(&state)))
        },
        &mut |event: Event<'_, Rc<()>, (), &str>| {
            ticks += u64::from(matches!(event, Event::Tick { .. }))
        },
    );
    assert_eq!(finished.elapsed, MONTH);
    assert_eq!((looks, ticks), (30 * 86_400 / 5 + 1, MONTH.as_secs()));
}

#[test]
fn thirty_days_of_an_adaptive_period_are_polite() {
    let (clock, state) = (Days::default(), Rc::new(()));
    let policy = Policy {
        deadline: Deadline::At(MONTH),
        ..Policy::default()
    };
    let mut gaps: HashMap<u64, u32> = HashMap::new();
    let mut before = Duration::ZERO;
    let finished = wait(
        &policy,
        &clock,
        &mut Endless,
        &mut |at| {
            *gaps.entry((at.elapsed - before).as_secs()).or_default() += 1;
            before = at.elapsed;
            Ok::<_, Fault<&str>>(Observation::Present(Rc::clone(&state)))
        },
        &mut |_| {},
    );
    assert!(
        finished.looks < 30 * 86_400 / 14,
        "{} looks",
        finished.looks
    );
    assert!(gaps.keys().all(|gap| *gap <= 16), "{gaps:?}");
}

#[test]
fn the_fake_clock_moves_when_told_and_keeps_its_sleeps() {
    let clock = FakeClock::new();
    assert_eq!(clock.now(), Duration::ZERO);
    clock.sleep(ms(300));
    clock.advance(s(2));
    clock.sleep(s(1));
    assert_eq!(
        (clock.now(), clock.pauses()),
        (ms(3300), vec![ms(300), s(1)])
    );
    clock.advance(Duration::MAX);
    clock.sleep(Duration::MAX);
    assert_eq!(clock.now(), Duration::MAX);
}

#[test]
fn the_machines_clock_starts_at_its_making_and_never_goes_back() {
    let clock = SystemClock::new();
    let readings: Vec<Duration> = (0..1000).map(|_| clock.now()).collect();
    assert!(readings.is_sorted());
    assert!(
        readings.iter().all(|reading| *reading < s(3600)),
        "it counts from its own origin"
    );
    let copy = clock;
    assert!(copy.now() >= readings[999], "copies share the origin");
}
