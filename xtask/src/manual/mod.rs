//! `cargo xtask man`: the manual pages in docs/man, one for each program and one for each group of its commands. Options come
//! from the command lines themselves, exit codes from docs/exit-codes.md, variables from the table of settings; examples and
//! files are written by hand beside this file.

mod page;
mod parts;

use std::collections::BTreeMap;
use std::fs;

use clap::{Args, Command};

use wait_cli::examples::Examples;

use crate::docs::FIRST_IN_MANUAL;
use crate::tools::{self, Failure, say};

/// Writes the manual pages, or compares them.
#[derive(Args)]
pub struct Arguments {
    /// Change nothing; fail when a page is not what it would be written as
    #[arg(long)]
    check: bool,
}

/// A program whose command line is described.
pub struct Program {
    /// The whole tree of its commands.
    pub command: Command,
    /// The prefix of its environment variables.
    pub env_prefix: &'static str,
    /// Command lines of each command.
    pub examples: Examples,
    /// FILES and EXAMPLES, in the macros of man(7).
    pub by_hand: &'static str,
    /// The other program.
    pub other: &'static str,
}

/// Both programs.
pub fn programs() -> [Program; 2] {
    [
        Program {
            command: heat_cli::command(),
            env_prefix: heat_cli::PROGRAM.env_prefix,
            examples: heat_cli::EXAMPLES,
            by_hand: include_str!("heat-wait.roff"),
            other: "manila-wait",
        },
        Program {
            command: manila_cli::command(),
            env_prefix: manila_cli::PROGRAM.env_prefix,
            examples: manila_cli::EXAMPLES,
            by_hand: include_str!("manila-wait.roff"),
            other: "heat-wait",
        },
    ]
}

/// Writes docs/man, or compares it.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let folder = tools::root().join("docs/man");
    let pages = pages()?;
    let mut wrong = Vec::new();
    for entry in fs::read_dir(&folder).map_err(|e| format!("docs/man: {e}"))? {
        let path = entry.map_err(|e| format!("docs/man: {e}"))?.path();
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        if name.ends_with(".1") && !pages.contains_key(&name) {
            if !arguments.check {
                fs::remove_file(&path).map_err(|e| format!("docs/man/{name}: {e}"))?;
            }
            wrong.push(name);
        }
    }
    for (name, text) in &pages {
        let path = folder.join(name);
        if fs::read_to_string(&path).is_ok_and(|there| there == *text) {
            continue;
        }
        if !arguments.check {
            fs::write(&path, text).map_err(|e| format!("docs/man/{name}: {e}"))?;
        }
        wrong.push(name.clone());
    }
    if arguments.check && !wrong.is_empty() {
        return Err(format!(
            "docs/man: not up to date, run cargo xtask man: {}",
            wrong.join(", ")
        ));
    }
    say(&format!("{} pages, {} changed", pages.len(), wrong.len()));
    Ok(())
}

/// Every page by its file name.
pub fn pages() -> Result<BTreeMap<String, String>, Failure> {
    let date = tools::release_date()?;
    let mut pages = BTreeMap::new();
    for program in programs() {
        pages.extend(page::all(&program, &date)?);
    }
    // What the test of the examples runs before them is not for readers.
    for text in pages.values_mut() {
        let lines = text
            .lines()
            .filter(|line| !line.starts_with(FIRST_IN_MANUAL));
        *text = lines.map(|line| format!("{line}\n")).collect();
    }
    Ok(pages)
}
