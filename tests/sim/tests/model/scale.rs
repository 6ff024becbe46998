//! Large clouds answer fast enough that a test's time is the client's.

use std::time::Duration;

use poll_core::{Clock, SystemClock};
use sim_cloud::{Item, Kind, Stack, secs};

use crate::client::Client;

/// Generous: an unoptimised build on a busy machine.
const ENOUGH: Duration = Duration::from_secs(2);

fn timed(work: impl FnOnce()) -> Duration {
    let clock = SystemClock::new();
    work();
    clock.now()
}

#[test]
fn a_page_of_a_thousand_of_ten_thousand_stacks_is_served_at_once() {
    let client = Client::new();
    let mut ids = Vec::new();
    for number in 0..10_000 {
        ids.push(
            client
                .cloud
                .stack(Stack::create(&format!("s{number}"), secs(8))),
        );
    }
    let took = timed(|| assert_eq!(client.heat("stacks?limit=1000").all("id").len(), 1000));
    assert!(took < ENOUGH, "{took:?}");
    let query: Vec<String> = ids
        .iter()
        .step_by(100)
        .map(|id| format!("id={id}"))
        .collect();
    let took = timed(|| {
        assert_eq!(
            client
                .heat(&format!("stacks?{}", query.join("&")))
                .all("id")
                .len(),
            100
        )
    });
    assert!(took < ENOUGH, "{took:?}");
}

#[test]
fn a_page_of_a_thousand_of_ten_thousand_shares_is_served_at_once() {
    let client = Client::new();
    for number in 0..10_000 {
        client
            .cloud
            .item(Item::new(Kind::Share, &format!("s{number}")).status(secs(4), "available"));
    }
    let took = timed(|| {
        assert_eq!(
            client
                .manila(99, "shares/detail?limit=1000&offset=9000")
                .all("id")
                .len(),
            1000
        )
    });
    assert!(took < ENOUGH, "{took:?}");
}

#[test]
fn a_hundred_thousand_events_are_paged_at_once() {
    let client = Client::new();
    let mut stack = Stack::create("tarn", secs(100_000)).id("aaaa01");
    for number in 0..100_000 {
        stack = stack.event(
            Duration::from_millis(number),
            "reed",
            None,
            "CREATE_IN_PROGRESS",
            "",
        );
    }
    client.cloud.stack(stack);
    client.clock.advance(secs(1000));
    let mut marker = String::new();
    let took = timed(|| {
        for _ in 0..3 {
            let page = client
                .heat(&format!(
                    "stacks/tarn/aaaa01/events?limit=500&sort_dir=asc&marker={marker}"
                ))
                .all("id");
            assert_eq!(page.len(), 500);
            assert_ne!(page.last(), Some(&marker));
            marker.clone_from(page.last().unwrap());
        }
    });
    assert!(took < ENOUGH * 3, "{took:?}");
}
