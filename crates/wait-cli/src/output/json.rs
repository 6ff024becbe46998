//! JSON as Python's `json.dump` writes it (cliff `formatters/json_format.py`): ASCII only, two spaces.

use std::io::{self, Write};

use serde_json::ser::{Formatter, PrettyFormatter};
use serde_json::{Map, Number, Value};

use super::{Cell, python};
use crate::printable::{to_json, write_fragment};

/// One object.
pub(super) fn one(fields: &[(&str, &Cell)], noindent: bool) -> serde_json::Result<String> {
    dump(&object(fields.iter().copied()), noindent)
}

/// An array of objects.
pub(super) fn list(
    headers: &[&str],
    rows: &[Vec<&Cell>],
    noindent: bool,
) -> serde_json::Result<String> {
    let rows = rows
        .iter()
        .map(|row| object(headers.iter().copied().zip(row.iter().copied())));
    dump(&Value::Array(rows.collect()), noindent)
}

/// The machine values by column name.
pub(super) fn object<'a>(cells: impl Iterator<Item = (&'a str, &'a Cell)>) -> Value {
    let map: Map<String, Value> = cells
        .map(|(name, cell)| (name.to_owned(), cell.value().clone()))
        .collect();
    Value::Object(map)
}

fn dump(value: &Value, noindent: bool) -> serde_json::Result<String> {
    let mut text = if noindent {
        to_json(value, OneLine)?
    } else {
        to_json(value, Indented(PrettyFormatter::new()))?
    };
    text.push('\n');
    Ok(text)
}

/// Python escapes what is not ASCII; DEL, which it leaves raw, is escaped too: the value is the same.
fn escape(c: char) -> bool {
    !c.is_ascii() || c == '\u{7f}'
}

/// Numbers as Python prints what it read: `1.10` is `1.1`, what is too large is `Infinity`.
fn write_number<W: ?Sized + Write>(writer: &mut W, written: &str) -> io::Result<()> {
    match python::float(written) {
        Some(float) if float.is_infinite() => writer.write_all(if float > 0.0 {
            b"Infinity"
        } else {
            b"-Infinity"
        }),
        _ => {
            let number: Number = written.parse().map_err(io::Error::other)?;
            writer.write_all(python::number(&number).as_bytes())
        }
    }
}

/// `{"a": [1, 2]}`: `--noindent`.
struct OneLine;

impl Formatter for OneLine {
    fn write_number_str<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        value: &str,
    ) -> io::Result<()> {
        write_number(writer, value)
    }

    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        text: &str,
    ) -> io::Result<()> {
        write_fragment(writer, text, escape)
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

/// Two spaces a level, as serde_json's own.
struct Indented(PrettyFormatter<'static>);

impl Formatter for Indented {
    fn write_number_str<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        value: &str,
    ) -> io::Result<()> {
        write_number(writer, value)
    }

    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        text: &str,
    ) -> io::Result<()> {
        write_fragment(writer, text, escape)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}
