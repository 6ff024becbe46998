//! The list of stacks.

use serde_json::{Value, json};

use super::{Ask, Heat, Stack, errors};
use crate::response::Response;

impl Heat {
    pub(super) fn list(&self, ask: &Ask<'_>) -> Response {
        let request = ask.request;
        if request.flag("global_tenant") && !ask.config.admin {
            return errors::fault(
                403,
                "Forbidden",
                "You are not authorized to use stacks:global_index.",
            );
        }
        let limit = match ask.limit() {
            Ok(limit) => limit.unwrap_or(ask.config.page).min(ask.config.page),
            Err(reply) => return reply,
        };
        let found = self.found(ask);
        // An unknown marker starts over; so a client that trusts it loops.
        let marker = request
            .value("marker")
            .and_then(|marker| found.iter().position(|stack| stack.id == marker));
        let page: Vec<&Stack> = found
            .iter()
            .skip(marker.map_or(0, |at| at + 1))
            .take(limit)
            .copied()
            .collect();
        let mut body =
            json!({"stacks": page.iter().map(|stack| row(ask, stack)).collect::<Vec<Value>>()});
        if let Some(body) = body.as_object_mut() {
            if request.flag("with_count") {
                body.insert("count".to_owned(), json!(found.len()));
            }
            if let (Some(last), true, true) = (
                page.last(),
                page.len() == limit,
                request.value("limit").is_some(),
            ) {
                let kept: Vec<String> = request
                    .query
                    .split('&')
                    .filter(|part| !part.starts_with("marker="))
                    .map(str::to_owned)
                    .collect();
                let href = format!("{}?{}&marker={}", ask.stacks, kept.join("&"), last.id);
                body.insert("links".to_owned(), json!([{"rel": "next", "href": href}]));
            }
        }
        Response::json(200, &body)
    }

    /// Everything that the filters let through, in order.
    fn found(&self, ask: &Ask<'_>) -> Vec<&Stack> {
        let request = ask.request;
        let [ids, names, statuses, actions] =
            ["id", "name", "status", "action"].map(|name| request.values(name));
        let (deleted, nested, hidden) = (
            request.flag("show_deleted"),
            request.flag("show_nested"),
            request.flag("show_hidden"),
        );
        let global = request.flag("global_tenant");
        let meant = |stack: &&Stack| {
            let status = stack.status(ask.now);
            let (action, word) = status.split_once('_').unwrap_or((status, ""));
            stack.there(ask.now)
                && (global
                    || stack.project.is_none()
                    || stack.project.as_ref() == Some(&ask.config.project_id))
                && (deleted || !stack.deleted(ask.now))
                && (nested || stack.parent.is_none())
                && (hidden || !stack.hidden)
                && (names.is_empty() || names.contains(&stack.name))
                && (statuses.is_empty()
                    || statuses
                        .iter()
                        .any(|wanted| wanted == word || wanted == status))
                && (actions.is_empty() || actions.iter().any(|wanted| wanted == action))
        };
        let mut found: Vec<&Stack> = if ids.is_empty() {
            self.stacks.iter().rev().filter(meant).collect()
        } else {
            let mut indices: Vec<usize> = ids
                .iter()
                .filter_map(|id| self.by_id.get(id))
                .copied()
                .collect();
            indices.sort_unstable();
            indices.dedup();
            indices
                .iter()
                .rev()
                .filter_map(|index| self.stacks.get(*index))
                .filter(meant)
                .collect()
        };
        // Unknown sort keys are ignored; the order is then the newest first.
        match request.value("sort_keys").as_deref() {
            Some("stack_name") => found.sort_by(|one, other| one.name.cmp(&other.name)),
            Some("stack_status") => {
                found.sort_by(|one, other| one.status(ask.now).cmp(other.status(ask.now)))
            }
            _ => found.sort_by_key(|stack| stack.created),
        }
        let sorted = matches!(
            request.value("sort_keys").as_deref(),
            Some("stack_name" | "stack_status")
        );
        let down = request
            .value("sort_dir")
            .map_or(!sorted, |direction| direction.starts_with("desc"));
        if down && sorted {
            found.reverse();
        } else if down {
            // The sort is stable: those of one second stay newest first.
            found.sort_by_key(|stack| std::cmp::Reverse(stack.created));
        }
        found
    }
}

fn row(ask: &Ask<'_>, stack: &Stack) -> Value {
    let (time, now) = (&ask.config.time, ask.now);
    let mut row = json!({
        "id": stack.id,
        "links": [{"href": ask.href(stack), "rel": "self"}],
        "stack_name": stack.name,
        "description": "",
        "stack_status": stack.status(now),
        "stack_status_reason": stack.state(now).map_or("", |step| &step.reason),
        "creation_time": time.seconds(stack.created),
        "updated_time": stack.updated(now).map(|at| time.seconds(at)),
        "deletion_time": stack.gone.filter(|at| now >= *at).map(|at| time.seconds(at)),
        "stack_owner": ask.config.user,
        "parent": stack.parent.as_ref().map(|(id, _)| id),
        "stack_user_project_id": "a518c3352c414a4a91afc3f04a352606",
        "tags": null,
    });
    if let (Some(row), true) = (row.as_object_mut(), ask.request.flag("global_tenant")) {
        row.insert(
            "project".to_owned(),
            json!(stack.project.as_ref().unwrap_or(&ask.config.project_id)),
        );
    }
    row
}
