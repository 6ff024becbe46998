//! Why a stack failed: the failed resources down the nested stacks, the cause first.

use std::collections::HashMap;
use std::time::Duration;

use os_identity::Error;
use poll_core::Fault;

use crate::client::Client;
use crate::model::{Resource, StackRef};

/// How deep the failed resources are looked for. Heat's own default limit of nesting is 5.
const DEPTH: u32 = 10;

/// One failed resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// Names from the stack inwards, joined by dots.
    pub path: String,
    /// `CREATE_FAILED` and the like.
    pub status: String,
    /// What Heat says about it.
    pub reason: String,
    /// It failed only because something else did.
    pub consequence: bool,
    updated: String,
}

/// The failed resources that have no failed resource below them, the cause first: oldest first, and those that were
/// stopped because of another last. `None`: the stack is gone.
///
/// # Errors
/// What kept the answer from coming.
pub fn causes(
    client: &Client<'_>,
    stack: &StackRef,
    budget: Option<Duration>,
) -> Result<Option<Vec<Cause>>, Fault<Error>> {
    Ok(client
        .resources(stack, DEPTH, budget)?
        .map(|resources| leaves(stack, &resources)))
}

fn leaves(stack: &StackRef, resources: &[Resource]) -> Vec<Cause> {
    // Which resource a nested stack is.
    let parents: HashMap<&str, &Resource> = resources
        .iter()
        .filter_map(|resource| Some((resource.nested_id()?, resource)))
        .collect();
    let failed: Vec<&Resource> = resources
        .iter()
        .filter(|resource| resource.has_failed())
        .collect();
    let has_failed_child = |resource: &Resource| {
        resource
            .nested_id()
            .is_some_and(|id| failed.iter().any(|r| r.stack_id() == Some(id)))
    };
    let mut causes: Vec<Cause> = failed
        .iter()
        .filter(|resource| !has_failed_child(resource))
        .map(|resource| Cause {
            path: path(stack, resource, &parents),
            status: resource.resource_status.clone(),
            reason: resource.resource_status_reason.clone(),
            consequence: is_consequence(&resource.resource_status_reason),
            updated: resource
                .updated_time
                .as_deref()
                .map(wait_cli::time::utc)
                .unwrap_or_default(),
        })
        .collect();
    causes.sort_by(|a, b| {
        (a.consequence, &a.updated, &a.path).cmp(&(b.consequence, &b.updated, &b.path))
    });
    causes
}

/// Heat stops what else runs when one resource fails (heat/engine/scheduler.py, resource.py: "CREATE aborted").
fn is_consequence(reason: &str) -> bool {
    reason.trim_end().ends_with(" aborted") || reason.contains(" aborted (")
}

fn path(stack: &StackRef, resource: &Resource, parents: &HashMap<&str, &Resource>) -> String {
    let mut names = vec![resource.resource_name.as_str()];
    let mut at = resource;
    // As many steps as can be: a loop in what a server sends must not hold us.
    for _ in 0..DEPTH {
        match at.stack_id().and_then(|id| parents.get(id)) {
            Some(parent) => {
                names.push(&parent.resource_name);
                at = parent;
            }
            None => break,
        }
    }
    names.push(&stack.name);
    names.reverse();
    names.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Link;

    fn resource(
        stack: &str,
        name: &str,
        nested: Option<&str>,
        reason: &str,
        time: &str,
    ) -> Resource {
        let link = |rel: &str, id: &str| Link {
            rel: rel.to_owned(),
            href: format!("http://x/v1/p/stacks/n/{id}"),
        };
        let mut links = vec![link("stack", stack)];
        links.extend(nested.map(|id| link("nested", id)));
        Resource {
            resource_name: name.to_owned(),
            resource_status: "CREATE_FAILED".to_owned(),
            resource_status_reason: reason.to_owned(),
            updated_time: Some(time.to_owned()),
            links,
            ..Resource::default()
        }
    }

    #[test]
    fn the_cause_comes_first_its_consequences_are_marked_and_the_nested_stack_is_no_cause() {
        let tarn = StackRef {
            base: String::new(),
            name: "tarn".to_owned(),
            id: "s1".to_owned(),
        };
        let resources = [
            resource(
                "s2",
                "egret",
                None,
                "CREATE aborted (user triggered cancel)",
                "2031-03-04T09:02:09Z",
            ),
            resource(
                "s1",
                "marsh",
                Some("s2"),
                "resources.marsh: see nested",
                "2031-03-04T09:02:13Z",
            ),
            resource(
                "s2",
                "stork",
                None,
                "CREATE aborted",
                "2031-03-04T09:02:12Z",
            ),
            resource(
                "s2",
                "heron",
                None,
                "Quota for ports exceeded: limit 5",
                "2031-03-04T09:02:10Z",
            ),
            Resource {
                resource_status: "CREATE_COMPLETE".to_owned(),
                ..resource("s1", "fine", None, "", "")
            },
        ];
        let causes = leaves(&tarn, &resources);
        let shown: Vec<_> = causes
            .iter()
            .map(|cause| (cause.path.as_str(), cause.consequence))
            .collect();
        assert_eq!(
            shown,
            [
                ("tarn.marsh.heron", false),
                ("tarn.marsh.egret", true),
                ("tarn.marsh.stork", true)
            ]
        );
    }

    #[test]
    fn stacks_that_contain_each_other_do_not_hold_us() {
        let tarn = StackRef {
            base: String::new(),
            name: "tarn".to_owned(),
            id: "s1".to_owned(),
        };
        let a = resource("s3", "a", Some("s2"), "x", "");
        let b = resource("s2", "b", Some("s3"), "x", "");
        let leaf = resource("s2", "leaf", None, "x", "");
        assert_eq!(leaves(&tarn, &[a, b, leaf]).len(), 1);
    }
}
