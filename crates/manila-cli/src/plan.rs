//! Before the first change: everything checked, all names resolved, all requests made.

use poll_core::Deadline;
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure};

use crate::client::{Body, Client};
use crate::ended;
use crate::kind::Kind;
use crate::lookup::id_of;
use crate::operation::{Ask, Change, Given, On, Operation, ask};
use crate::version::Microversion;

/// One change with what the user named.
pub struct Planned {
    /// The change.
    pub change: Change,
    /// What was named, as the user did.
    pub asked: String,
    /// The resource that the first argument names.
    pub target: Option<(&'static Kind, Body)>,
    /// The list that showed it had so many rows. `None`: it was looked at by itself.
    pub listed: Option<usize>,
}

/// Refuses what the microversion does not have, before anything is looked up.
///
/// # Errors
/// Says what is needed and what is offered.
pub fn needed(client: &Client<'_>, operation: &Operation, given: &Given) -> Result<(), Failure> {
    let name = operation.name();
    client.need(&name, operation.since)?;
    for argument in operation.arguments {
        if given.has(argument.name) {
            client.need(
                &format!("{name} {}", argument.name),
                Microversion::new(argument.since),
            )?;
        }
    }
    Ok(())
}

/// All names resolved, all requests made. What does not exist has its verdict already, in `exits`.
///
/// # Errors
/// A name that several have, an argument that makes no sense, and what kept us from looking.
pub fn plan<'s>(
    operation: &Operation,
    given: &Given,
    client: &Client<'s>,
    stage: &Stage<'s>,
    deadline: Deadline,
    exits: &mut Vec<Exit>,
) -> Result<Vec<Planned>, Failure> {
    let ask = |target: Option<(&'static Kind, &Body)>| {
        (operation.change)(&Ask {
            given,
            client,
            target,
            stage,
            deadline,
        })
    };
    let (Some(kind), Some(argument)) = (operation.names, operation.arguments.first()) else {
        let change = ask(None)?;
        return Ok(vec![Planned {
            change,
            asked: String::new(),
            target: None,
            listed: None,
        }]);
    };
    let asked = given.texts(argument.name);
    let mut planned: Vec<Planned> = Vec::new();
    let listed = ask::list(client, kind, asked, stage, deadline)?;
    for asked in asked {
        let row = listed.find(asked);
        let rows = row.is_some().then(|| listed.rows());
        let found = match row {
            Some(row) => Some(row),
            None => ask::find(client, kind, asked, stage, deadline)?,
        };
        let Some(body) = found else {
            missing(kind, asked, given, stage, exits);
            continue;
        };
        let is_twice = planned.iter().any(|other| {
            other
                .target
                .as_ref()
                .is_some_and(|(_, known)| id_of(known) == id_of(&body))
        });
        if is_twice {
            stage
                .reporter
                .note(&format!("{} {asked} was named twice", kind.noun));
            continue;
        }
        match ask(Some((kind, &body))) {
            Ok(change) => planned.push(Planned {
                change,
                asked: asked.clone(),
                target: Some((kind, body)),
                listed: rows,
            }),
            // A rule of a share that is not there is no more an error than the share.
            Err(failure) if failure.exit == Exit::NotFound && given.flag("--ignore-missing") => {
                stage.reporter.note(&failure.message);
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(planned)
}

fn missing(kind: &Kind, asked: &str, given: &Given, stage: &Stage<'_>, exits: &mut Vec<Exit>) {
    let message = kind.missing(asked);
    if given.flag("--ignore-missing") {
        stage.reporter.note(&message);
    } else {
        let failure = Failure::new(Exit::NotFound, message);
        let line = ended::not_begun(kind, asked, None, &failure);
        stage.reporter.result(line);
        stage.reporter.failure(&failure);
        exits.push(Exit::NotFound);
    }
}

/// How messages call what a change is about.
pub fn label(planned: &Planned, operation: &Operation) -> String {
    let (kind, body) = match (&planned.change.on, &planned.target) {
        (On::Old(body), _) => (planned.change.goal.kind, body),
        (On::New(..), _) => {
            let name = planned
                .change
                .body
                .as_ref()
                .and_then(|body| body.get(operation.waits_on.one)?.get("name")?.as_str());
            let noun = operation.waits_on.noun;
            return name.map_or_else(|| format!("a new {noun}"), |name| format!("{noun} {name}"));
        }
    };
    let id = id_of(body);
    match body
        .get("name")
        .and_then(|name| name.as_str())
        .filter(|name| !name.is_empty())
    {
        Some(name) => format!("{} {name} ({id})", kind.noun),
        None => format!("{} {id}", kind.noun),
    }
}
