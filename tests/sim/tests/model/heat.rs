//! Stacks that follow their scripts, and Heat's quirks.

use serde_json::{Value, json};
use sim_cloud::{Outcome, Stack, demo, populate, secs};

use crate::client::Client;

fn status(client: &Client, path: &str) -> String {
    client
        .heat(path)
        .json()
        .pointer("/stack/stack_status")
        .unwrap()
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn a_stack_follows_the_clock() {
    let client = Client::new();
    let stack = Stack::create("tarn", secs(9))
        .built("reed", "OS::Nova::Server", secs(1), secs(4))
        .id("aaaa01");
    client.cloud.stack(stack);
    let path = "stacks/tarn/aaaa01";
    let events = |query: &str| {
        client
            .heat(&format!("{path}/events?sort_dir=asc{query}"))
            .all("resource_status")
    };
    assert_eq!(status(&client, path), "CREATE_IN_PROGRESS");
    assert_eq!(events("").len(), 1);
    client.clock.advance(secs(5));
    let seen = client
        .heat(&format!("{path}/events?sort_dir=asc"))
        .all("id");
    assert_eq!(
        events(""),
        [
            "CREATE_IN_PROGRESS",
            "CREATE_IN_PROGRESS",
            "CREATE_COMPLETE"
        ]
    );
    client.clock.advance(secs(4));
    assert_eq!(status(&client, path), "CREATE_COMPLETE");
    assert_eq!(
        events(&format!("&marker={}", seen.last().unwrap())),
        ["CREATE_COMPLETE"]
    );
    assert_eq!(events("&marker=unknown").len(), 4);
    let newest = client.heat(&format!("{path}/events?limit=1"));
    assert_eq!(newest.all("physical_resource_id"), ["aaaa01"]);
    assert_eq!(newest.all("event_time"), ["2031-03-04T10:00:09Z"]);
}

#[test]
fn events_can_have_any_id_and_any_notation_of_time() {
    let client = Client::new();
    let stack = Stack::new("tarn")
        .id("aaaa01")
        .own(secs(0), "CREATE_IN_PROGRESS", "\u{1b}[31mé")
        .event_id("e1")
        .event_time(json!("2031-03-04T12:00:06+02:00"))
        .event(secs(1), "tarn", Some("vol-5"), "CREATE_COMPLETE", "")
        .event_id("e2")
        .event_time(Value::Null);
    client.cloud.stack(stack);
    client.clock.advance(secs(1));
    let got = client.heat("stacks/tarn/aaaa01/events");
    assert_eq!(got.all("id"), ["e2", "e1"]);
    assert_eq!(got.all("event_time"), ["", "2031-03-04T12:00:06+02:00"]);
    assert_eq!(got.all("resource_status_reason"), ["", "\u{1b}[31mé"]);
}

#[test]
fn nested_events_and_resources_come_down_to_the_depth_asked() {
    let client = Client::new();
    let inner = Stack::create("tarn-marsh-inner", secs(1)).built(
        "deep",
        "OS::Heat::None",
        secs(0),
        secs(1),
    );
    let child = Stack::create("tarn-marsh-x1", secs(2)).nested("inner", inner);
    let id = client
        .cloud
        .stack(Stack::create("tarn", secs(3)).nested("marsh", child));
    client.clock.advance(secs(5));
    let names = |depth: usize| {
        client
            .heat(&format!("stacks/tarn/{id}/resources?nested_depth={depth}"))
            .all("resource_name")
    };
    assert_eq!(names(0), ["marsh"]);
    assert_eq!(names(1), ["marsh", "inner"]);
    assert_eq!(names(2), ["marsh", "inner", "deep"]);
    let events = client.heat(&format!(
        "stacks/tarn/{id}/events?nested_depth=9&sort_dir=asc"
    ));
    assert_eq!(events.all("id").len(), 12);
    assert!(
        events
            .json()
            .pointer("/events/0/links/3/rel")
            .is_some_and(|rel| rel == "root_stack")
    );
    let resource = client
        .heat(&format!("stacks/tarn/{id}/resources/marsh"))
        .json();
    let nested = resource
        .pointer("/resource/links/2/href")
        .unwrap()
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(client.ask("GET", &nested, None).status, 200);
    assert_eq!(client.heat("stacks").all("stack_name"), ["tarn"]);
    assert_eq!(
        client
            .heat("stacks?show_nested=True")
            .all("stack_name")
            .len(),
        3
    );
}

#[test]
fn an_old_heat_ignores_the_depth_and_says_nothing_of_the_root() {
    let client = Client::with(|config| config.old_heat = true);
    let id = client.cloud.stack(
        Stack::create("tarn", secs(3)).nested("marsh", Stack::create("tarn-marsh", secs(2))),
    );
    client.clock.advance(secs(5));
    let events = client.heat(&format!("stacks/tarn/{id}/events?nested_depth=2"));
    assert_eq!(events.all("id").len(), 4);
    assert!(!String::from_utf8_lossy(&events.body).contains("root_stack"));
}

#[test]
fn bad_options_are_refused_as_the_real_one_does() {
    let mut client = Client::new();
    let id = client.cloud.stack(Stack::standing("tarn"));
    let message = |path: &str| {
        let got = client.heat(path);
        assert_eq!(got.status, 400, "{path}");
        got.json()
            .pointer("/error/message")
            .cloned()
            .unwrap_or_default()
    };
    assert_eq!(
        message("stacks?limit=-1"),
        "Value '-1' is invalid for 'limit' which only accepts non-negative integer."
    );
    assert_eq!(
        message(&format!(
            "stacks/tarn/{id}/resources?resource_status=FAILED"
        )),
        "Invalid filter parameters ['resource_status']"
    );
    assert_eq!(
        message(&format!("stacks/tarn/{id}/resources?nested_depth=x")),
        "Only integer is acceptable by 'nested_depth'."
    );
    assert_eq!(
        message(&format!("stacks/tarn/{id}/events?sort_dir=up")),
        Value::Null
    );
    // Only some paths are looked up by a bare name.
    for (path, status) in [
        ("template", 302),
        ("events", 302),
        ("outputs", 404),
        ("outputs/o", 404),
        ("resources/r", 404),
    ] {
        assert_eq!(
            client.heat(&format!("stacks/tarn/{path}")).status,
            status,
            "{path}"
        );
    }
    // Who does not ask for JSON gets HTML where WebOb answers.
    client.headers.clear();
    let got = client.heat("stacks/tarn");
    assert!(
        got.status == 302 && got.body.starts_with(b"<html>") && got.header("location").is_some()
    );
    assert!(client.heat("stacks/nosuch").json().get("error").is_some());
}

#[test]
fn lists_filter_by_id_name_status_and_what_may_be_shown() {
    let client = Client::new();
    let one = client.cloud.stack(Stack::standing("one"));
    client.clock.advance(secs(1));
    let two = client.cloud.stack(Stack::failing("two", secs(0), "boom"));
    client.cloud.stack(Stack::standing("gone").gone(secs(0)));
    client.cloud.stack(Stack::standing("hidden").hidden());
    client
        .cloud
        .stack(Stack::standing("theirs").project("other"));
    let names = |query: &str| client.heat(&format!("stacks{query}")).all("stack_name");
    assert_eq!(names(""), ["two", "one"]);
    assert_eq!(
        names(&format!("?id={one}&id={two}&id=unknown")),
        ["two", "one"]
    );
    assert_eq!(names("?name=one&name=gone"), ["one"]);
    assert_eq!(names("?status=FAILED"), ["two"]);
    assert_eq!(names("?status=CREATE_FAILED"), ["two"]);
    assert_eq!(
        names("?show_deleted=True&show_hidden=1"),
        ["hidden", "gone", "two", "one"]
    );
    assert_eq!(names("?sort_keys=stack_name&sort_dir=asc"), ["one", "two"]);
    assert_eq!(names(&format!("?limit=1&marker={two}")), ["one"]);
    assert_eq!(names("?limit=1&marker=unknown"), ["two"]);
    assert_eq!(client.heat("stacks/theirs").status, 404);
}

#[test]
fn operations_lead_to_what_was_planned() {
    let client = Client::new();
    client
        .cloud
        .heat_outcome("create", None, Outcome::Complete(secs(3)));
    client.cloud.heat_outcome(
        "update",
        Some("tarn"),
        Outcome::RollBack(secs(2), secs(6), "no such flavor".to_owned()),
    );
    client.cloud.heat_outcome(
        "check",
        None,
        Outcome::Later(
            secs(30),
            Box::new(Outcome::Fail(secs(1), "gone astray".to_owned())),
        ),
    );
    client.cloud.heat_outcome(
        "delete",
        None,
        Outcome::refused(
            409,
            "ActionInProgress",
            "Stack tarn already has an action (UPDATE) in progress.",
        ),
    );
    let template = json!({"resources": {"reed": {"type": "OS::Nova::Server"}}});
    let created = client
        .heat_change(
            "POST",
            "stacks",
            &json!({"stack_name": "tarn", "template": template, "disable_rollback": false}),
        )
        .json();
    let path = format!(
        "stacks/tarn/{}",
        created.pointer("/stack/id").unwrap().as_str().unwrap()
    );
    client.clock.advance(secs(3));
    assert_eq!(status(&client, &path), "CREATE_COMPLETE");
    assert_eq!(
        client
            .heat(&format!("{path}/resources"))
            .all("resource_type"),
        ["OS::Nova::Server"]
    );
    client.heat_change("PUT", &path, &json!({"template": template}));
    client.clock.advance(secs(2));
    assert_eq!(status(&client, &path), "ROLLBACK_IN_PROGRESS");
    let reasons = client
        .heat(&format!("{path}/events?limit=2"))
        .all("resource_status_reason");
    assert_eq!(reasons, ["Stack ROLLBACK started", "no such flavor"]);
    client.clock.advance(secs(4));
    assert_eq!(status(&client, &path), "ROLLBACK_COMPLETE");
    client.heat_change("POST", &format!("{path}/actions"), &json!({"check": null}));
    client.clock.advance(secs(29));
    assert_eq!(status(&client, &path), "ROLLBACK_COMPLETE");
    client.clock.advance(secs(2));
    assert_eq!(status(&client, &path), "CHECK_FAILED");
    assert_eq!(
        client.heat_change("DELETE", &path, &Value::Null).status,
        409
    );
    assert!(
        client
            .cloud
            .heat_act("delete", "tarn", Outcome::Complete(secs(1)))
    );
    client.clock.advance(secs(1));
    assert_eq!(status(&client, &path), "DELETE_COMPLETE");
    assert_eq!(client.heat("stacks/tarn").status, 302);
    client.clock.advance(secs(3));
    assert_eq!(client.heat("stacks/tarn").status, 404);
    assert_eq!(client.heat(&path).status, 200);
}

#[test]
fn a_second_suspend_changes_nothing_and_a_cancel_needs_something_to_cancel() {
    let client = Client::new();
    let path = format!(
        "stacks/tarn/{}",
        client.cloud.stack(Stack::standing("tarn"))
    );
    let act = |action: &str| {
        client
            .heat_change("POST", &format!("{path}/actions"), &json!({action: null}))
            .status
    };
    assert_eq!(act("suspend"), 200);
    client.clock.advance(secs(2));
    let events = client.heat(&format!("{path}/events")).all("id").len();
    assert_eq!(act("suspend"), 200);
    client.clock.advance(secs(2));
    assert_eq!(
        client.heat(&format!("{path}/events")).all("id").len(),
        events
    );
    assert_eq!(act("cancel_update"), 400);
    assert_eq!(act("resume"), 200);
    assert_eq!(act("cancel_without_rollback"), 200);
    client.clock.advance(secs(2));
    assert_eq!(status(&client, &path), "RESUME_FAILED");
}

#[test]
fn the_demo_plays_all_its_parts() {
    let cloud = demo().unwrap();
    assert!(cloud.clouds_yaml().contains(&cloud.auth_url()));
    drop(cloud);
    let client = Client::new();
    populate(&client.cloud);
    client.clock.advance(secs(10));
    let statuses: Vec<String> = client.heat("stacks").all("stack_status");
    assert_eq!(statuses, ["CREATE_FAILED", "CREATE_COMPLETE"]);
    assert_eq!(
        client.manila(99, "shares/detail").all("status"),
        ["error", "available"]
    );
    let reason = client.manila(99, "messages").all("user_message");
    assert!(reason[0].contains("Capabilities filter"));
}
