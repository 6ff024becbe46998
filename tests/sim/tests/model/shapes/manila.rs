//! The answers of Manila.

use serde_json::{Value, json};
use sim_cloud::{Item, Kind, Service, secs};

use super::{exactly, same};
use crate::client::Client;

#[test]
fn manila_shows_and_lists_in_the_recorded_shapes() {
    let mut client = Client::new();
    let why = "allocate host: No storage could be allocated for this share request, Capabilities filter didn't succeed.";
    let share = client.cloud.item(Item::new(Kind::Share, "x1"));
    let bad = client.cloud.item(
        Item::new(Kind::Share, "s1-nowhere")
            .status(secs(1), "error")
            .message(secs(1), why),
    );
    client
        .cloud
        .item(Item::new(Kind::Share, "s1-fail-create_share").set("status", "error"));
    let snapshot = client
        .cloud
        .item(Item::new(Kind::Snapshot, "h1snap").set("share_id", bad.clone()));
    let replica = client
        .cloud
        .item(Item::new(Kind::Replica, "").set("share_id", bad.clone()));
    client.cloud.item(
        Item::new(Kind::Replica, "")
            .set("share_id", bad.clone())
            .set("replica_state", "active"),
    );
    let rule = client
        .cloud
        .item(Item::new(Kind::Rule, "").set("share_id", share.clone()));
    let group = client.cloud.item(Item::new(Kind::Group, "g"));
    let group_snapshot = client.cloud.item(Item::new(Kind::GroupSnapshot, "gs"));
    let network = client.cloud.item(Item::new(Kind::Network, "n"));
    let backup = client
        .cloud
        .item(Item::new(Kind::Backup, "b").set("share_id", share.clone()));
    client.clock.advance(secs(5));
    let shares = [
        ("share-list-detail", "shares/detail"),
        ("share-list-id", "shares?id=whatever"),
        ("share-list-unknown-filter", "shares?nosuchfilter=1"),
        ("share-list-status", "shares?status=error"),
        ("share-list-two-names", "shares?name=k1&name=x1"),
        ("share-list-name", "shares?name=x1"),
        ("share-list-name-like", "shares?name~=fail"),
        ("share-list-page1", "shares?limit=1"),
        ("share-list-page2-by-offset", "shares?limit=1&offset=1"),
        ("share-list-with-count", "shares?with_count=True&limit=1"),
        ("microversion-2.99", "shares?limit=1"),
    ];
    for (name, path) in shares {
        same(&format!("manila/{name}.txt"), &client.manila(99, path), &[]);
    }
    exactly(
        "manila/share-list-is-soft-deleted.txt",
        &client.manila(99, "shares?is_soft_deleted=true"),
    );
    exactly(
        "manila/share-list-comma-status.txt",
        &client.manila(99, "shares?status=error,available"),
    );
    same(
        "manila/share-show.txt",
        &client.manila(99, &format!("shares/{share}")),
        &[],
    );
    same(
        "manila/share-show-error.txt",
        &client.manila(99, &format!("shares/{bad}")),
        &[],
    );
    same(
        "manila/export-locations.txt",
        &client.manila(99, &format!("shares/{share}/export_locations")),
        &[],
    );
    same(
        "manila/snapshot-show.txt",
        &client.manila(99, &format!("snapshots/{snapshot}")),
        &[],
    );
    same(
        "manila/snapshots-list.txt",
        &client.manila(99, "snapshots/detail?with_count=True"),
        &[],
    );
    same(
        "manila/snapshot-list-name.txt",
        &client.manila(99, "snapshots?name=h1snap"),
        &[],
    );
    same(
        "manila/replica-show.txt",
        &client.manila(99, &format!("share-replicas/{replica}")),
        &[],
    );
    same(
        "manila/replicas-list.txt",
        &client.manila(99, "share-replicas/detail"),
        &[],
    );
    exactly(
        "manila/replica-show-2.50-experimental.txt",
        &client.manila(50, &format!("share-replicas/{replica}")),
    );
    same(
        "manila/access-rule-show-active.txt",
        &client.manila(99, &format!("share-access-rules/{rule}")),
        &[],
    );
    same(
        "manila/access-rules-list.txt",
        &client.manila(99, &format!("share-access-rules?share_id={share}")),
        &[],
    );
    same(
        "manila/access-rules-empty.txt",
        &client.manila(99, "share-access-rules?share_id=none"),
        &[],
    );
    same(
        "manila/messages-list-filter.txt",
        &client.manila(99, &format!("messages?resource_id={bad}")),
        &[],
    );
    same(
        "manila/group-show.txt",
        &client.manila(99, &format!("share-groups/{group}")),
        &[],
    );
    same(
        "manila/group-list-detail.txt",
        &client.manila(99, "share-groups/detail"),
        &[],
    );
    same(
        "manila/group-snapshot-show.txt",
        &client.manila(99, &format!("share-group-snapshots/{group_snapshot}")),
        &[],
    );
    same(
        "manila/group-snapshot-list.txt",
        &client.manila(99, "share-group-snapshots/detail"),
        &[],
    );
    same(
        "manila/network-show.txt",
        &client.manila(99, &format!("share-networks/{network}")),
        &[],
    );
    same(
        "manila/networks-list.txt",
        &client.manila(99, "share-networks?limit=1"),
        &[],
    );
    client.token.clone_from(&client.cloud.token(secs(60)));
    let (root, versionless) = (
        client.cloud.url(Service::Manila),
        client.cloud.url(Service::Manila) + "/v2/shares",
    );
    same(
        "manila/microversion-none.txt",
        &client.ask("GET", &format!("{versionless}?limit=1"), None),
        &[],
    );
    // The real one had three export locations in a backend of its own.
    same(
        "manila/share-show-2.0.txt",
        &client.ask("GET", &format!("{versionless}/{share}"), None),
        &[],
    );
    same(
        "manila/version-root.txt",
        &client.ask("GET", &format!("{root}/"), None),
        &[],
    );
    same(
        "manila/version-v2.txt",
        &client.ask("GET", &format!("{root}/v2/"), None),
        &[],
    );
    exactly(
        "manila/backups-list-admin.txt",
        &client.manila(99, "share-backups/detail"),
    );
    client.headers.push((
        "X-OpenStack-Manila-API-Experimental".to_owned(),
        "True".to_owned(),
    ));
    same(
        "manila/backup-show.txt",
        &client.manila(99, &format!("share-backups/{backup}")),
        &[],
    );
    same(
        "manila/backup-list.txt",
        &client.manila(99, "share-backups"),
        &[],
    );
}

#[test]
fn manila_shows_administrators_more() {
    let client = Client::with(|config| config.admin = true);
    let share = client.cloud.item(Item::new(Kind::Share, "x1"));
    let replica = client
        .cloud
        .item(Item::new(Kind::Replica, "").set("share_id", share.clone()));
    let instance = client
        .cloud
        .item(Item::new(Kind::Instance, "").set("share_id", share.clone()));
    client.cloud.item(Item::new(Kind::Server, ""));
    same(
        "manila/share-show-admin.txt",
        &client.manila(99, &format!("shares/{share}")),
        &[],
    );
    same(
        "manila/replica-show-admin.txt",
        &client.manila(99, &format!("share-replicas/{replica}")),
        &[],
    );
    same(
        "manila/instance-show.txt",
        &client.manila(99, &format!("share_instances/{instance}")),
        &[],
    );
    same(
        "manila/instance-list.txt",
        &client.manila(99, "share_instances"),
        &[],
    );
    same(
        "manila/servers-admin.txt",
        &client.manila(99, "share-servers"),
        &[],
    );
    same(
        "manila/services-admin.txt",
        &client.manila(99, "services"),
        &[],
    );
}

#[test]
fn manila_changes_and_refuses_in_the_recorded_words() {
    let mut client = Client::new();
    let create = |body: Value| client.manila_change("POST", "shares", &json!({"share": body}));
    let created = create(json!({"name": "f1", "share_proto": "NFS", "size": 1}));
    same("manila/share-create.txt", &created, &[]);
    let id = created
        .json()
        .pointer("/share/id")
        .and_then(Value::as_str)
        .unwrap()
        .to_owned();
    let share = format!("shares/{id}");
    let act = |action: Value| client.manila_change("POST", &format!("{share}/action"), &action);
    same(
        "manila/share-extend-while-creating.txt",
        &act(json!({"extend": {"new_size": 2}})),
        &[],
    );
    exactly(
        "manila/share-delete-while-creating-403.txt",
        &client.manila_change("DELETE", &share, &Value::Null),
    );
    exactly(
        "manila/share-snapshot-while-creating.txt",
        &client.manila_change(
            "POST",
            "snapshots",
            &json!({"snapshot": {"share_id": id, "name": "s"}}),
        ),
    );
    client.clock.advance(secs(5));
    same(
        "manila/access-allow.txt",
        &act(
            json!({"allow_access": {"access_type": "ip", "access_to": "10.9.9.9", "access_level": "rw"}}),
        ),
        &[],
    );
    exactly("manila/action-unknown-400.txt", &act(json!({"nosuch": {}})));
    exactly(
        "manila/share-extend-400-smaller.txt",
        &act(json!({"extend": {"new_size": 1}})),
    );
    exactly(
        "manila/share-force-delete-403.txt",
        &act(json!({"force_delete": null})),
    );
    same(
        "manila/access-list-action-2.44.txt",
        &client.manila_with(
            44,
            "POST",
            &format!("{share}/action"),
            Some(json!({"access_list": null}).to_string()),
        ),
        &[],
    );
    exactly(
        "manila/access-list-action-2.45-400.txt",
        &client.manila_with(
            45,
            "POST",
            &format!("{share}/action"),
            Some(json!({"access_list": null}).to_string()),
        ),
    );
    exactly(
        "manila/access-rules-2.44-404.txt",
        &client.manila(44, &format!("share-access-rules?share_id={id}")),
    );
    same(
        "manila/share-extend-202.txt",
        &act(json!({"extend": {"new_size": 2}})),
        &[],
    );
    same(
        "manila/share-show-extending.txt",
        &client.manila(99, &share),
        &[],
    );
    client.clock.advance(secs(5));
    let snapshot = client
        .cloud
        .item(Item::new(Kind::Snapshot, "s").set("share_id", id.clone()));
    exactly(
        "manila/share-delete-403-snapshots.txt",
        &client.manila_change("DELETE", &share, &Value::Null),
    );
    client
        .cloud
        .manila_act(&snapshot, &sim_cloud::Effect::new().gone(secs(0)));
    same(
        "manila/share-delete-202.txt",
        &client.manila_change("DELETE", &share, &Value::Null),
        &[],
    );
    same(
        "manila/share-show-deleting.txt",
        &client.manila(99, &share),
        &[],
    );
    exactly(
        "manila/share-delete-again.txt",
        &client.manila_change("DELETE", &share, &Value::Null),
    );
    client.clock.advance(secs(5));
    exactly("manila/share-show-404.txt", &client.manila(99, &share));

    exactly(
        "manila/share-create-400-empty.txt",
        &client.manila_change("POST", "shares", &json!({})),
    );
    exactly(
        "manila/share-create-400-notjson.txt",
        &client.manila_with(99, "POST", "shares", Some("nope".to_owned())),
    );
    exactly(
        "manila/share-create-400-proto.txt",
        &create(json!({"name": "f1", "share_proto": "XYZ", "size": 1})),
    );
    exactly(
        "manila/share-create-400-size.txt",
        &create(json!({"name": "f1", "share_proto": "NFS", "size": "big"})),
    );
    exactly(
        "manila/share-create-404-type.txt",
        &create(json!({"name": "f1", "share_proto": "NFS", "size": 1, "share_type": "nosuch"})),
    );
    exactly(
        "manila/share-create-413-quota.txt",
        &create(json!({"name": "f1", "share_proto": "NFS", "size": 99999})),
    );
    exactly(
        "manila/replica-404.txt",
        &client.manila(99, "share-replicas/00000000-0000-4000-8000-000000000000"),
    );
    exactly(
        "manila/snapshot-404.txt",
        &client.manila(99, "snapshots/00000000-0000-4000-8000-000000000000"),
    );
    exactly(
        "manila/access-rule-404.txt",
        &client.manila(
            99,
            "share-access-rules/2f7f9013-4141-45d3-9fb3-4c9656f53a7a",
        ),
    );
    exactly(
        "manila/access-rules-list-noshare.txt",
        &client.manila(99, "share-access-rules"),
    );
    exactly(
        "manila/bad-query-limit-400.txt",
        &client.manila(99, "shares?limit=x"),
    );
    exactly(
        "manila/bad-query-offset-400.txt",
        &client.manila(99, "shares?offset=-1"),
    );
    exactly(
        "manila/group-list.txt",
        &client.manila(99, "share-groups?limit=1&with_count=True"),
    );
    exactly(
        "manila/share-instances-403.txt",
        &client.manila(99, "share_instances"),
    );
    exactly(
        "manila/services-403-demo.txt",
        &client.manila(99, "services"),
    );
    same(
        "manila/unknown-path-404.txt",
        &client.manila(99, "nosuchpath"),
        &[],
    );
    same(
        "manila/share-show-emptyid.txt",
        &client.manila(99, "shares/"),
        &[],
    );
    same(
        "manila/bad-method-405.txt",
        &client.manila_change("PATCH", "shares", &Value::Null),
        &[],
    );
    exactly(
        "manila/microversion-too-high.txt",
        &client.manila(200, "shares?limit=1"),
    );
    let version = |text: &str| {
        let header = ("X-OpenStack-Manila-API-Version".to_owned(), text.to_owned());
        client
            .send(
                "GET",
                &format!("{}/v2/shares?limit=1", client.cloud.url(Service::Manila)),
                None,
                &[header],
            )
            .unwrap()
    };
    exactly("manila/microversion-too-low.txt", &version("1.0"));
    exactly("manila/microversion-latest.txt", &version("latest"));
    exactly("manila/microversion-bad.txt", &version("abc"));
    client.cloud.expire_tokens();
    exactly("manila/bad-token.txt", &client.manila(99, "shares"));
    client.token.clear();
    exactly("manila/no-token.txt", &client.manila(99, "shares"));
}
