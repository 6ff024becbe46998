//! A service that asks to come later.

use std::time::Duration;

use poll_core::{Deadline, Fault, Observation, Outcome, Policy, Quorum};

use crate::support::{
    Words, here, ms, policy, run, run_script, run_scripts, s, throttled, transient,
};

const UP: Outcome<&str, &str, &str> = Outcome::Reached(Observation::Present("up"), "it is up");
const BUILDING: Observation<&str> = Observation::Present("building");

#[test]
fn what_the_service_asks_for_is_obeyed() {
    let mut policy = policy(5, 60);
    policy.patience.faults = Some(1);
    let log = run_script(
        &policy,
        &[
            here("building"),
            throttled(Some(20)),
            throttled(Some(10)),
            here("up"),
        ],
    );
    assert_eq!(log.times(), [0, 5000, 25_000, 35_000]);
    assert_eq!(log.outcomes(), [&UP]);
    assert_eq!(log.retries(), [(0, Some(s(20))), (0, Some(s(10)))]);
}

#[test]
fn a_pause_shorter_than_the_period_is_what_was_asked_for_too() {
    let log = run_script(&policy(5, 60), &[throttled(Some(1)), here("up")]);
    assert_eq!(log.times(), [0, 1000]);
}

#[test]
fn nobody_waits_for_longer_than_five_minutes() {
    let log = run_script(
        &policy(5, 3600),
        &[throttled(Some(600)), throttled(Some(300)), here("up")],
    );
    assert_eq!(log.times(), [0, 300_000, 600_000]);
}

#[test]
fn where_the_deadline_cuts_the_pause_no_look_follows() {
    let log = run_script(&policy(5, 60), &[here("building"), throttled(Some(600))]);
    assert_eq!(log.times(), [0, 5000]);
    assert_eq!(
        log.ended,
        s(60),
        "neither at the fault nor ten minutes later"
    );
    assert_eq!(
        log.outcomes(),
        [&Outcome::TimedOut(Some(BUILDING), None)],
        "it answers: no outage"
    );
    assert_eq!(log.retries(), [(0, None)]);
}

#[test]
fn a_pause_that_ends_at_the_deadline_is_followed_by_the_last_look() {
    let log = run_script(
        &policy(5, 60),
        &[here("building"), throttled(Some(55)), here("up")],
    );
    assert_eq!(log.times(), [0, 5000, 60_000]);
    assert_eq!(log.outcomes(), [&UP]);
    assert_eq!(log.retries(), [(0, Some(s(55)))]);
}

#[test]
fn throttling_at_the_last_look_is_no_outage() {
    let log = run_script(
        &policy(5, 10),
        &[here("building"), transient(), throttled(None)],
    );
    assert_eq!(log.outcomes(), [&Outcome::TimedOut(Some(BUILDING), None)]);
}

#[test]
fn without_a_wish_the_pause_grows_and_is_capped() {
    let policy = Policy {
        deadline: Deadline::At(s(600)),
        ..policy(5, 0)
    };
    let log = run_script(&policy, &[throttled(None)]);
    let pauses: Vec<Duration> = log
        .retries()
        .into_iter()
        .filter_map(|(_, pause)| pause)
        .collect();
    for (number, about) in [s(5), s(10), s(20), s(30), s(30), s(30)]
        .into_iter()
        .enumerate()
    {
        let pause = pauses[number];
        assert!(
            pause >= about - about / 10 && pause <= (about + about / 10).min(s(30)),
            "pause {number}: {pause:?}"
        );
    }
    assert!(log.rounds.len() < 40, "{} looks", log.rounds.len());
}

#[test]
fn a_wish_of_zero_is_no_busy_loop() {
    let log = run_script(&policy(5, 60), &[throttled(Some(0))]);
    assert!(
        log.rounds.len() < 8,
        "{} looks in a minute",
        log.rounds.len()
    );
}

#[test]
fn a_good_look_lets_the_pause_start_small_again() {
    let script = [
        throttled(None),
        throttled(None),
        throttled(None),
        here("building"),
        throttled(None),
        here("up"),
    ];
    let log = run_script(&policy(5, 600), &script);
    let last = log
        .retries()
        .pop()
        .expect("four retries")
        .1
        .expect("a look follows");
    assert!(last <= ms(5500), "{last:?}");
}

#[test]
fn several_throttled_answers_in_one_round_are_one_step() {
    let scripts = [throttled(None), throttled(None), here("up")];
    let log = run_scripts(&policy(5, 600), Quorum::All, &[scripts.as_slice(); 8]);
    assert_eq!(log.rounds.len(), 3);
    assert!(log.ended <= ms(5500 + 11_000), "{:?}", log.ended);
}

#[test]
fn throttling_of_one_holds_for_all() {
    let slow = [here("building"), throttled(Some(20)), here("up")];
    let log = run_scripts(
        &policy(5, 60),
        Quorum::All,
        &[&slow, &[here("building"), here("building"), here("up")]],
    );
    assert_eq!(log.times(), [0, 5000, 25_000]);
    assert_eq!(log.times_of(1), [0, 5000, 25_000]);
    assert_eq!(log.outcomes(), [&UP, &UP]);
}

#[test]
fn of_several_wishes_the_longest_holds() {
    let log = run_scripts(
        &policy(5, 60),
        Quorum::All,
        &[
            &[throttled(Some(20)), here("up")],
            &[throttled(Some(7)), here("up")],
        ],
    );
    assert_eq!(log.times(), [0, 20_000]);
    assert_eq!(
        log.retries(),
        [(0, Some(s(20))), (0, Some(s(20)))],
        "what the second says is true for it as well"
    );
}

#[test]
fn a_throttled_list_throttles_everybody() {
    let log = run(
        &policy(5, 60),
        &mut [Words, Words],
        Quorum::All,
        |_, due, at| match at.number {
            1 => Err(Fault::Throttled("429", Some(s(20)))),
            _ => Ok(due.iter().map(|&index| (index, here("up"))).collect()),
        },
    );
    assert_eq!(log.times(), [0, 20_000]);
    assert_eq!(
        log.finished.iter().map(|one| one.looks).collect::<Vec<_>>(),
        [2, 2]
    );
}

#[test]
fn when_the_wait_has_ended_nobody_waits_for_the_throttle() {
    let scripts: [&[_]; 2] = [&[throttled(Some(60))], &[here("up")]];
    let log = run_scripts(&policy(5, 600), Quorum::Any, &scripts);
    assert_eq!(log.ended, s(0));
    assert_eq!(log.outcomes(), [&Outcome::Left(None), &UP]);
    let log = run(&policy(5, 600), &mut [Words], Quorum::All, |_, _, _| {
        Ok(vec![(0, here("up")), (0, throttled(Some(60)))])
    });
    assert_eq!(log.ended, s(0));
    assert_eq!(log.outcomes(), [&UP]);
}

#[test]
fn throttling_that_is_not_heard_holds_for_nobody() {
    let log = run(&policy(5, 600), &mut [Words], Quorum::All, |_, _, at| {
        let word = if at.number == 1 { "building" } else { "up" };
        Ok(vec![
            (9, throttled(Some(60))),
            (0, here(word)),
            (0, throttled(Some(60))),
        ])
    });
    assert_eq!(log.ended, s(5));
}

#[test]
fn throttling_does_not_use_up_the_patience_of_anybody() {
    let mut policy = policy(5, 3600);
    policy.patience.time = Some(s(60));
    // A fault, ten minutes of throttling, and a fault again: less than a minute of faults, for both resources.
    let faulty = [
        transient(),
        throttled(Some(300)),
        throttled(Some(300)),
        transient(),
        here("up"),
    ];
    let bystander = [
        transient(),
        transient(),
        transient(),
        transient(),
        here("up"),
    ];
    let log = run_scripts(&policy, Quorum::All, &[&faulty]);
    assert_eq!(log.outcomes(), [&UP]);
    let log = run(&policy, &mut [Words, Words], Quorum::All, {
        let mut looks = [0, 0];
        move |_, due, _| {
            let script = [&faulty, &bystander];
            let mut look = |index: usize| {
                looks[index] += 1;
                script[index][(looks[index] - 1).min(4)]
            };
            Ok(due.iter().map(|&index| (index, look(index))).collect())
        }
    });
    assert_eq!(log.outcomes(), [&UP, &UP]);
}

#[test]
fn throttling_neither_lengthens_nor_breaks_a_row_of_faults() {
    let mut policy = policy(5, 3600);
    policy.patience.faults = Some(3);
    let script = [
        transient(),
        throttled(Some(9)),
        transient(),
        throttled(Some(9)),
        transient(),
        here("up"),
    ];
    let log = run_script(&policy, &script);
    assert_eq!(log.outcomes(), [&Outcome::GaveUp("503", None)]);
    assert_eq!(log.finished[0].looks, 5);
}
