//! What the commands that only read have in common: sign in, look the stack up, ask until there is an answer.

use std::time::Duration;

use os_identity::Error;
use poll_core::{Deadline, Fault, Policy};
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure, Reporter, engine};

use crate::client::Client;
use crate::model::StackRef;

/// The deadline of a command that only asks, where none was given.
const DEADLINE: Duration = Duration::from_secs(60 * 60);

/// One question, asked until there is an answer.
pub(crate) type Asking<'f, 's, T> =
    &'f mut (dyn FnMut(&Client<'s>, Option<Duration>) -> Result<T, Fault<Error>> + 'f);

/// A client, and how patiently it asks.
pub(crate) struct Reading<'s> {
    pub(crate) client: Client<'s>,
    clock: &'s dyn poll_core::Clock,
    reporter: &'s Reporter<'s>,
    policy: Policy,
}

impl<'s> Reading<'s> {
    /// Signs in, for a command that ends by itself.
    pub(crate) fn begin(stage: &Stage<'s>) -> Result<Self, Failure> {
        Self::until(stage.deadline(DEADLINE), stage)
    }

    /// Signs in, for a command that ends by `deadline`.
    pub(crate) fn until(deadline: Deadline, stage: &Stage<'s>) -> Result<Self, Failure> {
        let session = stage.session(deadline)?;
        Ok(Self {
            client: Client::open(session, stage.clock)?,
            clock: stage.clock,
            reporter: stage.reporter,
            policy: stage.retries(deadline),
        })
    }

    /// Where the stack is that `name` stands for: its name, its id, or both as `name/id`.
    pub(crate) fn find(&self, name: &str) -> Result<StackRef, Failure> {
        if name.trim().is_empty() {
            return Err(Failure::usage(
                "an empty word is no stack: give a name or an id",
            ));
        }
        self.ask(&format!("stack {name}"), &mut |client, budget| {
            client.find(name, budget)
        })?
        .ok_or_else(|| no_stack(name))
    }

    /// Asks until there is an answer; `what` says what is asked for.
    pub(crate) fn ask<T>(&self, what: &str, ask: Asking<'_, 's, T>) -> Result<T, Failure> {
        engine::persist(
            &self.policy,
            self.clock,
            self.reporter,
            what,
            &mut |budget| ask(&self.client, budget),
        )
    }

    /// Asks for something that a stack has.
    pub(crate) fn of<T>(
        &self,
        stack: &StackRef,
        ask: Asking<'_, 's, Option<T>>,
    ) -> Result<T, Failure> {
        self.ask(&stack.label(), ask)?
            .ok_or_else(|| no_stack(&stack.label().replacen("stack ", "", 1)))
    }
}

/// The end of a command whose stack does not exist.
pub(crate) fn no_stack(name: &str) -> Failure {
    Failure::new(
        Exit::NotFound,
        format!("stack {name}: there is no such stack"),
    )
}
