//! Developer tasks, run as `cargo xtask TASK`. An ordinary binary: no task needs more than cargo and, for the test
//! cloud, what its scripts install.

mod bench;
mod cloud;
mod completions;
mod demo;
mod differential;
mod dist;
mod docs;
mod fuzz;
mod manual;
mod msrv;
mod page;
mod playground;
mod release;
mod screens;
mod tools;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Developer tasks")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Builds both programs and shows them against the simulated cloud; needs no network
    Demo,
    /// A shell, or a command, beside a simulated cloud: both programs in PATH, the cloud's settings set
    Sim(playground::Arguments),
    /// Executes every command block of the documentation, and follows its links
    Docs,
    /// A real Keystone, Heat and Manila on the loopback (tests/cloud/README.md)
    #[command(subcommand)]
    Cloud(cloud::Action),
    /// Measures both programs beside the Python clients on the test cloud and writes docs/benchmarks.md
    Bench(bench::Arguments),
    /// Writes the completions of bash, zsh and fish in docs/completions
    Completions(completions::Arguments),
    /// Makes packages, tarballs, checksums in target/packages (RELEASING.md)
    Dist(dist::Arguments),
    /// Commits, packs and tags a release; pushes nothing (RELEASING.md)
    Release(release::Arguments),
    /// Builds both programs of the crates that Debian 13 has
    Msrv,
    /// Writes the manual pages in docs/man
    Man(manual::Arguments),
    /// Feeds what is read from files, services and the command line with any bytes (tests/fuzz; needs nightly and cargo-fuzz)
    Fuzz(fuzz::Arguments),
    /// Makes the pictures of the live display in docs/images, in tmux and chromium, from the test cloud if it is up
    Screens(screens::Arguments),
}

/// Whether these words are a task with its arguments; what is wrong with them otherwise.
fn understands(words: &[&str]) -> Result<(), tools::Failure> {
    let line = std::iter::once("cargo xtask").chain(words.iter().copied());
    match Arguments::try_parse_from(line) {
        Ok(_) => Ok(()),
        Err(e) => Err(e.to_string().lines().next().unwrap_or_default().to_owned()),
    }
}

fn main() -> ExitCode {
    let done = match Arguments::parse().task {
        Task::Demo => demo::run(),
        Task::Sim(arguments) => playground::run(&arguments),
        Task::Docs => docs::run(),
        Task::Cloud(action) => cloud::run(action),
        Task::Bench(arguments) => bench::run(&arguments),
        Task::Completions(arguments) => completions::run(&arguments),
        Task::Dist(arguments) => dist::run(&arguments),
        Task::Release(arguments) => release::run(&arguments),
        Task::Msrv => msrv::run(),
        Task::Man(arguments) => manual::run(&arguments),
        Task::Fuzz(arguments) => fuzz::run(&arguments),
        Task::Screens(arguments) => screens::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            tools::say(&format!("cargo xtask: {failure}"));
            ExitCode::FAILURE
        }
    }
}
