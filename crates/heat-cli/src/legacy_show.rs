//! What `heat stack-create` prints: the list of stacks and the stack itself (heatclient/v1/shell.py, `do_stack_create`;
//! heatclient/common/utils.py, `print_list` and `print_dict`). Whatever keeps it from being printed, the verdict stands.

use poll_core::Deadline;
use serde_json::Value;
use wait_cli::options::Shape;
use wait_cli::output::{self, Cell};
use wait_cli::run::Stage;
use wait_cli::{Failure, order};

use crate::client::Client;
use crate::going::ask;
use crate::model::StackRef;

const COLUMNS: [&str; 5] = [
    "id",
    "stack_name",
    "stack_status",
    "creation_time",
    "updated_time",
];

/// How wide texts of several words may be (`text_wrap_formatter`).
const FOLDED: usize = 55;

/// Prints the user's stacks, the oldest first.
pub(crate) fn list(
    client: &Client<'_>,
    deadline: Deadline,
    stage: &mut Stage<'_>,
) -> Result<(), Failure> {
    let answer = ask(stage, deadline, "the list of stacks", &mut |left| {
        client.object(None, "/stacks", left)
    })?;
    let answer = answer.unwrap_or_default();
    let stacks = answer.get("stacks").and_then(Value::as_array);
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let mut stacks: Vec<&Value> = stacks.into_iter().flatten().collect();
    let created = |stack: &&Value| stack.get("creation_time").map(Value::to_string);
    order::sort_by(&mut stacks, |one, other| created(one).cmp(&created(other)));
    for stack in stacks {
        let cell = |key: &&str| Cell::plain(stack.get(*key).cloned().unwrap_or(Value::Null));
        rows.push(COLUMNS.iter().map(cell).collect());
    }
    print(&COLUMNS, &rows, stage)
}

/// Prints everything that Heat says of the stack.
pub(crate) fn show(
    client: &Client<'_>,
    stack: &StackRef,
    deadline: Deadline,
    stage: &mut Stage<'_>,
) -> Result<(), Failure> {
    let answer = ask(stage, deadline, &stack.label(), &mut |left| {
        client.object(Some(stack), "", left)
    })?;
    let answer = answer.unwrap_or_default();
    let fields = answer.get("stack").and_then(Value::as_object);
    let rows: Vec<Vec<Cell>> = fields
        .map(order::by_name)
        .into_iter()
        .flatten()
        .map(|(name, value)| vec![Cell::plain(name.clone()), property(name, value)])
        .collect();
    print(&["Property", "Value"], &rows, stage)
}

/// Prints the last line of a create that went well (heatclient/common/event_utils.py, `poll_for_events`).
pub(crate) fn end(name: &str, stage: &mut Stage<'_>) -> Result<(), Failure> {
    stage.print(&format!("\n Stack {name} CREATE_COMPLETE \n\n"))
}

fn property(name: &str, value: &Value) -> Cell {
    match name {
        "parameters" | "outputs" | "tags" => json_cell(value),
        "links" => link_cell(value),
        "description" | "template_description" | "stack_status_reason" => {
            let text = value.as_str().unwrap_or_default();
            Cell::shown(value.clone(), output::folded(text, FOLDED))
        }
        _ => Cell::plain(value.clone()),
    }
}

/// A value that people see as indented JSON (heatclient/common/utils.py, `json_formatter`).
pub(crate) fn json_cell(value: &Value) -> Cell {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    // Python's separator has a blank, before the end of a line, too.
    Cell::shown(value.clone(), text.replace(",\n", ", \n"))
}

/// Links that people see one a line (heatclient/common/utils.py, `link_formatter`).
pub(crate) fn link_cell(value: &Value) -> Cell {
    let links = value.as_array().into_iter().flatten();
    let text = |link: &Value, key: &str| {
        let text = link.get(key).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let lines: Vec<String> = links
        .map(|link| format!("{} ({})", text(link, "href"), text(link, "rel")))
        .collect();
    Cell::shown(value.clone(), lines.join("\n"))
}

fn print(headers: &[&str], rows: &[Vec<Cell>], stage: &mut Stage<'_>) -> Result<(), Failure> {
    let layout = stage.layout(Shape::List)?;
    let headers: Vec<String> = headers.iter().map(|header| (*header).to_owned()).collect();
    let text =
        output::list(&layout, &headers, rows).map_err(|error| Failure::usage(error.to_string()))?;
    stage.print(&text)
}
