//! What the service refuses, and what is sent again.

use sim_cloud::{Answer, Effect, Fault, Kind, Response, Retry, Service, When, secs};

use crate::*;

/// The change of a test.
fn change() -> When {
    When::manila().change()
}

#[test]
fn a_quota_is_a_refusal_though_it_has_retry_after() {
    let world = world();
    let ended = world.run("share create NFS 2000 --name big").exits(6);
    assert_eq!(sent(&ended).len(), 1);
    ended
        .says(&["share big: ShareSizeExceedsAvailableQuota"])
        .never_says(&["goes on"]);
    world.fault(change(), Fault::Throttle(413, Retry::Seconds(5)));
    let ended = world.run("share create NFS 2 --name big").exits(6);
    assert_eq!(sent(&ended).len(), 1, "{ended}");
}

#[test]
fn wrong_states_locks_and_dependents_are_refusals() {
    for (status, words) in [
        (400, "Invalid share: status must be 'available'."),
        (403, "Resource lock/s [deletion] prevent delete action."),
        (403, "Invalid share: Share still has 2 dependent snapshots."),
        (
            409,
            "Share has replicas. Remove the replicas before deleting the share.",
        ),
        (422, "Unable to process the contained instructions"),
    ] {
        let world = lagoon();
        world.manila_effect(Kind::Share, "delete", Effect::refused(status, words));
        let ended = world.run("share delete lagoon").exits(6);
        assert_eq!(sent(&ended).len(), 1, "{ended}");
        ended
            .says(&[words.trim_end_matches('.')])
            .never_says(&["goes on", "hint: go on"]);
    }
}

#[test]
fn a_policy_is_another_code() {
    let world = world_with(|config| config.admin = false);
    world.item(share(LAGOON, "lagoon"));
    let ended = world.run("share delete lagoon --force").exits(5);
    assert_eq!(sent(&ended).len(), 1, "{ended}");
    ended.says(&["Access was denied to this resource"]);
}

#[test]
fn what_was_surely_not_taken_is_sent_again() {
    for fault in [
        Fault::Throttle(429, Retry::Seconds(7)),
        Fault::Throttle(503, Retry::Seconds(7)),
        Fault::Html(404),
        Fault::Status(401),
    ] {
        let world = lagoon();
        world.fault(change().first(1), fault.clone());
        let ended = world.run("share delete lagoon").exits(0);
        assert_eq!(sent(&ended).len(), 2, "{fault:?}\n{ended}");
    }
}

#[test]
fn a_406_makes_the_range_be_read_again() {
    let world = lagoon();
    world.fault(change().first(1), Fault::Status(406));
    let ended = world.run("share delete lagoon").exits(0);
    assert_eq!(sent(&ended).len(), 2, "{ended}");
}

#[test]
fn a_service_that_is_down_before_the_change_has_taken_nothing() {
    let world = lagoon();
    world.outage(Service::Manila, secs(0), secs(40));
    let ended = world.run("share delete lagoon --connect-wait 5m").exits(0);
    assert_eq!(sent(&ended).len(), 1, "{ended}");
    let world = lagoon();
    world.answer(
        change(),
        Answer::fault(Fault::Throttle(429, Retry::Seconds(30))),
    );
    let ended = world.run("share delete lagoon --deadline 20s").exits(124);
    ended.says(&["nothing was sent"]).never_says(&["goes on"]);
}

#[test]
fn nothing_is_sent_once_the_deadline_has_come() {
    let world = lagoon();
    world.item(share(DELTA, "delta"));
    world.answer(change().first(1), Answer::model().takes(secs(30)));
    let ended = world.run("share delete lagoon delta --deadline 20s");
    assert!(sent(&ended).len() <= 1, "{ended}");
    assert!([3, 124].contains(&ended.exit), "{ended}");
    ended.says(&[&format!("share delta ({DELTA})"), "nothing was sent"]);
}

#[test]
fn a_deadline_of_zero_sends_and_looks_once() {
    let world = lagoon();
    let ended = world.run("share delete lagoon --deadline 0").exits(124);
    assert_eq!(sent(&ended).len(), 1, "{ended}");
    ended.says(&["still deleting at the deadline; the operation goes on"]);
}

#[test]
fn with_when_idle_a_busy_share_is_waited_for() {
    let world = world();
    world.item(
        share(LAGOON, "lagoon")
            .status(secs(0), "extending")
            .status(secs(30), "available"),
    );
    let refused = world.run("share resize lagoon 20").exits(6);
    assert_eq!(sent(&refused).len(), 1);
    let ended = world.run("share resize lagoon 20 --when-idle").exits(0);
    assert!(sent(&ended).len() > 2, "{ended}");
    assert!(ended.elapsed >= secs(30), "{ended}");
}

#[test]
fn with_when_idle_what_no_time_mends_is_still_refused() {
    let world = world();
    world.item(share(LAGOON, "lagoon").status(secs(0), "extending_error"));
    let ended = world.run("share resize lagoon 20 --when-idle").exits(6);
    assert_eq!(sent(&ended).len(), 1, "{ended}");
    let world = lagoon();
    world.manila_effect(
        Kind::Share,
        "extend",
        Effect::refused(400, "Invalid input: too large."),
    );
    let ended = world.run("share resize lagoon 20 --when-idle").exits(6);
    assert_eq!(sent(&ended).len(), 1, "{ended}");
    // A 413 is a quota, whatever else.
    world.manila_effect(
        Kind::Share,
        "extend",
        Effect::refused(413, "the status of your quota"),
    );
    assert_eq!(
        sent(&world.run("share resize lagoon 20 --when-idle").exits(6)).len(),
        1
    );
}

#[test]
fn a_snapshot_of_a_busy_share_waits_for_the_share() {
    let world = world();
    world.item(
        share(LAGOON, "lagoon")
            .status(secs(0), "reverting")
            .status(secs(20), "available"),
    );
    let ended = world
        .run("share snapshot create lagoon --when-idle")
        .exits(0);
    assert!(ended.elapsed >= secs(20), "{ended}");
}

#[test]
fn what_vanished_before_its_delete_is_gone() {
    let world = lagoon();
    world.manila_effect(Kind::Share, "delete", Effect::answer(not_found()));
    world.manila_effect(Kind::Share, "extend", Effect::answer(not_found()));
    let ended = world.run("share resize lagoon 20").exits(4);
    ended.says(&["The resource could not be found"]);
    world.answer(
        When::manila().get().ends(&format!("/shares/{LAGOON}")),
        not_found(),
    );
    world
        .run("share delete lagoon")
        .exits(0)
        .says(&["is gone already"]);
}

fn not_found() -> Response {
    let body = serde_json::json!({"itemNotFound": {"code": 404, "message": "The resource could not be found."}});
    Response::json(404, &body)
}
