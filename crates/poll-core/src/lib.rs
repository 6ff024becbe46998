//! A blocking, generic poll engine.
//!
//! [`wait_all`] looks at a set of resources through a *probe*, hands what it saw of each to that resource's [`Judge`],
//! and pauses under a [`Policy`] until every resource has its [`Outcome`] or the [`Deadline`] has come.
//! The engine owns the loop; it knows nothing of what is watched and how it is reached, and depends on `std` only.
//! [`wait`] is the same for one resource.
//!
//! - "It failed" and "time ran out" are answers, each an [`Outcome`] of its own. Only [`Outcome::GaveUp`] means that the
//!   state cannot be learnt.
//! - The probe says what kind of [`Fault`] kept it from looking; the engine only counts, for each resource by itself.
//! - Time is a [`Clock`]. On a [`FakeClock`] a wait of days takes no time at all.
//! - A [`Watch`] is told each [`Event`]. It cannot steer the engine.
//!
//! # One resource
//!
//! ```
//! use std::time::Duration;
//! use poll_core::{Attempt, Deadline, FakeClock, Fault, Judge, Observation, Outcome, Policy, Verdict, wait};
//!
//! struct Door;
//! impl Judge<&'static str> for Door {
//!     type Why = ();
//!     fn judge(&mut self, seen: &Observation<&'static str>, _at: &Attempt) -> Verdict<()> {
//!         match seen {
//!             Observation::Present("open") => Verdict::Reached(()),
//!             Observation::Present(_) => Verdict::Pending { again: None },
//!             Observation::Gone => Verdict::Failed(()),
//!         }
//!     }
//! }
//!
//! let clock = FakeClock::new();
//! let policy = Policy { deadline: Deadline::At(Duration::from_secs(60)), ..Policy::default() };
//! let mut states = ["shut", "shut", "open"].into_iter();
//! let finished = wait(
//!     &policy,
//!     &clock,
//!     &mut Door,
//!     &mut |_at| Ok::<_, Fault<&str>>(Observation::Present(states.next().ok_or(Fault::Fatal("no more states"))?)),
//!     &mut |_event| {},
//! );
//! assert!(matches!(finished.outcome, Outcome::Reached(Observation::Present("open"), ())));
//! assert_eq!(finished.looks, 3);
//! ```
//!
//! # Several at once
//!
//! A round asks for every resource that is due, so that a probe which can list needs one request. Here the second
//! resource cannot be looked at for a while, which is nothing to the first.
//!
//! ```
//! use std::time::Duration;
//! use poll_core::{
//!     Attempt, FakeClock, Fault, Judge, Observation, Outcome, Period, Policy, Quorum, Round, Verdict, wait_all,
//! };
//!
//! struct AtLeast(u32);
//! impl Judge<u32> for AtLeast {
//!     type Why = u32;
//!     fn judge(&mut self, seen: &Observation<u32>, _at: &Attempt) -> Verdict<u32> {
//!         match seen {
//!             Observation::Present(level) if *level >= self.0 => Verdict::Reached(*level),
//!             Observation::Present(_) => Verdict::Pending { again: None },
//!             Observation::Gone => Verdict::Failed(0),
//!         }
//!     }
//! }
//!
//! let policy = Policy { period: Period::Fixed(Duration::from_secs(5)), ..Policy::default() };
//! let mut levels = [0, 0];
//! let mut probe = |due: &[usize], at: &Attempt| -> Round<u32, &str> {
//!     let mut look = |index: usize| match levels.get_mut(index) {
//!         Some(_) if index == 1 && at.number == 2 => Err(Fault::Transient("no answer")),
//!         Some(level) => {
//!             *level += 1;
//!             Ok(Observation::Present(*level))
//!         }
//!         None => Ok(Observation::Gone),
//!     };
//!     Ok(due.iter().map(|&index| (index, look(index))).collect())
//! };
//! let mut judges = [AtLeast(3), AtLeast(2)];
//! let finished = wait_all(&policy, &FakeClock::new(), &mut judges, Quorum::All, &mut probe, &mut |_event| {});
//! assert!(finished.iter().all(|one| matches!(one.outcome, Outcome::Reached(..))));
//! assert_eq!(finished[0].elapsed, Duration::from_secs(10));
//! assert_eq!(finished[1].looks, 3);
//! ```

mod clock;
mod combinators;
mod policy;
mod resource;
mod schedule;
mod wait;

pub use clock::{Clock, FakeClock, SystemClock};
pub use combinators::{Baseline, GoneTwice, Lasting};
pub use policy::{Backoff, Deadline, Jitter, Patience, Period, Policy};
pub use wait::{
    Attempt, Event, Fault, Finished, Judge, Look, Observation, Outcome, Probe, ProbeOne, Quorum,
    Round, Verdict, Watch, wait, wait_all,
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
