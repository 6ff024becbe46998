//! Requests that change something.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Ask, Effect, Item, Kind, Manila, Row, errors, usual};
use crate::response::Response;

impl Manila {
    pub(crate) fn act(&mut self, id: &str, effect: &Effect, now: Duration) -> bool {
        let Some(index) = self.by_id.get(id).copied() else {
            return false;
        };
        let Some(item) = self.items.get_mut(index) else {
            return false;
        };
        item.steps.retain(|(at, ..)| *at <= now);
        item.steps.extend(
            effect
                .changes
                .iter()
                .map(|(after, field, value)| (now + *after, field.clone(), value.clone())),
        );
        item.steps.sort_by_key(|(at, ..)| *at);
        item.gone = effect.gone.map(|after| now + after);
        let kind = item.kind;
        for (other, after, field, value) in &effect.others {
            if let Some(other) = self
                .by_id
                .get(other)
                .copied()
                .and_then(|index| self.items.get_mut(index))
            {
                other
                    .steps
                    .push((now + *after, field.clone(), value.clone()));
                other.steps.sort_by_key(|(at, ..)| *at);
            }
        }
        for (after, text) in &effect.messages {
            self.note(kind, id, now + *after, text);
        }
        true
    }

    pub(super) fn create(&mut self, ask: &Ask<'_>, row: &Row, action: &str) -> Response {
        let Some(body) = ask.request.json() else {
            return errors::fault(400, "Malformed request body");
        };
        let Some(given) = body.get(row.one).filter(|given| given.is_object()).cloned() else {
            return errors::fault(422, "Unable to process the contained instructions");
        };
        if let Some(refusal) = self.refused_create(ask, row, action, &given) {
            return refusal;
        }
        let name = given
            .get("name")
            .or_else(|| given.get("display_name"))
            .and_then(Value::as_str);
        let mut item = Item::new(row.kind, "");
        if item.fields.contains_key("name") {
            item = item.set("name", name.map_or(Value::Null, |name| json!(name)));
        }
        let known = row.fields();
        for (field, value) in given
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(field, _)| known.contains_key(*field))
        {
            item = item.set(field, value.clone());
        }
        if row.kind == Kind::Share {
            item = item.set("progress", Value::Null).set(
                "availability_zone",
                given.get("availability_zone").cloned().unwrap_or_default(),
            );
            let kind = given.get("share_type").cloned().unwrap_or(json!("default"));
            item = item
                .set("share_type_name", kind.clone())
                .set("volume_type", kind);
        }
        self.begun(ask, row, action, item, &given)
    }

    /// Keeps a new one and lets it begin.
    fn begun(
        &mut self,
        ask: &Ask<'_>,
        row: &Row,
        action: &str,
        mut item: Item,
        given: &Value,
    ) -> Response {
        let planned = self.plans.get(&(row.kind, action.to_owned())).cloned();
        let Some(effect) = planned.or_else(|| usual::effect(row.kind, action, given, &item)) else {
            return Response::html(404);
        };
        if let Some(reply) = effect.answer {
            return reply;
        }
        item.created = ask.now;
        let id = self.keep(item);
        self.act(&id, &effect, ask.now);
        let status =
            if matches!(row.kind, Kind::Share | Kind::Rule | Kind::Network) && action == "create" {
                200
            } else {
                202
            };
        match self.seen(ask, row, &id) {
            Some(item) => Response::json(status, &json!({row.one: self.shown(ask, item)})),
            None => Response::new(status),
        }
    }

    fn refused_create(
        &self,
        ask: &Ask<'_>,
        row: &Row,
        action: &str,
        given: &Value,
    ) -> Option<Response> {
        if action != "create" {
            return None;
        }
        if row.kind == Kind::Share {
            let size = given.get("size").cloned().unwrap_or_default();
            let Some(size) = size
                .as_u64()
                .or_else(|| size.as_str()?.parse().ok())
                .filter(|size| *size > 0)
            else {
                let said = size
                    .as_str()
                    .map_or_else(|| size.to_string(), |text| format!("'{text}'"));
                return Some(errors::fault(
                    400,
                    &format!(
                        "Invalid input received: Share size {said} must be an integer and greater than 0."
                    ),
                ));
            };
            let proto = given
                .get("share_proto")
                .and_then(Value::as_str)
                .unwrap_or_default();
            if !["NFS", "CIFS"].contains(&proto.to_ascii_uppercase().as_str()) {
                let message = format!(
                    "Invalid input received: Invalid share protocol provided: {proto}. It is either disabled or unsupported. Available protocols: ['NFS', 'CIFS']."
                );
                return Some(errors::fault(400, &message));
            }
            if given.get("share_type").and_then(Value::as_str) == Some("nosuch") {
                return Some(errors::fault(404, "Share type not found."));
            }
            if size > 1000 {
                let message = "ShareSizeExceedsAvailableQuota: Requested share exceeds allowed project/user or share type gigabytes quota.";
                return Some(errors::fault(413, message));
            }
        }
        if row.kind == Kind::Snapshot {
            let share = given
                .get("share_id")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let Some(share) = self.seen(ask, Row::of(Kind::Share), share) else {
                return Some(errors::not_found());
            };
            if share.text("status", ask.now) != "available" {
                return Some(errors::fault(
                    400,
                    "Invalid share: Source share status must be available.",
                ));
            }
        }
        None
    }

    pub(super) fn rename(&mut self, ask: &Ask<'_>, row: &Row, id: &str) -> Response {
        let given = ask
            .request
            .json()
            .and_then(|body| body.get(row.one).cloned())
            .unwrap_or_default();
        let fields = [
            ("display_name", "name"),
            ("name", "name"),
            ("description", "description"),
            ("display_description", "description"),
        ];
        let changes = fields
            .iter()
            .filter_map(|(from, to)| Some((*to, given.get(*from)?.clone())));
        let Some(item) = self
            .by_id
            .get(id)
            .copied()
            .and_then(|index| self.items.get_mut(index))
        else {
            return row.missing(id);
        };
        for (field, value) in changes {
            item.fields.insert(field.to_owned(), value);
        }
        match self.seen(ask, row, id) {
            Some(item) => Response::json(200, &json!({row.one: self.shown(ask, item)})),
            None => row.missing(id),
        }
    }

    pub(super) fn action(&mut self, ask: &Ask<'_>, row: &Row, id: &str) -> Response {
        let Some(body) = ask.request.json() else {
            return errors::fault(400, "Malformed request body");
        };
        let Some((action, given)) = body.as_object().and_then(|body| body.iter().next()) else {
            return errors::fault(400, "Malformed request body");
        };
        // Before 2.7 the names began with "os-".
        let action = action.strip_prefix("os-").unwrap_or(action);
        match (row.kind, action) {
            (Kind::Share, "allow_access") => {
                let rule = Row::of(Kind::Rule);
                let mut item = Item::new(Kind::Rule, "").set("share_id", id);
                for field in ["access_level", "access_to", "access_type"] {
                    item = item.set(field, given.get(field).cloned().unwrap_or_default());
                }
                if item.fields.get("access_level").is_some_and(Value::is_null) {
                    item = item.set("access_level", "rw");
                }
                self.begun(ask, rule, "create", item, given)
            }
            (Kind::Share, "deny_access") => {
                let rule = given
                    .get("access_id")
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned();
                match self.seen(ask, Row::of(Kind::Rule), &rule) {
                    Some(_) => self.change(ask, Row::of(Kind::Rule), &rule, "delete", &Value::Null),
                    None => errors::not_found(),
                }
            }
            (Kind::Share, "access_list") if ask.version < 45 => {
                let of = |item: &&Item| {
                    item.kind == Kind::Rule
                        && item.there(ask.now)
                        && item.text("share_id", ask.now) == id
                };
                let shown = |item: &Item| {
                    let mut shown = self.shown(ask, item);
                    if let Some(fields) = shown.as_object_mut() {
                        fields.shift_remove("share_id");
                        fields.shift_remove("metadata");
                        if ask.version < 28
                            && matches!(item.text("state", ask.now), "queued_to_apply" | "applying")
                        {
                            // Renamed in 2.28.
                            fields.insert("state".to_owned(), json!("new"));
                        }
                    }
                    shown
                };
                Response::json(
                    200,
                    &json!({"access_list": self.items.iter().filter(of).map(shown).collect::<Vec<_>>()}),
                )
            }
            (Kind::Share, "access_list") => errors::not_found(),
            (Kind::Share, "migration_get_progress") => {
                let state = self
                    .seen(ask, row, id)
                    .and_then(|share| share.value("task_state", ask.now))
                    .cloned()
                    .unwrap_or_default();
                if state.is_null() {
                    errors::not_found()
                } else {
                    Response::json(200, &json!({"total_progress": 50, "task_state": state}))
                }
            }
            (_, "force_delete" | "reset_status") if !ask.config.admin => errors::denied(),
            (Kind::Replica, "resync") if !ask.config.admin => errors::denied(),
            (_, action) => {
                let given = given.clone();
                let action = action.to_owned();
                self.change(ask, row, id, &action, &given)
            }
        }
    }

    pub(super) fn change(
        &mut self,
        ask: &Ask<'_>,
        row: &Row,
        id: &str,
        action: &str,
        given: &Value,
    ) -> Response {
        let Some(item) = self.seen(ask, row, id) else {
            return row.missing(id);
        };
        let planned = self.plans.get(&(row.kind, action.to_owned())).cloned();
        let Some(effect) = planned
            .clone()
            .or_else(|| usual::effect(row.kind, action, given, item))
        else {
            return errors::fault(400, &format!("There is no such action: {action}"));
        };
        if let Some(reply) = effect.answer {
            return reply;
        }
        if let (None, Some(refusal)) = (planned, self.refused(ask, item, action, given)) {
            return refusal;
        }
        self.act(id, &effect, ask.now);
        Response::new(202).header("Content-Type", "text/html; charset=UTF-8")
    }

    /// The refusals that depend on the state.
    fn refused(&self, ask: &Ask<'_>, item: &Item, action: &str, given: &Value) -> Option<Response> {
        if item.kind != Kind::Share {
            return None;
        }
        let status = item.text("status", ask.now);
        let count = |kind: Kind| {
            self.items
                .iter()
                .filter(|other| {
                    other.kind == kind
                        && other.there(ask.now)
                        && other.text("share_id", ask.now) == item.id
                })
                .count()
        };
        match action {
            "delete" if !["available", "error", "inactive"].contains(&status) => {
                Some(errors::fault(
                    403,
                    "Invalid share: Share status must be one of ('available', 'error', 'inactive').",
                ))
            }
            "delete" | "soft_delete" if count(Kind::Snapshot) > 0 => Some(errors::fault(
                403,
                &format!(
                    "Invalid share: Share still has {} dependent snapshots.",
                    count(Kind::Snapshot)
                ),
            )),
            "delete" if count(Kind::Replica) > 0 => Some(errors::fault(
                409,
                &format!(
                    "Share {} has replicas. Remove the replicas before deleting the share.",
                    item.id
                ),
            )),
            "extend" | "shrink" if status != "available" => {
                let message = format!(
                    "Invalid share: Share {} status must be 'available' to {action}, but current status is: {status}.",
                    item.id
                );
                Some(errors::fault(400, &message))
            }
            "extend" => {
                let current = item
                    .value("size", ask.now)
                    .and_then(Value::as_u64)
                    .unwrap_or(1);
                let new = given.get("new_size").and_then(Value::as_u64).unwrap_or(0);
                let message = format!(
                    "Invalid input received: New size for extend must be greater than current size. (current: {current}, extended: {new})."
                );
                (new <= current).then(|| errors::fault(400, &message))
            }
            _ => None,
        }
    }
}
