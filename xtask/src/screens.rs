//! `cargo xtask screens`: pictures of the live display for the documentation, and the captures that tests compare with.

use std::process::Command;

use clap::Args;

use crate::tools::{Failure, cargo, root, succeed};

/// What is made.
#[derive(Args)]
pub struct Arguments {
    /// Instead of pictures: plays the scenes of tests/terminal and compares the screens with the captures there
    #[arg(long)]
    test: bool,
    /// Instead of pictures: writes the captures anew
    #[arg(long, conflicts_with = "test")]
    captures: bool,
    /// Only these scenes
    scenes: Vec<String>,
}

/// Builds the programs and the cloud, and lets the scripts of `tests/terminal` do the rest.
///
/// # Errors
/// Says in one line which script or build failed.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let build = [
        "build",
        "--quiet",
        "--locked",
        "--workspace",
        "--bins",
        "--examples",
    ];
    succeed(cargo().args(build))?;
    let scripts = root().join("tests/terminal");
    if arguments.test || arguments.captures {
        let mut script = Command::new(scripts.join("run.sh"));
        if arguments.captures {
            script.env("UPDATE", "1");
        }
        succeed(script.args(&arguments.scenes))
    } else {
        succeed(&mut Command::new(scripts.join("pictures.sh")))
    }
}
