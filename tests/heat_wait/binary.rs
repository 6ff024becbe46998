//! The binary as a process, against a cloud in real time: helpers of the tests where the process itself matters.

use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use poll_core::{Clock as _, SystemClock};
use sim_cloud::{Cloud, Config, Time};

use crate::PROGRAM;

/// A cloud in real time.
pub(crate) fn cloud() -> Cloud {
    cloud_with(|_| {})
}

pub(crate) fn cloud_with(set_up: impl FnOnce(&mut Config)) -> Cloud {
    let mut config = Config::new(Time::real());
    set_up(&mut config);
    Cloud::start(config).unwrap()
}

/// The environment of the cloud's user and nothing else.
pub(crate) fn dressed(mut command: Command, cloud: &Cloud) -> Command {
    let folder = std::path::Path::new(PROGRAM).parent().unwrap();
    command.env_clear().envs(cloud.env()).env(
        "PATH",
        format!("{}:/usr/bin:/bin:/usr/sbin:/sbin", folder.display()),
    );
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// `heat-wait` with these words.
pub(crate) fn command(cloud: &Cloud, words: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(words.split_whitespace());
    dressed(command, cloud)
}

/// What the shell makes of this line.
pub(crate) fn shell(cloud: &Cloud, line: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", line]);
    dressed(command, cloud)
}

/// How a process ended.
#[derive(Debug)]
pub(crate) struct Over {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) took: Duration,
}

pub(crate) fn run(mut command: Command) -> Over {
    let clock = SystemClock::new();
    let output = command.output().unwrap();
    Over {
        status: output.status,
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        took: clock.now(),
    }
}

/// A process that runs.
pub(crate) struct Running {
    child: Child,
    err: BufReader<std::process::ChildStderr>,
    said: String,
}

impl Running {
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let err = BufReader::new(child.stderr.take().unwrap());
        Self {
            child,
            err,
            said: String::new(),
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until standard error has a line with this text.
    pub(crate) fn says(&mut self, text: &str) {
        loop {
            let mut line = String::new();
            let read = self.err.read_line(&mut line).unwrap();
            self.said.push_str(&line);
            assert!(read > 0, "'{text}' was never said:\n{}", self.said);
            if line.contains(text) {
                return;
            }
        }
    }

    /// Waits until the cloud was asked so often.
    pub(crate) fn asks(&self, cloud: &Cloud, times: usize) {
        let clock = SystemClock::new();
        while cloud.requests().len() < times {
            assert!(
                clock.now() < Duration::from_secs(10),
                "only {} requests",
                cloud.requests().len()
            );
            clock.sleep(Duration::from_millis(2));
        }
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    pub(crate) fn signal(&self, name: &str) {
        send(name, self.id());
    }

    /// Waits for its end; `took` is the time from now.
    pub(crate) fn end(mut self) -> Over {
        let clock = SystemClock::new();
        let status = self.child.wait().unwrap();
        let took = clock.now();
        let mut stdout = String::new();
        self.child
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut stdout)
            .unwrap();
        self.err.read_to_string(&mut self.said).unwrap();
        Over {
            status,
            stdout,
            stderr: self.said,
            took,
        }
    }
}

pub(crate) fn send(signal: &str, process: u32) {
    let sent = Command::new("kill")
        .args([format!("-{signal}"), process.to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
}

impl Over {
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.status.code(), Some(code), "{self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn dies_of(self, signal: i32) -> Self {
        assert_eq!(self.status.signal(), Some(signal), "{self:#?}");
        self
    }
}
