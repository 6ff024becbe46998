//! From what was given on the command line to a session.

use std::collections::BTreeMap;
use std::time::Duration;

use os_identity::{Notice, Options, Session, Settings, Sources};
use poll_core::{Deadline, Policy};

use crate::options::{Connection, Timing};
use crate::{Failure, Host, Program, Reporter, failure};

/// Merges flags, environment and clouds files. Nothing is sent.
///
/// # Errors
/// A setting that cannot be used, by name; an option of the openstack command that means nothing here.
pub fn settings(connection: &Connection, host: &Host<'_>) -> Result<Settings, Failure> {
    if let Some((option, why)) = connection.unsupported {
        return Err(Failure::usage(format!("{option} is not supported: {why}")));
    }
    Ok(Settings::load(&sources(&connection.flags, host))?)
}

fn sources<'a>(flags: &'a BTreeMap<String, String>, host: &'a Host<'_>) -> Sources<'a> {
    Sources {
        flags,
        env: &host.env,
        files: host.files,
        cwd: &host.cwd,
    }
}

/// The names of the clouds in the files, one a line (`--list-clouds`).
///
/// # Errors
/// A file that cannot be read as one.
pub fn clouds(host: &Host<'_>) -> Result<String, Failure> {
    let names = os_identity::cloud_names(&sources(&BTreeMap::new(), host))?;
    Ok(names
        .iter()
        .map(|name| crate::printable::line(name) + "\n")
        .collect())
}

/// Prints every setting with its origin, secrets masked (`--show-config`).
///
/// # Errors
/// When the output cannot be written.
pub fn show_config(settings: &Settings, host: &mut Host<'_>) -> std::io::Result<()> {
    for shown in settings.shown() {
        writeln!(
            host.out,
            "{} = {}  ({})",
            shown.name,
            crate::printable::line(&shown.value),
            shown.origin
        )?;
    }
    host.out.flush()
}

/// What a session needs of the host, taken apart so that the reporter can hold the rest.
pub struct Door<'a> {
    /// Monotonic time.
    pub clock: &'a dyn poll_core::Clock,
    /// Reads certificates.
    pub files: &'a dyn os_identity::Files,
    /// Seeds jitter.
    pub seed: u64,
}

/// Makes a session that tells the reporter what it does. No network yet.
///
/// # Errors
/// Certificates and keys that cannot be used.
pub fn session<'a>(
    program: &Program,
    settings: Settings,
    timing: &Timing,
    deadline: Deadline,
    door: &Door<'a>,
    reporter: &'a Reporter<'a>,
) -> Result<Session<'a>, Failure> {
    for warning in settings.warnings() {
        reporter.warning(warning);
    }
    // With --deadline 0 sign-in and look-up are bounded by the request time-out.
    let deadline = if timing.looks_once() {
        Deadline::after(door.clock.now(), timing.request_timeout)
    } else {
        deadline
    };
    let options = Options {
        deadline,
        request_timeout: timing.request_timeout,
        change_timeout: timing.change_timeout,
        connect_wait: timing.connect_wait,
        policy: retries(timing, deadline, door.seed),
        ..Options::new(
            format!("{}/{}", program.name, program.version),
            Policy::default(),
        )
    };
    let notices = Box::new(|notice| match notice {
        Notice::SignedIn {
            again, auth_url, ..
        } => reporter.signed_in(&auth_url, again),
        Notice::Retry {
            what,
            error,
            in_a_row,
            pause,
        } => {
            reporter.retry(&what, &failure::chain(&error), in_a_row, pause);
        }
        Notice::Warning(text) => reporter.warning(&text),
        _ => {}
    });
    Ok(Session::new(
        settings, options, door.clock, door.files, notices,
    )?)
}

/// The policy of single steps (signing in, look-up): retries begin quickly and grow.
#[must_use]
pub fn retries(timing: &Timing, deadline: Deadline, seed: u64) -> Policy {
    let period = poll_core::Period::Fixed(Duration::from_millis(500));
    Policy {
        period,
        ..timing.policy(deadline, seed)
    }
}
