//! The scenarios of `tests/fixtures/scenarios.json` on the simulated cloud (docs/design/scenarios.md).

use std::time::Duration;

use serde_json::{Value, json};
use sim_cloud::{Outcome, Stack, secs};

use crate::{Ended, TARN, World, e, world};

const SCENARIOS: &str = include_str!("../fixtures/scenarios.json");
const FAILED: &str = "Resource CREATE failed: ValueError: resources.one: Test Resource failed one";

#[test]
fn stacks_go_through_the_statuses_of_the_scenarios() {
    let file: Value = serde_json::from_str(SCENARIOS).expect("scenarios.json is JSON");
    let scenarios = file["scenarios"].as_array().expect("a list");
    let ours: Vec<&Value> = scenarios
        .iter()
        .filter(|one| one["program"] == "heat-wait")
        .collect();
    assert!(ours.len() >= 10, "the file has lost its scenarios");
    for scenario in ours {
        let ended = play(scenario);
        let verdict = match ended.exit {
            0 => json!("reached"),
            _ => ended.json()["outcome"].clone(),
        };
        let seen =
            json!({"statuses": own_statuses(&ended), "verdict": verdict, "exit": ended.exit});
        let wanted = json!({"statuses": scenario["statuses"], "verdict": scenario["verdict"], "exit": scenario["exit"]});
        assert_eq!(seen, wanted, "{}\n{ended}", scenario["name"]);
    }
}

fn play(scenario: &Value) -> Ended {
    let world = world();
    world.stack(created(&scenario["stack"]));
    if let Some(then) = scenario.get("then") {
        world.advance(secs(60));
        begin(&world, then);
    }
    world.advance(Duration::from_millis(200));
    let words = scenario["command"].as_array().expect("a command").iter();
    let words = words.map(|word| {
        word.as_str()
            .expect("a word")
            .replace("{id}", TARN)
            .replace("{event}", &e(40))
    });
    let words: Vec<String> = words
        .chain(["--progress", "json", "-f", "json"].map(str::to_owned))
        .collect();
    world.run_words(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

fn created(spec: &Value) -> Stack {
    let ends = secs(spec["wait"].as_u64().unwrap_or(0));
    let stack =
        Stack::new("tarn")
            .id(TARN)
            .own(secs(0), "CREATE_IN_PROGRESS", "Stack CREATE started");
    let (fails, rolls_back) = (spec["fail"] == true, spec["rollback"] == true);
    let stack = if rolls_back { stack.rollback() } else { stack };
    match (fails, rolls_back) {
        (false, _) => stack
            .own(
                ends,
                "CREATE_COMPLETE",
                "Stack CREATE completed successfully",
            )
            .event_id(&e(40)),
        (true, false) => stack.own(ends, "CREATE_FAILED", FAILED),
        (true, true) => stack
            .own(ends, "CREATE_FAILED", FAILED)
            .own(ends, "ROLLBACK_IN_PROGRESS", "Stack ROLLBACK started")
            .own(
                ends + secs(2),
                "ROLLBACK_COMPLETE",
                "Stack ROLLBACK completed successfully",
            ),
    }
}

fn begin(world: &World, then: &Value) {
    let ends = secs(then["wait"].as_u64().unwrap_or(2));
    let reason = || FAILED.to_owned();
    let outcome = match (then["fail"] == true, then["rollback"] == true) {
        (false, _) => Outcome::Complete(ends),
        (true, false) => Outcome::Fail(ends, reason()),
        (true, true) => Outcome::RollBack(ends, ends + secs(2), reason()),
    };
    let action = then["action"].as_str().expect("an action");
    assert!(world.heat_act(action, TARN, outcome), "the stack is there");
}

/// The statuses of the stack itself, each once as long as it lasts.
fn own_statuses(ended: &Ended) -> Vec<String> {
    let mut statuses: Vec<String> = Vec::new();
    for line in ended.stderr.lines() {
        let line: Value = serde_json::from_str(line).expect("every line of progress is JSON");
        let status = line["status"].as_str().unwrap_or_default();
        if line["type"] == "event"
            && line["path"] == "tarn"
            && statuses.last().is_none_or(|last| last != status)
        {
            statuses.push(status.to_owned());
        }
    }
    statuses
}
