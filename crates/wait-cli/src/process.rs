//! What `main` of both programs does: the real outside, signals, and the end of the process.

use std::io::{IsTerminal as _, Write as _};
use std::os::fd::AsFd;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use os_identity::Files;
use poll_core::{Clock as _, SystemClock};

use crate::{Exit, Host, LastWords, Program, Screen, Terminal, interrupt};

/// How a run of the library ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// With this code.
    Exit(Exit),
    /// With this code, but the reader of the result went away.
    ReaderGone(Exit),
}

/// What the usual main thread has, and no limit (`ulimit -s`) takes away.
const STACK: usize = 8 * 1024 * 1024;

/// How long a panic waits for its line to be read.
const SAID_WITHIN: Duration = Duration::from_secs(1);

/// Runs a program on the real outside.
pub fn main(program: &Program, run: fn(&mut Host<'_>) -> End) -> ExitCode {
    panic_hook(program);
    dump_no_core();
    let go = || outside(program, run);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        match thread.spawn_scoped(scope, go) {
            // A panic has ended the process.
            Ok(thread) => thread
                .join()
                .unwrap_or(ExitCode::from(Exit::Internal.code())),
            Err(_) => go(),
        }
    })
}

fn outside(program: &Program, run: fn(&mut Host<'_>) -> End) -> ExitCode {
    let clock = SystemClock::new();
    let last_words = LastWords::default();
    last_words.set(format!("{}: interrupted; nothing was sent\n", program.name));
    if let Err(error) = interrupt::listen(last_words.clone()) {
        let _ = writeln!(
            std::io::stderr(),
            "{}: cannot listen for signals: {error}",
            program.name
        );
    }
    let stdin = std::io::stdin();
    let (out, err) = (std::io::stdout(), std::io::stderr());
    let terminal = Terminal {
        stdin: stdin.is_terminal(),
        stdout: out.is_terminal(),
        stderr: err.is_terminal(),
        columns: size(&out)
            .or_else(|| size(&err))
            .map(|(columns, _)| columns),
    };
    let resumed = interrupt::resumed();
    let screen = || screen(resumed.swap(false, Ordering::Relaxed));
    let mut host = Host {
        args: args(),
        env: env(),
        cwd: cwd(),
        stdin: &mut stdin.lock(),
        out: &mut out.lock(),
        err: &mut err.lock(),
        files: &Disk,
        clock: &clock,
        wall: &wall,
        terminal,
        screen: &screen,
        seed: seed(&clock),
        last_words,
    };
    match run(&mut host) {
        End::Exit(exit) => ExitCode::from(exit.code()),
        End::ReaderGone(exit) => {
            interrupt::die_of_closed_pipe();
            ExitCode::from(exit.code())
        }
    }
}

/// Columns and rows of a terminal. `None`: it is no terminal, or does not say.
fn size(stream: &impl AsFd) -> Option<(usize, usize)> {
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    let (columns, rows) = (usize::from(size.ws_col), usize::from(size.ws_row));
    (columns > 0).then_some((columns, rows))
}

fn screen(resumed: bool) -> Screen {
    let err = std::io::stderr();
    let size = size(&err);
    // A terminal that does not control us has no jobs.
    let holder = rustix::termios::tcgetpgrp(&err).ok();
    Screen {
        columns: size.map(|(columns, _)| columns),
        rows: size.map(|(_, rows)| rows).filter(|rows| *rows > 0),
        background: holder.is_some_and(|holder| holder != rustix::process::getpgrp()),
        resumed,
    }
}

struct Disk;

impl Files for Disk {
    fn read(&self, path: &std::path::Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn canonical(&self, path: &std::path::Path) -> std::io::Result<std::path::PathBuf> {
        std::fs::canonicalize(path)
    }
}

/// A core would hold the password and the token, and nothing is to be written. What cannot be limited stays as it is.
fn dump_no_core() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let maximum = getrlimit(Resource::Core).maximum;
    let _ = setrlimit(
        Resource::Core,
        Rlimit {
            current: Some(0),
            maximum,
        },
    );
}

/// A panic is a bug of ours: it says so, and ends with its own code rather than with one that means something else.
#[expect(
    clippy::disallowed_methods,
    clippy::exit,
    reason = "a panic in any thread ends the process"
)]
fn panic_hook(program: &Program) {
    let (name, version) = (program.name, program.version);
    std::panic::set_hook(Box::new(move |info| {
        let place = info
            .location()
            .map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
        // Not the panic's own text: it may hold what a server sent. Not through std's lock: another thread may hold it.
        let words = format!(
            "{name}: internal error{place} (version {version}); what was asked for may go on\n\
             hint: please report this line\n"
        );
        interrupt::say(words, SAID_WITHIN);
        std::process::exit(i32::from(Exit::Internal.code()));
    }));
}

#[expect(clippy::disallowed_methods, reason = "this makes the Host")]
fn args() -> Vec<std::ffi::OsString> {
    std::env::args_os().collect()
}

#[expect(clippy::disallowed_methods, reason = "this makes the Host")]
fn env() -> std::collections::BTreeMap<String, String> {
    let mut env = std::collections::BTreeMap::new();
    for (name, value) in std::env::vars_os() {
        if let (Ok(name), Ok(value)) = (name.into_string(), value.into_string()) {
            env.insert(name, value);
        }
    }
    env
}

#[expect(clippy::disallowed_methods, reason = "this makes the Host")]
fn cwd() -> std::path::PathBuf {
    std::env::current_dir().unwrap_or_default()
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the time of day"
)]
fn wall() -> SystemTime {
    SystemTime::now()
}

/// Differs between processes that start together.
fn seed(clock: &SystemClock) -> u64 {
    let nanos = wall()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_nanos());
    let nanos = u64::try_from(nanos & u128::from(u64::MAX)).unwrap_or(0);
    nanos
        ^ u64::from(std::process::id()).rotate_left(40)
        ^ u64::try_from(clock.now().as_nanos()).unwrap_or(0)
}
