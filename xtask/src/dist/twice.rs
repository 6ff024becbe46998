//! Whether a second build, in another folder and with another home of cargo, gives the same bytes.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::ValueEnum;

use super::binaries::{self, Kind, Place};
use super::{PROGRAMS, Part, Release, fresh, static_program};
use crate::tools::{self, Failure, say};

/// How much of it is made a second time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Twice {
    /// Everything that was made, from nothing, by the task of the second folder
    All,
    /// The static heat-wait alone, which has every crate, all of TLS and the C library in it
    Static,
}

/// Makes it again elsewhere, and compares.
///
/// # Errors
/// Names what differs; also where everything is to be made twice and the tree is not what was committed.
pub fn compare(release: &Release, parts: &[Part], twice: Twice) -> Result<(), Failure> {
    let top = tools::root().join("target/packages/a-second-time");
    fresh(&top)?;
    // Neither as long nor as deep as the first.
    let place = Place {
        root: top.join("in/another/place/clone"),
        home: another_home(&top)?,
    };
    let (differ, compared) = match twice {
        Twice::All => {
            clone(&place.root)?;
            all(release, parts, &place)?
        }
        Twice::Static => {
            tools::copy_workspace(&place.root)?;
            one(release, &place)?
        }
    };
    if !differ.is_empty() {
        return Err(format!(
            "built a second time, in {}, it is not the same: {}",
            place.root.display(),
            differ.join(", ")
        ));
    }
    say(&format!(
        "{compared} of them made twice, in two folders, with two homes of cargo: the same bytes"
    ));
    fs::remove_dir_all(&top).map_err(|e| format!("{}: {e}", top.display()))
}

/// A clone of HEAD, which what was built has to be.
fn clone(to: &Path) -> Result<(), Failure> {
    let git = || {
        let mut git = Command::new("git");
        git.current_dir(tools::root());
        git
    };
    let changed = tools::output(git().args(["status", "--porcelain", "--untracked-files=no"]))?;
    if !changed.is_empty() {
        return Err(format!(
            "--twice builds what is committed, and this is not: {}",
            changed.split_whitespace().collect::<Vec<_>>().join(" ")
        ));
    }
    let arguments = ["clone", "--quiet", "--no-hardlinks", "."];
    tools::succeed(git().args(arguments).arg(to))
}

/// A home of cargo by another name, with the same crates in it.
fn another_home(top: &Path) -> Result<PathBuf, Failure> {
    let home = top.join("cargo");
    fresh(&home)?;
    let first = Place::here()?.home;
    let failed = |e: std::io::Error| format!("{}: {e}", first.display());
    for entry in fs::read_dir(&first).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        symlink(entry.path(), home.join(entry.file_name())).map_err(failed)?;
    }
    Ok(home)
}

/// The names of what differs, and how many files there are.
fn all(release: &Release, parts: &[Part], place: &Place) -> Result<(Vec<String>, usize), Failure> {
    let names = parts.iter().filter_map(ValueEnum::to_possible_value);
    let names: Vec<String> = names.map(|name| name.get_name().to_owned()).collect();
    tools::succeed(
        tools::cargo()
            .current_dir(&place.root)
            .args(["run", "--quiet", "--locked", "--package", "xtask", "--"])
            .arg("dist")
            .args(names)
            .env("CARGO_HOME", &place.home)
            .env("CARGO_TARGET_DIR", place.root.join("target")),
    )?;
    let sums = |folder: PathBuf| {
        let path = folder.join("SHA256SUMS");
        fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
    };
    let (first, second) = (
        sums(release.out.clone())?,
        sums(place.root.join("target/packages/out"))?,
    );
    let other = |line: &&str| !second.lines().any(|there| there == *line);
    let differ = first.lines().filter(other).map(name_of).collect();
    Ok((differ, first.lines().count()))
}

/// `SUM  NAME`.
fn name_of(line: &str) -> String {
    line.split("  ").last().unwrap_or(line).to_owned()
}

fn one(release: &Release, place: &Place) -> Result<(Vec<String>, usize), Failure> {
    let [program, _] = PROGRAMS;
    let built = binaries::build_one(release, place, Kind::Static, &[program])?;
    let read = |path: &Path| fs::read(path).map_err(|e| format!("{}: {e}", path.display()));
    let same = read(&built.join(program.0))? == read(&static_program(release, program.0))?;
    let differ = match same {
        true => Vec::new(),
        false => vec![format!("the static {}", program.0)],
    };
    Ok((differ, 1))
}
