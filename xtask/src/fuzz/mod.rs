//! `cargo xtask fuzz`: runs the fuzz targets of `tests/fuzz` under cargo-fuzz, one after the other, and prints a row of
//! figures for each.

mod figures;
mod seeds;

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use fuzz_targets::{TARGETS, Target, packed, unpacked};

use crate::tools::{self, Failure, root, say, succeed, variable};
use figures::Figures;

/// What the corpus of one target may have in the repository.
const MOST_BYTES: usize = 60_000;

#[derive(clap::Args)]
pub struct Arguments {
    /// How long all targets together run
    #[arg(long, default_value = "10", value_name = "N")]
    minutes: u32,
    /// Run each target so often instead
    #[arg(long, value_name = "N")]
    runs: Option<u64>,
    /// Only these targets
    #[arg(long = "target", value_name = "NAME")]
    targets: Vec<String>,
    /// Instead of fuzzing: make the corpora of the repository anew from the recorded fixtures and from what was found,
    /// each as small as covers the same
    #[arg(long)]
    minimise: bool,
}

/// # Errors
/// What could not be run, and what was found.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let known = |name: &String| TARGETS.iter().any(|target| target.name == name);
    if let Some(unknown) = arguments.targets.iter().find(|name| !known(name)) {
        let names = TARGETS.map(|target| target.name).join(", ");
        return Err(format!(
            "there is no fuzz target {unknown}; there are {names}"
        ));
    }
    let wanted = |target: &Target| {
        arguments.targets.is_empty() || arguments.targets.iter().any(|name| name == target.name)
    };
    let chosen: Vec<Target> = TARGETS.into_iter().filter(wanted).collect();
    say("building the fuzz targets");
    succeed(cargo_fuzz("build").args(BUILD))?;
    if arguments.minimise {
        return chosen.iter().try_for_each(|target| minimise(*target));
    }
    let share = u64::from(arguments.minutes) * 60 / u64::try_from(chosen.len()).unwrap_or(1);
    let limit = match arguments.runs {
        Some(runs) => format!("-runs={runs}"),
        None => format!("-max_total_time={}", share.max(1)),
    };
    tools::show(figures::HEAD)?;
    for target in chosen {
        let row = fuzz(target, &limit)?;
        tools::show(&format!("{row}\n"))?;
    }
    Ok(())
}

/// Our code has no `unsafe`, so that no sanitizer has anything to find; without one, inputs run twice as often.
const BUILD: [&str; 2] = ["--sanitizer", "none"];

/// Nightly's cargo-fuzz, whatever toolchain runs us.
fn cargo_fuzz(what: &str) -> Command {
    let mut command = Command::new("rustup");
    command
        .args(["run", "nightly", "cargo", "fuzz", what])
        .args(["--fuzz-dir", "tests/fuzz/cargo-fuzz"])
        .env_remove("RUSTUP_TOOLCHAIN")
        .env("CARGO_TARGET_DIR", scratch().join("build"))
        .current_dir(root());
    command
}

/// Where what is built and found lies: below the target folder.
fn scratch() -> PathBuf {
    variable("CARGO_TARGET_DIR")
        .map_or_else(|| root().join("target"), PathBuf::from)
        .join("fuzz")
}

/// A corpus of the repository.
fn corpus(name: &str) -> PathBuf {
    root()
        .join("tests/fuzz/corpus")
        .join(name)
        .with_extension("jsonl")
}

fn inputs(name: &str) -> Result<Vec<Vec<u8>>, Failure> {
    let path = corpus(name);
    let text = fs::read_to_string(&path).map_err(|error| failed(&path, &error))?;
    unpacked(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Runs one target. What it finds is kept for the next run.
fn fuzz(target: Target, limit: &str) -> Result<Figures, Failure> {
    let Target { name, most, .. } = target;
    let found = scratch().join("found").join(name);
    fill(&found, &inputs(name)?)?;
    let log = scratch().join(format!("{name}.log"));
    let file = fs::File::create(&log).map_err(|error| failed(&log, &error))?;
    let artifacts = format!("-artifact_prefix={}/{name}-", scratch().display());
    let status = cargo_fuzz("run")
        .args(BUILD)
        .arg(name)
        .arg(&found)
        .args(["--", limit, &artifacts, &format!("-max_len={most}")])
        .args(["-timeout=10", "-rss_limit_mb=1024", "-print_final_stats=1"])
        .stdout(Stdio::null())
        .stderr(file)
        .status()
        .map_err(|error| format!("cannot start rustup: {error}"))?;
    let text = fs::read_to_string(&log).map_err(|error| failed(&log, &error))?;
    if !status.success() {
        return Err(format!(
            "{name} has found something (tests/fuzz/README.md):\n{}",
            told(&text)
        ));
    }
    Figures::of(name, &text, files(&found)?.len())
}

/// What a log says of what was found: the panic, or the limit that was passed, and where the input is.
fn told(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    let begin = lines
        .iter()
        .position(|line| line.contains("panicked at") || line.contains("ERROR: libFuzzer"));
    let (_, rest) = lines.split_at(begin.unwrap_or(lines.len().saturating_sub(20)));
    let input = rest
        .iter()
        .find(|line| line.contains("Test unit written to"));
    rest.iter()
        .take(4)
        .chain(input)
        .copied()
        .collect::<Vec<_>>()
        .join("\n")
}

/// Seeds, what was found and the corpus as it is, made as small as covers the same, become the corpus.
fn minimise(target: Target) -> Result<(), Failure> {
    let Target { name, most, .. } = target;
    let all = scratch().join("all").join(name);
    if all.exists() {
        fs::remove_dir_all(&all).map_err(|error| failed(&all, &error))?;
    }
    let found = scratch().join("found").join(name);
    let mut candidates = seeds::of(name)?;
    if corpus(name).exists() {
        candidates.extend(inputs(name)?);
    }
    if found.exists() {
        candidates.extend(read(&found)?);
    }
    candidates.retain(|input| input.len() <= most);
    fill(&all, &candidates)?;
    succeed(cargo_fuzz("cmin").args(BUILD).arg(name).arg(&all))?;
    let mut kept = read(&all)?;
    kept.sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
    let before = kept.len();
    while packed(&kept).len() > MOST_BYTES {
        kept.pop();
    }
    write(&corpus(name), packed(&kept).as_bytes())?;
    say(&format!("{name}: {} of {before} inputs kept", kept.len()));
    Ok(())
}

/// Puts each input into a file of its own, named by its content as libFuzzer does, so that none is there twice.
fn fill(folder: &Path, inputs: &[Vec<u8>]) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    for input in inputs {
        let mut hasher = DefaultHasher::new();
        input.hash(&mut hasher);
        write(&folder.join(format!("{:016x}", hasher.finish())), input)?;
    }
    Ok(())
}

fn read(folder: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let read = |path: &PathBuf| fs::read(path).map_err(|error| failed(path, &error));
    files(folder)?.iter().map(read).collect()
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes).map_err(|error| failed(path, &error))
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    format!("{}: {error}", path.display())
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error: std::io::Error| failed(folder, &error);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        found.push(entry.map_err(failed)?.path());
    }
    found.sort();
    Ok(found)
}
