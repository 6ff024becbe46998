//! What the tests against a real Keystone, Heat and Manila stand on: requests of their own, which start operations in
//! the services, and the programs under test as child processes.
//!
//! `cargo xtask cloud test` sets the environment that [`Place`] reads. Everything here panics when the cloud does not
//! do what it was asked: a test has nothing better to say.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a broken test cloud ends the test"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "real services: real time, and the environment of cargo xtask"
)]

mod api;
mod place;
mod program;
mod share;
mod stack;
mod thing;
mod user;

pub use api::{Api, free_port};
pub use place::{Place, until};
pub use program::{Ended, Program, Running};
pub use share::Share;
pub use stack::{Spec, Stack};
pub use thing::Thing;
pub use user::{Reply, User};
