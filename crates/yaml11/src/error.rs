//! Why a document was refused, and where.

use crate::cursor::{Mark, is_break};

/// A document that PyYAML's safe loader would refuse, or that has no JSON form.
///
/// `Display` is `line:column: message`, so that `format!("{file}:{error}")` is what editors understand.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
#[non_exhaustive]
pub struct Error {
    /// Line of the fault, counted from 1.
    pub line: usize,
    /// Column of the fault in characters, counted from 1.
    pub column: usize,
    /// What is wrong, a lower-case fragment.
    pub message: String,
    /// The text of that line, without its end; control characters are left as they are.
    pub text: String,
}

/// A fault inside the crate, before the line's text is added to it.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) mark: Mark,
    pub(crate) message: String,
}

impl Fault {
    pub(crate) fn new(mark: Mark, message: impl Into<String>) -> Self {
        Self {
            mark,
            message: message.into(),
        }
    }

    pub(crate) fn in_text(self, text: &str) -> Error {
        let mut line = String::new();
        for (index, c) in text.chars().enumerate() {
            if !is_break(c) {
                line.push(c);
            } else if index >= self.mark.index() {
                break;
            } else {
                line.clear();
            }
        }
        Error {
            line: self.mark.line() + 1,
            column: self.mark.column() + 1,
            message: self.message,
            text: line,
        }
    }
}
