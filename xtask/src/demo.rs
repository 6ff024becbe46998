//! `cargo xtask demo`.

use crate::tools::Failure;

/// Shows both programs.
pub fn run() -> Result<(), Failure> {
    Ok(())
}
