//! What is waited for, through the whole program: `--for` in every form, baselines, several stacks, odd answers.

use serde_json::{Value, json};
use sim_cloud::{Answer, Fault, Outcome, Response, Stack, When, secs};

use crate::{TARN, e, ms, standing, tarn, wait, world, world_with};

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
fn a_stack_that_somebody_deletes_meanwhile_fails_every_other_goal() {
    for goal in ["create", "update", "UPDATE_COMPLETE"] {
        for purged in [false, true] {
            let world = world();
            world.stack(standing());
            world.advance(secs(60));
            world.heat_act("update", TARN, Outcome::Stay);
            let goal = if goal == "create" { "resume" } else { goal };
            let line = Stack::new("x").own(secs(10), "DELETE_IN_PROGRESS", "").own(
                secs(15),
                "DELETE_COMPLETE",
                "",
            );
            let line = if purged {
                line.purged(secs(18))
            } else {
                line.gone(secs(18))
            };
            world.heat_act(
                "delete",
                TARN,
                Outcome::Like(Box::new(line.own(secs(0), "UPDATE_IN_PROGRESS", ""))),
            );
            wait(&world, &format!("tarn --for {goal}"))
                .exits(1)
                .says(&["it was deleted"]);
        }
    }
}

#[test]
fn a_stack_that_vanishes_without_a_delete_is_a_failure() {
    for goal in ["create", "complete"] {
        let world = world();
        world.stack(Stack::create("tarn", secs(60)).purged(secs(12)));
        wait(&world, &format!("tarn --for {goal}"))
            .exits(1)
            .says(&["it vanished"]);
    }
}

#[test]
fn a_stack_made_anew_under_the_same_name_is_another_stack() {
    let world = world();
    world.stack(Stack::create("tarn", secs(60)).id(TARN).purged(secs(12)));
    world.stack(Stack::create("tarn", secs(5)).own(secs(20), "CREATE_COMPLETE", "the other"));
    // The newest of a name is found first: the old one is waited for by its id.
    wait(&world, &format!("{TARN} --for create"))
        .exits(1)
        .says(&["it vanished"]);

    let world = crate::world();
    world.stack(standing());
    world.advance(secs(60));
    world.heat_act("delete", TARN, Outcome::Complete(secs(9)));
    // Appears under the name 13 s later, while the first is waited for.
    world.stack(Stack::new("tarn").own(secs(14), "CREATE_COMPLETE", "the other"));
    let ended = wait(&world, &format!("{TARN} --for deleted -f json")).exits(0);
    assert_eq!(ended.json()["id"], TARN, "{ended}");
}

#[test]
fn a_rollback_is_waited_for_to_its_end_and_tells_the_first_reason() {
    for goal in ["update", "UPDATE_COMPLETE", "complete"] {
        let world = world();
        world.stack(standing().rollback());
        world.advance(secs(60));
        world.heat_act(
            "update",
            TARN,
            Outcome::RollBack(secs(8), secs(40), "no such flavor".to_owned()),
        );
        wait(&world, &format!("tarn --for {goal}"))
            .exits(1)
            .takes(secs(40))
            .says(&["ROLLBACK_COMPLETE", "rolled back: no such flavor"]);
    }
}

#[test]
fn a_rollback_that_fails_says_that_neither_definition_is_in_place() {
    let world = world();
    world.stack(standing().rollback());
    world.advance(secs(60));
    world.heat_act(
        "update",
        TARN,
        Outcome::RollBackFails(secs(8), secs(40), "no such flavor".to_owned()),
    );
    wait(&world, "tarn --for update").exits(1).says(&[
        "ROLLBACK_FAILED",
        "neither definition is in place",
        "no such flavor",
    ]);
}

#[test]
fn a_rollback_that_never_begins_is_not_waited_for_longer_than_settle() {
    let world = world();
    world.stack(standing().rollback());
    world.advance(secs(60));
    world.heat_act("update", TARN, Outcome::Fail(secs(5), "boom".to_owned()));
    wait(&world, "tarn --for update --settle 7s")
        .exits(1)
        .takes(secs(12))
        .says(&["UPDATE_FAILED: boom"]);
}

#[test]
fn a_failure_without_rollback_is_believed_at_once() {
    let world = world();
    world.stack(standing());
    world.advance(secs(60));
    world.heat_act("update", TARN, Outcome::Fail(secs(5), "boom".to_owned()));
    wait(&world, "tarn --for update").exits(1).takes(secs(5));
}

#[test]
fn a_create_that_is_rolled_back_fails_whether_the_stack_stays_or_goes() {
    for goes in [false, true] {
        let world = world();
        let stack = tarn()
            .rollback()
            .own(secs(0), "CREATE_IN_PROGRESS", "")
            .own(secs(8), "CREATE_FAILED", "no such flavor")
            .own(secs(8), "ROLLBACK_IN_PROGRESS", "")
            .own(secs(18), "ROLLBACK_COMPLETE", "");
        world.stack(if goes { stack.purged(secs(18)) } else { stack });
        let ended = wait(&world, "tarn --for create").exits(1);
        assert!(ended.elapsed >= secs(18), "{ended}");
        ended.says(&["CREATE_FAILED  no such flavor"]);
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

#[test]
fn what_does_not_exist_yet_is_waited_for_if_asked() {
    let world = world();
    world.advance(secs(1));
    let late = || {
        Stack::new("tarn")
            .own(secs(0), "CREATE_IN_PROGRESS", "")
            .own(secs(10), "CREATE_COMPLETE", "")
    };
    // A time line that begins later: the stack is not there before.
    world.stack(late());
    wait(&world, "tarn --for create --appear").exits(0);

    let world = crate::world();
    let ended = wait(&world, "tarn --for create --appear=12s")
        .exits(4)
        .takes(secs(12));
    ended.says(&["stack tarn: there is no such stack"]);
    let ended = wait(&world, "tarn --for create --appear --deadline 20s")
        .exits(4)
        .takes(secs(20));
    ended.never_says(&["goes on"]);
}

#[test]
fn a_missing_name_is_not_found_at_once() {
    let world = world();
    for goal in ["complete", "create", "UPDATE_COMPLETE"] {
        let ended = wait(&world, &format!("tarn --for {goal}")).exits(4);
        assert!(ended.elapsed <= secs(1), "{ended}");
        ended
            .says(&["tarn", "no such stack"])
            .never_says(&["goes on"]);
    }
    wait(&world, "tarn --for deleted")
        .exits(0)
        .says(&["does not exist"]);
}

#[test]
fn several_stacks_are_waited_for_at_once_and_a_missing_one_does_not_stop_the_others() {
    let world = world();
    world.stack(Stack::create("fen", secs(8)));
    world.stack(Stack::create("moor", secs(18)));
    let ended = wait(&world, "fen moor typo fen").exits(4).takes(secs(20));
    let ended = ended.says(&["typo", "no such stack"]);
    assert!(
        ended.stdout.contains("fen") && ended.stdout.contains("moor"),
        "{ended}"
    );

    world.stack(Stack::failing("bog", secs(5), "boom"));
    wait(&world, "fen typo bog").exits(1).says(&["boom"]);
    let running = world.stack(Stack::create("mere", secs(900)));
    let ended = wait(&world, "fen typo mere --deadline 10s").exits(124);
    ended.says(&["go on waiting with: heat-wait stack wait", "typo", &running]);
}

#[test]
fn many_failures_at_the_deadline_are_explained_as_far_as_time_allows() {
    let world = world_with(|config| config.latency = ms(50));
    let names: Vec<String> = (0..60).map(|n| format!("bog-{n}")).collect();
    for name in &names {
        world.stack(Stack::failing(name, secs(18), "boom"));
    }
    let ended = wait(&world, &format!("{} --deadline 20s", names.join(" "))).exits(1);
    assert!(ended.elapsed <= secs(21), "{ended}");
    ended.says(&["CREATE_FAILED: boom", "is left out"]);
}

#[test]
fn the_first_of_any_ends_the_wait() {
    let world = world();
    world.stack(Stack::failing("bog", secs(3), "boom"));
    world.stack(Stack::create("fen", secs(8)));
    world.stack(Stack::create("moor", secs(600)));
    wait(&world, "bog moor fen --any").exits(0).takes(secs(10));
    wait(&world, "bog typo --any").exits(1);
    wait(&world, "typo typing --any").exits(4);
    wait(&world, "bog moor --any --deadline 20s").exits(1);
}

#[test]
fn what_a_list_leaves_out_is_looked_at_by_itself() {
    let world = world_with(|config| config.admin = true);
    world.stack(Stack::create("fen", secs(8)).hidden());
    let child = Stack::create("moor-nest-x1", secs(8)).id("bbbbbbbb-0000-4000-8000-000000000002");
    world.stack(Stack::create("moor", secs(12)).nested("nest", child));
    let other = "cccccccc-0000-4000-8000-000000000003";
    world.stack(Stack::create("mere", secs(16)).id(other).project("6666"));
    let ended = wait(&world, &format!("fen moor-nest-x1 {other}"))
        .exits(0)
        .takes(secs(20));
    assert_eq!(
        ended.stdout.matches("CREATE_COMPLETE").count(),
        3,
        "{ended}"
    );
}

#[test]
fn who_may_not_list_may_still_look_at_each() {
    let world = world();
    world.stack(Stack::create("fen", secs(8)));
    world.stack(Stack::create("moor", secs(12)));
    world.fault(When::heat().ends("/stacks"), Fault::Status(403));
    wait(&world, "fen moor").exits(0).takes(secs(15));
}

#[test]
fn one_404_is_no_end() {
    for (goal, fault) in [
        ("create", Fault::Status(404)),
        ("deleted", Fault::Status(404)),
        ("create", Fault::Html(404)),
    ] {
        let world = world();
        world.stack(
            Stack::create("tarn", secs(30))
                .id(TARN)
                .own(secs(31), "DELETE_IN_PROGRESS", "")
                .own(secs(38), "DELETE_COMPLETE", "")
                .gone(secs(40)),
        );
        // Two requests: the events and the stack itself, of one look.
        world.fault(When::heat().between(secs(9), secs(10_000)).first(2), fault);
        let ended = wait(&world, &format!("tarn --for {goal}")).exits(0);
        assert!(ended.elapsed >= secs(30), "{ended}");
    }
}

#[test]
fn a_404_of_no_service_of_ours_is_a_wrong_endpoint_at_first_and_weather_later() {
    let stranger = || {
        Response::json(
            404,
            &json!({"message": "no Route matched with those values"}),
        )
    };
    let world = world();
    world.stack(Stack::create("tarn", secs(30)));
    world.answer(When::heat().between(secs(9), secs(20)), stranger());
    wait(&world, "tarn --for create").exits(0);

    let world = crate::world();
    world.answer(When::heat(), stranger());
    let ended = wait(&world, "tarn --for create")
        .exits(3)
        .takes(secs(0))
        .says(&["no Heat answers at", "hint: ", "endpoint"]);
    assert_eq!(ended.requests.len(), 2, "{ended}");
}

#[test]
fn html_instead_of_a_404_is_no_absence() {
    let world = world();
    world.fault(When::heat(), Fault::Html(404));
    for goal in ["complete", "deleted"] {
        wait(&world, &format!("tarn --for {goal} --deadline 30s"))
            .exits(3)
            .never_says(&["<html"]);
    }
}

#[test]
fn a_baseline_that_the_service_has_purged_is_older_than_all_that_is_left() {
    let world = world();
    // Heat has purged the older events, the beginning of the stack among them.
    world.stack(
        tarn()
            .own(secs(1), "UPDATE_IN_PROGRESS", "")
            .own(secs(9), "UPDATE_COMPLETE", ""),
    );
    world.advance(secs(20));
    wait(&world, &format!("tarn --for update --since {}", e(7)))
        .exits(0)
        .takes(secs(0));
}

// Seen on a real Heat: the stack was gone before the wait looked for the first time.
#[test]
fn a_stack_that_was_deleted_since_the_baseline_is_not_waited_for() {
    let world = world();
    world.stack(
        tarn()
            .own(secs(1), "CREATE_IN_PROGRESS", "")
            .event_id(&e(1))
            .own(secs(9), "CREATE_COMPLETE", "")
            .event_id(&e(2))
            .own(secs(12), "DELETE_IN_PROGRESS", "")
            .own(secs(13), "DELETE_COMPLETE", "")
            .gone(secs(14)),
    );
    world.advance(secs(60));
    wait(&world, &format!("{TARN} --for update --since {}", e(2)))
        .exits(1)
        .says(&["it was deleted"])
        .takes(secs(0));
}

#[test]
fn a_baseline_that_is_no_event_of_the_stack_proves_nothing() {
    let world = world();
    world.stack(standing().own(secs(1), "UPDATE_IN_PROGRESS", "").own(
        secs(9),
        "UPDATE_COMPLETE",
        "",
    ));
    world.advance(secs(20));
    wait(&world, &format!("tarn --for update --since {}", e(999)))
        .exits(2)
        .says(&["--since", &e(999), "no event of"]);
}

#[test]
fn an_event_is_of_one_stack_and_must_look_like_one() {
    let world = world();
    for words in [
        format!("fen moor --since {}", e(1)),
        "fen --since e1".to_owned(),
        "fen --since yesterday".to_owned(),
    ] {
        let ended = wait(&world, &words).exits(2).says(&["--since"]);
        assert!(ended.requests.is_empty(), "{ended}");
    }
}

/// A wait for `tarn` whose events are answered with these, from the second look on.
fn with_events(events: &Value) -> crate::Ended {
    let world = world();
    world.stack(Stack::create("tarn", secs(20)).id(TARN));
    let late = When::heat().path("/events").between(secs(4), secs(1_000));
    world.answer(late, Answer::json(200, &json!({"events": events})));
    wait(&world, "tarn --for create --max-errors 3")
}

#[test]
fn odd_events_end_nothing() {
    let odd = [
        json!([]),
        json!([{}]),
        json!([{"id": null, "event_time": null, "links": null, "resource_name": null, "physical_resource_id": null, "resource_status": null, "resource_status_reason": null}]),
        json!([{"id": e(9), "links": [{}], "resource_status": "HATCHED"}]),
        json!([{"id": e(9), "links": "none", "resource_status": 7, "event_time": 12}]),
        json!([{"id": e(9), "resource_status": "CREATE_COMPLETE", "resource_name": "tarn", "physical_resource_id": "elsewhere"}, {"id": e(9)}, {"id": e(8)}]),
        json!([null, 3, "x"]),
    ];
    for events in odd {
        let ended = with_events(&events);
        assert!(
            ended.exit == 0 && ended.elapsed >= secs(20),
            "{events}\n{ended}"
        );
    }
}

#[test]
fn events_that_come_twice_or_out_of_order_are_shown_once() {
    let world = world();
    let mut stack = tarn()
        .own(secs(0), "CREATE_IN_PROGRESS", "")
        .event_id(&e(1));
    for n in 2..30 {
        stack = stack
            .event(secs(n), "reed", None, "UPDATE_COMPLETE", "")
            .event_id(&e(u32::try_from(n).unwrap_or(0)));
    }
    // Written late by another engine: its time lies before events that were answered already.
    let late = json!(world.time().seconds(secs(12)));
    let stack = stack
        .event(secs(16), "late", None, "UPDATE_COMPLETE", "")
        .event_id(&e(77))
        .event_time(late);
    world.stack(stack.own(secs(40), "CREATE_COMPLETE", ""));
    let ended = wait(&world, "tarn --for create").exits(0);
    for n in (1..30).chain([77]) {
        assert_eq!(ended.stderr.matches(&e(n)).count(), 1, "event {n}\n{ended}");
    }
}

#[test]
fn a_thousand_new_events_between_two_looks_come_in_pages() {
    let world = world();
    let mut stack = tarn().own(secs(0), "CREATE_IN_PROGRESS", "");
    for n in 0..1_200 {
        stack = stack.event(ms(6_000 + n), "reed", None, "UPDATE_COMPLETE", "");
    }
    world.stack(stack.own(secs(8), "CREATE_COMPLETE", "it is done"));
    let ended = wait(&world, "tarn --for create").exits(0).takes(secs(10));
    assert_eq!(ended.stderr.lines().count(), 1_202, "{ended}");
    assert!(ended.asked("/events?").len() <= 7, "{ended}");
}

#[test]
fn a_wait_that_joins_at_the_beginning_of_an_action_shows_nothing_of_those_before() {
    let world = world();
    let mut stack = standing();
    for n in 0..2_000 {
        stack = stack.event(ms(n), "reed", Some("r"), "UPDATE_COMPLETE", "long ago");
    }
    world.stack(stack.own(secs(3), "UPDATE_FAILED", "long ago"));
    world.advance(secs(3_600));
    world.heat_act("update", TARN, Outcome::Complete(secs(8)));
    world.advance(secs(1));
    let ended = wait(&world, "tarn --for update")
        .exits(0)
        .never_says(&["long ago"]);
    assert!(ended.asked("/events?").len() <= 5, "{ended}");
}

#[test]
fn an_action_that_begins_and_ends_between_two_looks_at_a_stack_that_stood_is_shown_whole() {
    let world = world();
    world.stack(standing());
    world.advance(secs(60));
    let fails = Outcome::Complete(secs(2));
    world.heat_act("update", TARN, Outcome::Later(secs(1), Box::new(fails)));
    wait(&world, "tarn --for update")
        .exits(0)
        .takes(secs(5))
        .says(&[
            "stands at CREATE_COMPLETE; waiting for update to begin",
            "UPDATE_IN_PROGRESS",
            "UPDATE_COMPLETE",
        ])
        .never_says(&[&e(40)]);
}

#[test]
fn a_marker_that_is_purged_meanwhile_brings_nothing_twice() {
    let world = world();
    let mut stack = tarn().own(secs(0), "CREATE_IN_PROGRESS", "");
    for n in 1..60 {
        stack = stack.event(secs(n), "reed", None, "UPDATE_COMPLETE", "");
    }
    world.stack(stack.own(secs(90), "CREATE_COMPLETE", ""));
    // The server has forgotten the marker: it answers with all that it has.
    let events = |world: &crate::World| {
        let page = world.run("stack wait tarn --for create --deadline 0 --progress json");
        page.stderr
            .lines()
            .filter(|line| line.contains("\"event\""))
            .count()
    };
    world.advance(secs(30));
    let before = events(&world);
    assert_eq!(before, 31);
    let ended = {
        let all: Vec<Value> = (1..60)
            .map(|n| {
                json!({"id": e(n), "event_time": world.time().seconds(secs(u64::from(n))), "resource_name": "reed", "resource_status": "UPDATE_COMPLETE",
                       "resource_status_reason": "again", "physical_resource_id": null, "links": []})
            })
            .collect();
        world.answer(
            When::heat().path("/events").between(secs(59), secs(64)),
            Answer::json(200, &json!({"events": all})),
        );
        wait(&world, "tarn --for create").exits(0)
    };
    // Their ids are new to it; by their times they lie before its marker.
    let again: Vec<&str> = ended
        .stderr
        .lines()
        .filter(|line| line.ends_with("again"))
        .collect();
    assert!(
        again.iter().all(|line| *line >= "2031-03-04 10:00:45"),
        "{again:#?}"
    );
}
