//! `name="value"` lines (cliff `formatters/shell.py`).

use super::{Cell, python};
use crate::printable::harmless;

/// One assignment a line, or more where the value has line ends.
///
/// Only double quotes in the value are escaped, as in cliff: `$`, backquotes and backslashes are not.
pub(super) fn one(fields: &[(&str, &Cell)], prefix: &str) -> String {
    fields
        .iter()
        .map(|(name, cell)| {
            let name = name.to_lowercase().replace([' ', ':', '-'], "_");
            let text = python::text(cell.value());
            // What is no string and has no text for people goes out as Python prints it, quotes and all.
            let text = if cell.value().is_string() || cell.human().is_some() {
                text.replace('"', "\\\"")
            } else {
                text
            };
            harmless(&format!("{prefix}{name}=\"{text}\"\n")).into_owned()
        })
        .collect()
}
