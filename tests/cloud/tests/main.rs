//! Both programs against a real Keystone, Heat and Manila. Run by `cargo xtask cloud test`.
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "tests")]

mod cut;
mod heat;
mod heat_found;
mod manila;
mod manila_kinds;
mod operations;
mod scenarios;
mod weather;
