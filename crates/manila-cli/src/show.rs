//! How the `openstack` command shows each kind (python-manilaclient 6.3.0, `manilaclient/osc/v2/*.py`): columns, their
//! order, and how nested values are written.

use serde_json::{Map, Value};
use wait_cli::order;
use wait_cli::output::{Cell, python_text};

use crate::client::{Body, encoded};
use crate::kind::{self, Kind};
use crate::version::Microversion;

/// A further list that belongs to what is shown of one resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extra {
    /// Where it is.
    pub path: String,
    /// The key around it.
    pub key: &'static str,
}

/// What has to be asked for beside the resource itself.
#[must_use]
pub fn extra(kind: &Kind, id: &str, version: Microversion) -> Option<Extra> {
    let id = encoded(id);
    let extra = |path: String, key: &'static str, since: u16| {
        (version >= Microversion::new(since)).then_some(Extra { path, key })
    };
    let locations = |path: String, since: u16| extra(path, "export_locations", since);
    match kind.one {
        "share" => locations(format!("/shares/{id}/export_locations"), 9),
        "snapshot" => extra(
            format!("/snapshots/{id}/export-locations"),
            "share_snapshot_export_locations",
            32,
        ),
        "share_replica" => locations(format!("/share-replicas/{id}/export-locations"), 47),
        "share_instance" => locations(format!("/share_instances/{id}/export_locations"), 9),
        "share_network" => extra(
            format!("/security-services?share_network_id={id}"),
            "security_services",
            0,
        ),
        _ => None,
    }
}

/// The fields of one resource as the client shows them. `extra` is the list that [`extra`] asks for, where there is
/// one; `table` says that people read it.
#[must_use]
pub fn fields(
    kind: &Kind,
    mut body: Body,
    extra: Option<Vec<Body>>,
    table: bool,
) -> Vec<(String, Cell)> {
    match kind.one {
        "access" => return access(body),
        // share.py:792: a text in every format, without what belongs to replicas.
        "share" => {
            if let Some(locations) = extra {
                let ignored = ["replica_state", "availability_zone", "share_replica_id"];
                body.insert(
                    "export_locations".to_owned(),
                    dicts_text(&locations, &ignored).into(),
                );
            }
            properties_last(&mut body, table);
            body.shift_remove("shares_type");
        }
        "snapshot" | "share_replica" => {
            put_locations(&mut body, extra, table);
            properties_last(&mut body, table);
        }
        "share_instance" => put_locations(&mut body, extra, table),
        "share_network" => network(&mut body, extra, table),
        "share_group" => share_types(&mut body, table),
        "share_group_snapshot" => {
            body.shift_remove("members");
        }
        // v2/share_servers.py:105: each detail by itself.
        "share_server" => {
            if let Some(Value::Object(details)) = body.shift_remove("backend_details") {
                body.extend(
                    details
                        .into_iter()
                        .map(|(key, value)| (format!("details:{key}"), value)),
                );
            }
        }
        _ => {}
    }
    body.shift_remove("links");
    body.into_iter()
        .map(|(name, value)| (name, Cell::plain(value)))
        .collect()
}

/// The fields of a resource as the command that created it shows them: `_info` as the service gave it, for most kinds
/// (share.py:350, share_snapshots.py:160, share_groups.py:190, share_group_snapshots.py:97, share_servers.py:385).
#[must_use]
pub fn created(kind: &Kind, mut body: Body, words: &[&str], table: bool) -> Vec<(String, Cell)> {
    let adopts = words.last() == Some(&"adopt");
    match kind.one {
        "access" => return access(body),
        "share" if !adopts => {
            body.shift_remove("shares_type");
        }
        "share_group" | "share_group_snapshot" | "share_server" => {
            return fields(kind, body, None, table);
        }
        _ => {}
    }
    body.shift_remove("links");
    body.into_iter()
        .map(|(name, value)| (name, Cell::plain(value)))
        .collect()
}

/// The columns of a list: each with the field that fills it.
pub type Columns = Vec<(&'static str, &'static str)>;

/// The columns that the client's list of this kind has. Where its short list has no status, those of the long one.
#[must_use]
pub fn columns(kind: &Kind, version: Microversion) -> Columns {
    let from = |minor| version >= Microversion::new(minor);
    let mut columns: Columns = match kind.one {
        "share" => vec![
            ("ID", "id"),
            ("Name", "name"),
            ("Size", "size"),
            ("Share Proto", "share_proto"),
            ("Status", "status"),
            ("Is Public", "is_public"),
            ("Share Type Name", "share_type_name"),
            ("Host", "host"),
            ("Availability Zone", "availability_zone"),
        ],
        "snapshot" => vec![
            ("ID", "id"),
            ("Name", "name"),
            ("Status", "status"),
            ("Description", "description"),
            ("Created At", "created_at"),
            ("Size", "size"),
            ("Share ID", "share_id"),
            ("Share Proto", "share_proto"),
            ("Share Size", "share_size"),
            ("User ID", "user_id"),
        ],
        "share_replica" => vec![
            ("ID", "id"),
            ("Status", "status"),
            ("Replica State", "replica_state"),
            ("Share ID", "share_id"),
            ("Host", "host"),
            ("Availability Zone", "availability_zone"),
            ("Updated At", "updated_at"),
        ],
        "access" => access_columns(version),
        "share_instance" => vec![
            ("ID", "id"),
            ("Share ID", "share_id"),
            ("Host", "host"),
            ("Status", "status"),
            ("Availability Zone", "availability_zone"),
            ("Share Network ID", "share_network_id"),
            ("Share Server ID", "share_server_id"),
            ("Share Type ID", "share_type_id"),
        ],
        "share_network" => vec![
            ("ID", "id"),
            ("Name", "name"),
            ("Status", "status"),
            ("Created At", "created_at"),
            ("Updated At", "updated_at"),
            ("Description", "description"),
        ],
        "share_server" => vec![
            ("ID", "id"),
            ("Host", "host"),
            ("Status", "status"),
            ("Share Network ID", "share_network_id"),
            ("Project ID", "project_id"),
        ],
        "share_backup" => vec![
            ("ID", "id"),
            ("Name", "name"),
            ("Share ID", "share_id"),
            ("Status", "status"),
        ],
        _ => vec![
            ("ID", "id"),
            ("Name", "name"),
            ("Status", "status"),
            ("Description", "description"),
        ],
    };
    if kind.field.name == "task_state" {
        columns.push(("Migration Task Status", "task_state"));
    }
    if *kind == kind::REPLICA && from(95) {
        columns.push(("Properties", "metadata"));
    }
    columns
}

/// The columns of `share access list` (share_access_rules.py:268).
#[must_use]
pub fn access_columns(version: Microversion) -> Columns {
    let mut columns = vec![
        ("ID", "id"),
        ("Access Type", "access_type"),
        ("Access To", "access_to"),
        ("Access Level", "access_level"),
        ("State", "state"),
    ];
    if version >= Microversion::new(21) {
        columns.push(("Access Key", "access_key"));
    }
    if version >= Microversion::new(33) {
        columns.extend([("Created At", "created_at"), ("Updated At", "updated_at")]);
    }
    columns
}

/// One row of a list; what the service does not say is an empty text, as osc-lib has it.
#[must_use]
pub fn row(columns: &Columns, body: &Body) -> Vec<Cell> {
    columns.iter().map(|(_, field)| cell(body, field)).collect()
}

fn cell(body: &Body, field: &str) -> Cell {
    match body.get(field) {
        Some(Value::Object(metadata)) if field == "metadata" => {
            Cell::shown(metadata.clone(), dict_text(metadata))
        }
        Some(value) => Cell::plain(value.clone()),
        None => Cell::plain(""),
    }
}

/// share_access_rules.py:25: these fields, and no others.
fn access(mut body: Body) -> Vec<(String, Cell)> {
    let lines: Vec<String> = match body.shift_remove("metadata") {
        Some(Value::Object(metadata)) => metadata
            .iter()
            .map(|(key, value)| format!("{key} : {}", python_text(value)))
            .collect(),
        _ => Vec::new(),
    };
    body.insert("properties".to_owned(), lines.join("\n").into());
    let fields = [
        "id",
        "share_id",
        "access_level",
        "access_to",
        "access_type",
        "state",
        "access_key",
        "created_at",
        "updated_at",
        "properties",
    ];
    fields
        .into_iter()
        .map(|field| (field.to_owned(), cell(&body, field)))
        .collect()
}

/// `metadata` goes to the end and is called `properties`.
fn properties_last(body: &mut Body, table: bool) {
    let metadata = body
        .shift_remove("metadata")
        .unwrap_or_else(|| Value::Object(Map::new()));
    body.insert("properties".to_owned(), properties(metadata, table));
}

fn properties(metadata: Value, table: bool) -> Value {
    match metadata {
        Value::Object(map) if table => dict_text(&map).into(),
        other => other,
    }
}

fn put_locations(body: &mut Body, extra: Option<Vec<Body>>, table: bool) {
    let Some(mut locations) = extra else { return };
    for location in &mut locations {
        location.shift_remove("links");
    }
    let shown = if table {
        dicts_text(&locations, &[]).into()
    } else {
        list_of(locations)
    };
    body.insert("export_locations".to_owned(), shown);
}

/// share_networks.py:221.
fn network(body: &mut Body, extra: Option<Vec<Body>>, table: bool) {
    let mut subnets: Vec<Body> = match body.get("share_network_subnets") {
        Some(Value::Array(subnets)) => subnets
            .iter()
            .filter_map(|subnet| subnet.as_object().cloned())
            .collect(),
        _ => Vec::new(),
    };
    for subnet in &mut subnets {
        properties_last(subnet, table);
    }
    let shown = if table {
        dicts_text(&subnets, &[]).into()
    } else {
        list_of(subnets)
    };
    body.insert("share_network_subnets".to_owned(), shown);
    let Some(services) = extra else { return };
    let services: Vec<Body> = services
        .into_iter()
        .map(|service| {
            let field = |key: &str| service.get(key).cloned().unwrap_or(Value::Null);
            Body::from_iter([
                ("security_service_name".to_owned(), field("name")),
                ("security_service_id".to_owned(), field("id")),
            ])
        })
        .collect();
    let shown = if table {
        dicts_text(&services, &[]).into()
    } else {
        list_of(services)
    };
    body.insert("security_services".to_owned(), shown);
}

fn share_types(body: &mut Body, table: bool) {
    let Some(Value::Array(types)) = body.get("share_types") else {
        return;
    };
    if table && !types.is_empty() {
        let lines: Vec<_> = types.iter().map(python_text).collect();
        body.insert("share_types".to_owned(), lines.join("\n").into());
    }
}

fn list_of(bodies: Vec<Body>) -> Value {
    Value::Array(bodies.into_iter().map(Value::Object).collect())
}

/// `convert_dict_list_to_string` of manilaclient: each field on a line of its own, behind a first empty one.
fn dicts_text(dicts: &[Body], ignored: &[&str]) -> String {
    let mut text = String::new();
    for (key, value) in dicts
        .iter()
        .flatten()
        .filter(|(key, _)| !ignored.contains(&key.as_str()))
    {
        text.push_str(&format!("\n{key} = {}", python_text(value)));
    }
    text
}

/// `format_dict` of osc-lib: `key='value'`, sorted, nested keys joined by dots.
fn dict_text(dict: &Map<String, Value>) -> String {
    fn parts(dict: &Map<String, Value>, prefix: &str, parts_so_far: &mut Vec<String>) {
        for (key, value) in order::by_name(dict) {
            let key = if prefix.is_empty() {
                key.clone()
            } else {
                format!("{prefix}.{key}")
            };
            match value {
                Value::Object(inner) if inner.is_empty() => parts_so_far.push(String::new()),
                Value::Object(inner) => parts(inner, &key, parts_so_far),
                Value::Null => parts_so_far.push(format!("{key}=")),
                value => parts_so_far.push(format!("{key}='{}'", python_text(value))),
            }
        }
    }
    let mut all = Vec::new();
    parts(dict, "", &mut all);
    all.join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn map(value: Value) -> Body {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn nested_values_are_written_as_python_writes_them() {
        assert_eq!(
            dict_text(&map(json!({"b": 1, "a": null, "c": {"x": "y"}}))),
            "a=, b='1', c.x='y'"
        );
        assert_eq!(dict_text(&map(json!({}))), "");
        let locations = [map(
            json!({"id": "1", "preferred": true, "metadata": {"k": "v"}, "replica_state": "active"}),
        )];
        assert_eq!(
            dicts_text(&locations, &["replica_state"]),
            "\nid = 1\npreferred = True\nmetadata = {'k': 'v'}"
        );
    }

    #[test]
    fn properties_come_last_and_links_not_at_all() {
        let body =
            map(json!({"id": "1", "metadata": {"k": "v"}, "links": [], "status": "available"}));
        let names = |table| -> Vec<_> {
            fields(&kind::SHARE, body.clone(), Some(Vec::new()), table)
                .into_iter()
                .map(|(name, _)| name)
                .collect()
        };
        assert_eq!(
            names(true),
            ["id", "status", "export_locations", "properties"]
        );
    }
}
