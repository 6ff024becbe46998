//! The scenarios of `tests/fixtures/scenarios.json` on the real cloud (docs/design/scenarios.md).

use std::sync::Mutex;
use std::thread;

use cloud_tests::{Ended, Place, Program, Share, Spec, Stack, User};
use serde_json::{Value, json};

const SCENARIOS: &str = include_str!("../../fixtures/scenarios.json");

#[test]
fn stacks_go_through_the_statuses_of_the_scenarios() {
    play_all("heat-wait", stack_scenario);
}

#[test]
fn shares_go_through_the_statuses_of_the_scenarios() {
    play_all("manila-wait", share_scenario);
}

/// Plays every scenario of `program`, three at a time, and fails with all differences together.
fn play_all(program: &str, play: fn(&User, &Value) -> (Ended, String, String)) {
    let file: Value = serde_json::from_str(SCENARIOS).expect("scenarios.json is JSON");
    let scenarios = file["scenarios"]
        .as_array()
        .expect("a list of scenarios")
        .clone();
    let mut left: Vec<Value> = scenarios
        .into_iter()
        .filter(|scenario| scenario["program"] == program)
        .collect();
    assert!(!left.is_empty(), "no scenario for {program}");
    left.reverse();
    let left = Mutex::new(left);
    let differences = Mutex::new(Vec::new());
    let user = User::demo();
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                loop {
                    let Some(scenario) = left.lock().expect("the list").pop() else {
                        break;
                    };
                    let (ended, name, id) = play(&user, &scenario);
                    differences
                        .lock()
                        .expect("the differences")
                        .extend(difference(&scenario, &ended, (&name, &id)));
                }
            });
        }
    });
    let differences = differences.into_inner().expect("the differences");
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

fn stack_scenario(user: &User, scenario: &Value) -> (Ended, String, String) {
    let stack = Stack::create(user, &spec(&scenario["stack"], "one"));
    let mut event = String::new();
    if let Some(then) = scenario.get("then") {
        stack.reaches("CREATE_COMPLETE");
        event = stack.newest_event();
        match then["action"].as_str().expect("an action") {
            "update" => stack.update(&spec(then, "two")),
            "delete" => stack.delete(),
            action => stack.act(action),
        }
    }
    (
        Program::heat(&command(scenario, &stack.id, &event)).run(),
        stack.name.clone(),
        stack.id.clone(),
    )
}

fn share_scenario(user: &User, scenario: &Value) -> (Ended, String, String) {
    let spec = &scenario["share"];
    let fault = spec["fault"].as_str().unwrap_or_default();
    let size = number(spec, "size").unwrap_or(1);
    let share = Share::create_sized(user, spec["type"].as_str().expect("a type"), fault, size);
    if let Some(then) = scenario.get("then") {
        share.reaches("available");
        match then["action"].as_str().expect("an action") {
            "delete" => share.delete(),
            _ => share.resize(size, number(then, "size").expect("a size")),
        }
    }
    (
        Program::manila(&command(scenario, &share.id, "")).run(),
        share.name.clone(),
        share.id.clone(),
    )
}

fn spec(described: &Value, value: &str) -> Spec {
    Spec {
        wait: number(described, "wait").unwrap_or(0),
        fail: described["fail"] == true,
        rollback: described["rollback"] == true,
        value: Some(value.to_owned()),
        tag: None,
    }
}

fn number(object: &Value, key: &str) -> Option<u32> {
    object[key]
        .as_u64()
        .and_then(|number| u32::try_from(number).ok())
}

fn command(scenario: &Value, id: &str, event: &str) -> Vec<String> {
    let words = scenario["command"].as_array().expect("a command").iter();
    let words = words.map(|word| {
        word.as_str()
            .expect("a word")
            .replace("{id}", id)
            .replace("{event}", event)
    });
    words
        .chain(["--progress", "json", "-f", "json"].map(str::to_owned))
        .collect()
}

/// What differs from the scenario, with all that was printed.
fn difference(scenario: &Value, ended: &Ended, who: (&str, &str)) -> Option<String> {
    let result: Value = serde_json::from_str(&ended.stdout).unwrap_or(Value::Null);
    let verdict = match ended.exit {
        0 => json!("reached"),
        _ => result["outcome"].clone(),
    };
    let seen =
        json!({"statuses": own_statuses(ended, who), "verdict": verdict, "exit": ended.exit});
    let wanted = json!({
        "statuses": scenario["statuses"], "verdict": scenario["verdict"], "exit": scenario["exit"],
    });
    // A share's driver takes 2 to 4 s: on a slow machine the first statuses are gone before anybody looks.
    let tail = |all: &Value, part: &Value| {
        let (all, part) = (all.as_array(), part.as_array());
        Place::pace() > 1
            && scenario["program"] == "manila-wait"
            && all.zip(part).is_some_and(|(all, part)| all.ends_with(part))
    };
    let same = seen["verdict"] == wanted["verdict"]
        && seen["exit"] == wanted["exit"]
        && (seen["statuses"] == wanted["statuses"] || tail(&wanted["statuses"], &seen["statuses"]));
    (!same).then(|| {
        format!(
            "{}: {}\n  wanted {wanted}\n  seen   {seen}\n{}{}",
            scenario["name"], ended.shown, ended.stdout, ended.stderr
        )
    })
}

/// The statuses of the stack or share itself, each once as long as it lasts.
fn own_statuses(ended: &Ended, (name, id): (&str, &str)) -> Vec<String> {
    let mut statuses: Vec<String> = Vec::new();
    for line in ended.progress() {
        let own = match line["type"].as_str() {
            // Paths of resources have the stack's name before a dot.
            Some("event") => line["path"] == name,
            Some("status") => line["id"] == id,
            _ => false,
        };
        let status = line["status"].as_str().unwrap_or_default();
        if own && !status.is_empty() && statuses.last().is_none_or(|last| last != status) {
            statuses.push(status.to_owned());
        }
    }
    statuses
}
