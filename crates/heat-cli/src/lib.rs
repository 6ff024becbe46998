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
use wait_cli::{Host, Program};

use args::Command;
pub use examples::EXAMPLES;
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
    args::grammar().command()
}

/// Runs the program once on the given outside.
pub fn run(host: &mut Host<'_>) -> End {
    legacy::translate(&mut host.args);
    wait_cli::run::run(&args::grammar(), host, |command, given, stage| {
        let act = match command {
            Command::Create => return define::create(&args::Create::read(given)?, stage),
            Command::Adopt => return define::adopt(&args::Adopt::read(given)?, stage),
            Command::Update => return define::update(&args::Update::read(given)?, stage),
            Command::StackCreate => {
                return define::stack_create(&args::StackCreate::read(given), stage);
            }
            Command::Wait => return wait::run(&args::Wait::read(given)?, stage),
            Command::Show => return stack_show::run(given, stage),
            Command::OutputList => return output_show::list(given, stage),
            Command::OutputShow => return output_show::show(given, stage),
            Command::EventList => return event_list::run(&args::EventList::read(given), stage),
            Command::FailuresList => return failures_list::run(given, stage),
            Command::Delete => Act::Delete {
                ignore_missing: given.flag("--ignore-missing"),
            },
            Command::Suspend => Act::Suspend,
            Command::Resume => Act::Resume,
            Command::Check => Act::Check,
            Command::Cancel => Act::Cancel {
                rollback: !given.flag("--no-rollback"),
            },
        };
        let is_sure = command != Command::Delete || given.flag("--yes");
        let args::Stacks { stacks, waiting } = args::Stacks::read(given)?;
        operate::run(act, &stacks, &waiting, is_sure, stage)
    })
}
