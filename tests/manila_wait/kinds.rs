//! Every kind to its end, good and bad.

use sim_cloud::{Effect, Item, Kind, When, secs};

use crate::harness::{Bench, ID};

fn admin() -> Bench {
    Bench::with(|config| config.admin = true)
}

#[test]
fn every_kind_reaches_its_good_end_and_its_bad_one() {
    for (words, kind, bad) in [
        ("share", Kind::Share, "extending_error"),
        ("share snapshot", Kind::Snapshot, "error_deleting"),
        ("share replica", Kind::Replica, "error"),
        ("share access", Kind::Rule, "error"),
        ("share group", Kind::Group, "error"),
        ("share group snapshot", Kind::GroupSnapshot, "error"),
        (
            "share instance",
            Kind::Instance,
            "shrinking_possible_data_loss_error",
        ),
        ("share network", Kind::Network, "error"),
        ("share server", Kind::Server, "manage_error"),
        ("share backup", Kind::Backup, "backup_restoring_error"),
    ] {
        let bench = admin();
        let (busy, good) = match kind {
            Kind::Rule => ("queued_to_apply", "active"),
            Kind::Network => ("network_change", "active"),
            Kind::Server => ("creating", "active"),
            _ => ("creating", "available"),
        };
        let item = |id: &str| Item::new(kind, "lagoon").id(id).status(secs(0), busy);
        let other = "bbbbbbbb-0000-4000-8000-000000000003";
        bench.cloud.item(item(ID).status(secs(60), good));
        bench.cloud.item(item(other).status(secs(200), bad));
        let run = bench.line(&format!("{words} wait {ID} -f json")).exits(0);
        assert!(run.took >= secs(60), "{words}: {run}");
        assert_eq!(run.json()["id"], ID, "{words}: {run}");
        assert!(run.json().get("outcome").is_none(), "{words}");
        let run = bench
            .line(&format!("{words} wait {other} -f json"))
            .exits(1)
            .says(&[bad]);
        assert_eq!(
            (&run.json()["outcome"], &run.json()["exit"]),
            (&"failed".into(), &1.into()),
            "{words}: {run}"
        );
        bench.cloud.item(
            item("bbbbbbbb-0000-4000-8000-000000000004")
                .status(secs(0), "deleting")
                .gone(secs(600)),
        );
        let run = bench
            .line(&format!(
                "{words} wait bbbbbbbb-0000-4000-8000-000000000004 --for deleted"
            ))
            .exits(0);
        assert_eq!(run.out, "", "{words}");
        assert!(run.err.contains("deleted"), "{words}: {run}");
    }
}

#[test]
fn a_migration_is_the_task_state_of_its_share() {
    let bench = Bench::new();
    bench.cloud.item(
        bench
            .lagoon()
            .status(secs(0), "migrating")
            .at(secs(0), "task_state", "migration_starting")
            .at(secs(100), "task_state", "migration_driver_phase1_done")
            .at(secs(900), "task_state", "migration_completing")
            .at(secs(1000), "task_state", "migration_success")
            .status(secs(1000), "available"),
    );
    let run = bench
        .line("share migration wait lagoon -f value -c task_state")
        .exits(0);
    assert_eq!(run.out, "migration_driver_phase1_done\n");
    let run = bench
        .line("share migration wait lagoon --for migration_success --and status=available -f value -c task_state")
        .exits(0);
    assert_eq!(run.out, "migration_success\n");
}

#[test]
fn a_cancelled_migration_is_a_failure_unless_it_is_what_was_waited_for() {
    let bench = Bench::new();
    bench.cloud.item(
        bench
            .lagoon()
            .at(secs(0), "task_state", "migration_cancelled"),
    );
    bench
        .line("share migration wait lagoon")
        .exits(1)
        .says(&["migration of share lagoon", "migration_cancelled"]);
    bench
        .line("share migration wait lagoon --for migration_cancelled --and status=available")
        .exits(0);
}

#[test]
fn a_share_that_was_never_moved_is_waited_for() {
    let bench = Bench::new();
    bench
        .cloud
        .item(bench.lagoon().set("task_state", serde_json::Value::Null));
    bench
        .line("share migration wait lagoon --deadline 10s")
        .exits(124)
        .says(&["without a status"]);
}

#[test]
fn a_resize_that_goes_back_to_the_old_size_is_a_failure() {
    let bench = Bench::new();
    bench.cloud.item(
        bench
            .lagoon()
            .set("size", 20)
            .status(secs(0), "shrinking")
            .status(secs(9), "available")
            .message(secs(9), "shrink: Possible data loss"),
    );
    let run = bench
        .line("share wait lagoon --and size=10 -f json")
        .exits(1)
        .says(&["available, but size is 20, not 10: shrink: Possible data loss"]);
    assert_eq!(run.json()["size"].to_string(), "20");
}

#[test]
fn a_promotion_is_judged_by_both_fields() {
    let bench = Bench::new();
    let promoted = Item::new(Kind::Replica, "")
        .status(secs(0), "replication_change")
        .at(secs(0), "replica_state", "in_sync")
        .at(secs(30), "replica_state", "active")
        .status(secs(40), "available");
    let failed = Item::new(Kind::Replica, "").status(secs(20), "error").at(
        secs(0),
        "replica_state",
        "in_sync",
    );
    let (promoted, failed) = (bench.cloud.item(promoted), bench.cloud.item(failed));
    let goal = "--for replica_state=active --and status=available";
    let run = bench
        .line(&format!("share replica wait {promoted} {goal}"))
        .exits(0);
    assert!(run.took >= secs(40), "{run}");
    bench
        .line(&format!("share replica wait {failed} {goal}"))
        .exits(1);
}

#[test]
fn a_replica_state_in_error_may_heal() {
    let bench = Bench::new();
    let replica = Item::new(Kind::Replica, "")
        .at(secs(0), "replica_state", "error")
        .at(secs(280), "replica_state", "in_sync");
    let replica = bench.cloud.item(replica);
    let goal = "--for replica_state=in_sync";
    bench
        .line(&format!("share replica wait {replica} {goal}"))
        .exits(1)
        .says(&["replica_state error"]);
    bench
        .line(&format!(
            "share replica wait {replica} {goal} --tolerate-error 6m"
        ))
        .exits(0);
}

#[test]
fn an_error_that_lasts_longer_than_it_is_tolerated_is_a_failure() {
    let bench = Bench::new();
    bench.cloud.item(bench.lagoon().status(secs(0), "error"));
    let run = bench.line("share wait lagoon --tolerate-error 2m").exits(1);
    assert_eq!(run.took, secs(120), "{run}");
}

#[test]
fn an_unknown_word_is_warned_of_once_and_waited_out() {
    let bench = Bench::new();
    bench.cloud.item(
        bench
            .lagoon()
            .status(secs(0), "moulting")
            .status(secs(60), "Available"),
    );
    let run = bench.line("share wait lagoon").exits(0);
    assert_eq!(run.count("moulting is a word"), 1, "{run}");
    bench
        .cloud
        .item(Item::new(Kind::Share, "reed").status(secs(0), "moulting_error"));
    bench.line("share wait reed").exits(1);
}

#[test]
fn words_are_shown_as_the_service_wrote_them() {
    let bench = Bench::new();
    bench
        .cloud
        .item(bench.lagoon().status(secs(0), "Error_Deleting"));
    bench
        .line("share wait lagoon --for deleted")
        .exits(1)
        .says(&["Error_Deleting"]);
}

#[test]
fn deferred_deletion_is_no_failure() {
    let bench = Bench::new();
    bench.cloud.item(
        bench
            .lagoon()
            .status(secs(0), "deferred_deleting")
            .status(secs(5), "error_deferred_deleting")
            .status(secs(90), "deferred_deleting")
            .gone(secs(95)),
    );
    bench.line("share wait lagoon --for deleted").exits(0);
}

#[test]
fn a_share_that_vanishes_while_a_state_is_awaited_is_a_failure() {
    let bench = Bench::new();
    bench
        .cloud
        .item(bench.lagoon().status(secs(0), "creating").gone(secs(20)));
    let run = bench
        .line("share wait lagoon -f json")
        .exits(1)
        .says(&["deleted while available was awaited"]);
    assert_eq!(run.json()["id"], ID);
}

#[test]
fn any_of_several_states_will_do() {
    let bench = Bench::new();
    bench.cloud.item(
        bench
            .lagoon()
            .status(secs(0), "extending")
            .status(secs(20), "extending_error"),
    );
    bench
        .line("share wait lagoon --for available --for extending_error")
        .exits(0);
    bench
        .line("share wait lagoon --for size=1 --for deleted")
        .exits(0);
}

#[test]
fn a_soft_deleted_share_stays_and_that_is_said() {
    let bench = Bench::new();
    bench.cloud.item(bench.lagoon());
    bench
        .cloud
        .manila_act(ID, &Effect::new().at(secs(0), "is_soft_deleted", true));
    bench
        .line(&format!("share wait {ID} --for deleted --deadline 5s"))
        .exits(124)
        .says(&["recycle bin"]);
    bench
        .line(&format!("share wait {ID} --for is_soft_deleted=true"))
        .exits(0);
    bench
        .line("share wait lagoon --for is_soft_deleted=true")
        .exits(0);
}

#[test]
fn a_field_that_is_not_there_is_named_at_once() {
    let bench = Bench::new();
    bench.cloud.item(bench.lagoon().status(secs(0), "creating"));
    bench
        .line("share wait lagoon --and szie=2")
        .exits(2)
        .says(&["a share has no szie here; it has", "size"]);
    bench
        .line("share wait lagoon --for activ")
        .exits(2)
        .says(&["--for activ: no status of a share"]);
    bench
        .line("share wait lagoon --share x")
        .exits(2)
        .says(&["--share"]);
    bench.run(&["share", "wait", ""]).exits(2);
    assert_eq!(bench.cloud.count(&When::manila().path("/shares"), None), 1);
}
