//! The OpenStack Identity service: settings, signing in, catalog, and the HTTP session made from them.
//!
//! ```no_run
//! # fn main() -> Result<(), os_identity::Error> {
//! use std::collections::BTreeMap;
//! use std::path::Path;
//! use std::time::Duration;
//! use os_identity::{Files, ORCHESTRATION, Options, Request, Session, Settings, Sources};
//! use poll_core::{Deadline, Policy, SystemClock};
//!
//! struct Disk;
//! impl Files for Disk {
//!     fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
//!         std::fs::read(path)
//!     }
//! }
//!
//! let flags = BTreeMap::from([("cloud".to_owned(), "demo".to_owned())]);
//! let env = BTreeMap::new();
//! let settings = Settings::load(&Sources { flags: &flags, env: &env, files: &Disk, cwd: Path::new(".") })?;
//! let clock = SystemClock::new();
//! let options = Options {
//!     deadline: Deadline::At(Duration::from_secs(60)),
//!     ..Options::new("example/1", Policy::default())
//! };
//! let session = Session::new(settings, options, &clock, &Disk, Box::new(|_notice| {}))?;
//! let base = session.endpoint(&ORCHESTRATION)?;
//! let reply = session.send(&Request::get(&format!("{base}/stacks")))?;
//! assert_eq!(reply.status, 200);
//! # Ok(())
//! # }
//! ```

mod auth;
mod catalog;
mod clouds;
mod connect;
#[cfg(test)]
mod differential;
mod discovery;
mod error;
mod fault;
mod http;
mod http_date;
#[doc(hidden)]
pub mod inside;
mod layer;
mod message;
mod oidc;
mod proxy;
pub mod redact;
mod redirect;
mod regions;
mod request;
mod resolver;
mod secret;
mod session;
mod settings;
mod table;
mod tls;
mod token;
pub mod url;
mod yaml;

pub use catalog::{OBJECT_STORE, ORCHESTRATION, SHARED_FILE_SYSTEM, Service};
pub use clouds::cloud_names;
pub use error::{Break, Error, Kind, Taken};
pub use fault::classify;
pub use message::service_message;
pub use request::{Method, Reply, Request};
pub use secret::Secret;
pub use session::{Notice, Options, Session};
pub use settings::{Files, Settings, Shown, Sources};
pub use table::{SETTINGS, Setting, UNSUPPORTED};
