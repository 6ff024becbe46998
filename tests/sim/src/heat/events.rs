//! Events of a stack, with those of nested stacks on request.

use serde_json::{Value, json};

use super::{Ask, Heat, Stack, Step, errors};
use crate::response::Response;

impl Heat {
    pub(super) fn events(&self, ask: &Ask<'_>, stack: &Stack, resource: Option<&str>) -> Response {
        let request = ask.request;
        let limit = match ask.limit() {
            Ok(limit) => limit.unwrap_or(usize::MAX),
            Err(reply) => return reply,
        };
        let upward = match request.value("sort_dir").as_deref() {
            None | Some("desc") => false,
            Some("asc") => true,
            Some(_) => return errors::mute(400, "ValueError"),
        };
        let depth = match ask.depth() {
            Ok(depth) => depth.filter(|_| !ask.config.old_heat),
            Err(reply) => return reply,
        };
        let mut all: Vec<(&Stack, &Step)> = Vec::new();
        self.collect(ask, stack, depth.unwrap_or(0), &mut all);
        if depth.is_some() {
            all.sort_by_key(|(_, step)| step.at);
        }
        let [names, statuses, actions, kinds] = [
            "resource_name",
            "resource_status",
            "resource_action",
            "resource_type",
        ]
        .map(|name| request.values(name));
        all.retain(|(stack, step)| {
            let name = step.resource.as_ref().unwrap_or(&stack.name);
            let (action, status) = step.status.split_once('_').unwrap_or((&step.status, ""));
            resource.is_none_or(|resource| name == resource)
                && (names.is_empty() || names.contains(name))
                && (statuses.is_empty() || statuses.iter().any(|wanted| wanted == status))
                && (actions.is_empty() || actions.iter().any(|wanted| wanted == action))
                && (kinds.is_empty() || kinds.contains(&step.kind))
        });
        if !upward {
            all.reverse();
        }
        // An unknown marker is ignored: everything comes again.
        let marker = request
            .value("marker")
            .and_then(|marker| all.iter().position(|(_, step)| step.id == marker));
        let page = all.iter().skip(marker.map_or(0, |at| at + 1)).take(limit);
        let root = depth.map(|_| stack);
        Response::json(
            200,
            &json!({"events": page.map(|(owner, step)| row(ask, owner, step, root)).collect::<Vec<Value>>()}),
        )
    }

    pub(super) fn event(
        &self,
        ask: &Ask<'_>,
        stack: &Stack,
        resource: &str,
        event: &str,
    ) -> Response {
        let found = stack.past(ask.now).iter().find(|step| {
            step.event
                && step.id == event
                && step.resource.as_ref().unwrap_or(&stack.name) == resource
        });
        let Some(step) = found else {
            return errors::fault(404, "HTTPNotFound", &format!("No event {event} found"));
        };
        let mut body = row(ask, stack, step, None);
        if let Some(body) = body.as_object_mut() {
            let kind = if step.resource.is_none() {
                "OS::Heat::Stack"
            } else {
                &step.kind
            };
            body.insert("resource_type".to_owned(), json!(kind));
            body.insert("resource_properties".to_owned(), json!({}));
        }
        Response::json(200, &json!({"event": body}))
    }

    fn collect<'s>(
        &'s self,
        ask: &Ask<'_>,
        stack: &'s Stack,
        depth: usize,
        into: &mut Vec<(&'s Stack, &'s Step)>,
    ) {
        into.extend(
            stack
                .past(ask.now)
                .iter()
                .filter(|step| step.event)
                .map(|step| (stack, step)),
        );
        if depth > 0 {
            for child in self.children(ask, stack) {
                self.collect(ask, child, depth - 1, into);
            }
        }
    }
}

fn row(ask: &Ask<'_>, stack: &Stack, step: &Step, root: Option<&Stack>) -> Value {
    let name = step.resource.as_ref().unwrap_or(&stack.name);
    let href = ask.href(stack);
    let mut links = vec![
        json!({"href": format!("{href}/resources/{name}/events/{}", step.id), "rel": "self"}),
        json!({"href": format!("{href}/resources/{name}"), "rel": "resource"}),
        json!({"href": href, "rel": "stack"}),
    ];
    links.extend(root.map(|root| json!({"href": ask.href(root), "rel": "root_stack"})));
    let physical = if step.resource.is_none() {
        Some(&stack.id)
    } else {
        step.physical.as_ref()
    };
    json!({
        "id": step.id,
        "links": links,
        "event_time": step.shown.clone().unwrap_or_else(|| json!(ask.config.time.seconds(step.at))),
        "logical_resource_id": name,
        "resource_name": name,
        "physical_resource_id": physical,
        "resource_status": step.status,
        "resource_status_reason": step.reason,
    })
}
