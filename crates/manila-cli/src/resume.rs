//! The command to go on with.

use wait_cli::run::Stage;

use crate::args::WaitArgs;
use crate::goal::Goal;
use crate::kind::Kind;

fn command(kind: &Kind) -> Vec<String> {
    let words = kind.command.iter().chain(&["wait"]);
    words.map(|word| (*word).to_owned()).collect()
}

/// The command that goes on waiting for the same.
pub struct Resume {
    /// The resources as the user named them.
    pub ids: Vec<String>,
    command: Vec<String>,
    options: Vec<String>,
    /// For those that were not seen yet.
    appear: Option<String>,
}

impl Resume {
    /// From what was asked for.
    pub fn new(kind: &Kind, args: &WaitArgs, goal: &Goal) -> Self {
        let mut options = Vec::new();
        let mut option =
            |name: &str, value: &str| options.extend([name.to_owned(), value.to_owned()]);
        for word in goal.for_words() {
            option("--for", &word);
        }
        for (name, value) in &goal.and {
            option("--and", &format!("{name}={value}"));
        }
        if let Some(span) = &args.tolerate_error {
            option("--tolerate-error", span);
        }
        if let Some(share) = &args.share {
            option("--share", share);
        }
        if args.any {
            options.push("--any".to_owned());
        }
        Self {
            ids: args.ids.clone(),
            command: command(kind),
            options,
            appear: args.appear.as_ref().map(|span| format!("--appear={span}")),
        }
    }

    /// From what an operation waits for; `share` is that of access rules, where it must be named.
    pub fn of_goal(
        goal: &Goal,
        ids: Vec<String>,
        share: Option<&str>,
        tolerate: Option<&str>,
    ) -> Self {
        let mut options: Vec<String> = Vec::new();
        let mut option =
            |name: &str, value: &str| options.extend([name.to_owned(), value.to_owned()]);
        for word in goal.for_words() {
            option("--for", &word);
        }
        for (name, value) in &goal.and {
            option("--and", &format!("{name}={value}"));
        }
        for (name, value) in [("--tolerate-error", tolerate), ("--share", share)] {
            if let Some(value) = value {
                option(name, value);
            }
        }
        Self {
            ids,
            command: command(goal.kind),
            options,
            appear: None,
        }
    }

    /// The command, ready to be pasted, for the resources that are named; `missing`: one of them was not seen yet.
    pub fn command(&self, stage: &Stage<'_>, ids: &[String], missing: bool) -> String {
        let appear = self.appear.iter().filter(|_| missing);
        let words = self.command.iter().chain(ids).chain(&self.options);
        stage.command(words.chain(appear))
    }
}
