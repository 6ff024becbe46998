//! The values alone (cliff `formatters/value.py`).

use super::{Cell, python};
use crate::printable::harmless;

/// One value a line; a value of several lines takes several.
pub(super) fn one(fields: &[(&str, &Cell)]) -> String {
    fields.iter().map(|(_, cell)| text(cell) + "\n").collect()
}

/// One row a line, its values joined by spaces, which nothing escapes.
pub(super) fn list(rows: &[Vec<&Cell>]) -> String {
    let row = |cells: &Vec<&Cell>| {
        cells
            .iter()
            .map(|cell| text(cell))
            .collect::<Vec<_>>()
            .join(" ")
    };
    rows.iter().map(|cells| row(cells) + "\n").collect()
}

fn text(cell: &Cell) -> String {
    harmless(&python::text(cell.value())).into_owned()
}
