//! Microversions: one for the run, old servers, new demands.

use sim_cloud::{Fault, Item, Kind, When, secs};

use crate::harness::{Bench, ID};

fn old(newest: u32) -> Bench {
    Bench::with(|config| config.microversions = (0, newest))
}

#[test]
fn old_servers_are_spoken_to_in_their_own_version() {
    for newest in [0, 6, 28, 40, 98] {
        let bench = old(newest);
        bench.cloud.item(
            bench
                .lagoon()
                .status(secs(0), "creating")
                .status(secs(9), "available"),
        );
        bench.line("share wait lagoon -f json").exits(0);
        let spoken = format!("2.{newest}");
        let asked = bench.cloud.asked(&When::manila().path("/shares"));
        assert!(
            asked.iter().all(|seen| seen.version() == Some(&spoken)),
            "{newest}"
        );
    }
}

#[test]
fn a_server_that_is_newer_than_we_know_is_spoken_to_in_what_we_know() {
    let bench = old(140);
    bench.cloud.item(bench.lagoon());
    bench.line("share wait lagoon").exits(0);
    assert!(
        bench
            .cloud
            .asked(&When::manila().path("/shares"))
            .iter()
            .all(|seen| seen.version() == Some("2.98"))
    );
}

#[test]
fn what_the_server_does_not_have_is_refused_before_it_is_asked_for() {
    for (newest, command, needs) in [
        (
            60,
            "share wait lagoon --for is_soft_deleted=true",
            "is_soft_deleted of a share needs microversion 2.69, the cloud offers 2.60",
        ),
        (
            40,
            "share backup wait x",
            "share backup wait needs microversion 2.80, the cloud offers 2.40",
        ),
        (
            10,
            "share replica wait x",
            "share replica wait needs microversion 2.11, the cloud offers 2.10",
        ),
        (
            40,
            "share network wait x",
            "status of a share network needs microversion 2.63, the cloud offers 2.40",
        ),
        (
            4,
            "share migration wait x",
            "needs microversion 2.5, the cloud offers 2.4",
        ),
        (
            40,
            "share access wait x",
            "share access wait without --share SHARE needs microversion 2.45, the cloud offers 2.40",
        ),
        (
            40,
            "share access show x",
            "share access show needs microversion 2.45, the cloud offers 2.40",
        ),
    ] {
        let bench = old(newest);
        bench.line(command).exits(2).says(&[needs]);
        assert_eq!(bench.targets().len(), 1, "{command}: {:?}", bench.targets());
    }
}

#[test]
fn a_version_that_is_asked_for_is_spoken_or_refused() {
    let bench = Bench::new();
    bench.cloud.item(bench.lagoon());
    bench
        .line("share wait lagoon --os-share-api-version 2.45")
        .exits(0);
    assert!(
        bench
            .cloud
            .asked(&When::manila().path("/shares"))
            .iter()
            .all(|seen| seen.version() == Some("2.45"))
    );
    bench
        .line("share wait lagoon --os-share-api-version 2.120")
        .exits(2)
        .says(&["microversion 2.120 was asked for, the cloud offers 2.0 to 2.99"]);
    bench
        .line("share wait lagoon --os-share-api-version newest")
        .exits(2)
        .says(&["newest"]);
    bench
        .line("share wait lagoon --for is_soft_deleted=true --os-share-api-version 2.45")
        .exits(2)
        .says(&["2.45 was asked for"]);
}

#[test]
fn the_experimental_header_is_sent_where_it_is_needed_and_nowhere_else() {
    let header = |bench: &Bench, path: &str| {
        let asked = bench.cloud.asked(&When::manila().path(path));
        assert!(!asked.is_empty(), "{path}");
        asked.iter().all(|seen| {
            seen.request
                .header("x-openstack-manila-api-experimental")
                .is_some()
        })
    };
    for (newest, expected) in [(50, true), (99, false)] {
        let bench = old(newest);
        let replica = bench.cloud.item(Item::new(Kind::Replica, ""));
        bench
            .line(&format!("share replica wait {replica}"))
            .exits(0);
        assert_eq!(header(&bench, "/share-replicas"), expected, "{newest}");
        bench.cloud.item(Item::new(Kind::Group, "reeds"));
        bench.line("share group wait reeds").exits(0);
        assert_eq!(header(&bench, "/share-groups"), expected, "{newest}");
    }
    let bench = Bench::new();
    let backup = bench.cloud.item(Item::new(Kind::Backup, "b"));
    bench.line(&format!("share backup wait {backup}")).exits(0);
    assert!(header(&bench, "/share-backups"));
}

#[test]
fn rules_of_old_servers_are_found_in_the_list_of_their_share() {
    for (newest, action) in [
        (6, "os-access_list"),
        (28, "access_list"),
        (40, "access_list"),
    ] {
        let bench = old(newest);
        bench.cloud.item(bench.lagoon());
        let rule = Item::new(Kind::Rule, "").set("share_id", ID);
        let rule = bench
            .cloud
            .item(rule.status(secs(0), "applying").status(secs(9), "active"));
        bench
            .line(&format!("share access wait {rule} --share lagoon --poll 5"))
            .exits(0);
        let bodies: Vec<_> = bench
            .cloud
            .asked(&When::manila().change())
            .iter()
            .filter_map(|seen| seen.json())
            .collect();
        assert_eq!(bodies.len(), 3, "{newest}");
        assert!(
            bodies.iter().all(|body| body.get(action).is_some()),
            "{newest}: {bodies:?}"
        );
        bench
            .line(&format!("share access wait {rule} --share nowhere"))
            .exits(4)
            .says(&["'nowhere'"]);
    }
}

#[test]
fn rules_by_id_are_looked_at_by_themselves() {
    let bench = Bench::new();
    bench.cloud.item(bench.lagoon());
    let rule = Item::new(Kind::Rule, "").set("share_id", ID);
    let rule = bench.cloud.item(
        rule.status(secs(0), "applying")
            .status(secs(9), "active")
            .at(secs(9), "access_key", "AQ=="),
    );
    let run = bench
        .line(&format!("share access wait {rule} -f json"))
        .exits(0);
    assert_eq!(
        (&run.json()["state"], &run.json()["access_key"]),
        (&"active".into(), &"AQ==".into())
    );
    assert!(!run.err.contains("AQ=="));
}

#[test]
fn a_406_makes_the_range_be_read_again_once() {
    let bench = Bench::new();
    bench.cloud.item(
        bench
            .lagoon()
            .status(secs(0), "creating")
            .status(secs(20), "available"),
    );
    bench
        .cloud
        .fault(When::manila().get().ends(ID).nth(2), Fault::Status(406));
    bench.line("share wait lagoon --poll 5").exits(0);
    let roots = bench
        .targets()
        .iter()
        .filter(|target| target.as_str() == "/")
        .count();
    assert_eq!(roots, 2);
    let bench = Bench::new();
    bench.cloud.item(bench.lagoon().status(secs(0), "creating"));
    bench
        .cloud
        .fault(When::manila().get().ends(ID), Fault::Status(406));
    let run = bench.line("share wait lagoon --poll 5");
    assert_ne!(run.exit, 0, "{run}");
    assert_eq!(
        bench
            .targets()
            .iter()
            .filter(|target| target.as_str() == "/")
            .count(),
        2
    );
}

#[test]
fn the_range_is_read_at_the_endpoint_where_the_root_is_not_served() {
    for fault in [
        Fault::Html(404),
        Fault::Status(404),
        Fault::Html(200),
        Fault::Empty,
    ] {
        let bench = Bench::new();
        bench.cloud.item(bench.lagoon());
        // The root itself, not what lies below it.
        bench
            .cloud
            .fault(When::manila().ends("/").first(1), fault.clone());
        bench.line("share wait lagoon").exits(0);
        assert_eq!(
            bench.targets()[..2],
            ["/".to_owned(), "/v2/".to_owned()],
            "{fault:?}"
        );
    }
}
