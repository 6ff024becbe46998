//! A simulated cloud for one command: both programs in its PATH, the cloud's settings in its environment.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

use clap::Args;
use sim_cloud::Cloud;

use crate::tools::{self, Failure, Programs, say};

/// What is run in it.
#[derive(Args)]
pub struct Arguments {
    /// A command and its arguments; by default a shell
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<OsString>,
}

/// Runs a command, or a shell, beside a cloud whose story begins now.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let programs = tools::build("dev")?;
    let cloud = start()?;
    let shell = tools::variable("SHELL").unwrap_or_else(|| "/bin/sh".into());
    let (program, rest) = match arguments.command.split_first() {
        Some((program, rest)) => (program.as_os_str(), rest),
        None => {
            say(
                "A simulated cloud runs while this shell does. Stacks: web, broken; shares: data, stuck. Try:",
            );
            say("  heat-wait stack wait web");
            (shell.as_os_str(), &[][..])
        }
    };
    let mut command = command(program, &programs, &cloud)?;
    tools::succeed(command.args(rest))
}

/// A cloud with the story of the demo.
pub fn start() -> Result<Cloud, Failure> {
    sim_cloud::demo().map_err(|e| format!("the simulated cloud does not start: {e}"))
}

/// `program` with the settings of `cloud`, and without those of any other.
pub fn command(program: &OsStr, programs: &Programs, cloud: &Cloud) -> Result<Command, Failure> {
    let folder = programs.heat_wait.parent().unwrap_or(Path::new("."));
    let path = tools::variable("PATH").unwrap_or_default();
    let path = std::iter::once(folder.to_owned()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(path).map_err(|e| format!("PATH: {e}"))?;
    let mut command = Command::new(program);
    for name in [
        "OS_CLOUD",
        "OS_CLIENT_CONFIG_FILE",
        "OS_TOKEN",
        "OS_REGION_NAME",
    ] {
        command.env_remove(name);
    }
    command.env("PATH", path).envs(cloud.env());
    Ok(command)
}
