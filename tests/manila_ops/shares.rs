//! Creating, deleting, adopting and abandoning shares.

use serde_json::json;
use sim_cloud::{Effect, Item, Kind, When, secs};

use crate::*;

#[test]
fn a_created_share_is_followed_until_it_is_available_and_printed() {
    let world = world();
    let ended = world
        .run("share create NFS 3 --name lagoon --wait -f json")
        .exits(0);
    let shown = ended.json();
    assert_eq!(shown["status"], "available");
    assert_eq!(shown["size"], 3);
    assert_eq!(shown["name"], "lagoon");
    assert!(
        shown.get("outcome").is_none() && shown.get("links").is_none(),
        "{shown}"
    );
    assert!(
        shown.get("export_locations").is_none(),
        "the client prints none: {shown}"
    );
    ended.says(&["creating", "available"]);
}

#[test]
fn a_long_option_may_be_cut_short_as_long_as_it_is_the_only_one() {
    let world = world();
    let ended = world
        .run("share create NFS 3 --nam lagoon --prop a=b --no-wai -f json")
        .exits(0);
    assert_eq!(ended.json()["name"], "lagoon");
    // --share-group, --share-network, --share-type.
    world.run("share create NFS 3 --share default").exits(2);
}

#[test]
fn a_share_that_ends_in_error_is_a_failure_with_its_cause() {
    let world = world();
    world.manila_effect(
        Kind::Share,
        "create",
        Effect::new()
            .at(secs(0), "status", "creating")
            .at(secs(5), "status", "error")
            .message(secs(5), "allocate host: No storage could be allocated."),
    );
    let ended = world
        .run("share create NFS 3 --name lagoon -f json")
        .exits(1);
    assert_eq!(ended.json()["outcome"], "failed");
    assert_eq!(ended.json()["status"], "error");
    let id = ended.json()["id"].as_str().unwrap().to_owned();
    ended.says(&[&format!(
        "manila-wait: share lagoon ({id}): error: allocate host: No storage could be allocated (req-"
    )]);
}

#[test]
fn the_deadline_says_how_to_go_on() {
    let world = world();
    world.manila_effect(
        Kind::Share,
        "create",
        Effect::new().at(secs(0), "status", "creating"),
    );
    let ended = world
        .run("share create NFS 3 --name lagoon --deadline 20s -f value -c id")
        .exits(124);
    let id = ended.stdout.trim().to_owned();
    ended.says(&[
        "still creating at the deadline; the operation goes on",
        &format!("hint: go on waiting with: manila-wait share wait {id} --for available"),
    ]);
}

#[test]
fn without_a_wait_the_answer_is_printed() {
    let world = world();
    let ended = world
        .run("share create NFS 3 --name lagoon --no-wait -f json")
        .exits(0);
    assert_eq!(ended.json()["status"], "creating");
    assert_eq!(world.count(&When::manila().get().path("/shares/"), None), 0);
}

#[test]
fn a_deleted_share_is_gone_and_nothing_is_printed() {
    let ended = lagoon().run("share delete lagoon").exits(0);
    assert_eq!(ended.stdout, "");
    assert_eq!(sent(&ended), [format!("DELETE /v2/shares/{LAGOON}")]);
    ended.says(&["deleting", &format!("share lagoon ({LAGOON}): deleted")]);
}

#[test]
fn a_share_that_cannot_be_deleted_is_a_failure() {
    let world = lagoon();
    world.manila_effect(
        Kind::Share,
        "delete",
        Effect::new()
            .at(secs(0), "status", "deleting")
            .at(secs(6), "status", "error_deleting")
            .message(secs(6), "delete: The driver failed."),
    );
    let ended = world.run("share delete lagoon").exits(1);
    ended.says(&["error_deleting: delete: The driver failed"]);
}

#[test]
fn a_share_in_error_can_be_deleted_though_its_state_looks_like_a_failure() {
    let world = world();
    world.item(share(LAGOON, "lagoon").status(secs(0), "error"));
    // The service takes its time to say that it deletes.
    world.manila_effect(
        Kind::Share,
        "delete",
        Effect::new()
            .at(secs(4), "status", "deleting")
            .gone(secs(9)),
    );
    world.run("share delete lagoon").exits(0);
}

#[test]
fn messages_of_an_earlier_failure_are_not_the_cause_of_this_one() {
    let world = world();
    world.item(share(LAGOON, "lagoon").message(secs(0), "extend: of last week."));
    world.advance(secs(3600));
    world.manila_effect(
        Kind::Share,
        "delete",
        Effect::new()
            .at(secs(0), "status", "deleting")
            .at(secs(6), "status", "error_deleting"),
    );
    world
        .run("share delete lagoon")
        .exits(1)
        .never_says(&["last week"]);
}

#[test]
fn a_soft_delete_ends_with_the_recycle_bin_and_not_with_a_404() {
    let world = lagoon();
    let ended = world.run("share delete lagoon --soft").exits(0);
    assert_eq!(sent(&ended), [format!("POST /v2/shares/{LAGOON}/action")]);
    assert!(ended.elapsed < secs(11), "{ended}");
    // Once more: it is there already.
    world.manila_effect(
        Kind::Share,
        "soft_delete",
        Effect::refused(403, "Invalid share: it is in the recycle bin."),
    );
    world.run(&format!("share delete {LAGOON} --soft")).exits(0);
}

#[test]
fn a_delete_of_what_is_being_deleted_is_joined() {
    let world = world();
    world.item(
        share(LAGOON, "lagoon")
            .status(secs(0), "deleting")
            .gone(secs(30)),
    );
    world
        .run("share delete lagoon")
        .exits(0)
        .says(&["is deleting already", "deleted"]);
}

#[test]
fn an_adopted_share_and_one_that_cannot_be() {
    let world = world();
    let line = "share adopt host@backend#pool NFS 10.0.0.1:/x --name old -f json";
    assert_eq!(world.run(line).exits(0).json()["status"], "available");
    world.manila_effect(
        Kind::Share,
        "manage",
        Effect::new().at(secs(0), "status", "manage_starting").at(
            secs(3),
            "status",
            "manage_error",
        ),
    );
    let ended = world.run(line).exits(1);
    assert_eq!(ended.json()["status"], "manage_error");
}

#[test]
fn an_abandoned_share_is_not_said_to_be_deleted() {
    let ended = lagoon().run("share abandon lagoon").exits(0);
    ended
        .says(&["not managed any more"])
        .never_says(&["deleted"]);
    let world = lagoon();
    world.manila_effect(
        Kind::Share,
        "unmanage",
        Effect::new().at(secs(0), "status", "unmanage_starting").at(
            secs(3),
            "status",
            "unmanage_error",
        ),
    );
    world
        .run("share abandon lagoon")
        .exits(1)
        .says(&["unmanage_error"]);
    // Out of manage_error the word on the way contains an error, and is none.
    let world = world_of(share(LAGOON, "lagoon").status(secs(0), "manage_error"));
    world.manila_effect(
        Kind::Share,
        "unmanage",
        Effect::new()
            .at(secs(0), "status", "manage_error_unmanage_starting")
            .gone(secs(8)),
    );
    world.run("share abandon lagoon").exits(0);
}

fn world_of(item: Item) -> World {
    let world = world();
    world.item(item);
    world
}

#[test]
fn a_created_share_that_is_deleted_meanwhile_has_failed() {
    let world = world();
    world.manila_effect(
        Kind::Share,
        "create",
        Effect::new()
            .at(secs(0), "status", "creating")
            .gone(secs(4)),
    );
    world
        .run("share create NFS 3 --name lagoon")
        .exits(1)
        .says(&["deleted while available was awaited"]);
}

#[test]
fn properties_and_a_snapshot_make_the_request() {
    let world = lagoon();
    world.item(
        Item::new(Kind::Snapshot, "nightly")
            .id(NIGHTLY)
            .set("share_id", LAGOON)
            .set("size", 10),
    );
    let ended = world
        .run("share create NFS 2 --snapshot-id nightly --property a=b --property a=c")
        .exits(0);
    let body = ended
        .requests
        .iter()
        .find_map(|seen| seen.json()?.get("share").cloned())
        .unwrap();
    assert_eq!(body["size"], 10);
    assert_eq!(body["metadata"], json!({"a": "c"}));
    assert_eq!(body["share_type"], json!(null));
}
