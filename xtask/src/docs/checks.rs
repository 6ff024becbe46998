//! What is looked at in blocks that are not run: that they can be read, and that the command lines in them are right.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use sim_cloud::Cloud;

use super::page::{Block, Kind};
use crate::playground;
use crate::tools::{self, Failure, Programs};

const PROGRAMS: [&str; 2] = ["heat-wait ", "manila-wait "];

/// Checks a block, and tells how many commands it has.
pub fn check(
    block: &Block,
    folder: &Path,
    programs: &Programs,
    cloud: &Cloud,
) -> Result<usize, Failure> {
    let lines = match &block.kind {
        Kind::Transcript => prompts(&block.text),
        Kind::Yaml => in_yaml(&block.text)?,
        Kind::Braces => {
            balanced(&block.text)?;
            quoted(&block.text)
        }
        Kind::Units => {
            units(&block.text, folder, programs)?;
            starts(&block.text)
        }
        Kind::Elsewhere(part) => {
            is_part(part)?;
            return tasks(&block.text);
        }
        Kind::ByHand => {
            let own = block.text.lines().filter(|line| is_command(line));
            for line in own {
                is_understood(line, folder, programs, cloud)?;
            }
            return tasks(&block.text);
        }
        Kind::Run(_) | Kind::Shown => return Ok(0),
    };
    for line in &lines {
        is_understood(line, folder, programs, cloud)?;
    }
    Ok(lines.len())
}

/// With `--show-config` everything is read and checked, and nothing is sent.
fn is_understood(
    line: &str,
    folder: &Path,
    programs: &Programs,
    cloud: &Cloud,
) -> Result<(), Failure> {
    let mut line = line.trim().to_owned();
    for end in [" | ", " || ", " && ", "; "] {
        line = line.split(end).next().unwrap_or_default().to_owned();
    }
    // What a tool of its own would have put there.
    while let Some((before, rest)) = line.split_once("${") {
        let after = rest.split_once('}').map_or("", |(_, after)| after);
        line = format!("{before}1{after}");
    }
    let mut command = playground::command(OsStr::new("timeout"), programs, cloud)?;
    let output = command
        .args(["20", "bash", "-c", &format!("{line} --show-config")])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("bash: {e}"))?;
    succeeded(&line, &output)
}

fn succeeded(what: &str, output: &Output) -> Result<(), Failure> {
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "{what}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    ))
}

/// Whether a command line of ours begins here.
pub fn is_command(text: &str) -> bool {
    PROGRAMS.iter().any(|program| text.starts_with(program))
}

/// What follows a `$ `.
fn prompts(text: &str) -> Vec<String> {
    let typed = text.lines().filter_map(|line| line.strip_prefix("$ "));
    typed
        .filter(|line| is_command(line))
        .map(str::to_owned)
        .collect()
}

/// Command lines among the strings, and lists of words that are one.
fn in_yaml(text: &str) -> Result<Vec<String>, Failure> {
    let document =
        yaml11::read(text, &yaml11::Options::default()).map_err(|e| format!("no YAML: {e}"))?;
    let mut found = Vec::new();
    collect(&document.value, &mut found);
    Ok(found)
}

fn collect(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) if is_command(text) => found.push(text.clone()),
        Value::Array(items) => {
            let words: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
            let line = words.map(|words| words.join(" ")).unwrap_or_default();
            // A list of lines begins with a line, a list of words with the program.
            let first = items.first().and_then(Value::as_str).unwrap_or_default();
            if is_command(&line) && !first.contains(' ') {
                found.push(line);
            } else {
                items.iter().for_each(|item| collect(item, found));
            }
        }
        Value::Object(fields) => fields.values().for_each(|field| collect(field, found)),
        _ => {}
    }
}

/// Command lines in quotes.
fn quoted(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for quote in ['"', '\''] {
        for program in PROGRAMS {
            let opening = format!("{quote}{program}");
            for after in text.split(&opening).skip(1) {
                let rest = after.split(quote).next().unwrap_or_default();
                found.push(format!("{program}{rest}"));
            }
        }
    }
    found
}

fn balanced(text: &str) -> Result<(), Failure> {
    for (open, close) in [('{', '}'), ('[', ']'), ('(', ')')] {
        let (opened, closed) = (text.matches(open).count(), text.matches(close).count());
        if opened != closed {
            return Err(format!("{opened} {open} and {closed} {close}"));
        }
    }
    Ok(())
}

/// The lines that a unit starts.
fn starts(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix("ExecStart=/usr/bin/"));
    lines.map(str::to_owned).collect()
}

/// Lets systemd's own tool read the units; where it is missing, `.ci/run` has not installed everything.
fn units(text: &str, folder: &Path, programs: &Programs) -> Result<(), Failure> {
    let bin = programs.heat_wait.parent().unwrap_or(Path::new("/usr/bin"));
    let mut files = Vec::new();
    for unit in text.split("# /etc/systemd/system/").skip(1) {
        let (name, rest) = unit.split_once('\n').unwrap_or((unit, ""));
        // It wants the program to be there.
        let rest = rest.replace("/usr/bin/", &format!("{}/", bin.display()));
        let file = folder.join(name.trim());
        fs::write(&file, rest).map_err(|e| format!("{}: {e}", file.display()))?;
        files.push(file);
    }
    if files.is_empty() {
        return Err("units begin with a comment that has their path".to_owned());
    }
    let output = Command::new("systemd-analyze")
        .args(["verify", "--man=no"])
        .args(&files)
        .output()
        .map_err(|e| format!("systemd-analyze (package systemd): {e}"))?;
    // What it does not know it ignores, with a line and without a code. Of the system's own units we say nothing.
    let said = String::from_utf8_lossy(&output.stderr);
    let ours = said.lines().find(|line| {
        files
            .iter()
            .any(|file| line.contains(&*file.to_string_lossy()))
    });
    match ours {
        Some(line) => Err(line.to_owned()),
        None => succeeded("systemd-analyze verify", &output),
    }
}

fn is_part(part: &str) -> Result<(), Failure> {
    let ci =
        fs::read_to_string(tools::root().join(".ci/run")).map_err(|e| format!(".ci/run: {e}"))?;
    let start = format!("part {part} ");
    match ci.lines().any(|line| line.trim_start().starts_with(&start)) {
        true => Ok(()),
        false => Err(format!(".ci/run has no part {part}")),
    }
}

/// Developer's commands: tasks that exist, scripts that are there.
fn tasks(text: &str) -> Result<usize, Failure> {
    let mut count = 0;
    for line in text.lines().flat_map(|line| line.split(" && ")) {
        let line = line.split(" #").next().unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some(task) = words.strip_prefix(&["cargo", "xtask"]) {
            crate::understands(task).map_err(|e| format!("{line}: {e}"))?;
        }
        for word in words {
            let script = word.ends_with(".sh") || word.ends_with(".py") || word == ".ci/run";
            if script && !tools::root().join(word).exists() {
                return Err(format!("{word} does not exist"));
            }
            count += usize::from(script);
        }
        count += usize::from(line.starts_with("cargo "));
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_found_wherever_pipelines_have_them() {
        let yaml = "- run: heat-wait stack wait a\n- argv: [manila-wait, share, wait, b]\n- script:\n  - heat-wait stack wait c\n  - echo heat-wait\n";
        let found = in_yaml(yaml).unwrap();
        assert_eq!(
            found,
            [
                "heat-wait stack wait a",
                "manila-wait share wait b",
                "heat-wait stack wait c"
            ]
        );
        let groovy = "sh 'heat-wait stack wait \"a\"'\nx = [\"manila-wait share wait b\"]\n";
        assert_eq!(
            quoted(groovy),
            ["manila-wait share wait b", "heat-wait stack wait \"a\""]
        );
        assert_eq!(
            starts("ExecStart=/usr/bin/heat-wait stack wait a\n"),
            ["heat-wait stack wait a"]
        );
        assert_eq!(
            prompts("$ heat-wait stack wait a\nheat-wait: no\n$ echo\n"),
            ["heat-wait stack wait a"]
        );
    }

    #[test]
    fn a_task_or_a_script_that_is_not_there_is_named() {
        assert_eq!(
            tasks("cargo xtask demo   # shows it\ntests/faults/mutations.sh\n"),
            Ok(2)
        );
        assert!(
            tasks("cargo xtask demonstration\n")
                .unwrap_err()
                .starts_with("cargo xtask demonstration")
        );
        assert_eq!(
            tasks("tests/nowhere.sh\n"),
            Err("tests/nowhere.sh does not exist".to_owned())
        );
        assert_eq!(is_part("docs"), Ok(()));
        assert_eq!(
            is_part("doc s"),
            Err(".ci/run has no part doc s".to_owned())
        );
        assert!(balanced("a { b").is_err());
    }
}
