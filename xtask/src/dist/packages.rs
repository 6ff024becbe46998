//! What is installed from: packages and the tarball of static binaries.

use std::process::Command;

use super::{PROGRAMS, Release, archive, copy, linked, static_program};
use crate::tools::{self, Failure};

/// `NAME-VERSION-HOST.tar.gz`: static binaries with their pages and completions, for machines without a packaging system.
pub fn tarball(release: &Release) -> Result<(), Failure> {
    let arch = std::env::consts::ARCH;
    let name = format!("heat-wait-{}-{arch}-linux-static", release.version);
    let folder = release.folder(&name)?;
    for (program, _) in PROGRAMS {
        copy(&static_program(release, program), &folder.join(program))?;
    }
    for file in ["README.md", "LICENSE", "CHANGELOG.md", "docs/exit-codes.md"] {
        copy(&tools::root().join(file), &folder.join(file))?;
    }
    copy(
        &release.stage.join("copyright"),
        &folder.join("THIRD-PARTY"),
    )?;
    for what in ["man", "completions"] {
        tools::succeed(
            Command::new("cp")
                .arg("-r")
                .arg(release.stage.join(what))
                .arg(folder.join(what)),
        )?;
    }
    archive::tar(release, &folder, &format!("{name}.tar.gz"))
}

/// Two packages by cargo-deb: what goes where is in each program's Cargo.toml.
pub fn debs(release: &Release) -> Result<(), Failure> {
    for (_, package) in PROGRAMS {
        tools::succeed(
            tools::cargo()
                .args([
                    "deb",
                    "--quiet",
                    "--locked",
                    "--no-build",
                    "--no-strip",
                    "--package",
                    package,
                ])
                .arg("--output")
                .arg(&release.out)
                .env("SOURCE_DATE_EPOCH", release.epoch.to_string()),
        )?;
    }
    Ok(())
}

/// Two packages by cargo-generate-rpm.
pub fn rpms(release: &Release) -> Result<(), Failure> {
    let licence = format!("license = \"{}\"", linked::expression()?);
    for (_, package) in PROGRAMS {
        tools::succeed(
            tools::cargo()
                .args(["generate-rpm", "--package"])
                .arg(format!("crates/{package}"))
                .arg("--output")
                .arg(&release.out)
                .args(["--set-metadata", &licence])
                .arg(format!("--source-date={}", release.epoch)),
        )?;
    }
    Ok(())
}
