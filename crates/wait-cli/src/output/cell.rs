//! One value of the result and how it prints.

use serde_json::{Map, Value};

use super::python;
use crate::order;

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

    /// A mapping, which tables show as `a='1', b.c='2', d=` with its keys sorted.
    ///
    /// Unset is an empty mapping to machines and `None` to people, as in osc-lib's `DictColumn`
    /// (`osc_lib/cli/format_columns.py:24`).
    #[must_use]
    pub fn dict(value: Value) -> Self {
        match value {
            Value::Null => Self::shown(Map::new(), "None"),
            Value::Object(map) => {
                let human = pairs(&map, "").join(", ");
                Self::shown(map, human)
            }
            other => Self::plain(other),
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

/// One pair a key, nested keys joined by points.
fn pairs(map: &Map<String, Value>, prefix: &str) -> Vec<String> {
    let pair = |(key, value): (&String, &Value)| match value {
        Value::Object(inner) => pairs(inner, &format!("{prefix}{key}.")).join(", "),
        Value::Null => format!("{prefix}{key}="),
        value => format!("{prefix}{key}='{}'", python::text(value)),
    };
    order::by_name(map).into_iter().map(pair).collect()
}
