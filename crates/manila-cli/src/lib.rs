//! manila-wait: waits for Manila shares and what belongs to them.
//!
//! Args → plan → session → probe ([`watch`]) → engine (`poll_core`) → reporter → exit code. What there is to wait for is
//! one table: [`kind`].

mod address;
mod after;
pub mod answers;
mod args;
pub mod client;
mod ended;
mod examples;
mod follow;
pub mod goal;
pub mod kind;
pub mod lookup;
pub mod messages;
mod operate;
pub mod operation;
mod plan;
mod proof;
mod read;
mod result;
mod resume;
pub mod rows;
mod send;
pub mod show;
pub mod version;
mod wait;
pub mod watch;
pub mod words;

use wait_cli::process::End;
use wait_cli::{Host, Program};

/// A release is built with its commit: `0.1.0 (3d8e3b3)`.
const VERSION: &str = match option_env!("HEAT_WAIT_BUILD") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

/// This program.
pub const PROGRAM: Program = Program {
    name: "manila-wait",
    env_prefix: "MANILA_WAIT",
    version: VERSION,
};

/// The whole command line, for manual pages and completions.
#[must_use]
pub fn command() -> clap::Command {
    <args::Cli as clap::CommandFactory>::command()
}

/// Runs the program once on the given outside.
pub fn run(host: &mut Host<'_>) -> End {
    wait_cli::run::run::<args::Cli>(&PROGRAM, host, |cli, stage| match cli.plan() {
        args::Plan::Operate(operation, given) => operate::run(operation, given, stage),
        args::Plan::Wait(kind, wait) => wait::run(kind, wait, stage),
        args::Plan::Show(kind, name) => read::show(kind, name, stage),
        args::Plan::ExportLocations(share) => read::export_locations(share, stage),
        args::Plan::AccessList(list) => read::access_list(list, stage),
    })
}
