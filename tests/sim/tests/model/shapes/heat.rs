//! The answers of Heat.

use serde_json::{Value, json};
use sim_cloud::{Service, Stack, secs};

use super::{exactly, same};
use crate::client::Client;

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
