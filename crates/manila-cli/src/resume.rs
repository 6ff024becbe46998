//! The command to go on with.

use wait_cli::run::Stage;

use crate::args::WaitArgs;
use crate::goal::Goal;
use crate::kind::Kind;

/// The command that goes on waiting for the same.
pub struct Resume {
    /// The resources as the user named them.
    pub ids: Vec<String>,
    command: Vec<String>,
    options: Vec<String>,
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
        let command = kind
            .command
            .iter()
            .map(|word| (*word).to_owned())
            .chain(["wait".to_owned()])
            .collect();
        Self {
            ids: args.ids.clone(),
            command,
            options,
        }
    }

    /// The command, ready to be pasted, for the resources that are named.
    pub fn command(&self, stage: &Stage<'_>, ids: &[String]) -> String {
        let words = self.command.iter().chain(ids).chain(&self.options);
        stage.command(words)
    }
}
