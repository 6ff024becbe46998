//! Stacks that go, that come, and that are not there.

use serde_json::json;
use sim_cloud::{Fault, Outcome, Response, Stack, When, secs};

use crate::{TARN, e, standing, tarn, wait, world};

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
    let ended = wait(&world, "tarn --for create --appear --deadline 80s")
        .exits(4)
        .takes(secs(80))
        .says(&["still waiting for stack tarn not there for 1m"])
        .never_says(&["goes on", "gone"]);
    assert!(
        ended.last_words.contains("stack tarn is not there")
            && ended.last_words.contains("--appear=none"),
        "{}",
        ended.last_words
    );
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
