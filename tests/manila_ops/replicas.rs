//! Replicas: two fields that move apart.

use sim_cloud::{Effect, Item, Kind, secs};

use crate::*;

fn with_replica(state: &str) -> World {
    let world = lagoon();
    let item = Item::new(Kind::Replica, "")
        .id(REPLICA)
        .set("share_id", LAGOON);
    world.item(item.set("replica_state", state));
    world
}

#[test]
fn a_replica_is_created_and_deleted() {
    let world = with_replica("in_sync");
    let made = world
        .run("share replica create lagoon -f json")
        .exits(0)
        .json();
    assert_eq!(made["status"], "available");
    assert_eq!(made["replica_state"], "in_sync");
    world
        .run(&format!("share replica delete {REPLICA}"))
        .exits(0);
}

#[test]
fn replicas_that_end_badly() {
    let world = with_replica("in_sync");
    world.manila_effect(
        Kind::Replica,
        "create",
        Effect::new()
            .at(secs(0), "status", "creating")
            .at(secs(3), "status", "error")
            .at(secs(5), "replica_state", "in_sync"),
    );
    world
        .run("share replica create lagoon")
        .exits(1)
        .says(&["error"]);
    world.manila_effect(
        Kind::Replica,
        "delete",
        Effect::new()
            .at(secs(0), "status", "deleting")
            .at(secs(5), "status", "error_deleting"),
    );
    world
        .run(&format!("share replica delete {REPLICA}"))
        .exits(1)
        .says(&["error_deleting"]);
}

#[test]
fn a_promotion_is_over_when_both_fields_are() {
    let world = with_replica("in_sync");
    world.manila_effect(
        Kind::Replica,
        "promote",
        Effect::new()
            .at(secs(0), "status", "replication_change")
            .at(secs(4), "replica_state", "active")
            .at(secs(20), "status", "available"),
    );
    let ended = world
        .run(&format!("share replica promote {REPLICA}"))
        .exits(0);
    assert!(ended.elapsed >= secs(20), "{ended}");
}

#[test]
fn a_failed_promotion_leaves_the_replica_in_sync_and_is_seen_by_its_status() {
    let world = with_replica("in_sync");
    world.manila_effect(
        Kind::Replica,
        "promote",
        Effect::new()
            .at(secs(0), "status", "replication_change")
            .at(secs(6), "status", "error"),
    );
    world
        .run(&format!("share replica promote {REPLICA}"))
        .exits(1)
        .says(&[&format!("replica {REPLICA}: error")]);
}

#[test]
fn the_way_to_go_on_with_a_promotion_names_both_fields() {
    let world = with_replica("in_sync");
    world.manila_effect(
        Kind::Replica,
        "promote",
        Effect::new().at(secs(0), "status", "replication_change"),
    );
    world.run(&format!("share replica promote {REPLICA} --deadline 9s")).exits(124).says(&[&format!(
        "manila-wait share replica wait {REPLICA} --for replica_state=active --and status=available"
    )]);
}

#[test]
fn a_resync_ends_in_sync() {
    let world = with_replica("out_of_sync");
    world
        .run(&format!("share replica resync {REPLICA}"))
        .exits(0)
        .says(&["in_sync"]);
}

#[test]
fn a_resync_of_a_replica_in_error_has_a_cycle_to_help() {
    let world = with_replica("error");
    world.manila_effect(
        Kind::Replica,
        "resync",
        Effect::new().at(secs(200), "replica_state", "in_sync"),
    );
    let ended = world
        .run(&format!("share replica resync {REPLICA}"))
        .exits(0);
    assert!(ended.elapsed >= secs(200), "{ended}");
    let world = with_replica("error");
    world.manila_effect(Kind::Replica, "resync", Effect::new());
    let ended = world
        .run(&format!("share replica resync {REPLICA}"))
        .exits(1);
    assert_eq!(ended.elapsed, secs(360), "{ended}");
}

#[test]
fn an_error_that_heals_is_tolerated_where_that_was_asked_for() {
    let world = with_replica("out_of_sync");
    world.manila_effect(
        Kind::Replica,
        "resync",
        Effect::new().at(secs(5), "replica_state", "error").at(
            secs(60),
            "replica_state",
            "in_sync",
        ),
    );
    world
        .run(&format!(
            "share replica resync {REPLICA} --tolerate-error 6m"
        ))
        .exits(0);
    let world = with_replica("out_of_sync");
    world.manila_effect(
        Kind::Replica,
        "resync",
        Effect::new().at(secs(5), "replica_state", "error"),
    );
    world
        .run(&format!("share replica resync {REPLICA}"))
        .exits(1)
        .says(&["replica_state error"]);
}

#[test]
fn only_one_hint_is_known_for_replicas() {
    let ended = lagoon()
        .run("share replica create lagoon --scheduler-hint same_host=x")
        .exits(2);
    assert!(sent(&ended).is_empty());
    lagoon()
        .run("share replica create lagoon --scheduler-hint only_host")
        .exits(2)
        .says(&["KEY=VALUE"]);
}
