//! Migrations: `task_state` keeps its last value for ever.

use sim_cloud::{Effect, Kind, secs};

use crate::*;

const START: &str = "share migration start lagoon h@b#p --preserve-metadata True --preserve-snapshots True --writable True --nondisruptive True";

#[test]
fn the_two_phases_and_a_cancel() {
    let world = lagoon();
    world
        .run(START)
        .exits(0)
        .says(&["migration_driver_phase1_done"]);
    let ended = world.run("share migration complete lagoon").exits(0);
    ended.says(&["migration_completing", "migration_success"]);
    let ended = world.run(START).exits(0);
    assert!(ended.elapsed >= secs(4), "{ended}");
    world
        .run("share migration cancel lagoon")
        .exits(0)
        .says(&["migration_cancelled"]);
}

#[test]
fn the_end_of_an_earlier_migration_is_not_the_answer() {
    let world = world();
    world.item(share(LAGOON, "lagoon").set("task_state", "migration_error"));
    // The service needs some time to say that it begins.
    world.manila_effect(
        Kind::Share,
        "migration_start",
        Effect::new()
            .at(secs(5), "status", "migrating")
            .at(secs(5), "task_state", "migration_starting")
            .at(secs(30), "task_state", "migration_driver_phase1_done"),
    );
    let ended = world.run(START).exits(0);
    assert!(ended.elapsed >= secs(30), "{ended}");
}

#[test]
fn a_migration_to_where_the_share_is_ends_at_once() {
    let world = lagoon();
    world.manila_effect(
        Kind::Share,
        "migration_start",
        Effect::new().at(secs(0), "task_state", "migration_success"),
    );
    let ended = world.run(START).exits(0);
    assert!(ended.elapsed < secs(1), "{ended}");
}

#[test]
fn migrations_that_end_badly() {
    for word in [
        "migration_error",
        "data_copying_error",
        "migration_cancelled",
    ] {
        let world = lagoon();
        world.manila_effect(
            Kind::Share,
            "migration_start",
            Effect::new()
                .at(secs(0), "status", "migrating")
                .at(secs(0), "task_state", "migration_starting")
                .at(secs(5), "status", "available")
                .at(secs(5), "task_state", word),
        );
        world.run(START).exits(1).says(&[word]);
    }
}

#[test]
fn a_completed_migration_must_leave_the_share_available() {
    let world = world();
    world.item(
        share(LAGOON, "lagoon")
            .set("status", "migrating")
            .set("task_state", "migration_driver_phase1_done"),
    );
    world.manila_effect(
        Kind::Share,
        "migration_complete",
        Effect::new()
            .at(secs(0), "task_state", "migration_completing")
            .at(secs(4), "task_state", "migration_success")
            .at(secs(15), "status", "available"),
    );
    let ended = world.run("share migration complete lagoon").exits(0);
    assert!(ended.elapsed >= secs(15), "{ended}");
}

#[test]
fn booleans_are_the_clients_own() {
    let ended = lagoon()
        .run(&START.replace("--writable True", "--writable yes"))
        .exits(2);
    assert!(sent(&ended).is_empty());
    lagoon().run("share migration start lagoon h@b#p").exits(2);
}
