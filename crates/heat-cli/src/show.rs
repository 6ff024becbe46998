//! What is printed of stacks: the columns of the Python client.

use serde_json::{Map, Value};
use wait_cli::output::{self, Cell, Layout};
use wait_cli::{Exit, Failure};

use crate::model::Stack;

/// The fields of one stack after a create, update or adopt (heatclient/osc/v1/stack.py, `_show_stack` with `short`).
pub(crate) const SHORT: [&str; 7] = [
    "id",
    "stack_name",
    "description",
    "creation_time",
    "updated_time",
    "stack_status",
    "stack_status_reason",
];

/// The columns of a list of stacks after an action (heatclient/osc/v1/stack.py, `_action_end_point`).
const LIST: [(&str, &str); 5] = [
    ("ID", "id"),
    ("Stack Name", "stack_name"),
    ("Stack Status", "stack_status"),
    ("Creation Time", "creation_time"),
    ("Updated Time", "updated_time"),
];

/// One stack. `verdict` is added where it is not plain that all went well.
///
/// # Errors
/// A column that is none.
pub fn one(layout: &Layout, stack: &Stack, verdict: Option<Exit>) -> Result<String, Failure> {
    let mut fields: Vec<(String, Cell)> = SHORT
        .iter()
        .map(|key| ((*key).to_owned(), cell(stack.raw(), key)))
        .collect();
    fields.extend(
        verdict
            .into_iter()
            .flat_map(|exit| verdict_cells(layout, exit)),
    );
    output::one(layout, &fields).map_err(|error| Failure::usage(error.to_string()))
}

/// Several stacks, each with its verdict in JSON.
///
/// # Errors
/// A column that is none.
pub fn list(layout: &Layout, stacks: &[(&Stack, Exit)]) -> Result<String, Failure> {
    let mut headers: Vec<String> = LIST.iter().map(|(title, _)| (*title).to_owned()).collect();
    headers.extend(
        verdict_cells(layout, Exit::Reached)
            .into_iter()
            .map(|(name, _)| name),
    );
    let rows: Vec<Vec<Cell>> = stacks
        .iter()
        .map(|(stack, exit)| {
            let mut row: Vec<Cell> = LIST.iter().map(|(_, key)| cell(stack.raw(), key)).collect();
            row.extend(
                verdict_cells(layout, *exit)
                    .into_iter()
                    .map(|(_, cell)| cell),
            );
            row
        })
        .collect();
    output::list(layout, &headers, &rows).map_err(|error| Failure::usage(error.to_string()))
}

/// `outcome` and `exit`, for the formats that programs read whole.
fn verdict_cells(layout: &Layout, exit: Exit) -> Vec<(String, Cell)> {
    match layout.format {
        output::Format::Json => vec![
            ("outcome".to_owned(), Cell::plain(exit.name())),
            ("exit".to_owned(), Cell::plain(exit.code())),
        ],
        _ => Vec::new(),
    }
}

fn cell(raw: &Map<String, Value>, key: &str) -> Cell {
    Cell::plain(raw.get(key).cloned().unwrap_or(Value::Null))
}
