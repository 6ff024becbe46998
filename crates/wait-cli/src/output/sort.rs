//! Sorting rows: `--sort-column` (cliff `lister.py:97`), with the order that Python gives to values.

use std::cell::Cell as Flag;
use std::cmp::Ordering;

use serde_json::{Number, Value};

use super::{Cell, Layout, SortDirection, python, select};
use crate::order;

/// The rows in the order asked for; equal rows keep theirs.
pub(super) fn sorted<'a>(
    layout: &Layout,
    headers: &[String],
    rows: &'a [Vec<Cell>],
) -> Vec<&'a [Cell]> {
    let mut rows: Vec<&[Cell]> = rows.iter().map(Vec::as_slice).collect();
    // Sorting is stable: the column that counts most is sorted last.
    for column in layout.sort_columns.iter().rev() {
        let Some(index) = position(column, headers) else {
            continue;
        };
        let before = rows.clone();
        let comparable = Flag::new(true);
        order::sort_by(&mut rows, |a, b| {
            let order = compare_cells(a.get(index), b.get(index)).unwrap_or_else(|| {
                comparable.set(false);
                Ordering::Equal
            });
            match layout.sort_direction {
                SortDirection::Ascending => order,
                SortDirection::Descending => order.reverse(),
            }
        });
        if !comparable.get() {
            log::warn!("could not sort by column {column}: its values cannot be compared");
            rows = before;
        }
    }
    rows
}

fn position(column: &str, headers: &[String]) -> Option<usize> {
    headers
        .iter()
        .position(|header| header == column)
        .or_else(|| {
            let wanted = select::normal(column);
            headers
                .iter()
                .position(|header| select::normal(header) == wanted)
        })
}

/// Unset values come after all others; a cell with a text for people is never unset.
fn compare_cells(a: Option<&Cell>, b: Option<&Cell>) -> Option<Ordering> {
    let (a, b) = (a?, b?);
    let unset = |cell: &Cell| cell.human().is_none() && cell.value().is_null();
    match (unset(a), unset(b)) {
        (false, false) => compare(a.value(), b.value()),
        (a, b) => Some(a.cmp(&b)),
    }
}

/// Python's order, or `None` where Python raises `TypeError`.
fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        (Value::Array(a), Value::Array(b)) => {
            let different = a.iter().zip(b).find(|(a, b)| a != b);
            different.map_or_else(|| Some(a.len().cmp(&b.len())), |(a, b)| compare(a, b))
        }
        (a, b) => match (numeric(a), numeric(b)) {
            (Some(a), Some(b)) => compare_numbers(&a, &b),
            _ => (a == b).then_some(Ordering::Equal),
        },
    }
}

/// Booleans are numbers in Python.
fn numeric(value: &Value) -> Option<Number> {
    match value {
        Value::Bool(flag) => Some(Number::from(u8::from(*flag))),
        Value::Number(number) => Some(number.clone()),
        _ => None,
    }
}

fn compare_numbers(a: &Number, b: &Number) -> Option<Ordering> {
    let integer = |number: &Number| python::number(number).parse::<i128>().ok();
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => a
            .to_string()
            .parse::<f64>()
            .ok()?
            .partial_cmp(&b.to_string().parse().ok()?),
    }
}
