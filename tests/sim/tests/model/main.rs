//! The model against what was recorded from the real services, and its faults against a real client.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod client;
mod faults;
mod heat;
mod keystone;
mod manila;
mod scale;
mod shapes;
mod tls;
