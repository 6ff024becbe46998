//! `cargo xtask bench`: what the programs cost, how late they see an end, and how they scale. Each part writes its own
//! section of docs/benchmarks.md.

mod cost;
mod late;
mod measure;
mod page;
mod scale;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cloud;
use crate::tools::{self, Failure, say};
use page::Page;

/// What to measure, and how.
#[derive(clap::Args)]
pub struct Arguments {
    /// How often each command runs; the tables show medians
    #[arg(long, default_value_t = 15)]
    runs: usize,
    /// How late the end of an operation is seen, beside the Python client, on the test cloud
    #[arg(long, conflicts_with = "scale")]
    late: bool,
    /// Requests a round, and ten thousand stacks and shares in one process, on the simulated cloud
    #[arg(long)]
    scale: bool,
    /// How the programs are built
    #[arg(long, default_value = "release")]
    profile: String,
    /// The page whose section is written anew
    #[arg(long, default_value = "docs/benchmarks.md")]
    output: PathBuf,
}

/// Measures, prints the section and writes it into the page.
///
/// # Errors
/// Without a cloud where one is needed, when a measured command ends otherwise than it should, or when the file cannot
/// be written.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let file = tools::root().join(&arguments.output);
    let mut page = Page::open(&file)?;
    say(&format!(
        "build both programs (profile {})",
        arguments.profile
    ));
    let programs = tools::build(&arguments.profile)?;
    let runs = arguments.runs.max(1);
    let (section, text) = if arguments.scale {
        (page::SCALE, scale::section(&programs)?)
    } else {
        let peer = Peer::find()?;
        if arguments.late {
            (page::LATE, late::section(&programs, &peer, runs)?)
        } else {
            (page::COST, cost::section(&programs, &peer, runs)?)
        }
    };
    tools::show(&text)?;
    page.put(
        section,
        &format!("{text}\n{}", page::conditions(&arguments.profile)?),
    );
    page.write()
}

/// The test cloud and its Python clients.
struct Peer {
    variables: Vec<(String, String)>,
    openstack: PathBuf,
}

impl Peer {
    fn find() -> Result<Self, Failure> {
        let variables = cloud::variables()?;
        let mut peer = Self {
            variables,
            openstack: PathBuf::new(),
        };
        peer.openstack =
            Path::new(peer.variable("TESTCLOUD")).join("heat/venv-client/bin/openstack");
        Ok(peer)
    }

    /// A variable that leads to the cloud; empty if there is none.
    fn variable(&self, name: &str) -> &str {
        self.variables
            .iter()
            .find(|(key, _)| key == name)
            .map_or("", |(_, value)| value)
    }

    /// A program that finds the cloud.
    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs the Python client.
    fn run(&self, arguments: &[&str]) -> Result<(), Failure> {
        let mut command = self.command(&self.openstack);
        tools::succeed(command.args(arguments).stdout(std::process::Stdio::null()))
    }
}
