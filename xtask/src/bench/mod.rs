//! `cargo xtask bench`: both programs beside the Python clients, on the test cloud, in one run.

mod report;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::tools::{self, Failure, say};
use crate::{cloud, tools::output};

/// How to measure.
#[derive(clap::Args)]
pub struct Arguments {
    /// How often each command runs; the table shows medians
    #[arg(long, default_value_t = 9)]
    runs: usize,
    /// Where the table goes
    #[arg(long, default_value = "docs/benchmarks.md")]
    output: PathBuf,
}

/// What one command took: the median of several runs.
struct Cost {
    /// Seconds from start to end.
    wall: f64,
    /// Seconds of processor time, user and system.
    cpu: f64,
    /// Bytes resident at the most.
    memory: f64,
}

/// Ours and theirs, asked for the same thing.
struct Pair {
    ours: (String, Cost),
    theirs: (String, Cost),
    /// Seconds that the servers need for our requests.
    server: f64,
}

/// Measures, prints the table and writes it down.
///
/// # Errors
/// Without a cloud, when a measured command does not exit with 0, or when the file cannot be written.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let bench = Bench::new(arguments.runs)?;
    let name = format!("bench-{}", std::process::id());
    let template = tools::root().join("tests/cloud/templates/basic.yaml");
    let template = template.to_string_lossy();
    say("create a stack and a share");
    bench.peer(&["stack", "create", "--wait", "-t", &template, &name])?;
    bench.peer(&["share", "create", "--wait", "--name", &name, "NFS", "1"])?;
    let pairs = bench.pairs(&name);
    // Whatever was measured: nothing of ours stays.
    bench.peer(&["stack", "delete", "--yes", "--wait", &name])?;
    bench.peer(&["share", "delete", "--wait", &name])?;
    let text = report::page(&pairs?, arguments.runs)?;
    tools::show(&text)?;
    let file = tools::root().join(&arguments.output);
    std::fs::write(&file, text).map_err(|e| format!("cannot write {}: {e}", file.display()))
}

struct Bench {
    runs: usize,
    variables: Vec<(String, String)>,
    programs: tools::Programs,
    openstack: PathBuf,
}

impl Bench {
    fn new(runs: usize) -> Result<Self, Failure> {
        let variables = cloud::variables()?;
        let value = |name: &str| {
            variables
                .iter()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value.clone())
        };
        let openstack = Path::new(&value("TESTCLOUD").unwrap_or_default())
            .join("heat/venv-client/bin/openstack");
        say("build both programs as they are shipped");
        Ok(Self {
            runs: runs.max(1),
            programs: tools::build("dist")?,
            variables,
            openstack,
        })
    }

    fn pairs(&self, name: &str) -> Result<Vec<Pair>, Failure> {
        let heat = self.programs.heat_wait.to_string_lossy();
        let manila = self.programs.manila_wait.to_string_lossy();
        Ok(vec![
            self.pair(&heat, &["stack", "wait", name], &["stack", "show", name])?,
            self.pair(
                &manila,
                &["share", "wait", name, "--for", "available"],
                &["share", "show", name],
            )?,
        ])
    }

    fn pair(&self, program: &str, ours: &[&str], theirs: &[&str]) -> Result<Pair, Failure> {
        let short = program.rsplit('/').next().unwrap_or(program);
        let openstack = self.openstack.to_string_lossy().into_owned();
        Ok(Pair {
            server: self.server(program, ours)?,
            ours: (
                format!("{short} {}", ours.join(" ")),
                self.cost(program, ours)?,
            ),
            theirs: (
                format!("openstack {}", theirs.join(" ")),
                self.cost(&openstack, theirs)?,
            ),
        })
    }

    /// The median of each figure; the first run, which fills caches, is not counted.
    fn cost(&self, program: &str, arguments: &[&str]) -> Result<Cost, Failure> {
        say(&format!(
            "{} {}: {} runs",
            program.rsplit('/').next().unwrap_or(program),
            arguments.join(" "),
            self.runs
        ));
        let mut runs = Vec::new();
        for _ in 0..=self.runs {
            let mut bash = self.command("bash");
            bash.args(["-c", include_str!("measure.sh"), "measure", program])
                .args(arguments);
            let text = output(&mut bash)?;
            let run: Value = serde_json::from_str(&text)
                .map_err(|e| format!("measure.sh printed no JSON: {e}"))?;
            if run.get("exit").and_then(Value::as_i64) != Some(0) {
                return Err(format!("{program} {}: {run}", arguments.join(" ")));
            }
            runs.push(run);
        }
        let counted = runs.get(1..).unwrap_or_default();
        let of = |key: &str| {
            median(
                counted
                    .iter()
                    .filter_map(|run| run.get(key)?.as_f64())
                    .collect(),
            )
        };
        Ok(Cost {
            wall: of("wall"),
            cpu: of("cpu"),
            memory: of("memory"),
        })
    }

    /// Asks the program, by `-v`, which requests it sends, and has them sent by a bare HTTP client.
    fn server(&self, program: &str, arguments: &[&str]) -> Result<f64, Failure> {
        let mut verbose = self.command(program);
        let told = verbose
            .arg("-v")
            .args(arguments)
            .stdin(Stdio::null())
            .output();
        let told = told.map_err(|e| format!("cannot start {program}: {e}"))?;
        let text = String::from_utf8_lossy(&told.stderr);
        let urls = text
            .lines()
            .filter_map(|line| line.split_once("GET "))
            .filter_map(|(_, rest)| {
                let url = rest
                    .split([' ', ':'])
                    .next()
                    .filter(|word| word.starts_with("http"));
                url.and_then(|_| rest.split_whitespace().next())
                    .map(|url| url.trim_end_matches(':').to_owned())
            });
        let urls: Vec<String> = urls.collect();
        if urls.is_empty() {
            return Err(format!("{program} -v names no request:\n{text}"));
        }
        let value = |name: &str| {
            self.variables
                .iter()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value.as_str())
        };
        let mut python = self.command("python3");
        python.args(["-c", include_str!("replay.py")]);
        python.args(
            [value("TESTCLOUD_AUTH_URL"), value("TESTCLOUD_PASSWORD")]
                .map(Option::unwrap_or_default),
        );
        let times = output(python.arg((self.runs + 1).to_string()).args(urls))?;
        let times: Vec<f64> =
            serde_json::from_str(&times).map_err(|e| format!("replay.py printed no list: {e}"))?;
        Ok(median(times.get(1..).unwrap_or_default().to_vec()))
    }

    fn peer(&self, arguments: &[&str]) -> Result<(), Failure> {
        let mut command = self.command(&self.openstack.to_string_lossy());
        tools::succeed(command.args(arguments).stdout(Stdio::null()))
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = values.get(middle).copied().unwrap_or_default();
    let lower = if values.len() % 2 == 0 {
        values.get(middle.saturating_sub(1)).copied()
    } else {
        None
    };
    lower.map_or(upper, |lower| (lower + upper) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_of_an_even_count_lies_between_the_two_in_the_middle() {
        assert!((median(vec![4.0, 1.0, 3.0, 2.0]) - 2.5).abs() < 1e-9);
        assert!((median(vec![9.0, 1.0, 2.0]) - 2.0).abs() < 1e-9);
    }
}
