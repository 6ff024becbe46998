//! Why a run ends before there is a verdict: one line, and what to do next.

use os_identity::{Error, Kind};

use crate::Exit;

/// The end of a run that has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The code to exit with.
    pub exit: Exit,
    /// One line: lower-case fragments joined by `: `.
    pub message: String,
    /// What to do next, if there is something.
    pub hint: Option<String>,
}

impl Failure {
    /// A failure without a hint.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self {
            exit,
            message: message.into(),
            hint: None,
        }
    }

    /// Wrong arguments or configuration.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }

    /// The same with `what` in front of the message.
    #[must_use]
    pub fn context(self, what: impl std::fmt::Display) -> Self {
        Self {
            message: format!("{what}: {}", self.message),
            ..self
        }
    }
}

/// The code of an error of the session.
#[must_use]
pub fn exit_of(error: &Error) -> Exit {
    match error.kind() {
        Kind::Config => Exit::Usage,
        Kind::NotFound => Exit::NotFound,
        Kind::Refused => Exit::Refused,
        Kind::Rejected => Exit::Rejected,
        Kind::Unknown => Exit::Unknown,
        Kind::Deadline => Exit::Deadline,
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self {
            exit: exit_of(&error),
            message: chain(&error),
            hint: error.hint().map(str::to_owned),
        }
    }
}

/// An error and its sources, joined by `: `.
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text.push_str(": ");
        text.push_str(&error.to_string());
        source = error.source();
    }
    text
}
