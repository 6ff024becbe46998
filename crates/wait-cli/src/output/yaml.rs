//! YAML as PyYAML's `safe_dump(default_flow_style=False)` writes it (cliff `formatters/yaml_format.py`).

use serde_json::Value;

use super::{Cell, json};

/// Each field is a document of its own in cliff, so the fields keep their order.
pub(super) fn one(fields: &[(&str, &Cell)]) -> String {
    fields
        .iter()
        .map(|field| dump(&json::object(std::iter::once(*field))))
        .collect()
}

/// One sequence; within its mappings the keys are sorted.
pub(super) fn list(headers: &[&str], rows: &[Vec<&Cell>]) -> String {
    let row = |row: &Vec<&Cell>| json::object(headers.iter().copied().zip(row.iter().copied()));
    dump(&Value::Array(rows.iter().map(row).collect()))
}

fn dump(value: &Value) -> String {
    yaml11::write(value)
}
