//! A sign of life each second of the wait, under any period.

use poll_core::{Clock, Deadline, FakeClock, Period, Policy, Quorum};

use crate::support::{Said, Words, here, ms, policy, run, run_script, s, throttled, transient};

fn every(period_ms: u64, deadline: u64) -> Policy {
    Policy {
        period: Period::Fixed(ms(period_ms)),
        ..policy(0, deadline)
    }
}

#[test]
fn a_pause_of_a_minute_ticks_each_second() {
    let log = run_script(&policy(60, 60), &[here("building")]);
    assert_eq!(log.ticks(), (1..=60).map(s).collect::<Vec<_>>());
    let (_, first) = &log.events[2];
    assert_eq!(
        first,
        &Said::Tick {
            elapsed: s(1),
            left: Some(s(59))
        }
    );
}

#[test]
fn seconds_are_counted_over_pauses_of_any_length() {
    for period in [100, 300, 500, 999, 1000, 1500, 2750, 7333, 59_500] {
        let log = run_script(&every(period, 60), &[here("building")]);
        assert_eq!(
            log.ticks(),
            (1..=60).map(s).collect::<Vec<_>>(),
            "period {period} ms"
        );
    }
}

#[test]
fn retries_and_throttling_tick_as_well() {
    assert_eq!(run_script(&policy(5, 60), &[transient()]).ticks().len(), 60);
    assert_eq!(
        run_script(&policy(5, 60), &[throttled(Some(600))])
            .ticks()
            .len(),
        60
    );
}

#[test]
fn a_slow_look_is_followed_by_one_tick_and_not_by_all_that_were_missed() {
    let log = run(&policy(5, 30), &mut [Words], Quorum::All, |clock, _, at| {
        clock.advance(if at.number == 1 { s(10) } else { s(0) });
        Ok(vec![(0, here("building"))])
    });
    assert_eq!(log.ticks(), (10..=30).map(s).collect::<Vec<_>>());
}

#[test]
fn the_sleeps_of_the_clock_add_up_to_the_pause() {
    let clock = FakeClock::new();
    let policy = Policy {
        deadline: Deadline::At(ms(2500)),
        ..every(9000, 0)
    };
    let finished = poll_core::wait(
        &policy,
        &clock,
        &mut Words,
        &mut |_| here("building"),
        &mut |_| {},
    );
    assert_eq!(clock.pauses(), [s(1), s(1), ms(500)]);
    assert_eq!((clock.now(), finished.elapsed), (ms(2500), ms(2500)));
}
