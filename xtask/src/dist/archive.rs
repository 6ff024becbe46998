//! Archives and checksums, by the tools that every distribution has.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Release;
use crate::tools::{self, Failure};

/// Packs `folder`, which becomes the only entry of `out/NAME.tar.gz` or `.tar.xz`.
pub fn tar(release: &Release, folder: &Path, out: &str) -> Result<(), Failure> {
    let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) else {
        return Err(format!("{}: not a folder to be packed", folder.display()));
    };
    let program = if out.ends_with(".xz") {
        "xz -T1 -3"
    } else {
        "gzip -9n"
    };
    tools::succeed(
        Command::new("tar")
            .arg("--create")
            .arg(format!("--file={}", release.out.join(out).display()))
            .arg(format!("--use-compress-program={program}"))
            .arg(format!("--mtime=@{}", release.epoch))
            .args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"])
            .args(["--mode=u+rwX,go+rX,go-w", "--format=gnu", "-C"])
            .arg(parent)
            .arg(name),
    )
}

/// Puts `FILE.gz` in place of `file`.
pub fn gzip(file: &Path) -> Result<(), Failure> {
    tools::succeed(Command::new("gzip").args(["-9nf"]).arg(file))
}

/// What `sha256sum` says of `files`, relative to `folder`.
pub fn checksums(files: &[PathBuf], folder: &Path) -> Result<String, Failure> {
    let names = files.iter().filter_map(|file| file.file_name());
    tools::output(Command::new("sha256sum").args(names).current_dir(folder))
}
