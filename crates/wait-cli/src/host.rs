//! The only door to the outside: everything that a run reads or writes comes in here.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use os_identity::Files;
use poll_core::Clock;

/// The outside of one run.
pub struct Host<'a> {
    /// The arguments, the program's name first.
    pub args: Vec<OsString>,
    /// The environment. A variable that is no UTF-8 is not in it.
    pub env: BTreeMap<String, String>,
    /// The current folder.
    pub cwd: PathBuf,
    /// Standard input.
    pub stdin: &'a mut dyn Read,
    /// Where the result goes.
    pub out: &'a mut dyn Write,
    /// Where everything else goes.
    pub err: &'a mut dyn Write,
    /// Reads files.
    pub files: &'a dyn Files,
    /// Monotonic time, and pauses.
    pub clock: &'a dyn Clock,
    /// The time of day, for what is shown. Nothing is decided by it.
    pub wall: &'a dyn Fn() -> SystemTime,
    /// What the three streams are.
    pub terminal: Terminal,
    /// Tells how the terminal is that standard error goes to, now.
    pub screen: &'a dyn Fn() -> Screen,
    /// Seeds the jitter of pauses.
    pub seed: u64,
    /// What is said when a signal ends the process.
    pub last_words: LastWords,
}

/// What the standard streams are.
#[derive(Debug, Clone, Copy, Default)]
pub struct Terminal {
    /// Standard input is a terminal.
    pub stdin: bool,
    /// Standard output is a terminal.
    pub stdout: bool,
    /// Standard error is a terminal.
    pub stderr: bool,
    /// The width of the terminal, in columns.
    pub columns: Option<usize>,
}

/// The terminal of standard error, as it is at one moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Screen {
    /// Its width. `None`: it does not say.
    pub columns: Option<usize>,
    /// Its height. `None`: it does not say.
    pub rows: Option<usize>,
    /// Somebody else has it: this process is a background job of its shell.
    pub background: bool,
    /// This process was stopped and goes on, since this was asked last: others may have written meanwhile.
    pub resumed: bool,
}

/// The one slot that the main thread shares with the thread that hears signals: what to say when one ends the process,
/// and whether an interrupt from the keyboard is how a command is meant to end.
#[derive(Debug, Clone, Default)]
pub struct LastWords(Arc<Mutex<Words>>);

#[derive(Debug, Clone, Default)]
struct Words {
    /// What takes away what stands half-written on stderr.
    before: String,
    text: String,
    ends_on_interrupt: bool,
}

impl LastWords {
    /// Replaces the words.
    pub fn set(&self, words: String) {
        self.lock().text = words;
    }

    /// Replaces what is written in front of them: what ends a block of lines, or a group of a log.
    pub fn set_before(&self, before: String) {
        self.lock().before = before;
    }

    /// What is written in front of them, as it is now.
    #[must_use]
    pub fn before(&self) -> String {
        self.lock().before.clone()
    }

    /// The words as they are now. Nothing, if there are none.
    #[must_use]
    pub fn current(&self) -> String {
        let words = self.lock();
        if words.text.is_empty() {
            return String::new();
        }
        format!("{}{}", words.before, words.text)
    }

    /// From now on SIGINT ends the process quietly with exit 0: for commands that go on until they are told to stop.
    pub fn end_on_interrupt(&self) {
        self.lock().ends_on_interrupt = true;
    }

    /// Whether SIGINT is how the command is meant to end.
    #[must_use]
    pub fn ends_on_interrupt(&self) -> bool {
        self.lock().ends_on_interrupt
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Words> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
