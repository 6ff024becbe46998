//! Where redirects may lead, and a token.

use super::*;

#[test]
fn redirects_keep_the_method_and_stay_on_the_server() {
    let cloud = Cloud::new(3600, |seen| match seen.line.as_str() {
        "DELETE /heat/v1/p1/stacks/web" => Answer::Say(
            302,
            vec![("Location", "http://inner:8004/v1/p1/stacks/web/ID".into())],
            String::new(),
        ),
        "DELETE /heat/v1/p1/stacks/web/ID" => say(204, ""),
        "GET /heat/v1/p1/sso" => Answer::Say(
            302,
            vec![("Location", "http://127.0.0.1:9/login".into())],
            String::new(),
        ),
        _ => Answer::Say(
            302,
            vec![("Location", "/heat/v1/p1/loop".into())],
            String::new(),
        ),
    });
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let session = session(&cloud.server.url, &clock, options(), &told);
    let base = session.endpoint(&ORCHESTRATION).unwrap();
    let reply = session
        .send(&Request::delete(&format!("{base}/stacks/web")))
        .unwrap();
    assert_eq!(
        (reply.status, reply.url),
        (204, format!("{base}/stacks/web/ID"))
    );
    let error = session
        .send(&Request::get(&format!("{base}/sso")))
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("redirects to another server, http://127.0.0.1:9/login"),
        "{error}"
    );
    assert_eq!(error.kind(), Kind::Unknown);
    let error = session
        .send(&Request::get(&format!("{base}/loop")))
        .unwrap_err();
    assert!(error.to_string().contains("redirects more than 3 times"));
    let reply = session
        .send(&Request::get(&format!("{base}/loop")).no_follow())
        .unwrap();
    assert_eq!(reply.status, 302);
}

#[test]
fn a_redirect_of_signing_in_elsewhere_says_what_to_set() {
    let away = Answer::Say(
        301,
        vec![("Location", "https://keystone.example/v3/auth/tokens".into())],
        String::new(),
    );
    let cloud = Cloud::new(3600, |_| say(200, "{}")).will_sign_in(&[away]);
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let error = session(&cloud.server.url, &clock, options(), &told)
        .sign_in()
        .unwrap_err();
    assert_eq!(error.kind(), Kind::Config);
    assert!(
        error
            .hint()
            .unwrap()
            .contains("https://keystone.example/v3")
    );
}

#[test]
fn the_token_goes_to_endpoints_only() {
    let cloud = Cloud::new(3600, |_| say(200, "{}"));
    let other = Server::new(|_| say(200, "{}"));
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let session = session(&cloud.server.url, &clock, options(), &told);
    session.endpoint(&ORCHESTRATION).unwrap();
    assert!(
        session
            .send(&Request::get(&other.url))
            .unwrap_err()
            .to_string()
            .contains("nothing is sent there")
    );
    assert!(other.seen().is_empty());
}
