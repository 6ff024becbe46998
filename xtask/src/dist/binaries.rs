//! The binaries that are released: once linked to the C library, once static.

use super::{PROGRAMS, Release, copy};
use crate::tools::{self, Failure};

/// Builds both programs both ways into `stage/bin` and `stage/static`.
///
/// `cargo auditable` writes the list of linked crates into the binaries, where scanners of known holes find it.
pub fn build(release: &Release) -> Result<(), Failure> {
    let host = host()?;
    for (folder, flags) in [("bin", ""), ("static", " -C target-feature=+crt-static")] {
        let target = tools::root().join("target/packages/build").join(folder);
        let mut command = tools::cargo();
        command
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
            .env("HEAT_WAIT_BUILD", version(release)?)
            .env("SOURCE_DATE_EPOCH", release.epoch.to_string())
            .env("RUSTFLAGS", remap()? + flags)
            .env_remove("CARGO_ENCODED_RUSTFLAGS");
        for (_, package) in PROGRAMS {
            command.args(["--package", package]);
        }
        tools::succeed(&mut command)?;
        for (name, _) in PROGRAMS {
            let built = target.join(&host).join("dist").join(name);
            copy(&built, &release.stage.join(folder).join(name))?;
        }
    }
    Ok(())
}

/// What `--version` says: the version and the commit.
fn version(release: &Release) -> Result<String, Failure> {
    let mut git = std::process::Command::new("git");
    let commit =
        tools::output(
            git.current_dir(tools::root())
                .args(["rev-parse", "--short=9", "HEAD"]),
        )?;
    Ok(format!("{} ({})", release.version, commit.trim()))
}

/// Takes the paths of this machine out of messages of panics.
fn remap() -> Result<String, Failure> {
    let home = tools::variable("CARGO_HOME")
        .map(std::path::PathBuf::from)
        .or_else(|| tools::variable("HOME").map(|home| std::path::Path::new(&home).join(".cargo")))
        .ok_or("neither CARGO_HOME nor HOME is set")?;
    Ok(format!(
        "--remap-path-prefix={}=. --remap-path-prefix={}=cargo",
        tools::root().display(),
        home.display()
    ))
}

fn host() -> Result<String, Failure> {
    let version = tools::output(std::process::Command::new("rustc").arg("-vV"))?;
    version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .ok_or_else(|| "rustc -vV names no host".to_owned())
}
