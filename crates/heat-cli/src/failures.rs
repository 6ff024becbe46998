//! Why a stack failed: the failed resources down the nested stacks, the cause first.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use os_identity::Error;
use poll_core::Fault;
use serde_json::{Map, Value};
use wait_cli::order;

use crate::client::{Client, Found};
use crate::model::{Resource, StackRef};

/// How deep the failed resources are looked for. Heat's own default limit of nesting is 5.
const DEPTH: u32 = 10;

/// The types whose output tells more than their reason (heatclient/osc/v1/stack_failures.py:97).
const DEPLOYMENTS: [&str; 2] = [
    "OS::Heat::StructuredDeployment",
    "OS::Heat::SoftwareDeployment",
];

/// What deployments print, in the order in which it is shown.
pub const OUTPUTS: [&str; 2] = ["deploy_stdout", "deploy_stderr"];

/// One failed resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// Names from the stack inwards, joined by dots.
    pub path: String,
    /// `CREATE_FAILED` and the like.
    pub status: String,
    /// What Heat says about it.
    pub reason: String,
    /// Its type.
    pub resource_type: String,
    /// What it is outside of Heat; empty if it never came to be.
    pub physical_resource_id: String,
    /// It failed only because something else did.
    pub consequence: bool,
    /// What a deployment has reported, by name; `None`: it is none, or has not been asked.
    pub outputs: Option<Map<String, Value>>,
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
) -> Found<Vec<Cause>> {
    let Some(mut failed) = client.failed_resources(stack, DEPTH, budget)? else {
        return Ok(None);
    };
    if leaves(stack, &failed).1 {
        // Something failed below a resource that did not: only the whole list tells where.
        failed = client.resources(stack, DEPTH, budget)?.unwrap_or_default();
    }
    let (mut causes, _) = leaves(stack, &failed);
    order::sort_by(&mut causes, |a, b| {
        (a.consequence, &a.updated, &a.path).cmp(&(b.consequence, &b.updated, &b.path))
    });
    Ok(Some(causes))
}

/// The failed resources that have no failed resource below them, in the order of the Python client: stack by stack,
/// as Heat lists them (heatclient/osc/v1/stack_failures.py:49-89, which asks for each stack by itself). `None`: the
/// stack is gone.
///
/// # Errors
/// What kept the answer from coming.
pub fn listed(
    client: &Client<'_>,
    stack: &StackRef,
    budget: Option<Duration>,
) -> Found<Vec<Cause>> {
    let failed = client.failed_resources(stack, DEPTH, budget)?;
    Ok(failed.map(|failed| Tree::of(&failed).descend(stack)))
}

/// Asks a deployment for what it has reported; nothing for any other resource.
///
/// # Errors
/// What kept the answer from coming.
pub fn ask_deployment(
    client: &Client<'_>,
    cause: &mut Cause,
    budget: Option<Duration>,
) -> Result<(), Fault<Error>> {
    let is_deployment = DEPLOYMENTS.contains(&cause.resource_type.as_str());
    if !is_deployment || cause.physical_resource_id.is_empty() {
        return Ok(());
    }
    let id = os_identity::url::encode(&cause.physical_resource_id);
    let answer = client.object(None, &format!("/software_deployments/{id}"), budget)?;
    cause.outputs = answer.map(|answer| {
        let values = answer.get("software_deployment");
        let values = values.and_then(|deployment| deployment.get("output_values"));
        values
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default()
    });
    Ok(())
}

/// The causes below failed resources, then those that failed below one that did not; whether there are such.
fn leaves(stack: &StackRef, resources: &[Resource]) -> (Vec<Cause>, bool) {
    let tree = Tree::of(resources);
    let mut causes = tree.descend(stack);
    let reached: HashSet<String> = causes.iter().map(|cause| cause.path.clone()).collect();
    let stray = resources
        .iter()
        .filter(|resource| resource.has_failed() && !tree.has_failed_below(resource));
    let stray: Vec<Cause> = stray
        .map(|resource| cause(tree.path(stack, resource), resource))
        .filter(|cause| !reached.contains(&cause.path))
        .collect();
    let has_stray = !stray.is_empty();
    causes.extend(stray);
    (causes, has_stray)
}

/// Resources by the stack that they belong to.
struct Tree<'r> {
    /// Failed ones, by the id of their stack, in the order of the answer.
    failed: HashMap<&'r str, Vec<&'r Resource>>,
    /// Which resource a nested stack is.
    parents: HashMap<&'r str, &'r Resource>,
}

impl<'r> Tree<'r> {
    fn of(resources: &'r [Resource]) -> Self {
        let mut failed: HashMap<&str, Vec<&Resource>> = HashMap::new();
        for resource in resources.iter().filter(|resource| resource.has_failed()) {
            let stack = resource.stack_id().unwrap_or_default();
            failed.entry(stack).or_default().push(resource);
        }
        let parents = resources
            .iter()
            .filter_map(|resource| Some((resource.nested_id()?, resource)));
        Self {
            failed,
            parents: parents.collect(),
        }
    }

    fn descend(&self, stack: &StackRef) -> Vec<Cause> {
        let mut causes = Vec::new();
        let mut seen = HashSet::from([stack.id.as_str()]);
        self.below(&stack.id, &stack.name, &mut seen, &mut causes);
        causes
    }

    fn below<'t>(
        &'t self,
        stack_id: &str,
        path: &str,
        seen: &mut HashSet<&'t str>,
        causes: &mut Vec<Cause>,
    ) where
        'r: 't,
    {
        for resource in self.failed.get(stack_id).into_iter().flatten() {
            let path = format!("{path}.{}", resource.resource_name);
            let before = causes.len();
            // A loop in what a server sends must not hold us.
            if let Some(nested) = resource.nested_id().filter(|id| seen.insert(id)) {
                self.below(nested, &path, seen, causes);
            }
            if causes.len() == before {
                causes.push(cause(path, resource));
            }
        }
    }

    fn has_failed_below(&self, resource: &Resource) -> bool {
        let nested = resource.nested_id();
        nested.is_some_and(|id| self.failed.contains_key(id))
    }

    fn path(&self, stack: &StackRef, resource: &Resource) -> String {
        let mut names = vec![resource.resource_name.as_str()];
        let mut at = resource;
        // As many steps as can be: a loop in what a server sends must not hold us.
        for _ in 0..DEPTH {
            match at.stack_id().and_then(|id| self.parents.get(id)) {
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
}

fn cause(path: String, resource: &Resource) -> Cause {
    let updated = resource.updated_time.as_deref();
    Cause {
        path,
        status: resource.resource_status.clone(),
        reason: resource.resource_status_reason.clone(),
        resource_type: resource.resource_type.clone(),
        physical_resource_id: resource.physical_resource_id.clone(),
        consequence: is_consequence(&resource.resource_status_reason),
        outputs: None,
        updated: updated.map(wait_cli::time::utc).unwrap_or_default(),
    }
}

/// Heat stops what else runs when one resource fails (heat/engine/scheduler.py, resource.py: "CREATE aborted").
fn is_consequence(reason: &str) -> bool {
    reason.trim_end().ends_with(" aborted") || reason.contains(" aborted (")
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
        let (mut causes, _) = leaves(&tarn, &resources);
        causes.sort_by_key(|cause| (cause.consequence, cause.updated.clone()));
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
        let (causes, stray) = leaves(&tarn, &[a, b, leaf]);
        assert_eq!(causes.len(), 1);
        assert!(stray);
    }
}
