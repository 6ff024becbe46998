//! The text that `yaml.safe_dump(data, default_flow_style=False)` writes (`yaml/emitter.py`, `yaml/representer.py`):
//! block style, sorted keys, lines folded after column 80, everything but ASCII escaped.

mod scalar;
mod traits;

use crate::number;
use scalar::Context;
use serde_json::{Map, Number, Value};

/// Columns that each level adds.
const INDENT: usize = 2;

/// Writes a value as PyYAML's safe dumper writes it, with a line feed at the end.
///
/// ```
/// let value = serde_json::json!({"status": "yes", "outputs": [{"port": "0080"}, {}], "reason": ""});
/// assert_eq!(yaml11::write(&value), "outputs:\n- port: 0080\n- {}\nreason: ''\nstatus: 'yes'\n");
/// ```
pub fn write(value: &Value) -> String {
    let mut writer = Writer::default();
    writer.node(value, None, Context::Root);
    writer.start_line(0);
    if writer.open_ended {
        writer.out.push_str("...\n");
    }
    writer.out
}

/// The text so far and what PyYAML's emitter remembers of it.
#[derive(Default)]
struct Writer {
    out: String,
    column: usize,
    /// A blank or a line's start was written last.
    blank: bool,
    /// Only indentation and indicators stand on this line.
    indention: bool,
    /// The text ends in a plain scalar that a reader could take to go on.
    open_ended: bool,
}

impl Writer {
    /// Writes a value inside a collection whose entries stand in column `indent`.
    fn node(&mut self, value: &Value, indent: Option<usize>, context: Context) {
        match value {
            Value::Array(items) if items.is_empty() => self.empty("[]"),
            Value::Object(map) if map.is_empty() => self.empty("{}"),
            Value::Array(items) => self.sequence(items, indent, context),
            Value::Object(map) => self.mapping(map, indent),
            Value::String(text) => self.text(text, indent, context),
            Value::Null => self.plain("null", indent, context),
            Value::Bool(true) => self.plain("true", indent, context),
            Value::Bool(false) => self.plain("false", indent, context),
            Value::Number(number) => self.plain(&number_text(number), indent, context),
        }
    }

    fn empty(&mut self, brackets: &str) {
        self.indicator(brackets, true, false);
        self.blank = false;
    }

    fn sequence(&mut self, items: &[Value], indent: Option<usize>, context: Context) {
        let column = match indent {
            None => 0,
            // The dashes of a list under a key stand below the key.
            Some(indent) if context == Context::Value && !self.indention => indent,
            Some(indent) => indent + INDENT,
        };
        for item in items {
            self.start_line(column);
            self.indicator("-", true, true);
            self.node(item, Some(column), Context::Item);
        }
    }

    fn mapping(&mut self, map: &Map<String, Value>, indent: Option<usize>) {
        let column = indent.map_or(0, |indent| indent + INDENT);
        // Python sorts text by code points, which is the order of UTF-8.
        let mut entries: Vec<(&String, &Value)> = map.iter().collect();
        entries.sort_unstable_by_key(|(key, _)| *key);
        for (key, value) in entries {
            self.start_line(column);
            if scalar::is_simple_key(key) {
                self.text(key, Some(column), Context::SimpleKey);
                self.indicator(":", false, false);
            } else {
                self.indicator("?", true, true);
                self.text(key, Some(column), Context::Value);
                self.start_line(column);
                self.indicator(":", true, true);
            }
            self.node(value, Some(column), Context::Value);
        }
    }

    fn indicator(&mut self, indicator: &str, needs_blank: bool, indention: bool) {
        if needs_blank && !self.blank && !self.out.is_empty() {
            self.raw(" ");
        }
        self.raw(indicator);
        self.blank = false;
        self.indention &= indention;
        self.open_ended = false;
    }

    /// Goes to a column, on a new line unless this one holds nothing but indentation up to there.
    fn start_line(&mut self, column: usize) {
        let started = self.indention || self.out.is_empty();
        if !started
            || self.column > column
            || (self.column == column && !self.blank && !self.out.is_empty())
        {
            self.line_break('\n');
        }
        if self.column < column {
            self.blank = true;
            self.raw(&" ".repeat(column - self.column));
        }
        if self.out.is_empty() {
            (self.blank, self.indention) = (true, true);
        }
    }

    fn line_break(&mut self, line_end: char) {
        self.out.push(line_end);
        self.blank = true;
        self.indention = true;
        self.column = 0;
    }

    fn raw(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }
}

/// A number as Python writes it once `json` has read it.
fn number_text(number: &Number) -> String {
    let text = number.to_string();
    let digits = text.strip_prefix('-').unwrap_or(&text);
    if digits.bytes().all(|b| b.is_ascii_digit()) {
        return if digits == "0" { "0".to_owned() } else { text };
    }
    let Ok(float) = text.parse::<f64>() else {
        return text;
    };
    if float.is_nan() {
        return ".nan".to_owned();
    }
    if float.is_infinite() {
        return if float > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let repr = number::python_repr(float);
    // YAML 1.1 has no float without a point.
    match repr.split_once('e') {
        Some((mantissa, exponent)) if !mantissa.contains('.') => format!("{mantissa}.0e{exponent}"),
        _ => repr,
    }
}
