//! The command line: what follows `openstack`, plus `wait` for every kind. It is made from the tables of kinds and of
//! operations.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, CommandFactory, FromArgMatches, Parser};
use wait_cli::examples::Examples;
use wait_cli::options::Common;
use wait_cli::run::CommandLine;

use crate::examples::EXAMPLES;
use crate::kind::{self, Kind};
use crate::operation::{self, Given, Operation};

/// Waits for Manila shares and what belongs to them
pub struct Cli {
    common: Common,
    plan: Plan,
}

impl CommandLine for Cli {
    const EXAMPLES: Examples = EXAMPLES;

    fn common(&self) -> &Common {
        &self.common
    }

    /// Most of the start would go into arguments of commands that are not meant. So at first only those are made whose
    /// words are there; what that does not understand, the whole tree is asked, which has the words for help and errors.
    fn parse(args: &[OsString]) -> Result<Self, clap::Error> {
        let mut meant = leaves();
        meant.retain(|(words, _)| is_among(words, args));
        if !meant.is_empty() {
            let matches = root(&meant).try_get_matches_from(args);
            if let Ok(cli) = matches.and_then(|matches| Self::from_arg_matches(&matches)) {
                return Ok(cli);
            }
        }
        Self::try_parse_from(args)
    }
}

/// What is to be done.
pub enum Plan {
    /// Follow resources of a kind.
    Wait(&'static Kind, WaitArgs),
    /// Show one resource of a kind.
    Show(&'static Kind, String),
    /// List the export locations of a share.
    ExportLocations(String),
    /// List the access rules of a share.
    AccessList(AccessListArgs),
    /// Change something and follow it.
    Operate(&'static Operation, Given),
}

/// A command, before its arguments.
#[derive(Clone, Copy)]
enum Leaf {
    Wait(&'static Kind),
    Show(&'static Kind),
    ExportLocations,
    AccessList,
    Operate(&'static Operation),
}

/// The words that only lead to others.
const GROUPS: [(&[&str], &str); 12] = [
    (&["share"], "Shares and what belongs to them"),
    (&["share", "export"], "Export locations"),
    (&["share", "export", "location"], "Export locations"),
    (&["share", "access"], "Access rules"),
    (&["share", "snapshot"], "Snapshots"),
    (&["share", "replica"], "Replicas"),
    (&["share", "group"], "Share groups"),
    (&["share", "group", "snapshot"], "Snapshots of share groups"),
    (&["share", "instance"], "Share instances (admin)"),
    (&["share", "network"], "Share networks"),
    (&["share", "server"], "Share servers (admin)"),
    (&["share", "backup"], "Share backups"),
];

/// The kinds with a command that shows one.
const SHOWN: [&Kind; 4] = [&kind::SHARE, &kind::SNAPSHOT, &kind::REPLICA, &kind::ACCESS];

/// Every command with its words.
fn leaves() -> Vec<(Vec<&'static str>, Leaf)> {
    let with = |kind: &Kind, verb| kind.command.iter().copied().chain([verb]).collect();
    let operations = operation::all().map(|row| (row.words.to_vec(), Leaf::Operate(row)));
    let waits = kind::KINDS.map(|kind| (with(kind, "wait"), Leaf::Wait(kind)));
    let shows = SHOWN.map(|kind| (with(kind, "show"), Leaf::Show(kind)));
    let lists = [
        (
            vec!["share", "export", "location", "list"],
            Leaf::ExportLocations,
        ),
        (vec!["share", "access", "list"], Leaf::AccessList),
    ];
    operations.chain(waits).chain(shows).chain(lists).collect()
}

/// The commands below `prefix`, in the order of the tables.
fn tree(
    command: Command,
    prefix: &[&'static str],
    leaves: &[(Vec<&'static str>, Leaf)],
) -> Command {
    let mut command = command
        .subcommand_required(true)
        .disable_help_subcommand(true);
    let mut done: Vec<&str> = Vec::new();
    for (words, leaf) in leaves {
        let Some([word, rest @ ..]) = words.strip_prefix(prefix) else {
            continue;
        };
        if done.contains(word) {
            continue;
        }
        done.push(word);
        let path: Vec<&'static str> = prefix.iter().chain([word]).copied().collect();
        let below = Command::new(*word);
        command = command.subcommand(if rest.is_empty() {
            leaf.command(below)
        } else {
            let about = GROUPS.iter().find(|(words, _)| *words == path);
            let about = about.map_or("Migrations of shares", |(_, about)| *about);
            tree(
                below.about(about).arg_required_else_help(true),
                &path,
                leaves,
            )
        });
    }
    command
}

impl Leaf {
    fn command(self, command: Command) -> Command {
        let one = |command: Command, about: &'static str, name, help| {
            let arg = clap::Arg::new(name)
                .value_name(name)
                .required(true)
                .help(help);
            command.about(about).arg(arg)
        };
        match self {
            Self::Wait(kind) => {
                let names = if kind.field.name == "task_state" {
                    "Wait for migrations: name the shares".to_owned()
                } else {
                    format!("Wait for {}s", kind.noun)
                };
                WaitArgs::augment_args(command).about(names)
            }
            Self::Show(_) => one(command, "Show one", ID, "Name or ID; a replica, a rule: ID"),
            Self::ExportLocations => one(
                command,
                "List the export locations of a share",
                ID,
                "Name or ID",
            ),
            Self::AccessList => {
                AccessListArgs::augment_args(command).about("List the access rules of a share")
            }
            Self::Operate(row) => {
                Given::augment(command, row.arguments, removes(row)).about(row.about)
            }
        }
    }

    fn read(self, matches: &ArgMatches) -> Result<Plan, clap::Error> {
        let id = || matches.get_one::<String>(ID).cloned().unwrap_or_default();
        Ok(match self {
            Self::Wait(kind) => Plan::Wait(kind, WaitArgs::from_arg_matches(matches)?),
            Self::Show(kind) => Plan::Show(kind, id()),
            Self::ExportLocations => Plan::ExportLocations(id()),
            Self::AccessList => Plan::AccessList(AccessListArgs::from_arg_matches(matches)?),
            Self::Operate(row) => {
                Plan::Operate(row, Given::read(matches, row.arguments, removes(row)))
            }
        })
    }
}

/// What a command with one argument calls it.
const ID: &str = "ID";

fn removes(operation: &Operation) -> bool {
    matches!(operation.words.last(), Some(&("delete" | "abandon")))
}

impl Cli {
    /// The command as a plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }
}

/// Whether these words are among the arguments, in this order.
fn is_among(words: &[&str], args: &[OsString]) -> bool {
    let mut args = args.iter();
    words.iter().all(|word| args.any(|arg| arg == word))
}

/// The program with these commands.
fn root(leaves: &[(Vec<&'static str>, Leaf)]) -> Command {
    let root = Command::new("manila-wait")
        .version(crate::VERSION)
        .about("Waits for Manila shares and what belongs to them")
        .arg_required_else_help(true)
        .infer_long_args(true);
    tree(Common::augment_args(root), &[], leaves)
}

impl CommandFactory for Cli {
    fn command() -> Command {
        root(&leaves())
    }

    fn command_for_update() -> Command {
        Self::command()
    }
}

impl FromArgMatches for Cli {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let common = Common::from_arg_matches(matches)?;
        let (mut words, mut below) = (Vec::new(), matches);
        while let Some((word, matches)) = below.subcommand() {
            words.push(word);
            below = matches;
        }
        let leaf = leaves().into_iter().find(|(known, _)| *known == words);
        let (_, leaf) = leaf.ok_or_else(|| clap::Error::new(ErrorKind::MissingSubcommand))?;
        let plan = leaf.read(below)?;
        Ok(Self { common, plan })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Parser for Cli {}

/// What a wait is for.
#[derive(Debug, Args)]
pub struct WaitArgs {
    /// Names or IDs
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
    /// What to wait for: STATUS, deleted, or FIELD=WORD; repeatable, any of them [default: available or active]
    #[arg(long = "for", value_name = "WHAT")]
    pub for_words: Vec<String>,
    /// What must hold as well in the end; repeatable
    #[arg(long = "and", value_name = "FIELD=VALUE")]
    pub and: Vec<String>,
    /// The first of several that gets there ends the wait
    #[arg(long)]
    pub any: bool,
    /// Wait also for what does not exist yet, so long [default: until the deadline]
    #[arg(long, value_name = "DURATION", num_args = 0..=1, require_equals = true, default_missing_value = "none")]
    pub appear: Option<String>,
    /// How long an error must last to count: a replica's state may heal by itself
    #[arg(long, value_name = "DURATION")]
    pub tolerate_error: Option<String>,
    /// The share of access rules, name or ID: services before 2.45 can only list the rules of a share
    #[arg(long, value_name = "SHARE")]
    pub share: Option<String>,
}

/// Which access rules are listed.
#[derive(Debug, Args)]
pub struct AccessListArgs {
    /// Name or ID
    #[arg(value_name = "SHARE")]
    pub share: String,
    /// Only rules with these properties (needs 2.45)
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..)]
    pub properties: Vec<String>,
    /// Only rules of this type (needs 2.82)
    #[arg(long, value_name = "TYPE")]
    pub access_type: Option<String>,
    /// Only rules with this key (needs 2.82)
    #[arg(long, value_name = "KEY")]
    pub access_key: Option<String>,
    /// Only rules for this address or user (needs 2.82)
    #[arg(long, value_name = "TO")]
    pub access_to: Option<String>,
    /// Only rules of this level (needs 2.82)
    #[arg(long, value_name = "LEVEL")]
    pub access_level: Option<String>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_parser_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_kind_can_be_waited_for_by_its_words() {
        for kind in kind::KINDS {
            let words = ["manila-wait"]
                .into_iter()
                .chain(kind.command.iter().copied())
                .chain(["wait", "x"]);
            let cli =
                Cli::try_parse_from(words).unwrap_or_else(|error| panic!("{}: {error}", kind.noun));
            assert!(
                matches!(cli.plan(), Plan::Wait(planned, _) if *planned == kind),
                "{}",
                kind.noun
            );
        }
    }

    #[test]
    fn the_arguments_of_commands_that_are_not_meant_are_not_made() {
        let meant = |line: &str| {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let mut leaves = leaves();
            leaves.retain(|(words, _)| is_among(words, &args));
            let meant = leaves.iter().map(|(words, _)| words.join(" "));
            meant.collect::<Vec<_>>()
        };
        assert_eq!(
            meant("manila-wait share wait data --for available"),
            ["share wait"]
        );
        assert_eq!(
            meant("manila-wait --os-cloud x share -q snapshot --debug create data"),
            ["share create", "share snapshot create"]
        );
        assert!(meant("manila-wait share --help").is_empty());
    }

    #[test]
    fn every_command_is_understood_as_by_the_whole_tree() {
        let told = |parsed: Result<Cli, clap::Error>| match parsed {
            Ok(cli) => match cli.plan {
                Plan::Wait(kind, wait) => format!("wait {} {wait:?}", kind.noun),
                Plan::Show(kind, id) => format!("show {} {id}", kind.noun),
                Plan::ExportLocations(share) => format!("export locations {share}"),
                Plan::AccessList(list) => format!("{list:?}"),
                Plan::Operate(row, given) => format!("{} {given:?}", row.name()),
            },
            Err(error) => error.to_string(),
        };
        let tails = [
            "",
            "a",
            "a b",
            "NFS 1",
            "a --name wait --poll 2",
            "delete show -f json",
            "--help",
            "a --no-such",
        ];
        let mut understood = 0;
        for (words, _) in leaves() {
            for tail in tails {
                let args = ["manila-wait"].iter().chain(&words).copied();
                let args: Vec<OsString> = args
                    .chain(tail.split_whitespace())
                    .map(OsString::from)
                    .collect();
                let narrow = <Cli as CommandLine>::parse(&args);
                understood += usize::from(narrow.is_ok());
                assert_eq!(told(narrow), told(Cli::try_parse_from(&args)), "{args:?}");
            }
        }
        assert!(understood > 50, "{understood}");
    }

    #[test]
    fn appear_takes_a_duration_only_behind_an_equals_sign() {
        let parse = |words: &[&str]| {
            let cli =
                Cli::try_parse_from([&["manila-wait", "share", "wait"], words].concat()).unwrap();
            match cli.plan() {
                Plan::Wait(_, args) => (args.ids.clone(), args.appear.clone()),
                _ => panic!("no wait"),
            }
        };
        assert_eq!(
            parse(&["--appear", "x"]),
            (vec!["x".to_owned()], Some("none".to_owned()))
        );
        assert_eq!(
            parse(&["--appear=5m", "x"]),
            (vec!["x".to_owned()], Some("5m".to_owned()))
        );
    }

    #[test]
    fn every_command_has_examples_and_they_parse() {
        fn named(command: &Command, words: &str, found: &mut Vec<String>) {
            for below in command
                .get_subcommands()
                .filter(|below| below.get_name() != "help")
            {
                let words = format!("{words} {}", below.get_name());
                match below.has_subcommands() {
                    true => named(below, &words, found),
                    false => found.push(words.trim().to_owned()),
                }
            }
        }
        let mut commands = Vec::new();
        named(&Cli::command(), "", &mut commands);
        for command in &commands {
            assert!(
                EXAMPLES
                    .iter()
                    .any(|(words, lines)| words == command && !lines.is_empty()),
                "{command} has no example"
            );
        }
        for (words, lines) in EXAMPLES {
            assert!(
                words.is_empty() || commands.contains(&(*words).to_owned()),
                "{words} is no command"
            );
            for line in *lines {
                let args = std::iter::once("x").chain(line.split(' '));
                if let Err(error) = Cli::try_parse_from(args) {
                    panic!("{line}: {error}");
                }
            }
        }
    }
}
