//! `cargo xtask msrv`: whether both programs still build of the crates that Debian 13 has.
//!
//! A copy of the workspace gets one crate more, which wants exactly those versions; cargo then has no other choice for the
//! programs. Debian 13's compiler is 1.85: with `rustup` and 1.85 installed, `cargo +1.85 xtask msrv` checks that as well.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::tools::{self, Failure, say};

const LIST: &str = include_str!("../packaging/debian-13.txt");

/// Checks both programs against the list.
pub fn run() -> Result<(), Failure> {
    let copy = tools::root().join("target/msrv/workspace");
    let wanted = wanted()?;
    tools::copy_workspace(&copy)?;
    fs::remove_file(copy.join("Cargo.lock")).map_err(|e| format!("Cargo.lock: {e}"))?;
    add_pins(&copy, &wanted)?;
    // Their own folder, so that the workspace's lock and build stay as they are.
    let cargo = || {
        let mut command = tools::cargo();
        command
            .current_dir(&copy)
            .env("CARGO_TARGET_DIR", tools::root().join("target/msrv/build"));
        command
    };
    tools::succeed(cargo().args(["generate-lockfile", "--quiet"]))?;
    let lock = fs::read_to_string(copy.join("Cargo.lock")).map_err(|e| e.to_string())?;
    for (name, version) in &wanted {
        let entry = format!("name = \"{name}\"\nversion = \"{version}\"\n");
        if !lock.contains(&entry) {
            return Err(format!("{name} {version} was not locked"));
        }
    }
    tools::succeed(cargo().args([
        "check",
        "--quiet",
        "--package=heat-cli",
        "--package=manila-cli",
    ]))?;
    say(&format!("{} crates of Debian 13", wanted.len()));
    Ok(())
}

fn wanted() -> Result<Vec<(&'static str, &'static str)>, Failure> {
    LIST.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            line.split_once(' ')
                .ok_or_else(|| format!("debian-13.txt: {line:?} is not a name and a version"))
        })
        .collect()
}

fn add_pins(workspace: &Path, wanted: &[(&str, &str)]) -> Result<(), Failure> {
    let mut manifest =
        "[package]\nname = \"pins\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\n"
            .to_owned();
    for (name, version) in wanted {
        let _ = writeln!(
            manifest,
            "{name} = {{ version = \"={version}\", default-features = false }}"
        );
    }
    let folder = workspace.join("crates/pins");
    let failed = |e| format!("crates/pins: {e}");
    fs::create_dir_all(folder.join("src")).map_err(failed)?;
    fs::write(folder.join("src/lib.rs"), "").map_err(failed)?;
    fs::write(folder.join("Cargo.toml"), manifest).map_err(failed)
}
