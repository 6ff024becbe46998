//! What happens to the requests of one operation, and what became of its changes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::dice::Dice;
use crate::outages::{Outages, Service};

/// What happens to one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weather {
    /// It passes.
    Fair,
    /// It passes after so many milliseconds.
    Delay(u64),
    /// Its answer comes in small pieces.
    Slow,
    /// Its connection is cut after so many per mille of the request: the service cannot have taken it.
    CutRequest(u64),
    /// Its connection is cut after so many per mille of the answer: the service has taken it.
    CutAnswer(u64),
    /// Answered with this status and `Retry-After` in seconds, without asking the service.
    Busy(u16, u64),
    /// Answered with 503 and no more, without asking the service: the program cannot know that.
    Unavailable,
}

/// When in an operation an API process is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// As its change arrives.
    BeforeChange,
    /// After the change was passed on, before its answer.
    DuringChange,
    /// At its nth look, from 1.
    Look(u64),
}

/// What became of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The program was told that it was not taken: 429, or 503 with `Retry-After`.
    NotTaken,
    /// The program has this answer of the service.
    Answered(u16),
    /// The program has no answer that tells.
    Lost,
}

/// What was done to one operation.
#[derive(Debug, Clone, Default)]
pub struct Log {
    /// How many requests of its own service came.
    pub looks: u64,
    /// How often each fault was injected.
    pub faults: BTreeMap<&'static str, u64>,
    /// Its changes, in order.
    pub changes: Vec<Fate>,
    /// What became of the last look, or of signing in for it where that failed.
    pub last: Option<Fate>,
    /// Whether a process was stopped for it, or it met one that was down.
    pub outage: bool,
    /// From its last change to its end.
    pub since_change: Duration,
    /// Whether its own service has answered no look since the last change.
    pub blind: bool,
}

/// The weather of one operation: a function of the seed, its number and how many requests each service has had.
#[derive(Debug)]
pub struct Storm {
    seed: [u64; 2],
    own: Service,
    /// The API processes.
    pub outages: Arc<Outages>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    asked: [u64; 3],
    changed: Option<Instant>,
    moment: Option<(Service, When, u64)>,
    log: Log,
}

impl Storm {
    /// The weather of operation `number`, which is one of `own`. A part of them stop a process at a moment of their own.
    pub fn new(seed: u64, number: u64, own: Service, outages: Arc<Outages>) -> Self {
        let mut dice = Dice::new(&[seed, number, 3]);
        let target = match dice.roll(4) {
            0 => Service::Keystone,
            _ => own,
        };
        let when = match dice.roll(4) {
            0 => When::BeforeChange,
            1 => When::DuringChange,
            _ => When::Look(1 + dice.roll(8)),
        };
        let pause = 1 + dice.roll(6);
        let moment = (dice.roll(2) == 0).then_some((target, when, pause));
        Self {
            seed: [seed, number],
            own,
            outages,
            state: Mutex::new(State {
                asked: [0; 3],
                changed: None,
                moment,
                log: Log::default(),
            }),
        }
    }

    /// The weather of the next request to `service`.
    pub fn next(&self, service: Service, change: bool) -> Weather {
        let mut state = self.lock();
        let asked = &mut state.asked[service as usize];
        *asked += 1;
        let mut dice = Dice::new(&[self.seed[0], self.seed[1], service as u64, *asked]);
        let weather = if change {
            for_change(&mut dice)
        } else {
            for_look(&mut dice)
        };
        if service == self.own && !change {
            state.log.looks += 1;
        }
        let name = match weather {
            Weather::Fair => return weather,
            Weather::Delay(_) => "delayed",
            Weather::Slow => "slow answers",
            Weather::CutRequest(_) => "requests cut",
            Weather::CutAnswer(_) => "answers cut",
            Weather::Busy(429, _) => "429 with Retry-After",
            Weather::Busy(..) => "503 with Retry-After",
            Weather::Unavailable => "503 without",
        };
        *state.log.faults.entry(name).or_default() += 1;
        weather
    }

    /// Stops the process of this operation's moment if that is now.
    pub fn strike(&self, service: Service, now: &dyn Fn(u64) -> When) {
        let struck = {
            let mut state = self.lock();
            let now = now(state.log.looks);
            let due = state
                .moment
                .filter(|(_, when, _)| *when == now && service == self.own);
            if due.is_some() {
                state.moment = None;
                state.log.outage = true;
            }
            due
        };
        if let Some((target, _, pause)) = struck {
            self.outages.strike(target, pause);
        }
    }

    /// Notes what became of a request.
    pub fn note(&self, service: Service, change: bool, fate: Fate) {
        let mut state = self.lock();
        if change {
            state.log.changes.push(fate);
            state.log.blind = true;
            state.changed = Some(Instant::now());
        } else {
            let fate = match fate {
                // The answer of a service in trouble tells as little as none.
                Fate::Answered(status) if !matches!(status, 200..400 | 404) => Fate::Lost,
                fate => fate,
            };
            // A token says nothing of the resource; that there is none is a look that failed.
            if service == self.own || !matches!(fate, Fate::Answered(_)) {
                state.log.last = Some(fate);
            }
            if service == self.own && matches!(fate, Fate::Answered(_)) {
                state.log.blind = false;
            }
        }
    }

    /// Notes that a service was down when it was asked.
    pub fn met_an_outage(&self) {
        let mut state = self.lock();
        state.log.outage = true;
        state.log.last = Some(Fate::Lost);
    }

    /// Notes that the program has ended now. A connection that was refused has left no other trace.
    pub fn ends(&self) {
        let down = |service| self.outages.epoch(service).1;
        if down(self.own) || down(Service::Keystone) {
            self.met_an_outage();
        }
        let mut state = self.lock();
        let since = state.changed.map(|at| at.elapsed());
        state.log.since_change = since.unwrap_or_default();
    }

    /// What was done until now.
    pub fn log(&self) -> Log {
        self.lock().log.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn for_change(dice: &mut Dice) -> Weather {
    match dice.roll(100) {
        0..7 => Weather::CutRequest(dice.roll(1000)),
        7..26 => Weather::CutAnswer(dice.roll(1000)),
        26..36 => Weather::Busy(503, 1 + dice.roll(3)),
        36..44 => Weather::Busy(429, 1 + dice.roll(2)),
        44..46 => Weather::Unavailable,
        46..64 => Weather::Delay(200 + dice.roll(2500)),
        64..70 => Weather::Slow,
        _ => Weather::Fair,
    }
}

fn for_look(dice: &mut Dice) -> Weather {
    match dice.roll(100) {
        0..5 => Weather::CutRequest(dice.roll(1000)),
        5..10 => Weather::CutAnswer(dice.roll(1000)),
        10..15 => Weather::Busy(503, 1 + dice.roll(2)),
        15..20 => Weather::Busy(429, 1 + dice.roll(2)),
        20..24 => Weather::Unavailable,
        24..34 => Weather::Delay(100 + dice.roll(1500)),
        34..40 => Weather::Slow,
        _ => Weather::Fair,
    }
}
