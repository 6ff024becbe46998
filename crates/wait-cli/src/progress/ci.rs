//! The logs of CI services: groups and sections that fold, failures that stand out, and text of strangers that must not
//! be taken for a command.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

/// Which service reads the log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ci {
    /// None that we know.
    #[default]
    None,
    /// GitHub Actions, and what is made like it.
    GitHub,
    /// GitLab CI.
    GitLab,
    /// Azure Pipelines: only kept from taking text for commands.
    Azure,
}

impl Ci {
    /// What the variables of each service say.
    pub(crate) fn of(env: &BTreeMap<String, String>) -> Self {
        let is_set = |name: &str| {
            env.get(name)
                .is_some_and(|text| text.eq_ignore_ascii_case("true"))
        };
        if is_set("GITHUB_ACTIONS") {
            Self::GitHub
        } else if is_set("GITLAB_CI") {
            Self::GitLab
        } else if is_set("TF_BUILD") {
            Self::Azure
        } else {
            Self::None
        }
    }

    /// A line in which no command is left. GitHub takes `::` at the beginning of a line, after blanks, and `##[` anywhere
    /// (actions/runner, `ActionCommand.cs`); Azure `##[` and `##vso[` anywhere. GitLab's marks need an escape character,
    /// which no line has.
    pub(crate) fn harmless(self, line: &str) -> Cow<'_, str> {
        self.without_commands(line, "\\x3a", "\\x23")
    }

    /// The same for a line of JSON: the value stays what it is.
    pub(crate) fn harmless_json(self, line: &str) -> Cow<'_, str> {
        self.without_commands(line, "\\u003a", "\\u0023")
    }

    fn without_commands<'l>(self, line: &'l str, colon: &str, hash: &str) -> Cow<'l, str> {
        if !matches!(self, Self::GitHub | Self::Azure) {
            return line.into();
        }
        let mut line = Cow::Borrowed(line);
        let begins = line.len() - line.trim_start().len();
        if let Some((blanks, rest)) = line.split_at_checked(begins) {
            if let Some(rest) = rest.strip_prefix("::") {
                line = format!("{blanks}{colon}:{rest}").into();
            }
        }
        for (command, rest) in [("##[", "#["), ("##vso[", "#vso[")] {
            if line.contains(command) {
                line = line.replace(command, &format!("{hash}{rest}")).into();
            }
        }
        line
    }

    /// The lines that begin and end what folds; `None`: nothing folds here.
    pub(super) fn group(self, program: &str, title: &str, now: SystemTime) -> Option<Group> {
        match self {
            Self::GitHub => Some(Group {
                start: format!("::group::{}\n", data(title)),
                end: "::endgroup::\n".to_owned(),
            }),
            Self::GitLab => {
                let stamp = now
                    .duration_since(SystemTime::UNIX_EPOCH)
                    .unwrap_or(Duration::ZERO);
                // A section's name is its identity in the log of a job, which may run many of us.
                let name = format!("{program}-{}", stamp.as_nanos());
                let stamp = stamp.as_secs();
                Some(Group {
                    start: format!("\x1b[0Ksection_start:{stamp}:{name}\r\x1b[0K{title}\n"),
                    end: format!("\x1b[0Ksection_end:{stamp}:{name}\r\x1b[0K\n"),
                })
            }
            Self::None | Self::Azure => None,
        }
    }

    /// A failure as the service wants it marked.
    pub(super) fn failure(self, line: &str) -> Cow<'_, str> {
        match self {
            Self::GitHub => format!("::error::{}", data(line)).into(),
            Self::None | Self::GitLab | Self::Azure => self.harmless(line),
        }
    }
}

/// The data of a command of GitHub.
fn data(line: &str) -> String {
    line.replace('%', "%25")
}

/// What folds in a log.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) start: String,
    pub(super) end: String,
}
