use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::settings::tests::Memory;
use crate::{Kind, Sources};

fn settings(pairs: &[(&str, &str)]) -> Settings {
    let flags: BTreeMap<String, String> = pairs
        .iter()
        .chain(&[("auth_url", "http://k:5000/v3")])
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .rev()
        .collect();
    let env = BTreeMap::new();
    Settings::load(&Sources {
        flags: &flags,
        env: &env,
        files: &Memory::default(),
        cwd: Path::new("/"),
    })
    .unwrap()
}

fn body(pairs: &[(&str, &str)]) -> Value {
    match Auth::read(&settings(pairs), &mut Vec::new()) {
        Ok(Auth::Keystone(keystone)) => keystone.body(None)["auth"].clone(),
        other => panic!("{other:?}"),
    }
}

fn error(pairs: &[(&str, &str)]) -> Error {
    let error = Auth::read(&settings(pairs), &mut Vec::new()).unwrap_err();
    assert_eq!(error.kind(), Kind::Config);
    error
}

const ALICE: [(&str, &str); 2] = [("username", "alice"), ("password", "pw")];

#[test]
fn bodies_of_every_method() {
    let domain = json!({"id": "default"});
    for (pairs, expected) in [
        (
            &[
                ("username", "alice"),
                ("password", "pw"),
                ("project_name", "p"),
            ][..],
            json!({
                "identity": {"methods": ["password"], "password": {"user": {"name": "alice", "domain": domain, "password": "pw"}}},
                "scope": {"project": {"name": "p", "domain": domain}},
            }),
        ),
        (
            &[
                ("user_id", "u1"),
                ("password", "pw"),
                ("project_id", "p1"),
                ("auth_type", "v3password"),
            ],
            json!({
                "identity": {"methods": ["password"], "password": {"user": {"id": "u1", "password": "pw"}}},
                "scope": {"project": {"id": "p1"}},
            }),
        ),
        (
            &[("token", "t"), ("domain_name", "d")],
            json!({"identity": {"methods": ["token"], "token": {"id": "t"}}, "scope": {"domain": {"name": "d"}}}),
        ),
        (
            &[
                ("application_credential_id", "a"),
                ("application_credential_secret", "s"),
                ("project_name", "left out"),
            ],
            json!({"identity": {"methods": ["application_credential"], "application_credential": {"id": "a", "secret": "s"}}}),
        ),
        (
            &[
                ("auth_type", "v3applicationcredential"),
                ("application_credential_name", "a"),
                ("application_credential_secret", "s"),
                ("username", "alice"),
                ("user_domain_name", "D"),
            ],
            json!({"identity": {"methods": ["application_credential"], "application_credential":
                {"name": "a", "secret": "s", "user": {"name": "alice", "domain": {"name": "D"}}}}}),
        ),
        (
            &[
                ("auth_type", "v3totp"),
                ("user_id", "u"),
                ("passcode", "012345"),
                ("system_scope", "all"),
            ],
            json!({
                "identity": {"methods": ["totp"], "totp": {"user": {"id": "u", "passcode": "012345"}}},
                "scope": {"system": {"all": true}},
            }),
        ),
        (
            &[
                ("auth_type", "v3multifactor"),
                ("auth_methods", "v3password,v3totp"),
                ("user_id", "u"),
                ("password", "pw"),
                ("passcode", "1"),
                ("trust_id", "t"),
            ],
            json!({
                "identity": {"methods": ["password", "totp"], "password": {"user": {"id": "u", "password": "pw"}},
                    "totp": {"user": {"id": "u", "passcode": "1"}}},
                "scope": {"OS-TRUST:trust": {"id": "t"}},
            }),
        ),
    ] {
        assert_eq!(body(pairs), expected, "{pairs:?}");
    }
}

#[test]
fn a_domain_beside_a_project_is_that_of_both() {
    let made = body(&[
        ALICE[0],
        ALICE[1],
        ("project_name", "p"),
        ("domain_id", "d"),
        ("project_domain_name", "PD"),
    ]);
    assert_eq!(
        made["identity"]["password"]["user"]["domain"],
        json!({"id": "d"})
    );
    assert_eq!(
        made["scope"],
        json!({"project": {"name": "p", "domain": {"name": "PD"}}})
    );
}

#[test]
fn the_default_domain_fills_both() {
    let made = body(&[
        ALICE[0],
        ALICE[1],
        ("project_name", "p"),
        ("default_domain", "dd"),
    ]);
    assert_eq!(
        made["identity"]["password"]["user"]["domain"],
        json!({"id": "dd"})
    );
    assert_eq!(made["scope"]["project"]["domain"], json!({"id": "dd"}));
}

#[test]
fn what_is_missing_or_too_much_is_named() {
    for (pairs, expected) in [
        (
            &[][..],
            "username is missing, which auth_type password needs",
        ),
        (
            &[("username", "a")],
            "password is missing, which auth_type password needs",
        ),
        (
            &[
                ALICE[0],
                ALICE[1],
                ("system_scope", "all"),
                ("project_name", "p"),
            ],
            "given are project_name (--os-project-name) and system_scope",
        ),
        (
            &[ALICE[0], ALICE[1], ("system_scope", "some")],
            "system_scope (--os-system-scope) can be nothing but all: some",
        ),
        (
            &[("auth_type", "v3kerberos")],
            "auth_type v3kerberos (--os-auth-type) is not supported",
        ),
        (
            &[("auth_type", "v2password")],
            "auth_type v2password (--os-auth-type) is not supported",
        ),
        (
            &[("auth_type", "passwort")],
            "auth_type passwort (--os-auth-type) is not known",
        ),
        (
            &[("auth_type", "v3multifactor"), ("auth_methods", "fax")],
            "auth_methods: fax is not supported",
        ),
        (
            &[
                ("auth_type", "v3applicationcredential"),
                ("application_credential_secret", "s"),
            ],
            "application_credential_id is missing",
        ),
        (
            &[
                ("auth_type", "v3oidcpassword"),
                ("username", "a"),
                ("password", "p"),
            ],
            "access_token_endpoint and discovery_endpoint are missing",
        ),
        (
            &[ALICE[0], ALICE[1], ("auth_url", "keystone:5000")],
            "auth_url (--os-auth-url) is not a URL: keystone:5000",
        ),
    ] {
        let error = error(pairs);
        assert!(error.to_string().contains(expected), "{error} / {expected}");
    }
    assert!(
        error(&[("username", "a")])
            .hint()
            .unwrap()
            .contains("OS_PASSWORD")
    );
}

#[test]
fn a_scope_beside_an_application_credential_is_left_out_with_a_warning() {
    let mut warnings = Vec::new();
    let settings = settings(&[
        ("application_credential_id", "a"),
        ("application_credential_secret", "s"),
        ("project_name", "p"),
    ]);
    Auth::read(&settings, &mut warnings).unwrap();
    assert_eq!(
        warnings,
        [
            "an application credential works in its own project; left out: project_name (--os-project-name)"
        ]
    );
}

#[test]
fn types_without_keystone() {
    let fixed =
        |pairs: &[(&str, &str)]| match Auth::read(&settings(pairs), &mut Vec::new()).unwrap() {
            Auth::Fixed { endpoint, header } => (
                endpoint,
                header.map(|(name, value)| (name, value.reveal().to_owned())),
            ),
            other => panic!("{other:?}"),
        };
    let at = Some("http://e/v1".to_owned());
    assert_eq!(
        fixed(&[("auth_type", "none"), ("endpoint", "http://e/v1/")]),
        (at.clone(), None)
    );
    assert_eq!(
        fixed(&[
            ("auth_type", "admin_token"),
            ("endpoint", "http://e/v1"),
            ("token", "t")
        ]),
        (at, Some(("X-Auth-Token", "t".to_owned())))
    );
    assert_eq!(
        fixed(&[
            ("auth_type", "http_basic"),
            ("username", "Aladdin"),
            ("password", "open sesame")
        ])
        .1,
        Some((
            "Authorization",
            "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==".to_owned()
        ))
    );
}

#[test]
fn only_lasting_credentials_are_renewable() {
    for (pairs, expected) in [
        (&ALICE[..], true),
        (
            &[
                ("application_credential_id", "a"),
                ("application_credential_secret", "s"),
            ],
            true,
        ),
        (&[("token", "t")], false),
        (
            &[("auth_type", "v3totp"), ("user_id", "u"), ("passcode", "1")],
            false,
        ),
        (
            &[
                ("auth_type", "v3oidcaccesstoken"),
                ("access_token", "t"),
                ("identity_provider", "i"),
                ("protocol", "p"),
            ],
            false,
        ),
        (
            &[
                ("auth_type", "v3oidcclientcredentials"),
                ("client_id", "c"),
                ("client_secret", "s"),
                ("access_token_endpoint", "http://i/t"),
                ("identity_provider", "i"),
                ("protocol", "p"),
            ],
            true,
        ),
    ] {
        match Auth::read(&settings(pairs), &mut Vec::new()).unwrap() {
            Auth::Keystone(keystone) => assert_eq!(keystone.is_renewable(), expected, "{pairs:?}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn debug_shows_no_secrets() {
    let shown = format!(
        "{:?}",
        Auth::read(
            &settings(&[("username", "alice"), ("password", "s3cret")]),
            &mut Vec::new()
        )
    );
    assert!(!shown.contains("s3cret"), "{shown}");
}
