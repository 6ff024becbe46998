//! heat-wait: runs or joins an operation on a Heat stack and comes back when it has ended.
//!
//! Args → plan → session → probe ([`watch`]) → engine (`poll_core`) → reporter → exit code.

mod args;
pub mod client;
pub mod events;
pub mod failures;
pub mod goal;
pub mod model;
pub mod paths;
pub mod resolve;
pub mod show;
pub mod status;
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
    wait_cli::run::run::<args::Cli>(&PROGRAM, host, |cli, stage| match &cli.command {
        args::Command::Stack {
            command: args::Stack::Wait(wait),
        } => wait::run(wait, stage),
    })
}
