//! stdout, byte for byte what python-manilaclient prints from the same answers (`record.py`).

use serde_json::{Value, json};
use sim_cloud::{Answer, Item, Kind, When, secs};

use crate::harness::{Bench, ID};

fn recorded() -> Value {
    serde_json::from_str(include_str!("../fixtures/manila-show.json")).unwrap()
}

/// A cloud that gives the recorded answers.
fn replaying(recorded: &Value) -> Bench {
    let bench = Bench::with(|config| config.admin = true);
    for (target, body) in recorded["answers"].as_object().unwrap() {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let when = When::manila()
            .get()
            .ends(&format!("/v2/{path}"))
            .query(query);
        bench.cloud.answer(when, Answer::json(200, body));
    }
    bench
}

#[test]
fn the_read_only_commands_print_what_the_client_prints() {
    let recorded = recorded();
    let bench = replaying(&recorded);
    let mut compared = 0;
    for output in recorded["outputs"].as_array().unwrap() {
        let command: Vec<&str> = output["command"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word.as_str().unwrap())
            .collect();
        let ours = [
            "share show",
            "share export",
            "share access",
            "share snapshot",
            "share replica",
        ];
        let line = command.join(" ");
        if !ours.iter().any(|words| line.starts_with(words)) {
            continue;
        }
        let run = bench
            .line(&format!("{line} -f {}", output["format"].as_str().unwrap()))
            .exits(0);
        assert_eq!(run.out, output["stdout"], "{line} -f {}", output["format"]);
        compared += 1;
    }
    assert_eq!(compared, 40);
}

#[test]
fn a_wait_prints_what_the_clients_show_prints() {
    let recorded = recorded();
    let bench = replaying(&recorded);
    let mut compared = 0;
    for output in recorded["outputs"].as_array().unwrap() {
        let command: Vec<&str> = output["command"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word.as_str().unwrap())
            .collect();
        let Some(verb) = command.iter().position(|word| *word == "show") else {
            continue;
        };
        let mut words = command.clone();
        words[verb] = "wait";
        let run = bench
            .line(&format!(
                "{} -f {}",
                words.join(" "),
                output["format"].as_str().unwrap()
            ))
            .exits(0);
        assert_eq!(
            run.out,
            output["stdout"],
            "{} -f {}",
            words.join(" "),
            output["format"]
        );
        compared += 1;
    }
    assert_eq!(compared, 60);
}

#[test]
fn columns_are_chosen_and_outcome_stays() {
    let bench = Bench::new();
    bench.cloud.item(bench.lagoon().status(secs(0), "error"));
    let run = bench.line("share wait lagoon -f json -c id").exits(1);
    assert_eq!(
        run.json(),
        json!({"id": ID, "outcome": "failed", "exit": 1})
    );
    bench
        .line("share wait lagoon -f json -c nosuch")
        .exits(1)
        .says(&["nosuch"]);
    bench
        .line("share wait lagoon --for error -f json -c nosuch")
        .exits(2)
        .says(&["nosuch"]);
}

#[test]
fn a_format_that_does_not_fit_is_refused_before_anything_is_sent() {
    let bench = Bench::new();
    bench
        .line("share wait lagoon -f csv")
        .exits(2)
        .says(&["-f csv"]);
    bench
        .line("share wait lagoon reed -f shell")
        .exits(2)
        .says(&["-f shell"]);
    bench.line("share access list lagoon -f shell").exits(2);
    assert_eq!(bench.cloud.requests().len(), 0);
}

#[test]
fn several_are_listed_in_the_clients_columns() {
    let bench = Bench::new();
    for name in ["a", "b"] {
        bench
            .cloud
            .item(Item::new(Kind::Share, name).set("size", 1));
    }
    let run = bench.line("share wait a b -f csv").exits(0);
    let header = r#""ID","Name","Size","Share Proto","Status","Is Public","Share Type Name","Host","Availability Zone""#;
    assert_eq!(run.out.lines().next(), Some(header), "{run}");
    assert_eq!(run.out.lines().count(), 3);
}

#[test]
fn the_result_is_shown_without_what_cannot_be_had_in_time() {
    let bench = Bench::new();
    bench.cloud.item(bench.lagoon());
    bench.cloud.fault(
        When::manila().path("export_locations"),
        sim_cloud::Fault::Status(500),
    );
    let run = bench
        .line("share wait lagoon -f json")
        .exits(0)
        .says(&["export_locations left out"]);
    assert_eq!(run.json()["status"], "available");
    assert!(run.json().get("export_locations").is_none());
}

#[test]
fn filters_of_rules_go_as_the_client_sends_them() {
    let bench = Bench::new();
    bench.cloud.item(bench.lagoon());
    bench
        .line("share access list lagoon --access-type ip --access-level rw")
        .exits(0);
    let targets = bench.targets();
    assert!(
        targets.iter().any(|target| target.ends_with(&format!(
            "/share-access-rules?access_level=rw&access_type=ip&share_id={ID}"
        ))),
        "{targets:?}"
    );
    let bench = Bench::with(|config| config.microversions = (0, 60));
    bench
        .line("share access list lagoon --access-type ip")
        .exits(2)
        .says(&["needs microversion 2.82"]);
}
