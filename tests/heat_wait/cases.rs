//! Cases from public bug reports of people who wait for Heat, in invented names, and more of each kind.

use serde_json::json;
use sim_cloud::{Answer, Fault, Outcome, Response, Retry, Service, Stack, When, secs};
use wait_cli::Exit;
use wait_cli::process::End;

use crate::{TARN, e, standing, tarn, wait, world, world_with};

/// Stack events at 0 s and 9 s, resource events at 1 s and 4 s; a wait that begins at 1 s looks at 1, 6 and 11 s.
fn built() -> Stack {
    tarn()
        .own(secs(0), "CREATE_IN_PROGRESS", "Stack CREATE started")
        .event_id(&e(1))
        .event(secs(1), "reed", None, "CREATE_IN_PROGRESS", "state changed")
        .event_id(&e(2))
        .event(
            secs(4),
            "reed",
            Some("r-77"),
            "CREATE_COMPLETE",
            "state changed",
        )
        .event_id(&e(3))
        .own(
            secs(9),
            "CREATE_COMPLETE",
            "Stack CREATE completed successfully",
        )
        .event_id(&e(4))
}

#[test]
fn a_create_that_succeeds_shows_each_event_once_and_in_order_and_the_result_alone_on_stdout() {
    for stack in ["tarn", TARN, &format!("tarn/{TARN}")] {
        let world = world();
        world.stack(built());
        world.advance(secs(1));
        let ended = wait(
            &world,
            &format!("{stack} --for create --deadline 10m -f json"),
        )
        .exits(0)
        .takes(secs(10))
        .says(&[
            &format!(
                "10:00:00Z {} [tarn]: CREATE_IN_PROGRESS  Stack CREATE started",
                e(1)
            ),
            &format!("10:00:01Z {} [tarn.reed]: CREATE_IN_PROGRESS", e(2)),
            &format!("10:00:04Z {} [tarn.reed]: CREATE_COMPLETE", e(3)),
            &format!("10:00:09Z {} [tarn]: CREATE_COMPLETE", e(4)),
        ]);
        assert_eq!(ended.stderr.lines().count(), 4, "{ended}");
        assert_eq!(ended.json()["stack_status"], "CREATE_COMPLETE");
        assert_eq!(ended.json()["id"], TARN);
    }
}

#[test]
fn a_create_that_has_ended_before_the_wait_is_told_at_once() {
    let world = world();
    world.stack(standing());
    wait(&world, "tarn --for create").exits(0).takes(secs(0));
    wait(&world, "tarn --for CREATE_COMPLETE")
        .exits(0)
        .takes(secs(0));
    wait(&world, "tarn").exits(0).takes(secs(0));
}

/// A create that fails deep inside, and what is stopped because of it.
fn flooded() -> Stack {
    let marsh = Stack::new("tarn-marsh-x1y2")
        .own(secs(0), "CREATE_IN_PROGRESS", "Stack CREATE started")
        .broken(
            "egret",
            "OS::Nova::Server",
            secs(1),
            secs(132),
            "CREATE aborted",
        )
        .broken(
            "heron",
            "OS::Nova::Server",
            secs(1),
            secs(130),
            "Quota for ports exceeded: limit 5",
        )
        .own(
            secs(133),
            "CREATE_FAILED",
            "Resource CREATE failed: see nested",
        );
    let reason = "Resource CREATE failed: resources.marsh: see nested";
    Stack::failing("tarn", secs(134), reason)
        .id(TARN)
        .nested("marsh", marsh)
}

#[test]
fn a_create_that_fails_names_the_cause_first_and_its_consequences_as_such() {
    let world = world();
    world.stack(flooded());
    world.advance(secs(200));
    let ended = wait(&world, "tarn --for create")
        .exits(1)
        .takes(secs(0))
        .says(&[
            "CREATE_FAILED: Resource CREATE failed: resources.marsh: see nested",
            "tarn.marsh.heron: CREATE_FAILED: Quota for ports exceeded: limit 5",
            "tarn.marsh.egret: CREATE_FAILED: CREATE aborted (because something else failed)",
        ]);
    let marsh = ended
        .stderr
        .lines()
        .filter(|line| line.contains("tarn.marsh:"));
    assert_eq!(marsh.count(), 0, "the nested stack is no cause\n{ended}");
}

#[test]
fn a_failure_whose_resources_cannot_be_read_is_still_a_failure() {
    for fault in [
        Fault::Status(500),
        Fault::Status(403),
        Fault::Html(502),
        Fault::BrokenJson,
        Fault::OtherJson,
        Fault::HalfBody,
    ] {
        let world = world();
        world.stack(flooded());
        world.advance(secs(200));
        world.fault(When::heat().ends("/resources"), fault.clone());
        let ended = wait(&world, "tarn --for create")
            .exits(1)
            .says(&[
                "CREATE_FAILED: Resource CREATE failed",
                "the failed resources cannot be read: ",
            ])
            .never_says(&["<html>"]);
        assert_eq!(
            ended.stderr.lines().count(),
            2,
            "{fault:?}: one note\n{ended}"
        );
    }
}

#[test]
fn the_end_of_the_last_update_is_not_taken_for_the_end_of_this_one() {
    let world = world();
    world.stack(
        standing()
            .own(secs(1), "UPDATE_COMPLETE", "")
            .event_id(&e(50)),
    );
    world.advance(secs(60));
    let fails = Outcome::Fail(secs(5), "resources.reed: no such flavor".to_owned());
    world.heat_act("update", TARN, Outcome::Later(secs(3), Box::new(fails)));
    wait(&world, &format!("tarn --for update --since {}", e(50)))
        .exits(1)
        .takes(secs(10))
        .says(&[
            "[tarn]: UPDATE_IN_PROGRESS",
            "[tarn]: UPDATE_FAILED",
            "resources.reed: no such flavor",
        ]);
}

#[test]
fn an_end_that_stands_is_not_believed_since_its_own_event() {
    let world = world();
    world.stack(
        standing()
            .own(secs(1), "UPDATE_COMPLETE", "")
            .event_id(&e(50)),
    );
    world.advance(secs(60));
    for goal in ["complete", "update", "UPDATE_COMPLETE"] {
        wait(
            &world,
            &format!("tarn --for {goal} --since {} --deadline 30s", e(50)),
        )
        .exits(124)
        .takes(secs(30));
    }
}

#[test]
fn an_update_shorter_than_a_period_and_all_in_one_second_is_proved_by_event_ids() {
    let world = world();
    let at = secs(10);
    world.stack(
        standing()
            .own(at, "UPDATE_COMPLETE", "")
            .event_id(&e(50))
            .own(at, "UPDATE_IN_PROGRESS", "")
            .event_id(&e(51))
            .event(at, "reed", Some("r-77"), "UPDATE_COMPLETE", "state changed")
            .event_id(&e(52))
            .own(at, "UPDATE_COMPLETE", "")
            .event_id(&e(53)),
    );
    world.advance(at);
    let ended = wait(&world, &format!("tarn --for update --since {}", e(50)))
        .exits(0)
        .takes(secs(0))
        .says(&[&e(51), &e(52), &e(53)])
        .never_says(&[&e(50)]);
    assert_eq!(ended.stderr.lines().count(), 3, "{ended}");
}

#[test]
fn bad_weather_between_good_looks_ends_nothing_and_each_fault_has_one_line() {
    let world = world();
    world.stack(Stack::create("tarn", secs(120)).id(TARN));
    let weather: [Answer; 9] = [
        Fault::Status(503).into(),
        // The kept connection, and the new one on which the look is repeated at once.
        Fault::ResetBefore.into(),
        Fault::ResetBefore.into(),
        Answer::model(),
        Fault::Status(502).into(),
        Fault::Hang.into(),
        Answer::model(),
        Answer::model(),
        Fault::Html(504).into(),
    ];
    world.script(When::heat().between(secs(5), secs(1_000)), weather);
    let ended = wait(
        &world,
        "tarn --for create --max-errors 3 --request-timeout 0.2",
    )
    .exits(0)
    .never_says(&["<html>"])
    .says(&[
        "(HTTP 503)",
        "closed the connection",
        "(HTTP 502)",
        "no answer",
        "504 Gateway Timeout",
    ]);
    let retries = ended
        .stderr
        .lines()
        .filter(|line| line.contains("; again in"));
    assert_eq!(retries.count(), 5, "{ended}");
    assert_eq!(world.unasked(), 0, "{ended}");
}

#[test]
fn so_many_faults_in_a_row_as_were_allowed_end_in_unknown_with_the_way_to_go_on() {
    for fault in [
        Fault::Status(503),
        Fault::Html(504),
        Fault::Garbage,
        Fault::Empty,
        Fault::BrokenJson,
        Fault::OtherJson,
    ] {
        let world = world();
        world.stack(Stack::create("tarn", secs(600)).id(TARN));
        world.fault(When::heat().between(secs(5), secs(1_000)), fault.clone());
        let ended = wait(&world, "tarn --for create --max-errors 3")
            .exits(3)
            .says(&[
                "its state is unknown",
                &format!("hint: go on waiting with: heat-wait stack wait {TARN} --for create"),
            ]);
        let mut times: Vec<_> = ended
            .requests
            .iter()
            .map(|seen| seen.time)
            .filter(|time| *time >= secs(5))
            .collect();
        times.dedup();
        assert_eq!(times.len(), 3, "{fault:?}\n{ended}");
    }
}

#[test]
fn a_kept_connection_that_was_closed_is_no_fault() {
    let world = world();
    world.stack(Stack::create("tarn", secs(60)).id(TARN));
    world.fault(
        When::heat().between(secs(5), secs(1_000)).nth(1),
        Fault::Closed,
    );
    world.fault(
        When::heat().between(secs(5), secs(1_000)).nth(4),
        Fault::ResetBefore,
    );
    let ended = wait(&world, "tarn --for create --max-errors 1").exits(0);
    ended.never_says(&["again in"]);
}

#[test]
fn throttling_is_obeyed_and_uses_up_no_patience() {
    let world = world();
    world.stack(Stack::create("tarn", secs(30)).id(TARN));
    let late = When::heat().between(secs(5), secs(1_000));
    world.script(
        late,
        [
            Fault::Throttle(429, Retry::Seconds(20)),
            Fault::Throttle(503, Retry::Date(secs(10))),
        ],
    );
    let ended = wait(&world, "tarn --for create --deadline 60s --max-errors 1")
        .exits(0)
        .takes(secs(35));
    let times: Vec<u64> = ended
        .requests
        .iter()
        .map(|seen| seen.time.as_secs())
        .filter(|time| *time > 0)
        .collect();
    assert!(
        times.iter().all(|time| [5, 25, 35].contains(time)),
        "{times:?}\n{ended}"
    );
}

#[test]
fn throttling_beyond_the_deadline_ends_at_the_deadline() {
    let world = world();
    world.stack(Stack::create("tarn", secs(3_600)).id(TARN));
    let late = When::heat().between(secs(5), secs(1_000));
    world.fault(late, Fault::Throttle(429, Retry::Seconds(600)));
    wait(&world, "tarn --for create --deadline 60s")
        .exits(124)
        .takes(secs(60));
}

#[test]
fn a_stack_that_failed_because_of_a_token_is_not_our_token() {
    for reason in [
        "Unauthorized: resources.reed: the request needs authentication (HTTP 401)",
        "Forbidden: resources.reed: You are not authorized (HTTP 403)",
        "NotFound: resources.reed: image not found (HTTP 404)",
        "ServiceUnavailable: resources.reed: try later (HTTP 503)",
    ] {
        let world = world();
        world.stack(Stack::failing("tarn", secs(4), reason));
        wait(&world, "tarn --for create")
            .exits(1)
            .takes(secs(5))
            .says(&[reason]);
        assert_eq!(world.sign_ins(), 1);
    }
}

#[test]
fn the_deadline_ends_the_wait_and_the_hint_goes_on_by_id() {
    let world = world();
    world.stack(Stack::create("tarn", secs(600)).id(TARN));
    for (deadline, format) in [("12s", ""), ("12", "-f json"), ("0.2m", "-f value")] {
        let ended = wait(
            &world,
            &format!("tarn --for create --deadline {deadline} {format}"),
        )
        .exits(124)
        .takes(secs(12))
        .says(&[
            "still CREATE_IN_PROGRESS at the deadline; the operation goes on",
            &format!("hint: go on waiting with: heat-wait stack wait {TARN} --for create"),
        ]);
        if format == "-f json" {
            assert_eq!(
                (&ended.json()["outcome"], &ended.json()["exit"]),
                (&json!("deadline"), &json!(124))
            );
        }
    }
}

#[test]
fn a_deadline_of_zero_looks_once() {
    let world = world();
    world.stack(Stack::create("tarn", secs(600)).id(TARN));
    wait(&world, "tarn --for create --deadline 0")
        .exits(124)
        .takes(secs(0));
    world.advance(secs(600));
    wait(&world, "tarn --for create --deadline 0")
        .exits(0)
        .takes(secs(0));
}

#[test]
fn a_resource_named_like_the_stack_is_a_resource() {
    for stack in ["tarn", TARN] {
        let world = world();
        world.stack(
            tarn()
                .own(secs(0), "CREATE_IN_PROGRESS", "")
                .event(
                    secs(0),
                    "tarn",
                    Some("vol-5"),
                    "CREATE_COMPLETE",
                    "state changed",
                )
                .event(secs(1), "tarn", None, "CREATE_FAILED", "it tries again")
                .event(
                    secs(2),
                    "tarn",
                    Some("vol-6"),
                    "CREATE_COMPLETE",
                    "state changed",
                )
                .own(secs(4), "CREATE_FAILED", "resources.reed: boom"),
        );
        wait(&world, &format!("{stack} --for create"))
            .exits(1)
            .takes(secs(5))
            .says(&[
                "[tarn]: CREATE_IN_PROGRESS",
                "[tarn.tarn]: CREATE_COMPLETE",
                "[tarn]: CREATE_FAILED  resources.reed: boom",
            ]);
    }
}

/// Events in every notation of a time, two of them of a nested stack.
fn times() -> Stack {
    let marsh = Stack::new("tarn-marsh-x1y2")
        .own(secs(6), "CREATE_IN_PROGRESS", "nested begins")
        .event_time(json!("2031-03-04T12:00:06+02:00"))
        .event(
            secs(7),
            "heron",
            None,
            "CREATE_IN_PROGRESS",
            "in the nested stack",
        )
        .event_time(json!("2031-03-04T10:00:06.250000"));
    tarn()
        .own(secs(3), "CREATE_IN_PROGRESS", "begins")
        .event_time(json!("2031-03-04T10:00:05"))
        .event(
            secs(4),
            "reed",
            None,
            "CREATE_IN_PROGRESS",
            "before the beginning",
        )
        .event_time(json!("2031-03-04T10:00:04Z"))
        .nested("marsh", marsh)
        .event(
            secs(8),
            "moss",
            None,
            "CREATE_IN_PROGRESS",
            "without a time",
        )
        .event_time(json!(null))
        .own(secs(20), "CREATE_COMPLETE", "done")
}

#[test]
fn every_notation_of_a_time_is_shown_as_utc_and_nested_names_are_those_of_the_template() {
    let world = world();
    world.stack(times());
    world.advance(secs(9));
    let ended = wait(&world, "tarn --for create --nested-depth 2").exits(0);
    let lines: Vec<String> = ended
        .stderr
        .lines()
        .map(|line| {
            let (time, rest) = line
                .split_once("Z ")
                .map_or(("-", line), |(time, rest)| (time, rest));
            format!("{time} {}", rest.split_once(' ').unwrap_or_default().1)
        })
        .collect();
    let expected = [
        "2031-03-04 10:00:04 [tarn.reed]: CREATE_IN_PROGRESS  before the beginning",
        "2031-03-04 10:00:05 [tarn]: CREATE_IN_PROGRESS  begins",
        "2031-03-04 10:00:06 [tarn.marsh]: CREATE_IN_PROGRESS  nested begins",
        "2031-03-04 10:00:06 [tarn.marsh]: CREATE_IN_PROGRESS  state changed",
        "2031-03-04 10:00:06.25 [tarn.marsh.heron]: CREATE_IN_PROGRESS  in the nested stack",
    ];
    for line in expected {
        assert!(
            lines.iter().any(|seen| seen == line),
            "{line} is missing in {lines:#?}\n{ended}"
        );
    }
    assert!(ended.stderr.contains("\n- "), "no time is a dash\n{ended}");
    assert!(
        !ended.stderr.contains("x1y2]"),
        "no generated name\n{ended}"
    );
}

#[test]
fn an_old_server_that_ignores_the_depth_is_walked_through_or_said_and_changes_no_verdict() {
    let world = world_with(|config| config.old_heat = true);
    world.stack(times());
    world.advance(secs(9));
    wait(&world, "tarn --for create --nested-depth 2")
        .exits(0)
        .says(&["[tarn.marsh.heron]: CREATE_IN_PROGRESS"])
        .never_says(&["x1y2]"]);
}

#[test]
fn control_characters_in_a_reason_are_made_harmless_and_letters_pass() {
    let world = world();
    world.stack(Stack::failing(
        "tarn",
        secs(4),
        "Größe überschritten \u{0}\u{1b}[2J\u{9b}1m\u{202e}日本\r\nnext: line\u{7}",
    ));
    let ended = wait(&world, "tarn --for create")
        .exits(1)
        .says(&["Größe überschritten", "日本"]);
    let bad = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!ended.stderr.contains(bad), "{:?}", ended.stderr);
    let lines = ended.stderr.lines().filter(|line| line.starts_with("next"));
    assert_eq!(lines.count(), 0, "no line of a server's making\n{ended}");
}

#[test]
fn a_reader_of_stdout_who_went_away_ends_it_quietly_once_the_wait_is_over() {
    struct Closed;
    impl std::io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let world = world();
    world.stack(Stack::create("tarn", secs(20)).id(TARN));
    let (end, ended) = world.run_into(&["stack", "wait", "tarn"], &mut Closed);
    assert_eq!(end, End::ReaderGone(Exit::Reached));
    assert!(ended.elapsed >= secs(20), "{ended}");
    ended.never_says(&["panic", "pipe"]);
}

#[test]
fn after_a_minute_without_an_event_a_heartbeat_says_what_runs_and_for_how_long() {
    let world = world();
    world.stack(
        tarn()
            .own(secs(0), "CREATE_IN_PROGRESS", "")
            .event(secs(2), "reed", None, "CREATE_IN_PROGRESS", "state changed")
            .own(secs(150), "CREATE_COMPLETE", ""),
    );
    let ended = wait(&world, "tarn --for create").exits(0).says(&[
        "[tarn.reed]: CREATE_IN_PROGRESS",
        "still waiting for stack tarn",
        "CREATE_IN_PROGRESS for 1m",
        "tarn.reed CREATE_IN_PROGRESS for ",
    ]);
    let beats = ended
        .stderr
        .lines()
        .filter(|line| line.contains("still waiting"))
        .count();
    assert_eq!(beats, 2, "{ended}");
}

#[test]
fn every_form_of_an_auth_url_signs_in_with_one_request() {
    for (prefix, suffix) in [
        ("", ""),
        ("", "/"),
        ("", "/v3"),
        ("", "/v3/"),
        ("/identity", "/v3/"),
        ("/identity", ""),
    ] {
        let mut world = world_with(|config| prefix.clone_into(&mut config.identity_prefix));
        world.stack(standing());
        let url = format!("{}{suffix}", world.url(Service::Keystone));
        world.env.insert("OS_AUTH_URL".to_owned(), url.clone());
        wait(&world, "tarn").exits(0);
        assert_eq!(world.sign_ins(), 1, "{url}");
        assert_eq!(world.count(&When::sign_in(), None), 1, "{url}");
    }
}

#[test]
fn an_ipv6_address_in_an_auth_url_is_understood() {
    let world = world_with(|config| "::1".clone_into(&mut config.host));
    world.stack(standing());
    wait(&world, "tarn").exits(0);
}

#[test]
fn a_project_id_of_digits_is_no_version_and_an_endpoint_is_completed_where_it_must_be() {
    for url in [
        "{heat}",
        "{heat}/",
        "{heat}/v1",
        "{heat}/v1/",
        "{heat}/v1/{project}",
        "{heat}/v1/{project}/",
    ] {
        for prefix in ["", "/orchestration", "/v1"] {
            let world = world_with(|config| {
                "12345678901234567890123456789012".clone_into(&mut config.project_id);
                prefix.clone_into(&mut config.heat_prefix);
                config.catalog = Some(
                    json!([{"type": "orchestration", "name": "heat", "endpoints": [
                        {"interface": "public", "region": "RegionOne", "region_id": "RegionOne", "url": url},
                    ]}]),
                );
            });
            world.stack(standing());
            let ended = wait(&world, "tarn");
            // A prefix that looks like a version and no version behind it: nobody can tell.
            if prefix != "/v1" || url.contains("/v1") {
                let place = format!("GET {prefix}/v1/12345678901234567890123456789012/stacks/tarn");
                assert!(
                    ended.exit == 0
                        && ended
                            .asked("/stacks/tarn?")
                            .iter()
                            .all(|line| line.starts_with(&place)),
                    "{url} {prefix}\n{ended}"
                );
            }
        }
    }
}

#[test]
fn a_wait_that_joins_late_asks_for_the_newest_event_first() {
    let world = world();
    let mut stack = tarn().own(secs(0), "CREATE_IN_PROGRESS", "");
    for n in 0..40_000 {
        stack = stack.event(secs(n), "reed", Some("r"), "UPDATE_COMPLETE", "");
    }
    world.stack(stack.own(secs(40_100), "CREATE_COMPLETE", ""));
    world.advance(secs(40_000));
    let ended = wait(&world, "tarn --for create").exits(0);
    let events = ended.asked("/events?");
    assert!(
        events[0].contains("limit=1&") || events[0].ends_with("limit=1"),
        "{events:?}"
    );
    assert!(events[0].contains("sort_dir=desc"), "{events:?}");
    assert!(events.len() < 35, "{events:#?}");
}

#[test]
fn a_redirect_is_reduced_to_the_stack_that_it_names() {
    // A proxy in front of Heat that Heat does not know of: its redirects lead nowhere.
    let world = world();
    world.stack(standing());
    let place = format!(
        "http://internal.invalid:8004/heat-api/v1/{}/stacks/tarn/{TARN}",
        world.config().project_id
    );
    let elsewhere = Response::json(302, &json!({"code": "302 Found"})).header("Location", place);
    world.answer(When::heat().ends("/stacks/tarn"), elsewhere);
    wait(&world, "tarn").exits(0);
}
