//! Why there is no body.

use std::fmt;

use wait_cli::{Exit, Failure, printable};

/// Longer lines are shown in part.
const SHOWN: usize = 120;

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spot {
    /// As it is shown.
    pub(crate) file: String,
    /// Line and column, counted from 1.
    pub(crate) at: Option<(usize, usize)>,
    /// The text of the line.
    pub(crate) text: String,
}

impl Spot {
    /// A whole file.
    pub(crate) fn file(name: impl Into<String>) -> Self {
        Self {
            file: name.into(),
            at: None,
            text: String::new(),
        }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some((line, column)) => write!(f, "{}:{line}:{column}", self.file),
            None => f.write_str(&self.file),
        }
    }
}

/// Why there is no body: what is wrong, in which file, at which line and column, and who referred to the file.
///
/// `Display` is one line: `web.yaml:3:5: message: "the line" (referred to by stack.yaml:12:9)`. Nothing was sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0)]
pub struct Error(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    spot: Option<Spot>,
    message: String,
    referrers: Vec<Spot>,
    hint: Option<String>,
    exit: Exit,
}

impl Error {
    /// An error of the command line.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            spot: None,
            message: message.into(),
            referrers: Vec::new(),
            hint: None,
            exit: Exit::Usage,
        }))
    }

    /// An error at a place.
    pub(crate) fn at(spot: Spot, message: impl Into<String>) -> Self {
        let mut error = Self::new(message);
        error.0.spot = Some(spot);
        error
    }

    pub(crate) fn with_hint(mut self, hint: Option<impl Into<String>>) -> Self {
        self.0.hint = hint.map(Into::into).or(self.0.hint);
        self
    }

    pub(crate) fn with_exit(mut self, exit: Exit) -> Self {
        self.0.exit = exit;
        self
    }

    /// The same with who referred to the file, the nearest first.
    pub(crate) fn referred(mut self, referrers: impl IntoIterator<Item = Spot>) -> Self {
        self.0.referrers.extend(referrers);
        self
    }

    /// What to do next, if there is something.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// [`Exit::Usage`], or [`Exit::Deadline`] where the time ran out while a URL was read.
    #[must_use]
    pub fn exit(&self) -> Exit {
        self.0.exit
    }

    /// Line and column of the fault, counted from 1.
    #[must_use]
    pub fn position(&self) -> Option<(usize, usize)> {
        self.0.spot.as_ref()?.at
    }
}

impl fmt::Display for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Addresses come from YAML, where they can hold anything.
        f.write_str(&printable::line(&self.told()))
    }
}

impl Inner {
    fn told(&self) -> String {
        let mut told = String::new();
        if let Some(spot) = &self.spot {
            told += &format!("{spot}: ");
        }
        told += &self.message;
        let text = self.spot.as_ref().map_or("", |spot| spot.text.trim());
        if !text.is_empty() {
            let mut shown: String = text.chars().take(SHOWN).collect();
            if shown.len() < text.len() {
                shown.push('…');
            }
            told += &format!(": {shown:?}");
        }
        let mut before = " (referred to by ";
        for referrer in &self.referrers {
            told += &format!("{before}{referrer}");
            before = ", that by ";
        }
        if !self.referrers.is_empty() {
            told.push(')');
        }
        told
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let failure = Self::new(error.exit(), error.to_string());
        match error.hint() {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line_whatever_an_address_holds() {
        let spot = Spot {
            file: "web\n\u{1b}[2J.yaml".to_owned(),
            at: Some((3, 5)),
            text: "get_file: a".to_owned(),
        };
        let error = Error::at(spot, "cannot read a\n\nb").referred([Spot::file("c\rd")]);
        assert_eq!(
            error.to_string(),
            "web \\x1b[2J.yaml:3:5: cannot read a b: \"get_file: a\" (referred to by c d)"
        );
    }
}
