use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use poll_core::{FakeClock, SystemClock};
use serde_json::json;

use super::server::{Answer, Seen, Server, say};
use super::*;
use crate::settings::tests::Memory;
use crate::{Break, ORCHESTRATION, SHARED_FILE_SYSTEM, Sources, Taken, classify};

/// A cloud of one server; the script answers what is not about tokens.
struct Cloud {
    server: Server,
    /// What signing in answers next; a token where it is empty.
    sign_in: Arc<Mutex<Vec<Answer>>>,
}

fn token(number: usize, life: u32, url: &str) -> Answer {
    let body = json!({"token": {
        "issued_at": "2031-01-01T09:00:00.000000Z",
        "expires_at": format!("2031-01-01T{:02}:{:02}:{:02}.000000Z", 9 + life / 3600, life / 60 % 60, life % 60),
        "project": {"id": "p1"},
        "catalog": [{"type": "orchestration", "endpoints": [{"interface": "public", "region": "A", "url": format!("{url}/heat/v1/p1/")}]}],
    }});
    Answer::Say(
        201,
        vec![("X-Subject-Token", format!("token-{number}"))],
        body.to_string(),
    )
}

impl Cloud {
    fn new(life: u32, mut script: impl FnMut(&Seen) -> Answer + Send + 'static) -> Self {
        let sign_in = Arc::new(Mutex::new(Vec::<Answer>::new()));
        let (queue, mut given) = (Arc::clone(&sign_in), 0);
        let server = Server::new(move |seen| {
            if !seen.line.contains("/v3") {
                return script(seen);
            }
            let host = seen.header("host").unwrap();
            let mut queue = queue.lock().unwrap();
            if queue.is_empty() {
                given += 1;
                return token(given, life, &format!("http://{host}"));
            }
            queue.remove(0)
        });
        Self { server, sign_in }
    }

    fn will_sign_in(self, answers: &[Answer]) -> Self {
        self.sign_in.lock().unwrap().extend(answers.iter().cloned());
        self
    }

    fn heat(&self) -> String {
        format!("{}/heat/v1/p1", self.server.url)
    }
}

fn settings(pairs: &[(&str, &str)]) -> Settings {
    let flags: BTreeMap<String, String> = pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
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

fn options() -> Options {
    Options {
        request_timeout: Duration::from_secs(5),
        ..Options::new("test/1", Policy::default())
    }
}

/// A session with a password, its notices in `told`.
fn session<'a>(
    url: &str,
    clock: &'a dyn Clock,
    options: Options,
    told: &'a RefCell<Vec<Notice>>,
) -> Session<'a> {
    let auth_url = format!("{url}/v3");
    let settings = settings(&[
        ("auth_url", &auth_url),
        ("username", "alice"),
        ("password", "s3cret"),
        ("project_name", "p"),
    ]);
    let tell = Box::new(|notice| told.borrow_mut().push(notice));
    Session::new(settings, options, clock, &Memory::default(), tell).unwrap()
}

#[test]
fn looks_share_a_connection_and_a_change_has_its_own() {
    let cloud = Cloud::new(3600, |_| say(200, "{}"));
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let session = session(&cloud.server.url, &clock, options(), &told);
    assert_eq!(session.endpoint(&ORCHESTRATION).unwrap(), cloud.heat());
    let url = format!("{}/stacks", cloud.heat());
    session.send(&Request::get(&url)).unwrap();
    session
        .send(&Request::get(&url).header("X-Openstack-Api", "2.6"))
        .unwrap();
    session.send(&Request::post(&url, b"{\"a\":1}")).unwrap();
    session.send(&Request::delete(&url)).unwrap();
    let seen = cloud.server.seen();
    let connections: Vec<u32> = seen.iter().map(|seen| seen.connection).collect();
    assert_eq!(connections, [1, 1, 1, 2, 3]);
    assert_eq!(seen[1].header("x-auth-token"), Some("token-1"));
    assert_eq!(seen[1].header("user-agent"), Some("test/1"));
    assert_eq!(seen[1].header("accept"), Some("application/json"));
    assert_eq!(seen[2].header("x-openstack-api"), Some("2.6"));
    assert_eq!(
        (seen[3].body.as_str(), seen[3].header("content-type")),
        ("{\"a\":1}", Some("application/json"))
    );
    assert_eq!(session.project_id().as_deref(), Some("p1"));
    assert!(matches!(
        told.borrow()[..],
        [Notice::SignedIn { again: false, .. }]
    ));
}

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

/// A port where nobody listens.
fn nobody() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

#[test]
fn a_refused_first_connection_is_final_after_three_quick_tries() {
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let error = session(&nobody(), &clock, options(), &told)
        .sign_in()
        .unwrap_err();
    assert_eq!(
        (error.kind(), error.broke()),
        (Kind::Unknown, Some(Break::Refused))
    );
    assert_eq!(clock.pauses(), [Duration::from_millis(200); 2]);
    assert!(
        error.chain().contains("refused") && error.hint().unwrap().contains("--connect-wait"),
        "{error:?}"
    );
}

#[test]
fn connect_wait_lets_the_first_connection_fail_for_its_time() {
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let waiting = Options {
        connect_wait: Duration::from_secs(90),
        ..options()
    };
    let error = session(&nobody(), &clock, waiting, &told)
        .sign_in()
        .unwrap_err();
    assert_eq!(error.broke(), Some(Break::Refused));
    assert!(
        clock.now() >= Duration::from_secs(90) && clock.now() < Duration::from_secs(130),
        "{:?}",
        clock.now()
    );
}

#[test]
fn after_the_first_success_a_refused_connection_may_pass() {
    let cloud = Cloud::new(3600, |_| say(200, "{}"));
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let auth_url = format!("{}/v3", cloud.server.url);
    let elsewhere = nobody();
    let settings = settings(&[
        ("auth_url", &auth_url),
        ("username", "a"),
        ("password", "b"),
        ("endpoint_override", &elsewhere),
    ]);
    let session = Session::new(
        settings,
        options(),
        &clock,
        &Memory::default(),
        Box::new(|notice| told.borrow_mut().push(notice)),
    )
    .unwrap();
    let url = session.endpoint(&SHARED_FILE_SYSTEM).unwrap();
    assert_eq!(url, elsewhere);
    let error = session.send(&Request::get(&url)).unwrap_err();
    assert!(matches!(
        classify(Err(error), Duration::ZERO),
        Err(poll_core::Fault::Transient(_))
    ));
    assert!(clock.pauses().is_empty());
}

#[test]
fn a_kept_connection_found_dead_repeats_a_look_at_once() {
    let mut answers = 0;
    let cloud = Cloud::new(3600, move |_| {
        answers += 1;
        // The first answer goes through; the second request finds the connection closed under it.
        if answers == 2 {
            Answer::Close
        } else {
            say(200, "{}")
        }
    });
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let session = session(&cloud.server.url, &clock, options(), &told);
    let url = session.endpoint(&ORCHESTRATION).unwrap();
    session.send(&Request::get(&url)).unwrap();
    assert_eq!(session.send(&Request::get(&url)).unwrap().status, 200);
    assert_eq!(cloud.server.seen().len(), 4);
}

#[test]
fn a_change_whose_answer_is_lost_is_sent_once() {
    let cloud = Cloud::new(3600, |_| Answer::Close);
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let session = session(&cloud.server.url, &clock, options(), &told);
    let url = session.endpoint(&ORCHESTRATION).unwrap();
    let error = session.send(&Request::post(&url, b"{}")).unwrap_err();
    assert_eq!(
        (error.taken(), error.broke()),
        (Taken::Perhaps, Some(Break::Reset))
    );
    assert_eq!(cloud.server.seen().len(), 2);
    let error = session.send(&Request::get(&url)).unwrap_err();
    assert_eq!(error.taken(), Taken::No);
}

#[test]
fn a_change_that_cannot_connect_was_surely_not_taken() {
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let url = nobody();
    let settings = settings(&[("auth_type", "none"), ("endpoint", &url)]);
    let session = Session::new(
        settings,
        options(),
        &clock,
        &Memory::default(),
        Box::new(|notice| told.borrow_mut().push(notice)),
    )
    .unwrap();
    let url = session.endpoint(&ORCHESTRATION).unwrap();
    let error = session.send(&Request::post(&url, b"{}")).unwrap_err();
    assert_eq!(
        (error.taken(), error.broke()),
        (Taken::No, Some(Break::Refused))
    );
}

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

#[test]
fn every_way_of_being_slow_is_cut() {
    for answer in [
        Answer::Stall(b""),
        Answer::Stall(b"HTTP/1.1 200 OK\r\nX-"),
        Answer::Stall(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{"),
        Answer::Trickle(
            b"",
            b"HTTP/1.1 200 OK\r\nX-Slow: 000000000000000000000000000000",
        ),
        Answer::Trickle(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", b" "),
    ] {
        let slow = answer.clone();
        let cloud = Cloud::new(3600, move |_| slow.clone());
        let (clock, told) = (SystemClock::new(), RefCell::new(Vec::new()));
        let session = session(&cloud.server.url, &clock, options(), &told);
        let url = session.endpoint(&ORCHESTRATION).unwrap();
        let before = clock.now();
        let request = Request::get(&url).budget(Some(Duration::from_millis(60)));
        let error = session.send(&request).unwrap_err();
        let took = clock.now().saturating_sub(before);
        assert_eq!(error.broke(), Some(Break::TimedOut), "{answer:?} {error}");
        assert!(
            took >= Duration::from_millis(50) && took < Duration::from_secs(2),
            "{answer:?} {took:?}"
        );
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
    let session = Session::new(
        settings,
        long,
        &clock,
        &Memory::default(),
        Box::new(|notice| told.borrow_mut().push(notice)),
    )
    .unwrap();
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
    let session = Session::new(
        settings,
        options(),
        &clock,
        &Memory::default(),
        Box::new(|notice| told.borrow_mut().push(notice)),
    )
    .unwrap();
    session.sign_in().unwrap();
    session.sign_in().unwrap();
    assert_eq!(server.seen().len(), 2);
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
    let session = Session::new(
        settings,
        options(),
        &clock,
        &Memory::default(),
        Box::new(|notice| told.borrow_mut().push(notice)),
    )
    .unwrap();
    session.sign_in().unwrap();
    assert_eq!(server.seen().len(), 4);
    assert_eq!(
        session.token.borrow().as_ref().unwrap().value.reveal(),
        "token-2"
    );
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
    let session = Session::new(
        settings,
        options(),
        &clock,
        &Memory::default(),
        Box::new(|notice| told.borrow_mut().push(notice)),
    )
    .unwrap();
    assert_eq!(
        session.endpoint(&SHARED_FILE_SYSTEM).unwrap(),
        "http://m/v2"
    );
    assert!(cloud.server.seen().is_empty());
    assert_eq!(session.endpoint(&ORCHESTRATION).unwrap(), "http://h/v1/p1");
}

#[test]
fn a_proxy_is_asked_to_connect() {
    let proxy = Server::new(|_| Answer::Say(403, Vec::new(), String::new()));
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let env = BTreeMap::from([("http_proxy".to_owned(), proxy.url.clone())]);
    let flags: BTreeMap<String, String> = [
        ("auth_url", "http://keystone.invalid:5000/v3"),
        ("username", "a"),
        ("password", "b"),
    ]
    .map(|(key, value)| (key.to_owned(), value.to_owned()))
    .into();
    let settings = Settings::load(&Sources {
        flags: &flags,
        env: &env,
        files: &Memory::default(),
        cwd: Path::new("/"),
    })
    .unwrap();
    let session = Session::new(
        settings,
        options(),
        &clock,
        &Memory::default(),
        Box::new(|notice| told.borrow_mut().push(notice)),
    )
    .unwrap();
    let error = session.sign_in().unwrap_err();
    assert_eq!(error.broke(), Some(Break::Proxy), "{}", error.chain());
    assert_eq!(proxy.lines()[0], "CONNECT keystone.invalid:5000");
}

#[test]
fn a_proxy_that_is_not_there_is_named() {
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let env = BTreeMap::from([("ALL_PROXY".to_owned(), nobody())]);
    let flags: BTreeMap<String, String> = [
        ("auth_url", "http://127.0.0.1:5000/v3"),
        ("username", "a"),
        ("password", "b"),
    ]
    .map(|(key, value)| (key.to_owned(), value.to_owned()))
    .into();
    let files = Memory::default();
    let sources = Sources {
        flags: &flags,
        env: &env,
        files: &files,
        cwd: Path::new("/"),
    };
    let settings = Settings::load(&sources).unwrap();
    let tell = Box::new(|notice| told.borrow_mut().push(notice));
    let session = Session::new(settings, options(), &clock, &files, tell).unwrap();
    let error = session.sign_in().unwrap_err();
    assert_eq!(error.broke(), Some(Break::Proxy));
    assert!(
        error.chain().contains("(ALL_PROXY) cannot be reached"),
        "{}",
        error.chain()
    );
    assert!(error.hint().unwrap().contains("NO_PROXY"));
}

mod tls;
