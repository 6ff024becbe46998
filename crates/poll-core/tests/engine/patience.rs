//! How long nothing but faults is put up with.

use std::time::Duration;

use poll_core::{Deadline, Fault, Observation, Outcome, Period, Policy};

use crate::support::{here, ms, policy, refused, run_script, s, transient};

const UP: Outcome<&str, &str, &str> = Outcome::Reached(Observation::Present("up"), "it is up");
const BUILDING: Observation<&str> = Observation::Present("building");

fn by_count(faults: u32) -> Policy {
    let mut policy = policy(5, 3600);
    policy.patience.faults = Some(faults);
    policy
}

#[test]
fn faults_count_only_in_a_row() {
    let bad = [
        here("a"),
        transient(),
        transient(),
        here("a"),
        transient(),
        transient(),
        here("a"),
        transient(),
        here("up"),
    ];
    let log = run_script(&by_count(3), &bad);
    assert_eq!(log.outcomes(), [&UP]);
    assert_eq!(
        log.retries()
            .iter()
            .map(|(row, _)| *row)
            .collect::<Vec<_>>(),
        [1, 2, 1, 2, 1]
    );
}

#[test]
fn the_fault_of_the_given_number_in_a_row_ends_the_wait() {
    let log = run_script(
        &by_count(3),
        &[
            here("building"),
            transient(),
            transient(),
            transient(),
            here("up"),
        ],
    );
    assert_eq!(log.outcomes(), [&Outcome::GaveUp("503", Some(BUILDING))]);
    assert_eq!(log.finished[0].looks, 4);
    assert_eq!(log.retries().last(), Some(&(3, None)), "no look follows");
    let log = run_script(&by_count(1), &[transient(), here("up")]);
    assert_eq!(log.outcomes(), [&Outcome::GaveUp("503", None)]);
}

#[test]
fn patience_by_time_counts_from_the_first_fault_in_the_row() {
    let mut policy = policy(5, 3600);
    policy.patience.time = Some(s(60));
    let log = run_script(&policy, &[here("building"), here("building"), transient()]);
    assert_eq!(log.outcomes(), [&Outcome::GaveUp("503", Some(BUILDING))]);
    assert_eq!(
        log.finished[0].elapsed,
        s(70),
        "looked at once more when patience ends"
    );
}

#[test]
fn a_good_look_gives_the_whole_patience_back() {
    let mut policy = policy(5, 3600);
    policy.patience.time = Some(s(12));
    let script = [
        transient(),
        transient(),
        here("a"),
        transient(),
        transient(),
        here("a"),
        transient(),
        here("up"),
    ];
    assert_eq!(run_script(&policy, &script).outcomes(), [&UP]);
}

#[test]
fn without_patience_the_first_fault_is_the_last() {
    let mut policy = policy(5, 3600);
    policy.patience.time = Some(Duration::ZERO);
    let log = run_script(&policy, &[here("building"), transient(), here("up")]);
    assert_eq!(log.outcomes(), [&Outcome::GaveUp("503", Some(BUILDING))]);
}

#[test]
fn endless_patience_lasts_until_the_deadline() {
    let mut policy = policy(5, 86_400);
    policy.patience.time = None;
    let log = run_script(&policy, &[transient()]);
    assert_eq!(log.outcomes(), [&Outcome::TimedOut(None, Some("503"))]);
    assert_eq!(log.ended, s(86_400));
}

#[test]
fn a_plain_control_plane_upgrade_of_ten_minutes_is_ridden_out() {
    let mut script = vec![here("building")];
    script.extend([transient(); 20]);
    script.push(here("up"));
    let log = run_script(&policy(5, 3600), &script);
    assert_eq!(log.outcomes(), [&UP]);
    assert!(log.ended > s(480) && log.ended < s(600), "{:?}", log.ended);
}

#[test]
fn retry_pauses_grow_from_the_period_and_a_good_look_ends_that() {
    let script = [
        transient(),
        transient(),
        transient(),
        transient(),
        here("a"),
        transient(),
        here("up"),
    ];
    let log = run_script(&policy(5, 3600), &script);
    let pauses: Vec<Duration> = log
        .retries()
        .into_iter()
        .filter_map(|(_, pause)| pause)
        .collect();
    for (pause, about) in pauses.iter().zip([s(5), s(10), s(20), s(30), s(5)]) {
        assert!(
            *pause >= about - about / 10 && *pause <= about + about / 10,
            "{pauses:?}"
        );
    }
    assert_eq!(pauses.len(), 5);
    assert!(
        pauses.iter().any(|pause| pause.subsec_millis() != 0),
        "they are spread: {pauses:?}"
    );
}

#[test]
fn retry_pauses_of_an_adaptive_period_start_from_its_pace() {
    let policy = Policy {
        period: Period::default(),
        deadline: Deadline::At(s(600)),
        ..Policy::default()
    };
    let log = run_script(&policy, &[transient(), here("up")]);
    assert!(
        log.ended >= ms(450) && log.ended <= ms(550),
        "{:?}",
        log.ended
    );
}

#[test]
fn three_refusals_in_a_row_are_final() {
    let log = run_script(
        &policy(5, 3600),
        &[
            here("building"),
            refused(),
            refused(),
            refused(),
            here("up"),
        ],
    );
    assert_eq!(log.outcomes(), [&Outcome::GaveUp("403", Some(BUILDING))]);
    assert_eq!(log.finished[0].looks, 4);
}

#[test]
fn refusals_with_anything_else_between_them_are_not_in_a_row() {
    for between in [here("building"), transient()] {
        let script = [
            here("a"),
            refused(),
            refused(),
            between,
            refused(),
            refused(),
            here("up"),
        ];
        assert_eq!(
            run_script(&policy(5, 3600), &script).outcomes(),
            [&UP],
            "{between:?}"
        );
    }
}

#[test]
fn refusals_use_up_patience_like_other_faults() {
    let log = run_script(&by_count(2), &[transient(), refused()]);
    assert_eq!(log.outcomes(), [&Outcome::GaveUp("403", None)]);
}

#[test]
fn a_fatal_fault_ends_the_wait_at_once() {
    let log = run_script(
        &policy(5, 3600),
        &[here("building"), Err(Fault::Fatal("bad certificate"))],
    );
    assert_eq!(
        log.outcomes(),
        [&Outcome::GaveUp("bad certificate", Some(BUILDING))]
    );
    assert_eq!(log.ended, s(5));
}
