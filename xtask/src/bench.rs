//! `cargo xtask bench`.
use crate::tools::Failure;
/// Options.
#[derive(clap::Args)]
pub struct Arguments {}
/// Runs.
pub fn run(_: &Arguments) -> Result<(), Failure> {
    Ok(())
}
