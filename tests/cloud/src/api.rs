//! One more API process over the databases of the cloud (`scripts/api.sh`).

use std::net::TcpListener;
use std::process::{self, Command};
use std::sync::atomic::{AtomicU16, Ordering};

use crate::Place;

/// A Keystone, Heat or Manila that belongs to one test: what happens to it disturbs no other.
#[derive(Debug)]
pub struct Api {
    name: String,
    kind: &'static str,
    extra: String,
    /// Its port on the loopback.
    pub port: u16,
}

impl Api {
    /// A Keystone whose tokens live `seconds`.
    pub fn keystone(seconds: u32) -> Self {
        Self::start_new("keystone", seconds.to_string())
    }

    /// A Heat that checks tokens at `keystone`.
    pub fn heat(keystone: &Self) -> Self {
        Self::start_new("heat", keystone.port.to_string())
    }

    /// A Manila that checks tokens at `keystone`.
    pub fn manila(keystone: &Self) -> Self {
        Self::start_new("manila", keystone.port.to_string())
    }

    /// Ends the process; its port refuses connections then.
    pub fn stop(&self) {
        script(&["stop", &self.name]);
    }

    /// Starts it again at the same port; comes back when it answers.
    pub fn start(&self) {
        script(&[
            "start",
            &self.name,
            self.kind,
            &self.port.to_string(),
            &self.extra,
        ]);
    }

    /// Its root, without a trailing slash.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn start_new(kind: &'static str, extra: String) -> Self {
        let port = free_port();
        let api = Self {
            name: Place::unique(kind),
            kind,
            extra,
            port,
        };
        api.start();
        api
    }
}

impl Drop for Api {
    fn drop(&mut self) {
        let _ = Command::new(Place::here().scripts.join("api.sh"))
            .args(["stop", &self.name])
            .output();
    }
}

/// A port of the loopback that nobody listens on, and that the system gives to no connection: it can be left and taken again.
///
/// # Panics
/// When there is none.
pub fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Linux gives 32768 and above to whoever asks for any.
    let start = u16::try_from(process::id() % 100).unwrap_or(0) * 80;
    let ports = (0..8000).map(|_| {
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        22000 + start.wrapping_add(next) % 8000
    });
    let mut free = ports.filter(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok());
    free.next().expect("a free port")
}

fn script(arguments: &[&str]) {
    let output = Command::new(Place::here().scripts.join("api.sh"))
        .args(arguments)
        .output()
        .expect("api.sh runs");
    assert!(
        output.status.success(),
        "api.sh {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}
