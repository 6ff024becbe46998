//! Politeness: how many requests a whole wait costs beside signing in and the change, and that many do not ask in step.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use sim_cloud::{Effect, Item, Kind, Outcome, Seen, Service, Stack, secs};

use crate::harness::{Ended, World};

/// At most so many requests beside signing in, the change, and one a round.
const FIXED: usize = 4;

fn heat() -> World {
    let mut world = World::new("heat-wait", heat_cli::run, |_| {});
    let template = b"heat_template_version: 2021-04-16\n".to_vec();
    world.files.insert("/somewhere/t.yaml".into(), template);
    world
}

fn manila() -> World {
    World::new("manila-wait", manila_cli::run, |config| config.admin = true)
}

/// Requests to the services by the time that they came; what changes something is left out.
fn looks(ended: &Ended) -> BTreeMap<Duration, usize> {
    let mut looks = BTreeMap::new();
    let is_look = |seen: &&Seen| seen.service != Service::Keystone && seen.request.method == "GET";
    for seen in ended.requests.iter().filter(is_look) {
        *looks.entry(seen.time).or_default() += 1;
    }
    looks
}

/// One request for each round, and at most so many in all beside them.
#[track_caller]
fn is_within_budget(ended: &Ended, fixed: usize) {
    // At the beginning and every five seconds.
    let rounds = usize::try_from(ended.elapsed.as_secs() / 5 + 1).unwrap();
    let all: usize = looks(ended).values().sum();
    assert!(
        all <= rounds + fixed,
        "{all} requests in {rounds} rounds\n{ended}"
    );
    assert!(all >= rounds, "{all} requests in {rounds} rounds\n{ended}");
    let changes = ended
        .requests
        .iter()
        .filter(|seen| seen.service != Service::Keystone && seen.request.method != "GET");
    assert!(changes.count() <= 1, "{ended}");
    let signed_in = ended
        .requests
        .iter()
        .filter(|seen| seen.service == Service::Keystone)
        .count();
    assert_eq!(signed_in, 1, "{ended}");
}

/// How many events a stack of the test writes while it works: one a minute, so that no round is silent for long.
fn busy(name: &str, action: &str) -> Stack {
    let mut stack = Stack::new(name).own(
        Duration::ZERO,
        &format!("{action}_IN_PROGRESS"),
        "it begins",
    );
    for n in 1..60 {
        stack = stack.event(
            secs(n * 5),
            "reed",
            None,
            &format!("{action}_IN_PROGRESS"),
            "",
        );
    }
    stack.own(secs(300), &format!("{action}_COMPLETE"), "it is done")
}

#[test]
fn an_operation_on_a_stack_costs_four_requests_and_one_a_round() {
    for (words, action) in [
        ("stack create -t t.yaml tarn", "create"),
        ("stack update -t t.yaml tarn", "update"),
        ("stack check tarn", "check"),
        ("stack suspend tarn", "suspend"),
        ("stack delete -y tarn", "delete"),
    ] {
        let world = heat();
        if action != "create" {
            world.stack(Stack::create("tarn", Duration::ZERO));
            world.advance(secs(60));
        }
        let upper = action.to_uppercase();
        let like = match busy("tarn", &upper) {
            like if action == "delete" => like.gone(secs(303)),
            like => like,
        };
        let like = Outcome::Like(Box::new(like));
        world.heat_outcome(action, None, like);
        let ended = world.run(&format!("{words} --poll 5")).exits(0);
        is_within_budget(&ended, FIXED);
    }
}

#[test]
fn a_wait_for_a_stack_costs_four_requests_and_one_a_round() {
    let world = heat();
    world.stack(busy("tarn", "CREATE"));
    let ended = world.run("stack wait tarn --poll 5").exits(0);
    is_within_budget(&ended, FIXED);
}

#[test]
fn a_wait_for_any_kind_of_manila_costs_four_requests_and_one_a_round() {
    for (kind, words) in [
        (Kind::Share, "share wait"),
        (Kind::Snapshot, "share snapshot wait"),
        (Kind::Replica, "share replica wait"),
        (Kind::Rule, "share access wait"),
        (Kind::Group, "share group wait"),
        (Kind::GroupSnapshot, "share group snapshot wait"),
        (Kind::Instance, "share instance wait"),
        (Kind::Server, "share server wait"),
        (Kind::Backup, "share backup wait"),
        (Kind::Network, "share network wait"),
        (Kind::Share, "share migration wait"),
    ] {
        let world = manila();
        let id = "11111111-0000-4000-8000-000000000001";
        let (field, begins, ends) = match kind {
            Kind::Rule => ("state", "queued_to_apply", "active"),
            Kind::Replica => ("replica_state", "out_of_sync", "in_sync"),
            Kind::Server => ("status", "creating", "active"),
            Kind::Network => ("status", "network_change", "active"),
            _ if words == "share migration wait" => {
                ("task_state", "migration_in_progress", "migration_success")
            }
            _ => ("status", "creating", "available"),
        };
        let item = Item::new(kind, "lagoon").id(id);
        world.item(
            item.at(Duration::ZERO, field, begins)
                .at(secs(300), field, ends),
        );
        let ended = world
            .run(&format!("{words} {id} --for {field}={ends} --poll 5"))
            .exits(0);
        is_within_budget(&ended, FIXED);
    }
}

#[test]
fn an_operation_on_a_share_costs_four_requests_and_one_a_round() {
    for (words, action, begins, ends) in [
        (
            "share create NFS 10 --name delta",
            "create",
            "creating",
            Some("available"),
        ),
        (
            "share resize lagoon 20",
            "extend",
            "extending",
            Some("available"),
        ),
        ("share delete lagoon", "delete", "deleting", None),
    ] {
        let world = manila();
        world.item(Item::new(Kind::Share, "lagoon").set("size", 10));
        world.advance(secs(60));
        let begun = Effect::new().at(Duration::ZERO, "status", begins);
        let effect = match ends {
            Some(ends) => begun.at(secs(300), "status", ends).at(
                secs(300),
                "size",
                if action == "extend" { 20 } else { 10 },
            ),
            None => begun.gone(secs(300)),
        };
        world.manila_effect(Kind::Share, action, effect);
        let ended = world.run(&format!("{words} --poll 5")).exits(0);
        is_within_budget(&ended, FIXED);
    }
}

#[test]
fn what_was_lost_is_looked_for_no_faster_than_anything_else() {
    let world = manila();
    world.fault(
        sim_cloud::When::manila().change(),
        sim_cloud::Fault::ResetBefore,
    );
    let ended = world
        .run("share create NFS 10 --name delta --poll 5")
        .exits(3)
        .takes(secs(120))
        .says(&["lost", "it is not known whether the request was taken"])
        .never_says(&["perhaps by it"]);
    assert_eq!(ended.asked("POST /v2/shares").len(), 1, "{ended}");
    let looks: usize = looks(&ended).values().sum();
    assert!(
        looks <= 120 / 5 + FIXED,
        "{looks} requests in two minutes\n{ended}"
    );
}

#[test]
fn many_that_start_at_once_do_not_ask_in_step() {
    for program in ["heat-wait", "manila-wait"] {
        let mut at_once = BTreeMap::new();
        for seed in 0..100 {
            let mut world = if program == "heat-wait" {
                heat()
            } else {
                manila()
            };
            world.seed = seed;
            let words = if program == "heat-wait" {
                world.stack(Stack::create("tarn", secs(900)));
                "stack wait tarn --deadline 10m"
            } else {
                world.item(Item::new(Kind::Share, "lagoon").at(
                    Duration::ZERO,
                    "status",
                    "creating",
                ));
                "share wait lagoon --deadline 10m"
            };
            let ended = world.run(words).exits(124);
            // Before the deadline, which they share.
            let times = ended.requests.iter().map(|seen| seen.time);
            let times = times.filter(|time| *time < secs(599));
            // A round may be two requests.
            let tenths: BTreeSet<u128> = times.map(|time| time.as_millis() / 100).collect();
            for tenth in tenths {
                *at_once.entry(tenth).or_insert(0) += 1;
            }
        }
        // A hundred, each every five seconds: two in a tenth of a second on average.
        let most = |from: u128| {
            at_once
                .range(from * 10..)
                .map(|(_, asked)| *asked)
                .max()
                .unwrap()
        };
        let (minute, five) = (most(60), most(300));
        println!(
            "{program}: of a hundred at most {minute} in 0.1 s after a minute, {five} after five"
        );
        assert!(minute <= 25 && five <= 12, "{program}: {minute} and {five}");
    }
}
