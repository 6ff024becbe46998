//! The source as it is released: with every crate that it is built of, so that it builds without a network.

use std::process::Command;

use super::{Release, archive, copy, write};
use crate::tools::{self, Failure};

/// Makes cargo take every crate from `vendor/`.
const VENDORED: &str = r#"
[source.crates-io]
replace-with = "vendored"

[source.vendored]
directory = "vendor"
"#;

/// `heat-wait-VERSION.tar.xz`: what git has, `vendor/`, the configuration that makes cargo use it, and the `debian/` folder
/// at the top, where Debian's tools look for it.
pub fn tarball(release: &Release) -> Result<(), Failure> {
    let name = format!("heat-wait-{}", release.version);
    let folder = release.folder(&name)?;
    let packed = release.stage.join("source.tar");
    tools::succeed(
        Command::new("git")
            .current_dir(tools::root())
            .args(["archive", "--format=tar", "HEAD"])
            .arg("--output")
            .arg(&packed),
    )?;
    tools::succeed(
        Command::new("tar")
            .arg("-xf")
            .arg(&packed)
            .arg("-C")
            .arg(&folder),
    )?;
    tools::succeed(tools::cargo().current_dir(&folder).args([
        "vendor",
        "--locked",
        "--quiet",
        "--versioned-dirs",
        "vendor",
    ]))?;
    let config = folder.join(".cargo/config.toml");
    let own = std::fs::read_to_string(&config).map_err(|e| format!("{}: {e}", config.display()))?;
    write(&config, &format!("{own}{VENDORED}"))?;
    // It has to resolve with nothing but itself.
    tools::output(
        tools::cargo()
            .current_dir(&folder)
            .args(["metadata", "--frozen", "--format-version=1"])
            .env("CARGO_HOME", release.folder("cargo-home")?),
    )?;
    tools::succeed(
        Command::new("cp")
            .arg("-r")
            .arg(folder.join("xtask/packaging/debian"))
            .arg(folder.join("debian")),
    )?;
    copy(
        &folder.join("xtask/packaging/fedora/heat-wait.spec"),
        &release.out.join("heat-wait.spec"),
    )?;
    archive::tar(release, &folder, &format!("{name}.tar.xz"))
}
