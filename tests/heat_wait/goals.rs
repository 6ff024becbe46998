//! What is waited for, through the whole program: `--for` in every form.

use sim_cloud::{Outcome, Stack, secs};

use crate::{TARN, e, standing, tarn, wait, world};

/// The exit code of a wait for `goal` on a stack that stands at `status`, rollback off.
fn of_standing(status: &str, goal: &str) -> u8 {
    let world = world();
    let mut stack = standing().own(secs(1), status, "so it is");
    if status == "DELETE_COMPLETE" {
        stack = stack.gone(secs(1));
    }
    world.stack(stack);
    world.advance(secs(60));
    wait(&world, &format!("{TARN} --for {goal} --deadline 20s")).exit
}

#[test]
fn every_goal_on_every_state_that_stands() {
    let goals = [
        "complete",
        "create",
        "update",
        "suspend",
        "UPDATE_COMPLETE",
        "UPDATE_FAILED",
        "deleted",
    ];
    let table: [(&str, [u8; 7]); 14] = [
        ("CREATE_COMPLETE", [0, 0, 124, 124, 1, 1, 124]),
        ("CREATE_FAILED", [1, 1, 124, 124, 1, 1, 124]),
        ("UPDATE_COMPLETE", [0, 0, 0, 124, 0, 1, 124]),
        ("UPDATE_FAILED", [1, 0, 1, 124, 1, 0, 124]),
        ("ROLLBACK_COMPLETE", [1, 1, 1, 124, 1, 1, 124]),
        ("ROLLBACK_FAILED", [1, 1, 1, 124, 1, 1, 124]),
        ("SUSPEND_COMPLETE", [0, 0, 124, 0, 1, 1, 124]),
        ("SUSPEND_FAILED", [1, 0, 124, 1, 1, 1, 124]),
        ("RESUME_COMPLETE", [0, 0, 124, 124, 1, 1, 124]),
        ("CHECK_COMPLETE", [0, 0, 124, 124, 1, 1, 124]),
        ("CHECK_FAILED", [1, 0, 124, 124, 1, 1, 124]),
        ("ADOPT_COMPLETE", [0, 0, 124, 124, 1, 1, 124]),
        ("DELETE_COMPLETE", [0, 1, 1, 1, 1, 1, 0]),
        ("DELETE_FAILED", [1, 1, 124, 124, 1, 1, 1]),
    ];
    for (status, exits) in table {
        for (goal, exit) in goals.iter().zip(exits) {
            assert_eq!(of_standing(status, goal), exit, "--for {goal} on {status}");
        }
    }
}

#[test]
fn goals_and_states_are_understood_in_any_case() {
    for (status, goal) in [
        ("update_complete", "Update"),
        ("Update_Complete", "UPDATE_complete"),
        ("UPDATE_COMPLETE", "COMPLETE"),
    ] {
        assert_eq!(of_standing(status, goal), 0, "--for {goal} on {status}");
    }
}

#[test]
fn every_action_is_followed_from_its_beginning_to_its_end() {
    for action in [
        "update", "suspend", "resume", "check", "snapshot", "restore",
    ] {
        for (outcome, exit) in [
            (Outcome::Complete(secs(20)), 0),
            (Outcome::Fail(secs(20), "boom".to_owned()), 1),
        ] {
            for goal in [
                action.to_owned(),
                format!("{}_COMPLETE", action.to_uppercase()),
                "complete".to_owned(),
            ] {
                let world = world();
                world.stack(standing());
                world.advance(secs(60));
                world.heat_act(action, TARN, outcome.clone());
                world.advance(secs(1));
                let ended = wait(&world, &format!("tarn --for {goal}"))
                    .exits(exit)
                    .takes(secs(20));
                let ended = ended.says(&["_IN_PROGRESS"]).never_says(&[&e(39), &e(40)]);
                if exit == 1 {
                    ended.says(&["boom"]);
                }
            }
        }
    }
}

#[test]
fn a_delete_is_reached_when_the_stack_is_gone_and_not_two_seconds_before() {
    for goal in ["deleted", "delete", "DELETE_COMPLETE", "complete"] {
        let world = world();
        world.stack(standing());
        world.advance(secs(60));
        world.heat_act("delete", TARN, Outcome::Complete(secs(9)));
        let ended = world
            .run(&format!("stack wait tarn --for {goal} --poll 1"))
            .exits(0);
        assert!(
            ended.elapsed >= secs(12) && ended.elapsed <= secs(14),
            "{goal}\n{ended}"
        );
    }
}

#[test]
fn a_delete_that_an_old_engine_ends_with_a_404_is_reached_at_the_second_look() {
    for goal in ["deleted", "delete", "complete"] {
        let world = world();
        world.stack(standing());
        world.advance(secs(60));
        let line = Stack::new("x")
            .own(secs(0), "DELETE_IN_PROGRESS", "")
            .purged(secs(9));
        world.heat_act("delete", TARN, Outcome::Like(Box::new(line)));
        wait(&world, &format!("tarn --for {goal}"))
            .exits(0)
            .takes(secs(11));
    }
}

#[test]
fn a_delete_that_fails_is_a_failure() {
    for goal in ["deleted", "delete", "DELETE_COMPLETE", "complete"] {
        let world = world();
        world.stack(standing());
        world.advance(secs(60));
        world.heat_act(
            "delete",
            TARN,
            Outcome::Fail(secs(9), "port in use".to_owned()),
        );
        wait(&world, &format!("tarn --for {goal}"))
            .exits(1)
            .says(&["DELETE_FAILED", "port in use"]);
    }
}

#[test]
fn an_action_whose_end_was_seen_is_reached_though_another_began_at_once() {
    let world = world();
    world.stack(standing());
    world.advance(secs(60));
    let line = Stack::new("x")
        .own(secs(0), "UPDATE_IN_PROGRESS", "")
        .own(secs(7), "UPDATE_COMPLETE", "")
        .own(secs(8), "CHECK_IN_PROGRESS", "")
        .own(secs(60), "CHECK_FAILED", "boom");
    world.heat_act("update", TARN, Outcome::Like(Box::new(line)));
    wait(&world, "tarn --for update")
        .exits(0)
        .takes(secs(10))
        .says(&["UPDATE_COMPLETE", "CHECK_IN_PROGRESS"]);
}

#[test]
fn an_action_that_failed_has_failed_though_another_began_at_once() {
    let world = world();
    world.stack(standing());
    world.advance(secs(60));
    let line = Stack::new("x")
        .own(secs(0), "UPDATE_IN_PROGRESS", "")
        .own(secs(7), "UPDATE_FAILED", "no such flavor")
        .own(secs(8), "CHECK_IN_PROGRESS", "")
        .own(secs(60), "CHECK_COMPLETE", "");
    world.heat_act("update", TARN, Outcome::Like(Box::new(line)));
    wait(&world, "tarn --for update")
        .exits(1)
        .takes(secs(10))
        .says(&["no such flavor"]);
}

#[test]
fn an_end_that_no_event_tells_of_is_seen_on_the_stack_itself() {
    for (status, exit) in [("CREATE_COMPLETE", 0), ("CREATE_FAILED", 1)] {
        let world = world();
        let begun = tarn().own(secs(0), "CREATE_IN_PROGRESS", "");
        world.stack(begun.silent(secs(12), status, "the engine wrote no event"));
        let ended = wait(&world, "tarn --for create").exits(exit);
        assert!(ended.elapsed <= secs(25), "{ended}");
    }
}

#[test]
fn an_action_that_is_in_no_table_is_a_failure_only_where_it_failed() {
    for (status, exit) in [("MOULT_COMPLETE", 3), ("MOULT_FAILED", 1)] {
        let world = world();
        world.stack(
            tarn()
                .own(secs(0), "MOULT_IN_PROGRESS", "")
                .own(secs(8), status, "shed"),
        );
        wait(&world, "tarn")
            .exits(exit)
            .takes(secs(10))
            .says(&[status]);
    }
    for odd in ["COMPLETE", "", "HATCHED"] {
        let world = world();
        world.stack(tarn().own(secs(0), odd, "?"));
        wait(&world, "tarn").exits(3).says(&[&format!("'{odd}'")]);
    }
}

#[test]
fn conditions_must_hold_at_the_end() {
    for (condition, exit) in [
        ("stack_owner=demo", 0),
        ("disable_rollback=true", 0),
        ("disable_rollback=True", 0),
        ("stack_owner=someone", 1),
        ("no_such_field=1", 1),
    ] {
        let world = world();
        world.stack(Stack::create("tarn", secs(8)).id(TARN));
        let ended = wait(&world, &format!("tarn --for create --and {condition}")).exits(exit);
        if exit == 1 {
            ended.says(&[
                condition.split('=').next().unwrap_or_default(),
                "was asked for",
            ]);
        }
    }
}
