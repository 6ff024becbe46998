//! Runs the program as a user does, and keeps what it said.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use poll_core::{Clock as _, FakeClock};
use serde_json::Value;
use sim_cloud::{Cloud, Config, Item, Kind, Time, When};
use wait_cli::process::End;
use wait_cli::{Host, LastWords, Screen, Terminal};

/// Any id will do, as long as it is one.
pub const ID: &str = "bbbbbbbb-0000-4000-8000-000000000002";

/// 2031-03-04T10:00:00Z, as the cloud has it.
const EPOCH: Duration = Duration::from_secs(1_930_384_800);

/// A cloud, its clock, and a user in front of it.
pub struct Bench {
    /// The cloud.
    pub cloud: Cloud,
    /// What is in the environment.
    pub env: BTreeMap<String, String>,
    last_words: LastWords,
}

/// What a run left.
pub struct Run {
    /// The exit code.
    pub exit: u8,
    /// stdout.
    pub out: String,
    /// stderr.
    pub err: String,
    /// What a signal would have printed in the end.
    pub last_words: String,
    /// How long it took on the clock.
    pub took: Duration,
}

impl Bench {
    pub fn new() -> Self {
        Self::with(|_| {})
    }

    pub fn with(change: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config::new(Time::fake(Arc::new(FakeClock::new())));
        change(&mut config);
        let cloud = Cloud::start(config).unwrap();
        let env = cloud.env();
        Self {
            cloud,
            env,
            last_words: LastWords::default(),
        }
    }

    /// A share called `lagoon`.
    pub fn lagoon(&self) -> Item {
        Item::new(Kind::Share, "lagoon").id(ID)
    }

    /// Runs `manila-wait` with these words.
    pub fn run(&self, words: &[&str]) -> Run {
        let clock = self.cloud.clock();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let began = clock.now();
        let wall = || UNIX_EPOCH + EPOCH + clock.now();
        let mut host = Host {
            args: ["manila-wait"]
                .iter()
                .chain(words)
                .map(OsString::from)
                .collect(),
            env: self.env.clone(),
            cwd: PathBuf::from("/"),
            stdin: &mut io::empty(),
            out: &mut out,
            err: &mut err,
            files: &Nothing,
            clock: clock.as_ref(),
            wall: &wall,
            terminal: Terminal::default(),
            screen: &Screen::default,
            seed: 7,
            last_words: self.last_words.clone(),
        };
        let exit = match manila_cli::run(&mut host) {
            End::Exit(exit) | End::ReaderGone(exit) => exit.code(),
        };
        let run = Run {
            exit,
            out: String::from_utf8(out).unwrap(),
            err: String::from_utf8(err).unwrap(),
            last_words: self.last_words.current(),
            took: clock.now().saturating_sub(began),
        };
        for secret in ["secret", "gAAAAA"] {
            assert!(
                !run.out.contains(secret) && !run.err.contains(secret),
                "{run}"
            );
        }
        run
    }

    /// Runs a line of words.
    pub fn line(&self, line: &str) -> Run {
        self.run(&line.split_whitespace().collect::<Vec<_>>())
    }

    /// When Manila was asked what ends in this, in seconds.
    pub fn times(&self, ends: &str) -> Vec<u64> {
        self.cloud
            .asked(&When::manila().ends(ends))
            .iter()
            .map(|seen| seen.time.as_secs())
            .collect()
    }

    /// What Manila was asked, path and query.
    pub fn targets(&self) -> Vec<String> {
        self.cloud
            .asked(&When::manila())
            .iter()
            .map(sim_cloud::Seen::target)
            .collect()
    }
}

impl Run {
    /// Checks the exit code.
    #[track_caller]
    pub fn exits(self, exit: u8) -> Self {
        assert_eq!(self.exit, exit, "{self}");
        self
    }

    /// Checks that stderr has all of these.
    #[track_caller]
    pub fn says(self, texts: &[&str]) -> Self {
        for text in texts {
            assert!(self.err.contains(text), "not said: {text}\n{self}");
        }
        self
    }

    /// Checks that neither stream has this.
    #[track_caller]
    pub fn hides(self, text: &str) -> Self {
        assert!(
            !self.err.contains(text) && !self.out.contains(text),
            "said: {text}\n{self}"
        );
        self
    }

    /// stdout as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}\n{self}"))
    }

    /// The lines of `--progress json` of this type.
    #[track_caller]
    pub fn progress(&self, kind: &str) -> Vec<Value> {
        let lines = self
            .err
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines
            .filter(|line| line.get("type").and_then(Value::as_str) == Some(kind))
            .collect()
    }

    /// How often stderr has a text.
    pub fn count(&self, text: &str) -> usize {
        self.err.matches(text).count()
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "exit {} after {:?}\n{}\n{}",
            self.exit, self.took, self.out, self.err
        )
    }
}

struct Nothing;

impl os_identity::Files for Nothing {
    fn read(&self, _: &Path) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }
}
