//! YAML 1.1, in every mode.

use yaml11::{Duplicates, Objects, Options, Schema, Tabs};

/// Reads the text in one of the modes, by its length. What was read is written, and read back as the same; an error shows
/// a line of the text.
pub(crate) fn yaml11(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (schema, tabs, objects) = match data.len() % 4 {
        0 => (Schema::Python, Tabs::Refuse, Objects::Refuse),
        1 => (Schema::Python, Tabs::Separate, Objects::Simplify),
        2 => (Schema::Text, Tabs::Refuse, Objects::Refuse),
        _ => (Schema::Text, Tabs::Separate, Objects::Refuse),
    };
    let options = Options {
        schema,
        tabs,
        objects,
        duplicates: Duplicates::Warn,
        alias_nodes: 2_000,
        alias_bytes: 1 << 16,
    };
    match yaml11::read(&text, &options) {
        Ok(document) => {
            assert!(document.position("").is_some(), "the root has a place");
            for warning in &document.warnings {
                assert!(warning.earlier_line <= warning.position.line, "{warning}");
            }
            written(&document.value, &options);
        }
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1, "{error:?}");
            assert!(text.contains(&error.text), "{error:?}");
            assert!(!error.message.is_empty(), "{error:?}");
        }
    }
}

/// The writer quotes for PyYAML, whatever read the value.
fn written(value: &serde_json::Value, options: &Options) {
    if depth(value) > DEEPEST {
        return;
    }
    let text = yaml11::write(value);
    let back = yaml11::read(
        &text,
        &Options {
            schema: Schema::Python,
            ..*options
        },
    );
    let back = back.unwrap_or_else(|error| panic!("{error} in what was written: {text:?}"));
    assert_eq!(back.value, *value, "read back from {text:?}");
}

/// Where the indentation alone is wider than a line, PyYAML's emitter breaks texts, and so do we (tests/pyyaml.rs).
const DEEPEST: usize = 35;

fn depth(value: &serde_json::Value) -> usize {
    let deepest = match value {
        serde_json::Value::Array(items) => items.iter().map(depth).max(),
        serde_json::Value::Object(members) => members.values().map(depth).max(),
        _ => return 0,
    };
    1 + deepest.unwrap_or_default()
}
