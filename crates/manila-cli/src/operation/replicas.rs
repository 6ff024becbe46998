//! Replicas of shares (`osc/v2/share_replicas.py`).

use serde_json::{Value, json};
use wait_cli::Failure;

use super::shares::put;
use super::{Argument, Ask, Change, Operation, USUAL};
use crate::client::encoded;
use crate::kind;
use crate::lookup::id_of;

const REPLICA_ID: Argument = Argument::positional("REPLICA", "ID");

/// The rows.
pub const ROWS: &[Operation] = &[
    Operation {
        words: &["share", "replica", "create"],
        about: "Create a replica of a share",
        arguments: &[
            Argument::positional("SHARE", "Name or ID"),
            Argument::option("--availability-zone", "ZONE", "Where it is created"),
            Argument::pair("--scheduler-hint", "only_host=HOST").since(67),
            Argument::option(
                "--share-network",
                "NETWORK",
                "Its share network, name or ID",
            )
            .since(72),
            Argument::pair("--property", "A property of it; repeatable").since(95),
        ],
        names: Some(&kind::SHARE),
        prints: true,
        change: create,
        ..REPLICA
    },
    Operation {
        words: &["share", "replica", "delete"],
        about: "Delete replicas",
        arguments: &[
            Argument::positionals("REPLICA", "IDs"),
            Argument::flag("--force", "Whatever their state is"),
        ],
        names: Some(&kind::REPLICA),
        change: super::delete_or_force,
        ..REPLICA
    },
    Operation {
        words: &["share", "replica", "promote"],
        about: "Make a replica the active one",
        arguments: &[
            REPLICA_ID,
            Argument::option(
                "--quiesce-wait-time",
                "SECONDS",
                "How long to wait for the active one to be quiet",
            )
            .since(75),
        ],
        names: Some(&kind::REPLICA),
        change: promote,
        ..REPLICA
    },
    Operation {
        words: &["share", "replica", "resync"],
        about: "Bring a replica into sync (admin)",
        arguments: &[REPLICA_ID],
        names: Some(&kind::REPLICA),
        change: |ask| {
            let change = ask.action("resync", Value::Null)?;
            Ok(change.until("replica_state", &["in_sync", "active"]))
        },
        ..REPLICA
    },
];

const REPLICA: Operation = Operation {
    waits_on: &kind::REPLICA,
    since: kind::REPLICA.since,
    experimental: kind::REPLICA.experimental,
    ..USUAL
};

/// `v2/share_replicas.py:_create_share_replica`.
fn create(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    let (_, share) = ask.named()?;
    let id = id_of(share);
    let mut body = json!({ "share_id": id });
    put(
        &mut body,
        "availability_zone",
        ask.given.text("--availability-zone"),
    );
    let hints = ask.given.pairs("--scheduler-hint");
    if hints.keys().any(|key| key != "only_host") {
        return Err(Failure::usage(
            "--scheduler-hint: the only hint for a replica is only_host",
        ));
    }
    put(
        &mut body,
        "scheduler_hints",
        Some(hints).filter(|hints| !hints.is_empty()),
    );
    put(
        &mut body,
        "share_network_id",
        ask.id(&kind::NETWORK, "--share-network")?,
    );
    let metadata = ask.given.pairs("--property");
    put(
        &mut body,
        "metadata",
        Some(metadata).filter(|metadata| !metadata.is_empty()),
    );
    let fields = vec![("share_id", Value::from(id.as_str()))];
    let query = format!("share_id={}", encoded(&id));
    Ok(Change::new(
        &kind::REPLICA,
        "/share-replicas",
        json!({"share_replica": body}),
        fields,
        query,
    ))
}

/// A failed promotion leaves `replica_state` as it was and sets `status`: both are looked at.
fn promote(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    let wait = ask.given.text("--quiesce-wait-time");
    let info = wait.map_or(Value::Null, |wait| json!({"quiesce_wait_time": wait}));
    let change = ask.action("promote", info)?;
    Ok(change
        .until("replica_state", &["active"])
        .and("status", "available"))
}
