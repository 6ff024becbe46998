//! Several resources: sent one by one, waited for together, each with its own verdict.

use sim_cloud::{Answer, Effect, Item, Kind, When, secs};

use crate::*;

#[test]
fn all_are_sent_before_the_first_is_waited_for() {
    let world = world();
    let ids: Vec<String> = (0..3)
        .map(|n| world.item(share("", &format!("s{n}"))))
        .collect();
    let ended = world.run("share delete s0 s1 s2").exits(0);
    let wanted: Vec<String> = ids
        .iter()
        .map(|id| format!("DELETE /v2/shares/{id}"))
        .collect();
    assert_eq!(sent(&ended), wanted);
    assert!(ended.elapsed < secs(7), "side by side: {ended}");
}

#[test]
fn one_that_is_missing_or_refused_does_not_stop_the_others() {
    let world = lagoon();
    world.item(share(DELTA, "delta"));
    world.item(
        Item::new(Kind::Snapshot, "nightly")
            .id(NIGHTLY)
            .set("share_id", DELTA),
    );
    let ended = world.run("share delete nosuch delta lagoon").exits(6);
    ended.says(&[
        "no share with a name or ID of 'nosuch'",
        &format!("share delta ({DELTA}): Invalid share: Share still has 1 dependent snapshots"),
        &format!("share lagoon ({LAGOON}): deleted"),
    ]);
}

#[test]
fn a_missing_name_is_no_success_unless_it_was_said_to_be_ignored() {
    let world = lagoon();
    world.run("share delete nosuch").exits(4).says(&["nosuch"]);
    world.run("share delete nosuch lagoon").exits(4);
    world
        .run("share delete nosuch lagoon --ignore-missing")
        .exits(0);
    world
        .run("share abandon nosuch --ignore-missing")
        .exits(0)
        .says(&["no share"]);
}

#[test]
fn a_name_given_twice_is_sent_once() {
    let world = lagoon();
    let ended = world.run(&format!("share delete lagoon {LAGOON}")).exits(0);
    assert_eq!(sent(&ended).len(), 1, "{ended}");
}

#[test]
fn a_name_that_two_have_sends_nothing_at_all() {
    let world = lagoon();
    world.item(share(DELTA, "lagoon"));
    world.item(share("", "reed"));
    let ended = world.run("share delete reed lagoon").exits(2);
    assert!(sent(&ended).is_empty(), "{ended}");
    assert!(
        ended.stderr.contains(LAGOON) && ended.stderr.contains(DELTA),
        "{ended}"
    );
    ended.says(&["hint: name one of them by its ID"]);
}

#[test]
fn each_has_its_own_end() {
    let world = lagoon();
    world.item(share(DELTA, "delta"));
    let goes = Effect::new().at(secs(0), "status", "deleting");
    world.manila_effect(Kind::Share, "delete", goes.gone(secs(6)));
    // What one of them becomes, by whatever it is looked at.
    let stuck =
        serde_json::json!({"id": DELTA, "name": "delta", "status": "error_deleting", "size": 10});
    let by_itself = When::manila().get().ends(&format!("/shares/{DELTA}"));
    world.answer(
        by_itself,
        Answer::json(200, &serde_json::json!({ "share": stuck })),
    );
    let in_the_list = When::manila().get().ends("/shares/detail").after(2);
    world.answer(
        in_the_list,
        Answer::json(200, &serde_json::json!({ "shares": [stuck] })),
    );
    let ended = world.run("share delete lagoon delta").exits(1);
    ended.says(&[
        &format!("share lagoon ({LAGOON}): deleted"),
        "error_deleting",
    ]);
}

#[test]
fn another_projects_share_is_not_found() {
    let world = world_with(|config| config.admin = false);
    world.item(share(LAGOON, "lagoon").project("somebody-else"));
    for name in ["lagoon", LAGOON] {
        let ended = world.run(&format!("share delete {name}")).exits(4);
        assert!(sent(&ended).is_empty(), "{ended}");
    }
}
