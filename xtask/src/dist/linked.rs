//! What is linked into the binaries, and under which licences.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::{PROGRAMS, Release, write};
use crate::tools::{self, Failure};

/// Writes `stage/copyright` in the machine-readable format of Debian (DEP-5).
pub fn copyright(release: &Release) -> Result<(), Failure> {
    let mut text = String::from(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
Upstream-Name: heat-wait\n\
Source: https://github.com/heat-wait/heat-wait\n\
\n\
Files: *\n\
Copyright: 2026 The heat-wait and manila-wait developers\n\
License: Apache-2.0\n On Debian systems, the full text is in /usr/share/common-licenses/Apache-2.0.\n",
    );
    text.push_str(
        "Comment: The programs link these crates statically, each under its own licence:\n",
    );
    for (name, licence) in crates()? {
        let _ = writeln!(text, " {name}: {licence}");
    }
    write(&release.stage.join("copyright"), &text)
}

/// All licences in one SPDX expression, as the field `License` of an RPM wants it.
///
/// The spec of Fedora has it by hand, because its build sees no `cargo xtask dist`: a difference is a failure.
pub fn expression() -> Result<String, Failure> {
    let licences: BTreeSet<String> = crates()?
        .into_values()
        .map(|licence| licence.replace('/', " OR "))
        .filter(|licence| licence != "Apache-2.0")
        .map(|licence| match licence.contains(" OR ") {
            true => format!("({licence})"),
            false => licence,
        })
        .collect();
    let expression = std::iter::once("Apache-2.0".to_owned())
        .chain(licences)
        .collect::<Vec<_>>()
        .join(" AND ");
    let spec = include_str!("../../packaging/fedora/heat-wait.spec");
    if spec
        .lines()
        .any(|line| line.strip_prefix("License:").map(str::trim) == Some(expression.as_str()))
    {
        Ok(expression)
    } else {
        Err(format!(
            "xtask/packaging/fedora/heat-wait.spec: its licence should be {expression}"
        ))
    }
}

/// Every crate of others that is linked, `name version`, with its licence as an SPDX expression.
pub fn crates() -> Result<BTreeMap<String, String>, Failure> {
    let mut command = tools::cargo();
    command.args([
        "tree",
        "--locked",
        "--edges=normal",
        "--prefix=none",
        "--format={p}|{l}",
    ]);
    for (_, package) in PROGRAMS {
        command.args(["--package", package]);
    }
    let tree = tools::output(&mut command)?;
    let mut crates = BTreeMap::new();
    for line in tree.lines() {
        let line = line.trim_end_matches(" (*)");
        let Some((package, licence)) = line.split_once('|') else {
            continue;
        };
        // Our own have a path behind the version.
        if !package.contains(" (") {
            crates.insert(package.replace(" v", " "), licence.to_owned());
        }
    }
    if crates.is_empty() {
        return Err("cargo tree names no crate".to_owned());
    }
    Ok(crates)
}
