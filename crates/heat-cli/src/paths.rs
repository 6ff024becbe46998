//! Where an event happened, as a path of names: `web.group.0.server`.
//!
//! Replaces `EventLogContext` of the Python client (heatclient/common/utils.py): a nested stack's events carry its
//! generated name; the resource that it is in its parent says what it is called there.

use std::collections::{HashMap, HashSet};

use crate::model::{Event, Resource};

/// Learns from events which stack is which resource of its parent.
#[derive(Debug, Clone, Default)]
pub struct Paths {
    /// Stack id → path of the resource that it is.
    known: HashMap<String, String>,
    /// Stacks that were looked for in vain.
    missing: HashSet<String>,
}

impl Paths {
    /// The paths below the stack of this id and name.
    #[must_use]
    pub fn of(id: &str, name: &str) -> Self {
        Self {
            known: HashMap::from([(id.to_owned(), name.to_owned())]),
            missing: HashSet::new(),
        }
    }

    /// Notes that the resource at `path` is the stack of this id.
    pub fn learn(&mut self, stack_id: &str, path: &str) {
        if !stack_id.is_empty() && !self.known.contains_key(stack_id) {
            self.known.insert(stack_id.to_owned(), path.to_owned());
        }
    }

    /// Notes which resources are stacks, from a list of the resources down the nested stacks.
    pub fn learn_all(&mut self, resources: &[Resource]) {
        let mut nested: Vec<(&str, &str, &str)> = resources
            .iter()
            .filter_map(|r| Some((r.stack_id()?, r.nested_id()?, r.resource_name.as_str())))
            .collect();
        // Parents may come after their children.
        loop {
            let before = nested.len();
            nested.retain(|(parent, id, name)| match self.known.get(*parent) {
                Some(path) => {
                    let path = format!("{path}.{name}");
                    self.learn(id, &path);
                    false
                }
                None => true,
            });
            if nested.len() == before {
                break;
            }
        }
    }

    /// Whether the event is of a nested stack of which nothing is known: whoever joins late has missed the event of
    /// the resource that it is. Says so once for each stack.
    pub fn misses(&mut self, event: &Event) -> bool {
        let Some(stack_id) = event.stack_id() else {
            return false;
        };
        let begins = event.physical_resource_id == stack_id;
        if self.known.contains_key(stack_id)
            || begins && self.known.contains_key(&event.resource_name)
        {
            return false;
        }
        self.missing.insert(stack_id.to_owned())
    }

    /// The path of an event; learns from it where a nested stack stands.
    pub fn path(&mut self, event: &Event) -> String {
        let Some(stack_id) = event.stack_id() else {
            return event.resource_name.clone();
        };
        let parent = self.known.get(stack_id).cloned();
        if event.physical_resource_id == stack_id {
            // When a nested stack begins, the event in its parent knows it only by its generated name.
            let path = parent.or_else(|| self.known.get(&event.resource_name).cloned());
            let path = path.unwrap_or_else(|| event.resource_name.clone());
            self.learn(stack_id, &path);
            return path;
        }
        let path = match parent {
            Some(parent) => format!("{parent}.{}", event.resource_name),
            None => event.resource_name.clone(),
        };
        self.learn(&event.physical_resource_id, &path);
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Link;

    fn event(stack: &str, name: &str, physical: &str) -> Event {
        Event {
            resource_name: name.to_owned(),
            physical_resource_id: physical.to_owned(),
            links: vec![Link {
                rel: "stack".to_owned(),
                href: format!("http://x/v1/p/stacks/n/{stack}"),
            }],
            ..Event::default()
        }
    }

    #[test]
    fn nested_events_are_shown_by_the_names_in_the_template() {
        let mut paths = Paths::of("s1", "web");
        assert_eq!(paths.path(&event("s1", "web", "s1")), "web");
        assert_eq!(paths.path(&event("s1", "group", "s2")), "web.group");
        assert_eq!(paths.path(&event("s2", "web-group-abc", "s2")), "web.group");
        assert_eq!(paths.path(&event("s2", "0", "s3")), "web.group.0");
        assert_eq!(
            paths.path(&event("s3", "server", "r1")),
            "web.group.0.server"
        );
    }

    #[test]
    fn a_nested_stack_is_recognised_by_its_generated_name_when_it_begins() {
        let mut paths = Paths::of("s1", "web");
        assert_eq!(
            paths.path(&event("s1", "group", "web-group-abc")),
            "web.group"
        );
        assert_eq!(paths.path(&event("s2", "web-group-abc", "s2")), "web.group");
        assert_eq!(paths.path(&event("s2", "0", "r1")), "web.group.0");
    }

    #[test]
    fn who_joins_late_learns_the_parents_from_the_resources_once() {
        let resource = |stack: &str, name: &str, nested: &str| Resource {
            resource_name: name.to_owned(),
            links: [("stack", stack), ("nested", nested)]
                .map(|(rel, id)| Link {
                    rel: rel.to_owned(),
                    href: format!("http://x/v1/p/stacks/n/{id}"),
                })
                .to_vec(),
            ..Resource::default()
        };
        let mut paths = Paths::of("s1", "web");
        let server = event("s3", "server", "r1");
        assert!(paths.misses(&server));
        assert!(!paths.misses(&server), "asked for twice");
        paths.learn_all(&[
            resource("s2", "0", "s3"),
            resource("s1", "group", "s2"),
            resource("s8", "stranger", "s9"),
        ]);
        assert_eq!(paths.path(&server), "web.group.0.server");
        assert_eq!(paths.path(&event("s9", "x", "r2")), "x");
    }

    #[test]
    fn a_stack_whose_parent_is_not_known_keeps_its_own_name() {
        let mut paths = Paths::of("s1", "web");
        assert_eq!(
            paths.path(&event("s9", "web-group-abc", "s9")),
            "web-group-abc"
        );
        assert_eq!(paths.path(&event("s9", "0", "r1")), "web-group-abc.0");
        assert_eq!(paths.path(&event("s8", "0", "r2")), "0");
    }
}
