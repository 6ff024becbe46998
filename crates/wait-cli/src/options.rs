//! Options that every command of both programs takes, before and after its words.

use std::collections::BTreeMap;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use os_identity::{SETTINGS, UNSUPPORTED};
use poll_core::{Deadline, Patience, Period, Policy};

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

impl Args for Connection {
    fn augment_args(command: Command) -> Command {
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

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Connection {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
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
        Ok(connection)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// When to look, and when to stop.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Timing")]
pub struct TimingArgs {
    /// End of everything, sign-in included: a duration or none. 0 looks once
    #[arg(long, global = true, value_name = "DURATION|none")]
    pub deadline: Option<String>,
    /// A fixed pause between looks [default: a tenth of the time waited, 0.5s to 5s, after half an hour to 15s]
    #[arg(long, global = true, value_name = "DURATION")]
    pub poll: Option<String>,
    /// How long nothing but faults is put up with [default: 15m]
    #[arg(long, global = true, value_name = "DURATION")]
    pub patience: Option<String>,
    /// The fault of this number in a row ends the wait
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_errors: Option<u32>,
    /// How long the very first connection may fail [default: 0, three quick tries]
    #[arg(long, global = true, value_name = "DURATION")]
    pub connect_wait: Option<String>,
    /// How long an end state whose start was not seen is not believed, where a request may change nothing [default: 10s]
    #[arg(long, global = true, value_name = "DURATION")]
    pub settle: Option<String>,
    /// The time of one request [default: 60s; a change: 10m]
    #[arg(long, global = true, value_name = "DURATION")]
    pub request_timeout: Option<String>,
}

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

impl TimingArgs {
    /// Reads the values; what is not given comes from `PROGRAM_DEADLINE` and its kin, then the default.
    ///
    /// # Errors
    /// Names the option or variable whose value is no duration.
    pub fn timing(
        &self,
        program: &Program,
        env: &BTreeMap<String, String>,
    ) -> Result<Timing, Failure> {
        let read =
            |option: &str, given: &Option<String>| -> Result<Option<Option<Duration>>, Failure> {
                let variable = format!(
                    "{}_{}",
                    program.env_prefix,
                    option.to_uppercase().replace('-', "_")
                );
                let (name, text) = match given {
                    Some(text) => (format!("--{option}"), text),
                    None => match env.get(&variable).filter(|text| !text.is_empty()) {
                        Some(text) => (variable, text),
                        None => return Ok(None),
                    },
                };
                let read = if option == "deadline" {
                    duration::parse_or_none(text)
                } else {
                    duration::parse(text).map(Some)
                };
                read.map(Some)
                    .map_err(|message| Failure::usage(format!("{name}: {message}")))
            };
        let span = |option: &str, given: &Option<String>| read(option, given).map(Option::flatten);
        let request = span("request-timeout", &self.request_timeout)?;
        if request == Some(Duration::ZERO) {
            return Err(Failure::usage(
                "--request-timeout: a request needs more time than none",
            ));
        }
        let period = span("poll", &self.poll)?;
        if period == Some(Duration::ZERO) {
            return Err(Failure::usage(
                "--poll: a pause of nothing would hammer the service: write at least 0.1",
            ));
        }
        let default = Patience::default();
        Ok(Timing {
            deadline: read("deadline", &self.deadline)?,
            period: period.map_or_else(Period::default, |pause| {
                Period::Fixed(pause.max(LEAST_PERIOD))
            }),
            patience: Patience {
                time: Some(
                    span("patience", &self.patience)?
                        .or(default.time)
                        .unwrap_or_default(),
                ),
                faults: self.max_errors,
                ..default
            },
            connect_wait: span("connect-wait", &self.connect_wait)?.unwrap_or_default(),
            settle: span("settle", &self.settle)?.unwrap_or(Duration::from_secs(10)),
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
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Messages")]
pub struct MessageArgs {
    /// How progress is shown on stderr [default: auto]
    #[arg(long, global = true, value_name = "FORM", value_enum)]
    pub progress: Option<ProgressForm>,
    /// Show requests and decisions; twice: bodies, secrets masked
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    pub verbose: u8,
    /// Show only the result and the final error
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// The same as -vv
    #[arg(long, global = true, conflicts_with = "quiet")]
    pub debug: bool,
}

impl MessageArgs {
    /// 0, 1 or 2.
    #[must_use]
    pub fn verbosity(&self) -> u8 {
        if self.debug { 2 } else { self.verbose.min(2) }
    }
}

/// The forms of progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProgressForm {
    /// A live status line on a terminal, plain elsewhere
    Auto,
    /// Lines of text
    Plain,
    /// One JSON object a line
    Json,
    /// Nothing
    None,
}

/// How the result is written: the options of the openstack command (cliff).
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// The form of the result: table, json, yaml, value, shell (one resource), csv (lists) [default: table]
    #[arg(short, long, global = true, value_name = "FORMAT")]
    pub format: Option<String>,
    /// Show only this column; repeatable
    #[arg(short, long = "column", global = true, value_name = "COLUMN")]
    pub columns: Vec<String>,
    /// json: on one line
    #[arg(long, global = true)]
    pub noindent: bool,
    /// shell: put before each name
    #[arg(long, global = true, value_name = "PREFIX")]
    pub prefix: Option<String>,
    /// table: at most this wide; 0: as wide as need be
    #[arg(long, global = true, value_name = "COLUMNS")]
    pub max_width: Option<usize>,
    /// table: as wide as the terminal at the most
    #[arg(long, global = true)]
    pub fit_width: bool,
    /// table: print the header though there is no row
    #[arg(long, global = true)]
    pub print_empty: bool,
    /// lists: sort by this column; repeatable
    #[arg(long = "sort-column", global = true, value_name = "COLUMN")]
    pub sort_columns: Vec<String>,
    /// lists: smallest first
    #[arg(long, global = true, overrides_with = "sort_descending")]
    pub sort_ascending: bool,
    /// lists: largest first
    #[arg(long, global = true, overrides_with = "sort_ascending")]
    pub sort_descending: bool,
    /// csv: what is quoted [default: nonnumeric]
    #[arg(long, global = true, value_name = "WHAT", value_enum)]
    pub quote: Option<QuoteArg>,
}

/// What csv quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum QuoteArg {
    /// Every field
    All,
    /// What would be misread
    Minimal,
    /// What is no number
    Nonnumeric,
    /// Nothing
    None,
}

/// What a command prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// The fields of one resource.
    One,
    /// Rows.
    List,
}

impl OutputArgs {
    /// The layout of a result of this shape.
    ///
    /// # Errors
    /// A format that is none, or none of this shape.
    pub fn layout(
        &self,
        shape: Shape,
        env: &BTreeMap<String, String>,
        terminal: Terminal,
    ) -> Result<Layout, Failure> {
        let format = match (self.format.as_deref().unwrap_or("table"), shape) {
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
        Ok(Layout {
            format,
            columns: self.columns.clone(),
            noindent: self.noindent,
            prefix: self.prefix.clone().unwrap_or_default(),
            max_width: self.max_width.or_else(|| number("CLIFF_MAX_TERM_WIDTH")),
            fit_width: self.fit_width || number("CLIFF_FIT_WIDTH").is_some_and(|width| width != 0),
            terminal_width: terminal.columns.filter(|_| terminal.stdout),
            print_empty: self.print_empty,
            sort_columns: self.sort_columns.clone(),
            sort_direction: if self.sort_descending {
                SortDirection::Descending
            } else {
                SortDirection::Ascending
            },
            quote: match self.quote {
                Some(QuoteArg::All) => Quote::All,
                Some(QuoteArg::Minimal) => Quote::Minimal,
                Some(QuoteArg::None) => Quote::None,
                Some(QuoteArg::Nonnumeric) | None => Quote::Nonnumeric,
            },
        })
    }
}

/// Everything that every command takes.
#[derive(Debug, Clone, Default, Args)]
pub struct Common {
    /// How to reach the cloud.
    #[command(flatten)]
    pub connection: Connection,
    /// When to look.
    #[command(flatten)]
    pub timing: TimingArgs,
    /// How the result is written.
    #[command(flatten)]
    pub output: OutputArgs,
    /// How much is said.
    #[command(flatten)]
    pub messages: MessageArgs,
}
