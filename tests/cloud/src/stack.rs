//! Stacks made by plain requests.

use serde_json::{Value, json};

use crate::{Place, User, until};

const TEMPLATE: &str = include_str!("../templates/basic.yaml");
const NESTED: &str = include_str!("../templates/nested.yaml");
const CHILD: &str = include_str!("../templates/child.yaml");

/// What a stack of `templates/basic.yaml` shall do: one resource that takes `wait` seconds and may fail then.
#[derive(Debug, Clone, Default)]
pub struct Spec {
    /// Seconds that creating (or replacing) the resource takes, on an idle machine.
    pub wait: u32,
    /// Whether the resource fails.
    pub fail: bool,
    /// Whether Heat rolls back when it fails.
    pub rollback: bool,
    /// Another value replaces the resource in an update.
    pub value: Option<String>,
    /// A tag. Heat's lists leave out what has the tag `hidden` (`hidden_stack_tags` in scripts/up.sh).
    pub tag: Option<&'static str>,
}

/// A stack of this test; asked to go away when the test is over.
#[derive(Debug)]
pub struct Stack<'u> {
    user: &'u User,
    /// Its name, unique.
    pub name: String,
    /// Its ID.
    pub id: String,
}

impl Spec {
    /// A stack that takes `wait` seconds and succeeds.
    pub fn slow(wait: u32) -> Self {
        Self {
            wait,
            ..Self::default()
        }
    }

    /// A stack that fails after `wait` seconds.
    pub fn failing(wait: u32) -> Self {
        Self {
            wait,
            fail: true,
            ..Self::default()
        }
    }

    fn body(&self, name: &str) -> Value {
        let mut body = json!({
            "stack_name": name,
            "template": TEMPLATE,
            "parameters": {"wait": Place::seconds(self.wait), "fail": self.fail, "value": self.value.as_deref().unwrap_or("one")},
            "disable_rollback": !self.rollback,
        });
        if let (Some(tag), Some(fields)) = (self.tag, body.as_object_mut()) {
            fields.insert("tags".to_owned(), json!(tag));
        }
        body
    }
}

impl<'u> Stack<'u> {
    /// Asks for a stack; comes back while it is being created.
    pub fn create(user: &'u User, spec: &Spec) -> Self {
        let name = Place::unique("stack");
        Self::ask(user, &spec.body(&name), name)
    }

    /// Asks for a stack whose resource `child` is a stack, too, and takes `wait` seconds (`templates/nested.yaml`).
    pub fn create_nested(user: &'u User, wait: u32) -> Self {
        let name = Place::unique("nested");
        let body = json!({
            "stack_name": name,
            "template": NESTED,
            "files": {"child.yaml": CHILD},
            "parameters": {"wait": Place::seconds(wait)},
        });
        Self::ask(user, &body, name)
    }

    /// A stack whose creation has ended well.
    pub fn created(user: &'u User) -> Self {
        let stack = Self::create(user, &Spec::slow(0));
        stack.reaches("CREATE_COMPLETE");
        stack
    }

    /// The ID of the stack that stands behind its resource `name`, as soon as there is one.
    pub fn nested(&self, name: &str) -> String {
        let url = format!("{}/resources/{name}", self.url());
        until("a nested stack", || {
            let body = self.user.send("GET", &url, None).body;
            let id = body.pointer("/resource/physical_resource_id")?.as_str()?;
            (!id.is_empty()).then(|| id.to_owned())
        })
    }

    /// Whether the list of the project's stacks has it.
    pub fn is_listed(&self) -> bool {
        let url = format!("{}/stacks?id={}", self.user.heat, self.id);
        let body = self.user.accepted("GET", &url, None);
        body.pointer("/stacks/0").is_some()
    }

    /// Asks for an update.
    pub fn update(&self, spec: &Spec) {
        self.user
            .accepted("PUT", &self.url(), Some(&spec.body(&self.name)));
    }

    /// Asks for an action: `suspend`, `resume`, `check`, `cancel_update`, `cancel_without_rollback`.
    pub fn act(&self, action: &str) {
        self.user.accepted(
            "POST",
            &format!("{}/actions", self.url()),
            Some(&json!({action: null})),
        );
    }

    /// Asks Heat to delete it.
    pub fn delete(&self) {
        self.user.accepted("DELETE", &self.url(), None);
    }

    /// The status that Heat shows now.
    pub fn status(&self) -> String {
        let body = self.user.accepted(
            "GET",
            &format!("{}?resolve_outputs=False", self.url()),
            None,
        );
        body.pointer("/stack/stack_status")
            .and_then(Value::as_str)
            .expect("a status")
            .to_owned()
    }

    /// Looks until Heat shows `status`.
    pub fn reaches(&self, status: &str) {
        until(status, || (self.status() == status).then_some(()));
    }

    /// The ID of the newest event.
    pub fn newest_event(&self) -> String {
        let url = format!("{}/events?limit=1&sort_dir=desc", self.url());
        let body = self.user.accepted("GET", &url, None);
        body.pointer("/events/0/id")
            .and_then(Value::as_str)
            .expect("an event")
            .to_owned()
    }

    fn ask(user: &'u User, body: &Value, name: String) -> Self {
        let answer = user.accepted("POST", &format!("{}/stacks", user.heat), Some(body));
        let id = answer
            .pointer("/stack/id")
            .and_then(Value::as_str)
            .expect("an ID")
            .to_owned();
        Self { user, name, id }
    }

    fn url(&self) -> String {
        format!("{}/stacks/{}/{}", self.user.heat, self.name, self.id)
    }
}

impl Drop for Stack<'_> {
    fn drop(&mut self) {
        let _ = self.user.send("DELETE", &self.url(), None);
    }
}
