//! The end of everything: the last pause, the last round, its budget and its second look.

use std::time::Duration;

use poll_core::{Deadline, FakeClock, Fault, GoneTwice, Observation, Outcome, Policy, Quorum};

use crate::support::{
    Said, Words, gone, here, ms, policy, refused, run, run_on, run_script, s, throttled, transient,
};

const BUILDING: Observation<&str> = Observation::Present("building");

#[test]
fn the_last_pause_is_cut_and_a_last_look_made_at_the_deadline() {
    let log = run_script(&policy(5, 12), &[here("building")]);
    assert_eq!(log.times(), [0, 5000, 10_000, 12_000]);
    assert_eq!(log.outcomes(), [&Outcome::TimedOut(Some(BUILDING), None)]);
    assert_eq!(log.ended, s(12));
    assert!(log.events.contains(&(s(10), Said::Pause(s(2)))));
}

#[test]
fn the_last_look_still_finds_the_goal() {
    let log = run_script(
        &policy(5, 8),
        &[here("building"), here("building"), here("up")],
    );
    assert_eq!(
        log.outcomes(),
        [&Outcome::Reached(Observation::Present("up"), "it is up")]
    );
    assert_eq!(log.finished[0].elapsed, s(8));
}

#[test]
fn a_look_that_is_due_at_the_deadline_is_the_last_and_only_one_there() {
    let log = run_script(&policy(5, 10), &[here("building")]);
    assert_eq!(log.times(), [0, 5000, 10_000]);
    assert!(log.rounds[2].1.last);
}

#[test]
fn a_deadline_of_zero_looks_once() {
    for script in [
        [here("building")],
        [transient()],
        [throttled(Some(20))],
        [refused()],
    ] {
        let log = run_script(&policy(5, 0), &script);
        assert_eq!(log.times(), [0], "{script:?}");
        assert_eq!(
            (log.rounds[0].1.last, log.rounds[0].1.budget),
            (true, Some(ms(400)))
        );
        assert_eq!(log.ended, s(0));
    }
}

#[test]
fn a_deadline_in_the_past_looks_once_with_the_whole_budget() {
    let clock = FakeClock::new();
    clock.advance(s(30));
    let log = run_on(
        &clock,
        &policy(5, 10),
        &mut [Words],
        Quorum::All,
        &mut |_, _| Ok(vec![(0, here("building"))]),
    );
    assert_eq!(log.rounds.len(), 1);
    assert_eq!(
        (log.rounds[0].1.left, log.rounds[0].1.budget),
        (Some(s(0)), Some(ms(400)))
    );
    assert_eq!(log.ended, s(30));
}

#[test]
fn a_wait_that_begins_at_its_deadline_looks_once_even_without_time_for_a_last_round() {
    let policy = Policy {
        last_round: Duration::ZERO,
        ..policy(5, 0)
    };
    let log = run_script(&policy, &[here("up")]);
    assert!(matches!(log.outcomes()[..], [Outcome::Reached(..)]));
    let later = Policy {
        deadline: Deadline::At(s(5)),
        ..policy
    };
    let log = run_script(&later, &[here("building")]);
    assert_eq!(
        log.times(),
        [0],
        "whoever has looked needs time to look again"
    );
}

#[test]
fn an_outage_at_the_deadline_is_told_apart_from_work_in_progress() {
    let log = run_script(
        &policy(5, 10),
        &[here("building"), here("building"), transient()],
    );
    assert_eq!(
        log.outcomes(),
        [&Outcome::TimedOut(Some(BUILDING), Some("503"))]
    );
    assert_eq!(log.retries(), [(1, None)], "no look follows the last one");
    let log = run_script(
        &policy(5, 10),
        &[here("building"), transient(), here("building")],
    );
    assert_eq!(log.outcomes(), [&Outcome::TimedOut(Some(BUILDING), None)]);
}

#[test]
fn a_last_round_that_overran_its_budget_did_not_look() {
    let slow_end = |before: &'static [poll_core::Look<&'static str, &'static str>]| {
        let mut looks = before.iter();
        run(
            &policy(5, 8),
            &mut [Words],
            Quorum::All,
            move |clock, _, at| {
                if at.last {
                    clock.advance(ms(400));
                }
                Ok(vec![(
                    0,
                    if at.last {
                        transient()
                    } else {
                        *looks.next().expect("two looks")
                    },
                )])
            },
        )
    };
    let log = slow_end(&[Ok(BUILDING), Ok(BUILDING)]);
    assert_eq!(log.outcomes(), [&Outcome::TimedOut(Some(BUILDING), None)]);
    assert_eq!(log.retries(), [(0, None)], "it is not counted");
    assert_eq!(log.ended, ms(8400));
    let log = slow_end(&[Ok(BUILDING), Err(Fault::Transient("reset"))]);
    assert_eq!(
        log.outcomes(),
        [&Outcome::TimedOut(Some(BUILDING), Some("reset"))],
        "the look before it counts"
    );
}

#[test]
fn a_fault_within_the_budget_of_the_last_round_counts() {
    let log = run(&policy(5, 5), &mut [Words], Quorum::All, |clock, _, at| {
        clock.advance(if at.last { ms(399) } else { ms(0) });
        Ok(vec![(
            0,
            if at.last {
                transient()
            } else {
                here("building")
            },
        )])
    });
    assert_eq!(
        log.outcomes(),
        [&Outcome::TimedOut(Some(BUILDING), Some("503"))]
    );
}

#[test]
fn a_round_that_the_deadline_cut_short_did_not_look() {
    let log = run(&policy(5, 8), &mut [Words], Quorum::All, |clock, _, at| {
        if at.number == 2 {
            clock.advance(at.budget.expect("a deadline"));
            return Err(Fault::Transient("timed out"));
        }
        if at.last {
            clock.advance(ms(400));
            return Err(Fault::Transient("timed out"));
        }
        Ok(vec![(0, here("building"))])
    });
    assert_eq!(log.times(), [0, 5000, 8000]);
    assert_eq!(log.outcomes(), [&Outcome::TimedOut(Some(BUILDING), None)]);
    assert_eq!(
        log.retries(),
        [(0, Some(Duration::ZERO)), (0, None)],
        "the last look follows at once"
    );
}

#[test]
fn a_look_cut_short_does_not_use_up_patience() {
    let mut policy = policy(5, 8);
    policy.patience.faults = Some(1);
    let log = run(&policy, &mut [Words], Quorum::All, |clock, _, at| {
        if at.number == 2 {
            clock.advance(s(3));
            return Err(Fault::Transient("timed out"));
        }
        Ok(vec![(0, here(if at.last { "up" } else { "building" }))])
    });
    assert_eq!(
        log.outcomes(),
        [&Outcome::Reached(Observation::Present("up"), "it is up")]
    );
}

#[test]
fn the_last_round_starts_at_the_deadline_even_if_the_round_before_it_overran_that() {
    let overrun_by = |over: Duration| {
        run(
            &policy(5, 8),
            &mut [Words],
            Quorum::All,
            move |clock, _, at| {
                if at.number == 2 {
                    clock.advance(s(3) + over);
                }
                Ok(vec![(0, here("building"))])
            },
        )
    };
    let log = overrun_by(ms(300));
    assert_eq!(log.rounds[2].1.budget, Some(ms(100)));
    let log = overrun_by(ms(400));
    assert_eq!(log.rounds.len(), 2, "nothing of the last round was left");
    assert_eq!(log.outcomes(), [&Outcome::TimedOut(Some(BUILDING), None)]);
}

#[test]
fn no_look_is_promised_where_the_last_round_is_over_already() {
    let log = run(&policy(5, 8), &mut [Words], Quorum::All, |clock, _, at| {
        if at.number == 2 {
            clock.advance(s(4));
            return Err(Fault::Refused("403"));
        }
        Ok(vec![(0, here("building"))])
    });
    assert_eq!(log.retries(), [(1, None)]);
    assert_eq!(log.rounds.len(), 2);
}

#[test]
fn the_pause_of_a_retry_is_cut_to_the_deadline() {
    let log = run_script(&policy(5, 7), &[here("building"), transient()]);
    assert_eq!(log.retries(), [(1, Some(s(2))), (2, None)]);
}

#[test]
fn a_404_first_seen_at_the_deadline_is_looked_at_a_second_time_at_once() {
    let run_gone = |cost: Duration, second: poll_core::Look<&'static str, &'static str>| {
        let mut judges = [GoneTwice::new(Words, s(1))];
        run(
            &policy(5, 8),
            &mut judges,
            Quorum::All,
            move |clock, _, at| {
                if at.last {
                    clock.advance(cost);
                }
                let look = match at.number {
                    1 | 2 => here("building"),
                    3 => gone(),
                    _ => second,
                };
                Ok(vec![(0, look)])
            },
        )
    };
    let log = run_gone(ms(100), gone());
    assert_eq!(
        log.outcomes(),
        [&Outcome::Failed(Observation::Gone, "it is gone")]
    );
    assert_eq!(log.times(), [0, 5000, 8000, 8100]);
    assert_eq!(
        log.rounds[3].1.budget,
        Some(ms(300)),
        "both looks share the budget of the last round"
    );
    assert!(log.rounds[3].1.last);

    let log = run_gone(ms(100), here("building"));
    assert_eq!(log.outcomes(), [&Outcome::TimedOut(Some(BUILDING), None)]);

    let log = run_gone(ms(400), gone());
    assert_eq!(
        log.outcomes(),
        [&Outcome::TimedOut(Some(Observation::Gone), None)],
        "no time for a second look"
    );
    assert_eq!(log.rounds.len(), 3);
}

#[test]
fn there_is_one_second_look_and_no_third() {
    let log = run_script(&policy(5, 5), &[here("building"), here("more")]);
    assert_eq!(log.times(), [0, 5000, 5000]);
    assert_eq!(
        log.outcomes(),
        [&Outcome::TimedOut(Some(Observation::Present("more")), None)]
    );
}

#[test]
fn a_judge_that_wants_a_look_in_a_second_gets_none_at_the_deadline() {
    let log = run_script(&policy(5, 5), &[here("building"), here("soon")]);
    assert_eq!(log.times(), [0, 5000]);
}

#[test]
fn the_second_look_is_at_those_who_asked_for_it_alone() {
    let log = run(
        &policy(5, 5),
        &mut [Words, Words],
        Quorum::All,
        |_, due, at| {
            let word = |index| {
                if at.last && index == 1 {
                    "more"
                } else {
                    "building"
                }
            };
            Ok(due
                .iter()
                .map(|&index| (index, here(word(index))))
                .collect())
        },
    );
    let due: Vec<_> = log.rounds.iter().map(|(due, _)| due.clone()).collect();
    assert_eq!(due, [vec![0, 1], vec![0, 1], vec![1]]);
}

#[test]
fn patience_that_would_outlast_the_deadline_does_not() {
    let policy = Policy {
        deadline: Deadline::At(s(60)),
        ..policy(5, 0)
    };
    let log = run_script(&policy, &[transient()]);
    assert_eq!(log.ended, s(60));
    assert_eq!(log.outcomes(), [&Outcome::TimedOut(None, Some("503"))]);
}
