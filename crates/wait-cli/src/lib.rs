//! What the command lines of heat-wait and manila-wait share above the poll engine.
//!
//! Nothing here knows a word of Heat or Manila: the programs hand in neutral lines (time, id, path, status, reason).
//! [`Host`] is the only door to the outside.

pub mod argument;
pub mod connect;
pub mod duration;
pub mod engine;
pub mod examples;
pub mod exit;
pub mod failure;
pub mod grammar;
pub mod hint;
pub mod host;
pub mod interrupt;
pub mod logging;
mod near;
pub mod options;
pub mod order;
pub mod output;
pub mod printable;
pub mod process;
pub mod progress;
pub mod run;
pub mod time;

pub use exit::Exit;
pub use failure::Failure;
pub use host::{Host, LastWords, Screen, Terminal};
pub use progress::Reporter;

/// What is particular to one of the two programs.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// The name of the binary, as messages and hints say it.
    pub name: &'static str,
    /// What its own environment variables begin with: `HEAT_WAIT` for `HEAT_WAIT_DEADLINE`.
    pub env_prefix: &'static str,
    /// Its version.
    pub version: &'static str,
}
