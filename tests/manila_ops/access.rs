//! Access rules: their field is `state`.

use serde_json::json;
use sim_cloud::{Effect, Item, Kind, secs};

use crate::*;

fn rule() -> Item {
    Item::new(Kind::Rule, "").id(RULE).set("share_id", LAGOON)
}

#[test]
fn a_rule_is_active_in_the_end_and_printed() {
    let world = lagoon();
    let ended = world
        .run("share access create lagoon ip 10.0.0.0/24 --access-level ro -f json")
        .exits(0);
    let shown = ended.json();
    assert_eq!(shown["state"], "active");
    assert_eq!(shown["access_to"], "10.0.0.0/24");
    assert_eq!(shown["access_level"], "ro");
    assert!(shown.get("properties").is_some(), "{shown}");
}

#[test]
fn a_rule_in_error_is_a_failure() {
    let world = lagoon();
    world.manila_effect(
        Kind::Rule,
        "create",
        Effect::new()
            .at(secs(0), "state", "queued_to_apply")
            .at(secs(5), "state", "error"),
    );
    let ended = world
        .run("share access create lagoon ip 10.0.0.1 -f json")
        .exits(1);
    assert_eq!(ended.json()["state"], "error");
}

#[test]
fn the_key_of_a_cephx_user_is_part_of_the_result() {
    let world = lagoon();
    world.manila_effect(
        Kind::Rule,
        "create",
        Effect::new()
            .at(secs(0), "state", "queued_to_apply")
            .at(secs(0), "access_key", serde_json::Value::Null)
            .at(secs(5), "state", "active")
            .at(secs(5), "access_key", "AQ=="),
    );
    let ended = world
        .run("share access create lagoon cephx alice -f value -c access_key")
        .exits(0);
    assert_eq!(ended.stdout, "AQ==\n");
}

#[test]
fn a_denied_rule_is_gone() {
    let world = lagoon();
    world.item(rule());
    let ended = world
        .run(&format!("share access delete lagoon {RULE}"))
        .exits(0);
    assert_eq!(sent(&ended), [format!("POST /v2/shares/{LAGOON}/action")]);
    ended.says(&["denying", "deleted"]);
    let world = lagoon();
    world.item(rule());
    world.manila_effect(
        Kind::Rule,
        "delete",
        Effect::new()
            .at(secs(0), "state", "queued_to_deny")
            .at(secs(5), "state", "error"),
    );
    world
        .run(&format!("share access delete lagoon {RULE}"))
        .exits(1)
        .says(&["error"]);
}

#[test]
fn a_rule_that_is_not_there_is_not_found() {
    let world = lagoon();
    world
        .run(&format!("share access delete lagoon {RULE}"))
        .exits(4);
    world
        .run(&format!(
            "share access delete lagoon {RULE} --ignore-missing"
        ))
        .exits(0);
}

#[test]
fn rules_of_old_services_are_followed_by_the_list_of_their_share() {
    let world = world_with(|config| config.microversions = (0, 40));
    world.item(share(LAGOON, "lagoon"));
    world.item(rule());
    world.run("share access create lagoon ip 10.0.0.1").exits(0);
    world
        .run(&format!("share access delete lagoon {RULE}"))
        .exits(0);
    // States were renamed in 2.28.
    let world = world_with(|config| config.microversions = (0, 20));
    world.item(share(LAGOON, "lagoon"));
    world.run("share access create lagoon ip 10.0.0.1").exits(0);
}

#[test]
fn the_way_to_go_on_on_an_old_service_names_the_share() {
    let world = world_with(|config| config.microversions = (0, 40));
    world.item(share(LAGOON, "lagoon"));
    world.manila_effect(
        Kind::Rule,
        "create",
        Effect::new().at(secs(0), "state", "applying"),
    );
    world
        .run("share access create lagoon ip 10.0.0.1 --deadline 9s")
        .exits(124)
        .says(&[
            "manila-wait share access wait ",
            &format!(" --for active --share {LAGOON}"),
        ]);
}

#[test]
fn a_reason_needs_a_lock() {
    let world = lagoon();
    let ended = world
        .run("share access create lagoon ip 10.0.0.1 --lock-reason because")
        .exits(2);
    assert!(sent(&ended).is_empty());
    let ended = world
        .run("share access create lagoon ip 10.0.0.1 --properties a=b a=c")
        .exits(2);
    assert!(sent(&ended).is_empty());
    let ended = world
        .run("share access create lagoon ip 10.0.0.1 --lock-deletion --lock-reason because")
        .exits(0);
    let body = ended
        .requests
        .iter()
        .find_map(sim_cloud::Seen::json)
        .unwrap();
    assert!(
        body.get("auth").is_some() || body["allow_access"]["lock_deletion"] == json!(true),
        "{body}"
    );
}
