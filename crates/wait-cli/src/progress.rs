//! The reporter: the only writer of progress. It is told what happens and steers nothing.

mod block;
mod ci;
mod form;
mod paint;
mod writing;

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::Write;
use std::time::{Duration, SystemTime};

use poll_core::Clock;
use serde_json::{Map, Value, json};

use crate::options::{Messages, ProgressForm};
use crate::{Failure, LastWords, Program, Screen, duration, printable, time};
use block::Running;
pub use ci::Ci;
use ci::Group;
use form::Form;
use paint::Drawn;

/// How long nothing may happen before it is said that things still go on.
const HEARTBEAT: Duration = Duration::from_secs(60);
/// Clears what the terminal itself wrote of a key, such as `^C`.
const FRESH_LINE: &str = "\r\x1b[K";
const RED: &str = "\x1b[31m";
const YELLOW: &str = "\x1b[33m";

/// One line of progress, in words that belong to no service.
#[derive(Debug, Clone, Copy)]
pub struct Line<'l> {
    /// What it is.
    pub kind: LineKind,
    /// The service's own time in any notation, or `None` if it gave none.
    pub time: Option<&'l str>,
    /// The id of the event, or of the resource.
    pub id: &'l str,
    /// Where: names from the outside in, joined by dots.
    pub path: &'l str,
    /// The status as the service wrote it.
    pub status: &'l str,
    /// Why, or nothing.
    pub reason: &'l str,
    /// Whether this status is a beginning whose end is still to come.
    pub runs: bool,
}

/// What a line tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// Something that the service recorded.
    Event,
    /// A change of status that we saw.
    Status,
}

/// One of the resources that are waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    /// How messages call it: `stack web (ID)`.
    pub label: String,
    /// Its name alone, with which the paths of what goes on inside it begin.
    pub name: String,
    /// Its status when last seen; empty: not yet.
    pub status: String,
    /// Its verdict is known.
    pub done: bool,
}

/// Writes progress to stderr, in one of four forms. All methods take `&self`: the session's notices and the engine's
/// events come in side by side.
pub struct Reporter<'a> {
    program: &'static str,
    form: Form,
    quiet: bool,
    colour: bool,
    ci: Ci,
    clock: &'a dyn Clock,
    wall: &'a dyn Fn() -> SystemTime,
    screen: &'a dyn Fn() -> Screen,
    last_words: LastWords,
    state: RefCell<State<'a>>,
}

struct State<'a> {
    err: &'a mut dyn Write,
    /// The block that stands on the terminal.
    drawn: Drawn,
    group: Folding,
    last_said: Duration,
    last_event: Duration,
    watched: Vec<(Watched, Duration)>,
    running: Running,
    /// How much inside of what is watched has begun and ended.
    finished: usize,
    /// On the clock: when the wait began, and its deadline. Known from the first tick on.
    span: Option<(Duration, Option<Duration>)>,
}

/// A part of a CI log that can be folded.
enum Folding {
    None,
    /// It begins with the next line, and is called this.
    Due(String),
    Open(Group),
}

impl<'a> Reporter<'a> {
    /// The reporter of a run.
    pub fn new(program: &Program, messages: Messages, parts: ReporterParts<'a>) -> Self {
        let form = match messages.progress {
            ProgressForm::Json => Form::Json,
            ProgressForm::None => Form::None,
            ProgressForm::Auto if parts.live && !messages.quiet => Form::Live,
            ProgressForm::Auto | ProgressForm::Plain => Form::Plain,
        };
        let now = parts.clock.now();
        if form == Form::Live {
            parts.last_words.set_before(FRESH_LINE.to_owned());
        }
        Self {
            program: program.name,
            form,
            quiet: messages.quiet,
            colour: parts.colour && form == Form::Live,
            ci: parts.ci,
            clock: parts.clock,
            wall: parts.wall,
            screen: parts.screen,
            last_words: parts.last_words,
            state: RefCell::new(State {
                err: parts.err,
                drawn: Drawn::default(),
                group: Folding::None,
                last_said: now,
                last_event: now,
                watched: Vec::new(),
                running: Running::new(),
                finished: 0,
                span: None,
            }),
        }
    }

    /// Says which resources are waited for, in the order of the engine's indices. Said again, ages go on.
    pub fn watching(&self, watched: Vec<Watched>) {
        let now = self.clock.now();
        let mut state = self.state.borrow_mut();
        if self.form == Form::Plain && !self.quiet && matches!(state.group, Folding::None) {
            state.group = Folding::Due(match watched.as_slice() {
                [one] => one.label.clone(),
                several => format!("{} resources", several.len()),
            });
        }
        if state.watched.is_empty() {
            // Times were those of the steps before.
            state.span = None;
        }
        let mut known = std::mem::take(&mut state.watched).into_iter();
        state.watched = watched
            .into_iter()
            .map(|one| match known.next() {
                Some((before, since)) if before.status == one.status => (one, since),
                _ => (one, now),
            })
            .collect();
    }

    /// The wait is over: what follows is its result.
    pub fn waited(&self) {
        self.close();
        let mut state = self.state.borrow_mut();
        state.span = None;
        state.watched.clear();
        state.running.clear();
        state.finished = 0;
    }

    /// A round of looks is over: what was said in it stands above the block again.
    pub fn pause(&self) {
        if self.form == Form::Live {
            self.draw();
        }
    }

    /// Notes the status of a resource, for the block and the heartbeat. Prints nothing.
    pub fn status(&self, index: usize, status: &str, done: bool) {
        if let Some((watched, since)) = self.state.borrow_mut().watched.get_mut(index) {
            watched.done = done;
            if watched.status != status {
                status.clone_into(&mut watched.status);
                *since = self.clock.now();
            }
        }
    }

    /// Prints one line of progress.
    pub fn line(&self, line: &Line<'_>) {
        let now = self.clock.now();
        {
            let mut state = self.state.borrow_mut();
            state.last_event = now;
            if line.runs {
                state
                    .running
                    .insert(line.path.to_owned(), (line.status.to_owned(), now));
            } else if state.running.remove(line.path).is_some()
                && self.form == Form::Live
                && !state.watched.iter().any(|(one, _)| one.name == line.path)
            {
                state.finished += 1;
            }
        }
        if self.quiet {
            return;
        }
        let kind = match line.kind {
            LineKind::Event => "event",
            LineKind::Status => "status",
        };
        match self.form {
            Form::Json => self.json(
                kind,
                json!({
                    "time": line.time.map(time::utc), "id": line.id, "path": line.path,
                    "status": line.status, "reason": line.reason,
                }),
            ),
            Form::Plain | Form::Live => self.plain(&form::log_line(line)),
            Form::None => {}
        }
    }

    /// Says that a look failed and will be repeated. `in_a_row` is zero for throttling. Where no look follows
    /// (`pause` is `None`), the end of the wait says it all.
    pub fn retry(&self, what: &str, error: &str, in_a_row: u32, pause: Option<Duration>) {
        let (Some(pause), false) = (pause, self.quiet) else {
            return;
        };
        match self.form {
            Form::Json => self.json(
                "retry",
                json!({
                    "what": what, "error": error, "in_a_row": in_a_row,
                    "pause": pause.as_secs_f64(),
                }),
            ),
            Form::Plain | Form::Live => {
                let next = duration::show(pause);
                self.say(&format!("{what}: {error}; again in {next}"));
            }
            Form::None => {}
        }
    }

    /// Says that a token was given out. Only in JSON: to a person it is nothing new.
    pub fn signed_in(&self, auth_url: &str, again: bool) {
        if self.form == Form::Json && !self.quiet {
            self.json("signin", json!({ "auth_url": auth_url, "again": again }));
        }
    }

    /// Says something worth knowing.
    pub fn note(&self, text: &str) {
        self.message("note", text, None);
    }

    /// Says something that the user should act on.
    pub fn warning(&self, text: &str) {
        self.message("warning", text, None);
    }

    /// Says what to do next.
    pub fn hint(&self, text: &str) {
        self.message("hint", text, None);
    }

    /// Says why a run ends. Printed in every form, quiet or not.
    pub fn failure(&self, failure: &Failure) {
        match self.form {
            Form::Json => self.json(
                "error",
                json!({ "text": failure.message, "hint": failure.hint, "exit": failure.exit.code() }),
            ),
            _ => {
                // What explains the end must not be folded away.
                self.end_group();
                let line = format!("{}: {}", self.program, printable::line(&failure.message));
                self.write(&self.ci.failure(&self.coloured(RED, line)));
                if let Some(hint) = &failure.hint {
                    self.plain(&format!("hint: {}", printable::line(hint)));
                }
            }
        }
    }

    /// Says how the wait for one resource ended, in JSON; `fields` are its own.
    pub fn result(&self, fields: Map<String, Value>) {
        if self.form == Form::Json {
            self.json("result", Value::Object(fields));
        }
    }

    /// A second of a pause has passed: redraws the block, or says after a long silence what still goes on.
    pub fn tick(&self, elapsed: Duration, left: Option<Duration>) {
        let now = self.clock.now();
        let silence = {
            let mut state = self.state.borrow_mut();
            let until = left.map(|left| now.saturating_add(left));
            state.span = Some((now.saturating_sub(elapsed), until));
            now.saturating_sub(state.last_said)
        };
        let is_shown = self.form == Form::Live && self.draw();
        if !is_shown && self.form != Form::None && !self.quiet && silence >= HEARTBEAT {
            self.heartbeat(now, elapsed, left);
        }
    }

    /// Text in which no command of a CI service is left.
    pub(crate) fn harmless<'l>(&self, line: &'l str) -> Cow<'l, str> {
        self.ci.harmless(line)
    }

    fn message(&self, kind: &str, text: &str, hint: Option<&str>) {
        if self.quiet {
            return;
        }
        match self.form {
            Form::Json => self.json(kind, json!({ "text": text, "hint": hint })),
            Form::None if kind != "warning" => {}
            _ if kind == "hint" => self.plain(&format!("hint: {}", printable::line(text))),
            _ if kind == "warning" => {
                let line = format!("{}: warning: {}", self.program, printable::line(text));
                self.plain(&self.coloured(YELLOW, line));
            }
            _ => self.say(text),
        }
    }

    fn heartbeat(&self, now: Duration, elapsed: Duration, left: Option<Duration>) {
        let (pending, running, silent) = {
            let state = self.state.borrow();
            let pending = state
                .watched
                .iter()
                .filter(|(one, _)| !one.done)
                .map(|(one, since)| {
                    (
                        one.label.clone(),
                        one.status.clone(),
                        now.saturating_sub(*since),
                    )
                });
            let running = state.running.iter().map(|(path, (status, since))| {
                (path.clone(), status.clone(), now.saturating_sub(*since))
            });
            (
                pending.collect::<Vec<_>>(),
                running.collect::<Vec<_>>(),
                now.saturating_sub(state.last_event),
            )
        };
        if self.form == Form::Json {
            let list = |items: &[(String, String, Duration)]| -> Value {
                items
                    .iter()
                    .map(|(name, status, age)| json!({ "name": name, "status": status, "age": age.as_secs() }))
                    .collect()
            };
            self.json(
                "heartbeat",
                json!({
                    "elapsed": elapsed.as_secs(), "left": left.map(|left| left.as_secs()),
                    "pending": list(&pending), "running": list(&running), "silent": silent.as_secs(),
                }),
            );
        } else {
            self.say(&form::heartbeat(&pending, &running, silent, left));
        }
    }
}

/// What a reporter is made of.
pub struct ReporterParts<'a> {
    /// Where it writes.
    pub err: &'a mut dyn Write,
    /// Ages and silences are measured by it.
    pub clock: &'a dyn Clock,
    /// The time in JSON lines.
    pub wall: &'a dyn Fn() -> SystemTime,
    /// `auto` means a live block of lines.
    pub live: bool,
    /// The block may be coloured.
    pub colour: bool,
    /// Which CI service reads the log.
    pub ci: Ci,
    /// Tells how the terminal is, now.
    pub screen: &'a dyn Fn() -> Screen,
    /// Where it is kept what takes the block away, if a signal ends the process.
    pub last_words: LastWords,
}

#[cfg(test)]
mod tests;
