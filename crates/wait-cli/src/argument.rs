//! Arguments of commands: rows of tables, read with clap. Its derive macros would say the same in four times the code.

use std::collections::BTreeMap;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches};
use serde_json::{Map, Value};

use crate::{Failure, duration};

/// What an argument takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// Nothing; how often it stands there counts.
    Count,
    /// One text.
    One,
    /// A text behind `=`; without one, `none`.
    Perhaps,
    /// A whole number.
    Number,
    /// A whole number that is not negative, of 32 bits.
    Natural,
    /// Any number of texts behind one option, or at least one positional.
    Several,
    /// One text; repeatable.
    Each,
    /// `KEY=VALUE`, repeatable; the last of a key counts, as in osc-lib.
    Pair,
}

/// What an option has that may have a value and was given none.
const NO_VALUE: &str = "none";

/// One argument: an option (`--force`), or a positional (`SHARE`).
#[derive(Debug, Clone, Copy)]
pub struct Argument {
    /// `--force`, or what a positional is called in the usage.
    pub name: &'static str,
    /// The letter of an option that has a short form.
    pub short: Option<char>,
    /// What the value of an option is called.
    pub value: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// It must be there.
    pub required: bool,
    /// The only values there are; empty: any.
    pub choices: &'static [&'static str],
    /// The minor number of the first microversion that knows it; 0: all do.
    pub since: u16,
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
            short: None,
            value,
            takes,
            required: false,
            choices: &[],
            since: 0,
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

    /// An option with one value, repeatable.
    pub const fn each(name: &'static str, value: &'static str, help: &'static str) -> Self {
        Self::new(name, value, Takes::Each, help)
    }

    /// An option with a value behind `=`, or with none.
    pub const fn perhaps(name: &'static str, value: &'static str, help: &'static str) -> Self {
        Self::new(name, value, Takes::Perhaps, help)
    }

    /// An option that counts.
    pub const fn count(name: &'static str, help: &'static str) -> Self {
        Self::new(name, "", Takes::Count, help)
    }

    /// An option whose value is a whole number from 0 on.
    pub const fn natural(name: &'static str, value: &'static str, help: &'static str) -> Self {
        Self::new(name, value, Takes::Natural, help)
    }

    /// An option whose value is any whole number.
    pub const fn integer(name: &'static str, value: &'static str, help: &'static str) -> Self {
        Self::new(name, value, Takes::Number, help)
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

    /// A positional that may be left out.
    pub const fn optional(name: &'static str, help: &'static str) -> Self {
        Self::new(name, name, Takes::One, help)
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

    /// The same with a short form.
    pub const fn short(self, letter: char) -> Self {
        Self {
            short: Some(letter),
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
            since: minor,
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
        if let Some(long) = self.name.strip_prefix("--") {
            arg = arg.long(long);
        }
        if let Some(letter) = self.short {
            arg = arg.short(letter);
        }
        if !self.value.is_empty() {
            arg = arg.value_name(self.value);
        }
        arg = match self.takes {
            Takes::Nothing => arg.action(ArgAction::SetTrue),
            Takes::Count => arg.action(ArgAction::Count),
            // As in argparse: what looks like a negative number is a value where no option looks like one.
            Takes::One => arg.allow_negative_numbers(true).action(ArgAction::Set),
            Takes::Perhaps => arg
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value(NO_VALUE)
                .action(ArgAction::Set),
            Takes::Number => arg
                .value_parser(number)
                .allow_negative_numbers(true)
                .action(ArgAction::Set),
            Takes::Natural => arg
                .value_parser(natural)
                .allow_negative_numbers(true)
                .action(ArgAction::Set),
            Takes::Several if self.is_option() => arg.num_args(0..).action(ArgAction::Set),
            Takes::Several => arg.num_args(1..).action(ArgAction::Append),
            Takes::Each => arg.allow_negative_numbers(true).action(ArgAction::Append),
            Takes::Pair => arg.value_parser(pair).action(ArgAction::Append),
        };
        if self.choices.is_empty() {
            arg
        } else {
            arg.value_parser(PossibleValuesParser::new(self.choices))
        }
    }
}

/// Says where the value of an option that takes one behind `=` only was written behind a blank: `--appear 5m` would wait for
/// something called `5m`.
pub(crate) fn astray(matches: &ArgMatches, arguments: &[Argument]) -> Option<String> {
    let behind = |option: &Argument| {
        let given = matches.get_many::<String>(option.name)?.next_back()?;
        if given != NO_VALUE {
            return None;
        }
        let at = matches.indices_of(option.name)?.next_back()?;
        let positional = arguments.iter().find(|one| !one.is_option())?;
        let places = matches.indices_of(positional.name)?;
        let mut values = places.zip(matches.get_many::<String>(positional.name)?);
        let (_, value) = values.find(|(place, _)| *place == at + 1)?;
        duration::parse(value).is_ok().then(|| {
            let name = option.name;
            format!("{name} {value}: for the time write {name}={value}; what is called {value} goes before {name}")
        })
    };
    let perhaps = |argument: &&Argument| argument.takes == Takes::Perhaps;
    arguments.iter().filter(perhaps).find_map(behind)
}

fn number(text: &str) -> Result<i64, &'static str> {
    text.parse().map_err(|_| "write a whole number")
}

fn natural(text: &str) -> Result<i64, &'static str> {
    let number: Result<u32, _> = text.parse();
    number
        .map(i64::from)
        .map_err(|_| "write a whole number that is not negative")
}

/// `parseractions.KeyValueAction` of osc-lib: there is a `=`, and something before it.
fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("write KEY=VALUE".to_owned()),
    }
}

/// The arguments as they were given.
#[derive(Debug, Clone, Default)]
pub struct Given {
    texts: BTreeMap<&'static str, Vec<String>>,
    pairs: BTreeMap<&'static str, Map<String, Value>>,
    numbers: BTreeMap<&'static str, i64>,
}

impl Given {
    /// Reads them.
    #[must_use]
    pub fn read(matches: &ArgMatches, arguments: &[Argument]) -> Self {
        let mut given = Self::default();
        for argument in arguments {
            let name = argument.name;
            match argument.takes {
                Takes::Nothing => {
                    if matches.get_flag(name) {
                        given.texts.insert(name, Vec::new());
                    }
                }
                Takes::Count => {
                    let count = matches.get_count(name);
                    if count > 0 {
                        given.numbers.insert(name, count.into());
                    }
                }
                Takes::One | Takes::Perhaps | Takes::Several | Takes::Each => {
                    if let Some(values) = matches.get_many::<String>(name) {
                        given.texts.insert(name, values.cloned().collect());
                    }
                }
                Takes::Number | Takes::Natural => {
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

    /// The same, to be kept.
    #[must_use]
    pub fn owned(&self, name: &str) -> Option<String> {
        self.raw(name).map(str::to_owned)
    }

    /// A number; zero where there is none.
    #[must_use]
    pub fn number(&self, name: &str) -> i64 {
        self.some_number(name).unwrap_or_default()
    }

    /// A number, where there is one.
    #[must_use]
    pub fn some_number(&self, name: &str) -> Option<i64> {
        self.numbers.get(name).copied()
    }

    /// A number that is not negative, where there is one.
    #[must_use]
    pub fn natural(&self, name: &str) -> Option<u32> {
        u32::try_from(self.some_number(name)?).ok()
    }

    /// Refuses two that contradict each other.
    ///
    /// # Errors
    /// Names both.
    pub fn not_both(&self, one: &str, other: &str) -> Result<(), Failure> {
        if self.has(one) && self.has(other) {
            return Err(Failure::usage(format!(
                "{one} and {other} contradict each other: leave one out"
            )));
        }
        Ok(())
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
