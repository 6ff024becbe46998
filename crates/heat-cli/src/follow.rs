//! Following stacks to their ends: the engine with progress, status and last words around it.

use os_identity::Error;
use poll_core::{Deadline, Event, Finished, Judge, Observation, Quorum, Verdict, wait_all};
use wait_cli::engine;
use wait_cli::progress::Watched;
use wait_cli::run::Stage;

use crate::goal::{Goal, Look, Why};
use crate::status::Status;
use crate::watch::{Tracked, Watch};

/// The last words are renewed at each change of status where so many stacks or fewer are waited for.
const WORDS_AT_ONCE: usize = 10;

/// How the wait for one stack ended.
pub(crate) type End = Finished<Look, Why, Error>;

/// One for each stack, in the order of the watch.
pub(crate) type StackJudges = Vec<Box<dyn Judge<Look, Why = Why>>>;

/// What a wait needs to know beside what it watches.
pub(crate) struct Following<'f> {
    pub(crate) deadline: Deadline,
    pub(crate) quorum: Quorum,
    /// The command that goes on with the wait.
    pub(crate) resume: &'f str,
    /// What is said to be waited for where a stack stands still at first; `None`: nothing.
    pub(crate) awaited: Option<Goal>,
}

/// How a stack stands that was never seen.
const NOT_THERE: &str = "not there";

/// Waits until each has its end, or the deadline has come.
pub(crate) fn follow(
    following: &Following<'_>,
    stage: &Stage<'_>,
    judges: &mut StackJudges,
    watch: &mut Watch<'_, '_>,
) -> Vec<End> {
    let reporter = stage.reporter;
    let labels: Vec<String> = watch.tracked().iter().map(Tracked::label).collect();
    reporter.watching(
        watch
            .tracked()
            .iter()
            .map(|one| Watched {
                label: one.label(),
                name: one
                    .stack()
                    .map_or(one.name(), |stack| stack.name.as_str())
                    .to_owned(),
                status: String::new(),
                done: false,
            })
            .collect(),
    );
    let resume = following.resume;
    let statuses = watch.tracked().iter().map(|one| one.last());
    let mut statuses: Vec<String> = statuses
        .map(|last| last.map_or_else(String::new, |stack| stack.status_text().to_owned()))
        .collect();
    stage.set_last_words(&going_on(&labels, &statuses), Some(resume));
    // Of thousands, most change in no round: what stands where it stood is not read and compared again.
    let mut stand: Vec<Option<Status>> = vec![None; labels.len()];
    let mut hinted = false;
    let mut stale = false;
    let mut on_event = |event: Event<'_, Look, Why, Error>| {
        if let Event::Seen {
            index,
            seen,
            verdict,
        } = &event
        {
            let done = !matches!(verdict, Verdict::Pending { .. });
            let stood = stand
                .get_mut(*index)
                .and_then(|slot| std::mem::replace(slot, stands(seen)));
            if done || stood.is_none() || stood != stands(seen) {
                let known = statuses.get(*index).map_or("", String::as_str);
                let status = match seen {
                    Observation::Present(look) => look.stack.status_text(),
                    Observation::Gone if matches!(known, "" | NOT_THERE) => NOT_THERE,
                    Observation::Gone => "gone",
                };
                reporter.status(*index, status, done);
                if let Some(slot) = statuses.get_mut(*index) {
                    if slot != status {
                        status.clone_into(slot);
                        // Of a few, at once; of many, when the round is over: the words name them all.
                        stale = labels.len() > WORDS_AT_ONCE;
                        if !stale {
                            stage.set_last_words(&going_on(&labels, &statuses), Some(resume));
                        }
                    }
                }
            }
            if let (Some(goal), Observation::Present(look), Verdict::Pending { .. }, false) =
                (following.awaited, seen, verdict, hinted)
            {
                hinted = true;
                say_what_is_waited_for(goal, look, labels.get(*index), stage);
            }
        }
        if matches!(event, Event::Pause(_)) && std::mem::take(&mut stale) {
            stage.set_last_words(&going_on(&labels, &statuses), Some(resume));
        }
        engine::report(reporter, &labels, &event);
    };
    let policy = stage.timing.policy(following.deadline, stage.seed);
    let ends = wait_all(
        &policy,
        stage.clock,
        judges,
        following.quorum,
        &mut |due, at| engine::forgiving(watch.round(due, at)),
        &mut on_event,
    );
    reporter.waited();
    if stale {
        stage.set_last_words(&going_on(&labels, &statuses), Some(resume));
    }
    ends
}

/// The status, where that says all that its text says.
fn stands(seen: &Observation<Look>) -> Option<Status> {
    let Observation::Present(look) = seen else {
        return None;
    };
    look.stack.status().filter(|status| status.action.is_some())
}

/// A stack that stands still where an action is waited for looks like a hang: it is said once.
fn say_what_is_waited_for(goal: Goal, look: &Look, label: Option<&String>, stage: &Stage<'_>) {
    let stands = look.stack.status().is_some_and(|status| !status.runs());
    let (Goal::Action(_) | Goal::Deleted, true, Some(label)) = (goal, stands, label) else {
        return;
    };
    stage.reporter.note(&format!(
        "{label} stands at {}; waiting for {} to begin",
        look.stack.status_text(),
        goal.word()
    ));
}

/// What the last words say of the stacks.
fn going_on(labels: &[String], statuses: &[String]) -> String {
    let shown: Vec<String> = labels
        .iter()
        .zip(statuses)
        .filter(|(_, status)| !status.is_empty())
        .take(3)
        .map(|(label, status)| format!("{label} is {status}"))
        .collect();
    let more = if labels.len() > shown.len() {
        ", …"
    } else {
        ""
    };
    if shown.is_empty() {
        return "what runs goes on".to_owned();
    }
    format!("{}{more}; what runs goes on", shown.join(", "))
}
