//! heat-wait as a process: streams, limits and surroundings, the same for both programs.
#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "../heat_wait/binary.rs"]
mod binary;
mod names;
mod secret;
mod streams;
mod surroundings;
mod view;

use std::time::Duration;

use sim_cloud::{Cloud, Service, Stack, When};

const PROGRAM: &str = env!("CARGO_BIN_EXE_heat-wait");
const NAME: &str = "heat-wait";
const SERVICE: Service = Service::Heat;
/// Below its root.
const PATH: &str = "/v1/%(project_id)s";
/// Waits for what [`going`] has begun.
const WAIT: &str = "stack wait tarn";
/// What is said while it goes on.
const GOES: &str = "CREATE_IN_PROGRESS";
const ENDS: &str = "CREATE_COMPLETE";
const BAD: &str = "CREATE_FAILED";

/// Something that takes so long, and ends well or badly.
fn going(cloud: &Cloud, span: Duration, well: bool) {
    cloud.stack(if well {
        Stack::create("tarn", span)
    } else {
        Stack::failing("tarn", span, "boom")
    });
}

/// Every request to the service.
fn service() -> When {
    When::heat()
}
