//! Operations on shares and their snapshots.

use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use cloud_tests::{Ended, Place, Share, Thing, User};
use serde_json::{Value, json};

use crate::case::{Case, Fact, words};
use crate::dice::Dice;
use crate::outages::Service;
use crate::stacks::Users;

pub fn create<'u>(user: Users<'u>, _: &mut Dice) -> Case<'u> {
    creation(user, "share create", "chaos")
}

pub fn create_fails<'u>(user: Users<'u>, _: &mut Dice) -> Case<'u> {
    creation(user, "share create that fails", "fail-create_share")
}

fn creation<'u>(user: Users<'u>, what: &'static str, tail: &str) -> Case<'u> {
    let name = Place::unique(tail);
    let line = format!("share create NFS 1 --share-type default --name {name}");
    let mut case = case(what, &line, move |ended| {
        let url = format!("{}/shares/detail?name={name}", user.manila);
        let fact = made(ended, &user.accepted("GET", &url, None)["shares"]);
        for share in user.accepted("GET", &url, None)["shares"]
            .as_array()
            .into_iter()
            .flatten()
        {
            let id = share["id"].as_str().unwrap_or_default();
            let _ = user.send("DELETE", &format!("{}/shares/{id}", user.manila), None);
        }
        vec![fact]
    });
    case.provable = false;
    case
}

pub fn snapshot<'u>(user: Users<'u>, dice: &mut Dice) -> Case<'u> {
    let share = Share::created(user, "");
    let (what, tail) = match dice.roll(3) {
        0 => ("share snapshot create that fails", "fail-create_snapshot"),
        _ => ("share snapshot create", "chaos"),
    };
    let name = Place::unique(tail);
    let line = format!("share snapshot create {} --name {name}", share.id);
    let mut case = case(what, &line, move |ended| {
        let url = format!("{}/snapshots/detail?share_id={}", user.manila, share.id);
        let found = user.accepted("GET", &url, None)["snapshots"].clone();
        let fact = made(ended, &found);
        // It has to go before its share can.
        for one in found.as_array().into_iter().flatten() {
            let id = one["id"].as_str().unwrap_or_default().to_owned();
            drop(Thing::of(user, "/snapshots", "snapshot", id));
        }
        vec![fact]
    });
    case.provable = false;
    case
}

pub fn extend<'u>(user: Users<'u>, dice: &mut Dice) -> Case<'u> {
    let (what, fault) = match dice.roll(3) {
        0 => ("share resize that fails", "fail-extend_share"),
        _ => ("share resize", ""),
    };
    let share = Share::created(user, fault);
    let line = format!("share resize {} 2", share.id);
    case(what, &line, move |_| {
        let shown = show(user, &share.id);
        vec![match word(&shown) {
            "available" if shown["size"] == 2 => Fact::Reached,
            "available" => Fact::Untouched,
            "extending" => Fact::Running,
            word => failed(word),
        }]
    })
}

pub fn shrink_refused<'u>(user: Users<'u>, _: &mut Dice) -> Case<'u> {
    let share = Share::create_sized(user, "default", "loss-shrink_share", 2);
    share.reaches("available");
    let line = format!("share resize {} 1", share.id);
    let mut case = case("share resize that is refused", &line, move |_| {
        let shown = show(user, &share.id);
        let url = format!("{}/messages?resource_id={}", user.manila, share.id);
        let messages = user.accepted("GET", &url, None);
        let told = messages["messages"]
            .as_array()
            .is_some_and(|all| !all.is_empty());
        vec![match word(&shown) {
            "available" if shown["size"] == 1 => Fact::Reached,
            "available" if told => Fact::Failed,
            "available" => Fact::Untouched,
            "shrinking" => Fact::Running,
            word => failed(word),
        }]
    });
    case.provable = false;
    case
}

pub fn delete<'u>(user: Users<'u>, _: &mut Dice) -> Case<'u> {
    deletion(user, "share delete", "")
}

pub fn delete_fails<'u>(user: Users<'u>, _: &mut Dice) -> Case<'u> {
    deletion(user, "share delete that fails", "fail-delete_share")
}

fn deletion<'u>(user: Users<'u>, what: &'static str, fault: &str) -> Case<'u> {
    let share = Share::created(user, fault);
    let line = format!("share delete {}", share.id);
    case(what, &line, move |_| {
        let shown = show(user, &share.id);
        vec![match word(&shown) {
            "" => Fact::Reached,
            "available" => Fact::Untouched,
            "deleting" => Fact::Running,
            word => failed(word),
        }]
    })
}

/// One that goes well, one that fails or that somebody else deletes, and one that is not.
pub fn several<'u>(user: Users<'u>, dice: &mut Dice) -> Case<'u> {
    let good = Share::create(user, "default", "");
    let theft = dice.roll(2) == 0;
    let (what, other) = if theft {
        let share = Share::created(user, "");
        // Manila deletes only what is ready.
        ("share wait, several, one deleted by others", share)
    } else {
        let share = Share::create(user, "default", "fail-create_share");
        ("share wait, several", share)
    };
    let other = Arc::new(other);
    let missing = Place::unique("missing");
    let goal = if theft {
        "--for deleted"
    } else {
        "--for available"
    };
    let deadline = match theft {
        true => format!("--deadline {}s", Place::seconds(15)),
        false => String::new(),
    };
    let line = format!(
        "share wait {goal} {deadline} -f json {} {missing} {}",
        good.id, other.id
    );
    let (doomed, pause) = (other.clone(), Duration::from_secs(2 + dice.roll(6)));
    let mut case = case(what, &line, move |_| {
        if theft {
            let gone = |share: &Share<'_>| gone(user, &share.id);
            return vec![gone(&good), Fact::Reached, gone(&other)];
        }
        let (first, second) = (show(user, &good.id), show(user, &other.id));
        let there = |shown: &Value| match word(shown) {
            "available" => Fact::Reached,
            "creating" => Fact::Running,
            word => failed(word),
        };
        vec![there(&first), Fact::Absent, there(&second)]
    });
    case.meanwhile = theft.then(|| -> Box<dyn FnOnce() + Send + 'u> {
        Box::new(move || {
            sleep(pause);
            doomed.delete();
        })
    });
    case
}

fn case<'u>(what: &'static str, line: &str, facts: impl Fn(&Ended) -> Vec<Fact> + 'u) -> Case<'u> {
    Case {
        what,
        service: Service::Manila,
        line: words(line),
        meanwhile: None,
        facts: Box::new(facts),
        provable: true,
        sends: 1,
    }
}

/// What has come of a share whose deletion is waited for.
pub fn gone(user: &User, id: &str) -> Fact {
    match word(&show(user, id)) {
        "" => Fact::Reached,
        "error_deleting" => Fact::Failed,
        _ => Fact::Running,
    }
}

/// What has come of a creation, from everything of its name.
fn made(ended: &Ended, found: &Value) -> Fact {
    match found.as_array().map(Vec::as_slice) {
        Some([one]) => {
            let id = one["id"].as_str().unwrap_or_default();
            match word(one) {
                _ if ended.exit == 0 && !ended.stdout.contains(id) => {
                    Fact::Never(format!("success without {id}: {}", ended.stdout))
                }
                "available" => Fact::Reached,
                "creating" => Fact::Running,
                word => failed(word),
            }
        }
        Some([]) => Fact::Untouched,
        _ => Fact::Never(format!("more than one: {found}")),
    }
}

/// A share; empty when it is gone.
fn show(user: &User, id: &str) -> Value {
    let reply = user.send("GET", &format!("{}/shares/{id}", user.manila), None);
    match reply.status {
        200 => reply.body["share"].clone(),
        404 => json!({"status": ""}),
        // A service that does not say how things are cannot be compared with.
        _ => panic!("the state of share {id}: {reply:?}"),
    }
}

/// What a word means that is none of those that go on or are wanted.
fn failed(word: &str) -> Fact {
    match word.contains("error") {
        true => Fact::Failed,
        false => Fact::Never(format!("the status '{word}'")),
    }
}

fn word(shown: &Value) -> &str {
    shown["status"].as_str().unwrap_or_default()
}
