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
        let found: Option<Vec<&str>> = differing
            .iter()
            .map(|key| intended(key, &case, theirs, &ours))
            .collect();
        match found {
            Some(found) => found
                .into_iter()
                .for_each(|reason| *reasons.entry(reason).or_default() += 1),
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

/// The name in docs/clouds.md of why this key differs.
fn intended(key: &str, case: &Value, theirs: &Value, ours: &Value) -> Option<&'static str> {
    let their_error = theirs["error"].as_str().unwrap_or_default();
    let our_error = ours["error"].as_str().unwrap_or_default();
    let clouds = case["clouds"].as_str().unwrap_or_default();
    if their_error.contains("unexpected keyword argument") {
        return Some("leftovers");
    }
    if their_error.contains("only unique within a domain") {
        return Some("default-domain");
    }
    if their_error.contains("is not a valid region name") {
        return Some("region-given");
    }
    if their_error.contains("Missing value auth-url") && case["env"].get("OS_AUTH_URL").is_none() {
        return Some("own-cloud");
    }
    let has = |names: &[&str]| {
        ["env", "flags"]
            .iter()
            .any(|from| names.iter().any(|name| case[*from].get(*name).is_some()))
    };
    if their_error.contains("required attribute") && !has(&["OS_AUTH_URL", "OS_CLOUD", "os-cloud"])
    {
        return Some("own-cloud");
    }
    if our_error.contains("username is missing") {
        return Some("no-user");
    }
    let words = ["verify: 'false'", "insecure: 'yes'"];
    if key == "verify"
        && ours[key] == json!(false)
        && words.iter().any(|word| clouds.contains(word))
    {
        return Some("words");
    }
    let given = ["env", "flags"].iter().any(|source| {
        let names = [
            "OS_REGION_NAME",
            "OS_INTERFACE",
            "os-region-name",
            "os-interface",
        ];
        names.iter().any(|name| case[*source].get(*name).is_some())
    });
    if (key == "region" || key == "interface")
        && given
        && clouds.contains(&format!("orchestration_{key}"))
    {
        return Some("service-keys");
    }
    if key == "interface" && clouds.contains("endpoint_type") {
        return Some("endpoint-type");
    }
    if key != "body" {
        return None;
    }
    let (theirs, ours) = (&theirs["body"], &ours["body"]);
    let at = |body: &Value, pointer: &str| body.pointer(pointer).cloned().unwrap_or_default();
    // What explains each part that differs; the rest must be the same.
    let (mut left, mut found) = (theirs.clone(), None);
    let mut explain = |pointer: &str, reason, holds: bool| {
        if holds && at(theirs, pointer) != at(ours, pointer) {
            if let (Some(part), Some(new)) = (left.pointer_mut(pointer), ours.pointer(pointer)) {
                *part = new.clone();
                found = Some(reason);
            }
        }
    };
    let secure = at(ours, "/auth/identity/password/user/password") == "secure-pw";
    explain(
        "/auth/identity/password/user/password",
        "secure-file",
        secure,
    );
    explain(
        "/auth/scope/project/id",
        "digits",
        at(theirs, "/auth/scope/project/id") == "10" && clouds.contains(": 0012"),
    );
    let dashes = ["project-name", "project-id", "tenant-name", "tenant-id"]
        .iter()
        .any(|name| clouds.contains(name));
    let given = has(&[
        "OS_PROJECT_NAME",
        "OS_TENANT_NAME",
        "OS_PROJECT_ID",
        "os-project-name",
        "os-project-id",
    ]);
    explain("/auth/scope/project/name", "dashes", dashes && given);
    explain("/auth/scope/project/id", "dashes", dashes && given);
    let nearer = (clouds.contains("domain_id") || clouds.contains("domain-id"))
        && has(&["os-user-domain-name", "OS_USER_DOMAIN_NAME"]);
    explain(
        "/auth/identity/password/user/domain",
        "nearer-domain",
        nearer,
    );
    explain("/auth/identity/totp/user/domain", "nearer-domain", nearer);
    if ours
        .pointer("/auth/identity/application_credential")
        .is_some()
        && ours.pointer("/auth/scope").is_none()
    {
        if let Some(auth) = left.pointer_mut("/auth").and_then(Value::as_object_mut) {
            auth.remove("scope");
            found = Some("credential-scope");
        }
    }
    if same_but_default_domains(&left, ours) {
        found.or(Some("default-domain"))
    } else {
        None
    }
}

/// Whether only domains differ that Python leaves out, or takes from the option's own default.
fn same_but_default_domains(theirs: &Value, ours: &Value) -> bool {
    let defaults = [
        json!(null),
        json!({"id": "default"}),
        json!({"id": "other-default"}),
    ];
    let mut filled = theirs.clone();
    for pointer in [
        "/auth/identity/password/user",
        "/auth/identity/totp/user",
        "/auth/scope/project",
    ] {
        let domain = format!("{pointer}/domain");
        let is_default = defaults.contains(theirs.pointer(&domain).unwrap_or(&Value::Null));
        let map = filled.pointer_mut(pointer).and_then(Value::as_object_mut);
        if let (true, Some(new), Some(map)) = (is_default, ours.pointer(&domain), map) {
            map.insert("domain".to_owned(), new.clone());
        }
    }
    filled == *ours
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
