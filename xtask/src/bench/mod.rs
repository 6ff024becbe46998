//! `cargo xtask bench`: what the programs cost, how late they see an end, and how they scale. Each part writes its own
//! section of docs/benchmarks.md.

mod cost;
mod late;
mod measure;
mod plot;
mod scale;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cloud;
use crate::page::Page;
use crate::tools::{self, Failure, say};

/// Sections of the page: what a wait costs, how late an end is seen, requests and ten thousand resources.
const COST: &str = "cost";
const LATE: &str = "late";
const SCALE: &str = "scale";

/// The picture of the growth, from the workspace's root.
const PLOT: &str = "docs/images/scale.svg";
const GROWTH: &str = "Ten to ten thousand in one process, named by their ids: the resident maximum, and the processor time of \
    a round in which nothing has changed (the difference of a longer and a shorter wait, by the rounds between them). The \
    dashed line is the goal. `cargo xtask bench --scale --growth` fails where each of ten thousand costs more than five times \
    what each of a thousand costs; `.ci/run` runs it.\n\n![Cost by how many are waited for](images/scale.svg)";

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
    /// With --scale: only whether the cost of ten thousand is about ten times that of a thousand; writes nothing
    #[arg(long, requires = "scale")]
    growth: bool,
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
    if arguments.growth {
        let growth = scale::Growth::measure(&programs, &[1_000, 10_000], 2)?;
        tools::show(&growth.table())?;
        return growth.is_linear();
    }
    let runs = arguments.runs.max(1);
    let mut linear = Ok(());
    let (section, text) = if arguments.scale {
        let requests = scale::requests(&programs)?;
        let growth = scale::growth(&programs, &tools::root().join(PLOT))?;
        linear = growth.is_linear();
        let text = format!("{requests}\n{GROWTH}\n\n{}", growth.table());
        (SCALE, text)
    } else {
        let peer = Peer::find()?;
        if arguments.late {
            (LATE, late::section(&programs, &peer, runs)?)
        } else {
            (COST, cost::section(&programs, &peer, runs)?)
        }
    };
    tools::show(&text)?;
    page.put(
        section,
        &format!("{text}\n{}", conditions(&arguments.profile)?),
    );
    page.write()?;
    linear
}

/// What the figures depend on, in one line.
///
/// # Errors
/// When there is no rustc.
fn conditions(profile: &str) -> Result<String, Failure> {
    let rustc = tools::output(Command::new("rustc").arg("--version"))?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').take(3).collect::<Vec<_>>().join(", ");
    Ok(format!(
        "Profile `{profile}`, {}, {cores} cores; load averages at the end of the run: {load}.\n",
        rustc.trim()
    ))
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
