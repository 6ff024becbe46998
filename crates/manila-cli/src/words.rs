//! What the words of the service mean, field by field.
//!
//! They are those of Manila's own constants (`manila/common/constants.py`, kept in `tests/fixtures/manila-constants.json`
//! and compared with these tables by a test).

/// What a word of the service says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// Something runs; the end is still to come.
    Pending,
    /// At rest, and well.
    Rest,
    /// It ended badly.
    Failed,
    /// What has this word does not exist any more.
    Gone,
    /// In no table: taken for pending, and worth a warning.
    Unknown,
}

/// A field with words, and what each of them means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Its key in the service's JSON.
    pub name: &'static str,
    /// Something runs.
    pub pending: &'static [&'static str],
    /// At rest, and well.
    pub rest: &'static [&'static str],
    /// It ended badly.
    pub failed: &'static [&'static str],
    /// It does not exist any more.
    pub gone: &'static [&'static str],
}

impl Field {
    /// What `word` means; case does not matter. A word in no table is a failure if it contains `error`.
    #[must_use]
    pub fn meaning(&self, word: &str) -> Meaning {
        let word = word.to_lowercase();
        let is = |words: &[&str]| words.contains(&word.as_str());
        if is(self.pending) {
            Meaning::Pending
        } else if is(self.rest) {
            Meaning::Rest
        } else if is(self.failed) || (!is(self.gone) && word.contains("error")) {
            Meaning::Failed
        } else if is(self.gone) {
            Meaning::Gone
        } else {
            Meaning::Unknown
        }
    }

    /// Every word of the table.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        [self.pending, self.rest, self.failed, self.gone]
            .into_iter()
            .flatten()
            .copied()
    }
}

/// `status` of whatever is made of share instances (`SHARE_STATUSES`, `SHARE_SNAPSHOT_STATUSES`).
///
/// `error_deferred_deleting` is set on purpose while snapshots remain, and tried again; `inactive` is what a share's
/// source instance is while it moves.
#[rustfmt::skip]
pub const STATUS: Field = Field {
    name: "status",
    pending: &[
        "creating", "creating_from_snapshot", "deleting", "deferred_deleting", "error_deferred_deleting",
        "manage_starting", "unmanage_starting", "manage_error_unmanage_starting", "extending", "shrinking",
        "migrating", "migrating_to", "server_migrating", "server_migrating_to", "replication_change",
        "restoring", "reverting", "reverting_to_snapshot", "awaiting_transfer", "backup_creating",
        "backup_restoring", "network_change", "ensuring", "inactive",
    ],
    rest: &["available"],
    failed: &[
        "error", "error_deleting", "manage_error", "unmanage_error", "extending_error", "shrinking_error",
        "shrinking_possible_data_loss_error", "reverting_error", "backup_restoring_error",
    ],
    gone: &["deleted", "unmanaged"],
};

/// `status` of a share server (`SHARE_SERVER_STATUSES`).
#[rustfmt::skip]
pub const SERVER_STATUS: Field = Field {
    name: "status",
    pending: &[
        "creating", "deleting", "manage_starting", "unmanage_starting", "server_migrating",
        "server_migrating_to", "network_change", "inactive",
    ],
    rest: &["active"],
    failed: &["error", "manage_error", "unmanage_error"],
    gone: &["deleted"],
};

/// `status` of a share network (`SHARE_NETWORK_STATUSES`).
#[rustfmt::skip]
pub const NETWORK_STATUS: Field = Field {
    name: "status",
    pending: &["network_change"],
    rest: &["active"],
    failed: &["error"],
    gone: &[],
};

/// `state` of an access rule (`ACCESS_RULES_STATES`); `new` is what versions before 2.28 call the first two.
#[rustfmt::skip]
pub const ACCESS_STATE: Field = Field {
    name: "state",
    pending: &["queued_to_apply", "queued_to_deny", "queued_to_update", "applying", "denying", "updating", "new"],
    rest: &["active"],
    failed: &["error"],
    gone: &["deleted"],
};

/// `replica_state` of a replica; `error` may heal by itself within one cycle of the replication.
#[rustfmt::skip]
pub const REPLICA_STATE: Field = Field {
    name: "replica_state",
    pending: &["out_of_sync"],
    rest: &["in_sync", "active"],
    failed: &["error"],
    gone: &[],
};

/// `access_rules_status` of a share or an instance; `out_of_sync` before 2.28.
#[rustfmt::skip]
pub const ACCESS_RULES_STATUS: Field = Field {
    name: "access_rules_status",
    pending: &["syncing", "out_of_sync"],
    rest: &["active"],
    failed: &["error"],
    gone: &[],
};

/// `task_state` of a share (`TASK_STATE_STATUSES`). It keeps its last value for ever.
#[rustfmt::skip]
pub const TASK_STATE: Field = Field {
    name: "task_state",
    pending: &[
        "migration_starting", "migration_in_progress", "migration_completing", "migration_cancel_in_progress",
        "migration_driver_starting", "migration_driver_in_progress", "data_copying_starting",
        "data_copying_in_progress", "data_copying_completing",
    ],
    rest: &["migration_success", "migration_driver_phase1_done", "data_copying_completed"],
    failed: &["migration_error", "migration_cancelled", "data_copying_error", "data_copying_cancelled"],
    gone: &[],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_look_like_failures_and_are_none() {
        assert_eq!(STATUS.meaning("error_deferred_deleting"), Meaning::Pending);
        assert_eq!(
            STATUS.meaning("manage_error_unmanage_starting"),
            Meaning::Pending
        );
    }

    #[test]
    fn an_unknown_word_is_pending_unless_it_contains_error() {
        assert_eq!(STATUS.meaning("defragmenting"), Meaning::Unknown);
        assert_eq!(STATUS.meaning("defragmenting_error"), Meaning::Failed);
        assert_eq!(STATUS.meaning("AVAILABLE"), Meaning::Rest);
        assert_eq!(STATUS.meaning("Error_Deleting"), Meaning::Failed);
    }
}
