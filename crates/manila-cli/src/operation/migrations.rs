//! Migrations of shares (`osc/v2/share.py`).

use serde_json::{Value, json};
use wait_cli::Failure;

use super::shares::SHARE;
use super::{Argument, Ask, Change, Operation, USUAL};
use crate::kind::{self, Experimental};
use crate::version::Microversion;

const FLAGS: &[&str] = &["True", "False"];

/// The rows.
pub const ROWS: &[Operation] = &[
    Operation {
        words: &["share", "migration", "start"],
        about: "Migrate a share to another host (admin)",
        arguments: &[
            SHARE,
            Argument::positional("HOST", "host@backend#pool"),
            Argument::option(
                "--force-host-assisted-migration",
                "BOOL",
                "Copy by the data service",
            )
            .among(FLAGS),
            Argument::option("--preserve-metadata", "BOOL", "Keep its metadata")
                .among(FLAGS)
                .needed(),
            Argument::option("--preserve-snapshots", "BOOL", "Keep its snapshots")
                .among(FLAGS)
                .needed(),
            Argument::option("--writable", "BOOL", "It stays writable")
                .among(FLAGS)
                .needed(),
            Argument::option("--nondisruptive", "BOOL", "It is not interrupted")
                .among(FLAGS)
                .needed(),
            Argument::option(
                "--new-share-network",
                "NETWORK",
                "Its new share network, name or ID",
            ),
            Argument::option("--new-share-type", "TYPE", "Its new type, name or ID"),
        ],
        change: migrate,
        ..MIGRATION
    },
    Operation {
        words: &["share", "migration", "complete"],
        about: "Complete the migration of a share (admin)",
        arguments: &[SHARE],
        change: |ask| migration(ask, "migration_complete", "migration_success"),
        ..MIGRATION
    },
    Operation {
        words: &["share", "migration", "cancel"],
        about: "Cancel the migration of a share (admin)",
        arguments: &[SHARE],
        change: |ask| migration(ask, "migration_cancel", "migration_cancelled"),
        ..MIGRATION
    },
];

/// What the operations on migrations have in common.
const MIGRATION: Operation = Operation {
    names: Some(&kind::SHARE),
    waits_on: &kind::MIGRATION,
    since: Microversion::new(29),
    experimental: Experimental::UpTo(Microversion::new(95)),
    ..USUAL
};

/// `share.py:1560`. It ends with its first phase, where it stands until it is completed; to where it is already, at once.
fn migrate(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    let given = ask.given;
    // As argparse has it: an option that was not given is a boolean, one that was is a text.
    let force = given
        .raw("--force-host-assisted-migration")
        .map_or(Value::Bool(false), Value::from);
    let network = ask.id(&kind::NETWORK, "--new-share-network")?;
    let share_type = given
        .text("--new-share-type")
        .map(|asked| ask.share_type(asked))
        .transpose()?;
    migration_action(
        ask,
        "migration_start",
        json!({
            "host": given.value("HOST"),
            "force_host_assisted_migration": force,
            "preserve_metadata": given.value("--preserve-metadata"),
            "preserve_snapshots": given.value("--preserve-snapshots"),
            "writable": given.value("--writable"),
            "nondisruptive": given.value("--nondisruptive"),
            "new_share_network_id": network,
            "new_share_type_id": share_type,
        }),
    )
}

/// The second phase ends with the share available.
fn migration(ask: &Ask<'_, '_>, action: &str, end: &str) -> Result<Change, Failure> {
    let change = migration_action(ask, action, Value::Null)?;
    Ok(change
        .until("task_state", &[end])
        .and("status", "available"))
}

fn migration_action(ask: &Ask<'_, '_>, action: &str, info: Value) -> Result<Change, Failure> {
    let (_, share) = ask.named()?;
    Ok(ask.action(action, info)?.on(&kind::MIGRATION, share))
}
