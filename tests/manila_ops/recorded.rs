//! Every request is the one that python-manilaclient 6.3.0 sent for the same line (`record.py`, `lines.txt`).

use serde_json::{Value, json};
use sim_cloud::{Answer, Item, Kind, Service, When};

use crate::*;

fn recorded() -> Value {
    serde_json::from_str(include_str!("../fixtures/manila-ops.json")).unwrap()
}

/// A cloud with everything that the lines name, and that takes no change.
fn everything() -> World {
    let world = world();
    world.item(share(LAGOON, "lagoon"));
    world.item(share(DELTA, "delta"));
    let of_lagoon = |kind, name, id| Item::new(kind, name).id(id).set("share_id", LAGOON);
    world.item(of_lagoon(Kind::Snapshot, "nightly", NIGHTLY).set("size", 10));
    world.item(of_lagoon(Kind::Replica, "", REPLICA));
    world.item(of_lagoon(Kind::Rule, "", RULE));
    world.item(Item::new(Kind::Group, "reef").id(REEF));
    world.item(Item::new(Kind::GroupSnapshot, "low-tide").id(LOW_TIDE));
    world.item(of_lagoon(Kind::Instance, "", INSTANCE));
    world.item(Item::new(Kind::Network, "net").id(NET));
    world.item(Item::new(Kind::Server, "").id(SERVER));
    world.item(of_lagoon(Kind::Backup, "copy", COPY));
    let refusal = json!({"badRequest": {"code": 400, "message": "recorded"}});
    world.answer(When::manila().change(), Answer::json(400, &refusal));
    world
}

#[test]
fn every_line_sends_what_the_client_sends() {
    let recorded = recorded();
    let world = everything();
    let mut compared = 0;
    for line in recorded["lines"].as_array().unwrap() {
        let (text, version) = (line["line"].as_str().unwrap(), &line["version"]);
        let ended = world.run(&format!("{text} --os-share-api-version 2.{version}"));
        let ours: Vec<Value> = ended
            .requests
            .iter()
            .filter(|seen| seen.service == Service::Manila && seen.request.method != "GET")
            .map(|seen| {
                let experimental = seen.request.header("x-openstack-manila-api-experimental");
                json!({
                    "method": seen.request.method,
                    "path": seen.request.path.strip_prefix("/v2").unwrap(),
                    "query": seen.request.query,
                    "body": seen.json(),
                    "experimental": experimental == Some("True"),
                })
            })
            .collect();
        assert_eq!(
            Value::from(ours),
            line["sent"],
            "2.{version} {text}\n{ended}"
        );
        assert!(!line["sent"].as_array().unwrap().is_empty(), "{text}");
        compared += 1;
    }
    assert!(compared > 70, "{compared}");
}

#[test]
fn every_option_is_in_a_recorded_line() {
    let recorded = recorded();
    let lines: Vec<&str> = recorded["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["line"].as_str().unwrap())
        .collect();
    for operation in manila_cli::operation::all() {
        let name = operation.name();
        for argument in operation
            .arguments
            .iter()
            .filter(|one| one.name.starts_with("--"))
        {
            // The client fails before it sends anything.
            if (name.as_str(), argument.name) == ("share adopt", "--public") {
                continue;
            }
            let has = |line: &&&str| {
                line.starts_with(&format!("{name} ")) && line.contains(argument.name)
            };
            assert!(
                lines.iter().any(|line| has(&line)),
                "{name} {}",
                argument.name
            );
        }
        assert!(lines.iter().any(|line| line.starts_with(&name)), "{name}");
    }
}

#[test]
fn empty_requests_of_the_client_are_taken_too() {
    // Names of every kind that takes one, given by ID.
    let world = everything();
    for line in [
        format!("share delete {LAGOON}"),
        format!("share network delete {NET}"),
        format!("share backup delete {COPY}"),
        format!("share group delete {REEF}"),
        format!("share group snapshot delete {LOW_TIDE}"),
        format!("share snapshot delete {NIGHTLY}"),
    ] {
        let ended = world.run(&line).exits(6);
        assert_eq!(sent(&ended).len(), 1, "{ended}");
    }
}
