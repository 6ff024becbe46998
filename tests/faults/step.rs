//! The steps of a wait: which request of which command each of them is.

use std::time::Duration;

use sim_cloud::{Config, Effect, Item, Kind, Outcome, Seen, Service, Stack, Tls, secs};

use crate::harness::World;

pub(crate) const PASSWORD: &str = "hunter2-Pa55";
const TARN: &str = "aaaaaaaa-0000-4000-8000-000000000001";
const LAGOON: &str = "11111111-0000-4000-8000-000000000001";
const TEMPLATE: &[u8] =
    b"heat_template_version: 2021-04-16\nresources:\n  reed: {type: OS::Heat::None}\n";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Program {
    Heat,
    Manila,
}

/// The columns of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    Discovery,
    SignIn,
    Version,
    LookUp,
    Baseline,
    Change,
    Create,
    Poll,
    Events,
    /// The look that sees the end.
    End,
    Show,
    Report,
}

impl Step {
    pub(crate) const ALL: [Self; 12] = [
        Self::Discovery,
        Self::SignIn,
        Self::Version,
        Self::LookUp,
        Self::Baseline,
        Self::Change,
        Self::Create,
        Self::Poll,
        Self::Events,
        Self::End,
        Self::Show,
        Self::Report,
    ];

    /// The service that is asked.
    pub(crate) fn service(self, program: Program) -> Service {
        match (self, program) {
            (Self::Discovery | Self::SignIn, _) => Service::Keystone,
            (_, Program::Heat) => Service::Heat,
            (_, Program::Manila) => Service::Manila,
        }
    }

    /// The command line that has this step; `None` where the program has no such step.
    pub(crate) fn words(self, program: Program) -> Option<&'static str> {
        match (program, self) {
            (Program::Heat, Self::Version) => None,
            (Program::Heat, Self::Create) => Some("stack create -t t.yaml tarn --poll 5"),
            (Program::Heat, Self::Show) => Some("stack-create tarn -f t.yaml --poll 5"),
            (Program::Heat, _) => Some("stack update -t t.yaml tarn --poll 5"),
            (Program::Manila, Self::Events) => None,
            (Program::Manila, Self::Baseline | Self::Create) => {
                Some("share create NFS 10 --name delta --poll 5")
            }
            (Program::Manila, Self::Show) => {
                Some("share access create lagoon cephx alice --poll 5")
            }
            (Program::Manila, _) => Some("share resize lagoon 20 --poll 5"),
        }
    }

    /// Which of the requests of an undisturbed run it is.
    pub(crate) fn find(self, program: Program, log: &[Seen]) -> usize {
        let service = self.service(program);
        let of = |seen: &Seen| seen.service == service;
        let is = |seen: &Seen, method: &str, part: &str| {
            of(seen) && seen.request.method == method && seen.target().contains(part)
        };
        let change = || {
            let mut all = log.iter();
            all.position(|seen| of(seen) && seen.request.method != "GET")
        };
        let after_change = |part: &str, nth: usize| {
            let from = change()? + 1;
            let found = log.iter().enumerate().skip(from);
            let mut found = found.filter(|(_, seen)| is(seen, "GET", part));
            found.nth(nth).map(|(at, _)| at)
        };
        let first = |method: &str, part: &str| log.iter().position(|seen| is(seen, method, part));
        let found = match (self, program) {
            (Self::Discovery | Self::Version, _) => log.iter().position(of),
            (Self::SignIn, _) => first("POST", "/auth/tokens"),
            (Self::LookUp, Program::Heat) => first("GET", "/stacks/tarn?"),
            (Self::LookUp, Program::Manila) => first("GET", "/shares/detail"),
            (Self::Baseline, Program::Heat) => first("GET", "/events?sort_dir=desc"),
            (Self::Baseline, Program::Manila) => first("GET", "/types/default"),
            (Self::Change | Self::Create, _) => change(),
            (Self::Poll, Program::Heat) => after_change("?resolve_outputs", 0),
            (Self::Poll, Program::Manila) => after_change("/shares/", 1),
            (Self::Events, _) => after_change("/events?", 1),
            (Self::End | Self::Show, _) => log.iter().rposition(of),
            (Self::Report, Program::Heat) => first("GET", "/resources?"),
            (Self::Report, Program::Manila) => first("GET", "/messages?"),
        };
        found.unwrap_or_else(|| panic!("{program:?} has no {self:?} in {log:#?}"))
    }
}

/// A cloud in which the step's command runs for twenty seconds and ends well, or, for the report, badly.
pub(crate) fn world(program: Program, step: Step, tls: Option<&Tls>, host: &str) -> World {
    let set_up = |config: &mut Config| {
        config.admin = true;
        config.paced = true;
        host.clone_into(&mut config.host);
        PASSWORD.clone_into(&mut config.password);
        config.tls = tls.cloned();
    };
    let mut world = match program {
        Program::Heat => World::new("heat-wait", heat_cli::run, set_up),
        Program::Manila => World::new("manila-wait", manila_cli::run, set_up),
    };
    // Without /v3 at its end, so that there is something to discover.
    let root = world.url(Service::Keystone);
    world.env.insert("OS_AUTH_URL".to_owned(), root);
    if let Some(tls) = tls {
        world
            .env
            .insert("OS_CACERT".to_owned(), "/somewhere/ca.pem".to_owned());
        let text = tls.ca().as_bytes().to_vec();
        world.files.insert("/somewhere/ca.pem".into(), text);
    }
    match program {
        Program::Heat => furnish_heat(&mut world, step),
        Program::Manila => furnish_manila(&world, step),
    }
    world
}

fn furnish_heat(world: &mut World, step: Step) {
    world
        .files
        .insert("/somewhere/t.yaml".into(), TEMPLATE.to_vec());
    if !matches!(step, Step::Create | Step::Show) {
        world.stack(Stack::create("tarn", Duration::ZERO).id(TARN));
        world.advance(secs(60));
    }
    for action in ["create", "update"] {
        let outcome = match step {
            Step::Report => Outcome::Fail(secs(20), "boom".to_owned()),
            _ => Outcome::Complete(secs(20)),
        };
        world.heat_outcome(action, None, outcome);
    }
}

fn furnish_manila(world: &World, step: Step) {
    world.item(Item::new(Kind::Share, "lagoon").id(LAGOON).set("size", 10));
    world.advance(secs(60));
    let begun = Effect::new().at(secs(0), "status", "extending");
    let extended = match step {
        Step::Report => begun.at(secs(20), "status", "extending_error"),
        _ => begun
            .at(secs(20), "status", "available")
            .at(secs(20), "size", 20),
    };
    world.manila_effect(Kind::Share, "extend", extended);
    let created =
        Effect::new()
            .at(secs(0), "status", "creating")
            .at(secs(20), "status", "available");
    world.manila_effect(Kind::Share, "create", created);
    let applied = Effect::new()
        .at(secs(0), "state", "queued_to_apply")
        .at(secs(0), "access_key", serde_json::Value::Null)
        .at(secs(20), "state", "active");
    world.manila_effect(Kind::Rule, "create", applied);
}
