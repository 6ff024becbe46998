//! `cargo xtask docs`: every command of the documentation is executed, every link leads somewhere.
//!
//! `page` says what the blocks of a page may be; none may be anything else. What is run is run by bash in a folder of its own
//! with the files of docs/examples, beside a simulated cloud whose story begins with it. `checks` looks at the rest: units,
//! playbooks, pipelines and what was copied from a terminal have command lines as well.

mod checks;
mod page;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;

pub use page::FIRST_IN_MANUAL;
use page::{Block, Kind};

use crate::playground;
use crate::tools::{self, Failure, Programs, say, show};

/// The page whose table says what becomes of the client's command lines.
const MIGRATION: &str = "docs/comparison.md";

/// Blocks at a time: most of them wait.
const AT_ONCE: usize = 4;

/// Runs all of them.
pub fn run() -> Result<(), Failure> {
    let programs = tools::build("dev")?;
    let (mut blocks, mut wrong) = everything()?;
    wrong.extend(migration().err());
    blocks.reverse();
    let left = Mutex::new(blocks);
    let failures = Mutex::new(wrong);
    let count = Mutex::new(0);
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                let next = || left.lock().ok().and_then(|mut left| left.pop());
                while let Some(block) = next() {
                    match execute(&block, &programs) {
                        Ok(commands) => {
                            if let Ok(mut count) = count.lock() {
                                *count += commands;
                            }
                        }
                        Err(failure) => {
                            let place = format!("{}:{}: {failure}", block.page, block.line);
                            if let Ok(mut failures) = failures.lock() {
                                failures.push(place);
                            }
                        }
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().map_err(|e| e.to_string())?;
    let count = count.into_inner().map_err(|e| e.to_string())?;
    for failure in &failures {
        say(failure);
    }
    if !failures.is_empty() {
        return Err(format!(
            "{} of the documentation's blocks and links are wrong",
            failures.len()
        ));
    }
    if count == 0 {
        return Err("the documentation has no command blocks".to_owned());
    }
    show(&format!("{count} commands of the documentation\n"))
}

/// The line that has a mark first; the last one if none has.
fn line_of(text: &str, mark: &str) -> usize {
    text.lines().take_while(|line| *line != mark).count()
}

/// A command line of the page on migration, to be read and not run.
fn new_line((line, code): &(usize, String)) -> Option<Block> {
    checks::is_command(code).then(|| Block {
        page: MIGRATION.to_owned(),
        line: *line,
        text: format!("$ {code}\n"),
        first: String::new(),
        kind: Kind::Transcript,
    })
}

/// The rows of the migration are those that were measured.
fn migration() -> Result<(), Failure> {
    const SCRIPT: &str = "tests/cloud/compare/operations/migration.py";
    tools::succeed(
        Command::new("python3")
            .current_dir(tools::root())
            .args([SCRIPT, MIGRATION, "--check"]),
    )
}

/// Every block, and what is wrong already.
fn everything() -> Result<(Vec<Block>, Vec<Failure>), Failure> {
    let mut blocks = Vec::new();
    let mut wrong = Vec::new();
    for path in files("*.md")? {
        match page::read(&path, &text_of(&path)?) {
            Ok(page) => {
                blocks.extend(page.blocks);
                if path == MIGRATION {
                    let from = line_of(&text_of(&path)?, "<!-- migration -->");
                    let code = page.code.iter().filter(|(line, _)| *line > from);
                    blocks.extend(code.filter_map(new_line));
                }
                wrong.extend(dead(&path, &page.links));
            }
            Err(e) => wrong.push(e),
        }
    }
    for path in files("xtask/src/manual/*.roff")? {
        blocks.extend(page::read_manual(&path, &text_of(&path)?));
    }
    Ok((blocks, wrong))
}

fn text_of(path: &str) -> Result<String, Failure> {
    fs::read_to_string(tools::root().join(path)).map_err(|e| format!("{path}: {e}"))
}

/// What git has by that pattern, from the workspace's root.
fn files(pattern: &str) -> Result<Vec<String>, Failure> {
    let files = tools::output(
        Command::new("git")
            .current_dir(tools::root())
            .args(["ls-files", pattern]),
    )?;
    Ok(files.lines().map(str::to_owned).collect())
}

/// Links that lead to no file.
fn dead(page: &str, links: &[(usize, String)]) -> Vec<String> {
    let folder = tools::root()
        .join(page)
        .parent()
        .map(Path::to_owned)
        .unwrap_or_default();
    links
        .iter()
        .filter(|(_, link)| {
            !link.contains("://") && !link.starts_with(['#', '<']) && !link.starts_with("mailto:")
        })
        .filter(|(_, link)| {
            let file = link.split('#').next().unwrap_or_default();
            !folder.join(file).exists()
        })
        .map(|(line, link)| format!("{page}:{line}: {link} leads nowhere"))
        .collect()
}

/// Runs a block, or checks it; tells how many commands it has.
fn execute(block: &Block, programs: &Programs) -> Result<usize, Failure> {
    let scratch = Scratch::new(block)?;
    let cloud = playground::start()?;
    let Kind::Run(exit) = block.kind else {
        return checks::check(block, &scratch.0, programs, &cloud);
    };
    let bash = |text: &str| {
        let mut command = playground::command(OsStr::new("timeout"), programs, &cloud)?;
        command
            .args(["120", "bash", "-eu", "-o", "pipefail", "-c", text])
            .current_dir(&scratch.0)
            .env("HOME", &scratch.0)
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("bash: {e}"))
    };
    // In one shell, so that what comes first may set variables; its own failure is never taken for that of the block.
    let Block { first, text, .. } = block;
    let output = bash(&format!("{first}\n: > .prepared\n{text}"))?;
    if output.status.code() == Some(exit) && scratch.0.join(".prepared").exists() {
        return Ok(1);
    }
    Err(format!(
        "{} and not {exit}\n{first}\n{text}{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    ))
}

/// A folder with the files that the documentation's commands name.
struct Scratch(PathBuf);

impl Scratch {
    fn new(block: &Block) -> Result<Self, Failure> {
        let name = format!("{}-{}", block.page.replace(['/', '.'], "-"), block.line);
        let folder = tools::root().join("target/docs").join(name);
        let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(failed)?;
        }
        fs::create_dir_all(&folder).map_err(failed)?;
        for entry in fs::read_dir(tools::root().join("docs/examples")).map_err(failed)? {
            let from = entry.map_err(failed)?.path();
            let to = folder.join(from.file_name().unwrap_or_default());
            fs::copy(&from, &to).map_err(failed)?;
        }
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
