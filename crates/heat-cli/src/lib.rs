//! heat-wait: runs or joins an operation on a Heat stack and comes back when it has ended.
//!
//! Args → plan → session → probe ([`watch`]) → engine (`poll_core`) → reporter → exit code.

pub mod answers;
mod args;
mod baseline;
mod cancel;
mod change;
pub mod client;
mod define;
mod event_list;
mod event_query;
mod event_rows;
pub mod events;
mod examples;
pub mod failures;
mod failures_list;
mod follow;
pub mod goal;
mod going;
pub mod hooks;
mod legacy;
mod legacy_show;
mod log_line;
mod lost;
pub mod model;
mod names;
mod nested;
mod operate;
mod output_show;
pub mod paths;
mod preview;
mod reading;
mod report;
pub mod resolve;
mod rows;
pub mod show;
pub mod source;
mod stack_show;
pub mod status;
pub mod template;
mod wait;
pub mod watch;

use wait_cli::process::End;
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure, Host, Program};

use operate::Act;

/// A release is built with its commit: `0.1.0 (3d8e3b3)`.
const VERSION: &str = match option_env!("HEAT_WAIT_BUILD") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

/// This program.
pub const PROGRAM: Program = Program {
    name: "heat-wait",
    env_prefix: "HEAT_WAIT",
    version: VERSION,
};

/// The whole command line, for manual pages and completions.
#[must_use]
pub fn command() -> clap::Command {
    <args::Cli as clap::CommandFactory>::command()
}

/// Runs the program once on the given outside.
pub fn run(host: &mut Host<'_>) -> End {
    legacy::translate(&mut host.args);
    wait_cli::run::run::<args::Cli>(&PROGRAM, host, |cli, stage| {
        let command = match &cli.command {
            args::Command::Stack { command } => command,
            args::Command::StackCreate(args) => {
                return define::stack_create(args, cli.common.timing.poll.is_some(), stage);
            }
        };
        match command {
            args::Stack::Create(args) => define::create(args, stage),
            args::Stack::Adopt(args) => define::adopt(args, stage),
            args::Stack::Update(args) => define::update(args, stage),
            args::Stack::Delete(args) => {
                let act = Act::Delete {
                    ignore_missing: args.ignore_missing,
                };
                operate::run(act, &args.stacks, &args.waiting, args.yes, stage)
            }
            args::Stack::Suspend(args) => act(Act::Suspend, args, stage),
            args::Stack::Resume(args) => act(Act::Resume, args, stage),
            args::Stack::Check(args) => act(Act::Check, args, stage),
            args::Stack::Cancel(args) => {
                let act = Act::Cancel {
                    rollback: !args.no_rollback,
                };
                operate::run(act, &args.stacks, &args.waiting, true, stage)
            }
            args::Stack::Wait(args) => wait::run(args, stage),
            args::Stack::Show(args) => stack_show::run(args, stage),
            args::Stack::Output {
                command: args::Output::List(args),
            } => output_show::list(args, stage),
            args::Stack::Output {
                command: args::Output::Show(args),
            } => output_show::show(args, stage),
            args::Stack::Event {
                command: args::Event::List(args),
            } => event_list::run(args, stage),
            args::Stack::Failures {
                command: args::Failures::List(args),
            } => failures_list::run(args, stage),
        }
    })
}

fn act(act: Act, args: &args::Stacks, stage: &mut Stage<'_>) -> Result<Exit, Failure> {
    operate::run(act, &args.stacks, &args.waiting, true, stage)
}
