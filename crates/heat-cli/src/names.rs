//! The stacks that a command line names: each once, all looked up before anything else happens.

use std::time::Duration;

use poll_core::{Deadline, Fault};
use wait_cli::run::Stage;
use wait_cli::{Failure, engine};

use crate::client::Client;
use crate::model::Stack;
use crate::resolve::{self, Resolved};

/// Heat's own limit of an action where the stack says nothing (heat.conf, `stack_action_timeout`).
const ACTION_TIMEOUT: Duration = Duration::from_secs(60 * 60);

/// So much later than Heat's own limit is ours, so that Heat's "Timed out" is seen first.
const GRACE: Duration = Duration::from_secs(5 * 60);

/// The deadline where nothing is known of the stack.
pub(crate) const DEADLINE: Duration = ACTION_TIMEOUT.saturating_add(GRACE);

/// All names are looked up before anything is waited for. What is not found is `None`.
pub(crate) fn look_up(
    names: &[&str],
    client: &Client<'_>,
    deadline: Deadline,
    stage: &Stage<'_>,
) -> Result<Vec<Option<Resolved>>, Failure> {
    let policy = stage.retries(deadline);
    let mut found = match names {
        [_] => vec![None],
        several => engine::persist(
            &policy,
            stage.clock,
            stage.reporter,
            "looking the stacks up",
            &mut |budget| {
                match resolve::by_list(client, several, budget) {
                    // Who may not list may still look at each.
                    Err(Fault::Refused(error)) if error.status() == Some(403) => {
                        Ok(vec![None; several.len()])
                    }
                    found => found,
                }
            },
        )?,
    };
    for (name, slot) in names.iter().zip(&mut found) {
        if slot.is_none() {
            let what = format!("stack {name}");
            *slot = engine::persist(&policy, stage.clock, stage.reporter, &what, &mut |budget| {
                resolve::one(client, name, budget)
            })?;
        }
    }
    Ok(found)
}

/// The stacks' own limits, where they say them; the longest of several.
pub(crate) fn default_deadline(found: &[Option<Resolved>]) -> Duration {
    let of = |stack: &Stack| limit(stack.timeout_mins(), stack.rolls_back() == Some(true));
    let seen = found
        .iter()
        .flatten()
        .filter_map(|found| found.seen.as_ref());
    seen.map(of).max().unwrap_or(DEADLINE)
}

/// Heat's own limit of an action and some grace, twice that where a rollback may follow.
pub(crate) fn limit(minutes: Option<u64>, rolls_back: bool) -> Duration {
    let limit = minutes.map_or(ACTION_TIMEOUT, |minutes| {
        Duration::from_secs(minutes.saturating_mul(60))
    });
    let limit = limit.saturating_add(GRACE);
    if rolls_back {
        limit.saturating_mul(2)
    } else {
        limit
    }
}

/// Two words for one stack are one.
pub(crate) fn once_each(
    names: Vec<&str>,
    found: Vec<Option<Resolved>>,
) -> (Vec<&str>, Vec<Option<Resolved>>) {
    let mut known = std::collections::HashSet::new();
    let pairs = names.into_iter().zip(found);
    pairs
        .filter(|(_, found)| match found {
            Some(found) => known.insert(found.stack.id.clone()),
            None => true,
        })
        .unzip()
}

/// The same name twice is one stack.
///
/// # Errors
/// An empty word.
pub(crate) fn distinct(names: &[String]) -> Result<Vec<&str>, Failure> {
    if names.iter().any(|name| name.trim().is_empty()) {
        return Err(Failure::usage(
            "an empty word is no stack: give a name or an id",
        ));
    }
    let mut distinct: Vec<&str> = Vec::with_capacity(names.len());
    let mut known = std::collections::HashSet::new();
    distinct.extend(
        names
            .iter()
            .map(String::as_str)
            .filter(|name| known.insert(*name)),
    );
    Ok(distinct)
}
