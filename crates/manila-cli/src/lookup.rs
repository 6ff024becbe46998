//! From a name or an ID to one resource.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use os_identity::Error;
use poll_core::Fault;
use serde_json::Value;

use crate::client::{Body, Client, PAGE, encoded};
use crate::kind::Kind;
use crate::version::Microversion;

/// What is left of a time budget.
pub type Left<'l> = dyn Fn() -> Option<Duration> + 'l;

/// Looks for what the user named: by ID where the text may be one, then by name. `None`: there is none.
///
/// A name is looked for in the own project first; `wide` goes on with what else the user may see: other projects for
/// an administrator, and the recycle bin.
///
/// # Errors
/// What kept us from looking; several of that name ([`os_identity::Kind::Config`]).
pub fn find(
    client: &Client<'_>,
    kind: &Kind,
    asked: &str,
    wide: bool,
    left: &Left<'_>,
) -> Result<Option<Body>, Fault<Error>> {
    if is_id(asked) || (!kind.named && is_segment(asked)) {
        let found = client.one(kind, asked, left())?;
        if found.is_some() {
            return Ok(found);
        }
    }
    if !kind.named {
        return Ok(None);
    }
    let mut filters = vec![""];
    if wide {
        filters.push("all_tenants=1&");
        if kind.path == "/shares" && client.version() >= Microversion::new(69) {
            filters.push("all_tenants=1&is_soft_deleted=True&");
        }
    }
    for filter in filters {
        let mut found = named(client, kind, asked, filter, left)?;
        match found.len() {
            0 => {}
            1 => return Ok(found.pop()),
            _ => return Err(Fault::Fatal(ambiguous(kind, asked, &found))),
        }
    }
    Ok(None)
}

/// What one list says of many names and IDs.
#[derive(Debug, Default)]
pub struct Listed {
    bodies: Vec<Body>,
    /// Nothing was left out of it.
    is_whole: bool,
}

impl Listed {
    /// Reads the list of the own project. A service may give fewer rows than a page has room for, however many there are
    /// (`osapi_max_limit`): only where nothing follows, and names are looked for, the list is taken for the whole.
    ///
    /// # Errors
    /// What kept us from looking.
    pub fn read(
        client: &Client<'_>,
        kind: &Kind,
        asked: &[String],
        left: &Left<'_>,
    ) -> Result<Self, Fault<Error>> {
        let bodies = client.page(kind, "", 0, left())?;
        let ids: HashSet<String> = bodies.iter().map(id_of).collect();
        let names = kind.named && asked.iter().any(|asked| !ids.contains(asked));
        let is_whole =
            names && bodies.len() < PAGE && client.page(kind, "", bodies.len(), left())?.is_empty();
        Ok(Self { bodies, is_whole })
    }

    /// The one resource of this ID or name. `None`: there may be none, another, or several; the list does not say.
    #[must_use]
    pub fn find(&self, asked: &str) -> Option<Body> {
        let by_id = self.bodies.iter().find(|body| id_of(body) == asked);
        if by_id.is_some() || !self.is_whole || asked.is_empty() {
            return by_id.cloned();
        }
        let has_name = |body: &&Body| body.get("name").and_then(Value::as_str) == Some(asked);
        let mut found = self.bodies.iter().filter(has_name);
        let one = found.next();
        one.filter(|_| found.next().is_none()).cloned()
    }

    /// How long the list was.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.bodies.len()
    }
}

/// Everything of this name in the list. The service filters; where it does not, all pages are gone through.
fn named(
    client: &Client<'_>,
    kind: &Kind,
    name: &str,
    filter: &str,
    left: &Left<'_>,
) -> Result<Vec<Body>, Fault<Error>> {
    let query = format!("{filter}name={}", encoded(name));
    let mut seen: BTreeMap<String, bool> = BTreeMap::new();
    let mut found = Vec::new();
    let mut offset = 0;
    loop {
        let page = client.page(kind, &query, offset, left())?;
        let (rows, before) = (page.len(), seen.len());
        let mut others = false;
        for body in page {
            let is_it = body.get("name").and_then(Value::as_str) == Some(name);
            others = others || !is_it;
            if seen.insert(id_of(&body), is_it).is_none() && is_it {
                found.push(body);
            }
        }
        offset += rows;
        // A page that brings nothing new is the last, whatever the service says of a next one.
        let more = rows >= PAGE || others;
        if !more || seen.len() == before {
            return Ok(found);
        }
    }
}

fn ambiguous(kind: &Kind, name: &str, found: &[Body]) -> Error {
    let ids: Vec<_> = found.iter().map(id_of).collect();
    Error::config(format!(
        "the name {name} is that of {} {}s: {}",
        found.len(),
        kind.noun,
        ids.join(", ")
    ))
    .with_hint("name one of them by its ID")
}

/// The ID of a resource.
#[must_use]
pub fn id_of(body: &Body) -> String {
    body.get("id")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

/// Manila's IDs are UUIDs.
fn is_id(text: &str) -> bool {
    let digits = text.bytes().filter(|byte| *byte != b'-');
    digits.clone().count() == 32 && digits.clone().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether a text may stand in a path: what else would lead elsewhere, or make the router answer instead of the service.
fn is_segment(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_uuid() {
        assert!(is_id("095f0324-00a2-4946-b704-743b9bcf6832"));
        assert!(is_id("095f032400a24946b704743b9bcf6832"));
        for text in [
            "",
            "data",
            "095f0324",
            "zz5f0324-00a2-4946-b704-743b9bcf6832",
        ] {
            assert!(!is_id(text), "{text}");
        }
        assert!(!is_segment("..") && !is_segment("") && !is_segment("a/b") && is_segment("a-1"));
    }
}
