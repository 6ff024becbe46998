//! The programs under test as child processes.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{Api, Place};

/// A command line of `heat-wait` or `manila-wait`. The environment holds nothing but what is set here.
#[derive(Debug)]
pub struct Program {
    command: Command,
    shown: String,
}

/// A command that runs.
#[derive(Debug)]
pub struct Running {
    child: Child,
    shown: String,
    start: Instant,
}

/// A command that has ended.
#[derive(Debug)]
pub struct Ended {
    /// The command line.
    pub shown: String,
    /// The exit code; -1 after a signal.
    pub exit: i32,
    /// All of stdout.
    pub stdout: String,
    /// All of stderr.
    pub stderr: String,
    /// From the start to the end.
    pub took: Duration,
}

impl Program {
    /// `heat-wait ARGUMENTS` as the user of the cloud `demo`.
    pub fn heat<S: AsRef<str>>(arguments: &[S]) -> Self {
        Self::new(
            Command::new(&Place::here().heat_wait),
            "heat-wait",
            arguments,
        )
    }

    /// `manila-wait ARGUMENTS` as the user of the cloud `demo`.
    pub fn manila<S: AsRef<str>>(arguments: &[S]) -> Self {
        Self::new(
            Command::new(&Place::here().manila_wait),
            "manila-wait",
            arguments,
        )
    }

    /// Signs in at another Keystone, with the settings of the environment alone.
    #[must_use]
    pub fn at(self, keystone: &Api) -> Self {
        self.at_url(&keystone.url())
    }

    /// The same, with the root of a Keystone, without a trailing slash.
    #[must_use]
    pub fn at_url(mut self, keystone: &str) -> Self {
        let place = Place::here();
        self.command
            .env_remove("OS_CLOUD")
            .env_remove("OS_CLIENT_CONFIG_FILE")
            .env("OS_AUTH_URL", format!("{keystone}/v3"))
            .env("OS_USERNAME", "demo")
            .env("OS_PASSWORD", &place.password)
            .env("OS_PROJECT_NAME", "demo")
            .env("OS_USER_DOMAIN_ID", "default")
            .env("OS_PROJECT_DOMAIN_ID", "default")
            .env("OS_REGION_NAME", "RegionOne");
        self
    }

    /// Sets a variable of its environment.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Starts it.
    pub fn start(mut self) -> Running {
        let start = Instant::now();
        let child = self
            .command
            .spawn()
            .unwrap_or_else(|e| panic!("{}: {e}", self.shown));
        Running {
            child,
            shown: self.shown,
            start,
        }
    }

    /// Runs it to its end.
    pub fn run(self) -> Ended {
        self.start().end()
    }

    fn new<S: AsRef<str>>(mut command: Command, name: &str, arguments: &[S]) -> Self {
        let arguments: Vec<&str> = arguments.iter().map(AsRef::as_ref).collect();
        command
            .args(&arguments)
            .env_clear()
            .env("OS_CLIENT_CONFIG_FILE", &Place::here().clouds)
            .env("OS_CLOUD", "demo")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Self {
            command,
            shown: format!("{name} {}", arguments.join(" ")),
        }
    }
}

impl Running {
    /// Waits for its end. A program that forgets its deadline is ended by the test runner's own limit.
    pub fn end(self) -> Ended {
        let output = self
            .child
            .wait_with_output()
            .expect("the child can be waited for");
        Ended {
            shown: self.shown,
            exit: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
            took: self.start.elapsed(),
        }
    }
}

impl Ended {
    /// Fails the test with everything that was printed when the exit code is another one.
    #[must_use]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(
            self.exit, code,
            "{}\n--- stdout\n{}--- stderr\n{}",
            self.shown, self.stdout, self.stderr
        );
        self
    }

    /// The result on stdout, written with `-f json`.
    pub fn result(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|e| panic!("{}: stdout is no JSON: {e}: {}", self.shown, self.stdout))
    }

    /// The objects on stderr, written with `--progress json`; other lines (messages) are left out.
    pub fn progress(&self) -> Vec<Value> {
        self.stderr
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .filter(Value::is_object)
            .collect()
    }

    /// How many progress objects are of this type: `signin`, `retry` …
    pub fn count(&self, kind: &str) -> usize {
        self.progress()
            .iter()
            .filter(|line| line["type"] == kind)
            .count()
    }

    /// Fails the test when stderr does not hold these texts in this order.
    pub fn tells(&self, texts: &[&str]) {
        let mut rest = self.stderr.as_str();
        for text in texts {
            match rest.split_once(text) {
                Some((_, after)) => rest = after,
                None => panic!(
                    "{}: stderr lacks {text:?} at its place:\n{}",
                    self.shown, self.stderr
                ),
            }
        }
    }
}
