//! Both programs against every fault at every step, in virtual time: `docs/reliability.md` says what this proves.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests"
)]

#[path = "../harness/mod.rs"]
mod harness;

mod budget;
mod bytes;
mod cell;
mod fault;
mod matrix;
mod printable;
mod step;
mod table;
