//! A cloud to play with.

use std::io;
use std::time::Duration;

use crate::cloud::Cloud;
use crate::config::Config;
use crate::heat::Stack;
use crate::manila::{Item, Kind};
use crate::time::Time;

/// Starts a cloud in real time in which, from now on,
/// - the stack `web` is being created and is complete after 6 s, with a nested stack;
/// - the stack `broken` fails after 5 s, for a reason in a nested stack;
/// - the share `data` is available after 4 s;
/// - the share `stuck` ends in `error` after 3 s, with a message to the user.
///
/// # Errors
/// When no port is free.
pub fn demo() -> io::Result<Cloud> {
    let cloud = Cloud::start(Config::new(Time::real()))?;
    populate(&cloud);
    Ok(cloud)
}

/// Adds what [`demo`] shows to any cloud.
pub fn populate(cloud: &Cloud) {
    let at = Duration::from_millis;
    let server = "OS::Nova::Server";
    let cache = Stack::new("web-cache-4x7h2m")
        .own(at(800), "CREATE_IN_PROGRESS", "Stack CREATE started")
        .built("memory", server, at(900), at(3_200))
        .own(
            at(3_400),
            "CREATE_COMPLETE",
            "Stack CREATE completed successfully",
        );
    let web = Stack::create("web", at(6_000))
        .built("network", "OS::Neutron::Net", at(200), at(700))
        .nested("cache", cache)
        .built("volume", "OS::Cinder::Volume", at(900), at(2_400))
        .built("server", server, at(2_500), at(5_600))
        .output("url", "http://192.0.2.80/".into());
    cloud.stack(web);

    let quota = "Quota for ports exceeded: limit 5";
    let pool = Stack::new("broken-pool-q1w9e3")
        .own(at(900), "CREATE_IN_PROGRESS", "Stack CREATE started")
        .broken("member-0", server, at(1_000), at(4_200), quota)
        .broken("member-1", server, at(1_000), at(4_400), "CREATE aborted")
        .own(
            at(4_500),
            "CREATE_FAILED",
            &format!("Resource CREATE failed: Forbidden: resources.member-0: {quota}"),
        );
    let reason =
        format!("Resource CREATE failed: Forbidden: resources.pool.resources.member-0: {quota}");
    let broken = Stack::failing("broken", at(5_000), &reason)
        .built("network", "OS::Neutron::Net", at(200), at(800))
        .nested("pool", pool);
    cloud.stack(broken);

    cloud.item(
        Item::new(Kind::Share, "data")
            .set("size", 10)
            .status(at(0), "creating")
            .status(at(4_000), "available"),
    );
    let why = "allocate host: No storage could be allocated for this share request, Capabilities filter didn't succeed.";
    cloud.item(
        Item::new(Kind::Share, "stuck")
            .set("size", 10)
            .status(at(0), "creating")
            .status(at(3_000), "error")
            .message(at(3_000), why),
    );
}
