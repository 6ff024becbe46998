//! The answers of Keystone.

use std::path::Path;

use serde_json::json;
use sim_cloud::Service;

use super::{exactly, same};
use crate::client::Client;

#[test]
fn keystone_answers_in_the_recorded_shapes() {
    let mut client = Client::new();
    let root = client.cloud.url(Service::Keystone);
    let password = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/keystone/auth-password.json"),
    )
    .unwrap();
    let token = std::mem::take(&mut client.token);
    let sign_in = |body: &str, query: &str| {
        client.ask(
            "POST",
            &format!("{root}/v3/auth/tokens{query}"),
            Some(body.to_owned()),
        )
    };
    same(
        "keystone/auth-password-201.txt",
        &sign_in(&password, ""),
        &[],
    );
    same(
        "keystone/auth-password-nocatalog-201.txt",
        &sign_in(&password, "?nocatalog"),
        &[],
    );
    exactly(
        "keystone/auth-bad-password-401.txt",
        &sign_in(&password.replace("secret", "wrong"), ""),
    );
    exactly(
        "keystone/auth-bad-project-401.txt",
        &sign_in(
            &password.replace(
                "\"project\": {\"name\": \"demo\"",
                "\"project\": {\"name\": \"nosuch\"",
            ),
            "",
        ),
    );
    exactly("keystone/auth-bad-json-400.txt", &sign_in("nonsense", ""));
    let (id, secret) = client.cloud.config().credential.clone();
    let credential = json!({"auth": {"identity": {"methods": ["application_credential"], "application_credential": {"id": id, "secret": secret}}}});
    same(
        "keystone/auth-appcred-201.txt",
        &sign_in(&credential.to_string(), ""),
        &[],
    );
    same(
        "keystone/versions-300.txt",
        &client.ask("GET", &format!("{root}/"), None),
        &[],
    );
    same(
        "keystone/version-v3.txt",
        &client.ask("GET", &format!("{root}/v3"), None),
        &[],
    );
    same(
        "keystone/version-v3-slash.txt",
        &client.ask("GET", &format!("{root}/v3/"), None),
        &[],
    );
    client.token.clone_from(&token);
    client.headers.push(("X-Subject-Token".to_owned(), token));
    same(
        "keystone/token-validate-200.txt",
        &client.ask("GET", &format!("{root}/v3/auth/tokens"), None),
        &[],
    );
    same(
        "keystone/catalog.txt",
        &client.ask("GET", &format!("{root}/v3/auth/catalog"), None),
        &[],
    );
}
