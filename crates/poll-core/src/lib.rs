//! A blocking, generic poll engine.
//!
//! [`wait_all`] looks at a set of resources through a *probe*, hands what it saw of each to that resource's [`Judge`],
//! and pauses under a [`Policy`] until every resource has its [`Outcome`] or the [`Deadline`] has come.
//! The engine owns the loop; it knows nothing of what is watched and how it is reached, and depends on `std` only.
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
