use serde_json::json;

use super::*;
use crate::kind;

fn goal(kind: &'static Kind, wants: &[&str], and: &[&str]) -> Goal {
    let owned = |words: &[&str]| {
        words
            .iter()
            .map(|word| (*word).to_owned())
            .collect::<Vec<_>>()
    };
    Goal::read(kind, &owned(wants), &owned(and)).unwrap()
}

fn body(value: Value) -> Seen {
    value.as_object().unwrap().clone().into()
}

fn at(seconds: u64) -> Attempt {
    Attempt {
        number: 1,
        elapsed: Duration::from_secs(seconds),
        left: None,
        budget: None,
        last: false,
    }
}

/// `.`: pending, `+`: reached, `-`: failed.
fn sign(verdict: &Verdict<Why>) -> char {
    match verdict {
        Verdict::Pending { .. } => '.',
        Verdict::Reached(_) => '+',
        Verdict::Failed(_) => '-',
    }
}

fn verdicts(goal: &Goal, words: &[&str]) -> String {
    let judge =
        |word: &&str| sign(&goal.judge_present(&body(json!({ (goal.kind.field.name): word }))));
    words.iter().map(judge).collect()
}

#[test]
fn every_word_of_a_share_has_its_verdict() {
    let words = [
        "creating",
        "Available",
        "error",
        "extending",
        "extending_error",
        "shrinking_possible_data_loss_error",
        "error_deferred_deleting",
        "manage_error_unmanage_starting",
        "deleted",
        "moulting",
        "moulting_error",
    ];
    assert_eq!(
        verdicts(&goal(&kind::SHARE, &[], &[]), &words),
        ".+-.--..-.-"
    );
    assert_eq!(
        verdicts(&goal(&kind::SHARE, &["deleted"], &[]), &words),
        "..-.--..+.-"
    );
    assert_eq!(
        verdicts(&goal(&kind::SHARE, &["error"], &[]), &words),
        "..+.--..-.-"
    );
    assert_eq!(
        verdicts(&goal(&kind::SHARE, &["error", "available"], &[]), &words),
        ".++.--..-.-"
    );
}

#[test]
fn the_defaults_of_the_kinds() {
    assert_eq!(
        verdicts(
            &goal(&kind::ACCESS, &[], &[]),
            &["new", "applying", "active", "error"]
        ),
        "..+-"
    );
    assert_eq!(
        verdicts(
            &goal(&kind::SERVER, &[], &[]),
            &["creating", "active", "manage_error"]
        ),
        ".+-"
    );
    assert_eq!(
        verdicts(
            &goal(&kind::MIGRATION, &[], &[]),
            &[
                "migration_starting",
                "migration_driver_phase1_done",
                "migration_success",
                "migration_cancelled"
            ]
        ),
        ".++-"
    );
    assert_eq!(
        verdicts(
            &goal(&kind::MIGRATION, &["migration_cancelled"], &[]),
            &[
                "migration_cancel_in_progress",
                "migration_cancelled",
                "migration_error"
            ]
        ),
        ".+-"
    );
}

#[test]
fn no_value_is_pending() {
    let migration = goal(&kind::MIGRATION, &[], &[]);
    assert_eq!(
        sign(&migration.judge_present(&body(json!({"status": "available", "task_state": null})))),
        '.'
    );
    assert_eq!(
        sign(&goal(&kind::SHARE, &[], &[]).judge_present(&body(json!({"status": null})))),
        '.'
    );
}

#[test]
fn what_must_hold_as_well_is_looked_at_in_the_end_only() {
    let resized = goal(&kind::SHARE, &[], &["size=2"]);
    let judge = |status: &str, size: u32| {
        resized.judge_present(&body(json!({"status": status, "size": size})))
    };
    assert_eq!(sign(&judge("extending", 1)), '.');
    assert_eq!(sign(&judge("available", 2)), '+');
    let unmet = Why::Unmet {
        field: "size".into(),
        wanted: "2".into(),
        is: "1".into(),
    };
    assert_eq!(judge("available", 1), Verdict::Failed(unmet));
}

#[test]
fn a_second_field_that_is_on_its_way_is_waited_for() {
    let promoted = goal(
        &kind::REPLICA,
        &["replica_state=active"],
        &["status=available"],
    );
    let judge = |status: &str, state: &str| {
        sign(&promoted.judge_present(&body(json!({"status": status, "replica_state": state}))))
    };
    assert_eq!(judge("replication_change", "active"), '.');
    assert_eq!(judge("available", "active"), '+');
    assert_eq!(judge("error", "in_sync"), '-');
    assert_eq!(judge("available", "error"), '-');
    assert_eq!(judge("error", "active"), '-');
}

#[test]
fn a_field_that_the_goal_does_not_name_does_not_count() {
    let created = goal(&kind::REPLICA, &[], &[]);
    let seen = body(json!({"status": "available", "replica_state": "error"}));
    assert_eq!(sign(&created.judge_present(&seen)), '+');
}

#[test]
fn values_are_compared_as_they_are_read() {
    let soft = goal(&kind::SHARE, &["is_soft_deleted=true"], &[]);
    assert_eq!(
        sign(&soft.judge_present(&body(
            json!({"status": "available", "is_soft_deleted": true})
        ))),
        '+'
    );
    assert_eq!(
        sign(&soft.judge_present(&body(
            json!({"status": "available", "is_soft_deleted": false})
        ))),
        '.'
    );
    let none = goal(&kind::SHARE, &["task_state=none"], &[]);
    assert_eq!(
        sign(&none.judge_present(&body(json!({"status": "available", "task_state": null})))),
        '+'
    );
}

#[test]
fn a_word_that_no_table_has_must_name_its_field() {
    let refused = Goal::read(&kind::NETWORK, &["available".to_owned()], &[]).unwrap_err();
    assert!(
        refused
            .starts_with("--for available: no status of a share network: write deleted, active or"),
        "{refused}"
    );
    let refused = Goal::read(&kind::REPLICA, &["In_Sync".to_owned()], &[]).unwrap_err();
    assert_eq!(
        refused,
        "--for In_Sync: it is no status of a replica, but a replica_state: write --for replica_state=In_Sync"
    );
    assert_eq!(
        goal(&kind::NETWORK, &["status=available"], &[]).for_words(),
        ["status=available"]
    );
    assert!(Goal::read(&kind::SHARE, &[], &["size".to_owned()]).is_err());
    assert!(Goal::read(&kind::SHARE, &["=available".to_owned()], &[]).is_err());
}

#[test]
fn absence_is_judged_by_what_was_there_before() {
    let gone = Observation::Gone;
    let there = Observation::Present(body(json!({"status": "deleting"})));
    let judge = |goal: &Goal, seen: &[&Observation<Seen>]| {
        let mut judge = GoalJudge::new(goal);
        seen.iter()
            .fold(None, |_, seen| Some(judge.judge(seen, &at(0))))
            .unwrap()
    };
    let deleted = goal(&kind::SHARE, &["deleted"], &[]);
    let available = goal(&kind::SHARE, &[], &[]);
    assert_eq!(judge(&deleted, &[&gone]), Verdict::Reached(Why::NeverThere));
    assert_eq!(
        judge(&deleted, &[&there, &gone]),
        Verdict::Reached(Why::Vanished)
    );
    assert_eq!(
        judge(&available, &[&gone]),
        Verdict::Failed(Why::NeverThere)
    );
    assert_eq!(
        judge(&available, &[&there, &gone]),
        Verdict::Failed(Why::Vanished)
    );
}

#[test]
fn what_may_appear_is_waited_for_so_long() {
    let appears = Goal {
        appear: Appear::Within(Some(Duration::from_secs(30))),
        ..goal(&kind::SHARE, &[], &[])
    };
    let mut judge = GoalJudge::new(&appears);
    assert_eq!(
        judge.judge(&Observation::Gone, &at(10)),
        Verdict::Pending {
            again: Some(Duration::from_secs(20))
        }
    );
    assert_eq!(
        judge.judge(&Observation::Gone, &at(30)),
        Verdict::Failed(Why::NeverThere)
    );
    let for_ever = Goal {
        appear: Appear::Within(None),
        ..appears
    };
    assert_eq!(
        sign(&GoalJudge::new(&for_ever).judge(&Observation::Gone, &at(9999))),
        '.'
    );
}

#[test]
fn an_error_may_heal_while_it_is_tolerated_and_absence_may_not() {
    let tolerant = Goal {
        tolerate: Duration::from_secs(300),
        ..goal(&kind::REPLICA, &["replica_state=in_sync"], &[])
    };
    let state = |state: &str| {
        Observation::Present(body(json!({"status": "available", "replica_state": state})))
    };
    let mut judge = GoalJudge::new(&tolerant);
    let signs: Vec<char> = [(0, "error"), (299, "error"), (300, "error")]
        .into_iter()
        .map(|(seconds, word)| sign(&judge.judge(&state(word), &at(seconds))))
        .collect();
    assert_eq!(signs, ['.', '.', '-']);
    let mut judge = GoalJudge::new(&tolerant);
    assert_eq!(sign(&judge.judge(&state("error"), &at(0))), '.');
    assert_eq!(sign(&judge.judge(&Observation::Gone, &at(1))), '-');
}

#[test]
fn unknown_words_are_told() {
    let available = goal(&kind::SHARE, &[], &[]);
    assert_eq!(
        available.unknown_words(&body(json!({"status": "moulting"}))),
        [("status", "moulting".to_owned())]
    );
    assert_eq!(
        available.unknown_words(&body(json!({"status": "creating"}))),
        []
    );
}

#[test]
fn the_words_that_a_goal_is_given_again_mean_the_same_goal() {
    for (word, again) in [
        ("available", "available"),
        ("status=available", "available"),
        ("status=moulting", "status=moulting"),
        ("status=deleted", "status=deleted"),
        ("status=error=x", "status=error=x"),
        ("has_replicas=true", "has_replicas=true"),
        ("deleted", "deleted"),
    ] {
        let first = goal(&kind::SHARE, &[word], &[]);
        assert_eq!(first.for_words(), [again]);
        assert_eq!(goal(&kind::SHARE, &[again], &[]), first, "{word}");
    }
}
