//! JSON as Python's `json.dumps` writes it: the form that python-heatclient gives nested templates and environments.

use std::io;

use serde::Serialize as _;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};

/// `value` with spaces after commas and colons, and ASCII only.
pub(crate) fn dumps(value: &Value) -> String {
    let mut out = Vec::new();
    // Writing a value into memory cannot fail.
    let _ = value.serialize(&mut Serializer::with_formatter(&mut out, Python));
    String::from_utf8_lossy(&out).into_owned()
}

struct Python;

impl Formatter for Python {
    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if fragment.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            return out.write_all(fragment.as_bytes());
        }
        for c in fragment.chars() {
            if (' '..='~').contains(&c) {
                write!(out, "{c}")?;
            } else {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}")?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::dumps;
    use serde_json::json;

    #[test]
    fn text_is_written_as_python_writes_it() {
        let value = json!({"a": [1, "é\u{1F600}\u{7f}\n\"\\"], "b": {}, "c": [], "d": null});
        let expected =
            r#"{"a": [1, "\u00e9\ud83d\ude00\u007f\n\"\\"], "b": {}, "c": [], "d": null}"#;
        assert_eq!(dumps(&value), expected);
    }
}
