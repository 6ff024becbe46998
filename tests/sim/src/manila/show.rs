//! What one resource looks like.

use serde_json::{Value, json};

use super::{Ask, Item, Kind, Manila, Row};
use crate::response::Response;

/// Since which minor version a share has a field (manila/api/views/shares.py and api_version_request.py).
const SINCE: [(&str, u32); 18] = [
    ("snapshot_support", 2),
    ("task_state", 5),
    ("share_type_name", 6),
    ("access_rules_status", 10),
    ("replication_type", 11),
    ("has_replicas", 11),
    ("user_id", 16),
    ("create_share_from_snapshot_support", 24),
    ("revert_to_snapshot_support", 27),
    ("share_group_id", 31),
    ("source_share_group_snapshot_member_id", 31),
    ("mount_snapshot_support", 32),
    ("progress", 54),
    ("is_soft_deleted", 69),
    ("scheduled_to_be_deleted_at", 69),
    ("source_backup_id", 80),
    ("encryption_key_ref", 90),
    ("snapshot_inherit_share_access_support", 99),
];

impl Manila {
    pub(super) fn shown(&self, ask: &Ask<'_>, item: &Item) -> Value {
        let (now, time) = (ask.now, &ask.config.time);
        let row = Row::of(item.kind);
        let mut fields = row.fields().clone();
        for (name, value) in &item.fields {
            fields.insert(name.clone(), value.clone());
        }
        for (_, name, value) in item.steps.iter().filter(|(at, ..)| *at <= now) {
            fields.insert(name.clone(), value.clone());
        }
        let mut fix = |name: &str, value: Value| {
            if let Some(field) = fields.get_mut(name) {
                *field = value;
            }
        };
        fix("id", json!(item.id));
        fix(
            "project_id",
            json!(item.project.as_ref().unwrap_or(&ask.config.project_id)),
        );
        fix("created_at", json!(time.micros(item.created)));
        fix(
            "updated_at",
            json!(item.changed(now).map(|at| time.micros(at))),
        );
        fix(
            "expires_at",
            json!(time.micros(item.created + std::time::Duration::from_secs(30 * 86_400))),
        );
        let links = json!([
            {"rel": "self", "href": format!("{}/v2/{}/{}", ask.root, row.path, item.id)},
            {"rel": "bookmark", "href": format!("{}/{}/{}", ask.root, row.path, item.id)},
        ]);
        fix("links", links);
        if matches!(item.kind, Kind::Share | Kind::Replica) && !ask.config.admin {
            for name in ["host", "share_server_id", "cast_rules_to_readonly"] {
                fields.shift_remove(name);
            }
        }
        if item.kind == Kind::Share {
            fields.retain(|name, _| {
                SINCE
                    .iter()
                    .all(|(field, since)| field != name || ask.version >= *since)
            });
            if ask.version < 6 {
                let name = fields.get("volume_type").cloned().unwrap_or_default();
                fields.insert("share_type".to_owned(), name);
            }
            if ask.version < 9 {
                let path = export_path(&item.id, "10.0.0.10");
                fields.insert("export_location".to_owned(), json!(path));
                fields.insert("export_locations".to_owned(), json!([path]));
            }
        }
        Value::Object(fields)
    }

    pub(super) fn export_locations(&self, ask: &Ask<'_>, item: &Item) -> Response {
        let ready =
            item.text("status", ask.now) != "creating" && item.text("status", ask.now) != "error";
        let place = |(number, host): (usize, &str)| {
            let id = format!("{:08x}{}", number + 1, item.id.get(8..).unwrap_or_default());
            json!({"id": id, "path": export_path(&item.id, host), "preferred": number == 0, "metadata": {}})
        };
        let places: Vec<Value> = ["10.0.0.10", "10.0.0.20"]
            .into_iter()
            .enumerate()
            .filter(|_| ready)
            .map(place)
            .collect();
        Response::json(200, &json!({"export_locations": places}))
    }

    pub(super) fn instances_of(&self, ask: &Ask<'_>, share: &str) -> Response {
        if !ask.config.admin {
            return super::errors::denied();
        }
        let of = |item: &&Item| {
            item.kind == Kind::Instance
                && item.there(ask.now)
                && item.text("share_id", ask.now) == share
        };
        Response::json(
            200,
            &json!({"share_instances": self.items.iter().filter(of).map(|item| self.shown(ask, item)).collect::<Vec<_>>()}),
        )
    }
}

fn export_path(id: &str, host: &str) -> String {
    format!("{host}:/path/to/fake/share/share_{}", id.replace('-', "_"))
}
