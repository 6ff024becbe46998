//! YAML 1.1 as PyYAML's safe loader and safe dumper understand it, into and out of [`serde_json::Value`].
//!
//! OpenStack's services and clients read YAML with PyYAML: `yes` is a boolean there, `0777` is octal, `1:30` is 90, a
//! later duplicate key wins, and a tab is refused in other places than YAML 1.2 refuses it. [`read`] gives the value
//! that `json.dumps(yaml.load(text))` would send, with the position of every value; [`write()`] gives the text of
//! `yaml.safe_dump(data, default_flow_style=False)`, byte for byte.
//!
//! ```
//! use yaml11::{Duplicates, Options, Schema};
//!
//! let text = "on: [0777, 1:30, 2015-04-30]\nid: 1234567890123456789012\nid: ~\n";
//! let options = Options { duplicates: Duplicates::Warn, ..Options::default() };
//! let document = yaml11::read(text, &options)?;
//! assert_eq!(document.value.to_string(), r#"{"true":[511,90,"2015-04-30"],"id":null}"#);
//! assert_eq!(document.warnings[0].to_string(), "3:1: duplicate key \"id\": this one wins over line 2");
//! assert_eq!(document.position("/true/1").map(|at| (at.line, at.column)), Some((1, 12)));
//!
//! let options = Options { schema: Schema::Text, ..Options::default() };
//! let document = yaml11::read("project_id: 0012\nverify: no\n", &options)?;
//! assert_eq!(yaml11::write(&document.value), "project_id: '0012'\nverify: 'no'\n");
//!
//! let error = yaml11::read("a: 1\nb: [2, 3\n", &Options::default()).unwrap_err();
//! assert!(error.to_string().starts_with("3:1: "));
//! # Ok::<(), yaml11::Error>(())
//! ```
//!
//! # How
//! The text is cut into tokens by PyYAML's rules, written down again in the part of YAML on which 1.1 and 1.2 agree,
//! and read as yaml-rust2's events; tags, merges and keys are then worked out as PyYAML's constructor does.
//!
//! # What differs from PyYAML
//! - Timestamps stay text, as in python-heatclient's loader.
//! - What Python's `json` cannot write is refused, with its position: `!!binary`, `!!set` (but see [`Objects`]), and a
//!   collection that holds itself. `.inf` and `.nan` become the numbers `Infinity`, `-Infinity` and `NaN`, as `json.dumps` writes
//!   them: Python servers read these, strict JSON readers do not.
//! - Keys become text as `json.dumps` makes it; two keys that are one then are one, the later value wins.
//! - Half a surrogate pair in an escape (`"\ud800"`) is refused: it is no character.
//! - Nesting deeper than [`MAX_DEPTH`] is refused (PyYAML gives up near 490), as is an alias bomb.
//! - Merge lists follow PyYAML up to 6.0.3 and the YAML specification: of `<<: [*a, *b]`, `a` wins. (6.0.4 decides by
//!   the length of the key.)
//! - Python's own leniency about numbers under an explicit tag (`!!int "0x0x1"`, other scripts' digits) is not kept.

mod binary;
mod construct;
mod cursor;
mod error;
mod number;
mod place;
mod resolve;
mod scan;
mod structure;
mod write;

pub use error::Error;
pub use place::{Position, Warning};
pub use write::write;

use construct::Built;
use error::Fault;
use place::Place;
use serde_json::Value;
use std::sync::OnceLock;

/// How many collections may stand inside each other.
pub const MAX_DEPTH: usize = 250;

/// What a scalar without quotes means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Schema {
    /// As PyYAML resolves it: booleans, numbers, null, merge keys; timestamps stay text.
    #[default]
    Python,
    /// Text, but null is null and merge keys work. For configuration whose ids may look like numbers.
    Text,
}

/// What to do about a key that stands twice in a mapping; the last one wins always.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Duplicates {
    /// Nothing, as PyYAML.
    #[default]
    Last,
    /// Add a [`Warning`].
    Warn,
}

/// Whether a tab may separate tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tabs {
    /// Refused outside quotes, block scalars and comments, as PyYAML's own scanner (`SafeLoader`).
    #[default]
    Refuse,
    /// Allowed where libyaml (`CSafeLoader`) allows it: not as indentation. python-heatclient and Heat's engine read
    /// templates that way.
    Separate,
}

/// What becomes of `!!binary` and `!!set`, which are bytes and sets in Python.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Objects {
    /// Refused, as `json.dumps` refuses them.
    #[default]
    Refuse,
    /// Made simple, as oslo.serialization's `jsonutils.dumps` makes them: bytes are text where they are UTF-8, a set is
    /// a list (of no particular order there; here as it is written).
    Simplify,
}

/// How to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// What plain scalars mean.
    pub schema: Schema,
    /// What to do about duplicate keys.
    pub duplicates: Duplicates,
    /// Where tabs are allowed.
    pub tabs: Tabs,
    /// What becomes of bytes and sets.
    pub objects: Objects,
    /// How many nodes aliases and merges may add to those that are written down.
    pub alias_nodes: usize,
    /// How many bytes of text aliases and merges may add.
    pub alias_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            schema: Schema::default(),
            duplicates: Duplicates::default(),
            tabs: Tabs::default(),
            objects: Objects::default(),
            alias_nodes: 200_000,
            alias_bytes: 16 << 20,
        }
    }
}

/// What was read.
#[derive(Debug, Clone)]
pub struct Document {
    /// The value; null if the text is empty. Mappings keep the order of a Python `dict`.
    pub value: Value,
    /// Duplicate keys, in order, if they were asked for.
    pub warnings: Vec<Warning>,
    text: Box<str>,
    options: Options,
    /// Found when it is wanted first: most documents are in order, and nobody asks where what stands.
    place: OnceLock<Option<Place>>,
}

impl Document {
    /// Where the value stands that `pointer` names, a JSON pointer as for [`Value::pointer`]. The first question reads the
    /// text once more.
    pub fn position(&self, pointer: &str) -> Option<Position> {
        Some(self.place()?.find(pointer)?.value)
    }

    /// Where the key stands of the value that `pointer` names; list items have none. As [`Document::position`].
    pub fn key_position(&self, pointer: &str) -> Option<Position> {
        self.place()?.find(pointer)?.key
    }

    fn place(&self) -> Option<&Place> {
        let find = || Some(built(&self.text, &self.options, true).ok()?.place);
        self.place.get_or_init(find).as_ref()
    }
}

/// Reads the one document of `text`.
///
/// # Errors
/// What PyYAML's safe loader refuses: broken syntax, more than one document, unknown tags, undefined aliases, lists or
/// mappings as keys; and what the crate's documentation names as different.
pub fn read(text: &str, options: &Options) -> Result<Document, Error> {
    let Built {
        value, warnings, ..
    } = built(text, options, false).map_err(|fault| fault.in_text(text))?;
    Ok(Document {
        value,
        warnings,
        text: text.into(),
        options: *options,
        place: OnceLock::new(),
    })
}

fn built(text: &str, options: &Options, places: bool) -> Result<Built, Fault> {
    let tokens = scan::scan(text, options.tabs)?;
    let tree = structure::compose(tokens, options.schema)?;
    construct::construct(tree, options, places)
}
