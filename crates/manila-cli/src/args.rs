//! The command line: what follows `openstack`, plus `wait` for every kind.

use clap::{Args, Parser, Subcommand};
use wait_cli::options::Common;
use wait_cli::run::CommandLine;

use crate::kind::{self, Kind};

/// Waits for Manila shares and what belongs to them
#[derive(Debug, Parser)]
#[command(
    name = "manila-wait",
    version,
    disable_help_subcommand = true,
    subcommand_required = true
)]
pub struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

impl CommandLine for Cli {
    fn common(&self) -> &Common {
        &self.common
    }
}

/// What is to be done.
pub enum Plan<'a> {
    /// Follow resources of a kind.
    Wait(&'static Kind, &'a WaitArgs),
    /// Show one resource of a kind.
    Show(&'static Kind, &'a str),
    /// List the export locations of a share.
    ExportLocations(&'a str),
    /// List the access rules of a share.
    AccessList(&'a AccessListArgs),
}

impl Cli {
    /// The command as a plan.
    pub fn plan(&self) -> Plan<'_> {
        let Command::Share { command } = &self.command;
        match command {
            Share::Wait(args) => Plan::Wait(&kind::SHARE, args),
            Share::Show { share } => Plan::Show(&kind::SHARE, share),
            Share::Snapshot {
                command: Showable::Wait(args),
            } => Plan::Wait(&kind::SNAPSHOT, args),
            Share::Snapshot {
                command: Showable::Show { id },
            } => Plan::Show(&kind::SNAPSHOT, id),
            Share::Replica {
                command: Showable::Wait(args),
            } => Plan::Wait(&kind::REPLICA, args),
            Share::Replica {
                command: Showable::Show { id },
            } => Plan::Show(&kind::REPLICA, id),
            Share::Access {
                command: Access::Wait(args),
            } => Plan::Wait(&kind::ACCESS, args),
            Share::Access {
                command: Access::Show { access_id },
            } => Plan::Show(&kind::ACCESS, access_id),
            Share::Access {
                command: Access::List(args),
            } => Plan::AccessList(args),
            Share::Group {
                command: Group::Wait(args),
            } => Plan::Wait(&kind::GROUP, args),
            Share::Group {
                command:
                    Group::Snapshot {
                        command: Waitable::Wait(args),
                    },
            } => Plan::Wait(&kind::GROUP_SNAPSHOT, args),
            Share::Instance {
                command: Waitable::Wait(args),
            } => Plan::Wait(&kind::INSTANCE, args),
            Share::Network {
                command: Waitable::Wait(args),
            } => Plan::Wait(&kind::NETWORK, args),
            Share::Server {
                command: Waitable::Wait(args),
            } => Plan::Wait(&kind::SERVER, args),
            Share::Backup {
                command: Waitable::Wait(args),
            } => Plan::Wait(&kind::BACKUP, args),
            Share::Migration {
                command: Waitable::Wait(args),
            } => Plan::Wait(&kind::MIGRATION, args),
            Share::Export {
                command:
                    Export::Location {
                        command: Location::List { share },
                    },
            } => Plan::ExportLocations(share),
        }
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Shares and what belongs to them
    Share {
        #[command(subcommand)]
        command: Share,
    },
}

#[derive(Debug, Subcommand)]
enum Share {
    /// Wait for shares
    Wait(WaitArgs),
    /// Show a share
    Show {
        /// Name or ID
        #[arg(value_name = "SHARE")]
        share: String,
    },
    /// Export locations
    Export {
        #[command(subcommand)]
        command: Export,
    },
    /// Access rules
    Access {
        #[command(subcommand)]
        command: Access,
    },
    /// Snapshots
    Snapshot {
        #[command(subcommand)]
        command: Showable,
    },
    /// Replicas
    Replica {
        #[command(subcommand)]
        command: Showable,
    },
    /// Share groups
    Group {
        #[command(subcommand)]
        command: Group,
    },
    /// Share instances (admin)
    Instance {
        #[command(subcommand)]
        command: Waitable,
    },
    /// Share networks
    Network {
        #[command(subcommand)]
        command: Waitable,
    },
    /// Share servers (admin)
    Server {
        #[command(subcommand)]
        command: Waitable,
    },
    /// Share backups
    Backup {
        #[command(subcommand)]
        command: Waitable,
    },
    /// Migrations: name the shares
    Migration {
        #[command(subcommand)]
        command: Waitable,
    },
}

#[derive(Debug, Subcommand)]
enum Export {
    /// Export locations
    Location {
        #[command(subcommand)]
        command: Location,
    },
}

#[derive(Debug, Subcommand)]
enum Location {
    /// List the export locations of a share
    List {
        /// Name or ID
        #[arg(value_name = "SHARE")]
        share: String,
    },
}

#[derive(Debug, Subcommand)]
enum Access {
    /// Wait for access rules
    Wait(WaitArgs),
    /// List the access rules of a share
    List(AccessListArgs),
    /// Show an access rule
    Show {
        /// ID
        #[arg(value_name = "ACCESS_ID")]
        access_id: String,
    },
}

#[derive(Debug, Subcommand)]
enum Group {
    /// Wait for share groups
    Wait(WaitArgs),
    /// Snapshots of share groups
    Snapshot {
        #[command(subcommand)]
        command: Waitable,
    },
}

#[derive(Debug, Subcommand)]
enum Waitable {
    /// Wait for them
    Wait(WaitArgs),
}

#[derive(Debug, Subcommand)]
enum Showable {
    /// Wait for them
    Wait(WaitArgs),
    /// Show one
    Show {
        /// Name or ID; a replica: ID
        #[arg(value_name = "ID")]
        id: String,
    },
}

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
                matches!(cli.plan(), Plan::Wait(planned, _) if planned == kind),
                "{}",
                kind.noun
            );
        }
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
}
