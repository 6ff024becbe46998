//! Several at once: one light request a round.

use serde_json::Value;
use sim_cloud::{Fault, Item, Kind, Seen, When, secs};

use crate::harness::Bench;

fn id(number: usize) -> String {
    format!("bbbbbbbb-0000-4000-8000-{number:012}")
}

fn ids(count: usize) -> String {
    (0..count).map(id).collect::<Vec<_>>().join(" ")
}

/// Shares that become available one after the other, every ten seconds.
fn shares(bench: &Bench, count: usize) {
    for number in 0..count {
        let item = Item::new(Kind::Share, &format!("s{number}")).id(&id(number));
        bench.cloud.item(
            item.status(secs(0), "creating")
                .status(secs(10 * (number as u64 + 1)), "available"),
        );
    }
}

#[test]
fn a_round_of_several_is_one_request() {
    let bench = Bench::new();
    shares(&bench, 5);
    let run = bench
        .line(&format!("share wait {} --poll 10", ids(5)))
        .exits(0);
    assert_eq!(run.took, secs(50), "{run}");
    let targets = bench.targets();
    // The range; a list each 10 s, and the last share, which is cheaper by itself.
    assert_eq!(targets.len(), 1 + 6, "{targets:?}");
    assert!(
        targets[1..5]
            .iter()
            .all(|target| target.contains("/shares/detail?limit=1000&offset=0")),
        "{targets:?}"
    );
    assert!(targets[6].ends_with(&id(4)), "{targets:?}");
}

#[test]
fn one_that_is_named_twice_costs_no_look_of_its_own() {
    let bench = Bench::new();
    shares(&bench, 3);
    let words = format!("share wait {} {} --poll 10", ids(3), id(2));
    bench.line(&words).exits(0);
    let targets = bench.targets();
    // The range, and a list each 10 s: both names of the last share are found in the last two.
    assert_eq!(targets.len(), 1 + 4, "{targets:?}");
    assert!(
        targets[1..]
            .iter()
            .all(|target| target.contains("/detail?")),
        "{targets:?}"
    );
}

#[test]
fn the_fixed_part_of_a_wait_is_small() {
    let bench = Bench::new();
    bench.cloud.item(bench.lagoon());
    bench.line("share wait lagoon").exits(0);
    // The range, the name, the export locations of the result.
    assert_eq!(bench.targets().len(), 3, "{:?}", bench.targets());
    assert_eq!(bench.cloud.sign_ins(), 1);
}

#[test]
fn absence_from_the_list_is_no_absence() {
    let bench = Bench::with(|config| config.admin = true);
    shares(&bench, 2);
    let foreign = Item::new(Kind::Share, "foreign")
        .id(&id(7))
        .project("ffffffffffffffffffffffffffffffff");
    bench.cloud.item(
        foreign
            .status(secs(0), "creating")
            .status(secs(40), "available"),
    );
    bench
        .line(&format!("share wait {} {} --poll 5", ids(2), id(7)))
        .exits(0);
    // Once it was missing from a list it is looked at by itself.
    assert!(bench.times(&id(7)).len() >= 8);
}

#[test]
fn a_list_that_is_too_long_gives_way_to_single_looks() {
    let bench = Bench::new();
    for number in 100..700 {
        bench
            .cloud
            .item(Item::new(Kind::Share, &format!("s{number}")).id(&id(number)));
    }
    shares(&bench, 3);
    bench
        .line(&format!("share wait {} --poll 10", ids(3)))
        .exits(0);
    let lists = bench
        .cloud
        .count(&When::manila().path("/shares/detail"), None);
    assert_eq!(lists, 1);
}

#[test]
fn one_shares_outage_spoils_no_other_look() {
    let bench = Bench::new();
    shares(&bench, 2);
    bench.cloud.item(Item::new(Kind::Snapshot, "x"));
    bench
        .cloud
        .fault(When::manila().path("/shares/detail"), Fault::Status(500));
    bench
        .cloud
        .fault(When::manila().ends(&id(0)), Fault::Status(500));
    // The list fails for both; what is left is the word of the one that can be seen in the end.
    let run = bench
        .line(&format!(
            "share wait {} --poll 5 --max-errors 4 -f json",
            ids(2)
        ))
        .exits(3);
    assert_eq!(run.json().as_array().map(Vec::len), Some(2), "{run}");
}

#[test]
fn each_has_its_outcome_and_the_worst_is_the_exit_code() {
    let bench = Bench::new();
    shares(&bench, 1);
    bench.cloud.item(
        Item::new(Kind::Share, "bad")
            .set("status", "creating")
            .status(secs(5), "error")
            .message(secs(5), "create: bad luck"),
    );
    bench
        .cloud
        .item(Item::new(Kind::Share, "slow").status(secs(0), "creating"));
    let run = bench
        .line("share wait s0 bad slow missing --deadline 60s -f json")
        .exits(1)
        .says(&[
            "share bad",
            "create: bad luck",
            "share slow",
            "still creating at the deadline",
            "'missing'",
        ]);
    let outcomes: Vec<(String, u64)> = run
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            (
                row["outcome"].as_str().unwrap().to_owned(),
                row["exit"].as_u64().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("reached", 0),
        ("failed", 1),
        ("deadline", 124),
        ("not found", 4),
    ];
    assert_eq!(
        outcomes,
        expected.map(|(word, exit)| (word.to_owned(), exit)),
        "{run}"
    );
    assert_eq!(run.count("hint: go on waiting with"), 1, "{run}");
}

#[test]
fn the_first_of_any_ends_the_wait() {
    let bench = Bench::new();
    shares(&bench, 3);
    let run = bench
        .line(&format!("share wait {} --any --poll 1 -f json", ids(3)))
        .exits(0);
    assert_eq!(run.took, secs(10), "{run}");
    let outcomes: Vec<Value> = run
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["outcome"].clone())
        .collect();
    assert_eq!(outcomes, ["reached", "left", "left"]);
}

#[test]
fn any_fails_when_none_can_get_there_any_more() {
    let bench = Bench::new();
    bench.cloud.item(
        Item::new(Kind::Share, "bad")
            .set("status", "creating")
            .status(secs(5), "error"),
    );
    bench.cloud.item(
        Item::new(Kind::Share, "worse")
            .set("status", "creating")
            .status(secs(9), "error"),
    );
    bench.line("share wait bad worse missing --any").exits(1);
}

#[test]
fn several_deleted_shares_leave_nothing_to_print() {
    let bench = Bench::new();
    for name in ["a", "b"] {
        bench.cloud.item(
            Item::new(Kind::Share, name)
                .status(secs(0), "deleting")
                .gone(secs(9)),
        );
    }
    let run = bench.line("share wait a b --for deleted").exits(0);
    assert_eq!(run.out, "");
    assert!(
        bench
            .cloud
            .requests()
            .iter()
            .all(|seen: &Seen| seen.status.is_some())
    );
}

#[test]
fn throttling_of_one_holds_for_all() {
    let bench = Bench::with(|config| config.admin = true);
    for number in 0..2 {
        let item = Item::new(Kind::Server, "")
            .id(&id(number))
            .status(secs(0), "creating");
        bench.cloud.item(item.status(secs(30), "active"));
    }
    bench.cloud.fault(
        When::manila().path("/share-servers").nth(2),
        Fault::Throttle(429, sim_cloud::Retry::Seconds(25)),
    );
    let run = bench
        .line(&format!("share server wait {} --poll 5", ids(2)))
        .exits(0);
    assert_eq!(run.took, secs(30), "{run}");
    let times: Vec<u64> = bench
        .cloud
        .asked(&When::manila().path("/share-servers"))
        .iter()
        .map(|seen| seen.time.as_secs())
        .collect();
    assert_eq!(times, [0, 5, 30]);
}
