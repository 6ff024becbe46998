//! `stack create` and `adopt`.

use serde_json::json;
use sim_cloud::{Answer, Fault, Outcome, Retry, Service, Stack, When, secs};

use crate::{changes, empty, stack, world};

#[test]
fn a_create_is_sent_once_followed_to_its_end_and_shown() {
    let world = empty();
    let ended = stack(&world, "create -t t.yaml web -f json").exits(0);
    let sent = world.asked(&When::heat().change());
    assert_eq!(sent.len(), 1);
    let body = sent[0].request.json().unwrap();
    assert_eq!(body["stack_name"], "web");
    assert_eq!(body["disable_rollback"], true);
    assert_eq!(ended.json()["stack_status"], "CREATE_COMPLETE");
    assert!(ended.json().get("outcome").is_none());
    ended.says(&[
        "CREATE_IN_PROGRESS",
        "[web.reed]: CREATE_COMPLETE",
        "[web]: CREATE_COMPLETE",
    ]);
}

/// The service that has just taken the request is still busy with it.
#[test]
fn nobody_asks_where_the_events_of_a_new_stack_begin() {
    let world = empty();
    let ended = stack(&world, "create -t t.yaml web").exits(0);
    let of_events = |seen: &&sim_cloud::Seen| seen.request.path.contains("/events");
    let first = ended.requests.iter().find(of_events).unwrap().time;
    let asked: Vec<String> = ended
        .requests
        .iter()
        .filter(of_events)
        .filter(|seen| seen.time == first)
        .map(|seen| seen.request.query.clone())
        .collect();
    assert_eq!(asked, ["sort_dir=asc&limit=500"], "{ended}");
}

/// The client's parser takes them, and no prefix may mean something else here.
#[test]
fn a_long_option_may_be_cut_short_as_long_as_it_is_the_only_one() {
    let world = empty();
    stack(
        &world,
        "create --templ t.yaml --enable-roll --timeo 7 --no-wa web",
    )
    .exits(0);
    let body = world.asked(&When::heat().change())[0]
        .request
        .json()
        .unwrap();
    assert_eq!(body["disable_rollback"], false);
    assert_eq!(body["timeout_mins"], 7);

    let world = empty();
    let ended = stack(&world, "create -t t.yaml --param a=1 web").exits(2);
    assert_eq!(changes(&world), 0);
    ended.says(&["--param"]);
}

#[test]
fn a_failed_create_is_failed_with_its_reason_and_the_stack() {
    let world = empty();
    let fails = Outcome::Fail(secs(20), "Resource CREATE failed: no room".to_owned());
    world.heat_outcome("create", None, fails);
    let ended = stack(&world, "create -t t.yaml web -f json").exits(1);
    assert_eq!(ended.json()["stack_status"], "CREATE_FAILED");
    assert_eq!(ended.json()["outcome"], "failed");
    ended.says(&["CREATE_FAILED: Resource CREATE failed: no room"]);
}

#[test]
fn a_create_that_rolls_back_is_failed_at_the_end_of_the_rollback_with_the_first_reason() {
    let world = empty();
    let outcome = Outcome::RollBack(secs(10), secs(50), "Timed out".to_owned());
    world.heat_outcome("create", None, outcome);
    let ended = stack(&world, "create -t t.yaml web --enable-rollback").exits(1);
    assert!(ended.elapsed >= secs(50), "{ended}");
    ended.says(&["ROLLBACK_COMPLETE: rolled back: Timed out"]);
}

#[test]
fn heats_own_limit_bounds_the_wait_and_is_named() {
    let world = empty();
    let fails = Outcome::Fail(secs(60), "Timed out".to_owned());
    world.heat_outcome("create", None, fails);
    let ended = stack(&world, "create -t t.yaml web --timeout 1").exits(1);
    let sent = world.asked(&When::heat().change());
    assert_eq!(sent[0].request.json().unwrap()["timeout_mins"], 1);
    ended.says(&["CREATE_FAILED: Timed out", "limit of 1 minute"]);

    let dead = empty();
    dead.heat_outcome("create", None, Outcome::Stay);
    let ended = stack(&dead, "create -t t.yaml web --timeout 1").exits(124);
    assert!(
        ended.elapsed >= secs(360) && ended.elapsed < secs(362),
        "{ended}"
    );
}

#[test]
fn refusals_are_told_apart() {
    for (outcome, exit, text) in [
        (
            Outcome::refused(409, "StackExists", "The Stack (web) already exists."),
            6,
            "already exists",
        ),
        (
            Outcome::refused(
                400,
                "UserParameterMissing",
                "The Parameter (k) was not provided.",
            ),
            6,
            "(k) was not provided",
        ),
        (
            Outcome::refused(
                400,
                "UnknownUserParameter",
                "The Parameter (q) was not defined in template.",
            ),
            6,
            "(q) was not defined",
        ),
        (
            Outcome::refused(
                403,
                "RequestLimitExceeded",
                "You have reached the maximum stacks per tenant, 512. Please delete some stacks.",
            ),
            6,
            "maximum stacks",
        ),
        (
            Outcome::refused(
                400,
                "RequestLimitExceeded",
                "Request limit exceeded: JSON body size (900000 bytes) exceeds maximum allowed size (524288 bytes).",
            ),
            6,
            "max_json_body_size",
        ),
        (
            Outcome::mute_forbidden(),
            5,
            "an application credential may make no trust",
        ),
    ] {
        let world = empty();
        world.heat_outcome("create", None, outcome);
        let ended = stack(&world, "create -t t.yaml web").exits(exit);
        assert_eq!(changes(&world), 1);
        assert_eq!(ended.elapsed, secs(0), "{ended}");
        ended.says(&[text]).never_says(&["goes on"]);
    }
}

#[test]
fn a_name_that_is_taken_is_rejected_and_the_stack_left_alone() {
    let world = crate::with_template(world("CREATE_COMPLETE"));
    stack(&world, "create -t t.yaml tarn")
        .exits(6)
        .says(&["already exists"]);
    stack(&world, "create -t t.yaml 1tarn")
        .exits(6)
        .says(&["Invalid stack name"]);
}

#[test]
fn what_is_wrong_with_the_files_is_2_and_nothing_is_sent() {
    let mut world = empty();
    world
        .files
        .insert("/somewhere/e.yaml".into(), b"nonsense: {}\n".to_vec());
    world
        .files
        .insert("/somewhere/b.yaml".into(), b"a: [\n".to_vec());
    for words in [
        "-t nowhere.yaml web",
        "-t b.yaml web",
        "-t t.yaml -e e.yaml web",
        "-t t.yaml --parameter a web",
        "web",
        "-t t.yaml",
        "-t t.yaml web --wait --no-wait",
    ] {
        let ended = stack(&world, &format!("create {words}")).exits(2);
        assert!(ended.requests.is_empty(), "{ended}");
    }
}

#[test]
fn a_lost_answer_is_no_harm_where_the_stack_appears() {
    for fault in [
        Fault::ResetAfter,
        Fault::TakenStatus(504),
        Fault::TakenStatus(500),
        Fault::HalfBody,
        Fault::BrokenJson,
    ] {
        let world = empty();
        world.fault(When::heat().change(), fault.clone());
        let ended = stack(&world, "create -t t.yaml web -f json").exits(0);
        assert_eq!(changes(&world), 1, "{fault:?}");
        assert_eq!(ended.json()["stack_status"], "CREATE_COMPLETE");
        ended.says(&[
            "the answer to the request was lost",
            "exists: the request was taken",
        ]);
    }
}

#[test]
fn a_create_whose_name_stays_absent_is_sent_once_more_and_only_once() {
    let world = empty();
    world.fault(When::heat().change().first(1), Fault::ResetBefore);
    let ended = stack(&world, "create -t t.yaml web").exits(0);
    assert_eq!(changes(&world), 2);
    assert!(ended.elapsed >= secs(120), "{ended}");
    ended.says(&["the request is sent once more"]);

    let world = empty();
    world.fault(When::heat().change(), Fault::ResetBefore);
    let ended = stack(&world, "create -t t.yaml web").exits(3);
    assert_eq!(changes(&world), 2);
    ended.says(&["nobody knows whether the request was taken: there is no stack of that name"]);
}

#[test]
fn a_409_to_the_second_request_proves_the_first() {
    let world = empty();
    let late = Stack::create("web", secs(5));
    world.script(When::heat().change(), [Answer::fault(Fault::Status(504)), Answer::json(
        409,
        &json!({"error": {"type": "StackExists", "message": "The Stack (web) already exists."}}),
    )]);
    // It shows to the look-up by name only after the second request.
    let absent = json!({"error": {"type": "EntityNotFound", "message": "none"}});
    world.stack(late);
    world.answer(
        When::heat()
            .get()
            .ends("/stacks/web")
            .between(secs(0), secs(121)),
        Answer::json(404, &absent),
    );
    let ended = stack(&world, "create -t t.yaml web").exits(0);
    assert_eq!(changes(&world), 2);
    ended.says(&["the first request was taken", "exists"]);
}

#[test]
fn a_name_that_was_there_before_proves_nothing() {
    let world = crate::with_template(world("CREATE_COMPLETE"));
    world.fault(When::heat().change(), Fault::Status(502));
    let ended = stack(&world, "create -t t.yaml tarn").exits(3);
    assert_eq!(changes(&world), 1);
    ended.says(&["the name belongs to the stack of before"]);
}

#[test]
fn heat_may_restart_between_the_request_and_the_first_look() {
    let world = empty();
    world.outage(Service::Heat, secs(1), secs(60));
    world.fault(
        When::heat().get().path("/events").first(2),
        Fault::Throttle(503, Retry::Seconds(2)),
    );
    stack(&world, "create -t t.yaml web").exits(0);
    assert_eq!(changes(&world), 1);
}

#[test]
fn a_stack_whose_events_are_read_while_it_cannot_be_looked_at_has_not_vanished() {
    let world = empty();
    world.fault(
        When::heat()
            .get()
            .path("/stacks/web/")
            .query("resolve_outputs")
            .first(4),
        Fault::Status(503),
    );
    stack(&world, "create -t t.yaml web --max-errors 20").exits(0);
    assert_eq!(changes(&world), 1);
}

#[test]
fn an_engine_of_ninety_seconds_behind_a_proxy_that_cuts_at_sixty_is_waited_for() {
    let world = empty();
    let slow = Answer::fault(Fault::TakenStatus(504)).takes(secs(60));
    world.answer(When::heat().change(), slow);
    stack(&world, "create -t t.yaml web").exits(0);
    assert_eq!(changes(&world), 1);
}

#[test]
fn the_hint_at_the_deadline_has_the_id() {
    let world = empty();
    world.heat_outcome("create", None, Outcome::Stay);
    let ended = stack(&world, "create -t t.yaml web --deadline 30 -f json").exits(124);
    let id = ended.json()["id"].as_str().unwrap().to_owned();
    let resume = format!("heat-wait stack wait {id} --for create");
    assert!(ended.last_words.contains(&resume), "{}", ended.last_words);
    ended.says(&[
        "still CREATE_IN_PROGRESS at the deadline; the operation goes on",
        &resume,
    ]);
}

#[test]
fn an_update_that_takes_over_a_create_fails_it() {
    let world = empty();
    let outcome = Stack::default()
        .own(secs(0), "CREATE_IN_PROGRESS", "Stack CREATE started")
        .own(secs(9), "UPDATE_IN_PROGRESS", "Stack UPDATE started")
        .own(
            secs(20),
            "UPDATE_COMPLETE",
            "Stack UPDATE completed successfully",
        );
    world.heat_outcome("create", None, Outcome::Like(Box::new(outcome)));
    let ended = stack(&world, "create -t t.yaml web").exits(1);
    ended.says(&["another action has taken over"]);
}

#[test]
fn a_dry_run_asks_for_a_preview_and_creates_nothing() {
    let world = empty();
    let ended = stack(&world, "create -t t.yaml web --dry-run -f json").exits(0);
    assert_eq!(ended.asked("POST /v1").len(), 1);
    assert!(ended.asked("POST /v1")[0].ends_with("/stacks/preview"));
    assert!(ended.json().get("resources").is_some(), "{ended}");
}

#[test]
fn without_waiting_the_stack_is_shown_at_once() {
    let world = empty();
    let ended = stack(&world, "create -t t.yaml web --no-wait -f json").exits(0);
    assert_eq!(ended.json()["stack_status"], "CREATE_IN_PROGRESS");
    ended.takes(secs(0));
}

#[test]
fn an_adoption_is_followed_to_its_end() {
    let mut world = empty();
    let data = br#"{"name": "old", "resources": {}, "files": {}}"#.to_vec();
    world.files.insert("/somewhere/a.json".into(), data);
    let ended = stack(&world, "adopt --adopt-file a.json old --timeout 7 -f json").exits(0);
    assert_eq!(ended.json()["stack_status"], "ADOPT_COMPLETE");
    let body = world.asked(&When::heat().change())[0]
        .request
        .json()
        .unwrap();
    assert_eq!(body["timeout_mins"], 7);
    assert!(body["adopt_stack_data"].is_string());

    world.heat_outcome("adopt", None, Outcome::Fail(secs(4), "boom".to_owned()));
    stack(&world, "adopt --adopt-file a.json other")
        .exits(1)
        .says(&["ADOPT_FAILED: boom"]);
}
