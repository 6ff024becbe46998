//! The binaries that are released: once linked to the C library, once static.

use std::path::{Path, PathBuf};

use super::{PROGRAMS, Release, copy};
use crate::tools::{self, Failure};

/// How a program is linked.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// To the C library of the system.
    Shared,
    /// To nothing.
    Static,
}

impl Kind {
    /// Its folder below the stage.
    pub fn folder(self) -> &'static str {
        match self {
            Self::Shared => "bin",
            Self::Static => "static",
        }
    }

    fn flags(self) -> &'static str {
        match self {
            Self::Shared => "",
            Self::Static => " -C target-feature=+crt-static",
        }
    }
}

/// Where a build finds everything.
pub struct Place {
    /// The workspace.
    pub root: PathBuf,
    /// `CARGO_HOME`.
    pub home: PathBuf,
}

impl Place {
    /// This workspace, and cargo as it is.
    pub fn here() -> Result<Self, Failure> {
        let home = tools::variable("CARGO_HOME")
            .map(PathBuf::from)
            .or_else(|| tools::variable("HOME").map(|home| Path::new(&home).join(".cargo")))
            .ok_or("neither CARGO_HOME nor HOME is set")?;
        let root = tools::root().to_owned();
        Ok(Self { root, home })
    }

    /// Takes the paths of this machine out of messages of panics.
    fn remap(&self) -> String {
        format!(
            "--remap-path-prefix={}=. --remap-path-prefix={}=cargo",
            self.root.display(),
            self.home.display()
        )
    }
}

/// Builds both programs both ways into `stage/bin` and `stage/static`.
pub fn build(release: &Release) -> Result<(), Failure> {
    let here = Place::here()?;
    for kind in [Kind::Shared, Kind::Static] {
        let built = build_one(release, &here, kind, &PROGRAMS)?;
        for (name, _) in PROGRAMS {
            let staged = release.stage.join(kind.folder()).join(name);
            copy(&built.join(name), &staged)?;
        }
    }
    Ok(())
}

/// Builds some programs one way, and tells the folder in which they are.
///
/// `cargo auditable` writes the list of linked crates into the binaries, where scanners of known holes find it.
pub fn build_one(
    release: &Release,
    place: &Place,
    kind: Kind,
    programs: &[(&str, &str)],
) -> Result<PathBuf, Failure> {
    let host = host()?;
    let target = place.root.join("target/packages/build").join(kind.folder());
    let mut command = tools::cargo();
    command
        .current_dir(&place.root)
        .args([
            "auditable",
            "build",
            "--quiet",
            "--locked",
            "--profile=dist",
            "--bins",
        ])
        .arg(format!("--target={host}"))
        .arg("--target-dir")
        .arg(&target)
        .env("CARGO_HOME", &place.home)
        .env("HEAT_WAIT_BUILD", version(release)?)
        .env("SOURCE_DATE_EPOCH", release.epoch.to_string())
        .env("RUSTFLAGS", place.remap() + kind.flags())
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    for (_, package) in programs {
        command.args(["--package", package]);
    }
    tools::succeed(&mut command)?;
    Ok(target.join(host).join("dist"))
}

/// What `--version` says: the version and the commit, cut here, because git's own abbreviation grows with a clone's objects.
fn version(release: &Release) -> Result<String, Failure> {
    let mut git = std::process::Command::new("git");
    let commit = tools::output(git.current_dir(tools::root()).args(["rev-parse", "HEAD"]))?;
    let commit = commit.get(..9).unwrap_or(&commit);
    Ok(format!("{} ({commit})", release.version))
}

fn host() -> Result<String, Failure> {
    let version = tools::output(std::process::Command::new("rustc").arg("-vV"))?;
    version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .ok_or_else(|| "rustc -vV names no host".to_owned())
}
