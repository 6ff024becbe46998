//! One request that changes something, and what must be seen after it.

use os_identity::Method;
use serde_json::Value;

use crate::client::Body;
use crate::goal::{Appear, Goal, Want};
use crate::kind::Kind;

/// What a change is made to.
#[derive(Debug, Clone, PartialEq)]
pub enum On {
    /// A new resource. Those of its kind that match these fields, and are new, may be it if the answer is lost;
    /// the text is the query that lists them.
    New(Vec<(&'static str, Value)>, String),
    /// This one, as it was before.
    Old(Body),
}

/// What must come to rest as well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Also {
    /// Its kind.
    pub kind: &'static Kind,
    /// Its ID.
    pub id: String,
}

/// One change.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// How it is asked for.
    pub method: Method,
    /// Below the version, with the query.
    pub path: String,
    /// The body, if there is one.
    pub body: Option<Value>,
    /// What is waited on.
    pub on: On,
    /// What is waited for.
    pub goal: Goal,
    /// What must be usable again afterwards.
    pub also: Option<Also>,
    /// The share of access rules: services before 2.45 can only list those of a share.
    pub share: Option<String>,
}

impl Change {
    /// A request on something that exists and that is waited on, until it is what its kind is by default.
    #[must_use]
    pub fn old(
        kind: &'static Kind,
        body: &Body,
        method: Method,
        path: String,
        request: Option<Value>,
    ) -> Self {
        Self {
            method,
            path,
            body: request,
            on: On::Old(body.clone()),
            goal: default_goal(kind),
            also: None,
            share: None,
        }
    }

    /// A request that makes something new of this kind. `fields` and `query` find it if the answer is lost.
    #[must_use]
    pub fn new(
        kind: &'static Kind,
        path: &str,
        request: Value,
        fields: Vec<(&'static str, Value)>,
        query: String,
    ) -> Self {
        Self {
            method: Method::Post,
            path: path.to_owned(),
            body: Some(request),
            on: On::New(fields, query),
            goal: default_goal(kind),
            also: None,
            share: None,
        }
    }

    /// The same, on another resource than the one that the request names.
    #[must_use]
    pub fn on(self, kind: &'static Kind, body: &Body) -> Self {
        Self {
            on: On::Old(body.clone()),
            goal: default_goal(kind),
            ..self
        }
    }

    /// The same, until it is gone.
    #[must_use]
    pub fn until_gone(mut self) -> Self {
        self.goal.wants = vec![Want::Gone];
        self
    }

    /// The same, until `field` has one of these words.
    #[must_use]
    pub fn until(mut self, field: &str, words: &[&str]) -> Self {
        let want = |word: &&str| Want::Field {
            name: field.to_owned(),
            word: (*word).to_owned(),
        };
        self.goal.wants = words.iter().map(want).collect();
        self
    }

    /// The same, where `field` must have this value as well in the end.
    #[must_use]
    pub fn and(mut self, field: &str, value: impl ToString) -> Self {
        self.goal.and.push((field.to_owned(), value.to_string()));
        self
    }

    /// The same, where this must be usable again afterwards.
    #[must_use]
    pub fn also(self, kind: &'static Kind, id: impl Into<String>) -> Self {
        Self {
            also: Some(Also {
                kind,
                id: id.into(),
            }),
            ..self
        }
    }

    /// Whether it is waited until it is gone.
    #[must_use]
    pub fn removes(&self) -> bool {
        self.goal.wants_gone()
    }
}

/// What a kind is waited for by default.
#[must_use]
pub fn default_goal(kind: &'static Kind) -> Goal {
    let want = |word: &&str| Want::Field {
        name: kind.field.name.to_owned(),
        word: (*word).to_owned(),
    };
    Goal {
        kind,
        wants: kind.default.iter().map(want).collect(),
        and: Vec::new(),
        appear: Appear::Now,
        tolerate: std::time::Duration::ZERO,
    }
}
