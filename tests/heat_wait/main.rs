//! Tests of heat-wait: the library in this process against the simulated cloud, in virtual time, and where the process
//! itself matters (signals, streams, what a debug log shows) the binary.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

#[path = "../harness/mod.rs"]
mod harness;

mod absence;
mod binary;
mod cases;
mod config;
mod events;
mod goals;
mod output;
mod renewal;
mod requests;
mod rollback;
mod scenarios;
mod secrets;
mod several;
mod signals;
mod silence;
mod weather;

use std::time::Duration;

use harness::{Ended, World};
use sim_cloud::{Config, Stack};

const PROGRAM: &str = env!("CARGO_BIN_EXE_heat-wait");
/// The id of the stack `tarn`.
const TARN: &str = "aaaaaaaa-0000-4000-8000-000000000001";

/// A cloud without stacks.
fn world() -> World {
    world_with(|_| {})
}

/// A cloud set up otherwise.
fn world_with(set_up: impl FnOnce(&mut Config)) -> World {
    World::new("heat-wait", heat_cli::run, set_up)
}

/// The id of event number `n`.
fn e(n: u32) -> String {
    format!("e0000000-0000-4000-8000-{n:012}")
}

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// The stack `tarn`, to which nothing has happened yet.
fn tarn() -> Stack {
    Stack::new("tarn").id(TARN)
}

/// The stack `tarn`, created long ago.
fn standing() -> Stack {
    tarn()
        .own(Duration::ZERO, "CREATE_IN_PROGRESS", "Stack CREATE started")
        .event_id(&e(39))
        .own(
            Duration::ZERO,
            "CREATE_COMPLETE",
            "Stack CREATE completed successfully",
        )
        .event_id(&e(40))
}

/// `heat-wait stack wait` with these words, looking every 5 s.
fn wait(world: &World, words: &str) -> Ended {
    world.run(&format!("stack wait {words} --poll 5"))
}
