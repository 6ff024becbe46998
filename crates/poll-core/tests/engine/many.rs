//! Several resources in one wait.

use poll_core::{Fault, Observation, Outcome, Quorum};

use crate::support::{End, Said, Words, here, ms, policy, run, run_scripts, s, transient};

const UP: End = Outcome::Reached(Observation::Present("up"), "it is up");
const DOWN: End = Outcome::Failed(Observation::Present("down"), "it is down");
const BUILDING: Observation<&str> = Observation::Present("building");

#[test]
fn those_who_have_ended_are_not_asked_for_any_more() {
    let log = run_scripts(
        &policy(5, 60),
        Quorum::All,
        &[
            &[here("up")],
            &[here("building"), here("down")],
            &[here("a"), here("a"), here("up")],
        ],
    );
    let due: Vec<_> = log.rounds.iter().map(|(due, _)| due.clone()).collect();
    assert_eq!(due, [vec![0, 1, 2], vec![1, 2], vec![2]]);
    assert_eq!(log.outcomes(), [&UP, &DOWN, &UP]);
    assert_eq!(
        log.finished
            .iter()
            .map(|one| one.elapsed)
            .collect::<Vec<_>>(),
        [s(0), s(5), s(10)]
    );
}

#[test]
fn the_faults_of_one_neither_spoil_nor_delay_the_looks_at_another() {
    let mut policy = policy(5, 3600);
    policy.patience.faults = Some(3);
    let well = [here("a"), here("a"), here("a"), here("a"), here("up")];
    let log = run_scripts(&policy, Quorum::All, &[&[transient()], &well]);
    assert_eq!(log.times_of(1), [0, 5000, 10_000, 15_000, 20_000]);
    assert_eq!(log.outcomes(), [&Outcome::GaveUp("503", None), &UP]);
}

#[test]
fn a_fault_keeps_its_own_pause_while_others_are_looked_at() {
    let log = run_scripts(
        &policy(5, 3600),
        Quorum::All,
        &[
            &[transient(), transient(), transient(), here("up")],
            &[here("building"); 20],
        ],
    );
    let times = log.times_of(0);
    assert_eq!(times.len(), 4, "{times:?}");
    assert!(
        times[2] >= 13_000 && times[3] >= 31_000,
        "the pauses grow: {times:?}"
    );
}

#[test]
fn one_fault_of_all_leaves_them_together() {
    let log = run(
        &policy(5, 60),
        &mut [Words, Words, Words],
        Quorum::All,
        |_, due, at| match at.number {
            2 | 3 => Err(Fault::Transient("reset")),
            5 => Ok(due.iter().map(|&index| (index, here("up"))).collect()),
            _ => Ok(due.iter().map(|&index| (index, here("building"))).collect()),
        },
    );
    assert!(
        log.rounds.iter().all(|(due, _)| due.len() == 3),
        "{:?}",
        log.rounds
    );
    assert_eq!(log.rounds.len(), 5);
    let retry = |in_a_row, pause| Said::Retry {
        indices: vec![0, 1, 2],
        in_a_row,
        pause,
    };
    assert!(
        log.events
            .iter()
            .any(|(_, said)| matches!(said, Said::Retry { in_a_row: 2, .. }))
    );
    assert!(!log.events.contains(&(s(5), retry(1, None))));
}

#[test]
fn whoever_recovers_comes_back_into_step() {
    let faulty = [here("a"), transient(), here("a"), here("a"), here("up")];
    let well = [here("a"), here("a"), here("a"), here("a"), here("up")];
    let log = run_scripts(&policy(5, 60), Quorum::All, &[&faulty, &well]);
    assert_eq!(log.times_of(1), [0, 5000, 10_000, 15_000, 20_000]);
    let recovered = log.times_of(0)[2];
    let joined = log.times_of(0)[3];
    assert!(
        joined == 10_000 || joined == 15_000,
        "recovered at {recovered}, asked for again at {joined}"
    );
}

#[test]
fn the_first_goal_ends_a_wait_for_any() {
    let log = run_scripts(
        &policy(5, 60),
        Quorum::Any,
        &[
            &[here("building")],
            &[here("down")],
            &[here("a"), here("up")],
            &[transient()],
        ],
    );
    assert_eq!(log.ended, s(5));
    assert_eq!(
        log.outcomes(),
        [
            &Outcome::Left(Some(BUILDING)),
            &DOWN,
            &UP,
            &Outcome::Left(None)
        ]
    );
}

#[test]
fn a_wait_for_any_goes_on_while_one_can_still_reach_its_goal() {
    let scripts: [&[_]; 2] = [&[here("down")], &[here("a"), here("a"), here("down")]];
    let log = run_scripts(&policy(5, 60), Quorum::Any, &scripts);
    assert_eq!(log.ended, s(10));
    assert_eq!(log.outcomes(), [&DOWN, &DOWN]);
}

#[test]
fn a_goal_in_the_last_round_leaves_the_others_rather_than_timing_them_out() {
    let log = run_scripts(
        &policy(5, 5),
        Quorum::Any,
        &[&[here("building")], &[here("a"), here("up")]],
    );
    assert_eq!(log.outcomes(), [&Outcome::Left(Some(BUILDING)), &UP]);
}

#[test]
fn in_a_wait_for_all_the_others_time_out_beside_a_goal() {
    let log = run_scripts(
        &policy(5, 8),
        Quorum::All,
        &[&[here("building")], &[here("up")]],
    );
    assert_eq!(
        log.outcomes(),
        [&Outcome::TimedOut(Some(BUILDING), None), &UP]
    );
}

#[test]
fn whoever_the_probe_leaves_out_is_asked_for_after_the_period() {
    let log = run(
        &policy(5, 60),
        &mut [Words, Words],
        Quorum::All,
        |_, due, at| {
            let word = if at.number >= 4 { "up" } else { "building" };
            let listed = due.iter().filter(|&&index| index == 0 || at.number >= 3);
            Ok(listed.map(|&index| (index, here(word))).collect())
        },
    );
    assert_eq!(log.times_of(1), [0, 5000, 10_000, 15_000]);
    assert_eq!(
        log.finished.iter().map(|one| one.looks).collect::<Vec<_>>(),
        [4, 2],
        "left out is not looked at"
    );
}

#[test]
fn whoever_is_left_out_after_a_look_or_a_fault_is_asked_for_after_the_period_too() {
    for first in [here("building"), transient()] {
        let log = run(
            &policy(5, 30),
            &mut [Words],
            Quorum::All,
            |_, _, at| match at.number {
                1 => Ok(vec![(0, first)]),
                _ => Ok(Vec::new()),
            },
        );
        assert!(log.rounds.len() <= 8, "{first:?}: {:?}", log.times());
        let last = first.ok();
        let fault = first.err().map(Fault::into_error);
        assert_eq!(log.outcomes(), [&Outcome::TimedOut(last, fault)]);
    }
}

#[test]
fn what_the_probe_says_of_strangers_is_not_heard() {
    let log = run(&policy(5, 60), &mut [Words], Quorum::All, |_, _, at| {
        let word = if at.number == 2 { "up" } else { "building" };
        Ok(vec![
            (7, here("down")),
            (0, here(word)),
            (usize::MAX, transient()),
        ])
    });
    assert_eq!(log.outcomes(), [&UP]);
    assert!(log.retries().is_empty());
}

#[test]
fn what_the_probe_says_of_those_who_have_ended_is_not_heard() {
    let log = run(
        &policy(5, 60),
        &mut [Words, Words],
        Quorum::All,
        |_, _, at| {
            let second = if at.number == 3 {
                here("up")
            } else {
                here("building")
            };
            let first = [here("up"), here("down"), Err(Fault::Fatal("401"))]
                [usize::try_from(at.number).unwrap() - 1];
            Ok(vec![(0, first), (1, second)])
        },
    );
    assert_eq!(log.outcomes(), [&UP, &UP]);
    assert_eq!(log.finished[0].looks, 1);
    assert!(log.retries().is_empty());
}

#[test]
fn what_the_probe_says_unasked_or_twice_is_not_heard() {
    // A list shows everybody, also those who are not due.
    let log = run(
        &policy(5, 9),
        &mut [Words, Words],
        Quorum::All,
        |_, due, at| {
            Ok(match at.number {
                1 => vec![(0, here("soon")), (1, here("building")), (1, here("down"))],
                2 => {
                    assert_eq!(due, [0]);
                    vec![(0, here("building")), (1, here("down"))]
                }
                _ => vec![(0, here("building")), (1, here("building"))],
            })
        },
    );
    assert_eq!(log.times(), [0, 1000, 5000, 9000]);
    let timed_out = Outcome::TimedOut(Some(BUILDING), None);
    assert_eq!(log.outcomes(), [&timed_out, &timed_out]);
}

#[test]
fn a_second_look_at_one_is_no_second_look_at_the_others() {
    let log = run_scripts(
        &policy(5, 60),
        Quorum::All,
        &[
            &[here("soon"), here("a"), here("up")],
            &[here("a"), here("up")],
        ],
    );
    assert_eq!(log.times_of(0), [0, 1000, 5000]);
    assert_eq!(log.times_of(1), [0, 5000]);
}

#[test]
fn rounds_that_take_time_keep_everybody_together() {
    let mut rounds = 0;
    let log = run(
        &policy(5, 60),
        &mut [Words, Words],
        Quorum::All,
        |clock, due, _| {
            rounds += 1;
            clock.advance(ms(700));
            let word = if rounds == 4 { "up" } else { "building" };
            Ok(due.iter().map(|&index| (index, here(word))).collect())
        },
    );
    assert_eq!(log.times(), [0, 5700, 11_400, 17_100]);
    assert!(log.rounds.iter().all(|(due, _)| due.len() == 2));
}
