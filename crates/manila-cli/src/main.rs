//! manila-wait.

use std::process::ExitCode;

fn main() -> ExitCode {
    wait_cli::process::main(&manila_cli::PROGRAM, manila_cli::run)
}
