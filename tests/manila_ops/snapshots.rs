//! Snapshots, reverts and backups.

use sim_cloud::{Effect, Item, Kind, secs};

use crate::*;

fn with_snapshot() -> World {
    let world = lagoon();
    world.item(
        Item::new(Kind::Snapshot, "nightly")
            .id(NIGHTLY)
            .set("share_id", LAGOON)
            .set("size", 10),
    );
    world
}

fn with_backup() -> World {
    let world = lagoon();
    world.item(
        Item::new(Kind::Backup, "copy")
            .id(COPY)
            .set("share_id", LAGOON),
    );
    world
}

fn through(busy: &str, end: &str) -> Effect {
    Effect::new()
        .at(secs(0), "status", busy)
        .at(secs(5), "status", end)
}

#[test]
fn a_snapshot_is_created_adopted_deleted_and_abandoned() {
    let world = with_snapshot();
    let made = world
        .run("share snapshot create lagoon --name weekly -f json")
        .exits(0)
        .json();
    assert_eq!(made["status"], "available");
    assert!(made.get("links").is_none(), "{made}");
    world
        .run("share snapshot adopt lagoon provider --name old")
        .exits(0);
    world.run("share snapshot delete weekly").exits(0);
    world
        .run("share snapshot abandon old")
        .exits(0)
        .says(&["not managed any more"]);
    world.run("share snapshot delete nightly --force").exits(0);
}

#[test]
fn snapshots_that_end_badly() {
    for (line, action, word) in [
        ("share snapshot create lagoon", "create", "error"),
        (
            "share snapshot adopt lagoon provider",
            "manage",
            "manage_error",
        ),
        ("share snapshot delete nightly", "delete", "error_deleting"),
        (
            "share snapshot abandon nightly",
            "unmanage",
            "unmanage_error",
        ),
    ] {
        let world = with_snapshot();
        world.manila_effect(Kind::Snapshot, action, through("creating", word));
        world.run(line).exits(1).says(&[word]);
    }
}

#[test]
fn a_revert_ends_with_the_share_and_the_snapshot() {
    let world = with_snapshot();
    let ended = world.run("share revert nightly").exits(0);
    assert_eq!(sent(&ended), [format!("POST /v2/shares/{LAGOON}/action")]);
    // The snapshot may take longer than the share.
    world.manila_effect(
        Kind::Share,
        "revert",
        through("reverting", "available")
            .other(NIGHTLY, secs(0), "status", "restoring")
            .other(NIGHTLY, secs(40), "status", "available"),
    );
    let ended = world.run("share revert nightly").exits(0);
    assert!(ended.elapsed >= secs(40), "{ended}");
}

#[test]
fn a_revert_that_fails_on_either_side_has_failed() {
    let world = with_snapshot();
    world.manila_effect(
        Kind::Share,
        "revert",
        through("reverting", "reverting_error").message(secs(5), "revert: The driver failed."),
    );
    world
        .run("share revert nightly")
        .exits(1)
        .says(&["reverting_error: revert: The driver failed"]);
    let world = with_snapshot();
    world.manila_effect(
        Kind::Share,
        "revert",
        through("reverting", "available")
            .other(NIGHTLY, secs(0), "status", "restoring")
            .other(NIGHTLY, secs(9), "status", "error"),
    );
    world
        .run("share revert nightly")
        .exits(1)
        .says(&[&format!("snapshot nightly ({NIGHTLY}): error")]);
}

#[test]
fn a_backup_ends_with_the_backup_and_the_share() {
    let world = lagoon();
    world.manila_effect(
        Kind::Backup,
        "create",
        through("creating", "available")
            .other(LAGOON, secs(0), "status", "backup_creating")
            .other(LAGOON, secs(30), "status", "available"),
    );
    let ended = world
        .run("share backup create lagoon --name copy -f json")
        .exits(0);
    assert!(ended.elapsed >= secs(30), "{ended}");
    assert_eq!(ended.json()["name"], "copy");
    assert!(ended.requests.iter().all(|seen| {
        !seen.request.path.contains("share-backups")
            || seen.request.header("x-openstack-manila-api-experimental") == Some("True")
    }));
}

#[test]
fn a_backup_that_fails_has_failed_whatever_the_share_says() {
    let world = lagoon();
    world.manila_effect(Kind::Backup, "create", through("creating", "error"));
    let ended = world
        .run("share backup create lagoon --name copy -f json")
        .exits(1);
    assert_eq!(ended.json()["exit"], 1);
    // And the other way round.
    let world = lagoon();
    world.manila_effect(
        Kind::Backup,
        "create",
        through("creating", "available").other(LAGOON, secs(7), "status", "error"),
    );
    // It was available when it was looked at first, and is not in the end.
    world.manila_effect(
        Kind::Backup,
        "create",
        through("creating", "available")
            .other(LAGOON, secs(0), "status", "backup_creating")
            .other(LAGOON, secs(7), "status", "error"),
    );
    let ended = world
        .run("share backup create lagoon --name copy -f json")
        .exits(1);
    assert_eq!(ended.json()["status"], "available");
    assert_eq!(ended.json()["outcome"], "failed");
}

#[test]
fn a_restore_is_waited_for_on_the_share_and_on_the_backup() {
    let world = with_backup();
    world
        .run("share backup restore copy")
        .exits(0)
        .says(&["backup_restoring", "available"]);
    world.manila_effect(
        Kind::Backup,
        "restore",
        through("restoring", "available")
            .other(LAGOON, secs(0), "status", "backup_restoring")
            .other(LAGOON, secs(5), "status", "backup_restoring_error"),
    );
    world
        .run("share backup restore copy")
        .exits(1)
        .says(&["backup_restoring_error"]);
}

#[test]
fn a_restore_with_a_target_is_waited_for_on_the_target() {
    let world = with_backup();
    world.item(share(DELTA, "delta"));
    world.manila_effect(
        Kind::Backup,
        "restore",
        through("restoring", "available")
            .other(DELTA, secs(0), "status", "backup_restoring")
            .other(DELTA, secs(20), "status", "available"),
    );
    let ended = world
        .run("share backup restore copy --target-share delta")
        .exits(0);
    assert!(ended.elapsed >= secs(20), "{ended}");
}

#[test]
fn backups_are_deleted_or_not() {
    with_backup().run("share backup delete copy").exits(0);
    let world = with_backup();
    world.manila_effect(
        Kind::Backup,
        "delete",
        through("deleting", "error_deleting"),
    );
    world
        .run("share backup delete copy")
        .exits(1)
        .says(&["error_deleting"]);
}
