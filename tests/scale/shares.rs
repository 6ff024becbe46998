//! Thousands of shares in one process: what a round costs grows with their number and no faster. Counted, not timed;
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
use sim_cloud::{Item, Kind, Service, secs};

/// Waits for so many shares that are still being created at the deadline, looking every 5 s.
fn wait(count: usize) -> Ended {
    let world = World::new("manila-wait", manila_cli::run, |_| {});
    let share = |number: usize| {
        let share = Item::new(Kind::Share, &format!("reed-{number}"));
        world.item(
            share
                .status(secs(0), "creating")
                .status(secs(3600), "available"),
        )
    };
    let ids: Vec<String> = (0..count).map(share).collect();
    rounds::wait(&world, "share", &ids)
}

fn asked(ended: &Ended, from: u64, until: u64) -> usize {
    rounds::asked(ended, Service::Manila, from, until)
}

#[test]
fn a_round_costs_one_request_for_a_thousand_shares_whatever_their_number() {
    for (count, pages) in [(900, 1), (2_000, 2)] {
        let ended = wait(count);
        // The microversions, and the list: nothing is looked up by itself.
        assert!(
            asked(&ended, 0, 5) <= pages + 2,
            "{count}: {}",
            asked(&ended, 0, 5)
        );
        assert_eq!(asked(&ended, 5, 28), 5 * pages, "{count}");
        assert!(asked(&ended, 28, 3600) <= pages + 10, "{count}");
        assert!(ended.elapsed < secs(29), "{:?}", ended.elapsed);
    }
}

#[test]
fn what_is_said_grows_with_the_number_and_no_faster() {
    grows_with_the_number_and_no_faster(&wait(200), &wait(2_000));
}

#[test]
fn the_last_words_name_every_share_and_how_it_was_seen_last() {
    let ended = wait(200);
    assert!(
        ended.last_words.contains("share reed-0 (")
            && ended.last_words.contains("share reed-199 (")
    );
    assert!(
        ended.last_words.contains(" creating"),
        "{}",
        ended.last_words
    );
}
