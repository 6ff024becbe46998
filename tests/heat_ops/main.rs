//! Tests of what heat-wait changes: the library in this process against the simulated cloud, in virtual time.

#![expect(clippy::panic, clippy::unwrap_used, reason = "tests")]

#[path = "../harness/mod.rs"]
mod harness;

mod actions;
mod create;
mod delete;
mod legacy;
mod lost;
mod recorded;
mod update;

use std::time::Duration;

use harness::{Ended, World};
use sim_cloud::{Stack, When, secs};

/// The id of the stack `tarn`.
const TARN: &str = "aaaaaaaa-0000-4000-8000-000000000001";

/// A cloud in which the stack `tarn` stands in this state, with an event for it.
fn world(status: &str) -> World {
    let world = World::new("heat-wait", heat_cli::run, |_| {});
    world.stack(tarn(status));
    world.advance(secs(60));
    world
}

fn tarn(status: &str) -> Stack {
    let action = status.split('_').next().unwrap();
    Stack::new("tarn")
        .id(TARN)
        .own(
            Duration::ZERO,
            &format!("{action}_IN_PROGRESS"),
            "it begins",
        )
        .own(Duration::ZERO, status, "as it was before")
}

/// `heat-wait stack` with these words, looking every 5 s.
fn stack(world: &World, words: &str) -> Ended {
    world.run(&format!("stack {words} --poll 5"))
}

/// A template in the current folder, `t.yaml`.
fn with_template(mut world: World) -> World {
    let template =
        b"heat_template_version: 2021-04-16\nresources:\n  reed: {type: OS::Heat::None}\n";
    let files = [("/somewhere/t.yaml", template.to_vec())];
    let files = files.map(|(path, text)| (path.into(), text));
    world.files.extend(files);
    world
}

/// A cloud without stacks, and a template.
fn empty() -> World {
    with_template(World::new("heat-wait", heat_cli::run, |_| {}))
}

/// How many changes were asked for.
fn changes(world: &World) -> usize {
    world.count(&When::heat().change(), None)
}
