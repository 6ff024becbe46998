//! One change that was taken, to its end.

use std::time::Duration;

use os_identity::Error;
use poll_core::{Deadline, Fault, Judge, Quorum};
use wait_cli::options::Shape;
use wait_cli::output::Layout;
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure, engine};

use crate::args::Waiting;
use crate::client::Client;
use crate::follow::{Following, StackJudges, follow};
use crate::goal::{Goal, Look, Why};
use crate::legacy_show;
use crate::model::{Stack, StackRef};
use crate::report::{self, Ended, Telling};
use crate::resolve::Resolved;
use crate::status::Action;
use crate::watch::{Tracked, Watch};

/// A change that was taken.
pub(crate) struct Going<'g, 's> {
    pub(crate) client: &'g Client<'s>,
    pub(crate) deadline: Deadline,
    pub(crate) name: &'g str,
    pub(crate) stack: StackRef,
    pub(crate) action: Action,
    pub(crate) since: Option<String>,
    pub(crate) seen: Option<Stack>,
    pub(crate) waiting: &'g Waiting,
    /// What is printed is that of `heat stack-create`.
    pub(crate) legacy: bool,
    pub(crate) resume: &'g str,
}

/// Waits for its end and shows the stack; or shows it at once.
pub(crate) fn finish<'s>(
    going: Going<'_, 's>,
    judge: Box<dyn Judge<Look, Why = Why>>,
    stage: &mut Stage<'s>,
    layout: &Layout,
) -> Result<Exit, Failure> {
    let client = going.client;
    stage.set_last_words("the operation goes on", Some(going.resume));
    let stack = going.stack.clone();
    let deadline = going.deadline;
    let legacy = going.legacy;
    if legacy {
        let mut printed = legacy_show::list(client, deadline, stage);
        if printed.is_ok() && !going.waiting.no_wait {
            printed = legacy_show::show(client, &stack, deadline, stage);
        }
        if let Err(failure) = printed {
            stage.reporter.note(&failure.message);
        }
        if going.waiting.no_wait {
            return Ok(Exit::Reached);
        }
    }
    let ended = if going.waiting.no_wait {
        let now = ask(stage, going.deadline, &going.stack.label(), &mut |left| {
            client.stack(&going.stack, left)
        })?;
        vec![Ended {
            name: going.name.to_owned(),
            stack: now,
            exit: Exit::Reached,
            open: false,
        }]
    } else {
        let found = Resolved {
            stack: going.stack,
            seen: going.seen,
        };
        let mut tracked = Tracked::new(
            going.name,
            Some(found),
            going.since.as_deref(),
            going.waiting.nested_depth,
        );
        if matches!(going.action, Action::Create | Action::Adopt) {
            tracked = tracked.from_first_event();
        }
        let goal = Goal::Action(going.action);
        let mut watch = Watch::new(client, stage.reporter, goal, vec![tracked]);
        let following = Following {
            deadline: going.deadline,
            quorum: Quorum::All,
            resume: going.resume,
            awaited: None,
        };
        let mut judges: StackJudges = vec![judge];
        let ends = follow(&following, stage, &mut judges, &mut watch);
        let telling = Telling {
            client,
            deadline: going.deadline,
            several: false,
            taken: true,
        };
        let ended = report::tell(&telling, stage, &watch, &ends);
        if ended.iter().any(|one| one.open) {
            let hint = format!("go on waiting with: {}", going.resume);
            stage.reporter.hint(&hint);
        }
        ended
    };
    let exit = Exit::of_all(ended.iter().map(|one| one.exit));
    if legacy {
        let mut printed = legacy_show::show(client, &stack, deadline, stage);
        if printed.is_ok() && exit == Exit::Reached {
            printed = legacy_show::end(going.name, stage);
        }
        if let Err(failure) = printed {
            stage.reporter.note(&failure.message);
        }
    } else {
        report::print(stage, (layout, Shape::One), &ended)?;
    }
    Ok(exit)
}

/// Asks until there is an answer.
pub(crate) fn ask<T>(
    stage: &Stage<'_>,
    deadline: Deadline,
    what: &str,
    ask: &mut dyn FnMut(Option<Duration>) -> Result<T, Fault<Error>>,
) -> Result<T, Failure> {
    let policy = stage.retries(deadline);
    engine::persist(&policy, stage.clock, stage.reporter, what, ask)
}
