//! Operations on stacks.

use std::thread::sleep;
use std::time::Duration;

use cloud_tests::{Place, Spec, Stack, User};
use serde_json::Value;

use crate::case::{Case, Fact, words};
use crate::dice::Dice;
use crate::outages::Service;

/// Whom the plain requests are sent for.
pub type Users<'u> = &'u User;

pub fn create<'u>(user: Users<'u>, dice: &mut Dice) -> Case<'u> {
    creation(user, "stack create", dice, "", false)
}

pub fn create_fails<'u>(user: Users<'u>, dice: &mut Dice) -> Case<'u> {
    creation(
        user,
        "stack create that fails",
        dice,
        "--parameter fail=true",
        false,
    )
}

pub fn create_rolls_back<'u>(user: Users<'u>, dice: &mut Dice) -> Case<'u> {
    let options = "--parameter fail=true --enable-rollback";
    creation(user, "stack create that rolls back", dice, options, true)
}

fn creation<'u>(
    user: Users<'u>,
    what: &'static str,
    dice: &mut Dice,
    options: &str,
    rollback: bool,
) -> Case<'u> {
    let name = Place::unique("chaos");
    let line = format!(
        "stack create -t {}/templates/basic.yaml --parameter wait={} {options} {name}",
        env!("CARGO_MANIFEST_DIR"),
        dice.roll(4),
    );
    let facts = move |ended: &cloud_tests::Ended| {
        let url = format!("{}/stacks?name={name}", user.heat);
        let body = user.accepted("GET", &url, None);
        let found = body["stacks"].as_array().cloned().unwrap_or_default();
        let fact = match found.as_slice() {
            [] => Fact::Untouched,
            [stack] => {
                let id = stack["id"].as_str().unwrap_or_default();
                let fact = match stack["stack_status"].as_str().unwrap_or_default() {
                    "CREATE_FAILED" if rollback => Fact::Running,
                    status => fact("CREATE", status),
                };
                // Nothing else knows of it.
                let _ = user.send("DELETE", &format!("{}/stacks/{name}/{id}", user.heat), None);
                if ended.exit == 0 && !ended.stdout.contains(id) {
                    Fact::Never(format!("success without {id}: {}", ended.stdout))
                } else {
                    fact
                }
            }
            more => Fact::Never(format!("{} stacks {name}", more.len())),
        };
        vec![fact]
    };
    let mut case = case(what, &line, facts);
    case.sends = 2;
    case
}

pub fn update<'u>(user: Users<'u>, dice: &mut Dice) -> Case<'u> {
    updating(user, "stack update", dice, "")
}

pub fn update_fails<'u>(user: Users<'u>, dice: &mut Dice) -> Case<'u> {
    updating(
        user,
        "stack update that fails",
        dice,
        "--parameter fail=true",
    )
}

fn updating<'u>(user: Users<'u>, what: &'static str, dice: &mut Dice, options: &str) -> Case<'u> {
    let stack = Stack::created(user);
    let line = format!(
        "stack update --existing --parameter value=two --parameter wait={} {options} {}",
        dice.roll(4),
        stack.name,
    );
    case(what, &line, move |_| {
        let shown = show(user, &stack);
        let status = shown["stack_status"].as_str().unwrap_or_default();
        let asked = shown["parameters"]["value"] == "two";
        vec![match fact("UPDATE", status) {
            Fact::Reached if !asked => {
                Fact::Never(format!("an update that changed nothing: {shown}"))
            }
            fact => fact,
        }]
    })
}

pub fn delete<'u>(user: Users<'u>, _: &mut Dice) -> Case<'u> {
    let stack = Stack::created(user);
    let line = format!("stack delete -y {}", stack.name);
    case("stack delete", &line, move |_| vec![deleted(user, &stack)])
}

pub fn suspend<'u>(user: Users<'u>, _: &mut Dice) -> Case<'u> {
    action(user, "stack suspend", "SUSPEND")
}

pub fn check<'u>(user: Users<'u>, _: &mut Dice) -> Case<'u> {
    action(user, "stack check", "CHECK")
}

fn action<'u>(user: Users<'u>, what: &'static str, action: &'static str) -> Case<'u> {
    let stack = Stack::created(user);
    let line = format!("{what} {}", stack.name);
    case(what, &line, move |_| vec![stands(user, &stack, action)])
}

pub fn wait<'u>(user: Users<'u>, dice: &mut Dice) -> Case<'u> {
    let wait = 1 + u32::try_from(dice.roll(4)).unwrap_or(0);
    let fail = dice.roll(3) == 0;
    let stack = Stack::create(
        user,
        &Spec {
            fail,
            ..Spec::slow(wait)
        },
    );
    let line = format!("stack wait {} --for create", stack.name);
    case("stack wait", &line, move |_| {
        vec![stands(user, &stack, "CREATE")]
    })
}

pub fn wait_deleted<'u>(user: Users<'u>, dice: &mut Dice) -> Case<'u> {
    let stack = std::sync::Arc::new(Stack::created(user));
    let line = format!("stack wait {} --for deleted", stack.id);
    let (doomed, pause) = (stack.clone(), Duration::from_secs(2 + dice.roll(6)));
    let mut case = case("stack wait --for deleted", &line, move |_| {
        vec![deleted(user, &stack)]
    });
    case.meanwhile = Some(Box::new(move || {
        sleep(pause);
        doomed.delete();
    }));
    case
}

/// One that goes well, one whose child takes its time, the child itself, one that somebody else deletes, and one that is not.
pub fn several<'u>(user: Users<'u>, dice: &mut Dice) -> Case<'u> {
    let good = Stack::create(user, &Spec::slow(2));
    let nested = Stack::create_nested(user, 2);
    let child = nested.nested("child");
    let other = std::sync::Arc::new(Stack::create(user, &Spec::slow(25)));
    let missing = Place::unique("missing");
    let theft = dice.roll(2) == 0;
    let last = if theft {
        other.id.clone()
    } else {
        String::new()
    };
    let line = format!(
        "stack wait --for create -f json {} {} {child} {missing} {last}",
        good.name, nested.id
    );
    let pause = Duration::from_secs(1 + dice.roll(5));
    let (doomed, own) = (other.clone(), child.clone());
    let what = if theft {
        "stack wait, several, one deleted by others"
    } else {
        "stack wait, several"
    };
    let mut case = case(what, &line, move |_| {
        let mut facts = vec![
            stands(user, &good, "CREATE"),
            stands(user, &nested, "CREATE"),
            fact("CREATE", &status_of(user, &own)),
            Fact::Absent,
        ];
        if theft {
            // Deleted while its creation was waited for.
            facts.push(match deleted(user, &other) {
                Fact::Reached => Fact::Failed,
                _ => Fact::Running,
            });
        }
        facts
    });
    case.meanwhile = theft.then(|| -> Box<dyn FnOnce() + Send + 'u> {
        Box::new(move || {
            sleep(pause);
            doomed.delete();
        })
    });
    case
}

/// One that is ready, one that goes on when the deadline comes, and one that is not.
pub fn several_go_on<'u>(user: Users<'u>, dice: &mut Dice) -> Case<'u> {
    let good = Stack::created(user);
    let slow = Stack::create(user, &Spec::slow(90));
    let missing = Place::unique("missing");
    let line = format!(
        "stack wait --for create -f json --deadline {}s {} {missing} {}",
        Place::seconds(10 + u32::try_from(dice.roll(10)).unwrap_or(0)),
        slow.name,
        good.id
    );
    case("stack wait, several, to the deadline", &line, move |_| {
        vec![
            stands(user, &slow, "CREATE"),
            Fact::Absent,
            stands(user, &good, "CREATE"),
        ]
    })
}

fn case<'u>(
    what: &'static str,
    line: &str,
    facts: impl Fn(&cloud_tests::Ended) -> Vec<Fact> + 'u,
) -> Case<'u> {
    Case {
        what,
        service: Service::Heat,
        line: words(line),
        meanwhile: None,
        facts: Box::new(facts),
        provable: true,
        sends: 1,
    }
}

/// What a status says of an action.
pub fn fact(action: &str, status: &str) -> Fact {
    let (own, word) = status.split_once('_').unwrap_or((status, ""));
    match (own == action, word) {
        (_, "IN_PROGRESS") => Fact::Running,
        (true, "COMPLETE") => Fact::Reached,
        (true, "FAILED") => Fact::Failed,
        _ if own == "ROLLBACK" => Fact::Failed,
        _ => Fact::Untouched,
    }
}

/// Where a stack stands in an action.
pub fn stands(user: &User, stack: &Stack<'_>, action: &str) -> Fact {
    let shown = show(user, stack);
    fact(action, shown["stack_status"].as_str().unwrap_or_default())
}

/// What has come of a stack that was to be deleted.
pub fn deleted(user: &User, stack: &Stack<'_>) -> Fact {
    let shown = show(user, stack);
    match shown["stack_status"].as_str().unwrap_or_default() {
        "DELETE_COMPLETE" if shown["deletion_time"].is_null() => Fact::Running,
        status => fact("DELETE", status),
    }
}

fn show(user: &User, stack: &Stack<'_>) -> Value {
    let url = format!(
        "{}/stacks/{}/{}?resolve_outputs=False",
        user.heat, stack.name, stack.id
    );
    user.accepted("GET", &url, None)["stack"].clone()
}

/// The status that a list shows of a stack, a nested one too; empty: it shows none.
pub fn status_of(user: &User, id: &str) -> String {
    let url = format!(
        "{}/stacks?id={id}&show_nested=True&show_deleted=True",
        user.heat
    );
    let body = user.accepted("GET", &url, None);
    let status = body["stacks"][0]["stack_status"].as_str();
    status.unwrap_or_default().to_owned()
}
