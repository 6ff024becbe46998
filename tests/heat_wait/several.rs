//! Several stacks in one wait.

use sim_cloud::{Fault, Stack, When, secs};

use crate::{ms, wait, world, world_with};

#[test]
fn several_stacks_are_waited_for_at_once_and_a_missing_one_does_not_stop_the_others() {
    let world = world();
    world.stack(Stack::create("fen", secs(8)));
    world.stack(Stack::create("moor", secs(18)));
    let ended = wait(&world, "fen moor typo fen").exits(4).takes(secs(20));
    let ended = ended.says(&["typo", "no such stack"]);
    assert!(
        ended.stdout.contains("fen") && ended.stdout.contains("moor"),
        "{ended}"
    );

    world.stack(Stack::failing("bog", secs(5), "boom"));
    wait(&world, "fen typo bog").exits(1).says(&["boom"]);
    let running = world.stack(Stack::create("mere", secs(900)));
    let ended = wait(&world, "fen typo mere --deadline 10s").exits(124);
    ended.says(&["go on waiting with: heat-wait stack wait", "typo", &running]);
}

#[test]
fn many_failures_at_the_deadline_are_explained_as_far_as_time_allows() {
    let world = world_with(|config| config.latency = ms(50));
    let names: Vec<String> = (0..60).map(|n| format!("bog-{n}")).collect();
    for name in &names {
        world.stack(Stack::failing(name, secs(18), "boom"));
    }
    let ended = wait(&world, &format!("{} --deadline 20s", names.join(" "))).exits(1);
    assert!(ended.elapsed <= secs(21), "{ended}");
    ended.says(&["CREATE_FAILED: boom", "is left out"]);
}

#[test]
fn the_first_of_any_ends_the_wait() {
    let world = world();
    world.stack(Stack::failing("bog", secs(3), "boom"));
    world.stack(Stack::create("fen", secs(8)));
    world.stack(Stack::create("moor", secs(600)));
    wait(&world, "bog moor fen --any").exits(0).takes(secs(10));
    wait(&world, "bog typo --any").exits(1);
    wait(&world, "typo typing --any").exits(4);
    wait(&world, "bog moor --any --deadline 20s").exits(1);
}

#[test]
fn what_a_list_leaves_out_is_looked_at_by_itself() {
    let world = world_with(|config| config.admin = true);
    world.stack(Stack::create("fen", secs(8)).hidden());
    let child = Stack::create("moor-nest-x1", secs(8)).id("bbbbbbbb-0000-4000-8000-000000000002");
    world.stack(Stack::create("moor", secs(12)).nested("nest", child));
    let other = "cccccccc-0000-4000-8000-000000000003";
    world.stack(Stack::create("mere", secs(16)).id(other).project("6666"));
    let ended = wait(&world, &format!("fen moor-nest-x1 {other}"))
        .exits(0)
        .takes(secs(20));
    assert_eq!(
        ended.stdout.matches("CREATE_COMPLETE").count(),
        3,
        "{ended}"
    );
}

#[test]
fn who_may_not_list_may_still_look_at_each() {
    let world = world();
    world.stack(Stack::create("fen", secs(8)));
    world.stack(Stack::create("moor", secs(12)));
    world.fault(When::heat().ends("/stacks"), Fault::Status(403));
    wait(&world, "fen moor").exits(0).takes(secs(15));
}
