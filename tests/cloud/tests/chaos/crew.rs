//! What the waits of a rolling restart wait for.

use std::sync::Arc;
use std::time::Duration;

use cloud_tests::{Api, Place, Share, Spec, Stack, User};

use crate::case::Fact;
use crate::{shares, stacks};

/// One that is waited for.
pub struct Member<'u> {
    /// In words, for the table.
    pub what: &'static str,
    /// How the command line calls it.
    pub word: String,
    /// What the service says of it, asked without what restarts.
    pub fact: Box<dyn Fn() -> Fact + 'u>,
}

/// Whose things they are.
pub struct Users {
    /// Who waits for stacks, and whose most of them are.
    admin: User,
    /// Another project.
    demo: User,
    /// The administrator, at the Heat whose engine restarts.
    near: User,
}

impl Users {
    /// Signs in at the cloud's own Keystone.
    pub fn new(heat: &Api) -> Self {
        let mut near = User::admin();
        let project = near.heat.rsplit('/').next().unwrap_or_default().to_owned();
        near.heat = format!("{}/v1/{project}", heat.url());
        Self {
            admin: User::admin(),
            demo: User::demo(),
            near,
        }
    }
}

/// Everything that is waited for.
pub struct Crew<'u> {
    /// Fifty words: stacks that end one after the other, and a name that does not exist.
    pub fifty: Vec<Member<'u>>,
    /// A stack that is ready, one that goes on at the deadline, and a name that does not exist: 124, not 4.
    pub few: Vec<Member<'u>>,
    /// Shares whose deletion is awaited: one that somebody deletes, and one that stays.
    pub shares: Vec<Member<'u>>,
    stolen: Arc<Stack<'u>>,
    taken: Arc<Share<'u>>,
}

impl<'u> Crew<'u> {
    /// Makes it; within `span` all ends that does end.
    pub fn new(users: &'u Users, span: Duration) -> Self {
        let (admin, demo) = (&users.admin, &users.demo);
        // Longer than the waits and what it takes to make everything before them.
        let beyond = seconds(span * 2 + Duration::from_secs(600));
        let taken = Arc::new(Share::created(demo, ""));
        let few = vec![
            created("stack", admin, admin, &Spec::slow(0)),
            missing(),
            created("stack that goes on", admin, admin, &Spec::slow(beyond)),
        ];
        let shares = vec![
            share("share that somebody else deletes", demo, taken.clone()),
            share("share that stays", demo, Arc::new(Share::created(demo, ""))),
        ];
        let (fifty, stolen) = fifty(users, span);
        Self {
            fifty,
            few,
            shares,
            stolen,
            taken,
        }
    }

    /// Deletes, as somebody else, what is waited for.
    pub fn thief(&self) -> impl FnOnce() + Send + use<'u> {
        let (stack, share) = (self.stolen.clone(), self.taken.clone());
        move || {
            stack.delete();
            share.delete();
        }
    }
}

/// With the stack that somebody deletes after a third of the span: made last, so that it is still being created then. Heat may
/// let the creation end before it deletes, which has to be within the span as well.
fn fifty(users: &Users, span: Duration) -> (Vec<Member<'_>>, Arc<Stack<'_>>) {
    let (admin, near) = (&users.admin, &users.near);
    // From a twentieth of the span to four fifths of it, in an order that is not that of the command line.
    let mut turn = 0;
    let mut next = || {
        turn += 1;
        seconds(span * (5 + turn * 17 % 50 * 3 / 2) / 100)
    };
    let mut members = Vec::new();
    for _ in 0..26 {
        members.push(created("stack", admin, admin, &Spec::slow(next())));
    }
    for _ in 0..6 {
        let spec = Spec::failing(next());
        members.push(created("stack that fails", admin, admin, &spec));
    }
    for _ in 0..2 {
        let spec = Spec {
            rollback: true,
            ..Spec::failing(next())
        };
        let stack = Stack::create(admin, &spec);
        let word = stack.id.clone();
        // A failure is not yet the end.
        let fact = move || match stacks::status_of(admin, &stack.id).as_str() {
            "CREATE_FAILED" => Fact::Running,
            status => stacks::fact("CREATE", status),
        };
        members.push(member("stack that rolls back", word, fact));
    }
    let nested: Vec<Arc<Stack<'_>>> = (0..6)
        .map(|_| Arc::new(Stack::create_nested(admin, next())))
        .collect();
    for stack in &nested {
        let own = stack.clone();
        let fact = move || stacks::stands(admin, &own, "CREATE");
        members.push(member("stack with a nested one", stack.id.clone(), fact));
    }
    for stack in nested.iter().take(4) {
        // The stack around it is kept until it was asked about.
        let (around, id) = (stack.clone(), stack.nested("child"));
        let fact = {
            let id = id.clone();
            move || {
                let _ = &around;
                stacks::fact("CREATE", &stacks::status_of(admin, &id))
            }
        };
        members.push(member("nested stack", id, fact));
    }
    let demo = &users.demo;
    members.push(created(
        "stack of another project",
        demo,
        demo,
        &Spec::slow(next()),
    ));
    // Their engine dies, and what it had not ended stays in progress for good.
    for wait in [0, next(), next()] {
        let what = "stack of the engine that restarts";
        members.push(created(what, near, admin, &Spec::slow(wait)));
    }
    members.push(missing());
    let stolen = Arc::new(Stack::create(admin, &Spec::slow(seconds(span * 2 / 3))));
    let (id, own) = (stolen.id.clone(), stolen.clone());
    // Deleted while its creation was waited for.
    let fact = move || match stacks::deleted(admin, &own) {
        Fact::Reached => Fact::Failed,
        _ => Fact::Running,
    };
    members.push(member("stack that somebody else deletes", id, fact));
    (members, stolen)
}

/// A stack that is created by `maker` and asked about by `user`.
fn created<'u>(what: &'static str, maker: &'u User, user: &'u User, spec: &Spec) -> Member<'u> {
    let stack = Stack::create(maker, spec);
    let word = stack.id.clone();
    member(what, word, move || stacks::stands(user, &stack, "CREATE"))
}

fn share<'u>(what: &'static str, user: &'u User, share: Arc<Share<'u>>) -> Member<'u> {
    let word = share.id.clone();
    member(what, word, move || shares::gone(user, &share.id))
}

fn missing<'u>() -> Member<'u> {
    let word = Place::unique("missing");
    member("name that does not exist", word, || Fact::Absent)
}

fn member<'u>(what: &'static str, word: String, fact: impl Fn() -> Fact + 'u) -> Member<'u> {
    Member {
        what,
        word,
        fact: Box::new(fact),
    }
}

/// What a stack is given to take so long on this machine, which stretches it.
fn seconds(span: Duration) -> u32 {
    let seconds = u32::try_from(span.as_secs()).unwrap_or(u32::MAX);
    (seconds / Place::pace()).max(1)
}
