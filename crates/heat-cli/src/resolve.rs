//! From what was typed to ids: each name once, all names before anything is waited for.

use std::collections::HashMap;
use std::time::Duration;

use os_identity::Error;
use poll_core::Fault;

use crate::client::{CHUNK, Client};
use crate::model::{Stack, StackRef};

/// What a name, id or `name/id` stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// Where it is.
    pub stack: StackRef,
    /// As it was when it was looked up, if the look-up showed it.
    pub seen: Option<Stack>,
}

/// Looks one up, whatever it is. `None`: there is no such stack.
/// # Errors
/// What kept the answer from coming.
pub fn one(
    client: &Client<'_>,
    name: &str,
    budget: Option<Duration>,
) -> Result<Option<Resolved>, Fault<Error>> {
    let Some(stack) = client.find(name, budget)? else {
        return Ok(None);
    };
    let seen = client.stack(&stack, budget)?;
    // By its id, a stack is found even when it is deleted; NAME/ID that do not belong together are not.
    Ok(seen.map(|seen| Resolved {
        stack,
        seen: Some(seen),
    }))
}

/// Looks many up, [`CHUNK`] a request: ids by id, names by name. What the lists leave out is `None` and may still be
/// found by [`one`].
///
/// # Errors
/// What kept the answer from coming.
pub fn by_list(
    client: &Client<'_>,
    names: &[&str],
    budget: Option<Duration>,
) -> Result<Vec<Option<Resolved>>, Fault<Error>> {
    let mut found: Vec<Option<Resolved>> = vec![None; names.len()];
    for (key, wants_id) in [("id", true), ("name", false)] {
        let wanted: Vec<(usize, &str)> = names
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, name)| is_id(name) == wants_id && !name.contains('/'))
            .collect();
        for chunk in wanted.chunks(CHUNK) {
            let values: Vec<&str> = chunk.iter().map(|(_, name)| *name).collect();
            let stacks = client.stacks(key, &values, budget)?;
            let mut listed: HashMap<&str, Vec<&Stack>> = HashMap::new();
            for stack in &stacks {
                if wants_id {
                    listed.entry(stack.id()).or_default().push(stack);
                } else if !stack.is_deleted() {
                    listed.entry(stack.name()).or_default().push(stack);
                }
            }
            for (at, name) in chunk {
                // A nested stack of another parent may have the same name: then only a look by itself decides.
                let matches = listed.get(name).map(Vec::as_slice);
                if let (Some([stack]), Some(slot)) = (matches, found.get_mut(*at)) {
                    *slot = Some(Resolved {
                        stack: StackRef {
                            base: client.base().to_owned(),
                            name: stack.name().to_owned(),
                            id: stack.id().to_owned(),
                        },
                        seen: Some(Stack::clone(stack)),
                    });
                }
            }
        }
    }
    Ok(found)
}

/// Whether it has the form of an id: 36 characters, hexadecimal with dashes.
pub fn is_id(text: &str) -> bool {
    text.len() == 36
        && text.char_indices().all(|(at, c)| {
            if matches!(at, 8 | 13 | 18 | 23) {
                c == '-'
            } else {
                c.is_ascii_hexdigit()
            }
        })
}
