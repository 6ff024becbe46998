//! Where the cloud and the programs are.

use std::env;
use std::fs;
use std::num::NonZero;
use std::path::PathBuf;
use std::process;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

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

    /// How many creations are to be cut, where that was asked for (`CUTS=100`).
    pub fn cuts() -> Option<u64> {
        Self::number("CUTS")
    }

    /// A number of the environment, where it is set.
    pub fn number(name: &str) -> Option<u64> {
        env::var(name).ok()?.parse().ok()
    }

    /// How many times slower than an idle machine this one is, 1 to 6: processes that want to run, for each processor. What
    /// a test needs to see under way has to last so many times longer. It never falls, so that a test may ask twice.
    pub fn pace() -> u32 {
        static PACE: AtomicU32 = AtomicU32::new(1);
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let running = load.split(['.', ' ']).next().and_then(|n| n.parse().ok());
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        let now = running.unwrap_or(1) / u32::try_from(processors).unwrap_or(1);
        let now = now.clamp(1, 6);
        PACE.fetch_max(now, Ordering::Relaxed).max(now)
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
/// After five minutes, naming `what`.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(
            start.elapsed() < Duration::from_secs(300),
            "{what}: not within five minutes"
        );
        sleep(Duration::from_millis(200));
    }
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| {
        panic!("{name} is not set: run these tests with `cargo xtask cloud test`")
    })
}
