//! Nested stacks of a Heat that does not follow them for events (before `nested_depth`, 2016): it ignores the option,
//! which shows by the missing `root_stack` link.
//!
//! Replaces `_get_nested_events` of the Python client (heatclient/common/event_utils.py:130).

use std::time::Duration;

use jiff::Timestamp;
use os_identity::Error;
use poll_core::Fault;

use crate::client::Client;
use crate::events::Trail;
use crate::model::{Event, StackRef};

/// The trails of all stacks below one.
#[derive(Debug, Clone)]
pub(crate) struct Walk {
    /// Nothing older is news.
    floor: Option<Timestamp>,
    below: Vec<(StackRef, Trail)>,
    /// What has come and was not handed out, because a later request failed.
    kept: Vec<Event>,
}

impl Walk {
    /// A walk that shows nothing older than `floor`.
    pub(crate) fn new(floor: Option<Timestamp>) -> Self {
        Self {
            floor,
            below: Vec::new(),
            kept: Vec::new(),
        }
    }

    /// What has come since in the stacks down to `depth` levels below `root`; new ones among them are found. Each
    /// stack's events are in order, not those of different stacks.
    ///
    /// # Errors
    /// What kept the answer from coming. What had come before stays to be had.
    pub(crate) fn more(
        &mut self,
        client: &Client<'_>,
        root: &StackRef,
        depth: u32,
        budget: Option<Duration>,
    ) -> Result<Vec<Event>, Fault<Error>> {
        // The resources of the last level but one tell of the stacks of the last.
        let resources = client.resources(root, depth.saturating_sub(1), budget)?;
        for resource in resources.unwrap_or_default() {
            let Some(stack) = resource.nested(&root.base) else {
                continue;
            };
            if stack.id != root.id && self.below.iter().all(|(known, _)| known.id != stack.id) {
                self.below.push((stack, Trail::since(self.floor)));
            }
        }
        for (stack, trail) in &mut self.below {
            // One that is gone tells nothing more.
            self.kept
                .extend(trail.more(client, stack, budget)?.unwrap_or_default());
        }
        Ok(std::mem::take(&mut self.kept))
    }
}
