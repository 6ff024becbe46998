//! `stack delete`.

use sim_cloud::{Outcome, Stack, When, secs};

use crate::{TARN, changes, stack, world};

#[test]
fn a_delete_is_over_when_the_stack_is_gone_and_prints_nothing() {
    let world = world("CREATE_COMPLETE");
    let ended = stack(&world, "delete tarn").exits(0);
    assert_eq!(ended.stdout, "");
    assert_eq!(
        ended.asked("DELETE "),
        [format!(
            "DELETE /v1/5dd7758400f44910ac53f5b24bf8c88f/stacks/tarn/{TARN}"
        )]
    );
    // The status shows 3 s before the stack is gone.
    assert!(ended.elapsed >= secs(8), "{ended}");
    ended.says(&["DELETE_IN_PROGRESS", "DELETE_COMPLETE"]);
}

#[test]
fn a_delete_by_id_and_by_name_and_id_ends_the_same_way() {
    for name in [TARN.to_owned(), format!("tarn/{TARN}")] {
        let world = world("CREATE_COMPLETE");
        stack(&world, &format!("delete {name} tarn")).exits(0);
        assert_eq!(changes(&world), 1, "the same stack twice is one");
    }
}

#[test]
fn a_failed_delete_is_failed_with_its_reason() {
    let world = world("CREATE_COMPLETE");
    let outcome = Outcome::Fail(secs(7), "Resource DELETE failed: still in use".to_owned());
    world.heat_outcome("delete", None, outcome);
    let ended = stack(&world, "delete tarn").exits(1);
    ended.says(&["DELETE_FAILED: Resource DELETE failed: still in use"]);
}

#[test]
fn the_failure_of_an_earlier_delete_is_not_taken_for_the_answer() {
    let world = world("DELETE_FAILED");
    let outcome = Outcome::Later(secs(40), Box::new(Outcome::Complete(secs(5))));
    world.heat_outcome("delete", None, outcome);
    let ended = stack(&world, "delete tarn").exits(0);
    assert!(ended.elapsed >= secs(45), "{ended}");
}

#[test]
fn a_delete_of_what_is_being_deleted_joins_it() {
    let world = world("CREATE_COMPLETE");
    world.heat_act("delete", "tarn", Outcome::Complete(secs(60)));
    let ended = stack(&world, "delete tarn").exits(0);
    assert!(ended.elapsed >= secs(60), "{ended}");
}

#[test]
fn what_is_not_there_is_4_and_does_not_stop_the_others() {
    let world = world("CREATE_COMPLETE");
    let ended = stack(&world, "delete nobody tarn").exits(4);
    assert_eq!(changes(&world), 1);
    ended.says(&["nobody", "there is no such stack", "it is gone"]);
    stack(&world, "delete nobody --ignore-missing").exits(0);
}

#[test]
fn a_stack_that_is_deleted_already_is_shown_by_its_id_and_reached() {
    let world = world("CREATE_COMPLETE");
    stack(&world, "delete tarn").exits(0);
    let ended = stack(&world, &format!("delete {TARN}")).exits(0);
    assert_eq!(changes(&world), 1);
    ended.says(&["is already gone"]);
}

#[test]
fn several_are_deleted_at_once_each_with_its_own_verdict() {
    let world = world("CREATE_COMPLETE");
    world.stack(Stack::standing("fen"));
    world.stack(Stack::standing("bog"));
    world.heat_outcome(
        "delete",
        Some("fen"),
        Outcome::Fail(secs(20), "no".to_owned()),
    );
    world.heat_outcome("delete", Some("bog"), Outcome::Complete(secs(30)));
    let ended = stack(&world, "delete tarn fen bog").exits(1);
    assert!(ended.elapsed < secs(45), "not one after the other: {ended}");
    ended.says(&[
        "stack tarn",
        "it is gone",
        "stack fen",
        "DELETE_FAILED: no",
        "stack bog",
        "it is gone",
    ]);
}

#[test]
fn a_refused_delete_is_5_and_a_rejected_one_is_6() {
    for (outcome, exit) in [
        (Outcome::mute_forbidden(), 5),
        (Outcome::refused(409, "Conflict", "it has snapshots"), 6),
        (Outcome::refused(400, "BadRequest", "no"), 6),
    ] {
        let world = world("CREATE_COMPLETE");
        world.heat_outcome("delete", None, outcome);
        stack(&world, "delete tarn").exits(exit);
        assert_eq!(changes(&world), 1);
    }
}

#[test]
fn at_a_terminal_it_asks_and_without_a_yes_nothing_is_sent() {
    let mut world = world("CREATE_COMPLETE");
    world.terminal.stdin = true;
    let ended = stack(&world, "delete tarn").exits(2);
    assert_eq!(
        ended.stdout,
        "Are you sure you want to delete this stack(s) [y/N]? "
    );
    assert!(ended.requests.is_empty(), "{ended}");
    for answer in ["n\n", "\n", "no, y\n"] {
        world.stdin = answer.into();
        stack(&world, "delete tarn")
            .exits(2)
            .says(&["not confirmed: nothing was deleted"]);
    }
    assert_eq!(changes(&world), 0);
    stack(&world, "delete tarn -y").exits(0);
}

#[test]
fn a_yes_in_any_case_deletes() {
    for answer in ["y\n", "Yes\n", "Y"] {
        let mut world = world("CREATE_COMPLETE");
        world.terminal.stdin = true;
        world.stdin = answer.into();
        stack(&world, "delete tarn").exits(0);
        assert_eq!(changes(&world), 1);
    }
}

#[test]
fn without_waiting_the_request_is_sent_and_that_is_all() {
    let world = world("CREATE_COMPLETE");
    let ended = stack(&world, "delete tarn --no-wait")
        .exits(0)
        .takes(secs(0));
    assert_eq!(changes(&world), 1);
    assert_eq!(ended.stdout, "");
}

#[test]
fn at_the_deadline_the_command_that_goes_on_is_said() {
    let world = world("CREATE_COMPLETE");
    world.heat_outcome("delete", None, Outcome::Stay);
    let ended = stack(&world, "delete tarn --deadline 30").exits(124);
    let resume = format!("heat-wait stack wait {TARN} --for deleted");
    assert!(ended.last_words.contains(&resume), "{}", ended.last_words);
    ended.says(&[
        "still DELETE_IN_PROGRESS at the deadline; the operation goes on",
        &resume,
    ]);
}

#[test]
fn another_action_that_takes_over_fails_the_delete() {
    let world = world("CREATE_COMPLETE");
    let taken = Stack::default()
        .own(secs(2), "DELETE_IN_PROGRESS", "Stack DELETE started")
        .own(secs(6), "UPDATE_IN_PROGRESS", "Stack UPDATE started");
    world.heat_outcome("delete", None, Outcome::Like(Box::new(taken)));
    let ended = stack(&world, "delete tarn").exits(1);
    ended.says(&["UPDATE_IN_PROGRESS: another action has taken over"]);
}

#[test]
fn the_change_is_made_with_nothing_of_a_body() {
    let world = world("CREATE_COMPLETE");
    stack(&world, "delete tarn").exits(0);
    let sent = world.asked(&When::heat().change());
    assert!(sent[0].request.body.is_empty());
}
