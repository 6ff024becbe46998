//! Templates and environments: text to value, with places (`heatclient/common/template_format.py`,
//! `environment_format.py`).

use std::rc::Rc;

use serde_json::Value;
use yaml11::{Document, Duplicates, Objects, Options, Tabs};

use super::error::{Error, Spot};

/// The keys one of which makes a mapping a template.
pub(crate) const VERSION_KEYS: [&str; 3] = [
    "heat_template_version",
    "HeatTemplateFormatVersion",
    "AWSTemplateFormatVersion",
];

/// The sections of an environment.
const SECTIONS: [&str; 6] = [
    "parameter_defaults",
    "parameters",
    "resource_registry",
    "encrypted_param_names",
    "event_sinks",
    "parameter_merge_strategies",
];

/// A file that was read and understood.
pub(crate) struct Parsed {
    pub(crate) value: Value,
    source: Source,
    /// None for JSON, which has no places.
    document: Option<Rc<Document>>,
    start: Start,
}

/// A place in a file, found when it is wanted: that takes a second reading.
pub(crate) struct Mark {
    file: String,
    document: Option<Rc<Document>>,
    start: Start,
    pointer: String,
}

impl Mark {
    /// The place, without the text of its line.
    pub(crate) fn spot(&self) -> Spot {
        let document = self.document.as_ref();
        let position = document.and_then(|document| document.position(&self.pointer));
        Spot {
            at: position.map(|at| self.start.shifted(at.line, at.column)),
            ..Spot::file(&self.file)
        }
    }
}

/// A text and what it is called.
pub(crate) struct Source {
    /// As it is shown.
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Source {
    /// The place of a line and column of this text, counted from 1.
    fn spot(&self, line: usize, column: usize) -> Spot {
        let text = self.text.replace("\r\n", "\n");
        let text = text
            .split(is_break)
            .nth(line.saturating_sub(1))
            .unwrap_or_default();
        Spot {
            file: self.name.clone(),
            at: Some((line, column)),
            text: text.to_owned(),
        }
    }
}

impl Parsed {
    /// Where the value stands that a JSON pointer names.
    pub(crate) fn spot(&self, pointer: &str) -> Spot {
        self.placed(
            self.document
                .as_ref()
                .and_then(|document| document.position(pointer)),
        )
    }

    /// The same, for later.
    pub(crate) fn mark(&self, pointer: &str) -> Mark {
        Mark {
            file: self.source.name.clone(),
            document: self.document.clone(),
            start: self.start,
            pointer: pointer.to_owned(),
        }
    }

    /// Where its key stands.
    pub(crate) fn key_spot(&self, pointer: &str) -> Spot {
        self.placed(
            self.document
                .as_ref()
                .and_then(|document| document.key_position(pointer)),
        )
    }

    /// Why something else than a mapping is refused.
    pub(crate) fn no_mapping(&self, what: &str) -> Error {
        let message = format!(
            "no {what}: {} stands where a mapping belongs",
            kind(&self.value)
        );
        Error::at(self.spot(""), message)
    }

    fn placed(&self, position: Option<yaml11::Position>) -> Spot {
        match position {
            Some(at) => {
                let (line, column) = self.start.shifted(at.line, at.column);
                self.source.spot(line, column)
            }
            None => Spot::file(&self.source.name),
        }
    }

    /// What the author should know: keys that stand twice.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let start = &self.start;
        let warnings = self.document.iter().flat_map(|document| &document.warnings);
        warnings
            .map(|warning| {
                let (line, column) = start.shifted(warning.position.line, warning.position.column);
                let (earlier, _) = start.shifted(warning.earlier_line, 1);
                let (file, key) = (&self.source.name, &warning.key);
                format!("{file}:{line}:{column}: duplicate key {key:?}: this one wins over line {earlier}")
            })
            .collect()
    }
}

/// What python-heatclient cuts off before it parses a template: blank lines, and the first line's indentation.
#[derive(Clone, Copy, Default)]
struct Start {
    lines: usize,
    columns: usize,
}

impl Start {
    fn of(text: &str) -> Self {
        let cut = text.len() - text.trim_start_matches(is_space).len();
        let blank = text.get(..cut).unwrap_or_default();
        let blank = blank.replace("\r\n", "\n");
        let line = blank.rsplit(is_break).next().unwrap_or_default();
        Self {
            lines: blank.matches(is_break).count(),
            columns: line.chars().count(),
        }
    }

    fn shifted(&self, line: usize, column: usize) -> (usize, usize) {
        let columns = if line == 1 { self.columns } else { 0 };
        (line + self.lines, column + columns)
    }
}

/// What ends a line of YAML 1.1.
fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// White space as Python's `str.strip` has it.
fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// Whether a text can be a template at all: a version key stands in it, literally.
pub(crate) fn may_be_template(text: &str) -> bool {
    VERSION_KEYS.iter().any(|key| text.contains(key))
}

/// Reads a template: JSON where it begins with a brace, else YAML.
///
/// # Errors
/// Names file, line, column and what is wrong there.
pub(crate) fn template(source: Source) -> Result<Parsed, Error> {
    let text = source.text.trim_matches(is_space);
    let start = Start::of(&source.text);
    let (value, document) = if text.starts_with('{') {
        match serde_json::from_str::<Value>(text) {
            Ok(value) => (value, None),
            Err(error) => {
                let (line, column) = start.shifted(error.line(), error.column().max(1));
                let message = error.to_string();
                let message = message.split(" at line ").next().unwrap_or_default();
                let message = format!("not JSON, though it begins with a brace: {message}");
                return Err(Error::at(source.spot(line, column), message));
            }
        }
    } else {
        let mut document = read(text, Tabs::Separate).map_err(|error| {
            let (line, column) = start.shifted(error.line, error.column);
            broken(&source, error.message, line, column)
        })?;
        let value = std::mem::take(&mut document.value);
        (value, Some(Rc::new(document)))
    };
    let parsed = Parsed {
        value,
        source,
        document,
        start,
    };
    if has_version(&parsed.value) {
        Ok(parsed)
    } else {
        Err(no_template(&parsed))
    }
}

/// Whether the value holds a version key as Python's `in` has it: a key, an item, a part of a text.
fn has_version(value: &Value) -> bool {
    VERSION_KEYS.iter().any(|key| match value {
        Value::Object(map) => map.contains_key(*key),
        Value::Array(items) => items.iter().any(|item| item == key),
        Value::String(text) => text.contains(key),
        _ => false,
    })
}

fn no_template(parsed: &Parsed) -> Error {
    let keys = "heat_template_version, HeatTemplateFormatVersion or AWSTemplateFormatVersion";
    match &parsed.value {
        Value::Object(map) => {
            let near = map.keys().find(|key| {
                let key = key.to_lowercase();
                key.contains("template") || key.ends_with("version")
            });
            let (spot, message) = match near {
                Some(key) => (
                    parsed.key_spot(&format!("/{}", escaped(key))),
                    format!("{key:?} is no version key: a template needs {keys}"),
                ),
                None => (
                    parsed.spot(""),
                    format!("no template: the version key is missing ({keys})"),
                ),
            };
            Error::at(spot, message)
        }
        Value::Null => Error::at(Spot::file(&parsed.source.name), "no template: it is empty"),
        _ if is_page(&parsed.source.text) => {
            Error::at(parsed.spot(""), "this is a web page (HTML), no template")
        }
        _ => parsed.no_mapping("template"),
    }
}

/// Reads an environment: always YAML, of which JSON is a part.
///
/// # Errors
/// As [`template`], and names a section that there is not.
pub(crate) fn environment(source: Source) -> Result<Parsed, Error> {
    let mut document = read(&source.text, Tabs::Separate)
        .map_err(|error| broken(&source, error.message, error.line, error.column))?;
    let value = std::mem::take(&mut document.value);
    // Unlike a template, it is parsed with the blanks at its beginning.
    let parsed = Parsed {
        value,
        source,
        document: Some(Rc::new(document)),
        start: Start::default(),
    };
    match &parsed.value {
        Value::Object(map) => {
            if let Some(wrong) = map.keys().find(|key| !SECTIONS.contains(&key.as_str())) {
                let spot = parsed.key_spot(&format!("/{}", escaped(wrong)));
                let message = format!("{wrong:?} is no section of an environment");
                let hint = if VERSION_KEYS.contains(&wrong.as_str()) {
                    "this is a template: templates are given with --template".to_owned()
                } else {
                    format!("the sections are {}", SECTIONS.join(", "))
                };
                return Err(Error::at(spot, message).with_hint(Some(hint)));
            }
            Ok(parsed)
        }
        Value::Null => Ok(Parsed {
            value: Value::Object(serde_json::Map::new()),
            ..parsed
        }),
        _ if is_page(&parsed.source.text) => Err(Error::at(
            parsed.spot(""),
            "this is a web page (HTML), no environment",
        )),
        _ => Err(parsed.no_mapping("environment")),
    }
}

/// Reads what `stack abandon` wrote. The client uses the loader that refuses tabs.
///
/// # Errors
/// As [`template`].
pub(crate) fn adopted(source: Source) -> Result<Parsed, Error> {
    let mut document = read(&source.text, Tabs::Refuse)
        .map_err(|error| broken(&source, error.message, error.line, error.column))?;
    let value = std::mem::take(&mut document.value);
    Ok(Parsed {
        value,
        source,
        document: Some(Rc::new(document)),
        start: Start::default(),
    })
}

fn read(text: &str, tabs: Tabs) -> Result<Document, yaml11::Error> {
    let options = Options {
        tabs,
        duplicates: Duplicates::Warn,
        objects: Objects::Simplify,
        ..Options::default()
    };
    yaml11::read(text, &options)
}

fn broken(source: &Source, message: String, line: usize, column: usize) -> Error {
    if is_page(&source.text) {
        return Error::at(source.spot(1, 1), "this is a web page (HTML), not YAML");
    }
    Error::at(source.spot(line, column), message)
}

/// Whether a text begins as a web page does.
pub(crate) fn is_page(text: &str) -> bool {
    let start: String = text.trim_start_matches(is_space).chars().take(15).collect();
    let start = start.to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

/// What a value is called in messages.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}

/// A key as a step of a JSON pointer.
pub(crate) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
