//! A resource of Manila as a script, and what requests do to it.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::errors;
use super::kind::{Kind, Row};
use crate::response::Response;

/// One resource with its time line. Times count from the moment it is added to the cloud.
///
/// ```
/// use sim_cloud::{Item, Kind, secs};
/// let share = Item::new(Kind::Share, "lagoon").id("bbbb").set("size", 10)
///     .status(secs(0), "extending").status(secs(9), "available").at(secs(9), "size", 20);
/// ```
#[derive(Debug, Clone)]
pub struct Item {
    pub(crate) kind: Kind,
    pub(crate) id: String,
    pub(crate) project: Option<String>,
    pub(crate) created: Duration,
    pub(crate) fields: Map<String, Value>,
    pub(crate) steps: Vec<(Duration, String, Value)>,
    pub(crate) gone: Option<Duration>,
    pub(crate) messages: Vec<(Duration, String)>,
}

impl Item {
    /// One of that kind that stands there, usable; the name is left out where the kind has none.
    #[must_use]
    pub fn new(kind: Kind, name: &str) -> Self {
        let row = Row::of(kind);
        let mut fields = Map::new();
        if row.fields().contains_key("name") {
            fields.insert("name".to_owned(), json!(name));
        }
        let standing = match kind {
            Kind::Rule | Kind::Network | Kind::Server => "active",
            Kind::Message => "ERROR",
            _ => "available",
        };
        fields.insert(row.field.to_owned(), json!(standing));
        if kind == Kind::Replica {
            fields.insert("replica_state".to_owned(), json!("in_sync"));
        }
        Self {
            kind,
            id: String::new(),
            project: None,
            created: Duration::ZERO,
            fields,
            steps: Vec::new(),
            gone: None,
            messages: Vec::new(),
        }
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

    /// A field, from the beginning.
    #[must_use]
    pub fn set(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(field.to_owned(), value.into());
        self
    }

    /// A field changes.
    #[must_use]
    pub fn at(mut self, at: Duration, field: &str, value: impl Into<Value>) -> Self {
        self.steps.push((at, field.to_owned(), value.into()));
        self
    }

    /// The field that is waited for (`status`; of a rule `state`) changes.
    #[must_use]
    pub fn status(self, at: Duration, word: &str) -> Self {
        let field = Row::of(self.kind).field;
        self.at(at, field, word)
    }

    /// From then on it is not there any more.
    #[must_use]
    pub fn gone(self, at: Duration) -> Self {
        Self {
            gone: Some(at),
            ..self
        }
    }

    /// A message to the user about it.
    #[must_use]
    pub fn message(mut self, at: Duration, text: &str) -> Self {
        self.messages.push((at, text.to_owned()));
        self
    }

    pub(crate) fn shift(&mut self, by: Duration) {
        self.created += by;
        self.steps.iter_mut().for_each(|(at, ..)| *at += by);
        self.steps.sort_by_key(|(at, ..)| *at);
        self.gone = self.gone.map(|at| at + by);
        self.messages.iter_mut().for_each(|(at, _)| *at += by);
    }

    pub(crate) fn there(&self, now: Duration) -> bool {
        now >= self.created && self.gone.is_none_or(|at| now < at)
    }

    /// A field as it is now.
    pub(crate) fn value(&self, field: &str, now: Duration) -> Option<&Value> {
        let past = self.steps.iter().rev().filter(|(at, ..)| *at <= now);
        past.filter(|(_, name, _)| name == field)
            .map(|(.., value)| value)
            .next()
            .or_else(|| self.fields.get(field))
    }

    pub(crate) fn text(&self, field: &str, now: Duration) -> &str {
        self.value(field, now)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// When something last changed, if it ever did.
    pub(crate) fn changed(&self, now: Duration) -> Option<Duration> {
        self.steps
            .iter()
            .map(|(at, ..)| *at)
            .filter(|at| *at <= now && *at > self.created)
            .max()
    }
}

/// What a request leads to, counted from it.
#[derive(Debug, Clone, Default)]
pub struct Effect {
    pub(crate) changes: Vec<(Duration, String, Value)>,
    pub(crate) others: Vec<(String, Duration, String, Value)>,
    pub(crate) gone: Option<Duration>,
    pub(crate) messages: Vec<(Duration, String)>,
    pub(crate) answer: Option<Response>,
}

impl Effect {
    /// Accepted, and nothing happens; build on it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The request is answered like this and nothing happens.
    #[must_use]
    pub fn answer(reply: Response) -> Self {
        Self {
            answer: Some(reply),
            ..Self::default()
        }
    }

    /// A refusal in Manila's words.
    #[must_use]
    pub fn refused(status: u16, message: &str) -> Self {
        Self::answer(errors::fault(status, message))
    }

    /// A field of the resource changes.
    #[must_use]
    pub fn at(mut self, after: Duration, field: &str, value: impl Into<Value>) -> Self {
        self.changes.push((after, field.to_owned(), value.into()));
        self
    }

    /// A field of another resource changes.
    #[must_use]
    pub fn other(
        mut self,
        id: &str,
        after: Duration,
        field: &str,
        value: impl Into<Value>,
    ) -> Self {
        self.others
            .push((id.to_owned(), after, field.to_owned(), value.into()));
        self
    }

    /// The resource is gone.
    #[must_use]
    pub fn gone(self, after: Duration) -> Self {
        Self {
            gone: Some(after),
            ..self
        }
    }

    /// The user gets a message about the resource.
    #[must_use]
    pub fn message(mut self, after: Duration, text: &str) -> Self {
        self.messages.push((after, text.to_owned()));
        self
    }
}
