//! A stack as a script: what happens to it, and when.

use std::time::Duration;

use serde_json::{Map, Value, json};

/// A stack with its time line. Times count from the moment it is added to the cloud.
///
/// ```
/// use sim_cloud::{Stack, secs};
/// let child = Stack::new("tarn-marsh-x1").own(secs(1), "CREATE_IN_PROGRESS", "Stack CREATE started")
///     .broken("heron", "OS::Nova::Server", secs(1), secs(3), "Quota for ports exceeded: limit 5")
///     .own(secs(3), "CREATE_FAILED", "Resource CREATE failed");
/// let stack = Stack::failing("tarn", secs(4), "Resource CREATE failed: resources.marsh").nested("marsh", child);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Stack {
    pub(crate) name: String,
    pub(crate) id: String,
    pub(crate) project: Option<String>,
    /// Id of the parent and name of the resource in it that this stack is.
    pub(crate) parent: Option<(String, String)>,
    pub(crate) steps: Vec<Step>,
    pub(crate) children: Vec<(String, Stack)>,
    pub(crate) created: Duration,
    pub(crate) gone: Option<Duration>,
    pub(crate) purged: Option<Duration>,
    pub(crate) parameters: Map<String, Value>,
    pub(crate) outputs: Vec<Value>,
    pub(crate) attributes: Vec<(String, Value)>,
    pub(crate) timeout_mins: Option<u64>,
    pub(crate) rollback: bool,
    pub(crate) hidden: bool,
    pub(crate) tags: Vec<String>,
}

/// One change of the stack's own status or of a resource's.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) at: Duration,
    /// `None`: the stack itself.
    pub(crate) resource: Option<String>,
    pub(crate) kind: String,
    pub(crate) physical: Option<String>,
    pub(crate) status: String,
    pub(crate) reason: String,
    pub(crate) event: bool,
    /// The event's id; made up when the stack is added, if empty.
    pub(crate) id: String,
    /// What `event_time` shows instead of the time.
    pub(crate) shown: Option<Value>,
}

impl Stack {
    /// A stack to which nothing has happened yet.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..Self::default()
        }
    }

    /// A stack whose create begins now and succeeds after this time.
    #[must_use]
    pub fn create(name: &str, after: Duration) -> Self {
        Self::new(name)
            .own(Duration::ZERO, "CREATE_IN_PROGRESS", "Stack CREATE started")
            .own(
                after,
                "CREATE_COMPLETE",
                "Stack CREATE completed successfully",
            )
    }

    /// A stack that stands there, created.
    #[must_use]
    pub fn standing(name: &str) -> Self {
        Self::create(name, Duration::ZERO)
    }

    /// A stack whose create begins now and fails after this time.
    #[must_use]
    pub fn failing(name: &str, after: Duration, reason: &str) -> Self {
        Self::new(name)
            .own(Duration::ZERO, "CREATE_IN_PROGRESS", "Stack CREATE started")
            .own(after, "CREATE_FAILED", reason)
    }

    /// With this id instead of a made-up one.
    #[must_use]
    pub fn id(self, id: &str) -> Self {
        Self {
            id: id.to_owned(),
            ..self
        }
    }

    /// In another project than the caller's.
    #[must_use]
    pub fn project(self, id: &str) -> Self {
        Self {
            project: Some(id.to_owned()),
            ..self
        }
    }

    /// The stack's own status changes, with an event.
    #[must_use]
    pub fn own(mut self, at: Duration, status: &str, reason: &str) -> Self {
        self.push(at, None, "", None, status, reason);
        self
    }

    /// The stack's own status changes without an event.
    #[must_use]
    pub fn silent(mut self, at: Duration, status: &str, reason: &str) -> Self {
        self.push(at, None, "", None, status, reason);
        self.last(|step| step.event = false)
    }

    /// A resource changes, with an event.
    #[must_use]
    pub fn event(
        mut self,
        at: Duration,
        resource: &str,
        physical: Option<&str>,
        status: &str,
        reason: &str,
    ) -> Self {
        self.push(
            at,
            Some(resource),
            "OS::Heat::TestResource",
            physical.map(str::to_owned),
            status,
            reason,
        );
        self
    }

    /// A resource is created in this span.
    #[must_use]
    pub fn built(mut self, resource: &str, kind: &str, from: Duration, to: Duration) -> Self {
        self.push(
            from,
            Some(resource),
            kind,
            None,
            "CREATE_IN_PROGRESS",
            "state changed",
        );
        self.push(
            to,
            Some(resource),
            kind,
            Some(format!("{}-{resource}-physical", self.name)),
            "CREATE_COMPLETE",
            "state changed",
        );
        self
    }

    /// A resource fails to be created in this span.
    #[must_use]
    pub fn broken(
        mut self,
        resource: &str,
        kind: &str,
        from: Duration,
        to: Duration,
        reason: &str,
    ) -> Self {
        self.push(
            from,
            Some(resource),
            kind,
            None,
            "CREATE_IN_PROGRESS",
            "state changed",
        );
        self.push(
            to,
            Some(resource),
            kind,
            Some(format!("{}-{resource}-physical", self.name)),
            "CREATE_FAILED",
            reason,
        );
        self
    }

    /// A resource of this stack is a stack; its own events are the child's, and the resource follows the child's status.
    #[must_use]
    pub fn nested(mut self, resource: &str, child: Self) -> Self {
        for step in child
            .steps
            .clone()
            .into_iter()
            .filter(|step| step.resource.is_none())
        {
            self.push(
                step.at,
                Some(resource),
                "file:///nested.yaml",
                None,
                &step.status,
                "state changed",
            );
            if step.status.ends_with("_FAILED") {
                self = self
                    .last(|last| last.reason = format!("resources.{resource}: {}", step.reason));
            }
        }
        self.children.push((resource.to_owned(), child));
        self
    }

    /// The id of the event added last.
    #[must_use]
    pub fn event_id(self, id: &str) -> Self {
        self.last(|step| step.id = id.to_owned())
    }

    /// What `event_time` of the event added last shows: another notation, or null.
    #[must_use]
    pub fn event_time(self, shown: Value) -> Self {
        self.last(|step| step.shown = Some(shown))
    }

    /// From then on it is deleted: gone by name, still shown by id with its deletion time.
    #[must_use]
    pub fn gone(self, at: Duration) -> Self {
        Self {
            gone: Some(at),
            ..self
        }
    }

    /// From then on nothing of it is left.
    #[must_use]
    pub fn purged(self, at: Duration) -> Self {
        Self {
            purged: Some(at),
            ..self
        }
    }

    /// An output.
    #[must_use]
    pub fn output(mut self, key: &str, value: Value) -> Self {
        self.outputs.push(json!({"output_key": key, "output_value": value, "description": "No description given"}));
        self
    }

    /// An attribute map of a resource, as a deployment's `deploy_stderr`.
    #[must_use]
    pub fn attributes(mut self, resource: &str, attributes: Value) -> Self {
        self.attributes.push((resource.to_owned(), attributes));
        self
    }

    /// A parameter.
    #[must_use]
    pub fn parameter(mut self, key: &str, value: &str) -> Self {
        self.parameters.insert(key.to_owned(), json!(value));
        self
    }

    /// Heat's own limit for an action.
    #[must_use]
    pub fn timeout_mins(self, minutes: u64) -> Self {
        Self {
            timeout_mins: Some(minutes),
            ..self
        }
    }

    /// Rolls back on failure (only shown: what happens is the script's).
    #[must_use]
    pub fn rollback(self) -> Self {
        Self {
            rollback: true,
            ..self
        }
    }

    /// Left out of lists unless `show_hidden` is given.
    #[must_use]
    pub fn hidden(self) -> Self {
        Self {
            hidden: true,
            ..self
        }
    }

    pub(crate) fn push(
        &mut self,
        at: Duration,
        resource: Option<&str>,
        kind: &str,
        physical: Option<String>,
        status: &str,
        reason: &str,
    ) {
        self.steps.push(Step {
            at,
            resource: resource.map(str::to_owned),
            kind: kind.to_owned(),
            physical,
            status: status.to_owned(),
            reason: reason.to_owned(),
            event: true,
            id: String::new(),
            shown: None,
        });
    }

    pub(crate) fn shift(&mut self, by: Duration) {
        self.created += by;
        self.steps.iter_mut().for_each(|step| step.at += by);
        self.gone = self.gone.map(|at| at + by);
        self.purged = self.purged.map(|at| at + by);
        self.children
            .iter_mut()
            .for_each(|(_, child)| child.shift(by));
    }

    fn last(mut self, change: impl FnOnce(&mut Step)) -> Self {
        if let Some(step) = self.steps.last_mut() {
            change(step);
        }
        self
    }
}
