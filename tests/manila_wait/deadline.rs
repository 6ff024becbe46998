//! When a wait ends that has not reached its end.

use std::time::Duration;

use sim_cloud::{Answer, Fault, Item, Kind, When, secs};

use crate::harness::{Bench, ID};

#[test]
fn the_deadline_is_kept_to_the_second_and_the_way_to_go_on_has_the_id() {
    let bench = Bench::new();
    bench
        .cloud
        .item(bench.lagoon().status(secs(0), "extending").set("size", 10));
    let run = bench
        .run(&["share", "wait", "lagoon", "--and", "size=20", "--deadline", "12s", "--poll", "5", "--os-region-name", "RegionOne"])
        .exits(124)
        .says(&[
            &format!("manila-wait: share lagoon ({ID}): still extending (size 10) at the deadline; the operation goes on"),
            &format!("hint: go on waiting with: manila-wait share wait {ID} --for available --and size=20 --os-region-name RegionOne"),
        ]);
    assert_eq!(run.took, secs(12), "{run}");
    assert_eq!(bench.times(ID), [5, 10, 12,]);
}

#[test]
fn what_stands_still_at_the_deadline_is_not_said_to_go_on() {
    let bench = Bench::new();
    bench.cloud.item(bench.lagoon());
    bench
        .line("share wait lagoon --for deleted --deadline 3s")
        .exits(124)
        .says(&["still available at the deadline\n"])
        .hides("the operation goes on");
}

#[test]
fn a_deadline_of_zero_looks_once() {
    let bench = Bench::new();
    bench.cloud.item(bench.lagoon().status(secs(0), "creating"));
    let run = bench
        .line("share wait lagoon --deadline 0")
        .exits(124)
        .says(&["still creating at the deadline"]);
    assert_eq!(run.took, secs(0), "{run}");
    let looks = bench.cloud.asked(&When::manila().path("/shares/detail"));
    assert_eq!(looks.len(), 1);
    bench.cloud.item(Item::new(Kind::Share, "reed"));
    bench.line("share wait reed --deadline 0").exits(0);
}

#[test]
fn absence_at_a_deadline_of_zero_is_looked_at_a_second_time_at_once() {
    let bench = Bench::new();
    let run = bench
        .line(&format!("share wait {ID} --for deleted --deadline 0"))
        .exits(0);
    assert_eq!(run.took, secs(0));
    assert_eq!(bench.times(ID).len(), 2);
    bench
        .line(&format!("share wait {ID} --deadline 0"))
        .exits(4);
}

#[test]
fn an_outage_at_the_deadline_is_unknown() {
    let bench = Bench::new();
    bench.cloud.item(bench.lagoon().status(secs(0), "creating"));
    bench
        .cloud
        .fault(When::manila().get().ends(ID), Fault::Status(503));
    bench
        .line("share wait lagoon --deadline 30s --poll 5 -f json")
        .exits(3)
        .says(&[
            "state unknown at the deadline",
            "last seen creating",
            "hint: go on waiting with",
        ]);
}

#[test]
fn migrations_backups_and_replicas_are_given_a_day() {
    let bench = Bench::with(|config| config.token_life = secs(30 * 3600));
    let replica = bench
        .cloud
        .item(Item::new(Kind::Replica, "").status(secs(0), "creating"));
    let run = bench
        .line(&format!("share replica wait {replica}"))
        .exits(124);
    assert_eq!(run.took, secs(24 * 3600));
    bench.cloud.item(bench.lagoon().status(secs(0), "creating"));
    assert_eq!(bench.line("share wait lagoon").exits(124).took, secs(3600));
}

#[test]
fn a_deadline_that_is_no_duration_is_refused_before_anything_is_sent() {
    let bench = Bench::new();
    bench
        .line("share wait lagoon --deadline soon")
        .exits(2)
        .says(&["--deadline"]);
    bench
        .line("share wait lagoon --appear=soon")
        .exits(2)
        .says(&["--appear"]);
    bench
        .line("share wait lagoon --appear 2m")
        .exits(2)
        .says(&["--appear 2m: for the time write --appear=2m"]);
    bench
        .line("share resize lagoon large")
        .exits(2)
        .says(&["'large' for '<NEW_SIZE>': write a whole number"]);
    bench
        .line("share wait lagoon --tolerate-error soon")
        .exits(2)
        .says(&["--tolerate-error"]);
    assert_eq!(bench.cloud.requests().len(), 0);
}

#[test]
fn what_comes_after_the_deadline_has_no_more_than_its_share_of_time() {
    let bench = Bench::new();
    bench.cloud.item(bench.lagoon().status(secs(0), "creating"));
    // The last look takes all the time that there is.
    let slow = Answer::model().takes(Duration::from_millis(400));
    bench
        .cloud
        .answer(When::manila().get().ends(ID).nth(2), slow);
    let run = bench
        .line("share wait lagoon --deadline 10s --poll 5 -f json")
        .exits(124)
        .says(&["export_locations left out: no time was left"]);
    assert!(run.took <= Duration::from_millis(10_400), "{run}");
    assert_eq!(run.json()["status"], "creating");
}

#[test]
fn several_failures_whose_causes_are_out_of_reach_make_one_note() {
    let bench = Bench::new();
    for name in ["a", "b", "c"] {
        bench
            .cloud
            .item(Item::new(Kind::Share, name).status(secs(0), "error"));
    }
    bench
        .cloud
        .fault(When::manila().path("/messages"), Fault::Status(403));
    let run = bench.line("share wait a b c").exits(1);
    assert_eq!(run.count("the cause is not known"), 1, "{run}");
    assert_eq!(run.count(": error\n"), 6, "{run}");
}
