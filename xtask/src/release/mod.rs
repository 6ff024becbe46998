//! `cargo xtask release VERSION`: the commit, the packages and the tag of a release. RELEASING.md says what is left to do by
//! hand. Nothing is pushed or published.

mod edits;

use std::fs;
use std::path::Path;
use std::process::Command;

use clap::Args;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::tools::{self, Failure, say, show};
use edits::Step;

/// What is released.
#[derive(Args)]
pub struct Arguments {
    /// X.Y.Z: above what Cargo.toml has, or just that if it was never tagged
    version: String,
    /// Change nothing; show what would be changed
    #[arg(long)]
    dry_run: bool,
    /// The day that everything carries, YYYY-MM-DD; today (UTC) by default
    #[arg(long)]
    date: Option<Date>,
}

/// A file with what it becomes.
#[derive(Debug)]
struct Edit {
    path: String,
    text: String,
}

/// Checks, edits, commits, packs, tags.
///
/// # Errors
/// When the tree, the changelog or the version does not allow a release, with nothing changed; or when the packages cannot
/// be made, with the commit there and no tag.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let root = tools::root();
    let today = || Timestamp::now().to_zoned(TimeZone::UTC).date();
    let date = arguments.date.unwrap_or_else(today);
    let edits = prepare(root, &arguments.version, date)?;
    if arguments.dry_run {
        return preview(root, &edits);
    }
    commit(root, &arguments.version, &edits)?;
    let made = tools::succeed(tools::cargo().args([
        "run",
        "--quiet",
        "--package",
        "xtask",
        "--",
        "dist",
        "--twice",
    ]));
    made.map_err(|e| format!("{e}\nthere is no tag; git reset --keep HEAD~1 undoes the commit"))?;
    tag(root, &arguments.version)?;
    let version = &arguments.version;
    say(&format!(
        "v{version} is tagged, and its packages are in target/packages/out. What is left is in RELEASING.md: sign, push, publish."
    ));
    Ok(())
}

/// Everything that has to be so before a release, and what it changes.
fn prepare(root: &Path, version: &str, date: Date) -> Result<Vec<Edit>, Failure> {
    let changed = git(root, &["status", "--porcelain"])?;
    if !changed.is_empty() {
        return Err(format!("the tree is not clean:\n{}", changed.trim_end()));
    }
    let from = env!("CARGO_PKG_VERSION").to_owned();
    let tags = git(root, &["tag", "--list", &format!("v{version}")])?;
    if !tags.is_empty() {
        return Err(format!("v{version} is tagged already"));
    }
    if numbers(version)? < numbers(&from)? {
        return Err(format!("{version} is below {from}, which Cargo.toml has"));
    }
    let step = Step {
        from,
        to: version.to_owned(),
        date,
    };
    let mut edits = Vec::new();
    let mut edit = |path: &str, change: &dyn Fn(&str) -> Result<String, Failure>| {
        let old = fs::read_to_string(root.join(path)).map_err(|e| format!("{path}: {e}"))?;
        let text = change(&old)?;
        if text != old {
            let path = path.to_owned();
            edits.push(Edit { path, text });
        }
        Ok::<_, Failure>(())
    };
    edit("CHANGELOG.md", &|text| step.changelog(text))?;
    edit("Cargo.toml", &|text| step.manifest(text))?;
    for lock in ["Cargo.lock", "tests/fuzz/cargo-fuzz/Cargo.lock"] {
        edit(lock, &|text| Ok(step.lock(text)))?;
    }
    edit("xtask/packaging/fedora/heat-wait.spec", &|text| {
        step.spec(text)
    })?;
    edit("xtask/packaging/debian/changelog", &|text| {
        step.debian(text)
    })?;
    for page in git(root, &["ls-files", "docs/man/*.1"])?.lines() {
        edit(page, &|text| {
            step.page(text).map_err(|e| format!("{page}: {e}"))
        })?;
    }
    Ok(edits)
}

fn commit(root: &Path, version: &str, edits: &[Edit]) -> Result<(), Failure> {
    for Edit { path, text } in edits {
        fs::write(root.join(path), text).map_err(|e| format!("{path}: {e}"))?;
    }
    let message = format!("Release {version}");
    git(root, &["commit", "--quiet", "--all", "--message", &message]).map(drop)
}

/// Annotated; signed where git is told so (`git config tag.gpgSign true`).
fn tag(root: &Path, version: &str) -> Result<(), Failure> {
    let (name, message) = (format!("v{version}"), format!("heat-wait {version}"));
    git(root, &["tag", "--annotate", "--message", &message, &name]).map(drop)
}

/// What `git diff` shows of it.
fn preview(root: &Path, edits: &[Edit]) -> Result<(), Failure> {
    let folder = root.join("target/release-preview");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let new = folder.join("new");
    for Edit { path, text } in edits {
        fs::write(&new, text).map_err(|e| format!("{}: {e}", new.display()))?;
        let diff = Command::new("diff")
            .current_dir(root)
            .args(["-U1", "--label", path, "--label", path, path])
            .arg(&new)
            .output()
            .map_err(|e| format!("cannot start diff: {e}"))?;
        show(&String::from_utf8_lossy(&diff.stdout))?;
    }
    say(&format!(
        "{} files would be changed and committed, the packages made twice and compared, and the commit tagged.",
        edits.len()
    ));
    fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))
}

fn git(root: &Path, arguments: &[&str]) -> Result<String, Failure> {
    tools::output(Command::new("git").current_dir(root).args(arguments))
}

/// `X.Y.Z`, to be compared.
fn numbers(version: &str) -> Result<[u32; 3], Failure> {
    let parts: Result<Vec<u32>, _> = version.split('.').map(str::parse).collect();
    parts
        .ok()
        .and_then(|parts| parts.try_into().ok())
        .ok_or_else(|| format!("{version}: a version is three numbers, X.Y.Z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a release edits.
    const EDITED: &str = "CHANGELOG.md Cargo.toml Cargo.lock tests/fuzz/cargo-fuzz/Cargo.lock xtask/packaging docs/man";

    /// A repository of its own with these files of the workspace in one commit, and something to release.
    fn repository(files: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let copied = Command::new("sh")
            .current_dir(tools::root())
            .args([
                "-c",
                "tar -c --exclude=target --exclude=.git --exclude=vendor $2 | tar -x -C \"$1\"",
                "copy",
            ])
            .arg(folder.path())
            .arg(files)
            .status();
        assert!(copied.unwrap().success());
        let log = folder.path().join("CHANGELOG.md");
        let text = fs::read_to_string(&log).unwrap();
        let text = text.replacen(
            "## [Unreleased]\n",
            "## [Unreleased]\n\n- Something new.\n",
            1,
        );
        fs::write(log, text).unwrap();
        for command in [
            &["init", "--quiet"][..],
            &["config", "user.name", "somebody"],
            &["config", "user.email", "somebody@example.org"],
            &["config", "commit.gpgSign", "false"],
            &["config", "tag.gpgSign", "false"],
            &["add", "--all"],
            &["commit", "--quiet", "--message", "everything"],
        ] {
            git(folder.path(), command).unwrap();
        }
        folder
    }

    fn day() -> Date {
        Date::constant(2027, 2, 3)
    }

    #[test]
    fn a_release_is_one_commit_with_the_version_and_the_date_everywhere_and_a_tag() {
        let folder = repository(".");
        let root = folder.path();
        let edits = prepare(root, "7.8.9", day()).unwrap();
        commit(root, "7.8.9", &edits).unwrap();
        tag(root, "7.8.9").unwrap();

        assert_eq!(git(root, &["status", "--porcelain"]).unwrap(), "");
        assert_eq!(
            git(root, &["log", "--format=%s%d", "-1"]).unwrap(),
            format!(
                "Release 7.8.9 (HEAD -> {}, tag: v7.8.9)\n",
                git(root, &["branch", "--show-current"]).unwrap().trim()
            )
        );
        let file = |path: &str| fs::read_to_string(root.join(path)).unwrap();
        assert!(
            file("CHANGELOG.md")
                .contains("## [Unreleased]\n\n## [7.8.9] - 2027-02-03\n\n- Something new.\n")
        );
        let manifest = file("Cargo.toml");
        assert!(manifest.contains("\nversion = \"7.8.9\"\n"));
        assert!(manifest.contains("\ndate = \"2027-02-03\"\n"));
        let spec = file("xtask/packaging/fedora/heat-wait.spec");
        assert!(spec.contains("\nVersion:        7.8.9\n"));
        assert!(spec.contains("\n%changelog\n* Wed Feb 03 2027 heat-wait developers "));
        let debian = file("xtask/packaging/debian/changelog");
        assert!(debian.starts_with("heat-wait (7.8.9-1) unstable; urgency=medium\n"));
        assert!(debian.contains(">  Wed, 03 Feb 2027 00:00:00 +0000\n"));
        let page = file("docs/man/manila-wait-share.1");
        assert!(page.starts_with(".TH MANILA-WAIT-SHARE 1 2027-02-03 \"manila-wait 7.8.9\"\n"));
        // The lock file fits the manifests, with nothing to be asked.
        let tree = tools::cargo()
            .current_dir(root)
            .args(["tree", "--locked", "--offline", "--quiet", "--workspace"])
            .output()
            .unwrap();
        assert!(tree.status.success(), "{tree:?}");
        // A second time there is nothing to release, and that version is there.
        assert_eq!(
            prepare(root, "7.8.9", day()).unwrap_err(),
            "v7.8.9 is tagged already"
        );
        assert_eq!(
            prepare(root, "7.9.0", day()).unwrap_err(),
            "CHANGELOG.md: nothing stands under [Unreleased]"
        );
    }

    #[test]
    fn what_was_never_tagged_can_be_released_as_it_is() {
        let folder = repository(EDITED);
        let current = env!("CARGO_PKG_VERSION");
        let edits = prepare(folder.path(), current, day()).unwrap();
        let of = |name: &str| edits.iter().find(|edit| edit.path.ends_with(name)).unwrap();
        let entries = |text: &str, mark: &str| text.matches(mark).count();
        let debian = fs::read_to_string(folder.path().join("xtask/packaging/debian/changelog"));
        let debian = debian.unwrap();
        // Its entry gets the day, and no second one stands beside it.
        assert_eq!(
            entries(&of("debian/changelog").text, "\n -- "),
            entries(&debian, "\n -- ")
        );
        assert!(of("debian/changelog").text.contains("03 Feb 2027"));
        assert!(of("heat-wait.spec").text.contains("* Wed Feb 03 2027 "));
        assert!(!edits.iter().any(|edit| edit.path == "Cargo.lock"));
    }

    #[test]
    fn nothing_is_released_from_a_tree_that_is_not_clean() {
        let folder = repository(EDITED);
        fs::write(folder.path().join("new"), "").unwrap();
        let refused = prepare(folder.path(), "7.8.9", day()).unwrap_err();
        assert_eq!(refused, "the tree is not clean:\n?? new");
    }

    #[test]
    fn a_version_is_three_numbers_and_never_goes_back() {
        let folder = repository(EDITED);
        let refused = |version: &str| prepare(folder.path(), version, day()).unwrap_err();
        assert_eq!(
            refused("1.0"),
            "1.0: a version is three numbers, X.Y.Z".to_owned()
        );
        assert_eq!(
            refused("0.0.9"),
            format!(
                "0.0.9 is below {}, which Cargo.toml has",
                env!("CARGO_PKG_VERSION")
            )
        );
    }
}
