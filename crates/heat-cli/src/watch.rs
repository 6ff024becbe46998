//! The probe: one look a round at one or many stacks, with their events on the way.

mod eye;
mod tracked;

use std::collections::HashMap;
use std::time::Duration;

use os_identity::{Error, Kind};
use poll_core::{Attempt, Fault, Observation, Round};
use wait_cli::Reporter;

use crate::client::{CHUNK, Client};
use crate::goal::{Goal, Look};
use crate::model::Stack;
use eye::Eye;
pub use tracked::Tracked;

type LookResult = Result<Observation<Look>, Fault<Error>>;
type Looks = Vec<(usize, LookResult)>;

/// A chunk of a round.
#[derive(Default)]
struct Asked {
    indices: Vec<usize>,
    url: String,
    /// Of the answer: what has not changed by a byte is not read again.
    print: u64,
}

/// Looks at stacks, and writes their events on the way.
pub struct Watch<'w, 's> {
    client: &'w Client<'s>,
    reporter: &'w Reporter<'s>,
    goal: Goal,
    tracked: Vec<Tracked>,
    /// What was asked for each chunk, by its first stack.
    asked: HashMap<usize, Asked>,
    /// When the present round must be over.
    until: Option<Duration>,
}

impl<'w, 's> Watch<'w, 's> {
    /// Watches these stacks, in the order of the engine's indices.
    #[must_use]
    pub fn new(
        client: &'w Client<'s>,
        reporter: &'w Reporter<'s>,
        goal: Goal,
        tracked: Vec<Tracked>,
    ) -> Self {
        Self {
            client,
            reporter,
            goal,
            tracked,
            asked: HashMap::new(),
            until: None,
        }
    }

    /// The stacks, as they are known now.
    #[must_use]
    pub fn tracked(&self) -> &[Tracked] {
        &self.tracked
    }

    /// One round.
    ///
    /// # Errors
    /// What kept all of them from being seen.
    pub fn round(&mut self, due: &[usize], at: &Attempt) -> Round<Look, Error> {
        // All requests of a round share its time.
        self.until = at
            .budget
            .map(|budget| self.client.now().saturating_add(budget));
        let mut looks = Vec::with_capacity(due.len());
        let alone = self.tracked.len() == 1;
        let mut listed = Vec::new();
        for &index in due {
            let Some(one) = self.tracked.get_mut(index) else {
                continue;
            };
            if alone || one.stack.is_none() {
                looks.push((index, self.eye(index, at).alone()));
            } else if std::mem::take(&mut one.just_seen) {
                looks.push((index, self.eye(index, at).as_looked_up()));
            } else {
                listed.push(index);
            }
        }
        for chunk in listed.chunks(CHUNK) {
            self.chunk(chunk, at, &mut looks)?;
        }
        Ok(looks)
    }

    /// Up to [`CHUNK`] stacks by one list; one that the list leaves out is looked at by itself.
    fn chunk(
        &mut self,
        indices: &[usize],
        at: &Attempt,
        looks: &mut Looks,
    ) -> Result<(), Fault<Error>> {
        // Those who are left out were not looked at.
        let Ok(budget) = time_left(self.client, self.until) else {
            return Ok(());
        };
        let place = indices.first().copied().unwrap_or_default();
        let asked = self.asked.entry(place).or_default();
        if asked.indices != indices {
            let ids = indices.iter().map(|&index| self.tracked.get(index));
            let ids: Vec<&str> = ids
                .filter_map(|one| Some(one?.stack.as_ref()?.id.as_str()))
                .collect();
            asked.url = self.client.list_url("id", &ids);
            indices.clone_into(&mut asked.indices);
        }
        let answer = self
            .client
            .stacks_unless_same(&asked.url, &mut asked.print, budget)
            .map(|stacks| stacks.map(by_id));
        let mut listed: Option<HashMap<String, Stack>> = match answer {
            Ok(listed) => listed,
            // Who may not list, or is not understood, may still look at each.
            Err(Fault::Refused(error)) if error.status() == Some(403) => Some(HashMap::new()),
            Err(Fault::Fatal(_)) => Some(HashMap::new()),
            // A token that is refused is refused for all: no look at each, which would sign in again for each.
            Err(fault @ (Fault::Throttled(..) | Fault::Refused(_))) => return Err(fault),
            Err(fault) => {
                looks.extend(indices.iter().map(|&index| (index, Err(fault.clone()))));
                return Ok(());
            }
        };
        for &index in indices {
            let mut eye = self.eye(index, at);
            let found = match &mut listed {
                Some(listed) => eye.id().and_then(|id| listed.remove(id)),
                None => {
                    if let Some(look) = eye.stands_as_listed() {
                        looks.push((index, look));
                        continue;
                    }
                    eye.as_listed_before()
                }
            };
            let look = match found {
                Some(stack) => eye.listed(stack),
                None => {
                    eye.forget_listed();
                    eye.look_by_itself()
                }
            };
            looks.push((index, look));
        }
        Ok(())
    }

    fn eye<'e>(&'e mut self, index: usize, at: &Attempt) -> Eye<'e, 'w, 's> {
        let (client, reporter, goal) = (self.client, self.reporter, self.goal);
        // Indices come from the engine, which counts the judges that were made from `tracked`.
        Eye {
            client,
            reporter,
            goal,
            until: self.until,
            last_round: at.last,
            one: self.tracked.get_mut(index),
        }
    }
}

fn by_id(stacks: Vec<Stack>) -> HashMap<String, Stack> {
    let pairs = stacks
        .into_iter()
        .map(|stack| (stack.id().to_owned(), stack));
    pairs.collect()
}

/// What is left of a round; an error where nothing is.
fn time_left(
    client: &Client<'_>,
    until: Option<Duration>,
) -> Result<Option<Duration>, Fault<Error>> {
    let left = until.map(|until| until.saturating_sub(client.now()));
    if left.is_some_and(|left| left.is_zero()) {
        let text = "the time of the round is up";
        return Err(Fault::Transient(Error::new(Kind::Deadline, text)));
    }
    Ok(left)
}
