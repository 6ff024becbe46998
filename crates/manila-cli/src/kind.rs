//! The one table of what can be waited for. A new kind is a new row.

use std::time::Duration;

use crate::version::Microversion;
use crate::words::{
    ACCESS_RULES_STATUS, ACCESS_STATE, Field, NETWORK_STATUS, REPLICA_STATE, SERVER_STATUS, STATUS,
    TASK_STATE,
};

/// Up to which microversion the API of a kind wants the experimental header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Experimental {
    /// It never was experimental.
    Never,
    /// Up to this version.
    UpTo(Microversion),
    /// It still is.
    Always,
}

impl Experimental {
    /// Whether requests of `version` need the header.
    #[must_use]
    pub fn is_needed(self, version: Microversion) -> bool {
        match self {
            Self::Never => false,
            Self::UpTo(last) => version <= last,
            Self::Always => true,
        }
    }
}

/// One kind of resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// How messages call one.
    pub noun: &'static str,
    /// The words of its commands: `share group snapshot`.
    pub command: &'static [&'static str],
    /// Of one, without the id.
    pub path: &'static str,
    /// Of the list with all fields. `None`: there is no list that holds them all.
    pub list: Option<&'static str>,
    /// The key around one.
    pub one: &'static str,
    /// The key around the list.
    pub many: &'static str,
    /// Whether it has a name that the list can be asked for.
    pub named: bool,
    /// The first microversion that has it.
    pub since: Microversion,
    /// Whether the experimental header is needed.
    pub experimental: Experimental,
    /// The field that a wait is about, and its words.
    pub field: &'static Field,
    /// Further fields with words of their own. They count where a goal names them.
    pub others: &'static [&'static Field],
    /// What is waited for by default: any of these words.
    pub default: &'static [&'static str],
    /// Fields that came later than the kind.
    pub later: &'static [(&'static str, Microversion)],
    /// The default of `--deadline`.
    pub deadline: Duration,
}

impl Kind {
    /// The field of this name that has words.
    #[must_use]
    pub fn field_named(&self, name: &str) -> Option<&'static Field> {
        std::iter::once(self.field)
            .chain(self.others.iter().copied())
            .find(|field| field.name == name)
    }

    /// Whether requests of `version` need the experimental header.
    #[must_use]
    pub fn is_experimental(&self, version: Microversion) -> bool {
        self.experimental.is_needed(version)
    }

    /// That there is none.
    #[must_use]
    pub fn missing(&self, asked: &str) -> String {
        let name_or = if self.named { "a name or" } else { "an" };
        format!("no {} with {name_or} ID of '{asked}'", self.noun)
    }

    /// The first microversion that has `field`.
    #[must_use]
    pub fn since_of(&self, field: &str) -> Microversion {
        self.later
            .iter()
            .find(|(name, _)| *name == field)
            .map_or(self.since, |(_, since)| *since)
    }
}

const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// A share.
pub const SHARE: Kind = Kind {
    noun: "share",
    command: &["share"],
    path: "/shares",
    list: Some("/shares/detail"),
    one: "share",
    many: "shares",
    named: true,
    since: Microversion::new(0),
    experimental: Experimental::Never,
    field: &STATUS,
    others: &[&TASK_STATE, &ACCESS_RULES_STATUS],
    default: &["available"],
    later: &[
        ("task_state", Microversion::new(5)),
        ("access_rules_status", Microversion::new(10)),
        ("replication_type", Microversion::new(11)),
        ("has_replicas", Microversion::new(11)),
        ("progress", Microversion::new(54)),
        ("is_soft_deleted", Microversion::new(69)),
        ("scheduled_to_be_deleted_at", Microversion::new(69)),
    ],
    deadline: HOUR,
};

/// A migration: the field `task_state` of a share.
///
/// By default both ends count: the end of the first phase, where it stands until it is completed, and the end of all.
pub const MIGRATION: Kind = Kind {
    noun: "migration of share",
    command: &["share", "migration"],
    since: Microversion::new(5),
    field: &TASK_STATE,
    others: &[&STATUS, &ACCESS_RULES_STATUS],
    default: &[
        "migration_success",
        "migration_driver_phase1_done",
        "data_copying_completed",
    ],
    deadline: DAY,
    ..SHARE
};

/// A snapshot.
pub const SNAPSHOT: Kind = Kind {
    noun: "snapshot",
    command: &["share", "snapshot"],
    path: "/snapshots",
    list: Some("/snapshots/detail"),
    one: "snapshot",
    many: "snapshots",
    others: &[],
    later: &[],
    ..SHARE
};

/// A replica.
pub const REPLICA: Kind = Kind {
    noun: "replica",
    command: &["share", "replica"],
    path: "/share-replicas",
    list: Some("/share-replicas/detail"),
    one: "share_replica",
    many: "share_replicas",
    named: false,
    since: Microversion::new(11),
    experimental: Experimental::UpTo(Microversion::new(55)),
    others: &[&REPLICA_STATE],
    later: &[],
    deadline: DAY,
    ..SHARE
};

/// An access rule. Versions before [`ACCESS_BY_ID`] can only list the rules of one share.
pub const ACCESS: Kind = Kind {
    noun: "access rule",
    command: &["share", "access"],
    path: "/share-access-rules",
    list: None,
    one: "access",
    many: "access_list",
    named: false,
    field: &ACCESS_STATE,
    others: &[],
    default: &["active"],
    later: &[],
    ..SHARE
};

/// The first version with `GET /share-access-rules/{id}`.
pub const ACCESS_BY_ID: Microversion = Microversion::new(45);

/// A share group.
pub const GROUP: Kind = Kind {
    noun: "share group",
    command: &["share", "group"],
    path: "/share-groups",
    list: Some("/share-groups/detail"),
    one: "share_group",
    many: "share_groups",
    since: Microversion::new(31),
    experimental: Experimental::UpTo(Microversion::new(54)),
    others: &[],
    later: &[],
    ..SHARE
};

/// A snapshot of a share group.
pub const GROUP_SNAPSHOT: Kind = Kind {
    noun: "share group snapshot",
    command: &["share", "group", "snapshot"],
    path: "/share-group-snapshots",
    list: Some("/share-group-snapshots/detail"),
    one: "share_group_snapshot",
    many: "share_group_snapshots",
    ..GROUP
};

/// A share instance.
pub const INSTANCE: Kind = Kind {
    noun: "share instance",
    command: &["share", "instance"],
    path: "/share_instances",
    list: Some("/share_instances"),
    one: "share_instance",
    many: "share_instances",
    named: false,
    since: Microversion::new(3),
    others: &[&ACCESS_RULES_STATUS, &REPLICA_STATE],
    later: &[
        ("access_rules_status", Microversion::new(10)),
        ("replica_state", Microversion::new(11)),
    ],
    ..SHARE
};

/// A share network. Its `status` came with 2.63; before that only its absence can be waited for.
pub const NETWORK: Kind = Kind {
    noun: "share network",
    command: &["share", "network"],
    path: "/share-networks",
    list: Some("/share-networks/detail"),
    one: "share_network",
    many: "share_networks",
    field: &NETWORK_STATUS,
    others: &[],
    default: &["active"],
    later: &[("status", Microversion::new(63))],
    ..SHARE
};

/// A share server.
pub const SERVER: Kind = Kind {
    noun: "share server",
    command: &["share", "server"],
    path: "/share-servers",
    list: Some("/share-servers"),
    one: "share_server",
    many: "share_servers",
    named: false,
    field: &SERVER_STATUS,
    others: &[&TASK_STATE],
    default: &["active"],
    later: &[("task_state", Microversion::new(57))],
    ..SHARE
};

/// A backup of a share.
pub const BACKUP: Kind = Kind {
    noun: "share backup",
    command: &["share", "backup"],
    path: "/share-backups",
    list: Some("/share-backups/detail"),
    one: "share_backup",
    many: "share_backups",
    since: Microversion::new(80),
    experimental: Experimental::Always,
    others: &[],
    later: &[],
    deadline: DAY,
    ..SHARE
};

/// Every kind.
pub const KINDS: [&Kind; 11] = [
    &SHARE,
    &SNAPSHOT,
    &REPLICA,
    &ACCESS,
    &GROUP,
    &GROUP_SNAPSHOT,
    &INSTANCE,
    &NETWORK,
    &SERVER,
    &BACKUP,
    &MIGRATION,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Meaning;

    #[test]
    fn a_word_has_one_meaning_in_a_field() {
        for kind in KINDS {
            for field in std::iter::once(&kind.field).chain(kind.others) {
                let mut words: Vec<_> = field.words().collect();
                words.sort_unstable();
                let all = words.len();
                words.dedup();
                assert_eq!(words.len(), all, "{} {}", kind.noun, field.name);
            }
        }
    }

    #[test]
    fn what_a_wait_is_for_by_default_is_at_rest() {
        for kind in KINDS {
            for word in kind.default {
                assert_eq!(
                    kind.field.meaning(word),
                    Meaning::Rest,
                    "{} {word}",
                    kind.noun
                );
            }
        }
    }

    #[test]
    fn the_experimental_header_goes_where_an_api_was_not_final() {
        let at = |kind: &Kind, minor| kind.is_experimental(Microversion::new(minor));
        assert!(at(&REPLICA, 55) && !at(&REPLICA, 56));
        assert!(at(&GROUP_SNAPSHOT, 54) && !at(&GROUP_SNAPSHOT, 55));
        assert!(at(&BACKUP, 99) && !at(&SHARE, 0));
    }
}
