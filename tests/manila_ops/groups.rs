//! Groups, their snapshots, instances, networks and servers.

use sim_cloud::{Effect, Item, Kind, secs};

use crate::*;

fn world_of(kind: Kind, name: &str, id: &str) -> World {
    let world = world();
    world.item(Item::new(kind, name).id(id));
    world
}

fn badly(word: &str) -> Effect {
    Effect::new()
        .at(secs(0), "status", "deleting")
        .at(secs(5), "status", word)
}

#[test]
fn a_group_and_its_snapshot() {
    let world = world();
    let made = world
        .run("share group create --name reef -f json")
        .exits(0)
        .json();
    assert_eq!(made["status"], "available");
    let made = world
        .run("share group snapshot create reef --name low-tide -f json")
        .exits(0)
        .json();
    assert_eq!(made["status"], "available");
    assert!(made.get("members").is_none(), "{made}");
    world.run("share group snapshot delete low-tide").exits(0);
    world.run("share group delete reef").exits(0);
}

#[test]
fn what_cannot_be_created_has_failed() {
    let world = world_of(Kind::Group, "reef", REEF);
    world.manila_effect(Kind::Group, "create", badly("error"));
    world.run("share group create --name x").exits(1);
    world.manila_effect(Kind::GroupSnapshot, "create", badly("error"));
    world.run("share group snapshot create reef").exits(1);
    let world = world_of(Kind::Network, "net", NET);
    world.manila_effect(Kind::Server, "manage", badly("manage_error"));
    world
        .run("share server adopt host@backend net ident")
        .exits(1)
        .says(&["manage_error"]);
}

#[test]
fn each_kind_is_deleted_and_each_that_cannot_be_has_failed() {
    for (kind, name, id, line, action, word) in [
        (
            Kind::Group,
            "reef",
            REEF,
            "share group delete reef",
            "delete",
            "error_deleting",
        ),
        (
            Kind::GroupSnapshot,
            "low-tide",
            LOW_TIDE,
            "share group snapshot delete low-tide",
            "delete",
            "error_deleting",
        ),
        (
            Kind::Instance,
            "",
            INSTANCE,
            &*format!("share instance delete {INSTANCE}"),
            "force_delete",
            "error_deleting",
        ),
        (
            Kind::Network,
            "net",
            NET,
            "share network delete net",
            "delete",
            "error",
        ),
        (
            Kind::Server,
            "",
            SERVER,
            &*format!("share server delete {SERVER}"),
            "delete",
            "error",
        ),
        (
            Kind::Server,
            "",
            SERVER,
            &*format!("share server abandon {SERVER}"),
            "unmanage",
            "unmanage_error",
        ),
    ] {
        world_of(kind, name, id).run(line).exits(0);
        let world = world_of(kind, name, id);
        world.manila_effect(kind, action, badly(word));
        world.run(line).exits(1).says(&[word]);
    }
}

#[test]
fn a_share_server_is_adopted_when_it_is_active() {
    let world = world_of(Kind::Network, "net", NET);
    let made = world
        .run("share server adopt host@backend net ident -f json")
        .exits(0)
        .json();
    assert_eq!(made["status"], "active");
    assert!(made.get("backend_details").is_none(), "{made}");
    world
        .run("share server adopt host@backend nosuch ident")
        .exits(4);
}

#[test]
fn a_group_from_a_snapshot_has_its_types() {
    let world = world_of(Kind::GroupSnapshot, "low-tide", LOW_TIDE);
    let line = "share group create --source-share-group-snapshot low-tide --share-types default";
    let ended = world.run(line).exits(2);
    assert!(sent(&ended).is_empty(), "{ended}");
}
