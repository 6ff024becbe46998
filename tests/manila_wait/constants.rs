//! The table of kinds against the words of Manila itself (`tests/fixtures/manila-constants.json`).

use manila_cli::kind::{self, Kind};
use manila_cli::words::{Field, Meaning};
use serde_json::Value;

fn words(list: &str) -> Vec<String> {
    let file: Value =
        serde_json::from_str(include_str!("../fixtures/manila-constants.json")).unwrap();
    let words = file[list]
        .as_array()
        .unwrap_or_else(|| panic!("no list {list}"));
    words
        .iter()
        .map(|word| word.as_str().unwrap().to_owned())
        .collect()
}

fn field(kind: &Kind, name: &str) -> &'static Field {
    kind.field_named(name)
        .unwrap_or_else(|| panic!("{} has no {name}", kind.noun))
}

#[test]
fn every_word_of_manila_is_in_the_table_of_its_field() {
    for (list, field) in [
        ("SHARE_STATUSES", field(&kind::SHARE, "status")),
        ("SHARE_STATUSES", field(&kind::INSTANCE, "status")),
        ("SHARE_STATUSES", field(&kind::REPLICA, "status")),
        ("SHARE_STATUSES", field(&kind::BACKUP, "status")),
        ("SHARE_SNAPSHOT_STATUSES", field(&kind::SNAPSHOT, "status")),
        (
            "SHARE_SNAPSHOT_STATUSES",
            field(&kind::GROUP_SNAPSHOT, "status"),
        ),
        ("SHARE_SERVER_STATUSES", field(&kind::SERVER, "status")),
        ("SHARE_NETWORK_STATUSES", field(&kind::NETWORK, "status")),
        ("ACCESS_RULES_STATES", field(&kind::ACCESS, "state")),
        ("TASK_STATE_STATUSES", field(&kind::MIGRATION, "task_state")),
        (
            "SERVER_TASK_STATE_STATUSES",
            field(&kind::SERVER, "task_state"),
        ),
        ("REPLICA_STATES", field(&kind::REPLICA, "replica_state")),
        ("TRANSITIONAL_STATUSES", field(&kind::SHARE, "status")),
    ] {
        for word in words(list) {
            assert!(
                field.words().any(|known| known == word),
                "{word} of {list} is in no table"
            );
        }
    }
}

#[test]
fn what_manila_calls_transitional_or_busy_is_in_progress() {
    for word in words("TRANSITIONAL_STATUSES") {
        assert_eq!(kind::SHARE.field.meaning(&word), Meaning::Pending, "{word}");
    }
    // A migration that waits to be completed is busy, and where its first command ends.
    let ends = ["migration_driver_phase1_done", "data_copying_completed"];
    for word in words("BUSY_TASK_STATES")
        .iter()
        .filter(|word| !ends.contains(&word.as_str()))
    {
        assert_eq!(
            kind::MIGRATION.field.meaning(word),
            Meaning::Pending,
            "{word}"
        );
    }
}

#[test]
fn every_word_with_error_is_a_failure_but_the_two_that_are_none() {
    let pending = ["error_deferred_deleting", "manage_error_unmanage_starting"];
    for word in words("STATUS_*")
        .iter()
        .filter(|word| word.contains("error"))
    {
        let expected = if pending.contains(&word.as_str()) {
            Meaning::Pending
        } else {
            Meaning::Failed
        };
        assert_eq!(kind::SHARE.field.meaning(word), expected, "{word}");
    }
}

#[test]
fn the_table_has_no_word_that_manila_does_not_have() {
    // `progress` of no release: words that older releases used.
    let older = [
        "new",
        "out_of_sync",
        "syncing",
        "migration_cancel_in_progress",
    ];
    let all: Vec<String> = [
        "STATUS_*",
        "SHARE_STATUSES",
        "ACCESS_RULES_STATES",
        "TASK_STATE_STATUSES",
        "SERVER_TASK_STATE_STATUSES",
        "REPLICA_STATES",
        "BUSY_TASK_STATES",
    ]
    .into_iter()
    .flat_map(words)
    .collect();
    for kind in kind::KINDS {
        for word in std::iter::once(&kind.field)
            .chain(kind.others)
            .flat_map(|field| field.words())
        {
            assert!(
                all.iter().any(|known| known == word) || older.contains(&word),
                "{word} of {}",
                kind.noun
            );
        }
    }
}
