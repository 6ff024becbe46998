//! One value of the result and how it prints.

use serde_json::Value;

/// A value as the service gave it, and, where people are to see something else in a table, that text.
///
/// A cell with a text is what cliff calls a formattable column (`cliff/columns.py:22`): tables show the text,
/// every other format the value. The difference also shows in csv and shell: there a cell with a text is made a
/// string first, so an unset one prints `None` in csv and quotes in it are escaped for the shell.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    value: Value,
    human: Option<String>,
}

impl Cell {
    /// A value that prints as itself everywhere.
    #[must_use]
    pub fn plain(value: impl Into<Value>) -> Self {
        Self {
            value: value.into(),
            human: None,
        }
    }

    /// A value for machines, and the text that tables show instead.
    #[must_use]
    pub fn shown(value: impl Into<Value>, human: impl Into<String>) -> Self {
        Self {
            value: value.into(),
            human: Some(human.into()),
        }
    }

    /// The value, for machines.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The text for people, if there is one.
    #[must_use]
    pub fn human(&self) -> Option<&str> {
        self.human.as_deref()
    }
}

impl From<Value> for Cell {
    fn from(value: Value) -> Self {
        Self::plain(value)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::plain(text)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::plain(text)
    }
}
