//! Where the cloud and the programs are.

use std::env;
use std::path::PathBuf;
use std::process;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::Program;

/// The cloud under test, as `cargo xtask cloud test` describes it in the environment.
#[derive(Debug)]
pub struct Place {
    /// Keystone, with `/v3`.
    pub auth_url: String,
    /// The password of every account.
    pub password: String,
    /// The clouds file with `demo`, `demo-appcred` and `admin`.
    pub clouds: PathBuf,
    /// The folder of the scripts.
    pub scripts: PathBuf,
    /// `heat-wait`.
    pub heat_wait: PathBuf,
    /// `manila-wait`.
    pub manila_wait: PathBuf,
}

impl Place {
    /// The cloud that this process tests.
    pub fn here() -> &'static Self {
        static HERE: OnceLock<Place> = OnceLock::new();
        HERE.get_or_init(|| Self {
            auth_url: variable("TESTCLOUD_AUTH_URL"),
            password: variable("TESTCLOUD_PASSWORD"),
            clouds: variable("OS_CLIENT_CONFIG_FILE").into(),
            scripts: variable("TESTCLOUD_SCRIPTS").into(),
            heat_wait: variable("TESTCLOUD_HEAT_WAIT").into(),
            manila_wait: variable("TESTCLOUD_MANILA_WAIT").into(),
        })
    }

    /// How many times slower than an idle machine this one is, at least 1: the time that a look-up takes, in seconds. What
    /// a test needs to see under way has to last so many times longer. At most 5: tests have to end, too.
    pub fn pace() -> u32 {
        static PACE: OnceLock<u32> = OnceLock::new();
        *PACE.get_or_init(|| {
            let ended = Program::heat(&["stack", "wait", "no-such-stack"]).run();
            let seconds = ended.exits(4).took.as_secs();
            u32::try_from(seconds).unwrap_or(u32::MAX).clamp(1, 5)
        })
    }

    /// So many seconds on an idle machine, longer on a slow one.
    pub fn seconds(idle: u32) -> u32 {
        idle * Self::pace()
    }

    /// A name that no other test and no other run uses.
    pub fn unique(what: &str) -> String {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        format!(
            "t{}-{}-{what}",
            process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        )
    }
}

/// Looks every 0.2 s until `look` finds something.
///
/// # Panics
/// After two minutes, naming `what`.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "{what}: not within two minutes"
        );
        sleep(Duration::from_millis(200));
    }
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| {
        panic!("{name} is not set: run these tests with `cargo xtask cloud test`")
    })
}
