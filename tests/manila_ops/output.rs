//! What is said and printed.

use sim_cloud::{Effect, Kind, When, secs};

use crate::*;

#[test]
fn what_the_client_prints_nothing_for_prints_nothing() {
    for line in [
        "share resize lagoon 20 -f json",
        "share delete lagoon -f json",
        "share abandon lagoon",
    ] {
        assert_eq!(lagoon().run(line).exits(0).stdout, "", "{line}");
    }
}

#[test]
fn every_format_shows_the_fields_of_the_service_in_their_order() {
    let world = world();
    let ended = world
        .run("share create NFS 1 --name a -f shell --prefix x_")
        .exits(0);
    assert!(ended.stdout.contains("x_status=\"available\"\n"), "{ended}");
    let ended = world
        .run("share create NFS 1 --name b -f value -c name -c status")
        .exits(0);
    assert_eq!(ended.stdout, "available\nb\n");
    let ended = world
        .run("share create NFS 1 --name c --property k=v")
        .exits(0);
    assert!(
        ended.stdout.contains("| metadata ") && ended.stdout.contains("{'k': 'v'}"),
        "{ended}"
    );
    let ended = world.run("share create NFS 1 -f csv").exits(2);
    assert!(sent(&ended).is_empty(), "{ended}");
}

#[test]
fn before_anything_is_sent_no_text_says_that_something_goes_on() {
    let world = lagoon();
    world.answer(
        When::manila().get().path("/shares"),
        sim_cloud::Fault::Status(500),
    );
    let ended = world.run("share resize lagoon 20 --deadline 10s").exits(3);
    assert!(sent(&ended).is_empty(), "{ended}");
    assert!(
        ended.last_words.contains("nothing was sent"),
        "{}",
        ended.last_words
    );
    ended.never_says(&["goes on"]);
}

#[test]
fn a_signal_while_it_runs_says_how_to_go_on() {
    let world = lagoon();
    world.manila_effect(
        Kind::Share,
        "delete",
        Effect::new().at(secs(0), "status", "deleting"),
    );
    let ended = world.run("share delete lagoon --deadline 9s").exits(124);
    let words = &ended.last_words;
    assert!(words.contains("the operation goes on"), "{words}");
    assert!(
        words.contains(&format!("manila-wait share wait {LAGOON} --for deleted")),
        "{words}"
    );
}

#[test]
fn without_a_wait_a_delete_is_only_sent() {
    let world = lagoon();
    let ended = world.run("share delete lagoon --no-wait").exits(0);
    assert_eq!(sent(&ended).len(), 1);
    let ended = ended.takes(secs(0));
    assert_eq!(ended.stdout, "");
}

#[test]
fn the_default_deadline_is_that_of_what_is_waited_for() {
    for (line, hours) in [
        ("share delete lagoon", 1),
        ("share backup create lagoon", 24),
    ] {
        let world = lagoon();
        world.manila_effect(
            Kind::Share,
            "delete",
            Effect::new().at(secs(0), "status", "deleting"),
        );
        world.manila_effect(
            Kind::Backup,
            "create",
            Effect::new().at(secs(0), "status", "creating"),
        );
        let ended = world.run(line).exits(124);
        assert_eq!(ended.elapsed, secs(hours * 3600), "{line}");
    }
}

#[test]
fn progress_in_json_has_a_result_of_what_was_not_begun() {
    let world = lagoon();
    world.manila_effect(
        Kind::Share,
        "delete",
        Effect::refused(403, "Invalid share: locked."),
    );
    let ended = world
        .run("share delete nosuch lagoon --progress json")
        .exits(6);
    let lines = ended
        .stderr
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let results: Vec<_> = lines.filter(|line| line["type"] == "result").collect();
    let outcomes: Vec<_> = results
        .iter()
        .map(|line| {
            (
                line["asked"].as_str().unwrap(),
                line["exit"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(outcomes, [("nosuch", 4), ("lagoon", 6)]);
    assert_eq!(results[1]["id"], LAGOON);
}

#[test]
fn progress_in_json_ends_with_the_result() {
    let ended = lagoon().run("share delete lagoon --progress json").exits(0);
    let lines: Vec<serde_json::Value> = ended
        .stderr
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let result = lines.iter().find(|line| line["type"] == "result").unwrap();
    assert_eq!(result["outcome"], "reached");
    assert_eq!(result["id"], LAGOON);
}

#[test]
fn the_last_words_know_what_was_taken() {
    let world = lagoon();
    world.item(share(DELTA, "delta"));
    world.manila_effect(Kind::Share, "extend", Effect::refused(400, "too large"));
    let ended = world.run("share resize lagoon 20").exits(6);
    assert!(
        ended.last_words.contains("nothing was changed"),
        "{}",
        ended.last_words
    );
    world.fault(When::manila().change(), sim_cloud::Fault::ResetBefore);
    let ended = world.run("share delete delta --deadline 9s").exits(3);
    assert!(
        ended
            .last_words
            .contains("not known whether the request was taken"),
        "{}",
        ended.last_words
    );
}
