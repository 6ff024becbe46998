//! What the cloud was asked.

use std::time::Duration;

use serde_json::Value;

use crate::config::Service;
use crate::wire::Request;

/// One request and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// When it came, on the cloud's clock.
    pub time: Duration,
    /// Which service was asked.
    pub service: Service,
    /// The connection it came on, counted from 1 over all services.
    pub connection: u64,
    /// The request itself.
    pub request: Request,
    /// The status that was sent; `None` when no status line left the cloud.
    pub status: Option<u16>,
}

impl Seen {
    /// Path and query as sent.
    #[must_use]
    pub fn target(&self) -> String {
        let Request { path, query, .. } = &self.request;
        if query.is_empty() {
            path.clone()
        } else {
            format!("{path}?{query}")
        }
    }

    /// The token it carried.
    #[must_use]
    pub fn token(&self) -> Option<&str> {
        self.request.header("x-auth-token")
    }

    /// The microversion it asked Manila for.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.request.header("x-openstack-manila-api-version")
    }

    /// The body as JSON.
    #[must_use]
    pub fn json(&self) -> Option<Value> {
        self.request.json()
    }
}
