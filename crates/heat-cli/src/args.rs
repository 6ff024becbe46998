//! The command line, parsed into plans: nothing is touched.

mod change;

use clap::{Parser, Subcommand};
use wait_cli::examples::Examples;
use wait_cli::options::Common;
use wait_cli::run::CommandLine;

use crate::examples::EXAMPLES;
use crate::goal::{Condition, Goal};

pub(crate) use change::{
    Adopt, Cancel, Create, Definition, Delete, StackCreate, Stacks, Update, Waiting,
};

/// Runs or joins an operation on a Heat stack and comes back when it has ended, with an exit code that tells the truth.
#[derive(Debug, Parser)]
#[command(
    name = "heat-wait",
    version = crate::VERSION,
    arg_required_else_help = true,
    subcommand_required = true,
    infer_long_args = true
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl CommandLine for Cli {
    const EXAMPLES: Examples = EXAMPLES;

    fn common(&self) -> &Common {
        &self.common
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Stacks
    #[command(arg_required_else_help = true, subcommand_required = true)]
    Stack {
        #[command(subcommand)]
        command: Stack,
    },
    /// Create a stack, as `heat stack-create` does: -f is the template, --poll [SECONDS] waits
    StackCreate(StackCreate),
}

#[derive(Debug, Subcommand)]
pub(crate) enum Stack {
    /// Create a stack
    Create(Create),
    /// Take existing resources over into a stack
    Adopt(Adopt),
    /// Change a stack to another definition
    Update(Update),
    /// Delete stacks
    Delete(Delete),
    /// Suspend stacks
    Suspend(Stacks),
    /// Resume stacks
    Resume(Stacks),
    /// Check whether the resources of stacks are there
    Check(Stacks),
    /// Cancel the create or update that runs on stacks
    Cancel(Cancel),
    /// Wait for what runs on a stack, or for a state, without changing anything
    Wait(Wait),
    /// Show a stack
    Show(StackShow),
    /// Outputs of a stack
    #[command(arg_required_else_help = true, subcommand_required = true)]
    Output {
        #[command(subcommand)]
        command: Output,
    },
    /// Events of a stack
    #[command(arg_required_else_help = true, subcommand_required = true)]
    Event {
        #[command(subcommand)]
        command: Event,
    },
    /// Failed resources of a stack
    #[command(arg_required_else_help = true, subcommand_required = true)]
    Failures {
        #[command(subcommand)]
        command: Failures,
    },
}

/// Shows a stack.
#[derive(Debug, clap::Args)]
pub(crate) struct StackShow {
    /// Name or id of the stack
    #[arg(value_name = "STACK")]
    pub(crate) stack: String,
    /// Leave the outputs out: Heat need not work them out
    #[arg(long)]
    pub(crate) no_resolve_outputs: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Output {
    /// List the outputs of a stack
    List(OutputList),
    /// Show an output of a stack, or all of them
    Show(OutputShow),
}

/// Lists outputs.
#[derive(Debug, clap::Args)]
pub(crate) struct OutputList {
    /// Name or id of the stack
    #[arg(value_name = "STACK")]
    pub(crate) stack: String,
}

/// Shows outputs.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("which").required(true).args(["output", "all"])))]
pub(crate) struct OutputShow {
    /// Name or id of the stack
    #[arg(value_name = "STACK")]
    pub(crate) stack: String,
    /// Name of the output
    #[arg(value_name = "OUTPUT")]
    pub(crate) output: Option<String>,
    /// Show all outputs
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Event {
    /// List the events of a stack, or follow them
    List(EventList),
}

/// Lists events.
#[derive(Debug, clap::Args)]
pub(crate) struct EventList {
    /// Name or id of the stack
    #[arg(value_name = "STACK")]
    pub(crate) stack: String,
    /// Only events of this resource
    #[arg(long, value_name = "RESOURCE")]
    pub(crate) resource: Option<String>,
    /// Only events of which this holds (resource_status, resource_action, resource_name, resource_type); repeatable
    #[arg(long = "filter", value_name = "KEY=VALUE")]
    pub(crate) filters: Vec<String>,
    /// At most so many
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Only events after this one
    #[arg(long, value_name = "EVENT")]
    pub(crate) marker: Option<String>,
    /// Events of nested stacks as well, so deep
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) nested_depth: u32,
    /// Sort by this key (event_time, resource_name, logical_resource_id, resource_status, resource_status_reason,
    /// physical_resource_id, id), asc or desc; repeatable. ':desc' alone: newest first
    #[arg(long = "sort", value_name = "KEY[:DIRECTION]")]
    pub(crate) sorts: Vec<String>,
    /// Go on as events come, until interrupted, the deadline (none by default) or the end of the stack
    #[arg(long)]
    pub(crate) follow: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Failures {
    /// List the failed resources of a stack, down its nested stacks
    List(FailuresList),
}

/// Lists failed resources.
#[derive(Debug, clap::Args)]
pub(crate) struct FailuresList {
    /// Name or id of the stack
    #[arg(value_name = "STACK")]
    pub(crate) stack: String,
    /// Show reasons and the output of deployments in full
    #[arg(long)]
    pub(crate) long: bool,
}

/// Follows what runs; changes nothing.
#[derive(Debug, clap::Args)]
pub(crate) struct Wait {
    /// Names or ids of the stacks
    #[arg(required = true, value_name = "STACK")]
    pub(crate) stacks: Vec<String>,
    /// What is waited for: complete (the end of what runs), an action (create, update, …), a status (UPDATE_COMPLETE),
    /// deleted
    #[arg(long = "for", value_name = "GOAL", default_value = "complete", value_parser = Goal::parse)]
    pub(crate) goal: Goal,
    /// Believe only what is newer than this event
    #[arg(long, value_name = "EVENT")]
    pub(crate) since: Option<String>,
    /// This must also hold at the end; repeatable
    #[arg(long = "and", value_name = "FIELD=VALUE", value_parser = Condition::parse)]
    pub(crate) conditions: Vec<Condition>,
    /// Wait for what does not exist yet, so long; without a duration, until the deadline
    #[arg(long, value_name = "DURATION", num_args = 0..=1, require_equals = true, default_missing_value = "none")]
    pub(crate) appear: Option<String>,
    /// The first of several that is reached ends the wait
    #[arg(long)]
    pub(crate) any: bool,
    /// Show events of nested stacks, so deep
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) nested_depth: u32,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn every_command_has_examples_and_they_parse() {
        fn leaves(command: &clap::Command, words: &str, found: &mut Vec<String>) {
            for below in command
                .get_subcommands()
                .filter(|below| below.get_name() != "help")
            {
                let words = format!("{words} {}", below.get_name());
                match below.has_subcommands() {
                    true => leaves(below, &words, found),
                    false => found.push(words.trim().to_owned()),
                }
            }
        }
        let mut commands = Vec::new();
        leaves(&Cli::command(), "", &mut commands);
        for command in &commands {
            assert!(
                EXAMPLES
                    .iter()
                    .any(|(words, lines)| words == command && !lines.is_empty()),
                "{command} has no example"
            );
        }
        for (words, lines) in EXAMPLES {
            assert!(
                words.is_empty() || commands.contains(&(*words).to_owned()),
                "{words} is no command"
            );
            for line in *lines {
                let args = std::iter::once("x").chain(line.split(' '));
                if let Err(error) = Cli::try_parse_from(args) {
                    panic!("{line}: {error}");
                }
            }
        }
    }
}
