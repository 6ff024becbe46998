//! Politeness: how many requests a wait costs, and what they ask for.

use std::collections::BTreeMap;
use std::time::Duration;

use sim_cloud::{Outcome, Service, Stack, secs};

use crate::{Ended, TARN, standing, wait, world};

/// Requests to Heat by the time that they came.
fn rounds(ended: &Ended) -> BTreeMap<Duration, usize> {
    let mut rounds = BTreeMap::new();
    for seen in ended
        .requests
        .iter()
        .filter(|seen| seen.service == Service::Heat)
    {
        *rounds.entry(seen.time).or_default() += 1;
    }
    rounds
}

#[test]
fn one_stack_costs_four_requests_and_one_a_round() {
    let world = world();
    let mut stack = Stack::create("tarn", secs(300)).id(TARN);
    for n in 1..60 {
        stack = stack.event(secs(n * 5), "reed", None, "CREATE_IN_PROGRESS", "");
    }
    world.stack(stack);
    let ended = wait(&world, "tarn --for create").exits(0);
    let rounds = rounds(&ended);
    assert!(rounds[&secs(0)] <= 4, "{ended}");
    let later: Vec<usize> = rounds.into_iter().skip(1).map(|(_, count)| count).collect();
    let (last, middle) = later.split_last().unwrap();
    assert!(
        middle.iter().all(|count| *count == 1),
        "{middle:?}\n{ended}"
    );
    assert!(*last <= 2, "{ended}");
}

#[test]
fn a_stack_that_stands_costs_two_requests() {
    let world = world();
    world.stack(standing());
    let ended = wait(&world, "tarn").exits(0);
    assert_eq!(rounds(&ended).values().sum::<usize>(), 2, "{ended}");
}

#[test]
fn a_quiet_stack_costs_one_request_a_round_and_now_and_then_a_second() {
    for running in [true, false] {
        let world = world();
        world.stack(standing());
        world.advance(secs(60));
        if running {
            world.heat_act("update", TARN, Outcome::Stay);
        }
        let ended = wait(&world, "tarn --for update --deadline 10m").exits(124);
        let rounds = rounds(&ended);
        let total: usize = rounds.values().sum();
        assert!(rounds.values().skip(2).all(|count| *count <= 2), "{ended}");
        assert!(
            total <= rounds.len() * 3 / 2 + 5,
            "{total} requests in {} rounds\n{ended}",
            rounds.len()
        );
    }
}

#[test]
fn outputs_are_never_resolved() {
    let world = world();
    world.stack(Stack::create("tarn", secs(30)).id(TARN));
    world.stack(Stack::failing("fen", secs(30), "boom"));
    let ended = wait(&world, "tarn --for create").exits(0);
    let both = wait(&world, "tarn fen").exits(1);
    for seen in ended.requests.iter().chain(&both.requests) {
        let path = &seen.request.path;
        if seen.service == Service::Heat
            && !path.ends_with("/events")
            && !path.ends_with("/stacks")
            && !path.ends_with("/resources")
        {
            assert!(
                seen.request.query.contains("resolve_outputs=False"),
                "{}",
                seen.target()
            );
        }
    }
}

#[test]
fn many_stacks_cost_one_request_for_a_hundred_of_them() {
    for (count, chunks) in [(10, 1), (100, 1), (1_000, 10)] {
        let world = world();
        let mut words = vec!["stack".to_owned(), "wait".to_owned()];
        words
            .extend((0..count).map(|n| world.stack(Stack::create(&format!("reed-{n}"), secs(43)))));
        words.extend(["--poll".to_owned(), "5".to_owned()]);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ended = world.run_words(&words).exits(0);
        let rounds: Vec<usize> = rounds(&ended).into_values().collect();
        let (last, before) = rounds.split_last().unwrap();
        assert!(
            before.iter().all(|requests| *requests == chunks),
            "{count}: {before:?}"
        );
        // In the last round their events are fetched: their status has changed.
        assert!(*last <= chunks + 2 * count, "{count}: {last}");
    }
}

#[test]
fn two_waits_do_not_look_in_step() {
    let times = |seed: u64| {
        let mut world = world();
        world.seed = seed;
        world.stack(Stack::create("tarn", secs(600)).id(TARN));
        let ended = world.run("stack wait tarn").exits(0);
        ended
            .requests
            .iter()
            .map(|seen| seen.time)
            .filter(|time| *time > secs(0))
            .collect::<Vec<_>>()
    };
    let (one, other) = (times(1), times(2));
    let shared = one.iter().filter(|time| other.contains(time)).count();
    assert_eq!(shared, 0, "{one:?}\n{other:?}");
    assert_eq!(one, times(1), "the same seed looks at the same times");
}

#[test]
fn the_period_is_a_tenth_of_the_time_waited_between_half_a_second_and_five() {
    let world = world();
    world.stack(Stack::create("tarn", secs(600)).id(TARN));
    let ended = world.run("stack wait tarn").exits(0);
    let times: Vec<Duration> = rounds(&ended).into_keys().collect();
    for pair in times.windows(2) {
        let pause = pair[1] - pair[0];
        let due = (pair[0] / 10).clamp(Duration::from_millis(500), secs(5));
        assert!(
            pause >= due * 9 / 10 && pause <= due * 11 / 10,
            "{pause:?} at {:?}",
            pair[0]
        );
    }
}

#[test]
fn one_connection_is_kept_for_the_whole_wait() {
    let world = world();
    world.stack(Stack::create("tarn", secs(300)).id(TARN));
    let ended = wait(&world, "tarn").exits(0);
    let mut connections: Vec<u64> = ended
        .requests
        .iter()
        .filter(|seen| seen.service == Service::Heat)
        .map(|seen| seen.connection)
        .collect();
    connections.dedup();
    assert_eq!(connections.len(), 1, "{connections:?}");
}

#[test]
fn it_says_who_asks() {
    let world = world();
    world.stack(standing());
    let ended = wait(&world, "tarn").exits(0);
    for seen in &ended.requests {
        let agent = seen.request.header("user-agent").unwrap_or_default();
        assert_eq!(agent, format!("heat-wait/{}", env!("CARGO_PKG_VERSION")));
    }
}
