//! Many deleted together: few requests, and no list is taken for more than it says.

use serde_json::json;
use sim_cloud::{Answer, Config, Effect, Item, Kind, Service, When, secs};

use crate::*;

/// So many requests the Python client of Manila sends for twenty deletes, counted on a real Manila.
const OF_THE_CLIENT: usize = 81;

/// Twenty of a kind, each gone five seconds after it was asked to be, in a cloud that has others as well.
fn twenty(kind: Kind) -> (World, Vec<String>) {
    let world = world();
    for action in ["delete", "force_delete", "unmanage"] {
        let goes = Effect::new().at(secs(0), "status", "deleting");
        world.manila_effect(kind, action, goes.gone(secs(5)));
    }
    let ids = (0..25).map(|number| world.item(Item::new(kind, &format!("reed-{number}"))));
    let ids: Vec<String> = ids.collect();
    (world, ids.into_iter().skip(3).take(20).collect())
}

fn requests(ended: &Ended) -> usize {
    let requests = ended.requests.iter();
    requests
        .filter(|seen| seen.service == Service::Manila)
        .count()
}

fn words(command: &str, named: &[String]) -> String {
    format!("{command} {}", named.join(" "))
}

#[test]
fn twenty_of_any_kind_cost_at_most_half_of_the_clients_requests() {
    for (kind, command) in [
        (Kind::Share, "share delete"),
        (Kind::Share, "share abandon"),
        (Kind::Snapshot, "share snapshot delete"),
        (Kind::Snapshot, "share snapshot delete --force"),
        (Kind::Replica, "share replica delete"),
        (Kind::Group, "share group delete"),
        (Kind::GroupSnapshot, "share group snapshot delete"),
        (Kind::Instance, "share instance delete"),
        (Kind::Server, "share server delete"),
        (Kind::Backup, "share backup delete"),
    ] {
        let (world, ids) = twenty(kind);
        let ended = world.run(&words(command, &ids)).exits(0);
        let changes = sent(&ended).len();
        assert_eq!(changes, 20, "{command}: {ended}");
        let all = requests(&ended);
        println!("{command}: {all} requests, {:?}", ended.elapsed);
        assert!(
            2 * all <= OF_THE_CLIENT,
            "{command}: {all} requests\n{ended}"
        );
        assert!(ended.elapsed <= secs(7), "{command}: {ended}");
        assert_eq!(
            ended.stderr.matches(": deleted").count() + ended.stderr.matches("not managed").count(),
            20,
            "{ended}"
        );
    }
}

#[test]
fn names_cost_one_list_more_than_ids() {
    let (world, _) = twenty(Kind::Share);
    let names: Vec<String> = (3..23).map(|number| format!("reed-{number}")).collect();
    let ended = world.run(&words("share delete", &names)).exits(0);
    assert!(2 * requests(&ended) <= OF_THE_CLIENT, "{ended}");
    assert_eq!(ended.asked("name=").len(), 0, "{ended}");
}

#[test]
fn what_the_list_does_not_show_is_looked_up_by_itself() {
    let (world, mut ids) = twenty(Kind::Share);
    ids.truncate(3);
    ids.push(world.item(share("", "heron").project("somebody-else")));
    let ended = world.run(&words("share delete", &ids)).exits(0);
    assert_eq!(sent(&ended).len(), 4, "{ended}");
}

#[test]
fn a_list_that_is_refused_is_done_without() {
    let (world, mut ids) = twenty(Kind::Share);
    ids.truncate(2);
    let refused = json!({"forbidden": {"code": 403, "message": "Policy doesn't allow it."}});
    let list = When::manila().get().ends("/shares/detail").first(1);
    world.answer(list, Answer::json(403, &refused));
    let ended = world.run(&words("share delete", &ids)).exits(0);
    assert_eq!(sent(&ended).len(), 2, "{ended}");
}

/// Three shares that are never gone, on a service that shows at most so many rows.
fn stuck(page: usize) -> (World, [String; 3]) {
    let world = world_with(|config: &mut Config| config.page = page);
    let stays = Effect::new().at(secs(0), "status", "deleting");
    world.manila_effect(Kind::Share, "delete", stays);
    let ids = ["reed", "heron", "tarn"].map(|name| world.item(share("", name)));
    (world, ids)
}

fn list() -> When {
    When::manila().get().ends("/shares/detail")
}

#[test]
fn what_a_short_page_pushes_out_is_not_taken_for_gone() {
    let (world, ids) = stuck(3);
    let row = |id: &str, status| json!({"id": id, "name": "one", "status": status, "size": 1});
    let rows = [
        row("11111111-0000-4000-8000-00000000000e", "available"),
        row("11111111-0000-4000-8000-00000000000f", "available"),
        row(&ids[2], "deleting"),
    ];
    // What others have created since comes first, and the service shows no more than three rows.
    let page = Answer::json(200, &json!({ "shares": rows }));
    world.answer(list().after(1), page);
    let ended = world
        .run(&format!("{} --deadline 20", words("share delete", &ids)))
        .exits(124);
    assert_eq!(sent(&ended).len(), 3, "{ended}");
    ended.never_says(&[": deleted"]);
}

#[test]
fn a_list_without_any_of_them_proves_nothing() {
    for rows in [
        json!([]),
        json!([{"id": "11111111-0000-4000-8000-00000000000f", "name": "new", "status": "available", "size": 1}]),
    ] {
        let (world, ids) = stuck(1000);
        world.answer(
            list().after(1),
            Answer::json(200, &json!({ "shares": rows })),
        );
        let ended = world.run(&format!("{} --deadline 20", words("share delete", &ids)));
        ended.exits(124).never_says(&[": deleted"]);
    }
}
