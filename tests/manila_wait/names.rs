//! From a name or an ID to one resource.

use sim_cloud::{Item, Kind, When, secs};

use crate::harness::{Bench, ID};

const OTHER: &str = "bbbbbbbb-0000-4000-8000-000000000003";

#[test]
fn a_name_that_two_shares_have_is_refused_with_both_ids() {
    let bench = Bench::new();
    bench.cloud.item(bench.lagoon());
    bench.cloud.item(bench.lagoon().id(OTHER));
    bench
        .line("share wait lagoon")
        .exits(2)
        .says(&[ID, OTHER, "hint: name one of them by its ID"]);
    bench.line(&format!("share wait {OTHER}")).exits(0);
}

#[test]
fn an_ambiguous_name_among_several_ends_the_run_before_the_wait() {
    let bench = Bench::new();
    bench.cloud.item(bench.lagoon());
    bench.cloud.item(bench.lagoon().id(OTHER));
    bench
        .cloud
        .item(Item::new(Kind::Share, "reed").status(secs(0), "creating"));
    let run = bench
        .line("share wait reed lagoon")
        .exits(2)
        .says(&[ID, OTHER]);
    assert_eq!(run.took, secs(0), "{run}");
}

#[test]
fn a_share_is_looked_at_by_its_id_once_it_is_known() {
    let bench = Bench::new();
    bench.cloud.item(
        bench
            .lagoon()
            .status(secs(0), "creating")
            .status(secs(9), "available"),
    );
    bench.line("share wait lagoon --poll 5").exits(0);
    assert_eq!(
        bench.cloud.count(
            &When::manila().path("/shares/detail").query("name=lagoon"),
            None
        ),
        1
    );
    assert_eq!(bench.times(ID), [5, 10]);
}

#[test]
fn a_share_that_is_renamed_is_still_the_same() {
    let bench = Bench::new();
    bench.cloud.item(
        bench
            .lagoon()
            .status(secs(0), "creating")
            .at(secs(3), "name", "tarn")
            .status(secs(9), "available"),
    );
    bench.cloud.item(
        Item::new(Kind::Share, "other")
            .at(secs(3), "name", "lagoon")
            .status(secs(4), "error"),
    );
    bench
        .line("share wait lagoon --poll 5")
        .exits(0)
        .says(&["[tarn]: available"]);
}

#[test]
fn another_projects_share_is_not_found() {
    let bench = Bench::new();
    bench
        .cloud
        .item(bench.lagoon().project("ffffffffffffffffffffffffffffffff"));
    bench
        .line(&format!("share wait {ID}"))
        .exits(4)
        .says(&["no share with a name or ID of"]);
    bench.line("share wait lagoon").exits(4);
}

#[test]
fn an_administrator_finds_a_name_of_another_project_where_the_own_has_none() {
    let bench = Bench::with(|config| config.admin = true);
    bench
        .cloud
        .item(bench.lagoon().project("ffffffffffffffffffffffffffffffff"));
    bench.line("share wait lagoon").exits(0);
    bench.cloud.item(bench.lagoon().id(OTHER));
    let run = bench.line("share wait lagoon -f json").exits(0);
    assert_eq!(run.json()["id"], OTHER);
}

#[test]
fn what_is_not_there_exits_4_and_says_what_to_do() {
    let bench = Bench::new();
    let run = bench
        .line("share wait no-such-share -f json")
        .exits(4)
        .says(&[
            "no share with a name or ID of 'no-such-share'",
            "hint: --appear",
        ]);
    assert_eq!(run.json()["outcome"], "not found");
    bench
        .line("share replica wait no-such-replica")
        .exits(4)
        .says(&["no replica with an ID of 'no-such-replica'"]);
    assert_eq!(bench.line("share wait a/b").exits(4).out, "");
}

#[test]
fn absence_is_the_end_of_a_wait_for_deletion_also_by_name_and_with_a_note() {
    let bench = Bench::new();
    let run = bench
        .line("share wait no-such-share --for deleted")
        .exits(0)
        .says(&["deleted already, or never there"]);
    assert_eq!(run.out, "");
    bench
        .line(&format!("share wait {ID} --for deleted"))
        .exits(0);
}

#[test]
fn what_may_appear_is_waited_for() {
    let bench = Bench::new();
    bench.cloud.item(
        bench
            .lagoon()
            .status(secs(0), "creating")
            .status(secs(3), "available"),
    );
    bench.cloud.fault(
        When::manila().ends(ID).between(secs(0), secs(60)),
        sim_cloud::Fault::Status(404),
    );
    bench.line(&format!("share wait {ID} --appear")).exits(0);
    let run = bench
        .line("share wait reed --appear=30s")
        .exits(4)
        .says(&["it did not appear in time"]);
    assert!(run.took >= secs(30) && run.took <= secs(31), "{run}");
    let run = bench
        .line("share wait reed --appear --deadline 40s")
        .exits(4)
        .says(&["did not appear before the deadline"]);
    let hint = "manila-wait share wait reed --for available --appear=none";
    assert!(run.last_words.contains(hint), "{}", run.last_words);
}

#[test]
fn a_name_needs_encoding() {
    let bench = Bench::new();
    bench.cloud.item(Item::new(Kind::Share, "a b&c=d/é").id(ID));
    assert_eq!(
        bench
            .run(&["share", "wait", "a b&c=d/é", "-f", "json"])
            .exits(0)
            .json()["id"],
        ID
    );
}
