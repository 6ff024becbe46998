//! What a page has: blocks, each of which says what it is, and links.
//!
//! | fence | what is done with it |
//! | --- | --- |
//! | `sh` | executed; has to exit with 0 |
//! | `sh exit=N` | executed; has to exit with N |
//! | `sh run-by=PART` | that part of `.ci/run` does it, or the like: a package manager, a real cloud |
//! | `sh by-hand` | takes long, or needs what a test has not; its command lines are checked |
//! | `console` | copied from a terminal; its command lines are checked |
//! | `yaml`, `ini`, `hcl`, `groovy` | checked, with the command lines in it |
//! | `rust` | the documentation test of that crate compiles and runs it |
//! | `text` | what a program prints |
//!
//! `<!-- first: COMMANDS -->` before a block, or `.\" first: COMMANDS` in a manual page, prepares what the block stands on.

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use crate::tools::Failure;

/// A block of a page.
#[derive(Debug)]
pub struct Block {
    /// The page, from the workspace's root.
    pub page: String,
    /// Its line there.
    pub line: usize,
    /// What is in it.
    pub text: String,
    /// What comes first, and is not shown.
    pub first: String,
    /// What it is.
    pub kind: Kind,
}

/// What is in a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Commands that have to end with this code.
    Run(i32),
    /// Commands that a part of `.ci/run` runs.
    Elsewhere(String),
    /// Commands that no test runs.
    ByHand,
    /// A prompt with commands, and what they print.
    Transcript,
    /// YAML.
    Yaml,
    /// Units of systemd, each under a comment with its path.
    Units,
    /// A language of which only brackets, quotes and command lines are looked at.
    Braces,
    /// Nothing to be checked here.
    Shown,
}

/// What a page has.
#[derive(Default)]
pub struct Page {
    /// All of them.
    pub blocks: Vec<Block>,
    /// Code in running text and tables, with its lines.
    pub code: Vec<(usize, String)>,
    /// Where links lead, with their lines.
    pub links: Vec<(usize, String)>,
}

/// Reads a page of Markdown.
///
/// # Errors
/// Names the line of a block that does not say what it is.
pub fn read(path: &str, text: &str) -> Result<Page, Failure> {
    let mut page = Page::default();
    let mut open: Option<Block> = None;
    let mut first = String::new();
    let mut comment = String::new();
    for (event, range) in Parser::new(text).into_offset_iter() {
        let before = text.get(..range.start).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let kind = match &kind {
                    CodeBlockKind::Fenced(info) => kind_of(info),
                    CodeBlockKind::Indented => Err("a block needs a fence".to_owned()),
                };
                open = Some(Block {
                    page: path.to_owned(),
                    line,
                    text: String::new(),
                    first: std::mem::take(&mut first),
                    kind: kind.map_err(|e| format!("{path}:{line}: {e}"))?,
                });
            }
            Event::Code(code) => page.code.push((line, code.into_string())),
            Event::Text(part) => {
                if let Some(block) = &mut open {
                    block.text.push_str(&part);
                }
            }
            Event::End(TagEnd::CodeBlock) => page.blocks.extend(open.take()),
            Event::Html(part) => comment.push_str(&part),
            Event::End(TagEnd::HtmlBlock) => {
                let whole = std::mem::take(&mut comment);
                let commands = whole.trim().strip_prefix("<!-- first:");
                if let Some(commands) = commands.and_then(|rest| rest.strip_suffix("-->")) {
                    first = commands.trim().to_owned();
                }
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                page.links.push((line, dest_url.into_string()));
            }
            _ => {}
        }
    }
    Ok(page)
}

/// The examples in the hand-written part of a manual page: what stands between `.EX` and `.EE`.
pub fn read_manual(path: &str, text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut first = String::new();
    let mut open: Option<Block> = None;
    for (number, line) in text.lines().enumerate() {
        if let Some(commands) = line.strip_prefix(FIRST_IN_MANUAL) {
            first = commands.trim().to_owned();
        } else if line == ".EX" {
            open = Some(Block {
                page: path.to_owned(),
                line: number + 1,
                text: String::new(),
                first: std::mem::take(&mut first),
                kind: Kind::Run(0),
            });
        } else if line == ".EE" {
            blocks.extend(open.take());
        } else if let Some(block) = &mut open {
            block.text.push_str(&line.replace("\\-", "-"));
            block.text.push('\n');
        }
    }
    blocks
}

/// A comment of a manual page that says what comes before an example; it is not for readers.
pub const FIRST_IN_MANUAL: &str = ".\\\" first:";

fn kind_of(info: &str) -> Result<Kind, Failure> {
    let mut words = info.split_whitespace();
    let kind = match (
        words.next(),
        words
            .next()
            .map(|word| word.split_once('=').unwrap_or((word, ""))),
    ) {
        (Some("sh"), None) => Kind::Run(0),
        (Some("sh"), Some(("exit", code))) => Kind::Run(
            code.parse()
                .map_err(|_| format!("{info:?}: no exit code"))?,
        ),
        (Some("sh"), Some(("run-by", part))) if !part.is_empty() => {
            Kind::Elsewhere(part.to_owned())
        }
        (Some("sh"), Some(("by-hand", ""))) => Kind::ByHand,
        (Some("console"), None) => Kind::Transcript,
        (Some("yaml"), None) => Kind::Yaml,
        (Some("ini"), None) => Kind::Units,
        (Some("hcl" | "groovy"), None) => Kind::Braces,
        (Some("rust" | "text"), None) => Kind::Shown,
        (None, _) => return Err("a block says what it is: sh, text, …".to_owned()),
        _ => {
            return Err(format!(
                "{info:?}: not one of the kinds of xtask/src/docs/page.rs"
            ));
        }
    };
    match words.next() {
        None => Ok(kind),
        Some(word) => Err(format!("{info:?}: {word:?} is one word too many")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        read("p.md", text)
            .map(|page| page.blocks.len())
            .unwrap_err()
    }

    #[test]
    fn a_block_that_does_not_say_what_it_is_is_refused() {
        assert_eq!(
            refused("a\n\n    heat-wait\n"),
            "p.md:3: a block needs a fence"
        );
        assert_eq!(
            refused("```\nx\n```\n"),
            "p.md:1: a block says what it is: sh, text, …"
        );
        for info in [
            "bash",
            "sh exit=x",
            "sh run-by=",
            "sh skip",
            "sh exit=1 really",
            "yaml no",
        ] {
            assert!(
                refused(&format!("```{info}\nx\n```\n")).starts_with("p.md:1: "),
                "{info}"
            );
        }
    }

    #[test]
    fn what_comes_first_belongs_to_the_next_block_alone() {
        let text = "<!-- first: a\nb -->\n```sh exit=4\nx\ny\n```\n\n```text\nz\n```\n";
        let blocks = read("p.md", text).unwrap().blocks;
        let [run, shown] = blocks.as_slice() else {
            panic!("{blocks:?}");
        };
        assert_eq!((run.first.as_str(), run.text.as_str()), ("a\nb", "x\ny\n"));
        assert_eq!((&run.kind, run.line), (&Kind::Run(4), 3));
        assert_eq!((shown.first.as_str(), &shown.kind), ("", &Kind::Shown));
    }

    #[test]
    fn examples_of_a_manual_page_are_commands() {
        let text = ".SH EXAMPLES\n.\\\" first: p\n.EX\nheat-wait \\-\\-help\n.EE\n.EX\nb\n.EE\n";
        let blocks = read_manual("p.roff", text);
        let [first, second] = blocks.as_slice() else {
            panic!("{blocks:?}");
        };
        assert_eq!(
            (first.first.as_str(), first.text.as_str()),
            ("p", "heat-wait --help\n")
        );
        assert_eq!((second.first.as_str(), second.line), ("", 6));
    }
}
