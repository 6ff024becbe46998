//! Snapshots and backups of shares (`osc/v2/share_snapshots.py`, `osc/v2/share_backups.py`).

use serde_json::{Value, json};
use wait_cli::Failure;

use super::shares::{by_name, text};
use super::{Argument, Ask, Change, Operation, USUAL};
use crate::kind::{self, Experimental};
use crate::lookup::id_of;
use crate::version::Microversion;

const NAME: Argument = Argument::option("--name", "NAME", "Its name");
const DESCRIPTION: Argument = Argument::option("--description", "TEXT", "Its description");
const SHARE: Argument = Argument::positional("SHARE", "Name or ID");

/// The rows.
pub const ROWS: &[Operation] = &[
    Operation {
        words: &["share", "snapshot", "create"],
        about: "Create a snapshot of a share",
        arguments: &[
            SHARE,
            Argument::flag("--force", "Though the share is in use"),
            NAME,
            DESCRIPTION,
            Argument::pair("--property", "A property of it; repeatable").since(73),
        ],
        names: Some(&kind::SHARE),
        prints: true,
        change: create,
        ..SNAPSHOT
    },
    Operation {
        words: &["share", "snapshot", "delete"],
        about: "Delete snapshots",
        arguments: &[
            Argument::positionals("SNAPSHOT", "Names or IDs"),
            Argument::flag("--force", "Whatever their state is"),
        ],
        names: Some(&kind::SNAPSHOT),
        change: super::delete_or_force,
        ..SNAPSHOT
    },
    Operation {
        words: &["share", "snapshot", "adopt"],
        about: "Adopt a snapshot that Manila does not know (admin)",
        arguments: &[
            SHARE,
            Argument::positional("PROVIDER_LOCATION", "Where it is on the backend"),
            NAME,
            DESCRIPTION,
            Argument::pair("--driver-option", "An option for the driver; repeatable"),
        ],
        names: Some(&kind::SHARE),
        since: Microversion::new(12),
        prints: true,
        change: adopt,
        ..SNAPSHOT
    },
    Operation {
        words: &["share", "snapshot", "abandon"],
        about: "Let Manila forget snapshots (admin)",
        arguments: &[Argument::positionals("SNAPSHOT", "Names or IDs")],
        names: Some(&kind::SNAPSHOT),
        since: Microversion::new(12),
        change: super::unmanage,
        ..SNAPSHOT
    },
    Operation {
        words: &["share", "backup", "create"],
        about: "Back up a share and wait for the backup and the share",
        arguments: &[
            SHARE,
            NAME,
            DESCRIPTION,
            Argument::pair(
                "--backup-options",
                "An option for the backup driver; repeatable",
            ),
        ],
        names: Some(&kind::SHARE),
        prints: true,
        change: back_up,
        ..BACKUP
    },
    Operation {
        words: &["share", "backup", "delete"],
        about: "Delete backups",
        arguments: &[Argument::positionals("BACKUP", "Names or IDs")],
        names: Some(&kind::BACKUP),
        change: super::delete,
        ..BACKUP
    },
    Operation {
        words: &["share", "backup", "restore"],
        about: "Restore a backup and wait for the share and the backup",
        arguments: &[
            Argument::positional("BACKUP", "Name or ID"),
            Argument::option(
                "--target-share",
                "SHARE",
                "Restore it to this share, name or ID",
            )
            .since(91),
        ],
        names: Some(&kind::BACKUP),
        change: restore,
        ..BACKUP
    },
];

const SNAPSHOT: Operation = Operation {
    waits_on: &kind::SNAPSHOT,
    ..USUAL
};

const BACKUP: Operation = Operation {
    waits_on: &kind::BACKUP,
    since: Microversion::new(80),
    experimental: Experimental::Always,
    ..USUAL
};

/// `v2/share_snapshots.py:_do_create`: an empty name is none.
fn create(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    let (_, share) = ask.named()?;
    let name = Value::from(ask.given.text("--name"));
    let body = json!({
        "share_id": id_of(share),
        "force": ask.given.flag("--force"),
        "name": name,
        "description": ask.given.text("--description"),
        "metadata": ask.given.pairs("--property"),
    });
    let fields = vec![("name", name.clone()), ("share_id", id_of(share).into())];
    Ok(Change::new(
        &kind::SNAPSHOT,
        "/snapshots",
        json!({"snapshot": body}),
        fields,
        by_name(&name),
    ))
}

/// `v2/share_snapshots.py:manage`.
fn adopt(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    let (_, share) = ask.named()?;
    let name = ask.given.value("--name");
    let body = json!({
        "share_id": id_of(share),
        "provider_location": ask.given.value("PROVIDER_LOCATION"),
        "driver_options": ask.given.pairs("--driver-option"),
        "name": name,
        "description": ask.given.value("--description"),
    });
    let fields = vec![("name", name.clone()), ("share_id", id_of(share).into())];
    Ok(Change::new(
        &kind::SNAPSHOT,
        "/snapshots/manage",
        json!({"snapshot": body}),
        fields,
        by_name(&name),
    ))
}

/// `v2/share_backups.py:create`: what was not given is null. The share is busy meanwhile.
fn back_up(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    let (_, share) = ask.named()?;
    let name = Value::from(ask.given.text("--name"));
    let options = ask.given.pairs("--backup-options");
    let body = json!({
        "share_id": id_of(share),
        "backup_options": Some(options).filter(|options| !options.is_empty()),
        "description": ask.given.text("--description"),
        "name": name,
    });
    let fields = vec![("name", name.clone()), ("share_id", id_of(share).into())];
    let change = Change::new(
        &kind::BACKUP,
        "/share-backups",
        json!({"share_backup": body}),
        fields,
        by_name(&name),
    );
    Ok(change.also(&kind::SHARE, id_of(share)))
}

/// `v2/share_backups.py:restore`: waited for on the share that is restored to.
fn restore(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    let (_, backup) = ask.named()?;
    let target = ask.id(&kind::SHARE, "--target-share")?;
    let asked = target
        .as_deref()
        .unwrap_or_else(|| text(backup, "share_id"));
    let share = ask.find(&kind::SHARE, asked, "the share of the backup")?;
    Ok(ask
        .action("restore", target.clone().into())?
        .on(&kind::SHARE, &share)
        .also(&kind::BACKUP, id_of(backup)))
}
