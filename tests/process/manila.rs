//! manila-wait as a process: streams, limits and surroundings, the same for both programs.
#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "../heat_wait/binary.rs"]
mod binary;
mod names;
mod secret;
mod streams;
mod surroundings;
mod view;

use std::time::Duration;

use sim_cloud::{Cloud, Item, Kind, Service, When};

const PROGRAM: &str = env!("CARGO_BIN_EXE_manila-wait");
const NAME: &str = "manila-wait";
const SERVICE: Service = Service::Manila;
/// Below its root.
const PATH: &str = "/v2";
/// Waits for what [`going`] has begun.
const WAIT: &str = "share wait lagoon";
/// What is said while it goes on.
const GOES: &str = "creating";
const ENDS: &str = "available";
const BAD: &str = "error";

/// Something that takes so long, and ends well or badly.
fn going(cloud: &Cloud, span: Duration, well: bool) {
    let item = Item::new(Kind::Share, "lagoon").status(Duration::ZERO, GOES);
    cloud.item(item.status(span, if well { ENDS } else { BAD }));
}

/// Every request to the service.
fn service() -> When {
    When::manila()
}
