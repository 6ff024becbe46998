//! What requests lead to when nothing else was planned: the transitions that a real Manila with the
//! dummy driver went through.

use std::time::Duration;

use serde_json::Value;

use super::{Effect, Item, Kind};

const NOW: Duration = Duration::ZERO;
const SOON: Duration = Duration::from_secs(1);
const LATER: Duration = Duration::from_secs(4);

/// The effect of an action (`create`, `delete`, `extend`, …) with this body; `None`: there is no such action.
pub(super) fn effect(kind: Kind, action: &str, body: &Value, item: &Item) -> Option<Effect> {
    let through = |busy: &str, end: &str| {
        Effect::new()
            .at(NOW, "status", busy)
            .at(LATER, "status", end)
    };
    let share = item
        .fields
        .get("share_id")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let size = body.get("new_size").cloned().unwrap_or_default();
    Some(match (kind, action) {
        (Kind::Network, "create") => Effect::new().at(NOW, "status", "active"),
        (Kind::Rule, "create") => Effect::new()
            .at(NOW, "state", "queued_to_apply")
            .at(SOON, "state", "applying")
            .at(LATER, "state", "active"),
        (Kind::Rule, "delete") => Effect::new()
            .at(NOW, "state", "queued_to_deny")
            .at(SOON, "state", "denying")
            .gone(LATER),
        (Kind::Replica, "create") => through("creating", "available")
            .at(NOW, "replica_state", Value::Null)
            .at(LATER, "replica_state", "in_sync"),
        (Kind::Backup, "create") => through("creating", "available")
            .other(share, NOW, "status", "backup_creating")
            .other(share, LATER, "status", "available"),
        (Kind::Share, "create") => through("creating", "available")
            .at(LATER, "availability_zone", "nova")
            .at(LATER, "progress", "100%"),
        (_, "create") => through("creating", "available"),
        (Kind::Network, "delete") => Effect::new().gone(SOON),
        (_, "delete" | "force_delete") => Effect::new().at(NOW, "status", "deleting").gone(LATER),
        (Kind::Server, "manage") => through("manage_starting", "active"),
        (_, "manage") => through("manage_starting", "available"),
        (_, "unmanage") => Effect::new()
            .at(NOW, "status", "unmanage_starting")
            .gone(LATER),
        (Kind::Share, "extend") => through("extending", "available").at(LATER, "size", size),
        (Kind::Share, "shrink") => through("shrinking", "available").at(LATER, "size", size),
        (Kind::Share, "revert") => {
            let snapshot = body
                .get("snapshot_id")
                .and_then(Value::as_str)
                .unwrap_or_default();
            through("reverting", "available")
                .other(snapshot, NOW, "status", "restoring")
                .other(snapshot, LATER, "status", "available")
        }
        (Kind::Share, "soft_delete") => Effect::new().at(NOW, "is_soft_deleted", true),
        (Kind::Share, "restore") => Effect::new().at(NOW, "is_soft_deleted", false),
        (Kind::Share, "migration_start") => Effect::new()
            .at(NOW, "status", "migrating")
            .at(NOW, "task_state", "migration_starting")
            .at(SOON, "task_state", "migration_driver_in_progress")
            .at(LATER, "task_state", "migration_driver_phase1_done"),
        (Kind::Share, "migration_complete") => Effect::new()
            .at(NOW, "task_state", "migration_completing")
            .at(LATER, "task_state", "migration_success")
            .at(LATER, "status", "available"),
        (Kind::Share, "migration_cancel") => Effect::new()
            .at(SOON, "task_state", "migration_cancelled")
            .at(SOON, "status", "available"),
        (Kind::Replica, "promote") => through("replication_change", "available")
            .at(LATER, "replica_state", "active")
            .other(share, NOW, "status", "replication_change")
            .other(share, LATER, "status", "available"),
        (Kind::Replica, "resync") => Effect::new().at(LATER, "replica_state", "in_sync"),
        (Kind::Backup, "restore") => through("restoring", "available")
            .other(share, NOW, "status", "backup_restoring")
            .other(share, LATER, "status", "available"),
        (_, "reset_status") => Effect::new().at(
            NOW,
            "status",
            body.get("status").cloned().unwrap_or_default(),
        ),
        _ => return None,
    })
}
