//! stdout of whatever is created, byte for byte what python-manilaclient prints of the same answer (`record.py
//! --outputs`).

use serde_json::{Value, json};
use sim_cloud::{Answer, Item, Kind, When};

use crate::*;

#[test]
fn whatever_is_created_is_printed_as_the_client_prints_it() {
    let recorded: Value =
        serde_json::from_str(include_str!("../fixtures/manila-ops-output.json")).unwrap();
    let mut compared = 0;
    for line in recorded["lines"].as_array().unwrap() {
        let key = line["key"].as_str().unwrap();
        let world = world();
        world.item(share(LAGOON, "lagoon"));
        world.item(Item::new(Kind::Group, "reef").id(REEF));
        world.item(Item::new(Kind::Network, "net").id(NET));
        let answer = Answer::json(200, &json!({ key: line["answer"] }));
        let id = line["answer"]["id"].as_str().unwrap();
        world.answer(When::manila().change(), answer.clone());
        world.answer(When::manila().get().ends(id), answer);
        if key == "share_backup" {
            // The share that is backed up is looked at as well.
            let share = line["answer"]["share_id"].as_str().unwrap();
            world.item(share_of(share));
        }
        for output in line["outputs"].as_array().unwrap() {
            let words = format!(
                "{} -f {}",
                line["line"].as_str().unwrap(),
                output["format"].as_str().unwrap()
            );
            let ended = world.run(&words).exits(0);
            assert_eq!(ended.stdout, output["stdout"], "{words}");
            compared += 1;
        }
    }
    assert_eq!(compared, 50);
}

fn share_of(id: &str) -> Item {
    share(id, "another")
}
