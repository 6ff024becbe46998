//! What Heat answers, typed as far as it is judged; the rest is kept as it came, for the output.

use std::rc::Rc;

use serde_json::{Map, Value};

use crate::status::Status;

/// Where a stack is: everything after the look-up uses this, never what was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackRef {
    /// The endpoint, with the project that the stack is in.
    pub base: String,
    /// Its name.
    pub name: String,
    /// Its id.
    pub id: String,
}

impl StackRef {
    /// The URL of the stack, without a trailing slash.
    #[must_use]
    pub fn url(&self) -> String {
        let encode = os_identity::url::encode;
        format!(
            "{}/stacks/{}/{}",
            self.base,
            encode(&self.name),
            encode(&self.id)
        )
    }

    /// How messages call it.
    #[must_use]
    pub fn label(&self) -> String {
        format!("stack {} ({})", self.name, self.id)
    }
}

/// One stack, as `GET /stacks/{name}/{id}` or an entry of a list shows it. A clone shares the object: a wait for
/// thousands keeps each of them once.
#[derive(Debug, Clone, PartialEq)]
pub struct Stack {
    raw: Rc<Map<String, Value>>,
    /// As `raw` has it: it is asked for several times a look.
    status: Option<Status>,
}

impl Stack {
    /// Takes an answer's object. `None`: it has no id, so it is no stack.
    #[must_use]
    pub fn new(raw: Map<String, Value>) -> Option<Self> {
        let has = |key: &str| raw.get(key).is_some_and(Value::is_string);
        let is_stack = has("id") && has("stack_status");
        let status = raw.get("stack_status").and_then(Value::as_str);
        let status = status.and_then(Status::parse);
        is_stack.then(|| Self {
            raw: Rc::new(raw),
            status,
        })
    }

    /// A stack of which nothing but what it was called is known: for the output.
    #[must_use]
    pub fn unseen(name: &str) -> Self {
        let name = ("stack_name".to_owned(), Value::from(name));
        Self {
            raw: Rc::new(Map::from_iter([name])),
            status: None,
        }
    }

    /// The whole object.
    #[must_use]
    pub fn raw(&self) -> &Map<String, Value> {
        &self.raw
    }

    /// The id.
    #[must_use]
    pub fn id(&self) -> &str {
        self.text("id")
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.text("stack_name")
    }

    /// The status as Heat wrote it.
    #[must_use]
    pub fn status_text(&self) -> &str {
        self.text("stack_status")
    }

    /// The status as it is understood.
    #[must_use]
    pub fn status(&self) -> Option<Status> {
        self.status
    }

    /// Why, or nothing.
    #[must_use]
    pub fn reason(&self) -> &str {
        self.text("stack_status_reason")
    }

    /// Whether it is gone for good: DELETE_COMPLETE shows two to three seconds earlier.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        self.raw.get("deletion_time").is_some_and(Value::is_string)
    }

    /// Whether a failure is followed by a rollback. `None`: this answer does not say.
    #[must_use]
    pub fn rolls_back(&self) -> Option<bool> {
        self.raw
            .get("disable_rollback")
            .and_then(Value::as_bool)
            .map(|disabled| !disabled)
    }

    /// Heat's own limit of an action, in minutes.
    #[must_use]
    pub fn timeout_mins(&self) -> Option<u64> {
        self.raw.get("timeout_mins").and_then(Value::as_u64)
    }

    /// The same with the status and reason of a newer event.
    #[must_use]
    pub fn with_status(mut self, status: &str, reason: &str) -> Self {
        self.status = Status::parse(status);
        let raw = Rc::make_mut(&mut self.raw);
        raw.insert("stack_status".to_owned(), Value::from(status));
        raw.insert("stack_status_reason".to_owned(), Value::from(reason));
        self
    }

    fn text(&self, key: &str) -> &str {
        self.raw
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }
}

/// One event. Ids prove; times (whole seconds, ties) only help.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(from = "Map<String, Value>")]
pub struct Event {
    /// Unique.
    pub id: String,
    /// In one of several notations, or `None`.
    pub event_time: Option<String>,
    /// The resource, or the stack itself.
    pub resource_name: String,
    /// The stack's id where the event is the stack's own.
    pub physical_resource_id: String,
    /// `ACTION_STATUS`.
    pub resource_status: String,
    /// Why.
    pub resource_status_reason: String,
    /// `self`, `resource`, `stack` and, with `nested_depth`, `root_stack`.
    pub links: Vec<Link>,
    /// The object as it came, without the links: for the output.
    pub raw: Map<String, Value>,
}

impl From<Map<String, Value>> for Event {
    fn from(mut raw: Map<String, Value>) -> Self {
        let text = |key: &str| {
            let text = raw.get(key).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let event_time = raw.get("event_time").and_then(Value::as_str);
        let mut event = Self {
            id: text("id"),
            event_time: event_time.map(str::to_owned),
            resource_name: text("resource_name"),
            physical_resource_id: text("physical_resource_id"),
            resource_status: text("resource_status"),
            resource_status_reason: text("resource_status_reason"),
            ..Self::default()
        };
        if event.resource_name.is_empty() {
            event.resource_name = text("logical_resource_id");
        }
        let links = raw.remove("links").map(serde_json::from_value);
        event.links = links.and_then(Result::ok).unwrap_or_default();
        event.raw = raw;
        event
    }
}

/// A link of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(default)]
pub struct Link {
    /// What it leads to.
    pub rel: String,
    /// Where.
    pub href: String,
}

impl Event {
    /// The id of the stack that the event belongs to.
    #[must_use]
    pub fn stack_id(&self) -> Option<&str> {
        stack_of(&self.links)
    }

    /// The name of the stack that the event belongs to, as its `stack` link has it.
    #[must_use]
    pub fn stack_name(&self) -> Option<String> {
        let link = self.links.iter().find(|link| link.rel == "stack")?;
        let (_, after) = link.href.split_once("/stacks/")?;
        let name = after.split('/').next().filter(|name| !name.is_empty())?;
        Some(name.to_owned())
    }

    /// Whether the answer that it came in knows of nested stacks (Heat since 2016).
    #[must_use]
    pub fn has_root(&self) -> bool {
        self.links.iter().any(|link| link.rel == "root_stack")
    }

    /// Whether it is the own event of the stack with this id, and not of a resource that has the stack's name.
    #[must_use]
    pub fn is_own_of(&self, stack_id: &str) -> bool {
        self.physical_resource_id == stack_id && self.stack_id().is_none_or(|id| id == stack_id)
    }

    /// The status as it is understood.
    #[must_use]
    pub fn status(&self) -> Option<Status> {
        Status::parse(&self.resource_status)
    }
}

/// The last segment of the `stack` link: the id.
fn stack_of(links: &[Link]) -> Option<&str> {
    let link = links.iter().find(|link| link.rel == "stack")?;
    link.href.rsplit('/').next().filter(|id| !id.is_empty())
}

/// One resource of a stack or of the stacks nested in it.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(default)]
pub struct Resource {
    /// Its name in its stack.
    #[serde(deserialize_with = "text")]
    pub resource_name: String,
    /// Its type.
    #[serde(deserialize_with = "text")]
    pub resource_type: String,
    /// Empty until it is there.
    #[serde(deserialize_with = "text")]
    pub physical_resource_id: String,
    /// `ACTION_STATUS`.
    #[serde(deserialize_with = "text")]
    pub resource_status: String,
    /// Why.
    #[serde(deserialize_with = "text")]
    pub resource_status_reason: String,
    /// When it last changed.
    pub updated_time: Option<String>,
    /// `stack` and, for a nested stack, `nested`.
    pub links: Vec<Link>,
}

impl Resource {
    /// The id of the stack that it belongs to.
    #[must_use]
    pub fn stack_id(&self) -> Option<&str> {
        stack_of(&self.links)
    }

    /// The id of the stack that it is.
    #[must_use]
    pub fn nested_id(&self) -> Option<&str> {
        let link = self.links.iter().find(|link| link.rel == "nested")?;
        link.href.rsplit('/').next().filter(|id| !id.is_empty())
    }

    /// Where the stack is that it is; `base` is the endpoint.
    #[must_use]
    pub fn nested(&self, base: &str) -> Option<StackRef> {
        let link = self.links.iter().find(|link| link.rel == "nested")?;
        let (_, after) = link.href.split_once("/stacks/")?;
        let (name, id) = after.split_once('/')?;
        let found = !name.is_empty() && !id.is_empty() && !id.contains('/');
        found.then(|| StackRef {
            base: base.to_owned(),
            name: name.to_owned(),
            id: id.to_owned(),
        })
    }

    /// Whether its last action ended badly.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        Status::parse(&self.resource_status)
            .is_some_and(|s| s.progress == crate::status::Progress::Failed)
    }
}

/// A string, or nothing for null and whatever else is no string.
fn text<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    use serde::Deserialize as _;
    Ok(match Value::deserialize(deserializer)? {
        Value::String(text) => text,
        _ => String::new(),
    })
}
