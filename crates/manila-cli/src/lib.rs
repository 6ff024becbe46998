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

use args::Command;
pub use examples::EXAMPLES;

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
    args::grammar().command()
}

/// Runs the program once on the given outside.
pub fn run(host: &mut Host<'_>) -> End {
    wait_cli::run::run(&args::grammar(), host, |command, given, stage| {
        let name = || given.raw(args::ID).unwrap_or_default();
        match command {
            Command::Operate(operation) => operate::run(operation, given, stage),
            Command::Wait(kind) => wait::run(kind, &args::WaitArgs::read(given), stage),
            Command::Show(kind) => read::show(kind, name(), stage),
            Command::ExportLocations => read::export_locations(name(), stage),
            Command::AccessList => read::access_list(given, stage),
        }
    })
}
