//! Tests of manila-wait: the program in this process, against a simulated cloud, on a clock that nobody waits for.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod cases;
mod constants;
mod deadline;
mod harness;
mod kinds;
mod messages;
mod names;
mod output;
mod progress;
mod scenarios;
mod several;
mod versions;
