//! Refused connections by the clock.
//!
//! A listener that is closed sees nobody come, so it cannot look at the clock when it is needed. The
//! client's own clock can: whoever reads it or sleeps on it throws the switches that are due.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use poll_core::Clock;

use crate::config::Service;
use crate::server::{Doors, Shared, lock};

/// The cloud's time, for the client under test.
pub struct CloudClock {
    shared: Arc<Shared>,
    doors: Arc<Doors>,
    /// When, which service, whether it opens.
    switches: Mutex<Vec<(Duration, Service, bool)>>,
}

impl CloudClock {
    pub(crate) fn new(shared: Arc<Shared>, doors: Arc<Doors>) -> Self {
        Self {
            shared,
            doors,
            switches: Mutex::default(),
        }
    }

    pub(crate) fn plan(&self, service: Service, from: Duration, until: Duration) {
        {
            let mut switches = lock(&self.switches);
            switches.extend([(from, service, false), (until, service, true)]);
            switches.sort_by_key(|(at, ..)| *at);
        }
        self.throw();
    }

    fn throw(&self) {
        let now = self.shared.config.time.now();
        let mut switches = lock(&self.switches);
        let due = switches.iter().take_while(|(at, ..)| *at <= now).count();
        for (_, service, opens) in switches.drain(..due) {
            let door = self.doors.of(service);
            if opens {
                // A port taken meanwhile stays refused, which the test then sees.
                let _ = door.reopen(&self.shared);
            } else {
                door.shut(&self.shared);
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
