//! Resizing, and states that are not what they were before.

use sim_cloud::{Effect, Kind, secs};

use crate::*;

#[test]
fn a_share_grows_and_shrinks() {
    let world = lagoon();
    let ended = world.run("share resize lagoon 20").exits(0);
    assert_eq!(ended.stdout, "");
    ended.says(&["extending", "available", "size 20"]);
    world
        .run("share resize lagoon 5")
        .exits(0)
        .says(&["shrinking", "size 5"]);
}

#[test]
fn a_refused_shrink_is_a_failure_though_the_share_is_available_again() {
    let world = lagoon();
    world.manila_effect(
        Kind::Share,
        "shrink",
        Effect::new()
            .at(secs(0), "status", "shrinking")
            .at(secs(4), "status", "available")
            .message(secs(4), "shrink: possible data loss."),
    );
    world
        .run("share resize lagoon 5")
        .exits(1)
        .says(&["available, but size is 10, not 5: shrink: possible data loss"]);
}

#[test]
fn every_word_of_failure_ends_it() {
    for (size, word) in [
        (20, "extending_error"),
        (5, "shrinking_error"),
        (5, "shrinking_possible_data_loss_error"),
    ] {
        let world = lagoon();
        let action = if size > 10 { "extend" } else { "shrink" };
        world.manila_effect(
            Kind::Share,
            action,
            Effect::new()
                .at(secs(0), "status", "busy")
                .at(secs(4), "status", word),
        );
        world
            .run(&format!("share resize lagoon {size}"))
            .exits(1)
            .says(&[word]);
    }
}

#[test]
fn the_old_state_is_not_taken_for_the_answer() {
    // The state of before shows for some seconds after the request.
    let world = lagoon();
    world.manila_effect(
        Kind::Share,
        "extend",
        Effect::new()
            .at(secs(6), "status", "extending")
            .at(secs(15), "status", "available")
            .at(secs(15), "size", 20),
    );
    let ended = world.run("share resize lagoon 20").exits(0);
    assert!(ended.elapsed >= secs(15), "{ended}");
}

#[test]
fn what_never_begins_is_believed_once_it_has_settled() {
    let world = lagoon();
    world.manila_effect(Kind::Share, "extend", Effect::new());
    let ended = world.run("share resize lagoon 20 --settle 30s").exits(1);
    assert_eq!(ended.elapsed, secs(30));
    ended.says(&["available, but size is 10, not 20"]);
}

#[test]
fn a_restart_of_the_service_proves_nothing() {
    // `ensuring` comes by itself for every share.
    let world = lagoon();
    world.manila_effect(
        Kind::Share,
        "extend",
        Effect::new()
            .at(secs(0), "status", "ensuring")
            .at(secs(3), "status", "available")
            .at(secs(5), "status", "extending")
            .at(secs(9), "status", "available")
            .at(secs(9), "size", 20),
    );
    world.run("share resize lagoon 20").exits(0);
}

#[test]
fn a_word_that_nobody_knows_is_warned_of_and_waited_out() {
    let world = lagoon();
    world.manila_effect(
        Kind::Share,
        "extend",
        Effect::new()
            .at(secs(0), "status", "stretching")
            .at(secs(9), "status", "available")
            .at(secs(9), "size", 20),
    );
    world
        .run("share resize lagoon 20")
        .exits(0)
        .says(&["warning: ", "stretching"]);
}

#[test]
fn the_way_to_go_on_has_the_size() {
    let world = lagoon();
    world.manila_effect(
        Kind::Share,
        "extend",
        Effect::new().at(secs(0), "status", "extending"),
    );
    let ended = world
        .run("share resize lagoon 20 --deadline 15s")
        .exits(124);
    let hint = format!("manila-wait share wait {LAGOON} --for available --and size=20");
    assert!(ended.last_words.contains(&hint), "{}", ended.last_words);
    ended.says(&[
        "still extending",
        &format!("hint: go on waiting with: {hint}"),
    ]);
}

#[test]
fn a_size_that_is_none_or_is_there_already_sends_nothing() {
    let world = lagoon();
    for line in [
        "share resize lagoon big",
        "share resize lagoon 10",
        "share resize lagoon 1.5",
        "share create NFS ten",
    ] {
        let ended = world.run(line).exits(2);
        assert!(sent(&ended).is_empty(), "{ended}");
    }
    world
        .run("share resize lagoon 10")
        .exits(2)
        .says(&["is 10 GiB already"]);
    // What no size can be is for the service to say.
    let words = "Invalid input received: New size for shrink must be greater than 0.";
    world.manila_effect(Kind::Share, "shrink", Effect::refused(400, words));
    world
        .run("share resize lagoon 0")
        .exits(6)
        .says(&["greater than 0"]);
    world.run("share resize lagoon -5").exits(6);
}
