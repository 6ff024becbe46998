//! Resources that follow their scripts, and Manila's quirks.

use serde_json::{Value, json};
use sim_cloud::{Effect, Item, Kind, Service, secs};

use crate::client::Client;

fn field(client: &Client, path: &str, pointer: &str) -> Value {
    client
        .manila(99, path)
        .json()
        .pointer(pointer)
        .cloned()
        .unwrap_or_default()
}

#[test]
fn a_share_follows_its_script_and_is_gone_at_its_end() {
    let client = Client::new();
    let share = Item::new(Kind::Share, "lagoon")
        .id("bbbb02")
        .set("size", 10)
        .status(secs(0), "extending")
        .status(secs(9), "available")
        .at(secs(9), "size", 20)
        .gone(secs(20));
    client.cloud.item(share);
    let look = |name: &str| field(&client, "shares/bbbb02", &format!("/share/{name}"));
    assert_eq!(
        (look("status"), look("size")),
        (json!("extending"), json!(10))
    );
    client.clock.advance(secs(9));
    assert_eq!(
        (look("status"), look("size")),
        (json!("available"), json!(20))
    );
    client.clock.advance(secs(11));
    assert_eq!(client.manila(99, "shares/bbbb02").status, 404);
    assert!(client.manila(99, "shares").all("id").is_empty());
}

#[test]
fn the_next_link_leads_in_a_circle_and_offsets_do_not() {
    let client = Client::new();
    for name in ["a", "b", "c"] {
        client.cloud.item(Item::new(Kind::Share, name));
    }
    let first = client.manila(99, "shares?limit=2");
    let next = first
        .json()
        .pointer("/shares_links/0/href")
        .unwrap()
        .as_str()
        .unwrap()
        .to_owned();
    let next = next.split_once("/v2/").unwrap().1.to_owned();
    assert_eq!(client.manila(99, &next).all("name"), first.all("name"));
    assert_eq!(
        client.manila(99, "shares?limit=2&offset=2").all("name"),
        ["a"]
    );
    assert!(
        client
            .manila(99, "shares?limit=2&offset=2")
            .json()
            .get("shares_links")
            .is_none()
    );
    assert_eq!(
        client.manila(99, "shares?limit=1&with_count=True").json()["count"],
        3
    );
    assert!(
        client
            .manila(41, "shares?limit=1&with_count=True")
            .json()
            .get("count")
            .is_none()
    );
    assert_eq!(client.manila(35, "shares?name~=a").all("name").len(), 3);
    assert_eq!(client.manila(36, "shares?name~=a").all("name"), ["a"]);
}

#[test]
fn others_shares_are_seen_by_administrators_only() {
    for admin in [false, true] {
        let client = Client::with(|config| config.admin = admin);
        client.cloud.item(
            Item::new(Kind::Share, "theirs")
                .id("cccc03")
                .project("other"),
        );
        assert_eq!(
            client.manila(99, "shares/cccc03").status,
            if admin { 200 } else { 404 }
        );
        assert_eq!(
            client.manila(99, "shares?all_tenants=1").all("id").len(),
            usize::from(admin)
        );
        assert!(client.manila(99, "shares").all("id").is_empty());
    }
}

#[test]
fn soft_deleted_shares_are_shown_but_listed_apart() {
    let client = Client::new();
    let id = client.cloud.item(Item::new(Kind::Share, "lagoon"));
    assert_eq!(
        client
            .manila_change(
                "POST",
                &format!("shares/{id}/action"),
                &json!({"soft_delete": null})
            )
            .status,
        202
    );
    assert_eq!(
        field(&client, &format!("shares/{id}"), "/share/is_soft_deleted"),
        true
    );
    assert!(client.manila(99, "shares").all("id").is_empty());
    assert_eq!(
        client.manila(99, "shares?is_soft_deleted=True").all("id"),
        [id]
    );
}

#[test]
fn actions_go_through_the_usual_states() {
    let mut client = Client::with(|config| config.admin = true);
    client.headers.push((
        "X-OpenStack-Manila-API-Experimental".to_owned(),
        "True".to_owned(),
    ));
    let share = client.cloud.item(Item::new(Kind::Share, "lagoon"));
    let snapshot = client
        .cloud
        .item(Item::new(Kind::Snapshot, "s").set("share_id", share.clone()));
    let replica = client
        .cloud
        .item(Item::new(Kind::Replica, "").set("share_id", share.clone()));
    let backup = client
        .cloud
        .item(Item::new(Kind::Backup, "b").set("share_id", share.clone()));
    let table = [
        (
            format!("shares/{share}"),
            json!({"extend": {"new_size": 2}}),
            "/share/status",
            "extending",
            "available",
        ),
        (
            format!("shares/{share}"),
            json!({"shrink": {"new_size": 1}}),
            "/share/status",
            "shrinking",
            "available",
        ),
        (
            format!("shares/{share}"),
            json!({"revert": {"snapshot_id": snapshot}}),
            "/share/status",
            "reverting",
            "available",
        ),
        (
            format!("shares/{share}"),
            json!({"migration_start": {}}),
            "/share/task_state",
            "migration_starting",
            "migration_driver_phase1_done",
        ),
        (
            format!("shares/{share}"),
            json!({"migration_complete": null}),
            "/share/task_state",
            "migration_completing",
            "migration_success",
        ),
        (
            format!("share-replicas/{replica}"),
            json!({"promote": null}),
            "/share_replica/status",
            "replication_change",
            "available",
        ),
        (
            format!("share-backups/{backup}"),
            json!({"restore": null}),
            "/share_backup/status",
            "restoring",
            "available",
        ),
        (
            format!("shares/{share}"),
            json!({"reset_status": {"status": "error"}}),
            "/share/status",
            "error",
            "error",
        ),
    ];
    for (path, action, pointer, busy, end) in table {
        assert_eq!(
            client
                .manila_change("POST", &format!("{path}/action"), &action)
                .status,
            202,
            "{action}"
        );
        assert_eq!(field(&client, &path, pointer), busy, "{action}");
        client.clock.advance(secs(5));
        assert_eq!(field(&client, &path, pointer), end, "{action}");
    }
    assert_eq!(
        field(
            &client,
            &format!("share-replicas/{replica}"),
            "/share_replica/replica_state"
        ),
        "active"
    );
    assert_eq!(
        client
            .manila_change("DELETE", &format!("share-replicas/{replica}"), &Value::Null)
            .status,
        202
    );
    client.clock.advance(secs(5));
    assert_eq!(
        client
            .manila(99, &format!("share-replicas/{replica}"))
            .status,
        404
    );
}

#[test]
fn a_restored_snapshot_and_the_share_of_a_backup_go_along() {
    let client = Client::new();
    let share = client.cloud.item(Item::new(Kind::Share, "lagoon"));
    let snapshot = client
        .cloud
        .item(Item::new(Kind::Snapshot, "s").set("share_id", share.clone()));
    client.manila_change(
        "POST",
        &format!("shares/{share}/action"),
        &json!({"revert": {"snapshot_id": snapshot}}),
    );
    assert_eq!(
        field(
            &client,
            &format!("snapshots/{snapshot}"),
            "/snapshot/status"
        ),
        "restoring"
    );
    client.clock.advance(secs(5));
    assert_eq!(
        field(
            &client,
            &format!("snapshots/{snapshot}"),
            "/snapshot/status"
        ),
        "available"
    );
}

#[test]
fn planned_effects_come_before_the_usual_ones() {
    let client = Client::new();
    client.cloud.manila_effect(
        Kind::Share,
        "create",
        Effect::new()
            .at(secs(0), "status", "creating")
            .at(secs(2), "status", "error")
            .message(secs(2), "no room"),
    );
    client.cloud.manila_effect(
        Kind::Share,
        "shrink",
        Effect::new()
            .at(secs(0), "status", "shrinking")
            .at(secs(3), "status", "available"),
    );
    client.cloud.manila_effect(
        Kind::Share,
        "delete",
        Effect::refused(
            403,
            "Invalid share: Share status must be one of ('available', 'error', 'inactive').",
        ),
    );
    let created = client
        .manila_change(
            "POST",
            "shares",
            &json!({"share": {"name": "lagoon", "size": 5, "share_proto": "NFS"}}),
        )
        .json();
    let id = created
        .pointer("/share/id")
        .unwrap()
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("shares/{id}");
    client.clock.advance(secs(2));
    assert_eq!(field(&client, &path, "/share/status"), "error");
    assert_eq!(
        client
            .manila(99, &format!("messages?resource_id={id}"))
            .all("user_message"),
        ["no room"]
    );
    client.manila_change(
        "POST",
        &format!("{path}/action"),
        &json!({"shrink": {"new_size": 1}}),
    );
    client.clock.advance(secs(3));
    assert_eq!(
        (
            field(&client, &path, "/share/status"),
            field(&client, &path, "/share/size")
        ),
        (json!("available"), json!(5))
    );
    assert_eq!(
        client.manila_change("DELETE", &path, &Value::Null).status,
        403
    );
    assert!(
        client
            .cloud
            .manila_act(&id, &Effect::new().at(secs(0), "status", "ensuring"))
    );
    assert_eq!(field(&client, &path, "/share/status"), "ensuring");
}

#[test]
fn rules_are_new_to_old_clients_and_queued_to_newer_ones() {
    let client = Client::new();
    let share = client.cloud.item(Item::new(Kind::Share, "lagoon"));
    let allow = json!({"allow_access": {"access_type": "ip", "access_to": "10.0.0.1", "access_level": "ro"}});
    let rule = client
        .manila_change("POST", &format!("shares/{share}/action"), &allow)
        .json();
    let rule = rule
        .pointer("/access/id")
        .unwrap()
        .as_str()
        .unwrap()
        .to_owned();
    let list = |minor: u32| {
        client
            .manila_with(
                minor,
                "POST",
                &format!("shares/{share}/action"),
                Some("{\"access_list\": null}".to_owned()),
            )
            .all("state")
    };
    assert_eq!(
        (list(27), list(28)),
        (vec!["new".to_owned()], vec!["queued_to_apply".to_owned()])
    );
    client.clock.advance(secs(4));
    assert_eq!(
        field(
            &client,
            &format!("share-access-rules/{rule}"),
            "/access/state"
        ),
        "active"
    );
    client.manila_change(
        "POST",
        &format!("shares/{share}/action"),
        &json!({"deny_access": {"access_id": rule}}),
    );
    client.clock.advance(secs(4));
    assert_eq!(
        client
            .manila(99, &format!("share-access-rules/{rule}"))
            .status,
        404
    );
}

#[test]
fn a_created_share_has_a_zone_at_its_end_and_is_found_by_name_with_public_ones() {
    let client = Client::new();
    let kind = client.manila(99, "types/default").json();
    assert_eq!(kind.pointer("/share_type/name"), Some(&json!("default")));
    assert_eq!(client.manila(99, "types/nosuch").status, 404);
    let body = json!({"share": {"name": "lagoon", "size": 1, "share_proto": "NFS", "share_type": "default"}});
    assert_eq!(
        client
            .manila_change("POST", "shares", &body)
            .json()
            .pointer("/share/availability_zone"),
        Some(&Value::Null)
    );
    client.clock.advance(secs(4));
    let found = client.manila(99, "shares/detail?name=lagoon&is_public=True");
    assert_eq!(
        (found.all("status"), found.all("availability_zone")),
        (vec!["available".to_owned()], vec!["nova".to_owned()])
    );
}

#[test]
fn the_range_of_microversions_is_configurable() {
    let client = Client::with(|config| config.microversions = (0, 44));
    let root = client
        .ask("GET", &client.cloud.url(Service::Manila), None)
        .json();
    assert_eq!(root.pointer("/versions/0/version"), Some(&json!("2.44")));
    assert_eq!(client.manila(44, "shares").status, 200);
    assert_eq!(client.manila(45, "shares").status, 406);
}
