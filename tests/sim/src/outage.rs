//! What changes about a service by the clock: refused connections, another certificate.
//!
//! A listener that is closed sees nobody come, so it cannot look at the clock when it is needed. The
//! client's own clock can: whoever reads it or sleeps on it throws the switches that are due.

use std::sync::Arc;
use std::time::Duration;

use poll_core::Clock;
use rustls::ServerConfig;

use crate::config::Service;
use crate::server::{Doors, Shared, lock};
use crate::tls::Tls;

/// What happens to a service at some request, from there on for some time of the cloud's clock.
#[derive(Clone)]
pub enum Turn {
    /// Connections are refused; the open ones end.
    Refuse(Service, Duration),
    /// Whoever connects is shown these certificates, or asked for one; the open connections end.
    Certify(Service, Tls, Duration),
    /// Every token that was given out so far has died.
    Expire,
}

impl Turn {
    pub(crate) fn switches(self, now: Duration, good: Option<Arc<ServerConfig>>) -> Vec<Switch> {
        let switch = |at, service, to| Switch { at, service, to };
        match self {
            Self::Expire => vec![switch(now, Service::Keystone, To::Expire)],
            Self::Refuse(service, span) => vec![
                switch(now, service, To::Shut),
                switch(now.saturating_add(span), service, To::Open),
            ],
            Self::Certify(service, tls, span) => vec![
                switch(now, service, To::Show(Some(tls.server))),
                switch(now.saturating_add(span), service, To::Show(good)),
            ],
        }
    }
}

/// One change of a service at a point of the clock.
pub(crate) struct Switch {
    pub(crate) at: Duration,
    service: Service,
    to: To,
}

enum To {
    Open,
    Shut,
    Expire,
    Show(Option<Arc<ServerConfig>>),
}

/// The cloud's time, for the client under test.
pub struct CloudClock {
    shared: Arc<Shared>,
    doors: Arc<Doors>,
}

impl CloudClock {
    pub(crate) fn new(shared: Arc<Shared>, doors: Arc<Doors>) -> Self {
        Self { shared, doors }
    }

    pub(crate) fn plan(&self, service: Service, from: Duration, until: Duration) {
        {
            let turn = Turn::Refuse(service, until.saturating_sub(from));
            let mut switches = lock(&self.shared.switches);
            switches.extend(turn.switches(from, None));
            switches.sort_by_key(|switch| switch.at);
        }
        self.throw();
    }

    fn throw(&self) {
        let now = self.shared.config.time.now();
        let due: Vec<Switch> = {
            let mut switches = lock(&self.shared.switches);
            let due = switches
                .iter()
                .take_while(|switch| switch.at <= now)
                .count();
            switches.drain(..due).collect()
        };
        for Switch { service, to, .. } in due {
            let door = self.doors.of(service);
            match to {
                // A port taken meanwhile stays refused, which the test then sees.
                To::Open => drop(door.reopen(&self.shared)),
                To::Expire => lock(&self.shared.models).keystone.expire(),
                To::Shut => door.shut(&self.shared),
                To::Show(tls) => self.shared.certify(service, tls),
            }
        }
    }
}

impl Clock for CloudClock {
    fn now(&self) -> Duration {
        self.throw();
        self.shared.config.time.now()
    }

    fn sleep(&self, pause: Duration) {
        self.shared.config.time.sleep(pause);
        self.throw();
    }
}
