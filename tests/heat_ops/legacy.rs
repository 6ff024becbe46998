//! `stack-create`, as `heat` spells it.

use sim_cloud::{Outcome, When, secs};

use crate::{changes, empty};

#[test]
fn without_poll_nothing_is_waited_for() {
    let world = empty();
    world
        .run("stack-create -f t.yaml -t 30 -r -P a=1;b=2 web")
        .exits(0)
        .takes(secs(0));
    let body = world.asked(&When::heat().change())[0]
        .request
        .json()
        .unwrap();
    assert_eq!(body["timeout_mins"], 30);
    assert_eq!(body["disable_rollback"], false);
    assert_eq!(body["parameters"], serde_json::json!({"a": "1", "b": "2"}));
}

#[test]
fn with_poll_the_end_is_waited_for() {
    for words in ["--poll web", "--poll 3 web", "web --poll"] {
        let world = empty();
        world.heat_outcome("create", None, Outcome::Fail(secs(30), "boom".to_owned()));
        let ended = world
            .run(&format!("stack-create -f t.yaml {words}"))
            .exits(1);
        assert_eq!(changes(&world), 1);
        let parts: Vec<&str> = ended.stdout.split("| Property ").collect();
        assert_eq!(parts.len(), 3, "list, show, show: {ended}");
        assert!(parts[0].contains("| id ") && parts[0].contains("CREATE_IN_PROGRESS"));
        assert!(parts[2].contains("CREATE_FAILED"), "{ended}");
        ended.says(&["CREATE_FAILED: boom"]);
    }
}

#[test]
fn a_long_reason_is_broken_where_heat_breaks_it() {
    let world = empty();
    let why = "Resource CREATE failed: ValueError: resources.slow: Test Resource failed slow";
    world.heat_outcome("create", None, Outcome::Fail(secs(30), why.to_owned()));
    let ended = world.run("stack-create -f t.yaml --poll web").exits(1);
    let cells = |line: &str| {
        let cells = line.trim_matches('|').split(" | ").map(str::trim);
        cells.map(str::to_owned).collect::<Vec<_>>()
    };
    let lines: Vec<_> = ended.stdout.lines().map(cells).collect();
    let at = lines
        .iter()
        .rposition(|line| line[0] == "stack_status_reason");
    let at = at.unwrap();
    assert_eq!(
        lines[at][1], "Resource CREATE failed: ValueError: resources.slow:",
        "{ended}"
    );
    assert_eq!(lines[at + 1], ["", "Test Resource failed slow"], "{ended}");
}

#[test]
fn a_create_that_went_well_ends_with_the_line_of_heat() {
    let world = empty();
    let ended = world.run("stack-create -f t.yaml --poll 5 web").exits(0);
    assert!(
        ended
            .stdout
            .ends_with("+\n\n Stack web CREATE_COMPLETE \n\n"),
        "{ended}"
    );
}

#[test]
fn one_template_is_needed_and_no_more() {
    let world = empty();
    world.run("stack-create web").exits(2);
    world
        .run("stack-create -f t.yaml -u http://192.0.2.1/t.yaml web")
        .exits(2);
}
