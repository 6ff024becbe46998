//! Connections: shared, refused, found dead, slow.

use super::*;

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
    let session = session_with(settings, &clock, options(), &told);
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
    let session = session_with(settings, &clock, options(), &told);
    let url = session.endpoint(&ORCHESTRATION).unwrap();
    let error = session.send(&Request::post(&url, b"{}")).unwrap_err();
    assert_eq!(
        (error.taken(), error.broke()),
        (Taken::No, Some(Break::Refused))
    );
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
