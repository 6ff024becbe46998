//! A model of Keystone, Heat and Manila on the loopback.
//!
//! It answers as the real services were recorded to answer (`fixtures/`), follows scripts of what
//! happens to stacks and shares along a clock that tests share, and spoils answers on demand.
//! Start with [`Cloud`]; [`When`], [`Answer`] and [`Fault`] script the weather; [`demo()`] is a cloud to
//! play with. The wire is `std::net` and threads: a mock server that speaks good HTTP could
//! not reset, stall or truncate.

mod cloud;
mod config;
mod cutter;
mod demo;
mod faults;
mod fixtures;
mod heat;
mod keystone;
mod log;
mod manila;
mod models;
mod outage;
mod port;
mod response;
mod script;
mod server;
mod time;
mod tls;
mod wire;

pub use cloud::Cloud;
pub use config::{Config, Service};
pub use cutter::{Cut, Cutter};
pub use demo::{demo, populate};
pub use faults::{Fault, Retry};
pub use heat::{Outcome, Stack};
pub use log::Seen;
pub use manila::{Effect, Item, Kind};
pub use outage::{CloudClock, Turn};
pub use response::Response;
pub use script::{Answer, When};
pub use time::Time;
pub use tls::{Certificate, Tls, TlsError};
pub use wire::Request;

/// So many seconds: scripts are full of them.
#[must_use]
pub const fn secs(seconds: u64) -> std::time::Duration {
    std::time::Duration::from_secs(seconds)
}
