//! `heat-wait stack delete | suspend | resume | check | cancel`: a request for each stack, and all ends at once.

use std::cell::RefCell;
use std::time::Duration;

use os_identity::{Error, Method};
use poll_core::{Deadline, Fault, Judge, Quorum};
use serde_json::json;
use wait_cli::options::Shape;
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure, engine};

use crate::args::Waiting;
use crate::baseline::{After, Baseline};
use crate::cancel::{self, CancelJudge};
use crate::change::{self, Change, Sent};
use crate::client::Client;
use crate::follow::{Following, StackJudges, follow};
use crate::goal::{Goal, Look, StackJudge, Why};
use crate::lost::{self, Looked};
use crate::model::{Stack, StackRef};
use crate::names;
use crate::reading;
use crate::report::{self, Ended, Telling};
use crate::resolve::Resolved;
use crate::status::{Action, Progress, Status};
use crate::watch::{Tracked, Watch};

/// What is done to each stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Delete { ignore_missing: bool },
    Suspend,
    Resume,
    Check,
    Cancel { rollback: bool },
}

impl Act {
    /// The action that Heat then carries out. `None`: the end of another.
    fn action(self) -> Option<Action> {
        match self {
            Self::Delete { .. } => Some(Action::Delete),
            Self::Suspend => Some(Action::Suspend),
            Self::Resume => Some(Action::Resume),
            Self::Check => Some(Action::Check),
            Self::Cancel { .. } => None,
        }
    }

    fn is_delete(self) -> bool {
        matches!(self, Self::Delete { .. })
    }

    /// What is watched for.
    fn goal(self) -> Goal {
        match self {
            Self::Delete { .. } => Goal::Deleted,
            act => act.action().map_or(Goal::End, Goal::Action),
        }
    }

    /// What a later wait is asked for.
    fn awaited(self, baseline: &Baseline) -> Goal {
        let running = baseline.stack.status().and_then(|status| status.action);
        match (self, running) {
            (Self::Cancel { rollback: true }, _) => {
                Goal::Status(Status::new(Action::Rollback, Progress::Complete))
            }
            (Self::Cancel { rollback: false }, Some(action)) => {
                Goal::Status(Status::new(action, Progress::Failed))
            }
            (act, _) => act.goal(),
        }
    }

    /// Method, URL and body (heatclient/v1/actions.py; stacks.py, `delete`).
    fn request(self, stack: &StackRef) -> (Method, String, Option<Vec<u8>>) {
        let word = match self {
            Self::Delete { .. } => return (Method::Delete, stack.url(), None),
            Self::Suspend => "suspend",
            Self::Resume => "resume",
            Self::Check => "check",
            Self::Cancel { rollback: true } => "cancel_update",
            Self::Cancel { rollback: false } => "cancel_without_rollback",
        };
        let body = json!({ word: null }).to_string().into_bytes();
        (Method::Post, format!("{}/actions", stack.url()), Some(body))
    }

    /// Whether a stack in this state may be left as it is, without any event.
    fn may_do_nothing(self, stack: &Stack) -> bool {
        let Some(status) = stack.status() else {
            return false;
        };
        match self {
            Self::Delete { .. } => {
                status.action == Some(Action::Delete) && status.progress != Progress::Failed
            }
            Self::Suspend => status == Status::new(Action::Suspend, Progress::Complete),
            Self::Resume => status == Status::new(Action::Resume, Progress::Complete),
            Self::Check | Self::Cancel { .. } => false,
        }
    }

    /// Whether an own event newer than the baseline shows that this was taken.
    fn claims(self, status: Status, reason: &str) -> bool {
        match self.action() {
            Some(action) => status.action == Some(action),
            None => status.action == Some(Action::Rollback) || cancel::is_cancelled(status, reason),
        }
    }

    fn judge(self, baseline: &Baseline, stage: &Stage<'_>) -> Box<dyn Judge<Look, Why = Why>> {
        let settle = stage.timing.settle;
        if let Self::Cancel { rollback } = self {
            let judge = CancelJudge::new(rollback, settle);
            return Box::new(After::since(judge, baseline.clone(), None, stage));
        }
        let judge = StackJudge::new(self.goal(), Vec::new(), settle);
        let after = After::since(judge, baseline.clone(), self.action(), stage);
        let settles = self.may_do_nothing(&baseline.stack).then_some(settle);
        Box::new(after.settling(settles))
    }
}

/// One stack on its way.
struct One<'n> {
    name: &'n str,
    stack: Option<StackRef>,
    /// Before the change, or as it was last known.
    baseline: Option<Baseline>,
    seen: Option<Stack>,
    fate: Fate,
}

enum Fate {
    /// The request was taken.
    Taken,
    Lost(Error),
    /// Nothing is waited for.
    Over(Exit),
}

pub(crate) fn run(
    act: Act,
    stacks: &[String],
    waiting: &Waiting,
    yes: bool,
    stage: &mut Stage<'_>,
) -> Result<Exit, Failure> {
    let names = names::distinct(stacks)?;
    let layout = stage.layout(Shape::List)?;
    if !act.is_delete() {
        report::check_columns(&layout, Shape::List)?;
    }
    if act.is_delete() && !yes && stage.terminal.stdin {
        confirm(stage)?;
    }
    stage.set_last_words("nothing was changed", None);
    let deadline = stage.deadline(names::DEADLINE);
    let session = stage.session(deadline)?;
    let client = Client::open(session, stage.clock)?;
    let found = names::look_up(&names, &client, deadline, stage)?;
    let (names, found) = names::once_each(names, found);
    let deadline = stage.deadline(names::default_deadline(&found));
    client.set_deadline(deadline);

    let desk = Desk {
        act,
        waiting,
        client: &client,
        stage,
        deadline,
        resumes: RefCell::default(),
    };
    let mut ones: Vec<One<'_>> = Vec::with_capacity(names.len());
    for (name, found) in names.into_iter().zip(found) {
        ones.push(desk.change(name, found));
    }
    for one in &mut ones {
        desk.settle_lost(one);
    }
    let ended = if waiting.no_wait {
        desk.show_as_it_is(ones)
    } else {
        desk.wait(ones)
    };
    if !act.is_delete() {
        report::print(stage, (&layout, Shape::List), &ended)?;
    }
    Ok(Exit::of_all(ended.iter().map(|one| one.exit)))
}

/// Asks as the client does (heatclient/osc/v1/stack.py, `DeleteStack`).
fn confirm(stage: &mut Stage<'_>) -> Result<(), Failure> {
    stage.set_last_words("nothing was changed", None);
    stage.print("Are you sure you want to delete this stack(s) [y/N]? ")?;
    let mut answer = Vec::new();
    let mut byte = [0];
    while let Ok(1) = stage.stdin.read(&mut byte) {
        let [letter] = byte;
        if letter == b'\n' {
            break;
        }
        answer.push(letter);
    }
    if matches!(answer.first(), Some(b'y' | b'Y')) {
        return Ok(());
    }
    Err(Failure::usage("not confirmed: nothing was deleted").hint("-y or --yes answers beforehand"))
}

/// What all stacks of one command share.
struct Desk<'d, 's> {
    act: Act,
    waiting: &'d Waiting,
    client: &'d Client<'s>,
    stage: &'d Stage<'s>,
    deadline: Deadline,
    /// Commands that go on waiting for what was sent.
    resumes: RefCell<Vec<String>>,
}

impl Desk<'_, '_> {
    /// Baseline and request for one stack.
    fn change<'n>(&self, name: &'n str, found: Option<Resolved>) -> One<'n> {
        let reporter = self.stage.reporter;
        let mut one = One {
            name,
            stack: None,
            baseline: None,
            seen: None,
            fate: Fate::Over(Exit::NotFound),
        };
        let Some(found) = found else {
            if self.act
                == (Act::Delete {
                    ignore_missing: true,
                })
            {
                reporter.note(&format!("stack {name} does not exist: nothing to delete"));
                one.fate = Fate::Over(Exit::Reached);
            } else {
                reporter.failure(&reading::no_stack(name));
            }
            return one;
        };
        let (stack, label) = (&found.stack, found.stack.label());
        one.stack = Some(stack.clone());
        one.seen.clone_from(&found.seen);
        if found.seen.as_ref().is_some_and(Stack::is_deleted) {
            if self.act.is_delete() {
                reporter.note(&format!("{label} is already gone"));
                one.fate = Fate::Over(Exit::Reached);
            } else {
                reporter.failure(&Failure::new(Exit::NotFound, format!("{label} is deleted")));
            }
            return one;
        }
        let first = self.ask(&label, &mut |budget| {
            Baseline::take(self.client, stack, found.seen.as_ref(), budget)
        });
        let mut baseline = match first {
            Ok(baseline) => baseline,
            Err(failure) => {
                one.fate = Fate::Over(failure.exit);
                reporter.failure(&failure);
                return one;
            }
        };
        let (method, url, body) = self.act.request(stack);
        let change = Change {
            label: &label,
            method,
            url: &url,
            body: body.as_deref(),
            when_idle: self.waiting.when_idle,
        };
        if let Some(baseline) = &baseline {
            self.resumes.borrow_mut().push(self.resume(stack, baseline));
            self.set_last_words();
        }
        let sent = change::send(
            &change,
            self.client,
            self.stage,
            self.deadline,
            &mut |left| {
                if let Some(newer) = Baseline::take(self.client, stack, None, left)? {
                    baseline = Some(newer);
                }
                Ok(())
            },
        );
        if let Some(baseline) = &baseline {
            one.seen = Some(baseline.stack.clone());
        }
        one.baseline = baseline;
        one.fate = match sent {
            Sent::Taken(_) => Fate::Taken,
            Sent::Lost(error) => Fate::Lost(error),
            // It was there a moment ago: somebody else has deleted it.
            Sent::Refused(failure) if failure.exit == Exit::NotFound && self.act.is_delete() => {
                Fate::Taken
            }
            Sent::Refused(failure) => {
                reporter.failure(&failure);
                self.resumes.borrow_mut().pop();
                self.set_last_words();
                Fate::Over(failure.exit)
            }
        };
        // Between the look-up and the baseline it has gone.
        if one.baseline.is_none() && !matches!(one.fate, Fate::Over(_)) {
            one.fate = Fate::Over(if self.act.is_delete() {
                Exit::Reached
            } else {
                reporter.failure(&reading::no_stack(name));
                Exit::NotFound
            });
        }
        one
    }

    /// Looks for proof of what became of a request whose answer was lost.
    fn settle_lost(&self, one: &mut One<'_>) {
        let (Fate::Lost(error), Some(stack), Some(baseline)) =
            (&one.fate, &one.stack, &one.baseline)
        else {
            return;
        };
        let label = stack.label();
        let act = self.act;
        let proof = lost::prove(
            self.stage,
            self.deadline,
            &label,
            &lost::said(error),
            &mut |budget| {
                if act.may_do_nothing(&baseline.stack) {
                    let status = baseline.stack.status_text();
                    return Ok(Looked::Proof(format!("{status} already")));
                }
                let claims = |status: Status, reason: &str| act.claims(status, reason);
                match baseline.look_for(self.client, stack, &claims, budget)? {
                    Looked::Nothing(seen) if seen == "the stack is gone" && act.is_delete() => {
                        Ok(Looked::Proof("gone".to_owned()))
                    }
                    looked => Ok(looked),
                }
            },
        );
        one.fate = match proof {
            Ok(status) => {
                let text = format!("{label} is {status}: the request was taken; waiting goes on");
                self.stage.reporter.note(&text);
                Fate::Taken
            }
            Err(failure) => {
                let hint = format!(
                    "look with: {}",
                    self.stage.command(["stack", "event", "list", &stack.id])
                );
                self.stage.reporter.failure(&failure.hint(hint));
                Fate::Over(Exit::Unknown)
            }
        };
    }

    /// Waits for all that were taken, and tells of all.
    fn wait(&self, ones: Vec<One<'_>>) -> Vec<Ended> {
        let several = ones.len() > 1;
        let mut tracked = Vec::new();
        let mut judges: StackJudges = Vec::new();
        let mut resumes = Vec::new();
        for one in &ones {
            let (Fate::Taken, Some(stack), Some(baseline)) = (&one.fate, &one.stack, &one.baseline)
            else {
                continue;
            };
            judges.push(self.act.judge(baseline, self.stage));
            resumes.push(self.resume(stack, baseline));
            let found = Resolved {
                stack: stack.clone(),
                seen: Some(baseline.stack.clone()),
            };
            tracked.push(Tracked::new(
                one.name,
                Some(found),
                baseline.since(),
                self.waiting.nested_depth,
            ));
        }
        let mut told = Vec::new();
        if !tracked.is_empty() {
            let mut watch = Watch::new(self.client, self.stage.reporter, self.act.goal(), tracked);
            let following = Following {
                deadline: self.deadline,
                quorum: Quorum::All,
                resume: &resumes.join("; "),
                awaited: None,
            };
            let ends = follow(&following, self.stage, &mut judges, &mut watch);
            let telling = Telling {
                client: self.client,
                deadline: self.deadline,
                several,
                taken: true,
            };
            told = report::tell(&telling, self.stage, &watch, &ends);
            for (_, resume) in told.iter().zip(&resumes).filter(|(one, _)| one.open) {
                self.stage
                    .reporter
                    .hint(&format!("go on waiting with: {resume}"));
            }
        }
        let mut told = told.into_iter();
        ones.into_iter()
            .filter_map(|one| match one.fate {
                Fate::Taken => told.next(),
                Fate::Lost(_) => Some(ended(one, Exit::Unknown)),
                Fate::Over(exit) => Some(ended(one, exit)),
            })
            .collect()
    }

    /// For `--no-wait`: the stacks as they are now.
    fn show_as_it_is(&self, ones: Vec<One<'_>>) -> Vec<Ended> {
        let shown = ones.into_iter().map(|mut one| {
            let exit = match one.fate {
                Fate::Taken => Exit::Reached,
                Fate::Lost(_) => Exit::Unknown,
                Fate::Over(exit) => exit,
            };
            if let (Exit::Reached, Some(stack), false) = (exit, &one.stack, self.act.is_delete()) {
                let now = self.ask(&stack.label(), &mut |left| self.client.stack(stack, left));
                one.seen = now.ok().flatten().or(one.seen);
            }
            ended(one, exit)
        });
        shown.collect()
    }

    /// The command that goes on with the wait for one stack.
    fn resume(&self, stack: &StackRef, baseline: &Baseline) -> String {
        let goal = self.act.awaited(baseline).word();
        let mut words = vec!["stack", "wait", &stack.id, "--for", &goal];
        // Where nothing new may ever come, and for a delete, the state itself tells.
        let since = baseline
            .since()
            .filter(|_| !self.act.is_delete() && !self.act.may_do_nothing(&baseline.stack));
        if let Some(event) = since {
            words.extend(["--since", event]);
        }
        self.stage.command(words)
    }

    /// What was sent goes on.
    fn set_last_words(&self) {
        let resumes = self.resumes.borrow();
        if resumes.is_empty() {
            self.stage.set_last_words("nothing was changed", None);
        } else {
            let resume = resumes.join("; ");
            self.stage
                .set_last_words("what was asked for goes on", Some(&resume));
        }
    }

    fn ask<T>(
        &self,
        what: &str,
        ask: &mut dyn FnMut(Option<Duration>) -> Result<T, Fault<Error>>,
    ) -> Result<T, Failure> {
        let policy = self.stage.retries(self.deadline);
        engine::persist(&policy, self.stage.clock, self.stage.reporter, what, ask)
    }
}

fn ended(one: One<'_>, exit: Exit) -> Ended {
    Ended {
        name: one.name.to_owned(),
        stack: one.seen,
        exit,
        open: false,
    }
}
