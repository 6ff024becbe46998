//! API processes that are stopped and started again while operations run.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use cloud_tests::Api;

/// So long a process that is up again is left alone: programs shall meet more than one outage, but not live in it.
const QUIET: Duration = Duration::from_secs(40);

/// So many seconds tokens live, however busy the machine is: shorter than most operations.
pub const TOKEN: u32 = 5;

/// The services.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// Keystone.
    Keystone,
    /// Heat.
    Heat,
    /// Manila.
    Manila,
}

/// One API process of each service beside the cloud's own.
#[derive(Debug)]
pub struct Outages {
    apis: [Api; 3],
    states: Mutex<[State; 3]>,
}

#[derive(Debug, Clone, Copy)]
struct State {
    down: bool,
    outages: u64,
    up: Instant,
}

impl Outages {
    /// Starts the processes.
    pub fn start() -> Arc<Self> {
        let keystone = Api::keystone(TOKEN);
        let heat = Api::heat(&keystone);
        let manila = Api::manila(&keystone);
        let state = State {
            down: false,
            outages: 0,
            up: Instant::now(),
        };
        Arc::new(Self {
            apis: [keystone, heat, manila],
            states: Mutex::new([state; 3]),
        })
    }

    /// The port of a process.
    pub fn port(&self, service: Service) -> u16 {
        self.apis[service as usize].port
    }

    /// How many outages a service has had; with whether it is down now. A connection belongs to one of these numbers.
    pub fn epoch(&self, service: Service) -> (u64, bool) {
        let state = self.lock()[service as usize];
        (state.outages, state.down)
    }

    /// Stops a process for so many seconds, and the time that it takes to start. Comes back when it is stopped; leaves one
    /// alone that is down or was a short time ago.
    pub fn strike(self: &Arc<Self>, service: Service, seconds: u64) {
        {
            let state = &mut self.lock()[service as usize];
            if state.down || state.up.elapsed() < QUIET {
                return;
            }
            state.down = true;
            state.outages += 1;
        }
        let outages = self.clone();
        outages.apis[service as usize].stop();
        thread::spawn(move || {
            sleep(Duration::from_secs(seconds));
            outages.apis[service as usize].start();
            let state = &mut outages.lock()[service as usize];
            state.down = false;
            state.up = Instant::now();
        });
    }

    /// Waits until no process is down, and tells how many outages each service had.
    pub fn end(&self) -> [u64; 3] {
        let start = Instant::now();
        while self.lock().iter().any(|state| state.down) {
            assert!(
                start.elapsed() < Duration::from_secs(180),
                "an API process does not start again"
            );
            sleep(Duration::from_millis(200));
        }
        self.lock().map(|state| state.outages)
    }

    fn lock(&self) -> MutexGuard<'_, [State; 3]> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
