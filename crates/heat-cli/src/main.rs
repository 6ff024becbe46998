//! heat-wait: waits for Heat stacks.

use std::process::ExitCode;

fn main() -> ExitCode {
    wait_cli::process::main(&heat_cli::PROGRAM, heat_cli::run)
}
