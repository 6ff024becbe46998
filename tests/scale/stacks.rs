//! Thousands of stacks in one process: what a round costs grows with their number and no faster. Counted, not timed;
//! `cargo xtask bench --scale` measures memory and processor time of ten thousand.

#[path = "../harness/mod.rs"]
#[expect(
    dead_code,
    clippy::panic,
    clippy::unwrap_used,
    reason = "only a part of the harness is needed; tests"
)]
mod harness;
mod rounds;

use harness::{Ended, World};
use rounds::grows_with_the_number_and_no_faster;
use sim_cloud::{Service, Stack, secs};

/// Waits for so many stacks that are still being created at the deadline, looking every 5 s.
fn wait(count: usize) -> Ended {
    let world = World::new("heat-wait", heat_cli::run, |_| {});
    let ids: Vec<String> = (0..count)
        .map(|number| world.stack(Stack::create(&format!("reed-{number}"), secs(3600))))
        .collect();
    rounds::wait(&world, "stack", &ids)
}

fn asked(ended: &Ended, from: u64, until: u64) -> usize {
    rounds::asked(ended, Service::Heat, from, until)
}

#[test]
fn a_round_costs_one_request_for_a_hundred_stacks_whatever_their_number() {
    for count in [500, 2_000] {
        let ended = wait(count);
        // Looked up, and judged by that.
        assert_eq!(asked(&ended, 0, 5), count / 100, "{count}");
        // Five rounds of lists, and nothing else.
        assert_eq!(asked(&ended, 5, 28), 5 * count / 100, "{count}");
        // At the deadline one more; what is asked for afterwards does not grow with the number.
        assert!(asked(&ended, 28, 3600) <= count / 100 + 10, "{count}");
        assert!(ended.elapsed < secs(29), "{:?}", ended.elapsed);
    }
}

#[test]
fn what_is_said_grows_with_the_number_and_no_faster() {
    grows_with_the_number_and_no_faster(&wait(200), &wait(2_000));
}
