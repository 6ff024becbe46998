//! heat-wait: runs or joins an operation on a Heat stack and comes back when it has ended.
//!
//! Args → plan → session → probe ([`watch`]) → engine (`poll_core`) → reporter → exit code.

mod args;
pub mod client;
mod event_list;
mod event_query;
mod event_rows;
pub mod events;
pub mod failures;
mod failures_list;
pub mod goal;
pub mod hooks;
mod log_line;
pub mod model;
mod nested;
mod output_show;
pub mod paths;
mod reading;
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
use wait_cli::{Host, Program};

/// This program.
pub const PROGRAM: Program = Program {
    name: "heat-wait",
    env_prefix: "HEAT_WAIT",
    version: env!("CARGO_PKG_VERSION"),
};

/// Runs the program once on the given outside.
pub fn run(host: &mut Host<'_>) -> End {
    wait_cli::run::run::<args::Cli>(&PROGRAM, host, |cli, stage| {
        let args::Command::Stack { command } = &cli.command;
        match command {
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
