//! Arguments of operations: declared in their rows, read with clap.

use std::collections::BTreeMap;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::{Map, Value};
use wait_cli::Failure;

use crate::version::Microversion;

/// What an argument takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// One text.
    One,
    /// A whole number.
    Number,
    /// Any number of texts behind one option, or at least one positional.
    Several,
    /// `KEY=VALUE`, repeatable; the last of a key counts, as in osc-lib.
    Pair,
}

/// One argument: an option (`--force`), or a positional (`SHARE`).
#[derive(Debug, Clone, Copy)]
pub struct Argument {
    /// `--force`, or what a positional is called in the usage.
    pub name: &'static str,
    /// What the value of an option is called.
    pub value: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// It must be there.
    pub required: bool,
    /// The only values there are; empty: any.
    pub choices: &'static [&'static str],
    /// The first microversion that knows it.
    pub since: Microversion,
    /// For `--help`.
    pub help: &'static str,
}

impl Argument {
    const fn new(
        name: &'static str,
        value: &'static str,
        takes: Takes,
        help: &'static str,
    ) -> Self {
        Self {
            name,
            value,
            takes,
            required: false,
            choices: &[],
            since: Microversion::new(0),
            help,
        }
    }

    /// An option without a value.
    pub const fn flag(name: &'static str, help: &'static str) -> Self {
        Self::new(name, "", Takes::Nothing, help)
    }

    /// An option with one value.
    pub const fn option(name: &'static str, value: &'static str, help: &'static str) -> Self {
        Self::new(name, value, Takes::One, help)
    }

    /// `KEY=VALUE`, repeatable.
    pub const fn pair(name: &'static str, help: &'static str) -> Self {
        Self::new(name, "KEY=VALUE", Takes::Pair, help)
    }

    /// An option with several values behind it.
    pub const fn several(name: &'static str, value: &'static str, help: &'static str) -> Self {
        Self::new(name, value, Takes::Several, help)
    }

    /// A positional.
    pub const fn positional(name: &'static str, help: &'static str) -> Self {
        Self::new(name, name, Takes::One, help).needed()
    }

    /// A positional that is a whole number.
    pub const fn number(name: &'static str, help: &'static str) -> Self {
        Self::new(name, name, Takes::Number, help).needed()
    }

    /// The last positional, given once or several times.
    pub const fn positionals(name: &'static str, help: &'static str) -> Self {
        Self::new(name, name, Takes::Several, help).needed()
    }

    /// The same, which must be there.
    pub const fn needed(self) -> Self {
        Self {
            required: true,
            ..self
        }
    }

    /// The same with these values only.
    pub const fn among(self, choices: &'static [&'static str]) -> Self {
        Self { choices, ..self }
    }

    /// The same, known since 2.N only.
    pub const fn since(self, minor: u16) -> Self {
        Self {
            since: Microversion::new(minor),
            ..self
        }
    }

    fn is_option(&self) -> bool {
        self.name.starts_with("--")
    }

    /// The argument for clap.
    #[must_use]
    pub fn clap(&self) -> Arg {
        let mut arg = Arg::new(self.name).help(self.help).required(self.required);
        arg = match self.name.strip_prefix("--") {
            Some(long) => arg.long(long),
            None => arg,
        };
        arg = match self.takes {
            Takes::Nothing => arg.action(ArgAction::SetTrue),
            Takes::One => arg.value_name(self.value).action(ArgAction::Set),
            Takes::Number => arg
                .value_name(self.value)
                .value_parser(clap::value_parser!(i64))
                .allow_negative_numbers(true)
                .action(ArgAction::Set),
            Takes::Several if self.is_option() => arg
                .value_name(self.value)
                .num_args(0..)
                .action(ArgAction::Set),
            Takes::Several => arg
                .value_name(self.value)
                .num_args(1..)
                .action(ArgAction::Append),
            Takes::Pair => arg
                .value_name(self.value)
                .value_parser(pair)
                .action(ArgAction::Append),
        };
        if self.choices.is_empty() {
            arg
        } else {
            arg.value_parser(PossibleValuesParser::new(self.choices))
        }
    }
}

/// `parseractions.KeyValueAction` of osc-lib: there is a `=`, and something before it.
fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("write KEY=VALUE".to_owned()),
    }
}

/// Options that every operation takes beside its own.
const COMMON: [Argument; 4] = [
    Argument::flag("--wait", "Wait for the end: the default"),
    Argument::flag("--no-wait", "Send the request and stop"),
    Argument::flag("--when-idle", "Send again when a busy resource is idle"),
    Argument::option(
        "--tolerate-error",
        "DURATION",
        "How long an error must last to count",
    ),
];

/// For what removes something.
const IGNORE_MISSING: Argument =
    Argument::flag("--ignore-missing", "What does not exist is no error");

/// The arguments as they were given.
#[derive(Debug, Clone, Default)]
pub struct Given {
    texts: BTreeMap<&'static str, Vec<String>>,
    pairs: BTreeMap<&'static str, Map<String, Value>>,
    numbers: BTreeMap<&'static str, i64>,
}

impl Given {
    /// A command that takes these.
    #[must_use]
    pub fn augment(command: Command, arguments: &[Argument], removes: bool) -> Command {
        let ignore = removes.then_some(&IGNORE_MISSING);
        let all = arguments.iter().chain(&COMMON).chain(ignore);
        // As argparse has it: the last of an option counts.
        command
            .args(all.map(Argument::clap))
            .args_override_self(true)
    }

    /// Reads them.
    #[must_use]
    pub fn read(matches: &ArgMatches, arguments: &[Argument], removes: bool) -> Self {
        let ignore = removes.then_some(&IGNORE_MISSING);
        let mut given = Self::default();
        for argument in arguments.iter().chain(&COMMON).chain(ignore) {
            let name = argument.name;
            match argument.takes {
                Takes::Nothing => {
                    if matches.get_flag(name) {
                        given.texts.insert(name, Vec::new());
                    }
                }
                Takes::One | Takes::Several => {
                    if let Some(values) = matches.get_many::<String>(name) {
                        given.texts.insert(name, values.cloned().collect());
                    }
                }
                Takes::Number => {
                    if let Some(number) = matches.get_one::<i64>(name) {
                        given.numbers.insert(name, *number);
                    }
                }
                Takes::Pair => {
                    if let Some(values) = matches.get_many::<(String, String)>(name) {
                        let pairs = values.map(|(key, value)| (key.clone(), value.as_str().into()));
                        given.pairs.insert(name, pairs.collect());
                    }
                }
            }
        }
        given
    }

    /// Whether it was given at all.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.texts.contains_key(name)
            || self.pairs.contains_key(name)
            || self.numbers.contains_key(name)
    }

    /// Whether a flag was given.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        self.texts.contains_key(name)
    }

    /// A text that is not empty: to the client an empty one is none.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.raw(name).filter(|text| !text.is_empty())
    }

    /// A text as it was given.
    #[must_use]
    pub fn raw(&self, name: &str) -> Option<&str> {
        self.texts.get(name)?.first().map(String::as_str)
    }

    /// A text as JSON as it was given; `null` where there is none.
    #[must_use]
    pub fn value(&self, name: &str) -> Value {
        self.raw(name).into()
    }

    /// All its texts.
    #[must_use]
    pub fn texts(&self, name: &str) -> &[String] {
        self.texts.get(name).map_or(&[], Vec::as_slice)
    }

    /// A number; zero where there is none.
    #[must_use]
    pub fn number(&self, name: &str) -> i64 {
        self.numbers.get(name).copied().unwrap_or_default()
    }

    /// `KEY=VALUE` of a repeatable option.
    #[must_use]
    pub fn pairs(&self, name: &str) -> Map<String, Value> {
        self.pairs.get(name).cloned().unwrap_or_default()
    }

    /// `KEY=VALUE` of an option with several values; a key that comes twice is refused, as in the client
    /// (`extract_properties`).
    ///
    /// # Errors
    /// Names the option.
    pub fn properties(&self, name: &str) -> Result<Map<String, Value>, Failure> {
        let mut properties = Map::new();
        for text in self.texts(name) {
            let (key, value) = text
                .split_once('=')
                .ok_or_else(|| Failure::usage(format!("{name} {text}: write KEY=VALUE")))?;
            if properties.insert(key.to_owned(), value.into()).is_some() {
                return Err(Failure::usage(format!("{name}: {key} is given twice")));
            }
        }
        Ok(properties)
    }
}
