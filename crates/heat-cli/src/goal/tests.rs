use serde_json::json;

use super::*;

const SETTLE: Duration = Duration::from_secs(10);

fn stack(status: &str) -> Value {
    json!({ "id": "1", "stack_name": "web", "stack_status": status, "stack_status_reason": "because",
            "deletion_time": null, "disable_rollback": true })
}

fn look(raw: Value) -> Observation<Look> {
    let Value::Object(raw) = raw else {
        panic!("an object")
    };
    Observation::Present(Look {
        stack: Stack::new(raw).expect("a stack"),
        fresh: false,
        begun: false,
        first_reason: None,
        ended: None,
    })
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

#[derive(Debug, PartialEq)]
enum End {
    Pending,
    Reached,
    Failed,
}

fn judged(judge: &mut StackJudge, seen: &Observation<Look>, seconds: u64) -> End {
    match judge.judge(seen, &at(seconds)) {
        Verdict::Pending { .. } => End::Pending,
        Verdict::Reached(_) => End::Reached,
        Verdict::Failed(_) => End::Failed,
    }
}

fn once(goal: &str, seen: &Observation<Look>) -> End {
    judged(
        &mut StackJudge::new(Goal::parse(goal).expect(goal), Vec::new(), SETTLE),
        seen,
        0,
    )
}

/// (goal, status, verdict), for a stack without rollback that stands still or runs.
const TABLE: &[(&str, &str, End)] = &[
    ("complete", "CREATE_IN_PROGRESS", End::Pending),
    ("complete", "CREATE_COMPLETE", End::Reached),
    ("complete", "create_complete", End::Reached),
    ("complete", "CHECK_COMPLETE", End::Reached),
    ("complete", "CREATE_FAILED", End::Failed),
    ("complete", "ROLLBACK_COMPLETE", End::Failed),
    ("complete", "ROLLBACK_FAILED", End::Failed),
    ("complete", "DELETE_COMPLETE", End::Pending),
    ("complete", "DELETE_FAILED", End::Failed),
    ("complete", "MOULT_FAILED", End::Failed),
    ("complete", "MOULT_IN_PROGRESS", End::Pending),
    ("create", "CREATE_COMPLETE", End::Reached),
    ("create", "CREATE_FAILED", End::Failed),
    ("create", "UPDATE_IN_PROGRESS", End::Pending),
    ("create", "UPDATE_FAILED", End::Reached),
    ("create", "SUSPEND_COMPLETE", End::Reached),
    ("create", "ROLLBACK_IN_PROGRESS", End::Pending),
    ("create", "ROLLBACK_COMPLETE", End::Failed),
    ("create", "DELETE_IN_PROGRESS", End::Pending),
    ("create", "DELETE_FAILED", End::Failed),
    ("update", "CREATE_COMPLETE", End::Pending),
    ("update", "CREATE_FAILED", End::Pending),
    ("update", "UPDATE_COMPLETE", End::Reached),
    ("update", "UPDATE_FAILED", End::Failed),
    ("update", "ROLLBACK_COMPLETE", End::Failed),
    ("suspend", "CREATE_COMPLETE", End::Pending),
    ("suspend", "SUSPEND_COMPLETE", End::Reached),
    ("rollback", "ROLLBACK_COMPLETE", End::Reached),
    ("delete", "DELETE_COMPLETE", End::Pending),
    ("delete", "DELETE_FAILED", End::Failed),
    ("delete", "CREATE_COMPLETE", End::Pending),
    ("UPDATE_COMPLETE", "UPDATE_COMPLETE", End::Reached),
    ("UPDATE_COMPLETE", "UPDATE_IN_PROGRESS", End::Pending),
    ("UPDATE_COMPLETE", "CREATE_COMPLETE", End::Failed),
    ("UPDATE_IN_PROGRESS", "UPDATE_IN_PROGRESS", End::Reached),
    ("ROLLBACK_COMPLETE", "ROLLBACK_COMPLETE", End::Reached),
    ("deleted", "CREATE_COMPLETE", End::Pending),
    ("deleted", "DELETE_IN_PROGRESS", End::Pending),
    ("deleted", "DELETE_COMPLETE", End::Pending),
    ("deleted", "DELETE_FAILED", End::Failed),
];

#[test]
fn every_goal_knows_every_end() {
    for (goal, status, wanted) in TABLE {
        assert_eq!(
            once(goal, &look(stack(status))),
            *wanted,
            "{goal} at {status}"
        );
    }
}

#[test]
fn a_deleted_stack_is_deleted_only_with_a_deletion_time() {
    let mut raw = stack("DELETE_COMPLETE");
    raw["deletion_time"] = json!("2026-11-30T08:04:13Z");
    let seen = look(raw);
    for goal in ["deleted", "delete", "DELETE_COMPLETE", "complete"] {
        assert_eq!(once(goal, &seen), End::Reached, "{goal}");
    }
    for goal in ["create", "update", "UPDATE_COMPLETE"] {
        assert_eq!(
            once(goal, &seen),
            End::Failed,
            "{goal}: nobody asked for a delete"
        );
    }
}

#[test]
fn gone_is_reached_only_where_a_delete_was_asked_for_or_ran() {
    for goal in ["deleted", "delete", "DELETE_COMPLETE"] {
        assert_eq!(once(goal, &Observation::Gone), End::Reached, "{goal}");
    }
    for goal in ["complete", "create", "UPDATE_COMPLETE"] {
        assert_eq!(once(goal, &Observation::Gone), End::Failed, "{goal}");
    }
    let mut judge = StackJudge::new(Goal::End, Vec::new(), SETTLE);
    assert_eq!(
        judged(&mut judge, &look(stack("DELETE_IN_PROGRESS")), 0),
        End::Pending
    );
    assert_eq!(judged(&mut judge, &Observation::Gone, 1), End::Reached);
}

#[test]
fn a_failure_with_rollback_on_waits_for_the_end_of_the_rollback_and_keeps_the_first_reason() {
    for goal in ["update", "complete", "UPDATE_COMPLETE"] {
        let mut judge = StackJudge::new(Goal::parse(goal).expect(goal), Vec::new(), SETTLE);
        let with_rollback = |status: &str, reason: &str| {
            let mut raw = stack(status);
            raw["disable_rollback"] = json!(false);
            raw["stack_status_reason"] = json!(reason);
            look(raw)
        };
        assert_eq!(
            judged(
                &mut judge,
                &with_rollback("UPDATE_FAILED", "no such flavor"),
                1
            ),
            End::Pending
        );
        assert_eq!(
            judged(
                &mut judge,
                &with_rollback("ROLLBACK_IN_PROGRESS", "started"),
                2
            ),
            End::Pending
        );
        let Verdict::Failed(why) =
            judge.judge(&with_rollback("ROLLBACK_COMPLETE", "done"), &at(30))
        else {
            panic!("{goal}: a rollback is a failure")
        };
        assert_eq!(why.text, "rolled back: no such flavor");
    }
}

#[test]
fn a_rollback_that_does_not_begin_within_the_settling_time_is_not_waited_for() {
    let mut raw = stack("UPDATE_FAILED");
    raw["disable_rollback"] = json!(false);
    let seen = look(raw);
    let mut judge = StackJudge::new(Goal::End, Vec::new(), SETTLE);
    assert!(matches!(
        judge.judge(&seen, &at(3)),
        Verdict::Pending {
            again: Some(SETTLE)
        }
    ));
    assert_eq!(judged(&mut judge, &seen, 12), End::Pending);
    assert_eq!(judged(&mut judge, &seen, 13), End::Failed);
}

#[test]
fn a_rollback_that_fails_says_what_that_means() {
    let mut judge = StackJudge::new(Goal::End, Vec::new(), SETTLE);
    let Verdict::Failed(why) = judge.judge(&look(stack("ROLLBACK_FAILED")), &at(0)) else {
        panic!("failed")
    };
    assert!(
        why.text
            .starts_with("neither definition is in place: because"),
        "{}",
        why.text
    );
}

#[test]
fn a_condition_must_hold_at_the_end() {
    let judge = |text: &str| {
        let condition = Condition::parse(text).expect(text);
        judged(
            &mut StackJudge::new(Goal::End, vec![condition], SETTLE),
            &look(stack("CREATE_COMPLETE")),
            0,
        )
    };
    assert_eq!(judge("stack_name=web"), End::Reached);
    assert_eq!(judge("disable_rollback=True"), End::Reached);
    assert_eq!(judge("stack_name=db"), End::Failed);
    assert_eq!(judge("colour=red"), End::Failed);
    assert!(Condition::parse("web").is_err() && Condition::parse("=web").is_err());
}

#[test]
fn goals_are_read_in_any_case_and_nonsense_is_refused() {
    for goal in [
        "complete",
        "deleted",
        "create",
        "UPDATE_COMPLETE",
        "SUSPEND_FAILED",
    ] {
        assert_eq!(
            Goal::parse(&goal.to_uppercase()).expect(goal),
            Goal::parse(goal).expect(goal)
        );
        assert!(
            Goal::parse(goal)
                .expect(goal)
                .word()
                .eq_ignore_ascii_case(goal)
        );
    }
    for goal in ["nonsense", "", "MOULT_COMPLETE", "CREATE_DONE"] {
        assert!(
            Goal::parse(goal)
                .expect_err(goal)
                .contains("is nothing to wait for")
        );
    }
}
