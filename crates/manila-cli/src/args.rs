//! The command line: what follows `openstack`, plus `wait` for every kind. It is made from the tables of kinds and of
//! operations.

use wait_cli::argument::{Argument, Given};
use wait_cli::grammar::{Grammar, Verb};

use crate::PROGRAM;
use crate::examples::EXAMPLES;
use crate::kind::{self, Kind};
use crate::operation::{self, Operation};

/// The command line of this program.
pub fn grammar() -> Grammar<Command> {
    let operations = operation::all().map(Command::Operate);
    let waits = kind::KINDS.into_iter().map(Command::Wait);
    let shows = SHOWN.into_iter().map(Command::Show);
    let lists = [Command::ExportLocations, Command::AccessList];
    Grammar {
        program: &PROGRAM,
        about: "Runs or joins an operation on Manila shares and what belongs to them, and comes back when it has ended, with an exit code that tells the truth",
        groups: &GROUPS,
        verbs: operations.chain(waits).chain(shows).chain(lists).collect(),
        examples: EXAMPLES,
    }
}

/// A command.
#[derive(Debug, Clone, Copy)]
pub enum Command {
    /// Follow resources of a kind.
    Wait(&'static Kind),
    /// Show one resource of a kind.
    Show(&'static Kind),
    /// List the export locations of a share.
    ExportLocations,
    /// List the access rules of a share.
    AccessList,
    /// Change something and follow it.
    Operate(&'static Operation),
}

/// The words that only lead to others.
const GROUPS: [(&[&str], &str); 13] = [
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
    (&["share", "migration"], "Migrations of shares"),
];

/// The kinds with a command that shows one.
const SHOWN: [&Kind; 4] = [&kind::SHARE, &kind::SNAPSHOT, &kind::REPLICA, &kind::ACCESS];

impl Verb for Command {
    fn words(self) -> Vec<&'static str> {
        let with = |kind: &Kind, verb| kind.command.iter().copied().chain([verb]).collect();
        match self {
            Self::Wait(kind) => with(kind, "wait"),
            Self::Show(kind) => with(kind, "show"),
            Self::ExportLocations => vec!["share", "export", "location", "list"],
            Self::AccessList => vec!["share", "access", "list"],
            Self::Operate(row) => row.words.to_vec(),
        }
    }

    fn about(self) -> String {
        match self {
            Self::Wait(kind) if kind.field.name == "task_state" => {
                "Wait for migrations: name the shares".to_owned()
            }
            Self::Wait(kind) => format!("Wait for {}s", kind.noun),
            Self::Show(_) => "Show one".to_owned(),
            Self::ExportLocations => "List the export locations of a share".to_owned(),
            Self::AccessList => "List the access rules of a share".to_owned(),
            Self::Operate(row) => row.about.to_owned(),
        }
    }

    fn arguments(self) -> Vec<Argument> {
        match self {
            Self::Wait(_) => WAIT.to_vec(),
            Self::Show(_) => vec![Argument::positional(
                ID,
                "Name or ID; a replica, a rule: ID",
            )],
            Self::ExportLocations => vec![Argument::positional(ID, "Name or ID")],
            Self::AccessList => ACCESS_LIST.to_vec(),
            Self::Operate(row) => {
                let removes = matches!(row.words.last(), Some(&("delete" | "abandon")));
                let ignore: &[Argument] = if removes { &[IGNORE_MISSING] } else { &[] };
                [row.arguments, &COMMON, ignore].concat()
            }
        }
    }
}

/// What a command with one argument calls it.
pub const ID: &str = "ID";

/// What every operation takes beside its own options.
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

const WAIT: [Argument; 7] = [
    Argument::positionals(ID, "Names or IDs"),
    Argument::each(
        "--for",
        "WHAT",
        "What to wait for: STATUS, deleted, or FIELD=WORD; repeatable, any of them [default: available or active]",
    ),
    Argument::each(
        "--and",
        "FIELD=VALUE",
        "What must hold as well in the end; repeatable",
    ),
    Argument::flag(
        "--any",
        "The first of several that gets there ends the wait",
    ),
    Argument::perhaps(
        "--appear",
        "DURATION",
        "Wait also for what does not exist yet, so long [default: until the deadline]",
    ),
    Argument::option(
        "--tolerate-error",
        "DURATION",
        "How long an error must last to count: a replica's state may heal by itself",
    ),
    Argument::option(
        "--share",
        "SHARE",
        "The share of access rules, name or ID: services before 2.45 can only list the rules of a share",
    ),
];

/// What a wait is for.
#[derive(Debug)]
pub struct WaitArgs {
    /// Names or IDs.
    pub ids: Vec<String>,
    /// `STATUS`, `deleted`, or `FIELD=WORD`, any of them.
    pub for_words: Vec<String>,
    /// `FIELD=VALUE`.
    pub and: Vec<String>,
    /// The first of several that gets there ends the wait.
    pub any: bool,
    /// A duration or `none`.
    pub appear: Option<String>,
    /// A duration.
    pub tolerate_error: Option<String>,
    /// The share of access rules.
    pub share: Option<String>,
}

impl WaitArgs {
    /// As they were given.
    pub fn read(given: &Given) -> Self {
        Self {
            ids: given.texts(ID).to_vec(),
            for_words: given.texts("--for").to_vec(),
            and: given.texts("--and").to_vec(),
            any: given.flag("--any"),
            appear: given.owned("--appear"),
            tolerate_error: given.owned("--tolerate-error"),
            share: given.owned("--share"),
        }
    }
}

const ACCESS_LIST: [Argument; 6] = [
    Argument::positional("SHARE", "Name or ID"),
    Argument::several(
        "--properties",
        "KEY=VALUE",
        "Only rules with these properties (needs 2.45)",
    ),
    Argument::option(
        "--access-type",
        "TYPE",
        "Only rules of this type (needs 2.82)",
    ),
    Argument::option(
        "--access-key",
        "KEY",
        "Only rules with this key (needs 2.82)",
    ),
    Argument::option(
        "--access-to",
        "TO",
        "Only rules for this address or user (needs 2.82)",
    ),
    Argument::option(
        "--access-level",
        "LEVEL",
        "Only rules of this level (needs 2.82)",
    ),
];

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use wait_cli::grammar::Line;

    use super::*;

    fn parsed(line: &str) -> Line<Command> {
        let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let parsed = grammar().parse(&args);
        parsed.unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn the_table_is_consistent() {
        grammar().check();
    }

    #[test]
    fn every_kind_can_be_waited_for_by_its_words() {
        for kind in kind::KINDS {
            let line = format!("manila-wait {} wait x", kind.command.join(" "));
            assert!(
                matches!(parsed(&line).verb, Command::Wait(planned) if planned == kind),
                "{}",
                kind.noun
            );
        }
    }

    #[test]
    fn appear_takes_a_duration_only_behind_an_equals_sign() {
        let parse = |words: &str| {
            let line = parsed(&format!("manila-wait share wait {words}"));
            let args = WaitArgs::read(&line.given);
            (args.ids, args.appear)
        };
        let x = || vec!["x".to_owned()];
        assert_eq!(parse("--appear x"), (x(), Some("none".to_owned())));
        assert_eq!(parse("--appear=5m x"), (x(), Some("5m".to_owned())));
    }
}
