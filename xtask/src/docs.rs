//! `cargo xtask docs`: every command block of the documentation is executed, every link leads somewhere.
//!
//! A fenced block of the language `sh` is run by bash in a folder of its own with the files of docs/examples, beside a simulated
//! cloud whose story begins with it. It has to exit with 0, or with N where the fence says `sh exit=N`. What cannot be run here
//! (`cargo xtask cloud up`, a package manager) says by what it is covered: `sh run-by=.ci/run`.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use crate::playground;
use crate::tools::{self, Failure, Programs, say, show};

/// Blocks at a time: most of them wait.
const AT_ONCE: usize = 4;

/// A command block.
struct Block {
    page: String,
    line: usize,
    text: String,
    exit: i32,
}

/// What a page has.
#[derive(Default)]
struct Page {
    blocks: Vec<Block>,
    links: Vec<(usize, String)>,
}

/// Runs all of them.
pub fn run() -> Result<(), Failure> {
    let programs = tools::build("dev")?;
    let mut blocks = Vec::new();
    let mut wrong = Vec::new();
    for path in pages()? {
        let text =
            fs::read_to_string(tools::root().join(&path)).map_err(|e| format!("{path}: {e}"))?;
        let page = read(&path, &text)?;
        blocks.extend(page.blocks);
        wrong.extend(dead(&path, &page.links));
    }
    let count = blocks.len();
    blocks.reverse();
    let left = Mutex::new(blocks);
    let failures = Mutex::new(wrong);
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                let next = || left.lock().ok().and_then(|mut left| left.pop());
                while let Some(block) = next() {
                    if let Err(failure) = execute(&block, &programs) {
                        let place = format!("{}:{}: {failure}", block.page, block.line);
                        if let Ok(mut failures) = failures.lock() {
                            failures.push(place);
                        }
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().map_err(|e| e.to_string())?;
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

/// Every page for users, from the workspace's root.
fn pages() -> Result<Vec<String>, Failure> {
    let files = tools::output(
        Command::new("git")
            .current_dir(tools::root())
            .args(["ls-files", "*.md"]),
    )?;
    Ok(files.lines().map(str::to_owned).collect())
}

fn read(path: &str, text: &str) -> Result<Page, Failure> {
    let mut page = Page::default();
    let mut open: Option<Block> = None;
    for (event, range) in Parser::new(text).into_offset_iter() {
        let line = text
            .get(..range.start)
            .unwrap_or_default()
            .matches('\n')
            .count()
            + 1;
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                open = exit_of(&info)
                    .map_err(|e| format!("{path}:{line}: {e}"))?
                    .map(|exit| Block {
                        page: path.to_owned(),
                        line,
                        text: String::new(),
                        exit,
                    });
            }
            Event::Text(part) => {
                if let Some(block) = &mut open {
                    block.text.push_str(&part);
                }
            }
            Event::End(TagEnd::CodeBlock) => page.blocks.extend(open.take()),
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                page.links.push((line, dest_url.into_string()));
            }
            _ => {}
        }
    }
    Ok(page)
}

/// The exit code that a fence asks for; `None`: it is not run here.
fn exit_of(info: &str) -> Result<Option<i32>, Failure> {
    let mut words = info.split_whitespace();
    if words.next() != Some("sh") {
        return Ok(None);
    }
    match words.next().map(|word| word.split_once('=')) {
        None => Ok(Some(0)),
        Some(Some(("exit", code))) => code
            .parse()
            .map(Some)
            .map_err(|_| format!("{info:?}: no exit code")),
        Some(Some(("run-by", _))) => Ok(None),
        Some(_) => Err(format!("{info:?}: write exit=N or run-by=WHAT")),
    }
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

fn execute(block: &Block, programs: &Programs) -> Result<(), Failure> {
    let scratch = Scratch::new(block)?;
    let cloud = playground::start()?;
    let mut command = playground::command(OsStr::new("timeout"), programs, &cloud)?;
    let output = command
        .args(["60", "bash", "-eu", "-o", "pipefail", "-c", &block.text])
        .current_dir(&scratch.0)
        .env("HOME", &scratch.0)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("bash: {e}"))?;
    if output.status.code() == Some(block.exit) {
        return Ok(());
    }
    Err(format!(
        "{} and not {}\n{}{}{}",
        output.status,
        block.exit,
        block.text,
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
