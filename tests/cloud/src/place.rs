//! Where the cloud and the programs are.

use std::env;
use std::path::PathBuf;
use std::process;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
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
