//! Comma-separated values as Python 3.11's `csv.writer` makes them (cliff `formatters/commaseparated.py`).

use serde_json::Value;

use super::{Cell, OutputError, Quote, python};
use crate::printable::harmless;

/// A header line and one line a row, ended by LF.
pub(super) fn list(
    headers: &[&str],
    rows: &[Vec<&Cell>],
    quote: Quote,
) -> Result<String, OutputError> {
    let mut out = String::new();
    push_row(
        &mut out,
        headers.iter().map(|name| Field::text(name)).collect(),
        quote,
    )?;
    for row in rows {
        push_row(
            &mut out,
            row.iter().map(|cell| Field::of(cell)).collect(),
            quote,
        )?;
    }
    Ok(out)
}

struct Field {
    text: String,
    numeric: bool,
}

impl Field {
    fn text(text: &str) -> Self {
        Self {
            text: harmless(text).into_owned(),
            numeric: false,
        }
    }

    /// Unset is empty, booleans count as numbers; a cell with a text for people is always a string.
    fn of(cell: &Cell) -> Self {
        let formatted = cell.human().is_some();
        let mut field = match cell.value() {
            Value::Null if !formatted => Self::text(""),
            value => Self::text(&python::text(value)),
        };
        field.numeric = !formatted && matches!(cell.value(), Value::Number(_) | Value::Bool(_));
        field
    }

    fn push(&self, out: &mut String, quote: Quote) {
        let special = |c| matches!(c, ',' | '"' | '\n');
        let quoted = match quote {
            Quote::All => true,
            Quote::None => false,
            Quote::Minimal => self.text.contains(special),
            Quote::Nonnumeric => !self.numeric || self.text.contains(special),
        };
        if quoted {
            out.push('"');
        }
        for c in self.text.chars() {
            match c {
                '\\' => out.push('\\'),
                '"' if quoted => out.push('"'),
                c if special(c) && !quoted => out.push('\\'),
                _ => {}
            }
            out.push(c);
        }
        if quoted {
            out.push('"');
        }
    }
}

/// A row that is one empty field is quoted, as a line without anything would be no row.
fn push_row(out: &mut String, fields: Vec<Field>, quote: Quote) -> Result<(), OutputError> {
    let start = out.len();
    for (i, field) in fields.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        field.push(out, quote);
    }
    if out.len() == start && !fields.is_empty() {
        if quote == Quote::None {
            return Err(OutputError::UnquotableRow);
        }
        out.push_str("\"\"");
    }
    out.push('\n');
    Ok(())
}
