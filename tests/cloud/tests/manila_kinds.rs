//! The wait of every kind of resource, with the end that was wanted and with one that was not. Shares are in `manila.rs`.

use cloud_tests::{Ended, Place, Program, Share, Thing, User, until};
use serde_json::{Value, json};

#[test]
fn snapshots() {
    let user = User::demo();
    let share = Share::created(&user, "");
    let snapshot = |what: &str| {
        let name = Place::unique(what);
        let body = json!({"share_id": share.id, "name": name});
        (
            Thing::create(&user, "/snapshots", "snapshot", body),
            name.clone(),
        )
    };
    let (good, name) = snapshot("snapshot");
    let ended = wait("demo", "snapshot", &name).exits(0);
    shows(&ended, &good.id, "status", "available");
    good.delete();
    let _ = wait_for("demo", "snapshot", &good.id, "deleted").exits(0);
    let (bad, _) = snapshot("fail-create_snapshot");
    let ended = wait("demo", "snapshot", &bad.id).exits(1);
    shows(&ended, &bad.id, "status", "error");
}

#[test]
fn replicas() {
    let user = User::demo();
    let replica = |share: &Share<'_>| {
        share.reaches("available");
        Thing::create(
            &user,
            "/share-replicas",
            "share_replica",
            json!({"share_id": share.id}),
        )
    };
    let share = Share::create(&user, "replicated", "");
    let other = Share::create(&user, "replicated", "fail-create_replica");
    let (good, bad) = (replica(&share), replica(&other));
    let ended = wait("demo", "replica", &good.id).exits(0);
    shows(&ended, &good.id, "status", "available");
    let ended = wait("demo", "replica", &bad.id).exits(1);
    shows(&ended, &bad.id, "status", "error");
}

#[test]
fn access_rules() {
    let user = User::demo();
    let allow = |share: &Share<'_>| {
        share.reaches("available");
        let rule = json!({"access_type": "ip", "access_to": "10.0.0.1", "access_level": "rw"});
        let url = format!("{}/shares/{}/action", user.manila, share.id);
        let answer = user.accepted("POST", &url, Some(&json!({"allow_access": rule})));
        answer["access"]["id"].as_str().expect("an ID").to_owned()
    };
    let share = Share::create(&user, "default", "");
    let other = Share::create(&user, "default", "fail-update_access");
    let (good, bad) = (allow(&share), allow(&other));
    let ended = wait("demo", "access", &good).exits(0);
    shows(&ended, &good, "state", "active");
    let ended = wait("demo", "access", &bad).exits(1);
    shows(&ended, &bad, "state", "error");
}

#[test]
fn groups_and_their_snapshots() {
    let user = User::demo();
    let group = |what: &str| {
        let body = json!({"name": Place::unique(what), "share_types": [default_type(&user)]});
        Thing::create(&user, "/share-groups", "share_group", body)
    };
    let snapshot = |of: &Thing<'_>, what: &str| {
        let body = json!({"share_group_id": of.id, "name": Place::unique(what)});
        Thing::create(
            &user,
            "/share-group-snapshots",
            "share_group_snapshot",
            body,
        )
    };
    let (good, bad) = (group("group"), group("fail-create_share_group"));
    let ended = wait("demo", "group", &good.id).exits(0);
    shows(&ended, &good.id, "status", "available");
    let ended = wait("demo", "group", &bad.id).exits(1);
    shows(&ended, &bad.id, "status", "error");

    let (whole, broken) = (
        snapshot(&good, "group-snapshot"),
        snapshot(&good, "fail-create_share_group_snapshot"),
    );
    let ended = wait("demo", "group snapshot", &whole.id).exits(0);
    shows(&ended, &whole.id, "status", "available");
    let ended = wait("demo", "group snapshot", &broken.id).exits(1);
    shows(&ended, &broken.id, "status", "error");
}

#[test]
fn instances() {
    let (user, admin) = (User::demo(), User::admin());
    let instance = |share: &Share<'_>| {
        let url = format!("{}/shares/{}/instances", admin.manila, share.id);
        until("an instance", || {
            let answer = admin.accepted("GET", &url, None);
            answer["share_instances"][0]["id"]
                .as_str()
                .map(str::to_owned)
        })
    };
    let share = Share::create(&user, "default", "");
    let other = Share::create(&user, "default", "fail-create_share");
    let (good, bad) = (instance(&share), instance(&other));
    let ended = wait("admin", "instance", &good).exits(0);
    shows(&ended, &good, "status", "available");
    let ended = wait("admin", "instance", &bad).exits(1);
    shows(&ended, &bad, "status", "error");
}

#[test]
fn networks() {
    let (user, admin) = (User::demo(), User::admin());
    let body = json!({"name": Place::unique("network")});
    let network = Thing::create(&user, "/share-networks", "share_network", body);
    let ended = wait("demo", "network", &network.id).exits(0);
    shows(&ended, &network.id, "status", "active");
    let same = Thing::of(
        &admin,
        "/share-networks",
        "share_network",
        network.id.clone(),
    );
    same.act(&json!({"reset_status": {"status": "error"}}));
    let ended = wait("demo", "network", &network.id).exits(1);
    shows(&ended, &network.id, "status", "error");
    network.delete();
    let _ = wait_for("demo", "network", &network.id, "deleted").exits(0);
}

#[test]
fn servers() {
    let admin = User::admin();
    let body = json!({"name": Place::unique("network")});
    let network = Thing::create(&admin, "/share-networks", "share_network", body);
    let body = json!({"share_proto": "NFS", "size": 1, "share_type": "servers",
        "share_network_id": network.id, "name": Place::unique("served")});
    let share = Thing::create(&admin, "/shares", "share", body);
    let url = format!(
        "{}/share-servers?share_network_id={}",
        admin.manila, network.id
    );
    let id = until("a share server", || {
        let answer = admin.accepted("GET", &url, None);
        answer["share_servers"][0]["id"].as_str().map(str::to_owned)
    });
    let ended = wait("admin", "server", &id).exits(0);
    shows(&ended, &id, "status", "active");
    share.reaches("status", "available");
    let server = Thing::of(&admin, "/share-servers", "share_server", id.clone());
    server.act(&json!({"reset_status": {"status": "error"}}));
    let ended = wait("admin", "server", &id).exits(1);
    shows(&ended, &id, "status", "error");
    server.act(&json!({"reset_status": {"status": "active"}}));
    share.delete();
    until("the share is gone", || {
        let look = admin.send(
            "GET",
            &format!("{}/shares/{}", admin.manila, share.id),
            None,
        );
        (look.status == 404).then_some(())
    });
    server.delete();
    let _ = wait_for("admin", "server", &id, "deleted").exits(0);
}

#[test]
fn backups() {
    let user = User::demo();
    let share = Share::created(&user, "");
    let backup = |what: &str| {
        let body = json!({"share_id": share.id, "name": Place::unique(what),
            "backup_options": {"backup_type": "dummy"}});
        Thing::create(&user, "/share-backups", "share_backup", body)
    };
    let good = backup("backup");
    let ended = wait("demo", "backup", &good.id).exits(0);
    shows(&ended, &good.id, "status", "available");
    share.reaches("available");
    let bad = backup("fail-create_backup");
    let ended = wait("demo", "backup", &bad.id).exits(1);
    shows(&ended, &bad.id, "status", "error");
}

#[test]
fn migrations() {
    let (user, admin) = (User::demo(), User::admin());
    let start = |share: &Share<'_>| {
        share.reaches("available");
        let url = format!("{}/shares/{}", admin.manila, share.id);
        let host = admin.accepted("GET", &url, None)["share"]["host"]
            .as_str()
            .expect("a host")
            .to_owned();
        let other = match host.contains("london") {
            true => host.replace("london", "paris").replace("LONDON", "PARIS"),
            false => host.replace("paris", "london").replace("PARIS", "LONDON"),
        };
        let body = json!({"migration_start": {"host": other, "force_host_assisted_migration": false,
            "preserve_metadata": true, "preserve_snapshots": true, "writable": true, "nondisruptive": false}});
        admin.accepted("POST", &format!("{url}/action"), Some(&body));
    };
    let share = Share::create(&user, "default", "");
    let other = Share::create(&user, "default", "fail-migration_start");
    start(&share);
    start(&other);
    let ended = wait("admin", "migration", &share.id).exits(0);
    shows(
        &ended,
        &share.id,
        "task_state",
        "migration_driver_phase1_done",
    );
    let ended = wait("admin", "migration", &other.id).exits(1);
    shows(&ended, &other.id, "task_state", "migration_error");
    let cancel = format!("{}/shares/{}/action", admin.manila, share.id);
    admin.accepted("POST", &cancel, Some(&json!({"migration_cancel": null})));
    share.reaches("available");
}

#[test]
fn a_name_that_two_shares_have_sends_nothing_more_and_exits_2() {
    let user = User::demo();
    let share = Share::create(&user, "default", "");
    let body =
        json!({"share_proto": "NFS", "size": 1, "share_type": "default", "name": share.name});
    let twin = Thing::create(&user, "/shares", "share", body);
    let ended = Program::manila(&["share", "wait", &share.name])
        .run()
        .exits(2);
    ended.tells(&[&share.name, "name one of them by its ID"]);
    share.reaches("available");
    twin.reaches("status", "available");
}

#[test]
fn a_share_of_another_project_does_not_exist() {
    let admin = User::admin();
    let share = Share::created(&admin, "");
    for reference in [&share.id, &share.name] {
        let ended = Program::manila(&["share", "wait", reference])
            .run()
            .exits(4);
        ended.tells(&[reference]);
    }
}

/// `share KIND wait` for what it waits for by default.
fn wait(cloud: &str, kind: &str, named: &str) -> Ended {
    run(cloud, kind, &[named])
}

fn wait_for(cloud: &str, kind: &str, named: &str, goal: &str) -> Ended {
    run(cloud, kind, &[named, "--for", goal])
}

fn run(cloud: &str, kind: &str, rest: &[&str]) -> Ended {
    let mut words = vec!["share"];
    words.extend(kind.split(' '));
    words.push("wait");
    words.extend(rest);
    words.extend(["--deadline", "3m", "-f", "json"]);
    Program::manila(&words).env("OS_CLOUD", cloud).run()
}

/// Fails the test when the result is another resource or another state.
fn shows(ended: &Ended, id: &str, field: &str, word: &str) {
    let result = ended.result();
    assert_eq!(result["id"], id, "{}", ended.shown);
    assert_eq!(result[field], word, "{}", ended.shown);
}

fn default_type(user: &User) -> Value {
    let answer = user.accepted("GET", &format!("{}/types", user.manila), None);
    let types = answer["share_types"].as_array().expect("types").clone();
    let default = types.into_iter().find(|row| row["name"] == "default");
    default.expect("the type default")["id"].clone()
}
