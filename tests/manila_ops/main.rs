//! Tests of the operations of manila-wait: the program in this process, against a simulated cloud, in virtual time.
#![expect(clippy::panic, clippy::unwrap_used, reason = "tests")]

#[path = "../harness/mod.rs"]
mod harness;

mod access;
mod groups;
mod lost;
mod many;
mod migration;
mod output;
mod printed;
mod recorded;
mod refused;
mod replicas;
mod resize;
mod shares;
mod snapshots;
mod together;
mod versions;

use harness::{Ended, World};
use sim_cloud::{Config, Item, Kind};

const LAGOON: &str = "11111111-0000-4000-8000-000000000001";
const DELTA: &str = "11111111-0000-4000-8000-000000000002";
const NIGHTLY: &str = "22222222-0000-4000-8000-000000000001";
const REPLICA: &str = "33333333-0000-4000-8000-000000000001";
const RULE: &str = "44444444-0000-4000-8000-000000000001";
const REEF: &str = "55555555-0000-4000-8000-000000000001";
const LOW_TIDE: &str = "66666666-0000-4000-8000-000000000001";
const INSTANCE: &str = "77777777-0000-4000-8000-000000000001";
const NET: &str = "88888888-0000-4000-8000-000000000001";
const SERVER: &str = "99999999-0000-4000-8000-000000000001";
const COPY: &str = "aaaaaaaa-0000-4000-8000-000000000001";

/// A cloud of an administrator, with nothing in it.
fn world() -> World {
    world_with(|_| {})
}

/// A cloud set up otherwise.
fn world_with(set_up: impl FnOnce(&mut Config)) -> World {
    World::new("manila-wait", manila_cli::run, |config| {
        config.admin = true;
        set_up(config);
    })
}

/// A share of 10 GiB, available.
fn share(id: &str, name: &str) -> Item {
    Item::new(Kind::Share, name).id(id).set("size", 10)
}

/// A cloud with one share, `lagoon`.
fn lagoon() -> World {
    let world = world();
    world.item(share(LAGOON, "lagoon"));
    world
}

/// The bodies of all changes that were sent.
fn sent(ended: &Ended) -> Vec<String> {
    let changes = ended
        .requests
        .iter()
        .filter(|seen| seen.service == sim_cloud::Service::Manila && seen.request.method != "GET");
    changes
        .map(|seen| format!("{} {}", seen.request.method, seen.target()))
        .collect()
}
