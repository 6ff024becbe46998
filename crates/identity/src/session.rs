//! The session: token, renewal, redirects, endpoints.

use std::cell::Cell;
use std::time::Duration;

use poll_core::{Clock, Deadline, Policy};

use crate::{Error, Files, Kind, Reply, Request, Service, Settings};

/// How a session behaves.
#[derive(Debug, Clone)]
pub struct Options {
    /// `heat-wait/1.2.3`.
    pub user_agent: String,
    /// The end of everything.
    pub deadline: Deadline,
    /// One look.
    pub request_timeout: Duration,
    /// One change.
    pub change_timeout: Duration,
    /// How long the very first connection may fail.
    pub connect_wait: Duration,
    /// Retries of signing in: period, patience, backoff, seed. Its deadline is not looked at.
    pub policy: Policy,
}

impl Options {
    /// Without a deadline and with the defaults of both programs: 60 s a look, 10 min a change.
    #[must_use]
    pub fn new(user_agent: impl Into<String>, policy: Policy) -> Self {
        Self {
            user_agent: user_agent.into(),
            deadline: policy.deadline,
            request_timeout: Duration::from_secs(60),
            change_timeout: Duration::from_secs(600),
            connect_wait: Duration::ZERO,
            policy,
        }
    }
}

/// What a session tells while it works. It prints nothing.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Notice {
    /// A token was given out.
    SignedIn {
        /// Not the first time.
        again: bool,
        /// Where.
        auth_url: String,
        /// How long the token lives.
        lives: Option<Duration>,
    },
    /// Signing in failed and will be tried again.
    Retry {
        /// `signing in`.
        what: String,
        /// Why.
        error: Error,
        /// From 1; zero for throttling.
        in_a_row: u32,
        /// Until the next try. `None`: there is none.
        pause: Option<Duration>,
    },
    /// Something that the user should know.
    Warning(String),
}

/// A signed-in (or not yet signed-in) user of a cloud.
pub struct Session<'a> {
    deadline: Cell<Deadline>,
    _clock: &'a dyn Clock,
    _notices: Box<dyn Fn(Notice) + 'a>,
}

impl<'a> Session<'a> {
    /// Checks settings, certificates and keys. No network.
    ///
    /// # Errors
    /// [`Kind::Config`].
    pub fn new(
        _settings: Settings,
        options: Options,
        clock: &'a dyn Clock,
        _files: &dyn Files,
        notices: Box<dyn Fn(Notice) + 'a>,
    ) -> Result<Self, Error> {
        Ok(Self {
            deadline: Cell::new(options.deadline),
            _clock: clock,
            _notices: notices,
        })
    }

    /// Discovery and token, retried under the policy. Does nothing where that was done.
    ///
    /// # Errors
    /// [`Kind::Refused`], [`Kind::Config`], [`Kind::Unknown`] or [`Kind::Deadline`].
    pub fn sign_in(&self) -> Result<(), Error> {
        Err(Error::new(Kind::Unknown, "not yet"))
    }

    /// The base URL of a service without a trailing slash. Signs in if need be.
    ///
    /// # Errors
    /// [`Kind::Config`] where the catalog has none or several; else as [`Session::sign_in`].
    pub fn endpoint(&self, _service: &Service) -> Result<String, Error> {
        Err(Error::new(Kind::Unknown, "not yet"))
    }

    /// Sends one logical request. Any HTTP status is `Ok`, but a 401 that stays is [`Kind::Refused`].
    ///
    /// # Errors
    /// What kept the answer from coming, see [`Error::broke`] and [`Error::taken`].
    pub fn send(&self, _request: &Request<'_>) -> Result<Reply, Error> {
        Err(Error::new(Kind::Unknown, "not yet"))
    }

    /// Moves the deadline.
    pub fn set_deadline(&self, deadline: Deadline) {
        self.deadline.set(deadline);
    }

    /// The project that the token is for.
    #[must_use]
    pub fn project_id(&self) -> Option<String> {
        None
    }

    /// Whether the token lasts until `deadline`, or can be renewed. True while not signed in.
    #[must_use]
    pub fn token_outlives(&self, _deadline: Deadline) -> bool {
        true
    }
}
