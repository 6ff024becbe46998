//! What Manila keeps: one table row a kind.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::fixtures;

/// A kind of resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A share.
    Share,
    /// A snapshot of a share.
    Snapshot,
    /// A replica of a share.
    Replica,
    /// An access rule of a share.
    Rule,
    /// A share group.
    Group,
    /// A snapshot of a share group.
    GroupSnapshot,
    /// A share instance; administrators only.
    Instance,
    /// A share network.
    Network,
    /// A share server; administrators only.
    Server,
    /// A backup of a share.
    Backup,
    /// A message to the user.
    Message,
}

/// What the API does with a kind.
pub(crate) struct Row {
    pub(crate) kind: Kind,
    /// Segment of the URL.
    pub(crate) path: &'static str,
    /// Envelope of one, of several.
    pub(crate) one: &'static str,
    pub(crate) many: &'static str,
    /// The field that is waited for.
    pub(crate) field: &'static str,
    /// What the short list shows; empty: the whole.
    pub(crate) short: &'static [&'static str],
    /// Query parameters that filter by the field of the same name.
    pub(crate) filters: &'static [&'static str],
    /// First microversion, and the first that needs no experimental header.
    pub(crate) since: u32,
    pub(crate) settled: u32,
    /// First microversion with `with_count`, if any.
    pub(crate) counted: Option<u32>,
    pub(crate) admin: bool,
    /// A recorded reply that shows one.
    recorded: &'static str,
}

/// Never out of the experimental stage.
const NEVER: u32 = u32::MAX;

#[rustfmt::skip]
static ROWS: [Row; 11] = [
    Row { kind: Kind::Share, path: "shares", one: "share", many: "shares", field: "status", short: &["id", "name", "links"],
          filters: &["name", "status", "share_type_id", "share_group_id", "snapshot_id", "share_network_id", "project_id", "is_soft_deleted", "host", "share_server_id"],
          since: 0, settled: 0, counted: Some(42), admin: false, recorded: include_str!("../../fixtures/manila/share-show-admin.txt") },
    Row { kind: Kind::Snapshot, path: "snapshots", one: "snapshot", many: "snapshots", field: "status", short: &["id", "name", "links"],
          filters: &["name", "status", "share_id", "size"],
          since: 0, settled: 0, counted: Some(79), admin: false, recorded: include_str!("../../fixtures/manila/snapshot-show.txt") },
    Row { kind: Kind::Replica, path: "share-replicas", one: "share_replica", many: "share_replicas", field: "status", short: &["id", "share_id", "status", "replica_state"],
          filters: &["share_id"],
          since: 11, settled: 56, counted: None, admin: false, recorded: include_str!("../../fixtures/manila/replica-show-admin.txt") },
    Row { kind: Kind::Rule, path: "share-access-rules", one: "access", many: "access_list", field: "state", short: &[],
          filters: &["share_id"],
          since: 45, settled: 0, counted: None, admin: false, recorded: include_str!("../../fixtures/manila/access-rule-show-active.txt") },
    Row { kind: Kind::Group, path: "share-groups", one: "share_group", many: "share_groups", field: "status", short: &["id", "name", "links"],
          filters: &["name", "status", "share_network_id", "share_group_type_id", "host", "source_share_group_snapshot_id", "project_id"],
          since: 31, settled: 55, counted: None, admin: false, recorded: include_str!("../../fixtures/manila/group-show.txt") },
    Row { kind: Kind::GroupSnapshot, path: "share-group-snapshots", one: "share_group_snapshot", many: "share_group_snapshots", field: "status", short: &["id", "name", "links"],
          filters: &["name", "status", "share_group_id", "project_id"],
          since: 31, settled: 55, counted: None, admin: false, recorded: include_str!("../../fixtures/manila/group-snapshot-show.txt") },
    Row { kind: Kind::Instance, path: "share_instances", one: "share_instance", many: "share_instances", field: "status", short: &[],
          filters: &["share_id"],
          since: 3, settled: 0, counted: None, admin: true, recorded: include_str!("../../fixtures/manila/instance-show.txt") },
    Row { kind: Kind::Network, path: "share-networks", one: "share_network", many: "share_networks", field: "status", short: &["id", "name"],
          filters: &["name", "status", "project_id"],
          since: 0, settled: 0, counted: None, admin: false, recorded: include_str!("../../fixtures/manila/network-show.txt") },
    Row { kind: Kind::Server, path: "share-servers", one: "share_server", many: "share_servers", field: "status", short: &[],
          filters: &["status", "host", "share_network_id", "project_id"],
          since: 0, settled: 0, counted: None, admin: true, recorded: include_str!("../../fixtures/manila/servers-admin.txt") },
    Row { kind: Kind::Backup, path: "share-backups", one: "share_backup", many: "share_backups", field: "status", short: &["id", "name", "share_id", "status"],
          filters: &["name", "status", "share_id"],
          since: 80, settled: NEVER, counted: None, admin: false, recorded: include_str!("../../fixtures/manila/backup-show.txt") },
    Row { kind: Kind::Message, path: "messages", one: "message", many: "messages", field: "message_level", short: &[],
          filters: &["resource_id", "resource_type", "request_id", "action_id", "detail_id", "message_level"],
          since: 37, settled: 0, counted: None, admin: false, recorded: include_str!("../../fixtures/manila/messages-list-filter.txt") },
];

impl Row {
    /// The row of a kind.
    pub(crate) fn of(kind: Kind) -> &'static Self {
        let [share, ..] = &ROWS;
        ROWS.iter().find(|row| row.kind == kind).unwrap_or(share)
    }

    /// The row whose path this is.
    pub(crate) fn at(path: &str) -> Option<&'static Self> {
        ROWS.iter().find(|row| row.path == path)
    }

    /// The fields of a recorded one.
    pub(crate) fn fields(&self) -> &'static Map<String, Value> {
        static READ: LazyLock<HashMap<Kind, Map<String, Value>>> =
            LazyLock::new(|| ROWS.iter().map(|row| (row.kind, row.read())).collect());
        static NONE: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
        READ.get(&self.kind).unwrap_or(&NONE)
    }

    fn read(&self) -> Map<String, Value> {
        let body = fixtures::json(self.recorded);
        let one = body
            .get(self.one)
            .or_else(|| body.get(self.many).and_then(|many| many.get(0)));
        one.and_then(Value::as_object).cloned().unwrap_or_default()
    }
}
