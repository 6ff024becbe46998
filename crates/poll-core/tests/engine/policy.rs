//! Period, backoff, deadline, jitter: tables.

use std::time::Duration;

use poll_core::{Backoff, Deadline, Jitter, Patience, Period, Policy};

use crate::support::{ms, s};

fn within_a_tenth(pause: Duration, of: Duration) -> bool {
    pause >= of - of / 10 && pause <= of + of / 10
}

#[test]
fn the_default_pace_is_a_tenth_of_the_time_waited_within_bounds() {
    let table = [
        (s(0), ms(500)),
        (s(1), ms(500)),
        (s(5), ms(500)),
        (s(6), ms(600)),
        (s(20), s(2)),
        (s(49), ms(4900)),
        (s(50), s(5)),
        (s(60), s(5)),
        (s(30 * 60) - ms(1), s(5)),
        (s(30 * 60), s(15)),
        (s(30 * 86_400), s(15)),
        (Duration::MAX, s(15)),
    ];
    let mut jitter = Jitter::new(1);
    for (elapsed, pace) in table {
        assert_eq!(Period::default().pace(elapsed), pace, "after {elapsed:?}");
        let pauses: Vec<Duration> = (0..100)
            .map(|_| Period::default().pause(elapsed, &mut jitter))
            .collect();
        assert!(
            pauses.iter().all(|pause| within_a_tenth(*pause, pace)),
            "after {elapsed:?}: {pauses:?}"
        );
        assert!(
            pauses.iter().any(|pause| *pause < pace) && pauses.iter().any(|pause| *pause > pace),
            "it is spread"
        );
    }
}

#[test]
fn a_fixed_period_is_not_spread() {
    for pause in [Duration::ZERO, ms(10), s(5), Duration::MAX] {
        assert_eq!(
            Period::Fixed(pause).pause(s(100), &mut Jitter::new(7)),
            pause
        );
        assert_eq!(Period::Fixed(pause).shortest(), pause);
    }
    assert_eq!(Period::default().shortest(), ms(500));
}

#[test]
fn retry_pauses_double_from_the_period_up_to_the_most() {
    let backoff = Backoff::default();
    let table = [
        (s(5), 1, s(5)),
        (s(5), 2, s(10)),
        (s(5), 3, s(20)),
        (s(5), 4, s(30)),
        (s(5), u32::MAX, s(30)),
        (ms(500), 4, s(4)),
        // Never at once, and never more often than the period.
        (Duration::ZERO, 1, ms(100)),
        (Duration::ZERO, 3, ms(400)),
        (s(60), 1, s(60)),
        (s(60), 9, s(60)),
    ];
    for (period, in_a_row, pause) in table {
        for seed in 0..100 {
            let spread = backoff.pause(period, in_a_row, &mut Jitter::new(seed));
            assert!(
                within_a_tenth(spread, pause),
                "{period:?}, fault {in_a_row}: {spread:?}"
            );
            assert!(
                spread <= backoff.most.max(period),
                "{period:?}, fault {in_a_row}: {spread:?}"
            );
        }
    }
    assert!(backoff.pause(Duration::MAX, 2, &mut Jitter::new(0)) > s(1 << 40));
}

#[test]
fn a_deadline_has_come_at_its_point_and_not_before() {
    let deadline = Deadline::At(s(10));
    let table = [
        (s(0), s(10), false),
        (s(4), s(6), false),
        (
            s(10) - Duration::from_nanos(1),
            Duration::from_nanos(1),
            false,
        ),
        (s(10), s(0), true),
        (s(11), s(0), true),
        (Duration::MAX, s(0), true),
    ];
    for (now, left, come) in table {
        assert_eq!(deadline.left(now), Some(left), "at {now:?}");
        assert_eq!(deadline.has_come(now), come, "at {now:?}");
        assert_eq!(deadline.cut(now, s(7)), left.min(s(7)), "at {now:?}");
    }
}

#[test]
fn a_deadline_that_never_comes_cuts_nothing() {
    assert_eq!(Deadline::Never.left(Duration::MAX), None);
    assert_eq!(Deadline::Never.cut(s(1), Duration::MAX), Duration::MAX);
    assert!(!Deadline::Never.has_come(Duration::MAX));
}

#[test]
fn a_limit_beyond_the_clock_never_comes() {
    assert_eq!(Deadline::after(s(3), s(4)), Deadline::At(s(7)));
    assert_eq!(Deadline::after(s(1), Duration::MAX), Deadline::Never);
    assert_eq!(
        Deadline::after(Duration::ZERO, Duration::MAX),
        Deadline::At(Duration::MAX)
    );
}

#[test]
fn the_spread_uses_the_whole_tenth_and_no_more() {
    let mut jitter = Jitter::new(42);
    let spread: Vec<Duration> = (0..10_000).map(|_| jitter.spread(s(10))).collect();
    assert!(spread.iter().all(|pause| within_a_tenth(*pause, s(10))));
    assert!(
        spread.iter().any(|pause| *pause < ms(9050)),
        "the lower end is used"
    );
    assert!(
        spread.iter().any(|pause| *pause > ms(10_950)),
        "the upper end is used"
    );
    let mean = spread.iter().sum::<Duration>() / 10_000;
    assert!(
        mean > ms(9950) && mean < ms(10_050),
        "neither side is favoured: {mean:?}"
    );
}

#[test]
fn the_spread_depends_on_the_seed_alone() {
    let draw = |seed| {
        let mut jitter = Jitter::new(seed);
        [
            jitter.spread(s(1)),
            jitter.spread(s(1)),
            jitter.spread(s(1)),
        ]
    };
    assert_eq!(draw(5), draw(5));
    assert_ne!(draw(5), draw(6));
}

#[test]
fn the_defaults_are_those_of_the_manual() {
    let policy = Policy::default();
    assert_eq!(
        policy.patience,
        Patience {
            time: Some(s(900)),
            faults: None,
            refusals: 3
        }
    );
    assert_eq!(
        (policy.backoff.most, policy.backoff.asked_most),
        (s(30), s(300))
    );
    assert_eq!(
        (policy.deadline, policy.last_round),
        (Deadline::Never, ms(400))
    );
}
