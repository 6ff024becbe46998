//! Boxed tables (cliff `formatters/table.py` on prettytable's default style).

use std::borrow::Cow;

use serde_json::Value;

use super::width::columns;
use super::wrap::wrapped;
use super::{Cell, python};
use crate::printable::{self, harmless};

/// How narrow a column of one resource may be made: the names must stay readable.
const NARROWEST_FIELD: usize = 16;
/// How narrow a column of a list may be made; beyond that the table is wider than the terminal.
const NARROWEST_COLUMN: usize = 8;
const TAB: usize = 8;

/// Two columns, `Field` and `Value`; without fields an empty line.
pub(super) fn one(fields: &[(&str, &Cell)], limit: Option<usize>) -> String {
    let mut table = Table::new(["Field", "Value"].map(Column::left).into());
    for (name, cell) in fields {
        table.rows.push(vec![shown_text(name), shown(cell)]);
    }
    table.fit(limit, NARROWEST_FIELD);
    table.print(false)
}

/// One row each; without rows an empty line, or the header alone if asked for.
pub(super) fn list(
    headers: &[&str],
    rows: &[Vec<&Cell>],
    limit: Option<usize>,
    print_empty: bool,
) -> String {
    let mut table = Table::new(headers.iter().map(|name| Column::left(name)).collect());
    // The first row decides which columns are numbers.
    for (column, cell) in table
        .columns
        .iter_mut()
        .zip(rows.first().into_iter().flatten())
    {
        column.right = cell.human().is_none() && cell.value().is_number();
    }
    table.rows = rows
        .iter()
        .map(|row| row.iter().map(|cell| shown(cell)).collect())
        .collect();
    table.fit(limit, NARROWEST_COLUMN);
    table.print(print_empty)
}

/// What a table shows of a cell.
fn shown(cell: &Cell) -> String {
    match (cell.human(), cell.value()) {
        (Some(text), _) => shown_text(text),
        (None, Value::String(text)) => shown_text(text),
        (None, value) => shown_text(&python::text(value)),
    }
}

fn shown_text(text: &str) -> String {
    let text = match text.contains('\r') {
        true => Cow::Owned(text.replace("\r\n", "\n").replace('\r', " ")),
        false => Cow::Borrowed(text),
    };
    expand_tabs(&harmless(&text))
}

/// Tab stops every eight characters, counted in characters as Python's `str.expandtabs` does.
fn expand_tabs(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for c in text.chars() {
        match c {
            '\t' => {
                let spaces = TAB - at % TAB;
                out.extend(std::iter::repeat_n(' ', spaces));
                at += spaces;
                continue;
            }
            '\n' => at = 0,
            _ => at += 1,
        }
        out.push(c);
    }
    out
}

struct Column {
    name: String,
    right: bool,
    /// Columns of the terminal, without the spaces beside the text.
    width: usize,
}

impl Column {
    fn left(name: &str) -> Self {
        let name = printable::line(name).into_owned();
        Self {
            width: columns(&name),
            name,
            right: false,
        }
    }

    fn push_cell(&self, text: &str, out: &mut String) {
        let fill = self.width.saturating_sub(columns(text));
        let (before, after) = if self.right { (fill, 0) } else { (0, fill) };
        out.push(' ');
        out.extend(std::iter::repeat_n(' ', before));
        out.push_str(text);
        out.extend(std::iter::repeat_n(' ', after));
        out.push_str(" |");
    }
}

struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn new(columns: Vec<Column>) -> Self {
        Self {
            columns,
            rows: Vec::new(),
        }
    }

    /// Gives each column the width of its widest line, or less where the whole would exceed the limit.
    ///
    /// Columns wider than an equal share divide what the others leave, the last one getting the rest; no
    /// column goes below `narrowest` or its name (cliff `table.py:216`).
    fn fit(&mut self, limit: Option<usize>, narrowest: usize) {
        let names: Vec<usize> = self.columns.iter().map(|column| column.width).collect();
        for row in &self.rows {
            for (column, text) in self.columns.iter_mut().zip(row) {
                let widest = text.split('\n').map(columns).max().unwrap_or(0);
                column.width = column.width.max(widest);
            }
        }
        let frame = 1 + 3 * self.columns.len();
        let total: usize = self.columns.iter().map(|column| column.width).sum();
        let Some(limit) = limit.filter(|limit| *limit < total + frame) else {
            return;
        };
        if self.rows.is_empty() {
            return;
        }
        let usable = limit.saturating_sub(frame);
        let share = usable / self.columns.len().max(1);
        let is_wide = |column: &Column| column.width > share;
        let (wide, narrow): (Vec<&Column>, Vec<&Column>) =
            self.columns.iter().partition(|column| is_wide(column));
        let mut left = usable.saturating_sub(narrow.iter().map(|column| column.width).sum());
        let mut unshrunk = wide.len();
        let each = left / unshrunk.max(1);
        for (column, name) in self.columns.iter_mut().zip(names) {
            if !is_wide(column) {
                continue;
            }
            unshrunk -= 1;
            let room = if unshrunk == 0 { left } else { each };
            left -= room;
            column.width = column.width.min(room.max(narrowest)).max(name);
        }
    }

    fn print(&self, even_if_empty: bool) -> String {
        if self.rows.is_empty() && !even_if_empty {
            return "\n".to_owned();
        }
        let mut rule = "+".to_owned();
        for column in &self.columns {
            rule.extend(std::iter::repeat_n('-', column.width + 2));
            rule.push('+');
        }
        rule.push('\n');
        let mut out = rule.clone();
        out.push('|');
        for column in &self.columns {
            column.push_cell(&column.name, &mut out);
        }
        out.push('\n');
        out.push_str(&rule);
        for row in &self.rows {
            self.push_row(row, &mut out);
        }
        out.push_str(&rule);
        out
    }

    /// A row is as high as its highest cell.
    fn push_row(&self, row: &[String], out: &mut String) {
        let cells: Vec<Vec<String>> = self
            .columns
            .iter()
            .zip(row)
            .map(|(column, text)| {
                text.split('\n')
                    .flat_map(|line| broken(line, column.width))
                    .collect()
            })
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for y in 0..height {
            out.push('|');
            for (column, lines) in self.columns.iter().zip(&cells) {
                column.push_cell(lines.get(y).map_or("", String::as_str), out);
            }
            out.push('\n');
        }
    }
}

/// One line of a cell as lines that fit; at least one, so that blank lines stay.
fn broken(line: &str, width: usize) -> Vec<String> {
    if columns(line) <= width {
        return vec![line.to_owned()];
    }
    let mut lines = wrapped(line, width);
    if lines.is_empty() {
        lines.push(String::new());
    }
    lines
}
