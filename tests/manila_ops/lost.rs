//! A change whose answer is lost.

use sim_cloud::{Answer, Effect, Fault, Item, Kind, When, secs};

use crate::*;

fn change() -> When {
    When::manila().change()
}

#[test]
fn an_action_is_proved_by_the_state_that_left_its_baseline() {
    for fault in [
        Fault::ResetAfter,
        Fault::HangAfter,
        Fault::TakenStatus(504),
        Fault::TakenStatus(500),
    ] {
        let world = lagoon();
        world.fault(change(), fault.clone());
        let ended = world
            .run("share resize lagoon 20 --request-timeout 5s")
            .exits(0);
        assert_eq!(sent(&ended).len(), 1, "{fault:?}\n{ended}");
        ended.says(&[
            "the answer to the request was lost",
            "it is extending: the request was taken",
        ]);
    }
}

#[test]
fn a_delete_is_proved_by_its_state_or_its_absence() {
    let world = lagoon();
    world.fault(change(), Fault::ResetAfter);
    world
        .run("share delete lagoon")
        .exits(0)
        .says(&["it is deleting: the request was taken"]);
    let world = crate::world();
    world.item(Item::new(Kind::Network, "net").id(NET));
    world.fault(change(), Fault::ResetAfter);
    world
        .run("share network delete net")
        .exits(0)
        .says(&["it does not exist: the request was taken"]);
}

#[test]
fn without_proof_nothing_is_claimed() {
    let world = lagoon();
    world.fault(change(), Fault::ResetBefore);
    let ended = world.run("share resize lagoon 20").exits(3);
    assert_eq!(sent(&ended).len(), 1, "{ended}");
    assert!(
        ended.elapsed >= secs(120) && ended.elapsed < secs(125),
        "{ended}"
    );
    ended.says(&[
        &format!("share lagoon ({LAGOON}): it is not known whether the request was taken"),
        "; it is available",
        &format!("hint: go on waiting with: manila-wait share wait {LAGOON} --for available --and size=20"),
    ]);
}

#[test]
fn a_deadline_within_the_two_minutes_is_unknown() {
    let world = lagoon();
    world.fault(change(), Fault::ResetBefore);
    let ended = world.run("share delete lagoon --deadline 30s").exits(3);
    assert!(
        ended.elapsed >= secs(30) && ended.elapsed < secs(32),
        "{ended}"
    );
}

#[test]
fn a_lost_creation_names_what_has_appeared_since() {
    let world = world();
    world.item(share(DELTA, "lagoon"));
    world.advance(secs(60));
    world.fault(change(), Fault::ResetAfter);
    let ended = world.run("share create NFS 10 --name lagoon").exits(3);
    assert_eq!(sent(&ended).len(), 1, "{ended}");
    assert_eq!(ended.stdout, "");
    ended
        .says(&[
            "share lagoon: it is not known whether the request was taken",
            "created since then, and perhaps by it: ",
            "(it is creating)",
            "hint: if it is that one, go on waiting with: manila-wait share wait ",
            " --for available",
        ])
        // That one was there before.
        .never_says(&[DELTA]);
}

#[test]
fn a_creation_that_left_nothing_is_unknown_all_the_same() {
    let world = world();
    world.fault(change(), Fault::ResetBefore);
    let ended = world.run("share create NFS 10 --name lagoon").exits(3);
    assert_eq!(sent(&ended).len(), 1, "{ended}");
    ended.says(&["nothing like it has appeared since"]);
}

#[test]
fn an_answer_that_cannot_be_read_is_a_lost_one() {
    for fault in [Fault::HalfBody, Fault::BrokenJson] {
        let world = world();
        world.fault(change(), fault.clone());
        let ended = world.run("share create NFS 10 --name lagoon").exits(3);
        assert_eq!(sent(&ended).len(), 1, "{fault:?}\n{ended}");
        ended.says(&["perhaps by it"]);
    }
}

#[test]
fn a_lost_rule_is_looked_for_among_those_of_its_share() {
    let world = lagoon();
    world.fault(change().first(1), Fault::ResetAfter);
    world
        .run("share access create lagoon ip 10.0.0.1")
        .exits(3)
        .says(&["created since then", "manila-wait share access wait"]);
}

#[test]
fn a_redirect_elsewhere_is_unknown() {
    let world = lagoon();
    world.fault(
        change(),
        Fault::Redirect(307, "http://elsewhere.invalid/v2/".to_owned()),
    );
    let ended = world.run("share delete lagoon").exits(3);
    assert_eq!(sent(&ended).len(), 1, "{ended}");
    ended.says(&["elsewhere.invalid"]);
}

#[test]
fn one_of_several_that_is_lost_does_not_stop_the_others() {
    let world = lagoon();
    world.item(share(DELTA, "delta"));
    world.fault(change().first(1), Fault::ResetBefore);
    let ended = world.run("share delete lagoon delta").exits(3);
    ended.says(&[&format!("share delta ({DELTA}): deleted")]);
}

#[test]
fn an_outage_while_it_runs_is_ridden_out() {
    let world = lagoon();
    world.manila_effect(
        Kind::Share,
        "extend",
        Effect::new()
            .at(secs(0), "status", "extending")
            .at(secs(60), "status", "available")
            .at(secs(60), "size", 20),
    );
    world.answer(
        When::manila().get().ends(LAGOON).between(secs(5), secs(50)),
        Answer::fault(Fault::Html(502)),
    );
    world.run("share resize lagoon 20").exits(0);
}
