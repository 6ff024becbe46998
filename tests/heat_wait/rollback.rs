//! Rollbacks: waited for to their end.

use sim_cloud::{Outcome, secs};

use crate::{TARN, standing, tarn, wait, world};

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
