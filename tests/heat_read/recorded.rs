//! Byte for byte what the Python client prints, over answers that Heat has given (`tests/fixtures/heat_read`).

use serde::Deserialize;
use serde_json::Value;
use sim_cloud::{Answer, Response, When};

use crate::world;

#[derive(Deserialize)]
struct Recorded {
    answers: Vec<Recording>,
    commands: Vec<Told>,
}

#[derive(Deserialize)]
struct Recording {
    path: String,
    query: String,
    status: u16,
    location: String,
    body: Value,
}

#[derive(Deserialize)]
struct Told {
    words: Vec<String>,
    exit: i64,
    stdout: String,
}

/// Prints what the client printed for each recorded command line.
fn is_equal(text: &str) {
    let recorded: Recorded = serde_json::from_str(text).unwrap();
    let world = world();
    // What asks for something in particular comes first.
    for particular in [true, false] {
        for one in recorded
            .answers
            .iter()
            .filter(|one| one.query.is_empty() != particular)
        {
            let answer = if one.location.is_empty() {
                Answer::json(one.status, &one.body)
            } else {
                Answer::raw(Response::json(one.status, &one.body).header("Location", &one.location))
            };
            world.answer(When::heat().get().ends(&one.path).query(&one.query), answer);
        }
    }
    assert!(recorded.commands.len() > 30);
    for told in &recorded.commands {
        let words: Vec<&str> = told.words.iter().map(String::as_str).collect();
        let ended = world.run_words(&words);
        assert!(
            ended.stdout == told.stdout,
            "{}\n--- the client:\n{}\n--- we:\n{ended}",
            words.join(" "),
            told.stdout
        );
        assert_eq!(
            ended.exit == 0,
            told.exit == 0,
            "{}: {ended}",
            words.join(" ")
        );
    }
}

#[test]
fn whatever_values_there_are() {
    is_equal(include_str!("../fixtures/heat_read/odd.json"));
}

#[test]
fn outputs_of_every_type() {
    is_equal(include_str!("../fixtures/heat_read/outputs.json"));
}

#[test]
fn nested_stacks_of_which_one_fails() {
    is_equal(include_str!("../fixtures/heat_read/nested.json"));
}

#[test]
fn a_deployment_that_fails() {
    is_equal(include_str!("../fixtures/heat_read/deployment.json"));
}
