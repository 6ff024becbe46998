//! The scenarios of `tests/fixtures/scenarios.json` on the simulated cloud (docs/design/scenarios.md).

use serde_json::{Value, json};
use sim_cloud::{Item, secs};

use crate::harness::{Bench, ID};

#[test]
fn shares_go_through_the_statuses_of_the_scenarios() {
    let file: Value = serde_json::from_str(include_str!("../fixtures/scenarios.json")).unwrap();
    let mut played = 0;
    for scenario in file["scenarios"].as_array().unwrap() {
        if scenario["program"] != "manila-wait" {
            continue;
        }
        let bench = Bench::new();
        bench.cloud.item(share(&bench, scenario));
        let words = scenario["command"].as_array().unwrap().iter();
        let mut words: Vec<String> = words
            .map(|word| word.as_str().unwrap().replace("{id}", ID))
            .collect();
        words.extend(["--progress", "json", "-f", "json"].map(str::to_owned));
        let run = bench.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let mut statuses: Vec<Value> = run
            .progress("status")
            .iter()
            .map(|line| line["status"].clone())
            .collect();
        statuses.dedup();
        let verdict = if run.exit == 0 {
            json!("reached")
        } else {
            run.json()["outcome"].clone()
        };
        let seen = json!({"statuses": statuses, "verdict": verdict, "exit": run.exit});
        let wanted = json!({
            "statuses": scenario["statuses"], "verdict": scenario["verdict"], "exit": scenario["exit"],
        });
        assert_eq!(seen, wanted, "{}: {run}", scenario["name"]);
        played += 1;
    }
    assert!(played >= 7, "{played} scenarios");
}

/// What the share of a scenario goes through: the transitions of the dummy driver, which take 2 to 4 s.
fn share(bench: &Bench, scenario: &Value) -> Item {
    let spec = &scenario["share"];
    let size = spec["size"].as_u64().unwrap_or(1);
    let fault = spec["fault"].as_str().unwrap_or_default();
    let (now, end) = (secs(0), secs(3));
    let item = bench.lagoon().set("size", size);
    let Some(then) = scenario.get("then") else {
        return match (spec["type"].as_str(), fault) {
            (Some("nowhere"), _) => item.status(now, "error"),
            (_, "") => item.status(now, "creating").status(end, "available"),
            _ => item.status(now, "creating").status(end, "error"),
        };
    };
    let wanted = then["size"].as_u64().unwrap_or(size);
    match (then["action"].as_str().unwrap(), fault) {
        ("delete", "") => item.status(now, "deleting").gone(end),
        ("delete", _) => item.status(now, "deleting").status(end, "error_deleting"),
        ("extend", "") => item
            .status(now, "extending")
            .status(end, "available")
            .at(end, "size", wanted),
        ("extend", _) => item.status(now, "extending").status(end, "extending_error"),
        ("shrink", "") => item
            .status(now, "shrinking")
            .status(end, "available")
            .at(end, "size", wanted),
        // A refused shrink goes back to where it was.
        ("shrink", "loss-shrink_share") => item.status(now, "shrinking").status(end, "available"),
        ("shrink", _) => item.status(now, "shrinking").status(end, "shrinking_error"),
        (other, _) => panic!("{other}: teach this test what it does"),
    }
}
