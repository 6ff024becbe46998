//! One resource in fair weather: looks, pauses, verdicts, second looks.

use std::time::Duration;

use poll_core::{
    Attempt, Deadline, FakeClock, Fault, Observation, Outcome, Period, Policy, Quorum, wait,
    wait_all,
};

use crate::support::{Said, Words, here, ms, policy, run, run_script, s};

#[test]
fn a_wait_looks_first_and_then_once_a_period() {
    let log = run_script(
        &policy(5, 600),
        &[here("building"), here("building"), here("up")],
    );
    assert_eq!(log.times(), [0, 5000, 10_000]);
    assert_eq!(
        log.outcomes(),
        [&Outcome::Reached(Observation::Present("up"), "it is up")]
    );
    assert_eq!((log.finished[0].elapsed, log.finished[0].looks), (s(10), 3));
}

#[test]
fn what_is_up_at_the_first_look_takes_no_time() {
    let log = run_script(&policy(5, 600), &[here("up")]);
    assert_eq!((log.ended, log.rounds.len()), (s(0), 1));
    assert_eq!(log.events, [(s(0), Said::Seen(0))]);
}

#[test]
fn a_bad_end_is_an_outcome_with_what_was_seen() {
    let log = run_script(
        &policy(5, 600),
        &[here("building"), here("down"), here("up")],
    );
    assert_eq!(
        log.outcomes(),
        [&Outcome::Failed(Observation::Present("down"), "it is down")]
    );
    assert_eq!(log.times(), [0, 5000]);
}

#[test]
fn attempts_are_numbered_and_say_what_is_left() {
    let log = run_script(&policy(5, 12), &[here("building")]);
    let seen = |number, elapsed, left, budget, last| Attempt {
        number,
        elapsed: ms(elapsed),
        left: Some(ms(left)),
        budget: Some(ms(budget)),
        last,
    };
    let expected = [
        seen(1, 0, 12_000, 12_000, false),
        seen(2, 5000, 7000, 7000, false),
        seen(3, 10_000, 2000, 2000, false),
        seen(4, 12_000, 0, 400, true),
    ];
    assert_eq!(
        log.rounds.iter().map(|(_, at)| *at).collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn without_a_deadline_nothing_bounds_a_round() {
    let policy = Policy {
        deadline: Deadline::Never,
        ..policy(5, 0)
    };
    let log = run_script(&policy, &[here("building"), here("up")]);
    assert!(
        log.rounds
            .iter()
            .all(|(_, at)| at.left.is_none() && at.budget.is_none() && !at.last)
    );
}

#[test]
fn the_pause_begins_after_the_look() {
    let mut looks = 0;
    let log = run(&policy(5, 600), &mut [Words], Quorum::All, |clock, _, _| {
        looks += 1;
        clock.advance(s(2));
        Ok(vec![(0, here(if looks == 3 { "up" } else { "building" }))])
    });
    assert_eq!(log.times(), [0, 7000, 14_000]);
    assert_eq!(log.finished[0].elapsed, s(16));
}

#[test]
fn an_adaptive_period_counts_the_time_of_the_look_as_waited() {
    for look in [here("building"), Err(Fault::Transient("timed out"))] {
        let adaptive = Policy {
            period: Period::default(),
            ..policy(0, 600)
        };
        let log = run(&adaptive, &mut [Words], Quorum::All, |clock, _, at| {
            clock.advance(if at.number == 1 { s(40) } else { s(0) });
            Ok(vec![(0, if at.number == 1 { look } else { here("up") })])
        });
        assert!(
            log.ended >= ms(43_600) && log.ended <= ms(44_400),
            "{look:?}: {:?}",
            log.ended
        );
    }
}

#[test]
fn the_clock_need_not_start_at_zero() {
    let clock = FakeClock::new();
    clock.advance(s(1000));
    let policy = Policy {
        deadline: Deadline::after(s(1000), s(12)),
        ..policy(5, 0)
    };
    let mut elapsed = Vec::new();
    let finished = wait(
        &policy,
        &clock,
        &mut Words,
        &mut |at| {
            elapsed.push(at.elapsed);
            here("building")
        },
        &mut |_| {},
    );
    assert_eq!(elapsed, [s(0), s(5), s(10), s(12)]);
    assert_eq!(finished.elapsed, s(12));
}

#[test]
fn a_judge_that_wants_the_next_page_gets_it_at_once() {
    let log = run_script(
        &policy(5, 600),
        &[here("more"), here("more"), here("building"), here("up")],
    );
    assert_eq!(log.times(), [0, 0, 0, 5000]);
}

#[test]
fn a_judge_may_shorten_the_pause_but_not_lengthen_it() {
    let log = run_script(&policy(5, 600), &[here("soon"), here("late"), here("up")]);
    assert_eq!(log.times(), [0, 1000, 6000]);
}

#[test]
fn a_period_of_zero_is_no_busy_loop() {
    let policy = Policy {
        deadline: Deadline::At(ms(20)),
        ..policy(0, 0)
    };
    let log = run_script(&policy, &[here("building")]);
    assert!(
        log.rounds.len() <= 21,
        "{} looks in 20 ms",
        log.rounds.len()
    );
}

#[test]
fn the_longest_durations_there_are_do_no_harm() {
    let policy = Policy {
        period: Period::Fixed(Duration::MAX),
        deadline: Deadline::At(s(3)),
        patience: poll_core::Patience {
            time: Some(Duration::MAX),
            faults: Some(u32::MAX),
            refusals: u32::MAX,
        },
        backoff: poll_core::Backoff {
            most: Duration::MAX,
            asked_most: Duration::MAX,
        },
        last_round: Duration::MAX,
        seed: u64::MAX,
    };
    for look in [
        here("building"),
        Err(Fault::Transient("503")),
        Err(Fault::Refused("403")),
        Err(Fault::Throttled("429", None)),
        Err(Fault::Throttled("429", Some(Duration::MAX))),
    ] {
        let log = run_script(&policy, &[look]);
        assert_eq!(log.ended, s(3), "{look:?}");
        assert!(
            matches!(log.outcomes()[..], [Outcome::TimedOut(..)]),
            "{look:?}"
        );
    }
}

#[test]
fn the_end_of_the_clock_is_a_deadline_like_any_other() {
    let clock = FakeClock::new();
    clock.advance(Duration::MAX);
    let at_the_end = Policy {
        deadline: Deadline::At(Duration::MAX),
        ..policy(5, 0)
    };
    let finished = wait(
        &at_the_end,
        &clock,
        &mut Words,
        &mut |_| Err(Fault::Transient("503")),
        &mut |_| {},
    );
    assert_eq!(finished.looks, 1);
}

#[test]
fn nothing_to_wait_for_is_over_at_once_and_asks_nothing() {
    let clock = FakeClock::new();
    let finished = wait_all::<(), Nothing, &str, _>(
        &policy(5, 60),
        &clock,
        &mut [] as &mut [Never],
        Quorum::All,
        &mut |_, _| panic!("nobody to look at"),
        &mut |_| panic!("nothing to tell"),
    );
    assert!(finished.is_empty());
    assert!(clock.pauses().is_empty());
}

type Nothing = &'static str;
struct Never;
impl poll_core::Judge<()> for Never {
    type Why = Nothing;
    fn judge(&mut self, _: &Observation<()>, _: &Attempt) -> poll_core::Verdict<Nothing> {
        poll_core::Verdict::Failed("never asked")
    }
}
