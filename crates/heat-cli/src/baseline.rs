//! What was before a change, and the judge that believes nothing older.

use std::time::Duration;

use os_identity::Error;
use poll_core::{Attempt, Fault, GoneTwice, Judge, Observation, Verdict};
use wait_cli::run::Stage;

use crate::client::{Client, EventQuery};
use crate::events;
use crate::goal::{Look, Why};
use crate::lost::Looked;
use crate::model::{Event, Stack, StackRef};
use crate::status::{Action, Status};

/// A stack before a change.
#[derive(Debug, Clone)]
pub(crate) struct Baseline {
    /// The newest event; `None`: it has none.
    pub(crate) event: Option<Event>,
    pub(crate) stack: Stack,
}

impl Baseline {
    /// Looks. `seen`: the stack as it was a moment ago. `None`: it is gone.
    pub(crate) fn take(
        client: &Client<'_>,
        stack: &StackRef,
        seen: Option<&Stack>,
        budget: Option<Duration>,
    ) -> Result<Option<Self>, Fault<Error>> {
        let seen = match seen {
            Some(seen) => Some(seen.clone()),
            None => client.stack(stack, budget)?,
        };
        let query = EventQuery {
            limit: Some(1),
            newest_first: true,
            ..EventQuery::default()
        };
        let newest = client.events(stack, query, budget)?;
        Ok(newest.zip(seen).map(|(events, stack)| Self {
            event: events.into_iter().next(),
            stack,
        }))
    }

    /// The id of the newest event.
    pub(crate) fn since(&self) -> Option<&str> {
        self.event.as_ref().map(|event| event.id.as_str())
    }

    /// Whether something of the stack itself has moved since.
    fn has_left(&self, stack: &Stack) -> bool {
        let updated = |stack: &Stack| stack.raw().get("updated_time").cloned();
        !stack
            .status_text()
            .eq_ignore_ascii_case(self.stack.status_text())
            || updated(stack) != updated(&self.stack)
    }

    /// Looks for proof that a change was taken of which no answer came: an own event that is newer and that `claims`
    /// takes for its own, or the same said by the stack.
    pub(crate) fn look_for(
        &self,
        client: &Client<'_>,
        stack: &StackRef,
        claims: &dyn Fn(Status, &str) -> bool,
        budget: Option<Duration>,
    ) -> Result<Looked<String>, Fault<Error>> {
        let Some(seen) = client.stack(stack, budget)? else {
            return Ok(Looked::Nothing("the stack is gone".to_owned()));
        };
        let is_proof = |status: Option<Status>, reason: &str| {
            status.is_some_and(|status| claims(status, reason))
        };
        if self.has_left(&seen) && is_proof(seen.status(), seen.reason()) {
            return Ok(Looked::Proof(seen.status_text().to_owned()));
        }
        let query = EventQuery {
            limit: Some(crate::client::PAGE),
            newest_first: true,
            ..EventQuery::default()
        };
        // The newest first, down to the baseline: Heat ignores a marker that it does not know any more.
        let floor = self.event.as_ref().and_then(events::time_of);
        let newer = client.events(stack, query, budget)?.unwrap_or_default();
        let proof = newer
            .iter()
            .take_while(|event| Some(event.id.as_str()) != self.since())
            .filter(|event| events::time_of(event) >= floor && event.is_own_of(&stack.id))
            .find(|event| is_proof(event.status(), &event.resource_status_reason));
        Ok(match proof {
            Some(event) => Looked::Proof(event.resource_status.clone()),
            None => Looked::Nothing(format!("it is {}", seen.status_text())),
        })
    }
}

/// Judges what comes after a change: nothing that was there before it is believed, and what takes over is named.
pub(crate) struct After<J> {
    inner: GoneTwice<J>,
    baseline: Option<Baseline>,
    /// The action that was asked for. `None`: whatever comes.
    action: Option<Action>,
    /// The change always writes that it begins (an update, a check): an end without a beginning is an earlier one's.
    must_begin: bool,
    /// An end that was there before is believed after this time, where the change may do nothing at all.
    settle: Option<Duration>,
    moved: bool,
    begun: bool,
}

impl<J: Judge<Look, Why = Why>> After<J> {
    /// After a change that made the stack.
    pub(crate) fn new(inner: J, action: Action, stage: &Stage<'_>) -> Self {
        let gap = stage.timing.period.shortest().min(Duration::from_secs(1));
        Self {
            inner: GoneTwice::new(inner, gap),
            baseline: None,
            action: Some(action),
            must_begin: false,
            settle: None,
            moved: true,
            begun: true,
        }
    }

    /// After a change to a stack that was there.
    pub(crate) fn since(
        inner: J,
        baseline: Baseline,
        action: Option<Action>,
        stage: &Stage<'_>,
    ) -> Self {
        Self {
            baseline: Some(baseline),
            action,
            must_begin: matches!(action, Some(Action::Update | Action::Check)),
            moved: false,
            begun: false,
            ..Self::new(inner, Action::Create, stage)
        }
    }

    /// Believes after this time what was there before.
    pub(crate) fn settling(self, settle: Option<Duration>) -> Self {
        Self { settle, ..self }
    }

    /// Whether this can be nothing but the change's own doing.
    fn proves(&self, seen: &Observation<Look>) -> bool {
        let (look, baseline) = match (seen, &self.baseline) {
            (Observation::Present(look), Some(baseline)) => (look, baseline),
            _ => return true,
        };
        let left = baseline.has_left(&look.stack);
        if !self.must_begin {
            return look.fresh || left;
        }
        if look.begun {
            return true;
        }
        let own = |stack: &Stack| {
            let status = stack.status();
            status.filter(|status| status.action == self.action)
        };
        // Where the events cannot be read. What ran before is told from what runs now by its time alone.
        match (own(&look.stack), own(&baseline.stack)) {
            (Some(_), None) => left,
            (Some(_), Some(_)) => {
                let updated = |stack: &Stack| stack.raw().get("updated_time").cloned();
                updated(&look.stack) != updated(&baseline.stack)
            }
            (None, _) => false,
        }
    }

    /// Another action that has begun after ours, before ours has ended.
    fn taken_over(&mut self, look: &Look) -> Option<Why> {
        let (action, status) = (self.action?, look.stack.status()?);
        let ours = |of: Option<Action>| of == Some(action) || of == Some(Action::Rollback);
        self.begun = self.begun || look.begun || status.action == Some(action);
        let over = self.begun && look.ended.is_none() && !ours(status.action);
        over.then(|| Why {
            status: look.stack.status_text().to_owned(),
            text: "another action has taken over".to_owned(),
            missing: false,
        })
    }
}

impl<J: Judge<Look, Why = Why>> Judge<Look> for After<J> {
    type Why = Why;

    fn judge(&mut self, seen: &Observation<Look>, at: &Attempt) -> Verdict<Why> {
        self.moved = self.moved || self.proves(seen);
        if !self.moved {
            match self.settle {
                Some(settle) if at.elapsed >= settle => {}
                Some(settle) => {
                    return Verdict::Pending {
                        again: Some(settle.saturating_sub(at.elapsed)),
                    };
                }
                None => return Verdict::Pending { again: None },
            }
        }
        if let Observation::Present(look) = seen {
            if let Some(why) = self.taken_over(look) {
                return Verdict::Failed(why);
            }
        }
        self.inner.judge(seen, at)
    }
}
