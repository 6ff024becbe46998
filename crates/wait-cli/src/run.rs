//! One run, from arguments to the end: what both programs do around their commands.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::time::{Duration, SystemTime};

use clap::error::ErrorKind;
use os_identity::{Files, Session, Settings};
use poll_core::{Clock, Deadline, Policy};

use crate::argument::Given;
use crate::examples;
use crate::grammar::{Grammar, Line, Verb};
use crate::options::{Common, LIST_CLOUDS, Messages, Shape, Timing};
use crate::output::Layout;
use crate::process::End;
use crate::progress::{Ci, ReporterParts};
use crate::{
    Exit, Failure, Host, LastWords, Program, Reporter, Terminal, connect, hint, logging, near,
};

/// What a command works with.
pub struct Stage<'s> {
    /// Which program this is.
    pub program: &'s Program,
    /// The environment.
    pub env: &'s BTreeMap<String, String>,
    /// The streams.
    pub terminal: Terminal,
    /// Monotonic time.
    pub clock: &'s dyn Clock,
    /// The time of day, to be shown.
    pub wall: &'s dyn Fn() -> SystemTime,
    /// Reads files.
    pub files: &'s dyn Files,
    /// The current folder.
    pub cwd: &'s std::path::Path,
    /// Seeds jitter.
    pub seed: u64,
    /// What is said when a signal ends the process.
    pub last_words: LastWords,
    /// Writes progress.
    pub reporter: &'s Reporter<'s>,
    /// Standard input.
    pub stdin: &'s mut dyn Read,
    /// When the run began, on the clock.
    pub began: Duration,
    /// Timing as asked for.
    pub timing: Timing,
    common: Common,
    settings: Settings,
    out: &'s mut dyn Write,
    reader_gone: bool,
}

impl<'s> Stage<'s> {
    /// The layout of a result of this shape.
    ///
    /// # Errors
    /// A format that is none of this shape.
    pub fn layout(&self, shape: Shape) -> Result<Layout, Failure> {
        Layout::read(&self.common.given, shape, self.env, self.terminal)
    }

    /// The options of every command, as given.
    #[must_use]
    pub fn given(&self) -> &Given {
        &self.common.given
    }

    /// One setting as it was resolved, such as `share_api_version`.
    #[must_use]
    pub fn setting(&self, name: &str) -> Option<String> {
        self.settings.value(name).map(str::to_owned)
    }

    /// The deadline, where `default` holds if none was asked for.
    #[must_use]
    pub fn deadline(&self, default: Duration) -> Deadline {
        self.timing.deadline(self.began, default)
    }

    /// The policy of the steps before a wait.
    #[must_use]
    pub fn retries(&self, deadline: Deadline) -> Policy {
        // With --deadline 0 these steps are bounded by the request time-out.
        let deadline = if self.timing.looks_once() {
            Deadline::after(self.began, self.timing.request_timeout)
        } else {
            deadline
        };
        connect::retries(&self.timing, deadline, self.seed)
    }

    /// A session of the user. Nothing is sent yet.
    ///
    /// # Errors
    /// Settings, certificates and keys that cannot be used.
    pub fn session(&self, deadline: Deadline) -> Result<Session<'s>, Failure> {
        let door = connect::Door {
            clock: self.clock,
            files: self.files,
            seed: self.seed,
        };
        connect::session(
            self.program,
            self.settings.clone(),
            &self.timing,
            deadline,
            &door,
            self.reporter,
        )
    }

    /// A command line of this program with the connection options that were given, secrets apart, ready to be pasted.
    pub fn command<S: AsRef<str>>(&self, words: impl IntoIterator<Item = S>) -> String {
        let mut all = vec![self.program.name.to_owned()];
        all.extend(words.into_iter().map(|word| word.as_ref().to_owned()));
        all.extend(hint::connection(&self.common.connection.flags));
        hint::shell(all)
    }

    /// What is said when a signal ends the process: that `what` goes on, and the command that goes on waiting.
    pub fn set_last_words(&self, what: &str, hint: Option<&str>) {
        let what = crate::printable::line(what);
        let what = self.reporter.harmless(&what);
        let hint = hint.map_or_else(String::new, |hint| {
            format!("hint: go on waiting with: {hint}\n")
        });
        self.last_words.set(format!(
            "{}: interrupted; {what}\n{hint}",
            self.program.name
        ));
    }

    /// Writes the result. A reader who went away ends the program quietly, once it is over.
    ///
    /// # Errors
    /// A full disk and the like: the result is lost, and that is no success.
    pub fn print(&mut self, text: &str) -> Result<(), Failure> {
        self.reporter.close();
        match self
            .out
            .write_all(text.as_bytes())
            .and_then(|()| self.out.flush())
        {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
                self.reader_gone = true;
                Ok(())
            }
            Err(error) => Err(Failure::new(
                Exit::Unknown,
                format!("cannot write the result: {error}"),
            )),
        }
    }

    /// Whether nobody reads the result any more.
    #[must_use]
    pub fn reader_gone(&self) -> bool {
        self.reader_gone
    }
}

/// Parses the arguments, prepares everything a command needs without touching the network, and lets `act` do its work.
pub fn run<V: Verb>(
    grammar: &Grammar<V>,
    host: &mut Host<'_>,
    act: impl FnOnce(V, &Given, &mut Stage<'_>) -> Result<Exit, Failure>,
) -> End {
    let began = host.clock.now();
    let program = grammar.program;
    if matches!(host.args.as_slice(), [_, only] if only == LIST_CLOUDS) {
        return list_clouds(program, host);
    }
    let Line {
        verb,
        given,
        common,
    } = match grammar.parse(&host.args) {
        Ok(line) => line,
        Err(error) => return usage(grammar, host, &error),
    };
    let messages = Messages::read(&common.given);
    logging::start(messages.verbosity, &host.env);
    let settings = match connect::settings(&common.connection, host) {
        Ok(settings) if common.connection.show_config => return show_config(host, &settings),
        settings => settings,
    };
    let timing = Timing::read(&common.given, program, &host.env);
    let is_set = |name: &str| host.env.get(name).is_some_and(|text| !text.is_empty());
    let dumb = host.env.get("TERM").is_some_and(|term| term == "dumb");
    // Logs are written past the reporter.
    let logs = messages.verbosity > 0 || is_set("RUST_LOG");
    let parts = ReporterParts {
        err: host.err,
        clock: host.clock,
        wall: host.wall,
        live: host.terminal.stderr && !dumb && !logs,
        colour: !is_set("NO_COLOR"),
        ci: Ci::of(&host.env),
        screen: host.screen,
        last_words: host.last_words.clone(),
    };
    let reporter = Reporter::new(program, messages, parts);
    let (settings, timing) = match settings.and_then(|settings| Ok((settings, timing?))) {
        Ok(both) => both,
        Err(failure) => {
            reporter.failure(&failure);
            return End::Exit(failure.exit);
        }
    };
    let mut stage = Stage {
        program,
        env: &host.env,
        terminal: host.terminal,
        clock: host.clock,
        wall: host.wall,
        files: host.files,
        cwd: &host.cwd,
        seed: host.seed,
        last_words: host.last_words.clone(),
        reporter: &reporter,
        stdin: host.stdin,
        began,
        timing,
        common,
        settings,
        out: host.out,
        reader_gone: false,
    };
    let exit = match act(verb, &given, &mut stage) {
        Ok(exit) => exit,
        Err(failure) => {
            stage.reporter.failure(&failure);
            failure.exit
        }
    };
    stage.reporter.close();
    if stage.reader_gone {
        End::ReaderGone(exit)
    } else {
        End::Exit(exit)
    }
}

fn list_clouds(program: &Program, host: &mut Host<'_>) -> End {
    match connect::clouds(host) {
        Ok(names) => {
            let written = host.out.write_all(names.as_bytes());
            match written.and_then(|()| host.out.flush()) {
                Ok(()) => End::Exit(Exit::Reached),
                Err(_) => End::ReaderGone(Exit::Reached),
            }
        }
        Err(failure) => {
            let message = crate::printable::line(&failure.message);
            let _ = writeln!(host.err, "{}: {message}", program.name);
            End::Exit(failure.exit)
        }
    }
}

fn show_config(host: &mut Host<'_>, settings: &Settings) -> End {
    match connect::show_config(settings, host) {
        Ok(()) => End::Exit(Exit::Reached),
        Err(_) => End::ReaderGone(Exit::Reached),
    }
}

/// Help and version go to stdout; what is wrong, in one line, to stderr.
fn usage<V: Verb>(grammar: &Grammar<V>, host: &mut Host<'_>, error: &clap::Error) -> End {
    let program = grammar.program;
    let mut text = error.to_string();
    // A program alone answers with its help as well.
    let alone = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if alone || error.kind() == ErrorKind::DisplayHelp {
        text += &examples::under_help(grammar.examples, program.name, &host.args);
    }
    if !error.use_stderr() {
        let written = host
            .out
            .write_all(text.as_bytes())
            .and_then(|()| host.out.flush());
        return if written.is_ok() {
            End::Exit(Exit::Reached)
        } else {
            End::ReaderGone(Exit::Reached)
        };
    }
    let _ = if alone {
        host.err.write_all(text.as_bytes())
    } else {
        let (message, usage) = condense(&text);
        let meant = near::meant(&grammar.command(), &host.args, error);
        let meant = meant.map(|meant| format!("did you mean {meant}?"));
        let hint: Vec<String> = meant.into_iter().chain(usage).collect();
        let usage = match hint.as_slice() {
            [] => String::new(),
            parts => format!("hint: {}\n", parts.join(" ")),
        };
        write!(
            host.err,
            "{}: {}\n{usage}",
            program.name,
            crate::printable::line(&message)
        )
    };
    End::Exit(Exit::Usage)
}

/// The first paragraph of a message of clap as one line, and its usage.
fn condense(text: &str) -> (String, Option<String>) {
    let first = text.split("\n\n").next().unwrap_or_default();
    let message = first.strip_prefix("error: ").unwrap_or(first);
    let message = message.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let usage = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("Usage: "));
    (message, usage.map(|usage| format!("usage: {usage}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_of_the_parser_becomes_one_line_and_a_hint() {
        let text = "error: the following required arguments were not provided:\n  <STACK>...\n\nUsage: x wait <STACK>...\n\nFor more information, try '--help'.\n";
        let (message, usage) = condense(text);
        assert_eq!(
            message,
            "the following required arguments were not provided: <STACK>..."
        );
        assert_eq!(usage.as_deref(), Some("usage: x wait <STACK>..."));
    }
}
