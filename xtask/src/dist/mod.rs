//! `cargo xtask dist`: everything that is released, in `target/packages`. RELEASING.md says what for, docs/packaging.md what is
//! in them.
//!
//! Two runs give the same bytes (`--twice` compares): times come from `workspace.metadata.release`, paths of this machine are taken out of the
//! binaries, archives are sorted and belong to nobody.

mod archive;
mod binaries;
mod linked;
mod packages;
mod source;
mod twice;

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::tools::{self, Failure, say};
use crate::{completions, manual};

/// What is made.
#[derive(Args)]
pub struct Arguments {
    /// Only these; all of them by default
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// Make it a second time, of a clone elsewhere, and fail where one byte differs
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    twice: Option<twice::Twice>,
}

/// A kind of what is released.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The tarball of static binaries
    Tarball,
    /// Packages of Debian and its kin (needs cargo-deb)
    Deb,
    /// Packages of Fedora and its kin (needs cargo-generate-rpm)
    Rpm,
    /// The source with all that it is built of, and its Debian source package
    Source,
}

/// Each program with its package in the workspace.
pub const PROGRAMS: [(&str, &str); 2] = [("heat-wait", "heat-cli"), ("manila-wait", "manila-cli")];

/// What every step needs to know.
pub struct Release {
    /// `0.1.0`.
    pub version: String,
    /// Seconds since 1970 of the date of the release, for everything that carries a time.
    pub epoch: i64,
    /// Where the parts are put together.
    pub stage: PathBuf,
    /// What is released.
    pub out: PathBuf,
}

/// Makes what is released, and lists it with its sizes and checksums.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let all = Part::value_variants();
    let parts = match arguments.parts.as_slice() {
        [] => all,
        some => some,
    };
    let release = Release::new()?;
    if parts.iter().any(|part| *part != Part::Source) {
        binaries::build(&release)?;
        completions::write(&release.stage.join("completions"))?;
        compress_pages(&release)?;
        linked::copyright(&release)?;
    }
    for part in parts {
        match part {
            Part::Tarball => packages::tarball(&release)?,
            Part::Deb => packages::debs(&release)?,
            Part::Rpm => packages::rpms(&release)?,
            Part::Source => source::tarball(&release)?,
        }
    }
    list(&release)?;
    match arguments.twice {
        Some(how) => twice::compare(&release, parts, how),
        None => Ok(()),
    }
}

/// Where a static program was put.
fn static_program(release: &Release, name: &str) -> PathBuf {
    release
        .stage
        .join(binaries::Kind::Static.folder())
        .join(name)
}

impl Release {
    fn new() -> Result<Self, Failure> {
        let date = tools::release_date()?;
        let day: Date = date
            .parse()
            .map_err(|e| format!("Cargo.toml: the date of the release: {e}"))?;
        let midnight = day.to_zoned(TimeZone::UTC).map_err(|e| e.to_string())?;
        let top = tools::root().join("target/packages");
        let release = Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            epoch: midnight.timestamp().as_second(),
            stage: top.join("stage"),
            out: top.join("out"),
        };
        for folder in [&release.stage, &release.out] {
            fresh(folder)?;
        }
        Ok(release)
    }

    /// A folder of the stage, made anew.
    fn folder(&self, name: &str) -> Result<PathBuf, Failure> {
        let folder = self.stage.join(name);
        fresh(&folder)?;
        Ok(folder)
    }
}

/// Manual pages as packages want them.
fn compress_pages(release: &Release) -> Result<(), Failure> {
    let folder = release.folder("man")?;
    for (name, text) in manual::pages()? {
        let path = folder.join(name);
        write(&path, &text)?;
        archive::gzip(&path)?;
    }
    let logs = [
        ("CHANGELOG.md", "changelog"),
        ("xtask/packaging/debian/changelog", "changelog.Debian"),
    ];
    for (from, to) in logs {
        let changes = folder.join(to);
        copy(&tools::root().join(from), &changes)?;
        archive::gzip(&changes)?;
    }
    Ok(())
}

fn list(release: &Release) -> Result<(), Failure> {
    let mut files: Vec<PathBuf> = fs::read_dir(&release.out)
        .map_err(|e| e.to_string())?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    files.sort();
    let sums = archive::checksums(&files, &release.out)?;
    write(&release.out.join("SHA256SUMS"), &sums)?;
    say("| file | bytes |\n| --- | ---: |");
    for file in &files {
        let size = fs::metadata(file).map_err(|e| e.to_string())?.len();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        say(&format!("| `{name}` | {size} |"));
    }
    Ok(())
}

fn fresh(folder: &Path) -> Result<(), Failure> {
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(failed(e)),
        _ => {}
    }
    fs::create_dir_all(folder).map_err(failed)
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).map_err(|e| format!("{}: {e}", parent.display()))?;
    }
    fs::copy(from, to)
        .map(|_| ())
        .map_err(|e| format!("{} to {}: {e}", from.display(), to.display()))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}
