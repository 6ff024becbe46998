//! How Python writes values: `str()` and `repr()`, which cliff shows to people and scripts alike.

use serde_json::{Number, Value};

use crate::printable::push_escape;

/// Writes a value as Python's `str()` does: text as itself, `None`, `True`, `{'a': [1, 2.0]}`.
///
/// Formatters of the Python clients build on it, so callers that make a text for people need it as well.
#[must_use]
pub fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => {
            let mut out = String::new();
            repr(other, &mut out);
            out
        }
    }
}

/// Writes names as Python prints a list of strings: `['a', 'b']`.
pub(super) fn list(names: &[String]) -> String {
    text(&Value::from(names))
}

/// Writes a number as Python reads and prints it: integers with every digit, floats in their shortest form.
pub(super) fn number(number: &Number) -> String {
    let written = number.to_string();
    match float(&written) {
        None if written == "-0" => "0".to_owned(),
        None => written,
        Some(float) => float_repr(float),
    }
}

/// The float that a JSON number is to Python, or `None` for an integer: a point or an exponent decides.
///
/// `Infinity` and `NaN`, which Python's JSON knows and YAML can bring in, are floats.
pub(super) fn float(written: &str) -> Option<f64> {
    written
        .contains(['.', 'e', 'E', 'I', 'N'])
        .then(|| written.parse().ok())?
}

/// Python's `repr(float)`: the thresholds of Rust's `Debug` are the same, the exponent looks different.
fn float_repr(float: f64) -> String {
    let shortest = format!("{float:?}").to_lowercase();
    match shortest.split_once('e') {
        None => shortest,
        Some((digits, exponent)) => {
            let (sign, exponent) = exponent
                .strip_prefix('-')
                .map_or(('+', exponent), |exponent| ('-', exponent));
            format!("{digits}e{sign}{exponent:0>2}")
        }
    }
}

fn repr(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Number(of) => out.push_str(&number(of)),
        Value::String(text) => repr_text(text, out),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                separate(i, out);
                repr(item, out);
            }
            out.push(']');
        }
        Value::Object(map) => {
            out.push('{');
            for (i, (key, item)) in map.iter().enumerate() {
                separate(i, out);
                repr_text(key, out);
                out.push_str(": ");
                repr(item, out);
            }
            out.push('}');
        }
    }
}

fn separate(index: usize, out: &mut String) {
    if index > 0 {
        out.push_str(", ");
    }
}

/// Single quotes, unless the text has some and no double ones; what is not printable is escaped.
fn repr_text(text: &str, out: &mut String) {
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    out.push(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            c if c == ' ' || c.is_ascii_graphic() || is_printable(c) => out.push(c),
            c => push_escape(out, c),
        }
    }
    out.push(quote);
}

/// Python's `str.isprintable`, which is the rule by which `Debug` escapes: behind another character, where
/// a combining mark is not escaped for standing alone.
fn is_printable(c: char) -> bool {
    let mut pair = ['a', c]
        .iter()
        .collect::<String>()
        .escape_debug()
        .collect::<String>();
    pair.pop() == Some(c) && pair == "a"
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn floats_are_written_as_python_writes_them() {
        let read = |json: &str| number(&serde_json::from_str::<Number>(json).unwrap());
        for (json, python) in [
            ("1.10", "1.1"),
            ("1e3", "1000.0"),
            ("1e16", "1e+16"),
            ("123456789012345680.0", "1.2345678901234568e+17"),
            ("0.0001", "0.0001"),
            ("0.00001", "1e-05"),
            ("-1.5E-300", "-1.5e-300"),
            ("1e400", "inf"),
            ("-0.0", "-0.0"),
            ("5e-324", "5e-324"),
            ("-0", "0"),
            (
                "123456789012345678901234567890",
                "123456789012345678901234567890",
            ),
        ] {
            assert_eq!(read(json), python, "{json}");
        }
    }

    #[test]
    fn what_json_cannot_say_is_named_as_python_names_it() {
        for (number, python) in [("Infinity", "inf"), ("-Infinity", "-inf"), ("NaN", "nan")] {
            let value = Number::from_string_unchecked(number.to_owned());
            assert_eq!(super::number(&value), python);
        }
    }

    #[test]
    fn strings_inside_collections_are_quoted_and_escaped() {
        assert_eq!(
            text(
                &json!({"a": ["it's", "say \"x\"", "both ' \"", "\u{1b}\u{7f}\u{a0}\u{ad}é\u{301}日\n"]})
            ),
            r#"{'a': ["it's", 'say "x"', 'both \' "', '\x1b\x7f\xa0\xadé"#.to_owned()
                + "\u{301}日\\n']}"
        );
        assert_eq!(
            text(&json!([null, true, false, {}, []])),
            "[None, True, False, {}, []]"
        );
        assert_eq!(text(&json!("it's")), "it's");
    }
}
