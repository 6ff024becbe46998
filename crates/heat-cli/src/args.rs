//! The command line, parsed into plans: nothing is touched.

use clap::{Parser, Subcommand};
use wait_cli::options::Common;
use wait_cli::run::CommandLine;

use crate::goal::{Condition, Goal};

/// Runs or joins an operation on a Heat stack and comes back when it has ended, with an exit code that tells the truth.
#[derive(Debug, Parser)]
#[command(
    name = "heat-wait",
    version,
    arg_required_else_help = true,
    subcommand_required = true
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl CommandLine for Cli {
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
}

#[derive(Debug, Subcommand)]
pub(crate) enum Stack {
    /// Wait for what runs on a stack, or for a state, without changing anything
    Wait(Wait),
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
