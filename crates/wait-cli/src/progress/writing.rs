//! How the reporter writes: lines above the block, and the block itself.

use serde_json::{Map, Value, json};

use super::block::{self, Facts};
use super::paint::Drawn;
use super::{FRESH_LINE, Folding, Reporter, State};
use crate::{printable, time};

impl Reporter<'_> {
    /// Takes away what stands half-written: what follows is not progress.
    pub fn close(&self) {
        self.end_group();
        let mut state = self.state.borrow_mut();
        let erased = self.erased(&mut state);
        if !erased.is_empty() {
            let _ = state.err.write_all(erased.as_bytes());
            let _ = state.err.flush();
        }
    }

    /// Whether the block stands on the terminal afterwards: not before the first second, and not in the background,
    /// where it would be drawn over what others write.
    pub(super) fn draw(&self) -> bool {
        let mut state = self.state.borrow_mut();
        let state = &mut *state;
        let screen = (self.screen)();
        if screen.resumed || screen.background {
            self.forget(state);
        }
        if screen.background {
            // Nor must last words touch the line that the shell has for its user.
            self.last_words.set_before(String::new());
        }
        let (Some((began, until)), false) = (state.span, screen.background) else {
            return false;
        };
        let now = self.clock.now();
        let facts = Facts {
            watched: &state.watched,
            running: &state.running,
            finished: state.finished,
            now,
            elapsed: now.saturating_sub(began),
            left: until.map(|until| until.saturating_sub(now)),
        };
        let columns = screen.columns.unwrap_or(80);
        let lines = block::lines(&facts, columns, screen.rows.unwrap_or(24));
        let text = state.drawn.replace(&lines, self.colour, columns);
        self.last_words.set_before(state.drawn.erase(columns));
        let _ = state.err.write_all(text.as_bytes());
        let _ = state.err.flush();
        true
    }

    /// What takes the block away; it is no longer there then.
    fn erased(&self, state: &mut State<'_>) -> String {
        if state.drawn.is_empty() {
            return String::new();
        }
        let screen = (self.screen)();
        if screen.resumed || screen.background {
            self.forget(state);
            return String::new();
        }
        let text = state.drawn.erase(screen.columns.unwrap_or(80));
        self.forget(state);
        text
    }

    /// What stands on the terminal is no longer ours to change.
    fn forget(&self, state: &mut State<'_>) {
        if !state.drawn.is_empty() {
            state.drawn = Drawn::default();
            self.last_words.set_before(FRESH_LINE.to_owned());
        }
    }

    /// Begins the group that is due, if the log has such a thing.
    fn begin_group(&self) {
        let mut state = self.state.borrow_mut();
        let Folding::Due(title) = &state.group else {
            return;
        };
        let title = format!("{}: {}", self.program, printable::line(title));
        state.group = match self.ci.group(self.program, &title, (self.wall)()) {
            Some(group) => {
                let _ = state.err.write_all(group.start.as_bytes());
                self.last_words.set_before(group.end.clone());
                Folding::Open(group)
            }
            None => Folding::None,
        };
    }

    pub(super) fn end_group(&self) {
        let mut state = self.state.borrow_mut();
        if let Folding::Open(group) = std::mem::replace(&mut state.group, Folding::None) {
            self.last_words.set_before(String::new());
            let _ = state.err.write_all(group.end.as_bytes());
            let _ = state.err.flush();
        }
    }

    pub(super) fn coloured(&self, colour: &str, line: String) -> String {
        if self.colour {
            format!("{colour}{line}\x1b[0m")
        } else {
            line
        }
    }

    /// A message of the program itself.
    pub(super) fn say(&self, text: &str) {
        self.plain(&format!("{}: {}", self.program, printable::line(text)));
    }

    /// A line whose control characters are harmless already, in a group of the log if one is due.
    pub(super) fn plain(&self, text: &str) {
        self.begin_group();
        self.write(&self.ci.harmless(text));
    }

    /// A line as it is, in one piece with what takes the block away. A reader who went away is no reason to stop waiting.
    pub(super) fn write(&self, text: &str) {
        let mut state = self.state.borrow_mut();
        state.last_said = self.clock.now();
        let erased = self.erased(&mut state);
        let _ = state.err.write_all(format!("{erased}{text}\n").as_bytes());
        let _ = state.err.flush();
    }

    pub(super) fn json(&self, kind: &str, fields: Value) {
        let mut object = Map::new();
        object.insert("schema".to_owned(), json!(1));
        object.insert("type".to_owned(), json!(kind));
        // The service's own time of an event stands for ours.
        object.insert("time".to_owned(), json!(time::iso((self.wall)())));
        if let Value::Object(fields) = fields {
            object.extend(fields);
        }
        let line = printable::json_line(&Value::Object(object)).unwrap_or_default();
        self.write(&self.ci.harmless_json(&line));
    }
}
