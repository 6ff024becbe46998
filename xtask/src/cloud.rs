//! `cargo xtask cloud …`: the scripts of `tests/cloud/scripts`, and the tests against the cloud they bring up.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Subcommand;
use serde_json::json;

use crate::differential;
use crate::page::{self, Page};
use crate::tools::{self, Failure, cargo, succeed};

/// Sections of docs/reliability.md.
const CHAOS: &str = "chaos";
const ROLLING: &str = "rolling";
/// Of a whole run.
const OPERATIONS: u64 = 200;
const MINUTES: u64 = 8;

/// What to do with the test cloud in `$TESTCLOUD` (default: `testcloud` in the system's temporary folder).
#[derive(Subcommand)]
pub enum Action {
    /// Installs what is missing and starts every service; already up: a few seconds
    Up,
    /// Stops every service; the data stay
    Down,
    /// Shows what runs; exit 0 when everything is up
    Status,
    /// Prints the variables that lead to the cloud, for `eval`
    Env,
    /// Restarts one service, or stops or starts it
    Restart {
        /// keystone, heat, manila-api …
        service: String,
        /// Only stop it
        #[arg(long, conflicts_with = "start")]
        stop: bool,
        /// Only start it
        #[arg(long)]
        start: bool,
    },
    /// Runs every operation of both programs beside the Python clients, to success and to failure, and writes the
    /// tables of docs/comparison.md; about a quarter of an hour
    Compare {
        /// Only the operations that have this in their words or in what makes them fail; the page stays as it is
        only: Option<String>,
        /// How many run side by side
        #[arg(long, default_value_t = 12)]
        lanes: usize,
        /// Seconds after the end at which a client that goes on is taken to hang
        #[arg(long, default_value_t = 30)]
        limit: u64,
    },
    /// Builds both programs and runs the tests of tests/cloud against the cloud
    Test {
        /// Instead: asks the Python clients anew what the configurations of the differential test mean, writes their
        /// answers to crates/identity/tests/differential/cases.jsonl and runs that test; needs no cloud
        #[arg(long)]
        config: bool,
        /// Instead: runs 200 operations while requests are cut, delayed and throttled and API processes are stopped and
        /// started, and compares each verdict with the service's own state; about a quarter of an hour. A whole run that
        /// ends well writes its table into docs/reliability.md
        #[arg(long, conflicts_with = "config")]
        chaos: bool,
        /// With --chaos, instead of the operations: Keystone, Heat (API and engine) and Manila restart one after the other,
        /// again and again, while one wait goes on for fifty stacks; ten minutes. Writes its table as well
        #[arg(long, requires = "chaos")]
        rolling: bool,
        /// With --rolling: how many minutes of restarts; a run of fewer writes no table
        #[arg(long, default_value_t = MINUTES, requires = "rolling")]
        minutes: u64,
        /// With --chaos: what happens is a function of this number
        #[arg(long, default_value_t = 1, requires = "chaos")]
        seed: u64,
        /// With --chaos: how many operations; a run of fewer writes no table
        #[arg(long, default_value_t = OPERATIONS, requires = "chaos")]
        operations: u64,
        /// With --chaos: how many run side by side
        #[arg(long, default_value_t = 6, requires = "chaos")]
        lanes: u64,
        /// Given to the test programs (a filter, --nocapture …), or with --config to generate.py
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
}

/// Does `action`.
///
/// # Errors
/// Says in one line which script or build failed.
pub fn run(action: Action) -> Result<(), Failure> {
    match action {
        Action::Up => succeed(&mut script("up.sh")),
        Action::Down => succeed(&mut script("down.sh")),
        Action::Status => succeed(&mut script("status.sh")),
        Action::Env => succeed(&mut script("env.sh")),
        Action::Restart {
            service,
            stop,
            start,
        } => {
            let verb = match (stop, start) {
                (true, _) => "stop",
                (_, true) => "start",
                _ => "restart",
            };
            succeed(script("service.sh").args([verb, &service]))
        }
        Action::Compare { only, lanes, limit } => compare(only.as_deref(), lanes, limit),
        Action::Test {
            config: true,
            arguments,
            ..
        } => differential::run(&arguments),
        Action::Test {
            chaos: true,
            rolling: true,
            minutes,
            ..
        } => told(
            tests("chaos")?
                .args(["--nocapture", "rolling::"])
                .env("CHAOS_MINUTES", minutes.to_string()),
            (minutes >= MINUTES).then_some(ROLLING),
        ),
        Action::Test {
            chaos: true,
            seed,
            operations,
            lanes,
            ..
        } => told(
            tests("chaos")?
                .args(["--nocapture", "--skip", "rolling::"])
                .env("CHAOS_SEED", seed.to_string())
                .env("CHAOS_OPERATIONS", operations.to_string())
                .env("CHAOS_LANES", lanes.to_string()),
            (operations >= OPERATIONS).then_some(CHAOS),
        ),
        Action::Test { arguments, .. } => {
            succeed(tests("cloud")?.arg("--test-threads=2").args(arguments))
        }
    }
}

/// Runs tests that print a section between two marks, and writes it into the section's place in docs/reliability.md once
/// they have ended well. `None`: it is only shown.
fn told(command: &mut Command, section: Option<&str>) -> Result<(), Failure> {
    let said = tools::echo(command)?;
    let Some(name) = section else {
        return Ok(());
    };
    let text = page::section(&said, name)
        .ok_or_else(|| format!("the tests have printed no section '{name}'"))?;
    let mut page = Page::open(&tools::root().join("docs/reliability.md"))?;
    page.put(name, text);
    page.write()
}

/// The variables that lead to the cloud, as `env.sh` prints them.
///
/// # Errors
/// When the script fails, or when there is no cloud.
pub fn variables() -> Result<Vec<(String, String)>, Failure> {
    let lines = tools::output(&mut script("env.sh"))?;
    let variables: Vec<(String, String)> = lines
        .lines()
        .filter_map(|line| line.strip_prefix("export ")?.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let clouds = variables
        .iter()
        .find(|(name, _)| name == "OS_CLIENT_CONFIG_FILE")
        .map(|(_, value)| value.as_str());
    match clouds {
        Some(file) if PathBuf::from(file).is_file() => Ok(variables),
        _ => Err("there is no cloud; bring one up with: cargo xtask cloud up".to_owned()),
    }
}

/// The tests of tests/cloud that `target` names, as does the feature that they need; arguments are for them.
fn tests(target: &str) -> Result<Command, Failure> {
    let variables = variables()?;
    let programs = tools::build("dev")?;
    let mut command = cargo();
    command
        // Not --package: with the features of the whole workspace the dependencies are built already.
        .args(["test", "--workspace"])
        .arg(format!("--features=cloud-tests/{target}"))
        .arg(format!("--test={target}"))
        .arg("--")
        .envs(variables)
        .env("TESTCLOUD_SCRIPTS", scripts())
        .env("TESTCLOUD_HEAT_WAIT", programs.heat_wait)
        .env("TESTCLOUD_MANILA_WAIT", programs.manila_wait);
    Ok(command)
}

fn compare(only: Option<&str>, lanes: usize, limit: u64) -> Result<(), Failure> {
    let variables = variables()?;
    let programs = tools::build("dev")?;
    let cloud = variables.iter().find(|(name, _)| name == "TESTCLOUD");
    let cloud = cloud.map(|(_, folder)| Path::new(folder));
    let client = cloud
        .unwrap_or_else(|| Path::new("/"))
        .join("heat/venv-client/bin");
    let config = json!({
        "heat_wait": programs.heat_wait, "manila_wait": programs.manila_wait, "openstack": client.join("openstack"),
        "page": tools::root().join("docs/comparison.md"), "lanes": lanes, "limit": limit,
    });
    let folder = tools::root().join("tests/cloud/compare/operations");
    succeed(
        Command::new(client.join("python"))
            .arg(folder.join("operations.py"))
            .arg(config.to_string())
            .args(only)
            .envs(variables)
            .env("PYTHONDONTWRITEBYTECODE", "1"),
    )
}

fn scripts() -> PathBuf {
    tools::root().join("tests/cloud/scripts")
}

fn script(name: &str) -> Command {
    Command::new(scripts().join(name))
}
