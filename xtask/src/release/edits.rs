//! What a release changes in the tree: every place that has the version or its date. Pure: text in, text out.

use std::fmt::Write as _;

use jiff::civil::Date;

use crate::tools::Failure;

/// Who stands in the changelogs of packages.
const PACKAGER: &str = "heat-wait developers <heat-wait@users.noreply.github.com>";

/// The version that is left and the one that is made.
pub struct Step {
    /// `0.1.0`, as Cargo.toml has it.
    pub from: String,
    /// `0.2.0`; equal to `from` for the first release.
    pub to: String,
    /// The day of the release.
    pub date: Date,
}

impl Step {
    /// `CHANGELOG.md`: what was unreleased gets the version and the date, and an empty heading stands above it.
    ///
    /// # Errors
    /// When nothing stands under `[Unreleased]`: then there is nothing to release.
    pub fn changelog(&self, text: &str) -> Result<String, Failure> {
        const HEADING: &str = "## [Unreleased]\n";
        let Some((head, rest)) = text.split_once(HEADING) else {
            return Err("CHANGELOG.md: no heading [Unreleased]".to_owned());
        };
        let entries = rest.split("\n## [").next().unwrap_or_default();
        if !entries.lines().any(|line| line.starts_with("- ")) {
            return Err("CHANGELOG.md: nothing stands under [Unreleased]".to_owned());
        }
        let (to, date) = (&self.to, self.date);
        Ok(format!("{head}{HEADING}\n## [{to}] - {date}\n{rest}"))
    }

    /// `Cargo.toml` of the workspace: the version, the libraries' versions, the date.
    ///
    /// # Errors
    /// When one of them is not where it was.
    pub fn manifest(&self, text: &str) -> Result<String, Failure> {
        let old = format!("version = \"{}\"", self.from);
        let new = format!("version = \"{}\"", self.to);
        let mut versions = 0;
        let mut dates = 0;
        let text = lines(text, |line| {
            let ours = line == old || line.contains("path = \"crates/");
            if ours && line.contains(&old) {
                versions += 1;
                line.replace(&old, &new)
            } else if line.starts_with("date = \"") {
                dates += 1;
                format!("date = \"{}\"", self.date)
            } else {
                line.to_owned()
            }
        });
        // The workspace's, and those of the two libraries that are published.
        if versions == 3 && dates == 1 {
            Ok(text)
        } else {
            Err(format!(
                "Cargo.toml: {versions} versions and {dates} dates of a release, not 3 and 1"
            ))
        }
    }

    /// A lock file: the crates of this workspace, which have no source.
    pub fn lock(&self, text: &str) -> String {
        let old = format!("\nversion = \"{}\"\n", self.from);
        let new = format!("\nversion = \"{}\"\n", self.to);
        let blocks: Vec<String> = text
            .trim_end()
            .split("\n\n")
            .map(|block| match block.contains("\nsource = ") {
                true => block.to_owned(),
                false => format!("{block}\n")
                    .replace(&old, &new)
                    .trim_end()
                    .to_owned(),
            })
            .collect();
        let mut text = blocks.join("\n\n");
        text.push('\n');
        text
    }

    /// The spec file: its version, and an entry of its changelog.
    ///
    /// # Errors
    /// When it has no version or no changelog.
    pub fn spec(&self, text: &str) -> Result<String, Failure> {
        const CHANGES: &str = "%changelog\n";
        let missing = |what: &str| format!("heat-wait.spec: no {what}");
        let old = format!("Version:        {}\n", self.from);
        if !text.contains(&old) {
            return Err(missing(old.trim_end()));
        }
        let text = text.replace(&old, &format!("Version:        {}\n", self.to));
        let (head, entries) = text
            .split_once(CHANGES)
            .ok_or_else(|| missing("%changelog"))?;
        let day = self.date.strftime("%a %b %d %Y");
        let title = format!("* {day} {PACKAGER} - {}-1", self.to);
        let first = entries.lines().next().unwrap_or_default();
        // The entry of a version that was never released only gets its day.
        Ok(match first.ends_with(&format!(" - {}-1", self.to)) {
            true => format!("{head}{CHANGES}{}", entries.replacen(first, &title, 1)),
            false => format!("{head}{CHANGES}{title}\n- Version {}\n\n{entries}", self.to),
        })
    }

    /// `debian/changelog`: an entry on top.
    ///
    /// # Errors
    /// When its first line is not that of an entry.
    pub fn debian(&self, text: &str) -> Result<String, Failure> {
        let day = self.date.strftime("%a, %d %b %Y 00:00:00 +0000");
        let title = format!("heat-wait ({}-1) unstable; urgency=medium", self.to);
        let signed = format!(" -- {PACKAGER}  {day}");
        let (first, rest) = text
            .split_once('\n')
            .filter(|(first, _)| first.starts_with("heat-wait ("))
            .ok_or("debian/changelog: no entry")?;
        if !first.starts_with(&format!("heat-wait ({}-1)", self.to)) {
            let version = &self.to;
            return Ok(format!(
                "{title}\n\n  * Version {version}: /usr/share/doc/heat-wait/changelog.gz.\n\n{signed}\n\n{text}"
            ));
        }
        let mut changed = format!("{title}\n");
        let mut dated = false;
        for line in rest.lines() {
            let new = match !dated && line.starts_with(" -- ") {
                true => &signed,
                false => line,
            };
            dated |= line.starts_with(" -- ");
            let _ = writeln!(changed, "{new}");
        }
        Ok(changed)
    }

    /// A manual page: the line that has the date and the version.
    ///
    /// # Errors
    /// When there is none.
    pub fn page(&self, text: &str) -> Result<String, Failure> {
        let (head, rest) = text
            .split_once('\n')
            .filter(|(head, _)| head.starts_with(".TH "))
            .ok_or("no .TH line")?;
        // .TH TITLE 1 DATE "PROGRAM VERSION"
        match head.split(' ').collect::<Vec<_>>().as_slice() {
            [th, title, section, _, program, _] => Ok(format!(
                "{th} {title} {section} {} {program} {}\"\n{rest}",
                self.date, self.to
            )),
            _ => Err(format!("{head}: not as it was written")),
        }
    }
}

fn lines(text: &str, mut change: impl FnMut(&str) -> String) -> String {
    text.lines().fold(String::new(), |mut all, line| {
        let _ = writeln!(all, "{}", change(line));
        all
    })
}
