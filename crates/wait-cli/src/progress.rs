//! The reporter: the only writer of progress. It is told what happens and steers nothing.

mod form;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::time::{Duration, SystemTime};

use poll_core::Clock;
use serde_json::{Map, Value, json};

use crate::options::{MessageArgs, ProgressForm};
use crate::{Failure, Program, duration, printable, time};
use form::Form;

/// How long nothing may happen before it is said that things still go on.
const HEARTBEAT: Duration = Duration::from_secs(60);

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
    clock: &'a dyn Clock,
    wall: &'a dyn Fn() -> SystemTime,
    state: RefCell<State<'a>>,
}

struct State<'a> {
    err: &'a mut dyn Write,
    /// A status line stands on the terminal.
    drawn: bool,
    columns: Option<usize>,
    last_said: Duration,
    last_event: Duration,
    watched: Vec<(Watched, Duration)>,
    /// What has begun and not ended, by path: status and since when.
    running: BTreeMap<String, (String, Duration)>,
}

impl<'a> Reporter<'a> {
    /// The reporter of a run.
    pub fn new(program: &Program, messages: &MessageArgs, parts: ReporterParts<'a>) -> Self {
        let form = match messages.progress.unwrap_or(ProgressForm::Auto) {
            ProgressForm::Json => Form::Json,
            ProgressForm::None => Form::None,
            ProgressForm::Auto if parts.live && !messages.quiet => Form::Live,
            ProgressForm::Auto | ProgressForm::Plain => Form::Plain,
        };
        let now = parts.clock.now();
        Self {
            program: program.name,
            form,
            quiet: messages.quiet,
            clock: parts.clock,
            wall: parts.wall,
            state: RefCell::new(State {
                err: parts.err,
                drawn: false,
                columns: parts.columns,
                last_said: now,
                last_event: now,
                watched: Vec::new(),
                running: BTreeMap::new(),
            }),
        }
    }

    /// Whether a status line may stand on the terminal.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.form == Form::Live
    }

    /// Says which resources are waited for, in the order of the engine's indices.
    pub fn watching(&self, watched: Vec<Watched>) {
        let now = self.clock.now();
        self.state.borrow_mut().watched = watched.into_iter().map(|one| (one, now)).collect();
    }

    /// Notes the status of a resource, for the status line and the heartbeat. Prints nothing.
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
            } else {
                state.running.remove(line.path);
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
                self.say(&failure.message);
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

    /// A second of a pause has passed: redraws the status line, or says after a long silence what still goes on.
    pub fn tick(&self, elapsed: Duration, left: Option<Duration>) {
        let now = self.clock.now();
        let silence = now.saturating_sub(self.state.borrow().last_said);
        match self.form {
            Form::Live => self.draw(elapsed, left),
            Form::Plain | Form::Json if !self.quiet && silence >= HEARTBEAT => {
                self.heartbeat(now, elapsed, left);
            }
            _ => {}
        }
    }

    /// Takes the status line away: what follows is not progress.
    pub fn close(&self) {
        self.erase();
    }

    fn message(&self, kind: &str, text: &str, hint: Option<&str>) {
        if self.quiet && kind != "warning" {
            return;
        }
        match self.form {
            Form::Json => self.json(kind, json!({ "text": text, "hint": hint })),
            Form::None if kind != "warning" => {}
            _ if kind == "hint" => self.plain(&format!("hint: {}", printable::line(text))),
            _ if kind == "warning" => self.say(&format!("warning: {text}")),
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

    fn draw(&self, elapsed: Duration, left: Option<Duration>) {
        let text = {
            let state = self.state.borrow();
            let pending: Vec<_> = state
                .watched
                .iter()
                .filter(|(one, _)| !one.done)
                .map(|(one, _)| one)
                .collect();
            form::status_line(
                &pending,
                state.watched.len(),
                elapsed,
                left,
                state.columns.unwrap_or(80),
            )
        };
        let mut state = self.state.borrow_mut();
        state.drawn = true;
        let _ = write!(state.err, "\r\x1b[K{text}");
        let _ = state.err.flush();
    }

    fn erase(&self) {
        let mut state = self.state.borrow_mut();
        if std::mem::take(&mut state.drawn) {
            let _ = write!(state.err, "\r\x1b[K");
            let _ = state.err.flush();
        }
    }

    /// A message of the program itself.
    fn say(&self, text: &str) {
        self.plain(&format!("{}: {}", self.program, printable::line(text)));
    }

    /// A line whose control characters are harmless already. A reader who went away is no reason to stop waiting.
    fn plain(&self, text: &str) {
        self.erase();
        let now = self.clock.now();
        let mut state = self.state.borrow_mut();
        state.last_said = now;
        let _ = writeln!(state.err, "{text}");
        let _ = state.err.flush();
    }

    fn json(&self, kind: &str, fields: Value) {
        let mut object = Map::new();
        object.insert("schema".to_owned(), json!(1));
        object.insert("type".to_owned(), json!(kind));
        // The service's own time of an event stands for ours.
        object.insert("time".to_owned(), json!(time::iso((self.wall)())));
        if let Value::Object(fields) = fields {
            object.extend(fields);
        }
        self.plain(&printable::json_line(&Value::Object(object)).unwrap_or_default());
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
    /// `auto` means a live status line.
    pub live: bool,
    /// The width of the terminal.
    pub columns: Option<usize>,
}

#[cfg(test)]
mod tests;
