//! Options that every command of both programs takes, before and after its words.

use std::collections::BTreeMap;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command};
use os_identity::{SETTINGS, UNSUPPORTED};
use poll_core::{Deadline, Patience, Period, Policy};

use crate::argument::{Argument, Given};
use crate::output::{Format, Layout, Quote, SortDirection};
use crate::{Failure, Program, Terminal, duration};

/// How to reach the cloud: one option for each entry of [`SETTINGS`].
#[derive(Debug, Clone, Default)]
pub struct Connection {
    /// What was given, by [`os_identity::Setting::name`].
    pub flags: BTreeMap<String, String>,
    /// Only show where every setting comes from.
    pub show_config: bool,
    /// An option of the openstack command that means nothing here, and why.
    pub unsupported: Option<(&'static str, &'static str)>,
}

const CONNECTION: &str = "Connection";
const SHOW_CONFIG: &str = "show-config";
/// Alone on the command line: prints the names of the clouds that there are, one a line. Shells complete `--os-cloud` by it.
pub const LIST_CLOUDS: &str = "--list-clouds";

impl Connection {
    fn augment(command: Command) -> Command {
        let mut command = command;
        for setting in SETTINGS {
            let Some((first, others)) = setting.flag.split_first() else {
                continue;
            };
            let arg = Arg::new(setting.name)
                .long(*first)
                .aliases(others.iter().copied())
                .global(true)
                .help_heading(CONNECTION)
                // -h is for what is needed every day.
                .hide_short_help(setting.name != "cloud")
                .help(setting.help);
            command = command.arg(if setting.switch {
                arg.action(ArgAction::SetTrue)
            } else {
                arg.value_name("VALUE").action(ArgAction::Set)
            });
        }
        for (option, _) in UNSUPPORTED {
            let Some(long) = option.strip_prefix("--") else {
                continue;
            };
            command = command.arg(
                Arg::new(*option)
                    .long(long)
                    .global(true)
                    .hide(true)
                    .num_args(0..=1)
                    .default_missing_value("")
                    .action(ArgAction::Set),
            );
        }
        let list_clouds = Arg::new(LIST_CLOUDS)
            .long("list-clouds")
            .help_heading(CONNECTION)
            .hide_short_help(true)
            .help("Alone: print the names of the clouds in clouds.yaml")
            .exclusive(true)
            .action(ArgAction::SetTrue);
        command.arg(list_clouds).arg(
            Arg::new(SHOW_CONFIG)
                .long(SHOW_CONFIG)
                .global(true)
                .help_heading(CONNECTION)
                .help("Show every setting and where it comes from, secrets masked; send nothing")
                .action(ArgAction::SetTrue),
        )
    }

    fn read(matches: &ArgMatches) -> Self {
        let mut connection = Self {
            show_config: matches.get_flag(SHOW_CONFIG),
            ..Self::default()
        };
        for setting in SETTINGS.iter().filter(|setting| !setting.flag.is_empty()) {
            let value = if setting.switch {
                matches.get_flag(setting.name).then(|| "true".to_owned())
            } else {
                matches.get_one::<String>(setting.name).cloned()
            };
            if let Some(value) = value {
                connection.flags.insert(setting.name.to_owned(), value);
            }
        }
        let given = |(option, _): &&(&'static str, _)| {
            option.starts_with("--") && matches.get_one::<String>(option).is_some()
        };
        connection.unsupported = UNSUPPORTED.iter().find(given).copied();
        connection
    }
}

/// When to look, and when to stop.
const TIMING: [Argument; 7] = [
    Argument::option(
        "--deadline",
        "DURATION|none",
        "End of everything, sign-in included: a duration or none. 0 looks once",
    ),
    Argument::option(
        "--poll",
        "DURATION",
        "A fixed pause between looks [default: a tenth of the time waited, 0.5s to 5s, after half an hour to 15s]",
    ),
    Argument::option(
        "--patience",
        "DURATION",
        "How long nothing but faults is put up with [default: 15m]",
    ),
    Argument::natural(
        "--max-errors",
        "N",
        "The fault of this number in a row ends the wait",
    ),
    Argument::option(
        "--connect-wait",
        "DURATION",
        "How long the very first connection may fail [default: 0, three quick tries]",
    ),
    Argument::option(
        "--settle",
        "DURATION",
        "How long an end state whose start was not seen is not believed, where a request may change nothing [default: 10s]",
    ),
    Argument::option(
        "--request-timeout",
        "DURATION",
        "The time of one request [default: 60s; a change: 10m]",
    ),
];

/// Timing as it was asked for, before anything is known of the resources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timing {
    /// `None`: the command's own default. `Some(None)`: none.
    pub deadline: Option<Option<Duration>>,
    /// The pause between looks.
    pub period: Period,
    /// How long faults are put up with.
    pub patience: Patience,
    /// How long the first connection may fail.
    pub connect_wait: Duration,
    /// How long an unproved end is not believed.
    pub settle: Duration,
    /// The time of one request that only reads.
    pub request_timeout: Duration,
    /// The time of one request that changes something.
    pub change_timeout: Duration,
}

impl Timing {
    /// Reads the values; what is not given comes from `PROGRAM_DEADLINE` and its kin, then the default.
    ///
    /// # Errors
    /// Names the option or variable whose value is no duration.
    pub fn read(
        given: &Given,
        program: &Program,
        env: &BTreeMap<String, String>,
    ) -> Result<Self, Failure> {
        let read = |option: &str| -> Result<Option<Option<Duration>>, Failure> {
            let name = option.trim_start_matches('-').to_uppercase();
            let variable = format!("{}_{}", program.env_prefix, name.replace('-', "_"));
            let (name, text) = match given.raw(option) {
                Some(text) => (option, text),
                None => match env.get(&variable).filter(|text| !text.is_empty()) {
                    Some(text) => (variable.as_str(), text.as_str()),
                    None => return Ok(None),
                },
            };
            let read = if option == "--deadline" {
                duration::parse_or_none(text)
            } else {
                duration::parse(text).map(Some)
            };
            read.map(Some)
                .map_err(|message| Failure::usage(format!("{name}: {message}")))
        };
        let span = |option: &str| read(option).map(Option::flatten);
        let faults = given.natural("--max-errors");
        if faults == Some(0) {
            return Err(Failure::usage(
                "--max-errors: the first fault is number 1: write at least 1",
            ));
        }
        let request = span("--request-timeout")?;
        if request == Some(Duration::ZERO) {
            return Err(Failure::usage(
                "--request-timeout: a request needs more time than none",
            ));
        }
        let period = span("--poll")?;
        if period == Some(Duration::ZERO) {
            return Err(Failure::usage(
                "--poll: a pause of nothing would hammer the service: write at least 0.1",
            ));
        }
        let default = Patience::default();
        Ok(Self {
            deadline: read("--deadline")?,
            period: period.map_or_else(Period::default, |pause| {
                Period::Fixed(pause.max(LEAST_PERIOD))
            }),
            patience: Patience {
                time: Some(span("--patience")?.or(default.time).unwrap_or_default()),
                faults,
                ..default
            },
            connect_wait: span("--connect-wait")?.unwrap_or_default(),
            settle: span("--settle")?.unwrap_or(Duration::from_secs(10)),
            request_timeout: request.unwrap_or(Duration::from_secs(60)),
            change_timeout: request.unwrap_or(Duration::from_secs(600)),
        })
    }
}

/// Nobody may ask more often than this.
const LEAST_PERIOD: Duration = Duration::from_millis(100);

impl Timing {
    /// The deadline, from `began`; `default` holds where none was asked for.
    #[must_use]
    pub fn deadline(&self, began: Duration, default: Duration) -> Deadline {
        match self.deadline {
            None => Deadline::after(began, default),
            Some(None) => Deadline::Never,
            Some(Some(limit)) => Deadline::after(began, limit),
        }
    }

    /// Whether one look was asked for (`--deadline 0`).
    #[must_use]
    pub fn looks_once(&self) -> bool {
        self.deadline == Some(Some(Duration::ZERO))
    }

    /// What the engine goes by.
    #[must_use]
    pub fn policy(&self, deadline: Deadline, seed: u64) -> Policy {
        let last_round = if self.looks_once() {
            self.request_timeout
        } else {
            Policy::default().last_round
        };
        Policy {
            period: self.period,
            deadline,
            patience: self.patience,
            last_round,
            seed,
            ..Policy::default()
        }
    }
}

/// How much is said, and how.
const MESSAGES: [Argument; 4] = [
    Argument::option(
        "--progress",
        "FORM",
        "How progress is shown on stderr: auto (a live block on a terminal, plain elsewhere), plain (lines of text), json (an object a line) or none [default: auto]",
    )
    .among(&["auto", "plain", "json", "none"]),
    Argument::count(
        "--verbose",
        "Show requests and decisions; twice: bodies, secrets masked",
    )
    .short('v'),
    Argument::flag("--quiet", "Show only the result and the final error").short('q'),
    Argument::flag("--debug", "The same as -vv"),
];

/// How much is said, and how, as it was asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Messages {
    /// How progress is shown.
    pub progress: ProgressForm,
    /// 0, 1 or 2.
    pub verbosity: u8,
    /// Only the result and the final error.
    pub quiet: bool,
}

/// The forms of progress.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ProgressForm {
    /// A live block on a terminal, plain elsewhere.
    #[default]
    Auto,
    /// Lines of text.
    Plain,
    /// One JSON object a line.
    Json,
    /// Nothing.
    None,
}

impl Messages {
    /// What was asked for.
    #[must_use]
    pub fn read(given: &Given) -> Self {
        Self {
            progress: match given.raw("--progress") {
                Some("plain") => ProgressForm::Plain,
                Some("json") => ProgressForm::Json,
                Some("none") => ProgressForm::None,
                _ => ProgressForm::Auto,
            },
            verbosity: match given.number("--verbose") {
                0 if !given.flag("--debug") => 0,
                1 if !given.flag("--debug") => 1,
                _ => 2,
            },
            quiet: given.flag("--quiet"),
        }
    }
}

/// How the result is written: the options of the openstack command (cliff).
const OUTPUT: [Argument; 11] = [
    Argument::option(
        "--format",
        "FORMAT",
        "The form of the result: table, json, yaml, value, shell (one resource), csv (lists) [default: table]",
    )
    .short('f'),
    Argument::each("--column", "COLUMN", "Show only this column; repeatable").short('c'),
    Argument::flag("--noindent", "json: on one line"),
    Argument::option("--prefix", "PREFIX", "shell: put before each name"),
    Argument::natural(
        "--max-width",
        "COLUMNS",
        "table: at most this wide; 0: as wide as need be",
    ),
    Argument::flag("--fit-width", "table: as wide as the terminal at the most"),
    Argument::flag(
        "--print-empty",
        "table: print the header though there is no row",
    ),
    Argument::each(
        "--sort-column",
        "COLUMN",
        "lists: sort by this column; repeatable",
    ),
    Argument::flag("--sort-ascending", "lists: smallest first"),
    Argument::flag("--sort-descending", "lists: largest first"),
    Argument::option(
        "--quote",
        "WHAT",
        "csv: what is quoted: every field (all), what would be misread (minimal), what is no number (nonnumeric), nothing (none) [default: nonnumeric]",
    )
    .among(&["all", "minimal", "nonnumeric", "none"]),
];

/// What a command prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// The fields of one resource.
    One,
    /// Rows.
    List,
}

impl Layout {
    /// The layout of a result of this shape.
    ///
    /// # Errors
    /// A format that is none, or none of this shape.
    pub fn read(
        given: &Given,
        shape: Shape,
        env: &BTreeMap<String, String>,
        terminal: Terminal,
    ) -> Result<Self, Failure> {
        let format = match (given.raw("--format").unwrap_or("table"), shape) {
            ("table", _) => Format::Table,
            ("json", _) => Format::Json,
            ("yaml", _) => Format::Yaml,
            ("value", _) => Format::Value,
            ("shell", Shape::One) => Format::Shell,
            ("csv", Shape::List) => Format::Csv,
            (other, shape) => {
                let choices = match shape {
                    Shape::One => "table, json, yaml, value, shell",
                    Shape::List => "table, json, yaml, value, csv",
                };
                return Err(Failure::usage(format!(
                    "-f {other}: choose one of {choices}"
                )));
            }
        };
        let number = |name: &str| env.get(name).and_then(|text| text.parse::<usize>().ok());
        let width = given.natural("--max-width");
        Ok(Self {
            format,
            columns: given.texts("--column").to_vec(),
            noindent: given.flag("--noindent"),
            prefix: given.owned("--prefix").unwrap_or_default(),
            max_width: width
                .and_then(|width| usize::try_from(width).ok())
                .or_else(|| number("CLIFF_MAX_TERM_WIDTH")),
            fit_width: given.flag("--fit-width")
                || number("CLIFF_FIT_WIDTH").is_some_and(|width| width != 0),
            terminal_width: terminal.columns.filter(|_| terminal.stdout),
            print_empty: given.flag("--print-empty"),
            sort_columns: given.texts("--sort-column").to_vec(),
            sort_direction: if given.flag("--sort-descending") {
                SortDirection::Descending
            } else {
                SortDirection::Ascending
            },
            quote: match given.raw("--quote") {
                Some("all") => Quote::All,
                Some("minimal") => Quote::Minimal,
                Some("none") => Quote::None,
                _ => Quote::Nonnumeric,
            },
        })
    }
}

/// Everything that every command takes, as it was given.
#[derive(Debug, Clone, Default)]
pub struct Common {
    /// How to reach the cloud.
    pub connection: Connection,
    /// The rest: timing, messages, and how the result is written.
    pub given: Given,
}

/// The tables of [`Common`], and the headings above them in the help.
const TABLES: [(&str, &[Argument]); 3] = [
    ("Timing", &TIMING),
    ("Output", &OUTPUT),
    ("Messages", &MESSAGES),
];

impl Common {
    /// A program that takes all this.
    #[must_use]
    pub fn augment(command: Command) -> Command {
        let mut command = Connection::augment(command);
        for (heading, table) in TABLES {
            for argument in table {
                // The help names the values and says what they are.
                let names_values = !argument.choices.is_empty();
                let arg = argument.clap().hide_possible_values(names_values);
                let arg = arg.global(true).help_heading(heading);
                command = command.arg(match argument.name {
                    // The last of the two counts.
                    "--sort-ascending" => arg.overrides_with("--sort-descending"),
                    "--sort-descending" => arg.overrides_with("--sort-ascending"),
                    "--quiet" => arg.conflicts_with_all(["--verbose", "--debug"]),
                    _ => arg,
                });
            }
        }
        command
    }

    /// What was given.
    #[must_use]
    pub fn read(matches: &ArgMatches) -> Self {
        let all: Vec<Argument> = TABLES
            .iter()
            .flat_map(|(_, table)| *table)
            .copied()
            .collect();
        Self {
            connection: Connection::read(matches),
            given: Given::read(matches, &all),
        }
    }
}
