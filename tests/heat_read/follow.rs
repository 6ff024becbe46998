//! `stack event list --follow`: nothing twice, nothing lost, whatever the server does; and its ends.

use serde_json::{Value, json};
use sim_cloud::{Answer, Fault, Outcome, Retry, Service, Stack, When, secs};

use crate::{TARN, answer, e, numbers, tarn, world, world_with};

/// Follows `tarn` for so many seconds, looking each second; the numbers of the events that were written.
fn followed(world: &crate::harness::World, seconds: u64) -> Vec<usize> {
    let words = format!("stack event list tarn --follow --poll 1 --deadline {seconds}");
    numbers(&world.run(&words).exits(124).stdout)
}

#[test]
fn events_are_written_as_they_come_and_the_deadline_says_how_to_go_on() {
    let world = world();
    world.stack(
        tarn()
            .event(secs(3), "a", Some("p"), "UPDATE_COMPLETE", "x")
            .event_id(&e(5))
            .event(secs(9), "b", Some("p"), "UPDATE_COMPLETE", "x")
            .event_id(&e(6)),
    );
    let ended = world
        .run("stack event list tarn --follow --poll 2 --deadline 20 --nested-depth 2")
        .exits(124)
        .says(&[
            "followed until the deadline\n",
            &format!("hint: go on with: heat-wait stack event list {TARN} --follow --marker {} --nested-depth 2\n", e(6)),
        ])
        .takes(secs(20));
    assert_eq!(numbers(&ended.stdout), [1, 2, 3, 4, 5, 6]);
    assert!(ended.last_words.contains(&e(6)), "{}", ended.last_words);
}

#[test]
fn a_server_that_purged_the_marker_and_starts_over_repeats_nothing() {
    let world = world();
    world.stack(tarn());
    world.script(
        When::heat().get().ends("/events"),
        [
            answer(&[(1, 0), (2, 10), (3, 20)]),
            // The marker is unknown now: everything that is left comes again.
            answer(&[(2, 10), (3, 20), (4, 30)]),
            answer(&[(4, 30), (5, 31)]),
            answer(&[(4, 30), (5, 31), (6, 40)]),
        ],
    );
    assert_eq!(followed(&world, 4)[..6], [1, 2, 3, 4, 5, 6]);
}

#[test]
fn events_of_one_second_may_change_places_and_come_late() {
    let world = world();
    world.stack(tarn());
    world.script(
        When::heat().get().ends("/events"),
        [
            answer(&[(1, 10), (2, 10)]),
            answer(&[(2, 10), (3, 10), (1, 10)]),
            // Another engine commits what happened two seconds earlier.
            answer(&[(4, 8), (3, 10), (1, 10), (2, 10), (5, 12)]),
            answer(&[(5, 12), (4, 8), (1, 10), (2, 10), (3, 10)]),
            answer(&[]),
        ],
    );
    assert_eq!(followed(&world, 4), [1, 2, 3, 4, 5]);
}

#[test]
fn faults_throttling_outages_and_renewals_lose_and_repeat_nothing() {
    let world = world_with(|config| config.token_life = secs(300));
    world.stack((5..200).fold(tarn(), |stack, n| {
        stack
            .event(
                secs(n as u64 * 5),
                "reed",
                Some("p"),
                "UPDATE_COMPLETE",
                "x",
            )
            .event_id(&e(n))
    }));
    let look = || When::heat().path("/events");
    world.fault(look().nth(7), Fault::Status(503));
    world.fault(look().nth(11), Fault::ResetAfter);
    world.fault(look().nth(13), Fault::HalfBody);
    world.fault(look().nth(17), Fault::Html(504));
    world.fault(look().nth(19), Fault::Throttle(429, Retry::Seconds(20)));
    world.fault(look().nth(23), Fault::BrokenJson);
    world.outage(Service::Heat, secs(300), secs(420));
    let ended = world
        .run("stack event list tarn --follow --poll 3 --deadline 1200")
        .exits(124)
        .says(&["503", "504"]);
    assert_eq!(numbers(&ended.stdout), (1..200).collect::<Vec<_>>());
    assert!(world.sign_ins() > 2);
}

#[test]
fn it_ends_in_one_line_when_the_stack_is_gone() {
    let world = world();
    world.stack(tarn());
    world.heat_act(
        "delete",
        "tarn",
        Outcome::Later(secs(10), Box::new(Outcome::Complete(secs(5)))),
    );
    let ended = world
        .run("stack event list tarn --follow --poll 2")
        .exits(0);
    assert_eq!(
        ended.stderr,
        format!("heat-wait: stack tarn ({TARN}) is gone\n")
    );
    assert!(ended.stdout.contains("[tarn]: DELETE_COMPLETE"), "{ended}");
    // Heat still shows what is deleted by its id.
    let ended = world
        .run(&format!("stack event list {TARN} --follow"))
        .exits(0);
    assert_eq!(
        numbers(&ended.stdout).len(),
        numbers(&world.run(&format!("stack event list {TARN}")).stdout).len()
    );
    assert!(ended.stderr.ends_with("is gone\n"));
}

#[test]
fn a_stack_of_which_nothing_is_left_is_gone_at_the_second_look() {
    let world = world();
    world.stack(tarn().purged(secs(7)));
    let ended = world
        .run("stack event list tarn --follow --poll 2")
        .exits(0);
    assert_eq!(
        ended.stderr,
        format!("heat-wait: stack tarn ({TARN}) is gone\n")
    );
    assert!(ended.elapsed < secs(12), "{ended}");
    let world = crate::world();
    world.stack(tarn());
    let gone = json!({"code": 404, "error": {"message": "no", "type": "EntityNotFound"}});
    world.answer(
        When::heat().path("/events").nth(2),
        Answer::json(404, &gone),
    );
    world
        .run("stack event list tarn --follow --poll 2 --deadline 20")
        .exits(124);
}

#[test]
fn an_endless_outage_ends_it_with_unknown_and_the_way_to_go_on() {
    let world = world();
    world.stack(tarn());
    world.fault(When::heat().path("/events").after(2), Fault::Status(503));
    world
        .run("stack event list tarn --follow --poll 2 --patience 1m")
        .exits(3)
        .says(&[
            "its events cannot be read",
            "hint: go on with: heat-wait stack event list",
            &e(4),
        ]);
}

#[test]
fn json_is_one_object_a_line_and_a_limit_ends_it() {
    let world = world();
    world.stack(
        tarn()
            .event(secs(30), "a", None, "UPDATE_COMPLETE", "two\nlines")
            .event_id(&e(5)),
    );
    let ended = world
        .run("stack event list tarn --follow -f json --limit 5")
        .exits(0);
    let lines: Vec<Value> = ended
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[4]["resource_status_reason"], "two\nlines");
    assert_eq!(lines[4]["physical_resource_id"], Value::Null);
    for form in ["csv", "value"] {
        let ended = world
            .run(&format!(
                "stack event list tarn --follow -f {form} -c id --limit 5"
            ))
            .exits(0);
        let ids = ended
            .stdout
            .lines()
            .filter(|line| line.contains("e0000000"))
            .count();
        assert_eq!(ids, 5, "{ended}");
    }
}

#[test]
fn a_marker_and_a_filter_hold_while_following() {
    let world = world();
    let stack = (5..12).fold(tarn(), |stack, n| {
        let status = if n % 2 == 0 {
            "UPDATE_COMPLETE"
        } else {
            "UPDATE_FAILED"
        };
        stack
            .event(secs(n as u64 * 2), "a", None, status, "")
            .event_id(&e(n))
    });
    world.stack(stack);
    let words = format!(
        "stack event list tarn --follow --poll 1 --deadline 40 --marker {} --filter resource_status=FAILED",
        e(5)
    );
    let ended = world
        .run(&words)
        .exits(124)
        .says(&["--filter resource_status=FAILED"]);
    assert_eq!(numbers(&ended.stdout), [7, 9, 11]);
}

#[test]
fn a_stack_that_is_replaced_by_one_of_its_name_is_not_followed_further() {
    let world = world();
    world.stack(tarn().gone(secs(5)));
    world.advance(secs(1));
    world.stack(Stack::create("tarn", secs(30)));
    let ended = world
        .run(&format!("stack event list {TARN} --follow --poll 2"))
        .exits(0);
    assert_eq!(numbers(&ended.stdout), [1, 2, 3, 4]);
}
