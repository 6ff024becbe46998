//! `heat-wait stack output list` and `stack output show` (heatclient/osc/v1/stack.py:989-1103).

use serde_json::{Map, Value};
use wait_cli::argument::Given;
use wait_cli::options::Shape;
use wait_cli::output::{self, Cell};
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure};

use crate::args;
use crate::model::StackRef;
use crate::reading::Reading;

pub(crate) fn list(given: &Given, stage: &mut Stage<'_>) -> Result<Exit, Failure> {
    const COLUMNS: [&str; 2] = ["output_key", "description"];
    let layout = stage.layout(Shape::List)?;
    let reading = Reading::begin(stage)?;
    let stack = reading.find(&args::stack(given))?;
    let listed = reading.ask(&stack.label(), &mut |client, budget| {
        client.object(Some(&stack), "/outputs", budget)
    })?;
    let outputs = match listed {
        Some(answer) => objects(answer.get("outputs")),
        // A Heat that has no list of outputs shows them with the stack.
        None => all(&reading, &stack)?,
    };
    let headers = COLUMNS.map(str::to_owned);
    let rows: Vec<Vec<Cell>> = outputs
        .iter()
        .map(|output| COLUMNS.map(|key| field(output, key)).to_vec())
        .collect();
    let text = output::list(&layout, &headers, &rows)
        .map_err(|error| Failure::usage(error.to_string()))?;
    stage.print(&text)?;
    Ok(Exit::Reached)
}

pub(crate) fn show(given: &Given, stage: &mut Stage<'_>) -> Result<Exit, Failure> {
    let layout = stage.layout(Shape::One)?;
    let output = given.raw("OUTPUT");
    given.not_both("OUTPUT", "--all")?;
    if output.is_none() && !given.flag("--all") {
        return Err(Failure::usage("give the name of an output, or --all"));
    }
    let reading = Reading::begin(stage)?;
    let stack = reading.find(&args::stack(given))?;
    let fields = match output {
        Some(key) => one(&reading, &stack, key)?,
        None => all(&reading, &stack)?
            .into_iter()
            .map(|output| {
                let key = output.get("output_key").and_then(Value::as_str);
                let key = key.unwrap_or_default().to_owned();
                let value = Value::Object(output);
                let human = indented(&value);
                (key, Cell::shown(value, human))
            })
            .collect(),
    };
    let text = output::one(&layout, &fields).map_err(|error| Failure::usage(error.to_string()))?;
    stage.print(&text)?;
    Ok(Exit::Reached)
}

/// The fields of one output, in the order of the answer.
fn one(reading: &Reading<'_>, stack: &StackRef, key: &str) -> Result<Vec<(String, Cell)>, Failure> {
    let path = format!("/outputs/{}", os_identity::url::encode(key));
    let label = format!("output {key} of {}", stack.label());
    let shown = reading.ask(&label, &mut |client, budget| {
        client.object(Some(stack), &path, budget)
    })?;
    let found = match shown {
        Some(answer) => answer.get("output").and_then(Value::as_object).cloned(),
        None => all(reading, stack)?
            .into_iter()
            .find(|output| output.get("output_key").and_then(Value::as_str) == Some(key)),
    };
    let Some(output) = found else {
        return Err(Failure::new(
            Exit::NotFound,
            format!("{}: it has no output {key}", stack.label()),
        ));
    };
    if let Some(error) = output.get("output_error") {
        let error = output::python_text(error);
        return Err(Failure::new(Exit::Failed, format!("{label}: {error}")));
    }
    let fields = output.into_iter();
    Ok(fields
        .map(|(name, value)| (name, Cell::plain(value)))
        .collect())
}

/// Every output, as the stack itself shows them.
fn all(reading: &Reading<'_>, stack: &StackRef) -> Result<Vec<Map<String, Value>>, Failure> {
    let answer = reading.of(stack, &mut |client, budget| {
        client.object(Some(stack), "", budget)
    })?;
    Ok(objects(
        answer.get("stack").and_then(|stack| stack.get("outputs")),
    ))
}

fn objects(list: Option<&Value>) -> Vec<Map<String, Value>> {
    let list = list.and_then(Value::as_array);
    list.into_iter()
        .flatten()
        .filter_map(Value::as_object)
        .cloned()
        .collect()
}

fn field(output: &Map<String, Value>, key: &str) -> Cell {
    Cell::plain(output.get(key).cloned().unwrap_or_else(|| Value::from("")))
}

/// JSON as the client shows it in tables: two spaces a level, a space at the end of each line that goes on, letters as
/// they are (heatclient/common/utils.py, `json_formatter`).
fn indented(value: &Value) -> String {
    let mut text = String::new();
    push_json(value, 1, &mut text);
    text
}

fn push_json(value: &Value, level: usize, out: &mut String) {
    let (open, close, items): (char, char, Vec<(Option<&String>, &Value)>) = match value {
        Value::Array(items) => ('[', ']', items.iter().map(|item| (None, item)).collect()),
        Value::Object(map) => {
            let items = map.iter().map(|(key, value)| (Some(key), value));
            ('{', '}', items.collect())
        }
        // Python writes numbers as it prints them.
        Value::Number(_) => return out.push_str(&output::python_text(value)),
        scalar => return out.push_str(&scalar.to_string()),
    };
    out.push(open);
    for (at, (key, item)) in items.iter().enumerate() {
        out.push_str(if at == 0 { "\n" } else { ", \n" });
        out.push_str(&"  ".repeat(level));
        if let Some(key) = key {
            out.push_str(&Value::from(key.as_str()).to_string());
            out.push_str(": ");
        }
        push_json(item, level + 1, out);
    }
    if !items.is_empty() {
        out.push('\n');
        out.push_str(&"  ".repeat(level - 1));
    }
    out.push(close);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn json_for_people_is_what_python_writes() {
        let value = json!({"a": [1, 2.50, null, true], "b": {}, "c": [], "d": "h\u{e9}\n\"x\""});
        let expected = "{\n  \"a\": [\n    1, \n    2.5, \n    null, \n    true\n  ], \n  \"b\": {}, \n  \"c\": [], \n  \"d\": \"hé\\n\\\"x\\\"\"\n}";
        assert_eq!(indented(&value), expected);
    }
}
