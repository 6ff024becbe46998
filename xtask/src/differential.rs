//! `cargo xtask cloud test --config`: what the Python clients make of hundreds of configurations, asked anew, and the test
//! that compares the loader with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};

use serde_json::Value;

use crate::tools::{self, Failure, cargo, show, succeed};

/// The clients whose options the generator builds; their versions are those of the test cloud.
const CLIENTS: [&str; 3] = [
    "python-openstackclient",
    "python-heatclient",
    "python-manilaclient",
];
const VERSIONS: &str = "tests/cloud/scripts/keystone-heat.txt";
const FOLDER: &str = "crates/identity/tests/differential";

/// A folder of this run, removed with it.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Asks again and replays. Without `arguments` for the generator: as many cases from the same seed as the file has.
///
/// # Errors
/// Says in one line what could not be installed, written or explained.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let scratch =
        Scratch(std::env::temp_dir().join(format!("heat-wait-differential-{}", process::id())));
    let python = clients(&scratch.0)?;
    let folder = tools::root().join(FOLDER);
    let cases = folder.join("cases.jsonl");
    let before = fs::read_to_string(&cases).map_err(|e| format!("{}: {e}", cases.display()))?;
    let mut generate = Command::new(python);
    generate.arg(folder.join("generate.py"));
    if arguments.is_empty() {
        generate.args(as_before(&before));
    } else {
        generate.args(arguments);
    }
    let after = tools::output(&mut generate)?;
    let count = after.lines().count().saturating_sub(1);
    if after == before {
        show(&format!("{count} cases, all answered as before\n"))?;
    } else {
        fs::write(&cases, &after).map_err(|e| format!("{}: {e}", cases.display()))?;
        show(&format!(
            "{count} cases; answers differ: git diff {FOLDER}\n"
        ))?;
    }
    succeed(cargo().args(["test", "--package=os-identity", "--lib", "differential"]))
}

/// The interpreter of a new virtual environment in `folder` that has the clients.
fn clients(folder: &Path) -> Result<PathBuf, Failure> {
    succeed(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
    let mut install = Command::new(folder.join("bin/pip"));
    install
        .args(["install", "--quiet", "--retries=10", "--constraint"])
        .arg(tools::root().join(VERSIONS))
        .args(CLIENTS);
    // The package index fails now and then, and what was fetched stays in pip's cache.
    succeed(&mut install)
        .or_else(|_| succeed(&mut install))
        .or_else(|_| succeed(&mut install))?;
    Ok(folder.join("bin/python"))
}

/// The arguments that made the file.
fn as_before(file: &str) -> Vec<String> {
    let head = file.lines().next().unwrap_or_default();
    let seed = serde_json::from_str::<Value>(head)
        .ok()
        .and_then(|head| head.get("seed").map(Value::to_string));
    let cases = file.lines().count().saturating_sub(1);
    let mut arguments = vec!["--cases".to_owned(), cases.to_string()];
    arguments.extend(
        seed.into_iter()
            .flat_map(|seed| ["--seed".to_owned(), seed]),
    );
    arguments
}
