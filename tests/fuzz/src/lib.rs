//! The bodies of the fuzz targets: each takes any bytes and may not panic, hang, or take much memory; what it asserts
//! beyond that is said beside it.
//!
//! `tests/fuzz/cargo-fuzz` has a binary for each (`cargo xtask fuzz`); `tests/replay.rs` runs them over the corpora on
//! any toolchain. Where an input has several parts, they are separated by NUL, which no YAML and no header may hold.

#![expect(
    clippy::panic,
    clippy::expect_used,
    reason = "a target that finds something panics: that is what a fuzzer looks for"
)]

mod clouds;
mod heat;
mod identity;
mod manila;
mod template;
mod words;
mod yaml;

use std::time::Duration;

use os_identity::Reply;
use poll_core::Attempt;
use wait_cli::output::Format;

/// A target.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The name of its binary and of its corpus.
    pub name: &'static str,
    /// How many bytes an input has at most: short ones run often, and what is wrong shows in them.
    pub most: usize,
    /// Takes any bytes.
    pub run: fn(&[u8]),
}

/// Every target.
pub const TARGETS: [Target; 13] = [
    target("yaml11", 256, yaml::yaml11),
    target("clouds", 512, clouds::clouds),
    target("template", 512, template::template),
    target("heat", 1024, heat::heat),
    target("manila", 1024, manila::manila),
    target("keystone", 1024, identity::keystone),
    target("reply", 512, identity::reply),
    target("retry_after", 96, identity::retry_after),
    target("time", 64, words::time),
    target("duration", 48, words::duration),
    target("goal", 64, words::goal),
    target("url", 128, words::url),
    target("printable", 128, words::printable),
];

/// A look that no deadline bounds.
const FIRST_LOOK: Attempt = Attempt {
    number: 1,
    elapsed: Duration::ZERO,
    left: None,
    budget: None,
    last: false,
};

const fn target(name: &'static str, most: usize, run: fn(&[u8])) -> Target {
    Target { name, most, run }
}

/// Runs the target of this name; a fuzz binary is one line.
///
/// # Panics
/// There is none of this name, or the target has found something.
pub fn run(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    (target.expect("a target of this name").run)(data);
}

/// A corpus as text: an input a line, as a JSON text with a character for each byte.
#[must_use]
pub fn packed(inputs: &[Vec<u8>]) -> String {
    let line = |input: &Vec<u8>| {
        let text: String = input.iter().map(|byte| char::from(*byte)).collect();
        format!(
            "{}\n",
            wait_cli::printable::json_line(&text).expect("text is JSON")
        )
    };
    inputs.iter().map(line).collect()
}

/// The inputs of a corpus.
///
/// # Errors
/// A line that is no such text.
pub fn unpacked(corpus: &str) -> Result<Vec<Vec<u8>>, String> {
    let input = |line: &str| {
        let text: String =
            serde_json::from_str(line).map_err(|error| format!("{line}: {error}"))?;
        let bytes = text.chars().map(|c| u8::try_from(u32::from(c)));
        bytes
            .collect::<Result<_, _>>()
            .map_err(|_| format!("{line}: not a byte"))
    };
    corpus.lines().map(input).collect()
}

/// The parts of an input; those that are missing are empty.
fn parts<const N: usize>(data: &[u8]) -> [&[u8]; N] {
    let mut parts = data.splitn(N, |byte| *byte == 0);
    std::array::from_fn(|_| parts.next().unwrap_or_default())
}

/// An output format, by the length of the input: all of them for each input would take six times as long.
fn format(data: &[u8]) -> Format {
    match data.len() % 6 {
        0 => Format::Table,
        1 => Format::Json,
        2 => Format::Yaml,
        3 => Format::Value,
        4 => Format::Shell,
        _ => Format::Csv,
    }
}

/// An answer with a body.
fn answer(status: u16, body: &[u8]) -> Reply {
    Reply {
        status,
        headers: Vec::new(),
        body: body.to_vec(),
        url: "http://cloud.example:8004/v1/p/stacks".to_owned(),
    }
}

/// What goes to a terminal must not drive it.
fn assert_harmless(shown: &str) {
    let harmless = wait_cli::printable::harmless(shown);
    assert_eq!(harmless, shown, "control characters in what is shown");
}
