//! Every answer of the model has the keys, the types, the status and the headers of the recorded one.

mod heat;
mod keystone;
mod manila;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::client::Got;

/// One recorded exchange: the last answer in the file.
struct Recorded {
    status: u16,
    headers: Vec<String>,
    body: String,
}

fn recorded(name: &str) -> Recorded {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures")
        .join(name);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|_| panic!("{}", path.display()))
        .replace("\r\n", "\n");
    let start = text.rfind("\nHTTP/1.1 ").unwrap() + 1;
    let (head, body) = text[start..].split_once("\n\n").unwrap();
    let mut lines = head.lines();
    let status = lines
        .next()
        .unwrap()
        .split(' ')
        .nth(1)
        .unwrap()
        .parse()
        .unwrap();
    let headers = lines.map(|line| line.split(':').next().unwrap().to_ascii_lowercase());
    Recorded {
        status,
        headers: headers.collect(),
        body: body.trim().to_owned(),
    }
}

/// Each path in a value with its type. Where it is null, nothing is known; of lists, all elements together.
fn shape(value: &Value, path: &str, into: &mut BTreeMap<String, &'static str>) {
    let kind = match value {
        Value::Null => "",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(all) => {
            all.iter()
                .for_each(|one| shape(one, &format!("{path}[]"), into));
            "list"
        }
        Value::Object(fields) => {
            fields
                .iter()
                .for_each(|(key, one)| shape(one, &format!("{path}.{key}"), into));
            "object"
        }
    };
    let known = into.entry(path.to_owned()).or_default();
    if known.is_empty() {
        *known = kind;
    }
}

fn same(name: &str, got: &Got, except: &[&str]) {
    let wanted = recorded(name);
    assert_eq!(
        got.status,
        wanted.status,
        "{name}: {}",
        String::from_utf8_lossy(&got.body)
    );
    let mut headers: Vec<&str> = wanted
        .headers
        .iter()
        .map(String::as_str)
        .filter(|header| *header != "connection")
        .collect();
    let mut ours: Vec<&str> = got
        .headers
        .iter()
        .map(|(name, _)| name.as_str())
        .filter(|header| *header != "connection")
        .collect();
    headers.sort_unstable();
    ours.sort_unstable();
    assert_eq!(ours, headers, "{name}");
    if wanted.body.is_empty() || !wanted.body.starts_with(['{', 'n']) {
        assert_eq!(
            String::from_utf8_lossy(&got.body).trim(),
            wanted.body,
            "{name}"
        );
        return;
    }
    let (mut ours, mut theirs) = (BTreeMap::new(), BTreeMap::new());
    shape(&got.json(), "", &mut ours);
    shape(
        &serde_json::from_str(&wanted.body).unwrap(),
        "",
        &mut theirs,
    );
    for shape in [&mut ours, &mut theirs] {
        shape.retain(|path, _| !except.iter().any(|part| path.starts_with(part)));
    }
    assert_eq!(
        ours.keys().collect::<Vec<_>>(),
        theirs.keys().collect::<Vec<_>>(),
        "{name}"
    );
    for (path, kind) in theirs {
        let our = ours.get(&path).copied().unwrap_or_default();
        assert!(
            our == kind || our.is_empty() || kind.is_empty(),
            "{name}: {path} is {our}, not {kind}"
        );
    }
}

/// The same text, too.
fn exactly(name: &str, got: &Got) {
    same(name, got, &[]);
    let wanted: Value = serde_json::from_str(&recorded(name).body).unwrap();
    assert_eq!(got.json(), wanted, "{name}");
}
