use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use super::*;
use crate::Kind;

/// Files in memory.
#[derive(Default)]
pub(crate) struct Memory(pub(crate) BTreeMap<String, String>);

impl Files for Memory {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.0.get(&path.display().to_string()).map(String::as_str) {
            None => Err(io::ErrorKind::NotFound.into()),
            Some("DENIED") => Err(io::ErrorKind::PermissionDenied.into()),
            Some(text) => Ok(text.as_bytes().to_vec()),
        }
    }
}

fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect()
}

fn load(
    files: &[(&str, &str)],
    env: &[(&str, &str)],
    flags: &[(&str, &str)],
) -> Result<Settings, Error> {
    let files = Memory(map(files));
    let (env, flags) = (map(env), map(flags));
    Settings::load(&Sources {
        flags: &flags,
        env: &env,
        files: &files,
        cwd: Path::new("/here"),
    })
}

const ONE: &str = "clouds:\n  one:\n    auth:\n      auth_url: http://k:5000/v3\n      username: alice\n      password: s3cret\n    region_name: North\n";
const TWO: &str =
    "clouds:\n  one: {auth: {auth_url: http://one}}\n  two: {auth: {auth_url: http://two}}\n";

#[test]
fn the_better_source_wins_key_by_key_and_origins_are_told() {
    let settings = load(
        &[
            ("/here/clouds.yaml", ONE),
            (
                "/here/secure.yaml",
                "clouds: {one: {auth: {password: better}}}",
            ),
        ],
        &[
            ("OS_CLOUD", "one"),
            ("OS_USERNAME", "bob"),
            ("OS_REGION_NAME", "East"),
        ],
        &[("region_name", "West")],
    )
    .unwrap();
    assert_eq!(settings.raw("password"), Some("better"));
    assert_eq!(settings.value("username"), Some("bob"));
    assert_eq!(settings.value("region_name"), Some("West"));
    assert_eq!(
        settings.value("password"),
        None,
        "secrets are not given out"
    );
    let shown: Vec<(String, String, String)> = settings
        .shown()
        .into_iter()
        .map(|shown| (shown.name, shown.value, shown.origin))
        .collect();
    let has = |name: &str, value: &str, origin: &str| {
        assert!(
            shown.contains(&(name.into(), value.into(), origin.into())),
            "{name}: {shown:?}"
        );
    };
    has("cloud", "one", "OS_CLOUD");
    has("auth_url", "http://k:5000/v3", "/here/clouds.yaml");
    has("username", "bob", "OS_USERNAME");
    has("password", "***", "/here/secure.yaml");
    has("region_name", "West", "--os-region-name");
    has("interface", "public", "default");
    assert_eq!(settings.warnings().len(), 1, "{:?}", settings.warnings());
    assert!(settings.warnings()[0].contains("OS_USERNAME"));
}

#[test]
fn the_first_file_that_exists_is_the_clouds_file() {
    let home = [
        ("HOME", "/home/a"),
        ("XDG_CONFIG_DIRS", "/opt/x:/opt/y"),
        ("OS_CLOUD", "one"),
    ];
    for (path, env) in [
        ("/here/clouds.yaml", &home[..]),
        ("/here/clouds.yml", &home),
        ("/here/clouds.json", &home),
        ("/home/a/.config/openstack/clouds.yaml", &home),
        (
            "/conf/openstack/clouds.yaml",
            &[("XDG_CONFIG_HOME", "/conf"), ("OS_CLOUD", "one")],
        ),
        ("/opt/y/openstack/clouds.yaml", &home),
        ("/etc/openstack/clouds.yml", &home),
    ] {
        let json = r#"{"clouds": {"one": {"auth": {"auth_url": "http://k:5000/v3", "project_id": 12345678901234567890123}}}}"#;
        let text = if path.ends_with("json") { json } else { ONE };
        let settings = load(
            &[(path, text), ("/etc/openstack/clouds.json", "{}")],
            env,
            &[],
        )
        .unwrap();
        assert_eq!(settings.origin("auth_url"), Some(path));
        if path.ends_with("json") {
            assert_eq!(
                settings.value("project_id"),
                Some("12345678901234567890123")
            );
        }
    }
}

#[test]
fn which_cloud() {
    let files = [("/here/clouds.yaml", TWO)];
    let url = |env: &[(&str, &str)], flags: &[(&str, &str)]| {
        load(&files, env, flags).map(|settings| settings.value("auth_url").map(str::to_owned))
    };
    let is = |text: &str| Some(text.to_owned());
    assert_eq!(
        url(&[("OS_CLOUD", "one")], &[("cloud", "two")]).unwrap(),
        is("http://two")
    );
    assert_eq!(
        url(&[("OS_CLOUD", "one"), ("OS_AUTH_URL", "http://env")], &[]).unwrap(),
        is("http://env")
    );
    assert_eq!(
        url(&[("OS_AUTH_URL", "http://env")], &[]).unwrap(),
        is("http://env")
    );
    assert_eq!(
        url(&[("OS_CLOUD", "")], &[("auth_url", "http://flag")]).unwrap(),
        is("http://flag")
    );
    assert_eq!(
        url(&[("OS_AUTH_URL", "http://env")], &[("cloud", "envvars")]).unwrap(),
        is("http://env")
    );
    let error = url(&[], &[]).unwrap_err();
    assert!(
        error.chain().contains("one, two") && error.kind() == Kind::Config,
        "{}",
        error.chain()
    );
    let error = url(&[("OS_CLOUD", "three")], &[]).unwrap_err();
    assert!(error.to_string().contains("three") && error.hint().unwrap().contains("one, two"));
    let only = load(&[("/here/clouds.yaml", ONE)], &[], &[]).unwrap();
    assert_eq!(only.value("cloud"), Some("one"));
    let error = load(&[], &[], &[]).unwrap_err();
    assert!(
        error.to_string().contains("no clouds.yaml") && error.hint().unwrap().contains("/here")
    );
}

#[test]
fn broken_files_are_named_with_line_and_column() {
    for (files, env, expected) in [
        (
            &[("/here/clouds.yaml", "clouds:\n  one: [1, 2\n")][..],
            &[][..],
            "/here/clouds.yaml:3:1: ",
        ),
        (
            &[("/here/clouds.yaml", "clouds:\n\tone: 1\n")],
            &[],
            "/here/clouds.yaml:2:1: ",
        ),
        (
            &[("/here/clouds.json", "{\"clouds\":\n {,}}")],
            &[],
            "/here/clouds.json:2:3: ",
        ),
        (
            &[("/here/clouds.yaml", "clouds: 5")],
            &[],
            "/here/clouds.yaml: clouds is not a mapping",
        ),
        (
            &[("/here/clouds.yaml", "clouds: {one: 5}")],
            &[],
            "cloud one is not a mapping",
        ),
        (
            &[("/here/clouds.yaml", "clouds: {one: {auth: 5}}")],
            &[],
            "auth of cloud one is not a mapping",
        ),
        (
            &[("/here/clouds.yaml", "- a")],
            &[],
            "/here/clouds.yaml is not a mapping",
        ),
        (
            &[],
            &[("OS_CLIENT_CONFIG_FILE", "/no/file")],
            "cannot read /no/file (OS_CLIENT_CONFIG_FILE)",
        ),
        (
            &[("/f", "DENIED")],
            &[("OS_CLIENT_CONFIG_FILE", "/f")],
            "cannot read /f (OS_CLIENT_CONFIG_FILE)",
        ),
        (
            &[("/here/clouds.yaml", ONE)],
            &[("OS_CLIENT_SECURE_FILE", "/no/s")],
            "cannot read /no/s (OS_CLIENT_SECURE_FILE)",
        ),
    ] {
        let error = load(files, env, &[]).unwrap_err();
        assert!(error.to_string().contains(expected), "{error} / {expected}");
        assert_eq!(error.kind(), Kind::Config);
    }
}

#[test]
fn values_are_text_and_every_spelling_is_one_key() {
    let text = "\u{feff}clouds:\r\n  one:\r\n    auth:\r\n      auth-url: http://k\r\n      tenant_id: 0012345678901234567890\r\n      user-name: x\r\n    endpoint-type: internalURL\r\n    verify: no\r\n    project_name: top\r\n";
    let settings = load(&[("/here/clouds.yaml", text)], &[], &[]).unwrap();
    assert_eq!(settings.value("auth_url"), Some("http://k"));
    assert_eq!(settings.value("project_id"), Some("0012345678901234567890"));
    assert_eq!(settings.value("username"), Some("x"));
    assert_eq!(settings.value("interface"), Some("internalURL"));
    assert_eq!(settings.value("project_name"), Some("top"));
    assert!(settings.is_insecure());
}

#[test]
fn duplicate_keys_warn_with_the_line_that_wins() {
    let text = "clouds:\n  one:\n    region_name: A\n    region_name: B\n";
    let settings = load(&[("/here/clouds.yaml", text)], &[], &[]).unwrap();
    assert_eq!(settings.value("region_name"), Some("B"));
    assert_eq!(settings.warnings().len(), 1);
    assert!(
        settings.warnings()[0].starts_with("/here/clouds.yaml:4:5: "),
        "{:?}",
        settings.warnings()
    );
}

#[test]
fn the_better_source_decides_between_insecure_and_verify() {
    for (entry, flags, insecure) in [
        ("insecure: true", &[][..], true),
        ("insecure: 'false'", &[], false),
        ("verify: 'false'", &[], true),
        ("verify: false", &[("verify", "true")][..], false),
        ("insecure: true", &[("verify", "true")], false),
        ("verify: true", &[("insecure", "true")], true),
        ("{}", &[], false),
    ] {
        let text = format!("clouds: {{one: {{{entry}}}}}").replace("{{}}", "{}");
        let settings = load(&[("/here/clouds.yaml", &text)], &[], flags).unwrap();
        assert_eq!(settings.is_insecure(), insecure, "{entry} {flags:?}");
    }
    let error = load(
        &[("/here/clouds.yaml", "clouds: {one: {verify: maybe}}")],
        &[],
        &[],
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "verify (/here/clouds.yaml) is neither true nor false: maybe"
    );
}

#[test]
fn regions_profiles_and_templates() {
    let text = "clouds:\n  one:\n    profile: vendor\n    auth: {auth_url: 'https://{region_name}.k/v3'}\n    regions:\n    - name: A\n      values: {interface: internal}\n    - B\n";
    let public = "public-clouds:\n  vendor:\n    auth: {auth_url: http://v, user_domain_id: d}\n    region_name: V\n";
    let files = [
        ("/here/clouds.yaml", text),
        ("/etc/openstack/clouds-public.yaml", public),
    ];
    let first = load(&files, &[], &[]).unwrap();
    assert_eq!(first.value("region_name"), Some("A"));
    assert_eq!(first.value("interface"), Some("internal"));
    assert_eq!(first.value("auth_url"), Some("https://A.k/v3"));
    assert_eq!(first.value("user_domain_id"), Some("d"));
    let second = load(&files, &[("OS_REGION_NAME", "B")], &[]).unwrap();
    assert_eq!(
        (second.value("auth_url"), second.value("interface")),
        (Some("https://B.k/v3"), Some("public"))
    );
    let error = load(&files, &[], &[("region_name", "C")]).unwrap_err();
    assert!(
        error.to_string().contains("region C") && error.hint().unwrap().ends_with("lists: A, B")
    );
    let error = load(&files[..1], &[], &[]).unwrap_err();
    assert!(
        error.to_string().starts_with("profile vendor is not in"),
        "{error}"
    );
}

#[test]
fn per_service_keys_go_by_source_then_by_name() {
    let text = "clouds:\n  one:\n    share_endpoint_override: http://share\n    sharev2_endpoint_override: http://sharev2\n    orchestration_endpoint: http://plain\n";
    let of = |env: &[(&str, &str)], flags: &[(&str, &str)]| {
        let settings = load(&[("/here/clouds.yaml", text)], env, flags).unwrap();
        let suffixes = ["endpoint_override", "endpoint"];
        let found = |service| {
            settings
                .of_service(service, &suffixes, Some("endpoint_override"))
                .map(|held| held.text().to_owned())
        };
        (
            found(&crate::SHARED_FILE_SYSTEM).unwrap(),
            found(&crate::ORCHESTRATION).unwrap(),
        )
    };
    let is = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(of(&[], &[]), is("http://sharev2", "http://plain"));
    assert_eq!(
        of(&[("OS_MANILA_BYPASS_URL", "http://bypass")], &[]),
        is("http://bypass", "http://plain")
    );
    assert_eq!(
        of(&[("OS_ENDPOINT_OVERRIDE", "http://env")], &[]),
        is("http://env", "http://env")
    );
    assert_eq!(
        of(
            &[("OS_MANILA_BYPASS_URL", "http://b")],
            &[("endpoint_override", "http://flag")]
        ),
        is("http://flag", "http://flag")
    );
}

#[test]
fn debug_shows_no_values() {
    let settings = load(&[("/here/clouds.yaml", ONE)], &[], &[]).unwrap();
    let shown = format!("{settings:?} {:?}", settings.values);
    assert!(
        !shown.contains("s3cret") && !shown.contains("alice"),
        "{shown}"
    );
}

#[test]
fn version_two_of_the_identity_api_is_refused_by_name() {
    let error = load(
        &[("/here/clouds.yaml", ONE)],
        &[("OS_IDENTITY_API_VERSION", "2.0")],
        &[],
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "identity API version 2.0 (OS_IDENTITY_API_VERSION) is not supported, only 3 is"
    );
}
