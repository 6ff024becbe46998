//! `stack suspend`, `resume`, `check`, `cancel`.

use sim_cloud::{Outcome, Stack, When, secs};

use crate::{TARN, changes, stack, world};

#[test]
fn each_action_is_sent_once_with_the_clients_body_and_followed_to_its_end() {
    for (before, words, body, end) in [
        ("CREATE_COMPLETE", "suspend", "suspend", "SUSPEND_COMPLETE"),
        ("SUSPEND_COMPLETE", "resume", "resume", "RESUME_COMPLETE"),
        ("CREATE_COMPLETE", "check", "check", "CHECK_COMPLETE"),
    ] {
        let world = world(before);
        let ended = stack(&world, &format!("{words} tarn -f json")).exits(0);
        let sent = world.asked(&When::heat().change());
        assert_eq!(sent.len(), 1);
        assert!(
            sent[0]
                .request
                .path
                .ends_with(&format!("/stacks/tarn/{TARN}/actions"))
        );
        assert_eq!(
            sent[0].request.json().unwrap(),
            serde_json::json!({ body: null })
        );
        let rows = ended.json();
        assert_eq!(rows[0]["Stack Status"], end);
        assert_eq!(rows[0]["ID"], TARN);
    }
}

#[test]
fn a_failed_action_is_failed() {
    for action in ["suspend", "resume", "check"] {
        let world = world("CREATE_COMPLETE");
        world.heat_outcome(action, None, Outcome::Fail(secs(9), "boom".to_owned()));
        let ended = stack(&world, &format!("{action} tarn")).exits(1);
        ended.says(&[&format!("{}_FAILED: boom", action.to_uppercase())]);
    }
}

#[test]
fn a_suspend_of_a_suspended_stack_is_believed_after_settling() {
    for (before, action) in [
        ("SUSPEND_COMPLETE", "suspend"),
        ("RESUME_COMPLETE", "resume"),
    ] {
        let world = world(before);
        let ended = stack(&world, &format!("{action} tarn --settle 12")).exits(0);
        assert!(
            ended.elapsed >= secs(12) && ended.elapsed < secs(18),
            "{ended}"
        );
        assert_eq!(changes(&world), 1);
    }
}

#[test]
fn a_check_that_begins_late_is_waited_for_though_the_last_one_still_shows() {
    let world = world("CHECK_COMPLETE");
    let late = Outcome::Later(
        secs(90),
        Box::new(Outcome::Fail(secs(4), "gone".to_owned())),
    );
    world.heat_outcome("check", None, late);
    let ended = stack(&world, "check tarn").exits(1);
    assert!(ended.elapsed >= secs(94), "{ended}");
}

#[test]
fn several_are_waited_for_at_once_and_listed_in_their_order() {
    let world = world("CREATE_COMPLETE");
    world.stack(Stack::standing("fen"));
    world.heat_outcome(
        "suspend",
        Some("fen"),
        Outcome::Fail(secs(20), "no".to_owned()),
    );
    let ended = stack(&world, "suspend fen nobody tarn -f json").exits(1);
    let rows = ended.json();
    assert_eq!(
        (
            &rows[0]["outcome"],
            &rows[1]["outcome"],
            &rows[2]["outcome"]
        ),
        (&"failed".into(), &"not found".into(), &"reached".into())
    );
    assert_eq!(rows[2]["Stack Status"], "SUSPEND_COMPLETE");
    ended.says(&[
        "nobody",
        "stack fen",
        "SUSPEND_FAILED: no",
        "stack tarn",
        "SUSPEND_COMPLETE",
    ]);
}

#[test]
fn a_dead_engine_ends_at_the_deadline_with_a_hint_that_stays_right() {
    let world = world("CREATE_COMPLETE");
    world.heat_outcome("suspend", None, Outcome::Stay);
    let ended = stack(&world, "suspend tarn --deadline 60 -f json").exits(124);
    assert_eq!(ended.json()[0]["outcome"], "deadline");
    ended.says(&[&format!("stack wait {TARN} --for suspend --since ")]);
}

#[test]
fn a_busy_stack_refuses_and_with_when_idle_it_is_asked_again() {
    let refusal = || {
        Outcome::refused(
            409,
            "ActionInProgress",
            "Stack tarn already has an action (UPDATE) in progress.",
        )
    };
    let busy = world("CREATE_COMPLETE");
    busy.heat_outcome("suspend", None, refusal());
    let ended = stack(&busy, "suspend tarn").exits(6);
    ended
        .says(&["already has an action"])
        .never_says(&["goes on"]);
    let ended = stack(&busy, "suspend tarn --when-idle --deadline 60").exits(124);
    assert!(changes(&busy) > 5);
    ended.says(&["still busy at the deadline, nothing was changed"]);

    let idle = world("CREATE_COMPLETE");
    let answer = sim_cloud::Answer::json(
        409,
        &serde_json::json!({"error": {"type": "ActionInProgress", "message": "Stack tarn already has an action (UPDATE) in progress."}}),
    );
    idle.script(When::heat().change(), [answer.clone(), answer]);
    let ended = stack(&idle, "suspend tarn --when-idle").exits(0);
    assert_eq!(changes(&idle), 3);
    assert!(ended.elapsed >= secs(10), "{ended}");
}

/// An update of `tarn` that runs for two minutes.
fn updating() -> crate::harness::World {
    let world = world("CREATE_COMPLETE");
    world.heat_act("update", "tarn", Outcome::Complete(secs(120)));
    world
}

#[test]
fn a_cancel_ends_with_the_rollback() {
    let world = updating();
    let ended = stack(&world, "cancel tarn -f json").exits(0);
    assert_eq!(ended.json()[0]["Stack Status"], "ROLLBACK_COMPLETE");
    let sent = world.asked(&When::heat().change());
    assert_eq!(
        sent[0].request.json().unwrap(),
        serde_json::json!({"cancel_update": null})
    );
}

#[test]
fn a_cancel_without_rollback_ends_with_the_failure_that_was_asked_for() {
    let world = updating();
    let ended = stack(&world, "cancel tarn --no-rollback -f json").exits(0);
    assert_eq!(ended.json()[0]["Stack Status"], "UPDATE_FAILED");
    let sent = world.asked(&When::heat().change());
    assert_eq!(
        sent[0].request.json().unwrap(),
        serde_json::json!({"cancel_without_rollback": null})
    );
}

#[test]
fn a_cancel_of_what_stands_still_is_rejected() {
    let world = world("UPDATE_COMPLETE");
    stack(&world, "cancel tarn")
        .exits(6)
        .says(&["is not supported"]);
}

#[test]
fn a_cancel_that_comes_too_late_and_a_failure_for_another_reason_are_failed() {
    for (status, reason, text) in [
        ("UPDATE_COMPLETE", "done", "the cancel came too late"),
        ("UPDATE_FAILED", "boom", "but not for the cancel: boom"),
        (
            "ROLLBACK_FAILED",
            "boom",
            "neither definition is in place: boom",
        ),
    ] {
        let world = updating();
        let outcome = Stack::default().own(secs(5), status, reason);
        world.heat_outcome("cancel_update", None, Outcome::Like(Box::new(outcome)));
        stack(&world, "cancel tarn").exits(1).says(&[text]);
    }
}

#[test]
fn what_cannot_be_printed_is_refused_before_anything_is_sent() {
    let world = world("CREATE_COMPLETE");
    let ended = stack(&world, "suspend tarn -c Nonsense").exits(2);
    assert!(ended.requests.is_empty());
    stack(&world, "suspend tarn -f shell").exits(2);
}

#[test]
fn without_waiting_the_stack_is_shown_as_it_is() {
    let world = world("CREATE_COMPLETE");
    let ended = stack(&world, "suspend tarn --no-wait -f json").exits(0);
    assert_eq!(ended.json()[0]["Stack Status"], "SUSPEND_IN_PROGRESS");
    ended.takes(secs(0));
}

#[test]
fn another_action_that_takes_over_is_named() {
    let world = world("CREATE_COMPLETE");
    let taken = Stack::default()
        .own(secs(2), "SUSPEND_IN_PROGRESS", "Stack SUSPEND started")
        .own(secs(6), "DELETE_IN_PROGRESS", "Stack DELETE started");
    world.heat_outcome("suspend", None, Outcome::Like(Box::new(taken)));
    let ended = stack(&world, "suspend tarn").exits(1);
    ended.says(&["DELETE_IN_PROGRESS: another action has taken over"]);
}
