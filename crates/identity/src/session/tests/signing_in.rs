//! Tokens: had, renewed, refused.

use super::*;

#[test]
fn a_dead_token_is_renewed_once_and_the_request_repeated_as_it_was() {
    let cloud = Cloud::new(3600, |seen| match seen.header("x-auth-token") {
        Some("token-2") => say(200, "{}"),
        _ => say(401, ""),
    });
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let session = session(&cloud.server.url, &clock, options(), &told);
    let url = format!("{}/stacks", session.endpoint(&ORCHESTRATION).unwrap());
    let reply = session
        .send(&Request::post(&url, b"{}").header("X-Version", "2.9"))
        .unwrap();
    assert_eq!(reply.status, 200);
    let seen = cloud.server.seen();
    assert_eq!(seen.len(), 4, "{:?}", cloud.server.lines());
    for repeated in [&seen[1], &seen[3]] {
        assert_eq!(
            (repeated.line.as_str(), repeated.body.as_str()),
            ("POST /heat/v1/p1/stacks", "{}")
        );
        assert_eq!(repeated.header("x-version"), Some("2.9"));
    }
    assert_ne!(seen[1].connection, seen[3].connection);
}

#[test]
fn a_401_that_stays_is_refused_after_one_more_login() {
    let cloud = Cloud::new(3600, |_| say(401, r#"{"error": {"message": "no"}}"#));
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let session = session(&cloud.server.url, &clock, options(), &told);
    let url = session.endpoint(&ORCHESTRATION).unwrap();
    let error = session.send(&Request::get(&url)).unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (Kind::Refused, "no (HTTP 401)")
    );
    assert_eq!(cloud.server.seen().len(), 4);
    assert!(matches!(
        classify(Err(error), Duration::ZERO),
        Err(poll_core::Fault::Refused(_))
    ));
}

#[test]
fn a_401_for_a_token_that_may_have_ended_on_the_way_is_no_refusal() {
    let cloud = Cloud::new(0, |_| say(401, ""));
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let session = session(&cloud.server.url, &clock, options(), &told);
    let url = session.endpoint(&ORCHESTRATION).unwrap();
    for logins in 2..6 {
        let error = session.send(&Request::get(&url)).unwrap_err();
        assert_eq!(error.taken(), Taken::No);
        assert!(
            matches!(
                classify(Err(error), Duration::ZERO),
                Err(poll_core::Fault::Transient(_))
            ),
            "{logins}"
        );
        let seen = cloud.server.lines();
        let asked = seen.iter().filter(|line| line.starts_with("POST"));
        assert_eq!(asked.count(), logins, "one login a request: {seen:?}");
    }
}

#[test]
fn a_login_that_is_refused_during_a_wait_is_told_in_keystones_words_and_counted() {
    let cloud = Cloud::new(3600, |_| say(401, ""));
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let session = session(&cloud.server.url, &clock, options(), &told);
    let url = session.endpoint(&ORCHESTRATION).unwrap();
    for (status, words) in [
        (401, r#"{"error": {"message": "account locked"}}"#),
        (503, ""),
    ] {
        cloud.sign_in.lock().unwrap().push(say(status, words));
        let error = session.send(&Request::get(&url)).unwrap_err();
        match classify(Err(error), Duration::ZERO) {
            Err(poll_core::Fault::Refused(error)) => {
                assert!(error.chain().contains("account locked") && status == 401)
            }
            Err(poll_core::Fault::Transient(_)) => assert_eq!(status, 503),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn signing_in_rides_out_errors_and_obeys_retry_after() {
    let wait = Answer::Say(429, vec![("Retry-After", "7".to_owned())], String::new());
    let cloud = Cloud::new(3600, |_| say(200, "{}")).will_sign_in(&[
        say(503, "<html>"),
        say(200, "<html>"),
        wait,
        Answer::Close,
    ]);
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let session = session(&cloud.server.url, &clock, options(), &told);
    session.sign_in().unwrap();
    assert_eq!(cloud.server.seen().len(), 5);
    assert!(
        clock.now() >= Duration::from_secs(7) && clock.now() < Duration::from_secs(20),
        "{:?}",
        clock.now()
    );
    let retries = told
        .borrow()
        .iter()
        .filter(|notice| matches!(notice, Notice::Retry { pause: Some(_), .. }))
        .count();
    assert_eq!(retries, 4);
}

#[test]
fn wrong_credentials_are_final_at_once() {
    for (status, kind) in [
        (401, Kind::Refused),
        (403, Kind::Refused),
        (400, Kind::Config),
        (404, Kind::Config),
    ] {
        let cloud = Cloud::new(3600, |_| say(200, "{}"))
            .will_sign_in(&[say(status, r#"{"error": {"message": "wrong here"}}"#)]);
        let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
        let error = session(&cloud.server.url, &clock, options(), &told)
            .sign_in()
            .unwrap_err();
        assert_eq!(error.kind(), kind, "{status}");
        assert!(
            error.chain().contains("wrong here")
                && error.chain().contains("cannot sign in at http://127.0.0.1"),
            "{}",
            error.chain()
        );
        assert!(!error.chain().contains("s3cret") && !format!("{error:?}").contains("s3cret"));
        assert_eq!(cloud.server.seen().len(), 1);
    }
}

#[test]
fn a_deadline_during_a_hanging_sign_in_is_a_deadline() {
    let cloud = Cloud::new(3600, |_| say(200, "{}")).will_sign_in(&vec![Answer::Stall(b""); 9]);
    let (clock, told) = (SystemClock::new(), RefCell::new(Vec::new()));
    let policy = Policy {
        last_round: Duration::from_millis(20),
        ..Policy::default()
    };
    let short = Options {
        deadline: Deadline::At(clock.now() + Duration::from_millis(80)),
        ..Options::new("test/1", policy)
    };
    let error = session(&cloud.server.url, &clock, short, &told)
        .sign_in()
        .unwrap_err();
    assert_eq!(error.kind(), Kind::Deadline, "{}", error.chain());
    assert!(clock.now() < Duration::from_secs(2));
}

#[test]
fn a_deadline_during_an_outage_of_keystone_is_unknown() {
    let cloud = Cloud::new(3600, |_| say(200, "{}")).will_sign_in(&vec![say(503, ""); 99]);
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let short = Options {
        deadline: Deadline::At(Duration::from_secs(20)),
        ..options()
    };
    let error = session(&cloud.server.url, &clock, short, &told)
        .sign_in()
        .unwrap_err();
    assert_eq!(error.kind(), Kind::Unknown);
    assert!(
        error.chain().contains("not signed in at the deadline") && error.chain().contains("503"),
        "{}",
        error.chain()
    );
    assert_eq!(clock.now(), Duration::from_secs(20));
}

#[test]
fn a_token_is_renewed_early_and_a_failure_of_that_is_no_matter() {
    let cloud = Cloud::new(3600, |_| say(200, "{}"));
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let session = session(&cloud.server.url, &clock, options(), &told);
    let url = session.endpoint(&ORCHESTRATION).unwrap();
    clock.advance(Duration::from_secs(3470));
    session.send(&Request::get(&url)).unwrap();
    assert_eq!(cloud.server.seen().len(), 2, "too early");
    clock.advance(Duration::from_secs(20));
    cloud.sign_in.lock().unwrap().push(say(503, ""));
    session.send(&Request::get(&url)).unwrap();
    session.send(&Request::get(&url)).unwrap();
    let seen = cloud.server.seen();
    let tokens: Vec<_> = seen
        .iter()
        .filter_map(|seen| seen.header("x-auth-token"))
        .collect();
    assert_eq!(tokens, ["token-1", "token-1", "token-2"]);
    assert!(
        told.borrow()
            .iter()
            .any(|notice| matches!(notice, Notice::SignedIn { again: true, .. }))
    );
}

#[test]
fn a_token_that_cannot_be_renewed_warns_and_ends_refused_without_a_login() {
    let cloud = Cloud::new(600, |_| say(401, ""));
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let auth_url = format!("{}/v3", cloud.server.url);
    let settings = settings(&[
        ("auth_url", &auth_url),
        ("token", "given"),
        ("project_name", "p"),
    ]);
    let long = Options {
        deadline: Deadline::At(Duration::from_secs(3600)),
        ..options()
    };
    let session = session_with(settings, &clock, long, &told);
    let url = session.endpoint(&ORCHESTRATION).unwrap();
    assert!(
        !session.token_outlives(Deadline::Never)
            && session.token_outlives(Deadline::At(Duration::from_secs(600)))
    );
    let warned = told
        .borrow()
        .iter()
        .any(|notice| matches!(notice, Notice::Warning(text) if text.contains("10m")));
    assert!(warned, "{:?}", told.borrow());
    let error = session.send(&Request::get(&url)).unwrap_err();
    assert_eq!(error.kind(), Kind::Refused);
    assert!(
        error
            .to_string()
            .contains("auth_type token cannot give another"),
        "{error}"
    );
    assert_eq!(cloud.server.seen().len(), 2);
}

#[test]
fn an_identity_providers_token_is_changed_for_keystones() {
    let server = Server::new(|seen| match seen.line.as_str() {
        "GET /idp" => say(
            200,
            format!(
                r#"{{"token_endpoint": "http://{}/token"}}"#,
                seen.header("host").unwrap()
            ),
        ),
        "POST /token" => {
            assert_eq!(seen.header("authorization"), Some("Basic YzpzZWNyZXQ="));
            assert_eq!(
                seen.body,
                "grant_type=password&username=alice&password=p%20w&scope=openid%20profile"
            );
            say(200, r#"{"access_token": "acc"}"#)
        }
        "POST /v3/OS-FEDERATION/identity_providers/idp/protocols/openid/auth" => {
            assert_eq!(seen.header("authorization"), Some("Bearer acc"));
            token(1, 3600, "http://h")
        }
        "POST /v3/auth/tokens" => {
            assert!(seen.body.contains("token-1") && seen.body.contains("\"scope\""));
            token(2, 3600, "http://h")
        }
        other => panic!("{other}"),
    });
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let (auth_url, document) = (format!("{}/v3", server.url), format!("{}/idp", server.url));
    let settings = settings(&[
        ("auth_type", "v3oidcpassword"),
        ("auth_url", &auth_url),
        ("discovery_endpoint", &document),
        ("client_id", "c"),
        ("client_secret", "secret"),
        ("username", "alice"),
        ("password", "p w"),
        ("identity_provider", "idp"),
        ("protocol", "openid"),
        ("project_name", "p"),
    ]);
    let session = session_with(settings, &clock, options(), &told);
    session.sign_in().unwrap();
    assert_eq!(server.seen().len(), 4);
    assert_eq!(
        session.token.borrow().as_ref().unwrap().value.reveal(),
        "token-2"
    );
}
