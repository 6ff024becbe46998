//! Events: late, odd, many, purged; and one as the baseline.

use serde_json::{Value, json};
use sim_cloud::{Answer, Outcome, Stack, When, secs};

use crate::{TARN, e, ms, standing, tarn, wait, world};

#[test]
fn a_baseline_that_the_service_has_purged_is_older_than_all_that_is_left() {
    let world = world();
    // Heat has purged the older events, the beginning of the stack among them.
    world.stack(
        tarn()
            .own(secs(1), "UPDATE_IN_PROGRESS", "")
            .own(secs(9), "UPDATE_COMPLETE", ""),
    );
    world.advance(secs(20));
    wait(&world, &format!("tarn --for update --since {}", e(7)))
        .exits(0)
        .takes(secs(0));
}

#[test]
fn a_baseline_that_is_no_event_of_the_stack_proves_nothing() {
    let world = world();
    world.stack(standing().own(secs(1), "UPDATE_IN_PROGRESS", "").own(
        secs(9),
        "UPDATE_COMPLETE",
        "",
    ));
    world.advance(secs(20));
    wait(&world, &format!("tarn --for update --since {}", e(999)))
        .exits(2)
        .says(&["--since", &e(999), "no event of"]);
}

#[test]
fn an_event_is_of_one_stack_and_must_look_like_one() {
    let world = world();
    for words in [
        format!("fen moor --since {}", e(1)),
        "fen --since e1".to_owned(),
        "fen --since yesterday".to_owned(),
    ] {
        let ended = wait(&world, &words).exits(2).says(&["--since"]);
        assert!(ended.requests.is_empty(), "{ended}");
    }
}

/// A wait for `tarn` whose events are answered with these, from the second look on.
fn with_events(events: &Value) -> crate::Ended {
    let world = world();
    world.stack(Stack::create("tarn", secs(20)).id(TARN));
    let late = When::heat().path("/events").between(secs(4), secs(1_000));
    world.answer(late, Answer::json(200, &json!({"events": events})));
    wait(&world, "tarn --for create --max-errors 3")
}

#[test]
fn odd_events_end_nothing() {
    let odd = [
        json!([]),
        json!([{}]),
        json!([{"id": null, "event_time": null, "links": null, "resource_name": null, "physical_resource_id": null, "resource_status": null, "resource_status_reason": null}]),
        json!([{"id": e(9), "links": [{}], "resource_status": "HATCHED"}]),
        json!([{"id": e(9), "links": "none", "resource_status": 7, "event_time": 12}]),
        json!([{"id": e(9), "resource_status": "CREATE_COMPLETE", "resource_name": "tarn", "physical_resource_id": "elsewhere"}, {"id": e(9)}, {"id": e(8)}]),
        json!([null, 3, "x"]),
    ];
    for events in odd {
        let ended = with_events(&events);
        assert!(
            ended.exit == 0 && ended.elapsed >= secs(20),
            "{events}\n{ended}"
        );
    }
}

#[test]
fn events_that_come_twice_or_out_of_order_are_shown_once() {
    let world = world();
    let mut stack = tarn()
        .own(secs(0), "CREATE_IN_PROGRESS", "")
        .event_id(&e(1));
    for n in 2..30 {
        stack = stack
            .event(secs(n), "reed", None, "UPDATE_COMPLETE", "")
            .event_id(&e(u32::try_from(n).unwrap_or(0)));
    }
    // Written late by another engine: its time lies before events that were answered already.
    let late = json!(world.time().seconds(secs(12)));
    let stack = stack
        .event(secs(16), "late", None, "UPDATE_COMPLETE", "")
        .event_id(&e(77))
        .event_time(late);
    world.stack(stack.own(secs(40), "CREATE_COMPLETE", ""));
    let ended = wait(&world, "tarn --for create").exits(0);
    for n in (1..30).chain([77]) {
        assert_eq!(ended.stderr.matches(&e(n)).count(), 1, "event {n}\n{ended}");
    }
}

#[test]
fn a_thousand_new_events_between_two_looks_come_in_pages() {
    let world = world();
    let mut stack = tarn().own(secs(0), "CREATE_IN_PROGRESS", "");
    for n in 0..1_200 {
        stack = stack.event(ms(6_000 + n), "reed", None, "UPDATE_COMPLETE", "");
    }
    world.stack(stack.own(secs(8), "CREATE_COMPLETE", "it is done"));
    let ended = wait(&world, "tarn --for create").exits(0).takes(secs(10));
    assert_eq!(ended.stderr.lines().count(), 1_202, "{ended}");
    assert!(ended.asked("/events?").len() <= 7, "{ended}");
}

#[test]
fn a_wait_that_joins_at_the_beginning_of_an_action_shows_nothing_of_those_before() {
    let world = world();
    let mut stack = standing();
    for n in 0..2_000 {
        stack = stack.event(ms(n), "reed", Some("r"), "UPDATE_COMPLETE", "long ago");
    }
    world.stack(stack.own(secs(3), "UPDATE_FAILED", "long ago"));
    world.advance(secs(3_600));
    world.heat_act("update", TARN, Outcome::Complete(secs(8)));
    world.advance(secs(1));
    let ended = wait(&world, "tarn --for update")
        .exits(0)
        .never_says(&["long ago"]);
    assert!(ended.asked("/events?").len() <= 5, "{ended}");
}

#[test]
fn an_action_that_begins_and_ends_between_two_looks_at_a_stack_that_stood_is_shown_whole() {
    let world = world();
    world.stack(standing());
    world.advance(secs(60));
    let fails = Outcome::Complete(secs(2));
    world.heat_act("update", TARN, Outcome::Later(secs(1), Box::new(fails)));
    wait(&world, "tarn --for update")
        .exits(0)
        .takes(secs(5))
        .says(&[
            "stands at CREATE_COMPLETE; waiting for update to begin",
            "UPDATE_IN_PROGRESS",
            "UPDATE_COMPLETE",
        ])
        .never_says(&[&e(40)]);
}

#[test]
fn a_marker_that_is_purged_meanwhile_brings_nothing_twice() {
    let world = world();
    let mut stack = tarn().own(secs(0), "CREATE_IN_PROGRESS", "");
    for n in 1..60 {
        stack = stack.event(secs(n), "reed", None, "UPDATE_COMPLETE", "");
    }
    world.stack(stack.own(secs(90), "CREATE_COMPLETE", ""));
    // The server has forgotten the marker: it answers with all that it has.
    let events = |world: &crate::World| {
        let page = world.run("stack wait tarn --for create --deadline 0 --progress json");
        page.stderr
            .lines()
            .filter(|line| line.contains("\"event\""))
            .count()
    };
    world.advance(secs(30));
    let before = events(&world);
    assert_eq!(before, 31);
    let ended = {
        let all: Vec<Value> = (1..60)
            .map(|n| {
                json!({"id": e(n), "event_time": world.time().seconds(secs(u64::from(n))), "resource_name": "reed", "resource_status": "UPDATE_COMPLETE",
                       "resource_status_reason": "again", "physical_resource_id": null, "links": []})
            })
            .collect();
        world.answer(
            When::heat().path("/events").between(secs(59), secs(64)),
            Answer::json(200, &json!({"events": all})),
        );
        wait(&world, "tarn --for create").exits(0)
    };
    // Their ids are new to it; by their times they lie before its marker.
    let again: Vec<&str> = ended
        .stderr
        .lines()
        .filter(|line| line.ends_with("again"))
        .collect();
    assert!(
        again.iter().all(|line| *line >= "2031-03-04 10:00:45"),
        "{again:#?}"
    );
}
