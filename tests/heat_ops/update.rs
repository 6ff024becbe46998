//! `stack update`.

use sim_cloud::{Fault, Outcome, Stack, When, secs};

use crate::{TARN, changes, stack, with_template, world};

fn ready(status: &str) -> crate::harness::World {
    with_template(world(status))
}

#[test]
fn an_update_is_sent_once_followed_to_its_end_and_shown() {
    for name in ["tarn", TARN, &format!("tarn/{TARN}")] {
        let world = ready("CREATE_COMPLETE");
        let ended = stack(&world, &format!("update -t t.yaml {name} -f json")).exits(0);
        assert_eq!(changes(&world), 1);
        assert_eq!(ended.asked("PUT ").len(), 1);
        assert!(ended.asked("PUT ")[0].ends_with(&format!("/stacks/tarn/{TARN}")));
        assert_eq!(ended.json()["stack_status"], "UPDATE_COMPLETE");
    }
    let world = ready("CREATE_COMPLETE");
    let ended = stack(&world, "update --existing tarn").exits(0);
    assert_eq!(ended.asked("PATCH ").len(), 1);
}

#[test]
fn an_update_that_begins_half_a_minute_after_its_202_is_waited_for() {
    for (end, exit) in [
        (Outcome::Complete(secs(10)), 0),
        (Outcome::Fail(secs(10), "boom".to_owned()), 1),
    ] {
        let world = ready("UPDATE_COMPLETE");
        world.heat_outcome("update", None, Outcome::Later(secs(30), Box::new(end)));
        let ended = stack(&world, "update -t t.yaml tarn").exits(exit);
        assert!(ended.elapsed >= secs(40), "{ended}");
    }
}

#[test]
fn the_end_of_an_update_that_ran_before_is_not_taken_for_the_answer() {
    let world = ready("CREATE_COMPLETE");
    world.heat_act("update", "tarn", Outcome::Complete(secs(300)));
    let outcome = Stack::default()
        .own(secs(2), "UPDATE_COMPLETE", "the first one")
        .own(secs(20), "UPDATE_IN_PROGRESS", "Stack UPDATE started")
        .own(secs(30), "UPDATE_FAILED", "ours");
    world.heat_outcome("update", None, Outcome::Like(Box::new(outcome)));
    let ended = stack(&world, "update -t t.yaml tarn").exits(1);
    ended.says(&["UPDATE_FAILED: ours"]);
}

#[test]
fn a_failed_update_without_rollback_is_failed_at_once() {
    let world = ready("CREATE_COMPLETE");
    world.heat_outcome("update", None, Outcome::Fail(secs(5), "boom".to_owned()));
    let ended = stack(&world, "update -t t.yaml tarn -f json").exits(1);
    assert_eq!(ended.json()["outcome"], "failed");
    assert!(ended.elapsed < secs(10), "{ended}");
    ended.says(&["UPDATE_FAILED: boom"]);
}

#[test]
fn an_update_that_replaces_a_create_is_waited_for() {
    let world = with_template(crate::empty());
    world.stack(Stack::create("web", secs(300)));
    world.heat_outcome(
        "update",
        None,
        Outcome::Later(secs(20), Box::new(Outcome::Complete(secs(10)))),
    );
    let ended = stack(&world, "update -t t.yaml web -f json").exits(0);
    assert_eq!(ended.json()["stack_status"], "UPDATE_COMPLETE");
}

#[test]
fn a_lost_answer_leaves_the_command_that_goes_on_with_its_baseline() {
    let world = ready("UPDATE_COMPLETE");
    world.fault(When::heat().change(), Fault::ResetBefore);
    let ended = stack(&world, "update -t t.yaml tarn").exits(3);
    let words = format!("heat-wait stack wait {TARN} --for update --since ");
    assert!(ended.last_words.contains(&words), "{}", ended.last_words);
}

#[test]
fn a_rollback_is_waited_for_and_failed_with_the_first_reason() {
    let outcome = |fails: bool| {
        let reason = "Resource UPDATE failed: no room".to_owned();
        if fails {
            Outcome::RollBackFails(secs(5), secs(40), reason)
        } else {
            Outcome::RollBack(secs(5), secs(40), reason)
        }
    };
    for (fails, text) in [
        (
            false,
            "ROLLBACK_COMPLETE: rolled back: Resource UPDATE failed: no room",
        ),
        (true, "ROLLBACK_FAILED: neither definition is in place"),
    ] {
        let world = ready("CREATE_COMPLETE");
        world.heat_outcome("update", None, outcome(fails));
        let ended = stack(&world, "update -t t.yaml tarn --rollback enabled").exits(1);
        assert!(ended.elapsed >= secs(40), "{ended}");
        ended.says(&[text]);
    }
}

#[test]
fn the_hint_at_the_deadline_is_right_even_after_the_end() {
    let world = ready("UPDATE_COMPLETE");
    let outcome = Outcome::Later(secs(30), Box::new(Outcome::Complete(secs(60))));
    world.heat_outcome("update", None, outcome);
    let ended = stack(&world, "update -t t.yaml tarn --deadline 20").exits(124);
    ended.says(&[
        "the request was taken and may still be carried out",
        "--for update --since ",
    ]);
    let world = ready("UPDATE_COMPLETE");
    let ended = stack(&world, "update -t t.yaml tarn --deadline 3").exits(124);
    let hint = ended
        .stderr
        .lines()
        .find(|line| line.starts_with("hint: go on"))
        .unwrap();
    let words = hint.split_once("heat-wait ").unwrap().1.to_owned();
    world.advance(secs(100));
    world.run(&words).exits(0);
}

#[test]
fn a_lost_answer_is_proved_by_what_is_newer_and_by_nothing_else() {
    for fault in [Fault::ResetAfter, Fault::TakenStatus(502)] {
        let world = ready("UPDATE_COMPLETE");
        world.fault(When::heat().change(), fault);
        stack(&world, "update -t t.yaml tarn")
            .exits(0)
            .says(&["the request was taken"]);
        assert_eq!(changes(&world), 1);
    }
    let world = ready("UPDATE_COMPLETE");
    world.fault(When::heat().change(), Fault::ResetBefore);
    let ended = stack(&world, "update -t t.yaml tarn").exits(3);
    assert_eq!(changes(&world), 1);
    ended.says(&["nobody knows whether the request was taken: it is UPDATE_COMPLETE"]);
}

#[test]
fn what_does_not_exist_and_what_is_no_definition_is_refused_before_the_change() {
    let world = ready("CREATE_COMPLETE");
    stack(&world, "update -t t.yaml nobody").exits(4);
    stack(&world, "update tarn")
        .exits(2)
        .says(&["no template is given"]);
    assert_eq!(changes(&world), 0);
    let suspended = ready("SUSPEND_COMPLETE");
    stack(&suspended, "update -t t.yaml tarn")
        .exits(6)
        .says(&["when it is suspended"]);
}

#[test]
fn a_dry_run_shows_the_changes_and_makes_none() {
    let world = ready("CREATE_COMPLETE");
    let ended = stack(
        &world,
        "update -t t.yaml tarn --dry-run --show-nested -f json",
    )
    .exits(0);
    assert!(ended.asked("PUT ")[0].ends_with("/preview?show_nested=True"));
    assert!(ended.json().get("unchanged").is_some(), "{ended}");
    let ended = stack(&world, "show tarn -f json").exits(0);
    assert_eq!(ended.json()["stack_status"], "CREATE_COMPLETE");
}
