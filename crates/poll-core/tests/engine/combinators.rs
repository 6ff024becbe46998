//! Judges around judges: each by itself, then together in a wait.

use std::time::Duration;

use poll_core::{
    Attempt, Baseline, GoneTwice, Judge, Lasting, Observation, Outcome, Quorum, Verdict,
};

use crate::support::{Word, Words, gone, here, policy, run, s, transient};

const SHUT: Observation<Word> = Observation::Present("building");
const UP: Observation<Word> = Observation::Present("up");
const DOWN: Observation<Word> = Observation::Present("down");
const GONE: Observation<Word> = Observation::Gone;

fn at(elapsed: u64) -> Attempt {
    Attempt {
        number: 1,
        elapsed: s(elapsed),
        left: None,
        budget: None,
        last: false,
    }
}

fn pending(again: Option<Duration>) -> Verdict<Word> {
    Verdict::Pending { again }
}

fn words(
    judge: &mut impl Judge<Word, Why = Word>,
    seen: &[(u64, Observation<Word>)],
) -> Vec<Verdict<Word>> {
    seen.iter()
        .map(|(elapsed, seen)| judge.judge(seen, &at(*elapsed)))
        .collect()
}

#[test]
fn gone_is_believed_at_the_second_look_running() {
    let verdicts = words(
        &mut GoneTwice::new(Words, s(1)),
        &[(0, SHUT), (5, GONE), (6, GONE)],
    );
    assert_eq!(
        verdicts,
        [
            pending(None),
            pending(Some(s(1))),
            Verdict::Failed("it is gone")
        ]
    );
}

#[test]
fn gone_and_back_again_starts_over() {
    let seen = [
        (0, GONE),
        (1, SHUT),
        (6, GONE),
        (7, SHUT),
        (12, GONE),
        (13, GONE),
    ];
    let verdicts = words(&mut GoneTwice::new(Words, s(1)), &seen);
    let first = pending(Some(s(1)));
    assert_eq!(
        verdicts,
        [
            first,
            pending(None),
            first,
            pending(None),
            first,
            Verdict::Failed("it is gone")
        ]
    );
}

#[test]
fn gone_for_the_first_time_at_the_deadline_wants_its_second_look_at_once() {
    let mut judge = GoneTwice::new(Words, s(1));
    let last = Attempt {
        last: true,
        ..at(9)
    };
    assert_eq!(judge.judge(&GONE, &last), pending(Some(Duration::ZERO)));
    assert_eq!(judge.judge(&GONE, &last), Verdict::Failed("it is gone"));
}

#[test]
fn what_is_there_passes_by_gone_twice_untouched() {
    let verdicts = words(&mut GoneTwice::new(Words, s(1)), &[(0, UP), (1, DOWN)]);
    assert_eq!(
        verdicts,
        [Verdict::Reached("it is up"), Verdict::Failed("it is down")]
    );
}

#[test]
fn an_end_counts_only_once_the_baseline_was_left() {
    let mut judge = Baseline::new(Words, |seen: &Observation<Word>| *seen == SHUT);
    let verdicts = words(
        &mut judge,
        &[
            (0, UP),
            (3600, DOWN),
            (3605, GONE),
            (3610, SHUT),
            (3615, DOWN),
        ],
    );
    let held = pending(None);
    assert_eq!(
        verdicts,
        [held, held, held, held, Verdict::Failed("it is down")]
    );
}

#[test]
fn an_end_that_is_its_own_proof_counts_at_once() {
    let mut judge = Baseline::new(Words, |seen: &Observation<Word>| *seen == UP);
    assert_eq!(
        words(&mut judge, &[(0, UP)]),
        [Verdict::Reached("it is up")]
    );
}

#[test]
fn one_proof_is_enough_for_good() {
    let mut proofs = vec![false, false, true, false];
    let mut judge = Baseline::new(Words, move |_: &Observation<Word>| {
        proofs.pop().expect("not asked after the proof")
    });
    let verdicts = words(&mut judge, &[(0, UP), (1, UP), (2, UP), (3, UP)]);
    assert_eq!(verdicts[0], pending(None));
    assert!(
        verdicts[1..]
            .iter()
            .all(|verdict| *verdict == Verdict::Reached("it is up")),
        "{verdicts:?}"
    );
}

#[test]
fn a_settled_end_is_believed_without_a_proof() {
    let mut judge = Baseline::new(Words, |_: &Observation<Word>| false).settling(s(10));
    let verdicts = words(&mut judge, &[(0, UP), (4, UP), (10, UP)]);
    assert_eq!(
        verdicts,
        [
            pending(Some(s(10))),
            pending(Some(s(6))),
            Verdict::Reached("it is up")
        ]
    );
}

#[test]
fn settling_does_not_hold_back_what_is_proved_and_does_not_touch_what_is_pending() {
    let mut judge = Baseline::new(Words, |seen: &Observation<Word>| *seen == SHUT).settling(s(10));
    let verdicts = words(&mut judge, &[(0, SHUT), (5, UP)]);
    assert_eq!(verdicts, [pending(None), Verdict::Reached("it is up")]);
}

#[test]
fn a_failure_is_believed_once_it_has_lasted() {
    let mut judge = Lasting::new(Words, s(30));
    let verdicts = words(&mut judge, &[(0, SHUT), (5, DOWN), (15, DOWN), (35, DOWN)]);
    assert_eq!(
        verdicts,
        [
            pending(None),
            pending(Some(s(30))),
            pending(Some(s(20))),
            Verdict::Failed("it is down")
        ]
    );
}

#[test]
fn a_failure_that_heals_starts_over() {
    let mut judge = Lasting::new(Words, s(30));
    let verdicts = words(
        &mut judge,
        &[(0, DOWN), (20, SHUT), (25, DOWN), (54, DOWN), (55, DOWN)],
    );
    let expected = [
        pending(Some(s(30))),
        pending(None),
        pending(Some(s(30))),
        pending(Some(s(1))),
        Verdict::Failed("it is down"),
    ];
    assert_eq!(verdicts, expected);
}

#[test]
fn a_goal_need_not_last() {
    assert_eq!(
        words(&mut Lasting::new(Words, s(30)), &[(0, UP)]),
        [Verdict::Reached("it is up")]
    );
}

#[test]
fn a_failure_that_need_not_last_is_believed_at_once() {
    let mut judge = Lasting::new(Words, Duration::ZERO);
    assert_eq!(
        words(&mut judge, &[(0, DOWN)]),
        [Verdict::Failed("it is down")]
    );
}

#[test]
fn the_second_look_at_a_404_comes_after_the_gap() {
    let log = run(
        &policy(5, 60),
        &mut [GoneTwice::new(Words, s(1))],
        Quorum::All,
        |_, _, at| {
            Ok(vec![(
                0,
                if at.number == 1 {
                    here("building")
                } else {
                    gone()
                },
            )])
        },
    );
    assert_eq!(log.times(), [0, 5000, 6000]);
    assert_eq!(log.outcomes(), [&Outcome::Failed(GONE, "it is gone")]);
}

#[test]
fn the_last_look_counts_as_the_second_look_at_a_404() {
    let log = run(
        &policy(5, 11),
        &mut [GoneTwice::new(Words, s(4))],
        Quorum::All,
        |_, _, at| {
            Ok(vec![(
                0,
                if at.number <= 2 {
                    here("building")
                } else {
                    gone()
                },
            )])
        },
    );
    assert_eq!(log.times(), [0, 5000, 10_000, 11_000]);
    assert_eq!(log.outcomes(), [&Outcome::Failed(GONE, "it is gone")]);
}

#[test]
fn a_fault_between_two_404s_is_no_sign_of_life() {
    let log = run(
        &policy(5, 60),
        &mut [GoneTwice::new(Words, s(1))],
        Quorum::All,
        |_, _, at| Ok(vec![(0, if at.number == 2 { transient() } else { gone() })]),
    );
    assert_eq!(log.rounds.len(), 3);
    assert_eq!(log.outcomes(), [&Outcome::Failed(GONE, "it is gone")]);
}

#[test]
fn settling_ends_on_time_under_a_long_period() {
    let mut judges = [Baseline::new(Words, |_: &Observation<Word>| false).settling(s(10))];
    let log = run(&policy(60, 600), &mut judges, Quorum::All, |_, _, _| {
        Ok(vec![(0, here("up"))])
    });
    assert_eq!(log.times(), [0, 10_000]);
}

#[test]
fn the_result_of_last_time_is_not_taken_for_the_answer() {
    let script = [here("up"), here("building"), here("down")];
    let mut judges = [Baseline::new(Words, |seen: &Observation<Word>| {
        *seen == SHUT
    })];
    let log = run(&policy(5, 600), &mut judges, Quorum::All, |_, _, at| {
        Ok(vec![(0, script[usize::try_from(at.number).unwrap() - 1])])
    });
    assert_eq!(log.outcomes(), [&Outcome::Failed(DOWN, "it is down")]);
    assert_eq!(log.times(), [0, 5000, 10_000]);
}

#[test]
fn a_failure_that_has_not_lasted_at_the_deadline_is_work_in_progress() {
    let mut judges = [Lasting::new(Words, s(30))];
    let log = run(&policy(5, 20), &mut judges, Quorum::All, |_, _, _| {
        Ok(vec![(0, here("down"))])
    });
    assert_eq!(log.outcomes(), [&Outcome::TimedOut(Some(DOWN), None)]);
}
