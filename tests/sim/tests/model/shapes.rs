//! Every answer of the model has the keys, the types, the status and the headers of the recorded one.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use sim_cloud::{Item, Kind, Service, Stack, secs};

use crate::client::{Client, Got};

/// One recorded exchange: the last answer in the file.
struct Recorded {
    status: u16,
    headers: Vec<String>,
    body: String,
}

fn recorded(name: &str) -> Recorded {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures")
        .join(name);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|_| panic!("{}", path.display()))
        .replace("\r\n", "\n");
    let start = text.rfind("\nHTTP/1.1 ").unwrap() + 1;
    let (head, body) = text[start..].split_once("\n\n").unwrap();
    let mut lines = head.lines();
    let status = lines
        .next()
        .unwrap()
        .split(' ')
        .nth(1)
        .unwrap()
        .parse()
        .unwrap();
    let headers = lines.map(|line| line.split(':').next().unwrap().to_ascii_lowercase());
    Recorded {
        status,
        headers: headers.collect(),
        body: body.trim().to_owned(),
    }
}

/// Each path in a value with its type. Where it is null, nothing is known; of lists, all elements together.
fn shape(value: &Value, path: &str, into: &mut BTreeMap<String, &'static str>) {
    let kind = match value {
        Value::Null => "",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(all) => {
            all.iter()
                .for_each(|one| shape(one, &format!("{path}[]"), into));
            "list"
        }
        Value::Object(fields) => {
            fields
                .iter()
                .for_each(|(key, one)| shape(one, &format!("{path}.{key}"), into));
            "object"
        }
    };
    let known = into.entry(path.to_owned()).or_default();
    if known.is_empty() {
        *known = kind;
    }
}

fn same(name: &str, got: &Got, except: &[&str]) {
    let wanted = recorded(name);
    assert_eq!(
        got.status,
        wanted.status,
        "{name}: {}",
        String::from_utf8_lossy(&got.body)
    );
    let mut headers: Vec<&str> = wanted
        .headers
        .iter()
        .map(String::as_str)
        .filter(|header| *header != "connection")
        .collect();
    let mut ours: Vec<&str> = got
        .headers
        .iter()
        .map(|(name, _)| name.as_str())
        .filter(|header| *header != "connection")
        .collect();
    headers.sort_unstable();
    ours.sort_unstable();
    assert_eq!(ours, headers, "{name}");
    if wanted.body.is_empty() || !wanted.body.starts_with(['{', 'n']) {
        assert_eq!(
            String::from_utf8_lossy(&got.body).trim(),
            wanted.body,
            "{name}"
        );
        return;
    }
    let (mut ours, mut theirs) = (BTreeMap::new(), BTreeMap::new());
    shape(&got.json(), "", &mut ours);
    shape(
        &serde_json::from_str(&wanted.body).unwrap(),
        "",
        &mut theirs,
    );
    for shape in [&mut ours, &mut theirs] {
        shape.retain(|path, _| !except.iter().any(|part| path.starts_with(part)));
    }
    assert_eq!(
        ours.keys().collect::<Vec<_>>(),
        theirs.keys().collect::<Vec<_>>(),
        "{name}"
    );
    for (path, kind) in theirs {
        let our = ours.get(&path).copied().unwrap_or_default();
        assert!(
            our == kind || our.is_empty() || kind.is_empty(),
            "{name}: {path} is {our}, not {kind}"
        );
    }
}

/// The same text, too.
fn exactly(name: &str, got: &Got) {
    same(name, got, &[]);
    let wanted: Value = serde_json::from_str(&recorded(name).body).unwrap();
    assert_eq!(got.json(), wanted, "{name}");
}

#[test]
fn keystone_answers_in_the_recorded_shapes() {
    let mut client = Client::new();
    let root = client.cloud.url(Service::Keystone);
    let password = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/keystone/auth-password.json"),
    )
    .unwrap();
    let token = std::mem::take(&mut client.token);
    let sign_in = |body: &str, query: &str| {
        client.ask(
            "POST",
            &format!("{root}/v3/auth/tokens{query}"),
            Some(body.to_owned()),
        )
    };
    same(
        "keystone/auth-password-201.txt",
        &sign_in(&password, ""),
        &[],
    );
    same(
        "keystone/auth-password-nocatalog-201.txt",
        &sign_in(&password, "?nocatalog"),
        &[],
    );
    exactly(
        "keystone/auth-bad-password-401.txt",
        &sign_in(&password.replace("secret", "wrong"), ""),
    );
    exactly(
        "keystone/auth-bad-project-401.txt",
        &sign_in(
            &password.replace(
                "\"project\": {\"name\": \"demo\"",
                "\"project\": {\"name\": \"nosuch\"",
            ),
            "",
        ),
    );
    exactly("keystone/auth-bad-json-400.txt", &sign_in("nonsense", ""));
    let (id, secret) = client.cloud.config().credential.clone();
    let credential = json!({"auth": {"identity": {"methods": ["application_credential"], "application_credential": {"id": id, "secret": secret}}}});
    same(
        "keystone/auth-appcred-201.txt",
        &sign_in(&credential.to_string(), ""),
        &[],
    );
    same(
        "keystone/versions-300.txt",
        &client.ask("GET", &format!("{root}/"), None),
        &[],
    );
    same(
        "keystone/version-v3.txt",
        &client.ask("GET", &format!("{root}/v3"), None),
        &[],
    );
    same(
        "keystone/version-v3-slash.txt",
        &client.ask("GET", &format!("{root}/v3/"), None),
        &[],
    );
    client.token.clone_from(&token);
    client.headers.push(("X-Subject-Token".to_owned(), token));
    same(
        "keystone/token-validate-200.txt",
        &client.ask("GET", &format!("{root}/v3/auth/tokens"), None),
        &[],
    );
    same(
        "keystone/catalog.txt",
        &client.ask("GET", &format!("{root}/v3/auth/catalog"), None),
        &[],
    );
}

/// The stack `nest` of the recordings: a nested stack and a group in it.
fn nest() -> Stack {
    let child = |name: &str, resource: &str| {
        Stack::new(name)
            .own(secs(1), "CREATE_IN_PROGRESS", "Stack CREATE started")
            .built(resource, "OS::Heat::TestResource", secs(2), secs(3))
            .own(
                secs(4),
                "CREATE_COMPLETE",
                "Stack CREATE completed successfully",
            )
    };
    Stack::create("nest", secs(6))
        .nested("group", child("nest-group-6fqs6hherfmp", "0"))
        .nested("child", child("nest-child-ff6hrchcqz5h", "inner"))
}

#[test]
fn heat_shows_stacks_events_and_resources_in_the_recorded_shapes() {
    let client = Client::new();
    let id = client.cloud.stack(nest());
    client.clock.advance(secs(10));
    let stack = format!("stacks/nest/{id}");
    let free = [".stack.parameters.fail", ".stack.parameters.wait"];
    same(
        "heat/stack-get-by-name-302.txt",
        &client.heat("stacks/nest"),
        &[],
    );
    same(
        "heat/stack-get-by-id-302.txt",
        &client.heat(&format!("stacks/{id}")),
        &[],
    );
    same("heat/stack-get.txt", &client.heat(&stack), &free);
    same(
        "heat/stack-get-no-outputs.txt",
        &client.heat(&format!("{stack}?resolve_outputs=False")),
        &free,
    );
    for (name, query) in [
        ("", ""),
        ("-limit-asc", "?limit=2&sort_dir=asc"),
        ("-limit-desc", "?limit=2&sort_dir=desc"),
        ("-filter", "?resource_status=COMPLETE"),
        ("-nested-depth", "?nested_depth=2"),
        ("-nested-depth-limit", "?nested_depth=2&limit=2"),
    ] {
        let name = if name.is_empty() { "-all" } else { name };
        same(
            &format!("heat/stack-events{name}.txt"),
            &client.heat(&format!("{stack}/events{query}")),
            &[],
        );
    }
    same(
        "heat/stack-events-by-name-302.txt",
        &client.heat("stacks/nest/events?limit=2&sort_dir=desc"),
        &[],
    );
    same(
        "heat/stack-resources.txt",
        &client.heat(&format!("{stack}/resources")),
        &[],
    );
    same(
        "heat/stack-resources-nested.txt",
        &client.heat(&format!("{stack}/resources?nested_depth=2")),
        &[],
    );
    same(
        "heat/stack-resource.txt",
        &client.heat(&format!("{stack}/resources/child")),
        &[],
    );
    same("heat/stack-list.txt", &client.heat("stacks"), &[]);
    same(
        "heat/stack-list-show-nested.txt",
        &client.heat("stacks?show_nested=True"),
        &[],
    );
    same(
        "heat/stack-list-default-limit1.txt",
        &client.heat("stacks?limit=1"),
        &[],
    );
    same(
        "heat/stack-list-with-count.txt",
        &client.heat("stacks?with_count=True"),
        &[],
    );
    exactly(
        "heat/stack-list-unknown-id.txt",
        &client.heat("stacks?id=00000000-0000-0000-0000-000000000000"),
    );
}

#[test]
fn heat_changes_in_the_recorded_shapes() {
    let client = Client::new();
    let template = json!({"heat_template_version": "2018-08-31", "resources": {"a": {"type": "OS::Heat::TestResource"}}});
    let created = client.heat_change("POST", "stacks", &json!({"stack_name": "raw2", "timeout_mins": 5, "template": template, "parameters": {"v": "1"}}));
    same("heat/create-201.txt", &created, &[]);
    let id = created
        .json()
        .pointer("/stack/id")
        .and_then(Value::as_str)
        .unwrap()
        .to_owned();
    let stack = format!("stacks/raw2/{id}");
    client.clock.advance(secs(6));
    for action in ["suspend", "check", "resume"] {
        same(
            &format!("heat/action-{action}.txt"),
            &client.heat_change("POST", &format!("{stack}/actions"), &json!({action: null})),
            &[],
        );
        client.clock.advance(secs(6));
    }
    same(
        "heat/update-put-202.txt",
        &client.heat_change("PUT", &stack, &json!({"template": template})),
        &[],
    );
    same(
        "heat/update-patch-202.txt",
        &client.heat_change("PATCH", &stack, &json!({"parameters": {}})),
        &[],
    );
    same(
        "heat/cancel-update-action.txt",
        &client.heat_change(
            "POST",
            &format!("{stack}/actions"),
            &json!({"cancel_update": null}),
        ),
        &[],
    );
    same(
        "heat/stack-get-rollback-in-progress.txt",
        &client.heat(&stack),
        &[],
    );
    same(
        "heat/delete-by-name-302.txt",
        &client.heat_change("DELETE", "stacks/raw2", &Value::Null),
        &[],
    );
    same(
        "heat/delete-204.txt",
        &client.heat_change("DELETE", &stack, &Value::Null),
        &[],
    );
    same("heat/delete-get-in-progress.txt", &client.heat(&stack), &[]);
    client.clock.advance(secs(20));
    same("heat/delete-then-get.txt", &client.heat(&stack), &[]);
    same(
        "heat/delete-then-get-by-id.txt",
        &client.heat(&format!("stacks/{id}")),
        &[],
    );
    exactly(
        "heat/delete-then-get-by-name.txt",
        &client.heat("stacks/raw2"),
    );
    same(
        "heat/delete-then-events.txt",
        &client.heat(&format!("{stack}/events?limit=1")),
        &[],
    );
    exactly(
        "heat/delete-then-events-by-name.txt",
        &client.heat("stacks/raw2/events?limit=1"),
    );
    exactly(
        "heat/delete-then-resources.txt",
        &client.heat(&format!("{stack}/resources")),
    );
    exactly(
        "heat/delete-then-list-by-id.txt",
        &client.heat(&format!("stacks?id={id}")),
    );
    same(
        "heat/delete-then-list-by-id-show-deleted.txt",
        &client.heat(&format!("stacks?id={id}&show_deleted=True")),
        &[],
    );
    exactly(
        "heat/delete-again-404.txt",
        &client.heat_change("DELETE", &stack, &Value::Null),
    );
    same(
        "heat/delete-again-by-id-302.txt",
        &client.heat_change("DELETE", &format!("stacks/{id}"), &Value::Null),
        &[],
    );
    same(
        "heat/create-same-name-after-delete.txt",
        &client.heat_change(
            "POST",
            "stacks",
            &json!({"stack_name": "raw2", "template": template}),
        ),
        &[],
    );
}

#[test]
fn heat_refuses_in_the_recorded_words() {
    let mut client = Client::new();
    let id = client.cloud.stack(nest());
    let other = client.cloud.stack(
        Stack::standing("ok")
            .own(secs(0), "SUSPEND_IN_PROGRESS", "Stack SUSPEND started")
            .own(
                secs(1),
                "SUSPEND_COMPLETE",
                "Stack SUSPEND completed successfully",
            ),
    );
    client.clock.advance(secs(10));
    let template = json!({"heat_template_version": "2018-08-31"});
    let create = |body: Value| client.heat_change("POST", "stacks", &body);
    exactly(
        "heat/400-bad-name.txt",
        &create(json!({"stack_name": "1 bad", "template": template})),
    );
    exactly(
        "heat/400-no-template.txt",
        &create(json!({"stack_name": "x1"})),
    );
    exactly(
        "heat/400-bad-timeout.txt",
        &create(json!({"stack_name": "x1", "timeout_mins": "x", "template": template})),
    );
    exactly(
        "heat/409-name-exists.txt",
        &create(json!({"stack_name": "nest", "template": template})),
    );
    exactly(
        "heat/400-update-when-suspended.txt",
        &client.heat_change(
            "PUT",
            &format!("stacks/ok/{other}"),
            &json!({"template": template}),
        ),
    );
    exactly(
        "heat/400-unknown-action.txt",
        &client.heat_change(
            "POST",
            &format!("stacks/ok/{other}/actions"),
            &json!({"frobnicate": null}),
        ),
    );
    same(
        "heat/400-cancel-when-idle.txt",
        &client.heat_change(
            "POST",
            &format!("stacks/ok/{other}/actions"),
            &json!({"cancel_update": null}),
        ),
        &[],
    );
    exactly("heat/404-stack.txt", &client.heat("stacks/nosuch"));
    exactly("heat/404-events.txt", &client.heat("stacks/nosuch/events"));
    exactly(
        "heat/404-stack-id.txt",
        &client.heat("stacks/00000000-0000-0000-0000-000000000000"),
    );
    exactly(
        "heat/404-stack-wrong-pair.txt",
        &client.heat("stacks/nest/00000000-0000-0000-0000-000000000000"),
    );
    exactly(
        "heat/404-name-mismatch.txt",
        &client.heat(&format!("stacks/wrongname/{id}")),
    );
    exactly(
        "heat/404-resource.txt",
        &client.heat(&format!("stacks/nest/{id}/resources/nosuch")),
    );
    exactly(
        "heat/404-event-one.txt",
        &client.heat(&format!(
            "stacks/nest/{id}/resources/child/events/00000000-0000-0000-0000-000000000000"
        )),
    );
    exactly("heat/404-path.txt", &client.heat("nosuch"));
    exactly(
        "heat/stack-list-limit-bad.txt",
        &client.heat("stacks?limit=abc"),
    );
    exactly(
        "heat/stack-list-global-403.txt",
        &client.heat("stacks?global_tenant=True"),
    );
    let heat = client.cloud.url(Service::Heat);
    exactly(
        "heat/403-other-tenant.txt",
        &client.ask(
            "GET",
            &format!("{heat}/v1/bdb4551d404e48a79b2788fcf68c3e0c/stacks"),
            None,
        ),
    );
    client
        .cloud
        .heat_outcome("create", None, sim_cloud::Outcome::mute_forbidden());
    exactly(
        "heat/403-create-by-appcred-without-trusts.txt",
        &create(json!({"stack_name": "raw", "template": template})),
    );
    client.cloud.fault(
        sim_cloud::When::heat().ends("/stacks"),
        sim_cloud::Fault::Status(503),
    );
    exactly("heat/503-keystone-down.txt", &client.heat("stacks"));
    client.cloud.clear_rules();
    client.cloud.expire_tokens();
    exactly("heat/401-expired-token.txt", &client.heat("stacks"));
    client.token.clear();
    exactly("heat/401-no-token.txt", &client.heat("stacks"));
    same(
        "heat/versions.txt",
        &client.ask("GET", &format!("{heat}/"), None),
        &[],
    );
}

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
