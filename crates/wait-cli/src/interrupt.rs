//! Signals: a thread says the last words and ends the process, wherever the main thread is.

use std::io::Write as _;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGPIPE, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::LastWords;

/// Starts the thread that hears SIGINT, SIGTERM and SIGHUP. Those that the parent made ignored (`nohup`) stay ignored.
///
/// # Errors
/// When the system refuses to install the handlers.
pub fn listen(words: LastWords) -> std::io::Result<()> {
    let ignored = ignored_signals();
    let heard = [SIGINT, SIGTERM, SIGHUP]
        .into_iter()
        .filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new(heard)?;
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            if let Some(signal) = signals.forever().next() {
                if signal == SIGINT && words.ends_on_interrupt() {
                    say(words.before(), PATIENCE);
                    end();
                }
                say(words.current(), PATIENCE);
                die(signal);
            }
        })?;
    Ok(())
}

/// Is set whenever the process was stopped (Ctrl-Z) and goes on. Stopping itself is left to the system.
pub fn resumed() -> Arc<AtomicBool> {
    let resumed = Arc::new(AtomicBool::new(false));
    // Without it, what stands on the terminal is drawn over what others wrote there: ugly, and no more.
    let _ = signal_hook::flag::register(SIGCONT, Arc::clone(&resumed));
    resumed
}

/// How long a signal waits for its last words to be read.
const PATIENCE: Duration = Duration::from_millis(100);

/// Dies quietly, as programs do whose reader went away.
pub fn die_of_closed_pipe() {
    die(SIGPIPE);
}

/// Ends the process by the default action of `signal`, so that the parent sees a signal death. As process 1 of a
/// container the kernel ignores that: then the process exits with 128 + signal.
#[expect(
    clippy::disallowed_methods,
    clippy::exit,
    reason = "the signal thread ends the process"
)]
fn die(signal: i32) {
    if std::process::id() == 1 || emulate_default_handler(signal).is_err() {
        std::process::exit(128 + signal);
    }
}

/// Ends the process as one that did what it was asked for.
#[expect(
    clippy::disallowed_methods,
    clippy::exit,
    reason = "the signal thread ends the process"
)]
fn end() -> ! {
    std::process::exit(0);
}

/// Writes to stderr, from whatever thread, but waits no longer than `patience` for a reader who does not read.
pub(crate) fn say(words: String, patience: Duration) {
    if words.is_empty() {
        return;
    }
    let (done, wait) = mpsc::channel();
    let write = move || {
        // Not through std's lock on stderr: the main thread may hold it in a write that blocks.
        let written = std::fs::OpenOptions::new().append(true).open("/dev/fd/2");
        let _ = match written {
            Ok(mut err) => err.write_all(words.as_bytes()),
            // A socket or a closed descriptor cannot be opened again.
            Err(_) => std::io::stderr().write_all(words.as_bytes()),
        };
        let _ = done.send(());
    };
    let _ = std::thread::Builder::new().spawn(write);
    let _ = wait.recv_timeout(patience);
}

/// The signals that were ignored when the process began, as a bit mask (proc(5), `SigIgn`).
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}
