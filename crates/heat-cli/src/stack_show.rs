//! `heat-wait stack show`: one stack as the Python client shows it (heatclient/osc/v1/stack.py:417-490).

use serde_json::{Map, Value};
use wait_cli::argument::Given;
use wait_cli::options::Shape;
use wait_cli::output::{self, Cell, Format};
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure};

use crate::args;
use crate::reading::Reading;
use crate::show::SHORT;

/// What is made of several values, and has a form of its own in each format.
const COMPLEX: [&str; 4] = ["parameters", "outputs", "links", "tags"];

pub(crate) fn run(given: &Given, stage: &mut Stage<'_>) -> Result<Exit, Failure> {
    let layout = stage.layout(Shape::One)?;
    let resolve = !given.flag("--no-resolve-outputs");
    let reading = Reading::begin(stage)?;
    let stack = reading.find(&args::stack(given))?;
    let query = if resolve {
        ""
    } else {
        "?resolve_outputs=False"
    };
    let answer = reading.of(&stack, &mut |client, budget| {
        client.object(Some(&stack), query, budget)
    })?;
    let raw = answer.get("stack").and_then(Value::as_object);
    let raw = raw.ok_or_else(|| {
        Failure::new(
            Exit::Unknown,
            format!("{}: the answer holds no stack", stack.label()),
        )
    })?;
    let fields = fields(raw, layout.format, resolve);
    let text = output::one(&layout, &fields).map_err(|error| Failure::usage(error.to_string()))?;
    stage.print(&text)?;
    Ok(Exit::Reached)
}

/// The short columns, what is complex, and then whatever else Heat says, in its own order.
fn fields(raw: &Map<String, Value>, format: Format, outputs: bool) -> Vec<(String, Cell)> {
    let mut names: Vec<&str> = SHORT.to_vec();
    names.push("parameters");
    if outputs {
        names.push("outputs");
    }
    names.push("links");
    for key in raw.keys().map(String::as_str) {
        if !names.contains(&key) && key != "template_description" {
            names.push(key);
        }
    }
    names
        .into_iter()
        .map(|name| (name.to_owned(), cell(raw, name, format)))
        .collect()
}

fn cell(raw: &Map<String, Value>, name: &str, format: Format) -> Cell {
    // What Heat leaves out is an empty text to the client.
    let value = raw.get(name).cloned().unwrap_or_else(|| Value::from(""));
    match format {
        Format::Table if COMPLEX.contains(&name) => {
            let human = yaml11::write(&value);
            Cell::shown(value, human)
        }
        Format::Value | Format::Shell if COMPLEX.contains(&name) => Cell::shown(value, ""),
        _ => Cell::plain(value),
    }
}
