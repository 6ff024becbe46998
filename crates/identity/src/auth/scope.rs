//! What a token is for, and domains.

use serde_json::{Value, json};

use crate::{Error, Settings};

/// What the token is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Whatever Keystone gives: an application credential's own project, or the user's default.
    Unscoped,
    ProjectId(String),
    Project(String, Option<Domain>),
    Domain(Domain),
    System,
    Trust(String),
}

/// By ID or by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Domain {
    Id(String),
    Name(String),
}

impl Scope {
    /// Exactly one of project, domain, system and trust, or none. A domain beside a project is the domain of user and
    /// project (`openstack/config/loader.py:979-1000`).
    pub(super) fn read(settings: &Settings) -> Result<Self, Error> {
        let has = |names: &[&'static str]| {
            names
                .iter()
                .copied()
                .find(|name| settings.raw(name).is_some())
        };
        let project = has(&["project_id", "project_name"]);
        let domain_of_scope = if project.is_some() {
            None
        } else {
            has(&["domain_id", "domain_name"])
        };
        let given: Vec<&str> = [
            project,
            domain_of_scope,
            has(&["system_scope"]),
            has(&["trust_id"]),
        ]
        .into_iter()
        .flatten()
        .collect();
        if given.len() > 1 {
            let told = given
                .iter()
                .map(|name| format!("{name} ({})", settings.origin(name).unwrap_or_default()));
            return Err(Error::config(format!(
                "a token is for one of project, domain, system and trust; given are {}",
                told.collect::<Vec<_>>().join(" and ")
            )));
        }
        let text = |name: &str| settings.raw(name).unwrap_or_default().to_owned();
        Ok(match given.first().copied() {
            None => Self::Unscoped,
            Some("project_id") => Self::ProjectId(text("project_id")),
            Some("project_name") => {
                Self::Project(text("project_name"), domain(settings, "project_domain"))
            }
            Some("domain_id") => Self::Domain(Domain::Id(text("domain_id"))),
            Some("domain_name") => Self::Domain(Domain::Name(text("domain_name"))),
            Some("trust_id") => Self::Trust(text("trust_id")),
            Some(_) if text("system_scope") == "all" => Self::System,
            Some(_) => {
                return Err(Error::config(format!(
                    "system_scope ({}) can be nothing but all: {}",
                    settings.origin("system_scope").unwrap_or_default(),
                    text("system_scope")
                )));
            }
        })
    }

    pub(super) fn body(&self) -> Option<Value> {
        Some(match self {
            Self::Unscoped => return None,
            Self::ProjectId(id) => json!({ "project": { "id": id } }),
            Self::Project(name, None) => json!({ "project": { "name": name } }),
            Self::Project(name, Some(domain)) => {
                json!({ "project": { "name": name, "domain": domain.body() } })
            }
            Self::Domain(domain) => json!({ "domain": domain.body() }),
            Self::System => json!({ "system": { "all": true } }),
            Self::Trust(id) => json!({ "OS-TRUST:trust": { "id": id } }),
        })
    }
}

impl Domain {
    pub(super) fn body(&self) -> Value {
        match self {
            Self::Id(id) => json!({ "id": id }),
            Self::Name(name) => json!({ "name": name }),
        }
    }
}

/// The domain of a user or project: its own, that which stands for both, or the default.
pub(super) fn domain(settings: &Settings, prefix: &str) -> Option<Domain> {
    let text = |name: &str| settings.raw(name).map(str::to_owned);
    text(&format!("{prefix}_id"))
        .map(Domain::Id)
        .or_else(|| text(&format!("{prefix}_name")).map(Domain::Name))
        .or_else(|| {
            is_project(settings)
                .then(|| text("domain_id").map(Domain::Id))
                .flatten()
        })
        .or_else(|| {
            is_project(settings)
                .then(|| text("domain_name").map(Domain::Name))
                .flatten()
        })
        .or_else(|| text("default_domain_id").map(Domain::Id))
        .or_else(|| text("default_domain_name").map(Domain::Name))
        .or_else(|| text("default_domain").map(Domain::Id))
}

fn is_project(settings: &Settings) -> bool {
    settings.raw("project_id").is_some() || settings.raw("project_name").is_some()
}
