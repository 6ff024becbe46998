//! What osc-lib, openstacksdk and keystoneauth make of hundreds of configurations, and what we make of them.
//!
//! `tests/differential/cases.jsonl` was written by `tests/differential/generate.py`. Every difference must be one of
//! those listed in `docs/clouds.md`, or this fails.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::auth::Auth;
use crate::discovery::{Start, start};
use crate::settings::tests::Memory;
use crate::{Error, ORCHESTRATION, SETTINGS, SHARED_FILE_SYSTEM, Service, Settings, Sources};

const CASES: &str = include_str!("../tests/differential/cases.jsonl");
const DOCS: &str = include_str!("../../../docs/clouds.md");

#[test]
fn every_difference_with_the_python_clients_is_intended_and_documented() {
    let mut lines = CASES
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let head = lines.next().unwrap();
    assert!(
        head["versions"]["osc-lib"].is_string(),
        "the first line has the versions"
    );
    let (mut count, mut same, mut reasons, mut unexplained) =
        (0, 0, BTreeMap::<&str, u32>::new(), Vec::new());
    for case in lines {
        count += 1;
        let ours = resolve(&case);
        let theirs = &case["expected"];
        let differing = differing(theirs, &ours);
        if differing.is_empty() {
            same += 1;
            continue;
        }
        match intended(&case, theirs, &ours, &differing) {
            Some(reason) => *reasons.entry(reason).or_default() += 1,
            None => unexplained.push(format!(
                "{differing:?}\n  case   {case}\n  theirs {theirs}\n  ours   {ours}"
            )),
        }
    }
    assert!(
        unexplained.is_empty(),
        "{} of {count}:\n{}",
        unexplained.len(),
        unexplained.join("\n")
    );
    assert!(
        count >= 400 && same * 2 > count,
        "{same} of {count} are the same; intended: {reasons:?}"
    );
    for reason in reasons.keys() {
        assert!(
            DOCS.contains(&format!("`{reason}`")),
            "docs/clouds.md does not explain {reason}"
        );
    }
}

fn differing(theirs: &Value, ours: &Value) -> BTreeSet<String> {
    let (theirs, ours) = (theirs.as_object().unwrap(), ours.as_object().unwrap());
    if theirs.contains_key("error") && ours.contains_key("error") {
        return BTreeSet::new();
    }
    // The name of the cloud and of the type are how, not what.
    let keys = theirs
        .keys()
        .chain(ours.keys())
        .filter(|key| !["cloud", "auth_type"].contains(&key.as_str()));
    keys.filter(|key| theirs.get(*key) != ours.get(*key))
        .cloned()
        .collect()
}

/// The name of the difference in docs/clouds.md.
fn intended(
    case: &Value,
    theirs: &Value,
    ours: &Value,
    differing: &BTreeSet<String>,
) -> Option<&'static str> {
    let _ = (case, theirs, ours, differing);
    None
}

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value
        .pointer(pointer)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

fn resolve(case: &Value) -> Value {
    match of_case(case) {
        Ok(found) => found,
        Err(error) => json!({"error": error.chain()}),
    }
}

fn of_case(case: &Value) -> Result<Value, Error> {
    let strings = |key: &str| -> BTreeMap<String, String> {
        let map = case[key].as_object().cloned().unwrap_or_else(Map::new);
        let word = |value: Value| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned)
        };
        map.into_iter()
            .map(|(key, value)| (key, word(value)))
            .collect()
    };
    let (mut env, mut files) = (strings("env"), Memory::default());
    for (key, variable) in [
        ("clouds", "OS_CLIENT_CONFIG_FILE"),
        ("secure", "OS_CLIENT_SECURE_FILE"),
        ("public", ""),
    ] {
        if let Some(content) = case[key].as_str() {
            let name = if key == "public" {
                "clouds-public"
            } else {
                key
            };
            let path = format!("/FOLDER/{name}.yaml");
            files.0.insert(path.clone(), content.to_owned());
            if !variable.is_empty() {
                env.insert(variable.to_owned(), path);
            }
        }
    }
    let named = |option: &str| {
        SETTINGS
            .iter()
            .find(|setting| setting.flag.contains(&option))
            .unwrap()
            .name
            .to_owned()
    };
    let flags: BTreeMap<String, String> = strings("flags")
        .into_iter()
        .map(|(option, value)| (named(&option), value))
        .collect();
    let settings = Settings::load(&Sources {
        flags: &flags,
        env: &env,
        files: &files,
        cwd: Path::new("/nowhere"),
    })?;
    let of = |service: &Service, suffixes: &[&str], general: Option<&str>| {
        settings
            .of_service(service, suffixes, general)
            .map(|held| held.text().to_owned())
    };
    let overridden = ["endpoint_override", "endpoint"];
    let mut found = json!({
        "region": of(&ORCHESTRATION, &["region_name"], Some("region_name")),
        "interface": of(&ORCHESTRATION, &["interface"], Some("interface")),
        "verify": if settings.is_insecure() { json!(false) } else { settings.raw("cacert").map_or(json!(true), Value::from) },
        "cert": match (settings.raw("cert"), settings.raw("key")) {
            (Some(cert), Some(key)) => json!([cert, key]),
            (cert, _) => json!(cert),
        },
        "heat": of(&ORCHESTRATION, &overridden, None),
        "manila": of(&SHARED_FILE_SYSTEM, &overridden, None),
    });
    match Auth::read(&settings, &mut Vec::new())? {
        Auth::Keystone(keystone) => {
            let base = match start(&keystone.auth_url) {
                Start::Known(base) => base,
                Start::Ask(asked) => format!("{asked}/v3"),
            };
            found["url"] = json!(format!("{base}/auth/tokens"));
            found["body"] = keystone.body(None);
        }
        Auth::Fixed { endpoint, .. } => found["endpoint"] = json!(endpoint),
    }
    Ok(found)
}
