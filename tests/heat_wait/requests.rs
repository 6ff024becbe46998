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
        assert!(
            rounds
                .values()
                .rev()
                .skip(1)
                .rev()
                .skip(2)
                .all(|count| *count <= 2),
            "{ended}"
        );
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
        let add = |n| world.stack(Stack::create(&format!("reed-{n}"), secs(900)));
        words.extend((0..count).map(add));
        words.extend(["--poll", "5", "--deadline", "30s"].map(str::to_owned));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ended = world.run_words(&words).exits(124);
        let rounds: Vec<usize> = rounds(&ended).into_values().collect();
        let (last, before) = rounds.split_last().unwrap();
        assert_eq!(before, [chunks; 6], "{count}");
        // At the deadline a few are looked through for hooks.
        assert!(*last <= chunks + 5, "{count}: {last}");
    }
}

#[test]
fn events_are_asked_for_only_of_those_whose_status_has_changed() {
    let world = world();
    for n in 0..10 {
        world.stack(Stack::create(&format!("reed-{n}"), secs(8 + 10 * n)));
    }
    let names: Vec<String> = (0..10).map(|n| format!("reed-{n}")).collect();
    let ended = wait(&world, &names.join(" ")).exits(0).takes(secs(100));
    let rounds = rounds(&ended);
    assert!(rounds.values().all(|requests| *requests <= 3), "{rounds:?}");
    let begun = ended
        .stderr
        .lines()
        .filter(|line| line.contains("]: CREATE_IN_PROGRESS"));
    assert_eq!(
        begun.count(),
        10,
        "the beginning of each is shown as well\n{ended}"
    );
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
