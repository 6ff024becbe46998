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

use harness::{Ended, World};
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
    let mut words = vec!["share", "wait", "--poll", "5", "--deadline", "28"];
    words.extend(ids.iter().map(String::as_str));
    let ended = world.run_words(&words);
    // The last round has 0.4 s of the machine's own time, which the virtual clock does not count: where a page of the
    // unoptimised simulated cloud takes longer, the state at the deadline is not known (3).
    assert!(matches!(ended.exit, 124 | 3), "exit {}", ended.exit);
    ended
}

fn asked(ended: &Ended, from: u64, until: u64) -> usize {
    let at = |time| time >= secs(from) && time < secs(until);
    let manila = ended
        .requests
        .iter()
        .filter(|seen| seen.service == Service::Manila);
    manila.filter(|seen| at(seen.time)).count()
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
    let (few, many) = (wait(200), wait(2_000));
    assert!(
        many.stderr.len() < 11 * few.stderr.len(),
        "{} {}",
        few.stderr.len(),
        many.stderr.len()
    );
    assert_eq!(many.stderr.matches("go on waiting with").count(), 1);
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
