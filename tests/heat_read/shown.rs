//! `stack show` and `stack output …`: what is asked for, and what is said when it is not there.

use serde_json::json;
use sim_cloud::{Answer, Stack, When};

use crate::{tarn, world};

#[test]
fn a_stack_costs_two_requests_and_its_outputs_are_left_out_on_demand() {
    let world = world();
    world.stack(tarn().output("url", "http://192.0.2.80/".into()));
    let ended = world.run("stack show tarn -f json").exits(0);
    assert_eq!(
        ended.json()["outputs"][0]["output_value"],
        "http://192.0.2.80/"
    );
    assert_eq!(ended.asked("/stacks/").len(), 2, "{ended}");
    let ended = world
        .run("stack show tarn --no-resolve-outputs -f json")
        .exits(0);
    assert!(ended.json().get("outputs").is_none(), "{ended}");
    assert!(
        ended
            .asked("/stacks/")
            .iter()
            .all(|line| line.contains("resolve_outputs=False"))
    );
}

#[test]
fn what_is_not_there_is_not_found() {
    let world = world();
    world.stack(tarn());
    for words in [
        "stack show nowhere",
        "stack output list nowhere",
        "stack event list nowhere",
        "stack failures list nowhere",
    ] {
        world
            .run(words)
            .exits(4)
            .says(&["heat-wait: stack nowhere: there is no such stack\n"]);
    }
    let ended = world.run("stack output show tarn url").exits(4);
    assert!(ended.stderr.ends_with("it has no output url\n"), "{ended}");
}

#[test]
fn an_output_and_all_outputs_exclude_each_other() {
    let world = world();
    for words in [
        "stack output show tarn",
        "stack output show tarn url --all",
        "stack show",
        "stack show tarn -f csv",
    ] {
        let ended = world.run(words).exits(2);
        assert!(ended.requests.is_empty(), "{ended}");
    }
    world.run_words(&["stack", "show", ""]).exits(2);
}

#[test]
fn a_heat_without_outputs_of_its_own_shows_them_with_the_stack() {
    let world = world();
    world.stack(tarn().output("url", 7.into()));
    let gone = json!({"code": 404, "error": {"message": "no", "type": "NotFound"}});
    world.answer(When::heat().path("/outputs"), Answer::json(404, &gone));
    let ended = world.run("stack output list tarn -f value").exits(0);
    assert_eq!(ended.stdout, "url No description given\n");
    let ended = world
        .run("stack output show tarn url -f value -c output_value")
        .exits(0);
    assert_eq!(ended.stdout, "7\n");
}

#[test]
fn an_outage_is_ridden_out_and_what_servers_say_cannot_drive_the_terminal() {
    let world = world();
    world.stack(Stack::standing("tarn").parameter("a", "red \u{1b}[31m"));
    world.fault(When::heat().get().first(3), sim_cloud::Fault::Status(503));
    let ended = world.run("stack show tarn").exits(0).says(&["503"]);
    assert!(!ended.stdout.contains('\u{1b}'), "{ended}");
}
