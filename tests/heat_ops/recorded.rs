//! The same request as python-heatclient's, for the command lines that were recorded from it: method, path, body.

use std::path::Path;

use serde_json::Value;
use sim_cloud::{Stack, When};

use crate::empty;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");

/// What is read from a folder, by its paths below `/somewhere`.
fn files(folder: &Path, below: &Path, found: &mut Vec<(std::path::PathBuf, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = below.join(path.file_name().unwrap());
        if path.is_dir() {
            files(&path, &name, found);
        } else {
            found.push((name, std::fs::read(&path).unwrap()));
        }
    }
}

/// Texts inside `files` that are JSON count as JSON, and numbers that are the same are the same.
fn normal(mut value: Value) -> Value {
    if let Some(Value::Object(files)) = value.get_mut("files") {
        for text in files.values_mut() {
            let read = text
                .as_str()
                .and_then(|text| serde_json::from_str(text).ok());
            *text = read.unwrap_or_else(|| text.take());
        }
    }
    floats(value)
}

fn floats(value: Value) -> Value {
    match value {
        Value::Number(number) if number.to_string().contains(['.', 'e', 'E']) => {
            format!("float {}", number.as_f64().unwrap()).into()
        }
        Value::Array(items) => items.into_iter().map(floats).collect(),
        Value::Object(map) => map
            .into_iter()
            .map(|(key, item)| (key, floats(item)))
            .collect(),
        other => other,
    }
}

#[test]
fn every_recorded_command_line_sends_what_the_client_sent() {
    let mut found = Vec::new();
    let folder = Path::new(FIXTURES).join("heat_template/files");
    files(&folder, Path::new("/somewhere"), &mut found);
    let mut compared = 0;
    for recording in ["heat_template/requests.jsonl", "heat_ops/requests.jsonl"] {
        let lines = std::fs::read_to_string(Path::new(FIXTURES).join(recording)).unwrap();
        for line in lines.lines() {
            // What is on the web is not asked for here.
            if line.contains("web.test") || line.contains("\"refused\"") {
                continue;
            }
            let line = line.replace("$FILES", "file:///somewhere");
            let line = line.replace("$PLACE", "/somewhere");
            let record: Value = serde_json::from_str(&line).unwrap();
            let args: Vec<String> = serde_json::from_value(record["args"].clone()).unwrap();
            let mut world = empty();
            world.files.extend(found.iter().cloned());
            let id = match args[0].as_str() {
                "create" | "adopt" => String::new(),
                _ => world.stack(Stack::standing("web")),
            };
            if args[0] == "cancel" {
                world.heat_act("update", "web", sim_cloud::Outcome::Stay);
            }
            let mut words = vec!["stack"];
            words.extend(
                args.iter()
                    .map(String::as_str)
                    .filter(|word| *word != "--wait"),
            );
            if !args.contains(&"--dry-run".to_owned()) {
                words.push("--no-wait");
            }
            let ended = world.run_words(&words);
            let sent = world.asked(&When::heat().change());
            assert_eq!(sent.len(), 1, "{args:?}\n{ended}");
            let target = sent[0].target();
            let path = target.split_once("/stacks").unwrap().1;
            let path = if id.is_empty() {
                path.to_owned()
            } else {
                path.replace(&format!("/web/{id}"), "/web")
            };
            let theirs = record["path"].as_str().unwrap().replace("/web/1", "/web");
            assert_eq!(format!("/stacks{path}"), theirs, "{args:?}");
            assert_eq!(sent[0].request.method, record["method"].as_str().unwrap());
            let mut body = record["body"].clone();
            // Heat does not read what the client calls the time limit of an adoption.
            let minutes = body.as_object_mut().and_then(|body| body.remove("timeout"));
            if let Some(minutes) = minutes.filter(|minutes| !minutes.is_null()) {
                body["timeout_mins"] = minutes;
            }
            let ours = sent[0].request.json().unwrap_or(Value::Null);
            assert_eq!(normal(ours), normal(body), "{args:?}");
            compared += 1;
        }
    }
    assert!(compared > 55, "{compared}");
}
