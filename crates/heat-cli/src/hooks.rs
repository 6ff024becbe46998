//! Resources that are paused on a hook, and the command that lets them go on.
//!
//! Heat tells of hooks by events only (heat/engine/resource.py, `_break_if_required`, `clear_hook`); replaces
//! `get_hook_events` of the Python client (heatclient/common/event_utils.py:24).

use std::time::Duration;

use os_identity::Error;
use poll_core::Fault;

use crate::client::Client;
use crate::events::of_running_action;
use crate::model::{Event, StackRef};
use crate::paths::Paths;

/// How deep nested stacks are looked through. Heat's own default limit of nesting is 5.
const DEPTH: u32 = 10;

/// A resource that waits for somebody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// Names from the stack inwards, joined by dots.
    pub path: String,
    /// `pre-create` and the like.
    pub kind: String,
    stack_id: String,
    resource: String,
}

impl Hook {
    /// The words of the command that clears it.
    #[must_use]
    pub fn command(&self) -> Vec<String> {
        let kind = match self.kind.as_str() {
            "pre-create" | "pre-update" | "pre-delete" => format!("--{}", self.kind),
            // The hooks after an action have no option of their own.
            other => {
                let data = format!("{{\"unset_hook\": \"{other}\"}}");
                let words = ["openstack", "stack", "resource", "signal", "--data", &data];
                let words = words.into_iter().chain([&*self.stack_id, &*self.resource]);
                return words.map(str::to_owned).collect();
            }
        };
        [
            "openstack",
            "stack",
            "hook",
            "clear",
            &kind,
            &self.stack_id,
            &self.resource,
        ]
        .map(str::to_owned)
        .to_vec()
    }
}

/// The resources of a running action that are paused on a hook, down the nested stacks: one request, or a few where
/// the action has many events.
///
/// # Errors
/// What kept the answer from coming.
pub fn paused(
    client: &Client<'_>,
    stack: &StackRef,
    budget: Option<Duration>,
) -> Result<Vec<Hook>, Fault<Error>> {
    let (events, _) = of_running_action(client, stack, DEPTH, budget)?;
    Ok(pending(stack, &events))
}

/// The hooks that were reached and not cleared, in the order in which they were reached.
fn pending(stack: &StackRef, events: &[Event]) -> Vec<Hook> {
    let mut paths = Paths::of(&stack.id, &stack.name);
    let mut hooks: Vec<Hook> = Vec::new();
    for event in events {
        let path = paths.path(event);
        let reason = event.resource_status_reason.as_str();
        let stack_id = event.stack_id().unwrap_or(&stack.id);
        let is_same =
            |hook: &Hook| hook.stack_id == stack_id && hook.resource == event.resource_name;
        if let Some(kind) = between(reason, " paused until Hook ", " is cleared") {
            hooks.retain(|hook| !is_same(hook));
            hooks.push(Hook {
                path,
                kind: kind.to_owned(),
                stack_id: stack_id.to_owned(),
                resource: event.resource_name.clone(),
            });
        } else if let Some(kind) = between(reason, "Hook ", " is cleared") {
            hooks.retain(|hook| !is_same(hook) || hook.kind != kind);
        } else if reason == "Failure occurred while waiting." {
            hooks.retain(|hook| !is_same(hook));
        }
    }
    hooks
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(before)?;
    rest.strip_suffix(after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Link;

    fn event(stack: &str, name: &str, physical: &str, reason: &str) -> Event {
        Event {
            resource_name: name.to_owned(),
            physical_resource_id: physical.to_owned(),
            resource_status_reason: reason.to_owned(),
            links: vec![Link {
                rel: "stack".to_owned(),
                href: format!("http://x/v1/p/stacks/n/{stack}"),
            }],
            ..Event::default()
        }
    }

    #[test]
    fn a_hook_is_named_until_it_is_cleared() {
        let stack = StackRef {
            base: String::new(),
            name: "web".to_owned(),
            id: "s1".to_owned(),
        };
        let paused = "CREATE paused until Hook pre-create is cleared";
        let events = [
            event("s1", "web", "s1", "Stack CREATE started"),
            event("s1", "a", "", paused),
            event("s1", "group", "s2", "state changed"),
            event("s2", "0", "", paused),
            event("s1", "b", "", paused),
            event(
                "s1",
                "c",
                "",
                "CREATE paused until Hook post-create is cleared",
            ),
            event("s1", "a", "", "Hook pre-create is cleared"),
            event("s1", "b", "", "Failure occurred while waiting."),
        ];
        let hooks = pending(&stack, &events);
        let told: Vec<String> = hooks
            .iter()
            .map(|hook| format!("{}: {}", hook.path, hook.command().join(" ")))
            .collect();
        assert_eq!(
            told,
            [
                "web.group.0: openstack stack hook clear --pre-create s2 0",
                "web.c: openstack stack resource signal --data {\"unset_hook\": \"post-create\"} s1 c",
            ]
        );
    }
}
