//! A program's library against the simulated cloud, in this process and in virtual time.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use os_identity::Files;
use poll_core::{Clock as _, FakeClock};
use sim_cloud::{Cloud, Config, Seen, Time};
use wait_cli::process::End;
use wait_cli::{Host, LastWords, Screen, Terminal};

/// A cloud in virtual time and a user of it. Derefs to the cloud.
pub(crate) struct World {
    program: (&'static str, fn(&mut Host<'_>) -> End),
    cloud: Cloud,
    clock: Arc<FakeClock>,
    /// The user's environment: `OS_*` of the cloud's ordinary user.
    pub(crate) env: BTreeMap<String, String>,
    /// Files by their paths.
    pub(crate) files: BTreeMap<PathBuf, Vec<u8>>,
    pub(crate) terminal: Terminal,
    /// The terminal of standard error.
    pub(crate) screen: Screen,
    /// What is typed.
    pub(crate) stdin: Vec<u8>,
    pub(crate) seed: u64,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) exit: u8,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// What the cloud was asked by this run.
    pub(crate) requests: Vec<Seen>,
    /// Virtual time.
    pub(crate) elapsed: Duration,
    /// What a signal would have made it say at its end.
    pub(crate) last_words: String,
}

impl World {
    /// A cloud set up like this, for the program of that name.
    pub(crate) fn new(
        name: &'static str,
        run: fn(&mut Host<'_>) -> End,
        set_up: impl FnOnce(&mut Config),
    ) -> Self {
        let clock = Arc::new(FakeClock::new());
        let mut config = Config::new(Time::fake(clock.clone()));
        set_up(&mut config);
        let cloud = Cloud::start(config).unwrap();
        Self {
            program: (name, run),
            env: cloud.env(),
            cloud,
            clock,
            files: BTreeMap::new(),
            terminal: Terminal::default(),
            screen: Screen::default(),
            stdin: Vec::new(),
            seed: 7,
        }
    }

    /// Lets virtual time pass.
    pub(crate) fn advance(&self, by: Duration) {
        self.clock.advance(by);
    }

    /// Runs the program with these words, split at blanks.
    pub(crate) fn run(&self, words: &str) -> Ended {
        self.run_words(&words.split_whitespace().collect::<Vec<_>>())
    }

    /// Runs the program with these arguments.
    pub(crate) fn run_words(&self, words: &[&str]) -> Ended {
        let mut out = Vec::new();
        let (exit, mut ended) = self.run_into(words, &mut out);
        ended.stdout = String::from_utf8(out).unwrap();
        assert!(
            matches!(exit, End::Exit(_)),
            "nobody closed standard output: {ended}"
        );
        ended
    }

    /// Runs the program with standard output going there.
    pub(crate) fn run_into(&self, words: &[&str], out: &mut dyn Write) -> (End, Ended) {
        let mut err = Vec::new();
        let (asked, began) = (self.cloud.requests().len(), self.clock.now());
        let last_words = LastWords::default();
        let wall =
            || SystemTime::UNIX_EPOCH + Duration::from_secs(1_930_384_800) + self.clock.now();
        let mut host = Host {
            args: std::iter::once(self.program.0)
                .chain(words.iter().copied())
                .map(OsString::from)
                .collect(),
            env: self.env.clone(),
            cwd: PathBuf::from("/somewhere"),
            stdin: &mut self.stdin.as_slice(),
            out,
            err: &mut err,
            files: &Held(&self.files),
            clock: &*self.cloud.clock(),
            wall: &wall,
            terminal: self.terminal,
            screen: &|| self.screen,
            seed: self.seed,
            last_words: last_words.clone(),
        };
        let end = (self.program.1)(&mut host);
        let (End::Exit(exit) | End::ReaderGone(exit)) = end;
        let ended = Ended {
            exit: exit.code(),
            stdout: String::new(),
            stderr: String::from_utf8(err).unwrap(),
            requests: self.cloud.requests().split_off(asked),
            elapsed: self.clock.now() - began,
            last_words: last_words.current(),
        };
        (end, ended)
    }
}

impl Deref for World {
    type Target = Cloud;
    fn deref(&self) -> &Cloud {
        &self.cloud
    }
}

struct Held<'f>(&'f BTreeMap<PathBuf, Vec<u8>>);

impl Files for Held<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0
            .get(path)
            .cloned()
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Ended {
    /// Checks the exit code; shows everything if it is another.
    #[track_caller]
    pub(crate) fn exits(self, code: u8) -> Self {
        assert_eq!(self.exit, code, "{self}");
        self
    }

    /// Checks that standard error has these texts, in this order.
    #[track_caller]
    pub(crate) fn says(self, texts: &[&str]) -> Self {
        let mut rest = self.stderr.as_str();
        for text in texts {
            let found = rest.find(text);
            assert!(
                found.is_some(),
                "'{text}' is missing, or not in this order:\n{self}"
            );
            rest = &rest[found.unwrap() + text.len()..];
        }
        self
    }

    /// Checks that standard error has none of these texts.
    #[track_caller]
    pub(crate) fn never_says(self, texts: &[&str]) -> Self {
        for text in texts {
            assert!(!self.stderr.contains(text), "'{text}' is said:\n{self}");
        }
        self
    }

    /// Checks how much virtual time it took.
    #[track_caller]
    pub(crate) fn takes(self, span: Duration) -> Self {
        assert_eq!(self.elapsed, span, "{self}");
        self
    }

    /// Paths and queries of the requests to the service with this path in them, as `METHOD target`.
    pub(crate) fn asked(&self, part: &str) -> Vec<String> {
        let lines = self
            .requests
            .iter()
            .map(|seen| format!("{} {}", seen.request.method, seen.target()));
        lines.filter(|line| line.contains(part)).collect()
    }

    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        match serde_json::from_str(&self.stdout) {
            Ok(value) => value,
            Err(error) => panic!("no JSON on standard output: {error}\n{self}"),
        }
    }
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "exit {} after {:?}", self.exit, self.elapsed)?;
        writeln!(
            f,
            "--- stdout\n{}--- stderr\n{}--- requests",
            self.stdout, self.stderr
        )?;
        for seen in self.requests.iter().take(60) {
            let status = seen
                .status
                .map_or_else(|| "-".to_owned(), |status| status.to_string());
            writeln!(
                f,
                "{:?} {} {} {status}",
                seen.time,
                seen.request.method,
                seen.target()
            )?;
        }
        Ok(())
    }
}
