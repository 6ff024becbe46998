//! How a cloud is set up.

use std::time::Duration;

use serde_json::Value;

use crate::time::Time;
use crate::tls::Tls;

/// The three services, each on a port of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Service {
    /// Identity.
    Keystone,
    /// Orchestration.
    Heat,
    /// Shared file systems.
    Manila,
}

/// A cloud before it starts. The fields may be set one by one on top of [`Config::new`].
#[derive(Clone)]
pub struct Config {
    /// Where time comes from.
    pub time: Time,
    /// `127.0.0.1`, `::1` or `localhost`: where the services listen and what their URLs say.
    pub host: String,
    /// Serves https with these certificates.
    pub tls: Option<Tls>,
    /// In front of Keystone's paths: `/identity`, or nothing.
    pub identity_prefix: String,
    /// In front of Heat's paths: `/orchestration`, or nothing.
    pub heat_prefix: String,
    /// In front of Manila's paths: `/share`, or nothing.
    pub manila_prefix: String,
    /// The user's name.
    pub user: String,
    /// The user's password.
    pub password: String,
    /// The project's name.
    pub project: String,
    /// The project's id, 32 hex digits in a real cloud; digits only are possible.
    pub project_id: String,
    /// Id and secret of an application credential.
    pub credential: (String, String),
    /// Further authentication methods that are let in unchecked: `totp`, …
    pub methods: Vec<String>,
    /// Regions of the catalog.
    pub regions: Vec<String>,
    /// Interfaces of the catalog.
    pub interfaces: Vec<String>,
    /// The whole catalog instead; `{keystone}`, `{heat}`, `{manila}` (roots with their prefix) and `{project}` are filled in.
    pub catalog: Option<Value>,
    /// How long a token lives.
    pub token_life: Duration,
    /// Whether Heat and Manila want a token at all.
    pub token_wanted: bool,
    /// Whether the caller may do and see what only an administrator may.
    pub admin: bool,
    /// Oldest and newest minor number of Manila's microversions 2.N.
    pub microversions: (u32, u32),
    /// A Heat before nested_depth on events: it ignores the option and gives no `root_stack` links.
    pub old_heat: bool,
    /// The most stacks on a page.
    pub page: usize,
    /// Time that each request takes on the cloud's clock.
    pub latency: Duration,
    /// Closes the connection after each answer.
    pub close_each: bool,
    /// Who waits in vain for an answer, or for one that trickles, lets a fake clock pass as real time does.
    /// Without it a hang costs no virtual time.
    pub paced: bool,
}

impl Config {
    /// The ordinary cloud: one region, everything on `127.0.0.1`, tokens of one hour.
    #[must_use]
    pub fn new(time: Time) -> Self {
        Self {
            time,
            host: "127.0.0.1".to_owned(),
            tls: None,
            identity_prefix: String::new(),
            heat_prefix: String::new(),
            manila_prefix: String::new(),
            user: "demo".to_owned(),
            password: "secret".to_owned(),
            project: "demo".to_owned(),
            project_id: "5dd7758400f44910ac53f5b24bf8c88f".to_owned(),
            credential: (
                "70c078d91bbc4ca081d9f2f26e396b7c".to_owned(),
                "appcred-secret".to_owned(),
            ),
            methods: Vec::new(),
            regions: vec!["RegionOne".to_owned()],
            interfaces: vec![
                "public".to_owned(),
                "internal".to_owned(),
                "admin".to_owned(),
            ],
            catalog: None,
            token_life: Duration::from_secs(3600),
            token_wanted: true,
            admin: false,
            microversions: (0, 99),
            old_heat: false,
            page: 1000,
            latency: Duration::ZERO,
            close_each: false,
            paced: false,
        }
    }
}
