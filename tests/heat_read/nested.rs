//! Events of nested stacks: by the server, and by walking where the server leaves them to us.

use sim_cloud::{Stack, When, secs};

use crate::harness::World;
use crate::{e, numbers, world_with};

/// `web`: two groups below each other, whole seconds apart.
fn web() -> Stack {
    let complete = "state changed";
    let server = Stack::new("web-group-0-xyz")
        .own(secs(3), "CREATE_IN_PROGRESS", "Stack CREATE started")
        .event_id(&e(5))
        .event(secs(4), "server", None, "CREATE_IN_PROGRESS", complete)
        .event_id(&e(6))
        .event(secs(20), "server", Some("srv"), "CREATE_COMPLETE", complete)
        .event_id(&e(7))
        .own(
            secs(21),
            "CREATE_COMPLETE",
            "Stack CREATE completed successfully",
        )
        .event_id(&e(8));
    let group = Stack::new("web-group-abc")
        .own(secs(2), "CREATE_IN_PROGRESS", "Stack CREATE started")
        .event_id(&e(3))
        .own(
            secs(22),
            "CREATE_COMPLETE",
            "Stack CREATE completed successfully",
        )
        .event_id(&e(9))
        .nested("0", server);
    Stack::new("web")
        .own(secs(0), "CREATE_IN_PROGRESS", "Stack CREATE started")
        .event_id(&e(1))
        .own(
            secs(23),
            "CREATE_COMPLETE",
            "Stack CREATE completed successfully",
        )
        .event_id(&e(10))
        .nested("group", group)
}

fn both() -> [World; 2] {
    [false, true].map(|old| {
        let world = world_with(|config| config.old_heat = old);
        world.stack(web());
        world
    })
}

#[test]
fn both_ways_tell_the_same_with_any_depth_marker_and_limit() {
    let [new, old] = both();
    for world in [&new, &old] {
        world.advance(secs(60));
    }
    let mut told = 0;
    for depth in [1, 2, 5] {
        let plain = format!("stack event list web --nested-depth {depth}");
        let all = new.run(&plain).exits(0).stdout;
        told = told.max(all.lines().count());
        let ids: Vec<String> = all
            .lines()
            .map(|line| line.split(' ').nth(2).unwrap_or_default().to_owned())
            .collect();
        let mut words = vec![plain.clone()];
        for form in ["json", "csv", "value", "table"] {
            words.push(format!("{plain} -f {form}"));
        }
        for sort in [":desc", "resource_name"] {
            words.push(format!("{plain} --sort {sort}"));
        }
        for id in &ids {
            words.push(format!("{plain} --marker {id}"));
            words.push(format!("{plain} --marker {id} --limit 3"));
        }
        for words in words {
            let ours = old.run(&words).exits(0);
            let theirs = new.run(&words).exits(0);
            assert_eq!(ours.stdout, theirs.stdout, "{words}\n{ours}");
        }
    }
    // Own events of three stacks, the server's two, and each nested stack's two as a resource.
    assert_eq!(told, 12);
}

#[test]
fn the_depth_is_a_limit() {
    for world in both() {
        world.advance(secs(60));
        let ended = world.run("stack event list web --nested-depth 1").exits(0);
        assert!(ended.stdout.contains("[web.group.0]"), "{ended}");
        assert!(!ended.stdout.contains("server"), "{ended}");
    }
}

#[test]
fn an_old_heat_is_followed_down_the_nested_stacks_too() {
    let [new, old] = both();
    let words = "stack event list web --nested-depth 3 --follow --poll 1 --deadline 40";
    let mut theirs: Vec<String> = new
        .run(words)
        .exits(124)
        .stdout
        .lines()
        .map(str::to_owned)
        .collect();
    let mut ours: Vec<String> = old
        .run(words)
        .exits(124)
        .stdout
        .lines()
        .map(str::to_owned)
        .collect();
    assert_eq!(ours.len(), 12);
    ours.sort();
    theirs.sort();
    assert_eq!(ours, theirs);
    let words = format!(
        "stack event list web --nested-depth 3 --follow --poll 1 --deadline 40 --marker {}",
        e(6)
    );
    let ended = old.run(&words).exits(124);
    assert_eq!(numbers(&ended.stdout).first(), Some(&7), "{ended}");
    assert_eq!(ended.stdout.lines().count(), 6, "{ended}");
}

#[test]
fn a_wait_follows_an_old_heat_down_and_shows_each_event_once() {
    for world in both() {
        let ended = world
            .run("stack wait web --nested-depth 3 --poll 2")
            .exits(0)
            .says(&[
                "[web]: CREATE_IN_PROGRESS",
                "[web.group.0.server]: CREATE_IN_PROGRESS",
                "[web.group.0.server]: CREATE_COMPLETE",
                "[web]: CREATE_COMPLETE",
            ]);
        for n in [3, 5, 6, 7, 8] {
            assert_eq!(ended.stderr.matches(&e(n)).count(), 1, "{n}: {ended}");
        }
    }
}

#[test]
fn who_joins_late_asks_for_the_parents_once() {
    let [world, _] = both();
    world.advance(secs(10));
    // The parents' events lie before this marker.
    let words = format!("stack wait web --nested-depth 3 --poll 2 --since {}", e(6));
    let ended = world
        .run(&words)
        .exits(0)
        .says(&["[web.group.0.server]: CREATE_COMPLETE"])
        .never_says(&["web-group-0-xyz"]);
    assert_eq!(ended.asked("/resources").len(), 1, "{ended}");
    let words = format!("stack event list web --nested-depth 3 --marker {}", e(6));
    let ended = world.run(&words).exits(0);
    assert!(
        ended
            .stdout
            .contains("[web.group.0.server]: CREATE_COMPLETE"),
        "{ended}"
    );
    assert_eq!(ended.asked("/resources").len(), 1, "{ended}");
    // Who sees the parents begin needs to ask nothing.
    let ended = world.run("stack event list web --nested-depth 3").exits(0);
    assert!(ended.asked("/resources").is_empty(), "{ended}");
}

#[test]
fn where_the_parents_cannot_be_read_only_the_names_are_lost() {
    let [world, _] = both();
    world.advance(secs(60));
    world.fault(
        When::heat().path("/resources"),
        sim_cloud::Fault::Status(500),
    );
    let ended = world
        .run(&format!(
            "stack event list web --nested-depth 3 --marker {}",
            e(6)
        ))
        .exits(0);
    assert!(
        ended.stdout.contains("[server]: CREATE_COMPLETE"),
        "{ended}"
    );
}
