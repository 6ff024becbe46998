//! The command line: what follows `openstack`, plus `wait`, and the legacy `stack-create`.

mod change;
mod tables;

use wait_cli::Failure;
use wait_cli::argument::{Argument, Given};
use wait_cli::grammar::{Grammar, Verb};

use crate::PROGRAM;
use crate::examples::EXAMPLES;
use crate::goal::{Condition, Goal};

pub(crate) use change::{Adopt, Create, Definition, StackCreate, Stacks, Update, Waiting};

/// The command line of this program.
pub(crate) fn grammar() -> Grammar<Command> {
    Grammar {
        program: &PROGRAM,
        about: "Runs or joins an operation on a Heat stack and comes back when it has ended, with an exit code that tells the truth",
        groups: &GROUPS,
        verbs: COMMANDS.to_vec(),
        examples: EXAMPLES,
    }
}

/// The words that only lead to others.
const GROUPS: [(&[&str], &str); 4] = [
    (
        &["stack"],
        "Create, change, delete, read and wait for stacks",
    ),
    (&["stack", "output"], "Outputs of a stack"),
    (&["stack", "event"], "Events of a stack"),
    (&["stack", "failures"], "Failed resources of a stack"),
];

/// A command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Command {
    Create,
    Adopt,
    Update,
    Delete,
    Suspend,
    Resume,
    Check,
    Cancel,
    Wait,
    Show,
    OutputList,
    OutputShow,
    EventList,
    FailuresList,
    StackCreate,
}

const COMMANDS: [Command; 15] = [
    Command::Create,
    Command::Adopt,
    Command::Update,
    Command::Delete,
    Command::Suspend,
    Command::Resume,
    Command::Check,
    Command::Cancel,
    Command::Wait,
    Command::Show,
    Command::OutputList,
    Command::OutputShow,
    Command::EventList,
    Command::FailuresList,
    Command::StackCreate,
];

/// Words, what it does, and tables of what it takes.
type Row = (
    &'static [&'static str],
    &'static str,
    &'static [&'static [Argument]],
);

impl Command {
    fn row(self) -> Row {
        use tables as t;
        match self {
            Self::Create => (
                &["stack", "create"],
                "Create a stack",
                &[&t::CREATE, &t::DEFINITION, &t::WAITING],
            ),
            Self::Adopt => (
                &["stack", "adopt"],
                "Take existing resources over into a stack",
                &[&t::ADOPT, &t::WAITING],
            ),
            Self::Update => (
                &["stack", "update"],
                "Change a stack to another definition",
                &[&t::UPDATE, &t::DEFINITION, &t::WAITING],
            ),
            Self::Delete => (
                &["stack", "delete"],
                "Delete stacks",
                &[&t::STACKS, &t::DELETE, &t::WAITING],
            ),
            Self::Suspend => (
                &["stack", "suspend"],
                "Suspend stacks",
                &[&t::STACKS, &t::WAITING],
            ),
            Self::Resume => (
                &["stack", "resume"],
                "Resume stacks",
                &[&t::STACKS, &t::WAITING],
            ),
            Self::Check => (
                &["stack", "check"],
                "Check whether the resources of stacks are there",
                &[&t::STACKS, &t::WAITING],
            ),
            Self::Cancel => (
                &["stack", "cancel"],
                "Cancel the create or update that runs on stacks",
                &[&t::STACKS, &t::CANCEL, &t::WAITING],
            ),
            Self::Wait => (
                &["stack", "wait"],
                "Wait for what runs on a stack, or for a state, without changing anything",
                &[&t::STACKS, &t::WAIT],
            ),
            Self::Show => (&["stack", "show"], "Show a stack", &[&t::STACK, &t::SHOW]),
            Self::OutputList => (
                &["stack", "output", "list"],
                "List the outputs of a stack",
                &[&t::STACK],
            ),
            Self::OutputShow => (
                &["stack", "output", "show"],
                "Show an output of a stack, or all of them",
                &[&t::STACK, &t::OUTPUT_SHOW],
            ),
            Self::EventList => (
                &["stack", "event", "list"],
                "List the events of a stack, or follow them",
                &[&t::STACK, &t::EVENT_LIST],
            ),
            Self::FailuresList => (
                &["stack", "failures", "list"],
                "List the failed resources of a stack, down its nested stacks",
                &[&t::STACK, &t::FAILURES_LIST],
            ),
            Self::StackCreate => (
                &["stack-create"],
                "Create a stack, as `heat stack-create` does: -f is the template, --poll [SECONDS] waits",
                &[&t::STACK_CREATE],
            ),
        }
    }
}

impl Verb for Command {
    fn words(self) -> Vec<&'static str> {
        self.row().0.to_vec()
    }

    fn about(self) -> String {
        self.row().1.to_owned()
    }

    fn arguments(self) -> Vec<Argument> {
        self.row().2.concat()
    }
}

/// Lists events.
#[derive(Debug, Clone, Default)]
pub(crate) struct EventList {
    pub(crate) stack: String,
    pub(crate) resource: Option<String>,
    pub(crate) filters: Vec<String>,
    pub(crate) limit: Option<usize>,
    pub(crate) marker: Option<String>,
    pub(crate) nested_depth: u32,
    pub(crate) sorts: Vec<String>,
    pub(crate) follow: bool,
}

impl EventList {
    pub(crate) fn read(given: &Given) -> Self {
        let limit = given.natural("--limit");
        Self {
            stack: stack(given),
            resource: given.owned("--resource"),
            filters: given.texts("--filter").to_vec(),
            limit: limit.and_then(|limit| usize::try_from(limit).ok()),
            marker: given.owned("--marker"),
            nested_depth: given.natural("--nested-depth").unwrap_or_default(),
            sorts: given.texts("--sort").to_vec(),
            follow: given.flag("--follow"),
        }
    }
}

/// Follows what runs; changes nothing.
#[derive(Debug)]
pub(crate) struct Wait {
    pub(crate) stacks: Vec<String>,
    pub(crate) goal: Goal,
    pub(crate) since: Option<String>,
    pub(crate) conditions: Vec<Condition>,
    /// A duration or `none`.
    pub(crate) appear: Option<String>,
    pub(crate) any: bool,
    pub(crate) nested_depth: u32,
}

impl Wait {
    pub(crate) fn read(given: &Given) -> Result<Self, Failure> {
        let wrong = |option: &str, message: String| Failure::usage(format!("{option}: {message}"));
        let goal = Goal::parse(given.raw("--for").unwrap_or("complete"));
        let conditions = given.texts("--and").iter();
        let conditions: Result<_, String> = conditions.map(|text| Condition::parse(text)).collect();
        Ok(Self {
            stacks: given.texts("STACK").to_vec(),
            goal: goal.map_err(|message| wrong("--for", message))?,
            since: given.owned("--since"),
            conditions: conditions.map_err(|message| wrong("--and", message))?,
            appear: given.owned("--appear"),
            any: given.flag("--any"),
            nested_depth: given.natural("--nested-depth").unwrap_or_default(),
        })
    }
}

/// The stack that is named.
pub(crate) fn stack(given: &Given) -> String {
    given.owned("STACK").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_consistent() {
        grammar().check();
    }

    #[test]
    fn every_command_is_in_the_table_once() {
        for command in COMMANDS {
            let same = COMMANDS
                .iter()
                .filter(|other| other.row().0 == command.row().0);
            assert_eq!(same.count(), 1, "{command:?}");
        }
    }
}
