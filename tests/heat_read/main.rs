//! Tests of the commands of heat-wait that only read: the library in this process against the simulated cloud, in
//! virtual time, and where the process itself matters (signals, memory) the binary.

#![expect(clippy::panic, clippy::unwrap_used, reason = "tests")]

#[path = "../harness/mod.rs"]
mod harness;

mod binary;
mod events;
mod failures;
mod follow;
mod nested;
mod recorded;
mod shown;
mod source;

use std::time::Duration;

use harness::World;
use serde_json::{Value, json};
use sim_cloud::{Answer, Config, Stack, secs};

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
fn e(n: usize) -> String {
    format!("e0000000-0000-4000-8000-{n:012}")
}

/// The stack `tarn`, created long ago, with events 1 to 4.
fn tarn() -> Stack {
    Stack::new("tarn")
        .id(TARN)
        .own(Duration::ZERO, "CREATE_IN_PROGRESS", "Stack CREATE started")
        .event_id(&e(1))
        .event(secs(0), "reed", None, "CREATE_IN_PROGRESS", "state changed")
        .event_id(&e(2))
        .event(
            secs(0),
            "reed",
            Some("r-1"),
            "CREATE_COMPLETE",
            "state changed",
        )
        .event_id(&e(3))
        .own(
            secs(0),
            "CREATE_COMPLETE",
            "Stack CREATE completed successfully",
        )
        .event_id(&e(4))
}

/// An answer with these events: number, and seconds after ten o'clock. Each is of a resource.
fn answer(events: &[(usize, u64)]) -> Answer {
    let events: Vec<Value> = events.iter().map(|(n, at)| event(*n, *at)).collect();
    Answer::json(200, &json!({ "events": events }))
}

fn event(n: usize, at: u64) -> Value {
    json!({
        "id": e(n),
        "event_time": format!("2031-03-04T10:{:02}:{:02}Z", at / 60, at % 60),
        "resource_name": format!("r{n}"),
        "logical_resource_id": format!("r{n}"),
        "physical_resource_id": "p",
        "resource_status": "CREATE_COMPLETE",
        "resource_status_reason": "state changed",
        "links": [{"rel": "stack", "href": format!("http://h/v1/p/stacks/tarn/{TARN}")}],
    })
}

/// The numbers of the events in a log, in order.
fn numbers(log: &str) -> Vec<usize> {
    let id = |line: &str| line.split(' ').nth(2)?.rsplit('-').next()?.parse().ok();
    log.lines().filter_map(id).collect()
}
