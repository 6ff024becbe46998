//! What the tasks share: the workspace's root, cargo, and child processes whose failure is told in one line.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// One line that says what did not work.
pub type Failure = String;

/// Both programs, freshly built.
pub struct Programs {
    /// The path of `heat-wait`.
    pub heat_wait: PathBuf,
    /// The path of `manila-wait`.
    pub manila_wait: PathBuf,
}

/// Writes a line to stderr; a closed stderr is no failure.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Writes text to stdout.
pub fn show(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|e| format!("cannot write to stdout: {e}"))
}

/// The top folder of the workspace.
pub fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// A variable of the environment that is set and not empty.
#[expect(
    clippy::disallowed_methods,
    reason = "a developer's tool has no Host: it is the outermost layer itself"
)]
pub fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// The cargo that runs us, in the workspace's root.
pub fn cargo() -> Command {
    let mut command = Command::new(variable("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs `command` to its end; any exit but 0 is a failure.
pub fn succeed(command: &mut Command) -> Result<(), Failure> {
    let status = command
        .status()
        .map_err(|e| format!("cannot start {}: {e}", shown(command)))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{}: {status}", shown(command)))
    }
}

/// The stdout of `command`, which has to exit with 0.
pub fn output(command: &mut Command) -> Result<String, Failure> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("cannot start {}: {e}", shown(command)))?;
    if !output.status.success() {
        return Err(format!("{}: {}", shown(command), output.status));
    }
    String::from_utf8(output.stdout)
        .map_err(|_| format!("{}: its output is no text", shown(command)))
}

/// Puts a copy of what git knows of, as it is now, into a folder that is made anew.
pub fn copy_workspace(to: &Path) -> Result<(), Failure> {
    if to.exists() {
        fs::remove_dir_all(to).map_err(|e| format!("{}: {e}", to.display()))?;
    }
    let files = output(Command::new("git").current_dir(root()).args(["ls-files"]))?;
    for file in files.lines() {
        let (from, to) = (root().join(file), to.join(file));
        let failed = |e| format!("{file}: {e}");
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        if from.exists() {
            fs::copy(&from, &to).map_err(failed)?;
        }
    }
    Ok(())
}

/// Runs `command` to its end, shows its stdout line by line as it comes, and returns it; any exit but 0 is a failure.
pub fn echo(command: &mut Command) -> Result<String, Failure> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| format!("cannot start {}: {e}", shown(command)))?;
    let mut said = String::new();
    for line in child
        .stdout
        .take()
        .map(BufReader::new)
        .into_iter()
        .flat_map(BufRead::lines)
    {
        let line = line.map_err(|e| format!("{}: {e}", shown(command)))? + "\n";
        show(&line)?;
        said.push_str(&line);
    }
    let status = child
        .wait()
        .map_err(|e| format!("{}: {e}", shown(command)))?;
    if status.success() {
        Ok(said)
    } else {
        Err(format!("{}: {status}", shown(command)))
    }
}

/// The date that is in manual pages and packages: `workspace.metadata.release` of Cargo.toml.
pub fn release_date() -> Result<String, Failure> {
    let metadata =
        output(cargo().args(["metadata", "--no-deps", "--format-version=1", "--offline"]))?;
    let metadata: Value =
        serde_json::from_str(&metadata).map_err(|e| format!("cargo metadata: {e}"))?;
    let date = metadata
        .pointer("/metadata/release/date")
        .and_then(Value::as_str);
    date.map(str::to_owned)
        .ok_or_else(|| "Cargo.toml: workspace.metadata.release has no date".to_owned())
}

/// Builds both programs in `profile` (`dev`, `dist` …) and tells where they are, wherever the target folder is.
pub fn build(profile: &str) -> Result<Programs, Failure> {
    let messages = output(cargo().args([
        "build",
        "--quiet",
        "--message-format=json-render-diagnostics",
        "--profile",
        profile,
        "--package=heat-cli",
        "--package=manila-cli",
        "--bins",
    ]))?;
    let executable = |name: &str| {
        messages
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter(|message| message.pointer("/target/name").and_then(Value::as_str) == Some(name))
            .find_map(|message| {
                message
                    .get("executable")
                    .and_then(Value::as_str)
                    .map(PathBuf::from)
            })
            .ok_or_else(|| format!("cargo build made no {name}"))
    };
    Ok(Programs {
        heat_wait: executable("heat-wait")?,
        manila_wait: executable("manila-wait")?,
    })
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
