//! From a name or an ID to one resource.

use std::collections::BTreeMap;
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
