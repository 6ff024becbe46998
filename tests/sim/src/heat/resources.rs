//! Resources of a stack, with those of nested stacks on request.

use serde_json::{Value, json};

use super::{Ask, Heat, Stack, Step, errors};
use crate::response::Response;

impl Heat {
    pub(super) fn resources(&self, ask: &Ask<'_>, stack: &Stack) -> Response {
        const KNOWN: [&str; 9] = [
            "nested_depth",
            "with_detail",
            "type",
            "status",
            "name",
            "action",
            "id",
            "uuid",
            "physical_resource_id",
        ];
        let strange = ask
            .request
            .pairs()
            .into_iter()
            .map(|(key, _)| key)
            .find(|key| !KNOWN.contains(&key.as_str()));
        if let Some(key) = strange {
            return errors::bad_request(&format!("Invalid filter parameters ['{key}']"));
        }
        let depth = match ask.depth() {
            Ok(depth) => depth.unwrap_or(0),
            Err(reply) => return reply,
        };
        let mut rows = Vec::new();
        if !stack.deleted(ask.now) {
            self.gather(ask, stack, depth, &mut rows);
        }
        let [statuses, actions, names, kinds] =
            ["status", "action", "name", "type"].map(|name| ask.request.values(name));
        let text = |row: &Value, key: &str| {
            row.get(key)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        rows.retain(|row| {
            let full = text(row, "resource_status");
            let (action, status) = full.split_once('_').unwrap_or((&full, ""));
            (statuses.is_empty() || statuses.iter().any(|wanted| wanted == status))
                && (actions.is_empty() || actions.iter().any(|wanted| wanted == action))
                && (names.is_empty() || names.contains(&text(row, "resource_name")))
                && (kinds.is_empty() || kinds.contains(&text(row, "resource_type")))
        });
        Response::json(200, &json!({"resources": rows}))
    }

    pub(super) fn resource(&self, ask: &Ask<'_>, stack: &Stack, name: &str) -> Response {
        let Some((first, last)) = self
            .states(ask, stack)
            .into_iter()
            .find(|(first, _)| first.resource.as_deref() == Some(name))
        else {
            return errors::fault(
                404,
                "ResourceNotFound",
                &format!(
                    "The Resource ({name}) could not be found in Stack {}.",
                    stack.name
                ),
            );
        };
        let mut body = self.row(ask, stack, first, last);
        if let Some(body) = body.as_object_mut() {
            let attributes = stack
                .attributes
                .iter()
                .find(|(resource, _)| resource == name)
                .map_or_else(|| json!({}), |(_, attributes)| attributes.clone());
            body.insert("description".to_owned(), json!(""));
            body.insert("attributes".to_owned(), attributes);
        }
        Response::json(200, &json!({"resource": body}))
    }

    /// The stacks that are resources of this one.
    pub(super) fn children<'s>(
        &'s self,
        ask: &Ask<'_>,
        stack: &'s Stack,
    ) -> impl Iterator<Item = &'s Stack> + use<'s> {
        let now = ask.now;
        // Children are added right after their parent, before any other top-level stack.
        let from = self.by_id.get(&stack.id).map_or(0, |index| index + 1);
        let below = self
            .stacks
            .iter()
            .skip(from)
            .take_while(|child| child.parent.is_some());
        below.filter(move |child| {
            child.there(now) && child.parent.as_ref().is_some_and(|(id, _)| *id == stack.id)
        })
    }

    fn gather(&self, ask: &Ask<'_>, stack: &Stack, depth: usize, rows: &mut Vec<Value>) {
        for (first, last) in self.states(ask, stack) {
            let mut row = self.row(ask, stack, first, last);
            if let (Some(row), Some((_, resource))) = (row.as_object_mut(), &stack.parent) {
                row.insert("parent_resource".to_owned(), json!(resource));
            }
            rows.push(row);
        }
        if depth > 0 {
            for child in self.children(ask, stack) {
                self.gather(ask, child, depth - 1, rows);
            }
        }
    }

    /// First and latest step of each resource.
    fn states<'s>(&self, ask: &Ask<'_>, stack: &'s Stack) -> Vec<(&'s Step, &'s Step)> {
        let mut states: Vec<(&Step, &Step)> = Vec::new();
        let mut places = std::collections::HashMap::new();
        for step in stack.past(ask.now) {
            let Some(resource) = &step.resource else {
                continue;
            };
            let place = *places.entry(resource).or_insert(states.len());
            match states.get_mut(place) {
                Some((_, last)) => *last = step,
                None => states.push((step, step)),
            }
        }
        states.retain(|(_, last)| last.status != "DELETE_COMPLETE");
        states
    }

    fn row(&self, ask: &Ask<'_>, stack: &Stack, first: &Step, last: &Step) -> Value {
        let name = last.resource.as_deref().unwrap_or_default();
        let href = ask.href(stack);
        let mut links = vec![
            json!({"href": format!("{href}/resources/{name}"), "rel": "self"}),
            json!({"href": href, "rel": "stack"}),
        ];
        let child = self.children(ask, stack).find(|child| {
            child
                .parent
                .as_ref()
                .is_some_and(|(_, resource)| resource == name)
        });
        links.extend(child.map(|child| json!({"href": ask.href(child), "rel": "nested"})));
        let time = &ask.config.time;
        // Heat shows when the action on the resource began, also when it has ended.
        let own =
            |step: &&Step| step.resource == last.resource && step.status.ends_with("_IN_PROGRESS");
        let begun = stack
            .past(ask.now)
            .iter()
            .rev()
            .find(own)
            .map_or(last.at, |step| step.at);
        json!({
            "updated_time": time.seconds(begun),
            "creation_time": time.seconds(first.at),
            "logical_resource_id": name,
            "resource_name": name,
            "physical_resource_id": last.physical.as_deref().unwrap_or(""),
            "resource_status": last.status,
            "resource_status_reason": last.reason,
            "resource_type": last.kind,
            "links": links,
            "required_by": [],
        })
    }
}
