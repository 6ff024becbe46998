//! The first inputs of each target, from what was recorded for other tests.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::files;
use crate::tools::{Failure, root};

/// The seeds of a target.
pub(super) fn of(name: &str) -> Result<Vec<Vec<u8>>, Failure> {
    Ok(match name {
        "yaml11" => column("crates/yaml11/tests/cases.jsonl", &[1])?,
        "clouds" => clouds()?,
        "template" => templates()?,
        "heat" => bodies("heat")?.into_iter().chain(message()).collect(),
        "manila" => bodies("manila")?
            .into_iter()
            .flat_map(|body| (0..11).map(move |kind| [&[kind], &*body].concat()))
            .collect(),
        // The recorded catalogs are longer than inputs may be.
        "keystone" => bodies("keystone")?
            .into_iter()
            .chain(texts(KEYSTONE))
            .collect(),
        "reply" => replies()?,
        "retry_after" => pairs(&["7", "0", "-1", "1.5", DATE, "soon"], &[DATE, LATER, ""]),
        "time" => texts(&[
            "2031-03-04T10:00:05",
            "2031-03-04T10:00:04Z",
            "2031-03-04T12:00:06+02:00",
            "2031-03-04T04:30:06-0530",
            "2031-03-04T10:00:06.250000",
            "2031-03-04 10:00:06",
            "2031-03-04",
            "-009999-01-01T00:00:00Z",
        ]),
        "duration" => texts(&[
            "90s",
            "5m",
            "1h30m",
            "500ms",
            "1.5s",
            "90",
            "none",
            "1h 5m 3s",
            "1e3",
            "-5",
            "inf",
            "PT1H",
            "2 days ago",
        ]),
        "goal" => pairs(
            &[
                "complete",
                "deleted",
                "create",
                "UPDATE_COMPLETE",
                "available",
                "status=error",
                "replica_state=in_sync",
            ],
            &["", "size=2", "=", "disable_rollback=true"],
        ),
        "url" => column("tests/fixtures/heat_template/urls.jsonl", &[1, 2])?,
        "printable" => texts(&[
            "web",
            "a\u{1b}[31mb",
            "\u{202e}x",
            "a\r\n\tb",
            "\u{1f469}\u{200d}\u{1f680}",
            "\u{e0041}",
        ]),
        _ => Vec::new(),
    })
}

const KEYSTONE: &[&str] = &[
    r#"{"token": {"issued_at": "2031-01-01T09:00:00.000000Z", "expires_at": "2031-01-01T10:00:00Z", "project": {"id": "p"},
        "catalog": [{"type": "orchestration", "name": "heat", "endpoints": [
        {"interface": "public", "region": "RegionOne", "url": "http://h/v1/p/"}]}]}}"#,
    r#"{"token": {}}"#,
    r#"{"versions": {"values": [{"id": "v3.14", "links": [{"rel": "self", "href": "http://k/v3/"}]}]}}"#,
    r#"{"version": {"id": "v3", "links": [{"rel": "self", "href": "/identity/v3"}]}}"#,
];

const DATE: &str = "Tue, 04 Mar 2031 10:00:10 GMT";
const LATER: &str = "Tue, 04 Mar 2031 10:00:40 GMT";

fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

fn pairs(firsts: &[&str], seconds: &[&str]) -> Vec<Vec<u8>> {
    let pair = |first: &&str| {
        seconds
            .iter()
            .map(move |second| joined(&[first, second]))
            .collect::<Vec<_>>()
    };
    firsts.iter().flat_map(pair).collect()
}

/// Parts of one input.
fn joined(parts: &[&str]) -> Vec<u8> {
    parts.join("\0").into_bytes()
}

fn text(path: &Path) -> Result<String, Failure> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn lines(path: &str) -> Result<Vec<Value>, Failure> {
    let text = text(&root().join(path))?;
    let lines = text.lines().map(serde_json::from_str);
    lines
        .collect::<Result<_, _>>()
        .map_err(|error| format!("{path}: {error}"))
}

/// These members of each line, a list of texts, as the parts of an input.
fn column(path: &str, members: &[usize]) -> Result<Vec<Vec<u8>>, Failure> {
    let part = |line: &Value| {
        let parts = members
            .iter()
            .map(|&member| line.get(member).and_then(Value::as_str).unwrap_or_default());
        joined(&parts.collect::<Vec<_>>())
    };
    Ok(lines(path)?.iter().map(part).collect())
}

fn clouds() -> Result<Vec<Vec<u8>>, Failure> {
    let part = |case: &Value| {
        let member = |name: &str| {
            case.get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let env = case
            .get("env")
            .and_then(Value::as_object)
            .into_iter()
            .flatten();
        let env: Vec<String> = env
            .map(|(name, value)| format!("{name}={}", value.as_str().unwrap_or_default()))
            .collect();
        joined(&[
            &member("clouds"),
            &member("secure"),
            &member("public"),
            &env.join("\n"),
        ])
    };
    Ok(lines("crates/identity/tests/differential/cases.jsonl")?
        .iter()
        .map(part)
        .collect())
}

/// The templates of the tests as the first, second and third file, each beside small ones.
fn templates() -> Result<Vec<Vec<u8>>, Failure> {
    let small = "heat_template_version: 2021-04-16\nresources: {a: {type: u.yaml, properties: {b: {get_file: v.sh}}}}\n";
    let registry = "resource_registry: {A: u.yaml}\nparameters: {a: 1}\n";
    let base = root().join("tests/fixtures/heat_template/files");
    let mut found = vec![
        joined(&[small, small, registry, "echo", "a=1;b=2", "pre/*"]),
        joined(&["{}", "", "", "", "", "!"]),
    ];
    for folder in ["", "env", "nested"] {
        for file in files(&base.join(folder))?
            .iter()
            .filter(|file| file.is_file())
        {
            let own = text(file)?;
            found.push(joined(&[&own, small, registry, "echo"]));
            found.push(joined(&[small, &own, &own, "echo"]));
        }
    }
    Ok(found)
}

/// The recorded answers of a service, without curl's own line and the status line's version.
fn recorded(service: &str) -> Result<Vec<String>, Failure> {
    let files = files(&root().join("tests/sim/fixtures").join(service))?;
    let answers = files
        .iter()
        .filter(|file| file.extension().is_some_and(|ending| ending == "txt"));
    answers
        .map(|file| {
            let text = text(file)?.replace("\r\n", "\n");
            let start = text.find("HTTP/1.").unwrap_or_default();
            Ok(text.get(start..).unwrap_or_default().trim_end().to_owned())
        })
        .collect()
}

fn bodies(service: &str) -> Result<Vec<Vec<u8>>, Failure> {
    let recorded = recorded(service)?;
    let bodies = recorded
        .iter()
        .filter_map(|answer| answer.split_once("\n\n"));
    Ok(bodies.map(|(_, body)| body.as_bytes().to_vec()).collect())
}

fn replies() -> Result<Vec<Vec<u8>>, Failure> {
    let mut found = Vec::new();
    for service in ["heat", "keystone", "manila"] {
        found.extend(recorded(service)?.into_iter().map(String::into_bytes));
    }
    Ok(found)
}

/// A notification as Heat sends it.
fn message() -> Vec<Vec<u8>> {
    texts(&[
        r#"{"body": {"timestamp": "2031-03-04T10:00:05", "payload": {"resource_name": "web", "stack_id": "s1",
        "physical_resource_id": "s1", "resource_action": "CREATE", "resource_status": "COMPLETE"}}}"#,
    ])
}
