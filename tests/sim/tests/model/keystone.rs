//! Signing in, and how tokens end.

use serde_json::{Value, json};
use sim_cloud::{Service, When, secs};

use crate::client::{Client, Got};

fn sign_in(client: &Client, auth: Value) -> Got {
    client.ask(
        "POST",
        &format!("{}/auth/tokens", client.cloud.auth_url()),
        Some(json!({"auth": auth}).to_string()),
    )
}

fn password() -> Value {
    json!({"identity": {"methods": ["password"], "password": {"user": {"name": "demo", "password": "secret"}}}, "scope": {"project": {"name": "demo"}}})
}

#[test]
fn a_token_lives_as_long_as_configured_and_dies_on_the_second() {
    let mut client = Client::with(|config| config.token_life = secs(30));
    let got = sign_in(&client, password());
    assert_eq!(
        got.json().pointer("/token/issued_at"),
        Some(&json!("2031-03-04T10:00:00.000000Z"))
    );
    assert_eq!(
        got.json().pointer("/token/expires_at"),
        Some(&json!("2031-03-04T10:00:30.000000Z"))
    );
    client.token = got.header("x-subject-token").unwrap().to_owned();
    client.clock.advance(secs(29));
    assert_eq!(client.heat("stacks").status, 200);
    client.clock.advance(secs(1));
    assert_eq!(client.heat("stacks").status, 401);
    assert_eq!(client.manila(99, "shares").status, 401);
    assert_eq!(client.cloud.sign_ins(), 1);
}

#[test]
fn tokens_end_when_they_are_expired_at_once_or_revoked() {
    let mut client = Client::new();
    client.cloud.expire_tokens();
    assert_eq!(client.heat("stacks").status, 401);
    client.token = client.cloud.token(secs(10));
    client
        .headers
        .push(("X-Subject-Token".to_owned(), client.token.clone()));
    assert_eq!(
        client
            .ask(
                "DELETE",
                &format!("{}/auth/tokens", client.cloud.auth_url()),
                None
            )
            .status,
        204
    );
    assert_eq!(client.heat("stacks").status, 401);
}

#[test]
fn methods_are_checked_or_let_in_as_configured() {
    let client = Client::with(|config| config.methods = vec!["totp".to_owned()]);
    let methods = |methods: &[&str], more: Value| {
        let mut identity = more;
        identity["methods"] = json!(methods);
        sign_in(&client, json!({"identity": identity})).status
    };
    let user = json!({"user": {"name": "demo", "password": "secret"}});
    assert_eq!(
        methods(&["password", "totp"], json!({"password": user, "totp": {}})),
        201
    );
    assert_eq!(
        methods(
            &["password", "kerberos"],
            json!({"password": user, "kerberos": {}})
        ),
        401
    );
    assert_eq!(
        methods(&["token"], json!({"token": {"id": client.token}})),
        201
    );
    assert_eq!(
        methods(&["token"], json!({"token": {"id": "nonsense"}})),
        401
    );
    let (id, secret) = client.cloud.config().credential.clone();
    let credential = json!({"application_credential": {"id": id, "secret": secret}});
    assert_eq!(
        methods(&["application_credential"], credential.clone()),
        201
    );
    let mut scoped = json!({"identity": credential, "scope": {"project": {"name": "demo"}}});
    scoped["identity"]["methods"] = json!(["application_credential"]);
    assert_eq!(sign_in(&client, scoped).status, 401);
}

#[test]
fn the_catalog_has_the_regions_and_interfaces_or_is_given_whole() {
    let client = Client::with(|config| {
        config.regions = vec!["north".to_owned(), "south".to_owned()];
        config.interfaces = vec!["public".to_owned()];
    });
    let body = sign_in(&client, password()).json();
    let endpoints = body
        .pointer("/token/catalog/1/endpoints")
        .unwrap()
        .as_array()
        .unwrap()
        .clone();
    let regions: Vec<&str> = endpoints
        .iter()
        .filter_map(|one| one["region"].as_str())
        .collect();
    assert_eq!(regions, ["north", "south"]);
    let url = format!(
        "{}/v1/{}",
        client.cloud.url(Service::Heat),
        client.project()
    );
    assert_eq!(endpoints[0]["url"], url);

    let client = Client::with(|config| {
        config.project_id = "12345".to_owned();
        config.catalog =
            Some(json!([{"type": "share", "endpoints": [{"url": "{manila}/v2/{project}"}]}]));
    });
    let body = sign_in(&client, password()).json();
    let url = body
        .pointer("/token/catalog/0/endpoints/0/url")
        .unwrap()
        .as_str()
        .unwrap()
        .to_owned();
    assert!(url.ends_with("/v2/12345"), "{url}");
    assert_eq!(
        client.ask("GET", &format!("{url}/shares"), None).status,
        200
    );
}

#[test]
fn a_prefix_stands_before_the_paths_of_each_service() {
    let client = Client::with(|config| {
        config.identity_prefix = "/identity".to_owned();
        config.heat_prefix = "/orchestration".to_owned();
        config.manila_prefix = "/share".to_owned();
    });
    assert!(client.cloud.auth_url().ends_with("/identity/v3"));
    assert_eq!(sign_in(&client, password()).status, 201);
    assert_eq!(client.heat("stacks").status, 200);
    assert_eq!(client.manila(99, "shares").status, 200);
    assert_eq!(
        client
            .cloud
            .count(&When::heat().path("/orchestration/v1/"), Some(200)),
        1
    );
}

#[test]
fn no_token_is_wanted_where_the_cloud_says_so() {
    let mut client = Client::with(|config| config.token_wanted = false);
    client.token.clear();
    assert_eq!(client.heat("stacks").status, 200);
    assert_eq!(client.manila(99, "shares").status, 200);
}

#[test]
fn federated_sign_in_gives_a_token_to_sign_in_with() {
    let client = Client::new();
    let url = format!(
        "{}/OS-FEDERATION/identity_providers/corp/protocols/openid/auth",
        client.cloud.auth_url()
    );
    assert_eq!(client.ask("POST", &url, None).status, 401);
    let bearer = (
        "Authorization".to_owned(),
        "Bearer sim-access-token".to_owned(),
    );
    let got = client.send("POST", &url, None, &[bearer]).unwrap();
    let token = got.header("x-subject-token").unwrap();
    assert!(got.json().pointer("/token/catalog").is_none());
    assert_eq!(sign_in(&client, json!({"identity": {"methods": ["token"], "token": {"id": token}}, "scope": {"project": {"name": "demo"}}})).status, 201);
}
