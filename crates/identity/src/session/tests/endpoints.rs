//! Where the services are.

use super::*;

#[test]
fn discovery_asks_once_and_keeps_the_host() {
    let server = Server::new(|seen| match seen.line.as_str() {
        "GET /identity" => say(
            300,
            r#"{"versions": {"values": [{"id": "v3.14", "links": [{"rel": "self", "href": "http://inner/identity/v3/"}]}]}}"#,
        ),
        "POST /identity/v3/auth/tokens" => token(1, 3600, "http://h"),
        other => panic!("{other}"),
    });
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let auth_url = format!("{}/identity/", server.url);
    let settings = settings(&[
        ("auth_url", &auth_url),
        ("username", "alice"),
        ("password", "b"),
    ]);
    let session = session_with(settings, &clock, options(), &told);
    session.sign_in().unwrap();
    session.sign_in().unwrap();
    assert_eq!(server.seen().len(), 2);
}

#[test]
fn overrides_are_filled_and_need_no_catalog() {
    let cloud = Cloud::new(3600, |_| say(200, "{}"));
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let auth_url = format!("{}/v3", cloud.server.url);
    let settings = settings(&[
        ("auth_url", &auth_url),
        ("username", "a"),
        ("password", "b"),
        (
            "orchestration_endpoint_override",
            "http://h/v1/%(project_id)s/",
        ),
        ("shared_file_system_endpoint_override", "http://m/v2"),
    ]);
    let session = session_with(settings, &clock, options(), &told);
    assert_eq!(
        session.endpoint(&SHARED_FILE_SYSTEM).unwrap(),
        "http://m/v2"
    );
    assert!(cloud.server.seen().is_empty());
    assert_eq!(session.endpoint(&ORCHESTRATION).unwrap(), "http://h/v1/p1");
}
