//! Where the values of a document stand.

use crate::cursor::Mark;
use std::fmt;

/// A place in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1.
    pub column: usize,
}

impl From<Mark> for Position {
    fn from(mark: Mark) -> Self {
        Self {
            line: mark.line() + 1,
            column: mark.column() + 1,
        }
    }
}

/// A key that stands twice in one mapping. `Display` is `line:column: message`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The key, as text.
    pub key: String,
    /// Where the later one stands: it wins.
    pub position: Position,
    /// The line of the one before it, counted from 1.
    pub earlier_line: usize,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column } = self.position;
        let (key, earlier) = (&self.key, self.earlier_line);
        write!(
            f,
            "{line}:{column}: duplicate key {key:?}: this one wins over line {earlier}"
        )
    }
}

/// The places of a value and of what it holds; of the same shape as the value.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) value: Position,
    pub(crate) key: Option<Position>,
    pub(crate) inside: Inside,
}

#[derive(Debug, Clone)]
pub(crate) enum Inside {
    Nothing,
    Items(Vec<Place>),
    /// As they are written; of a key that stands twice, the last one counts.
    Entries(Vec<(String, Place)>),
}

impl Place {
    pub(crate) fn find(&self, pointer: &str) -> Option<&Self> {
        let Some(steps) = pointer.strip_prefix('/') else {
            return pointer.is_empty().then_some(self);
        };
        steps.split('/').try_fold(self, |place, step| {
            let step = step.replace("~1", "/").replace("~0", "~");
            match &place.inside {
                Inside::Nothing => None,
                Inside::Items(items) => items.get(step.parse::<usize>().ok()?),
                Inside::Entries(entries) => {
                    let entry = entries.iter().rev().find(|(key, _)| *key == step);
                    entry.map(|(_, place)| place)
                }
            }
        })
    }
}
