//! The session: token, renewal, redirects, endpoints.

use std::cell::{Cell, OnceCell, RefCell};
use std::time::Duration;

use jiff::SignedDuration;
use jiff::fmt::friendly::{Spacing, SpanPrinter};
use poll_core::{Clock, Deadline, Policy};

use crate::auth::Auth;
use crate::catalog::{Wanted, fill, interfaces};
use crate::error::Sort;
use crate::http::Http;
use crate::tls::Tls;
use crate::token::Token;
use crate::{Error, Files, Kind, Reply, Request, Service, Settings, fault, url};

mod deliver;
mod first;
mod public;
mod sign_in;

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
    /// With the defaults of both programs (60 s a look, 10 min a change) and the policy's deadline.
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
        /// `signing in`, or the request.
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

/// A signed-in (or not yet signed-in) user of a cloud. For one thread.
pub struct Session<'a> {
    settings: Settings,
    options: Options,
    auth: Auth,
    http: Http,
    /// For [`Session::read_public`]; made when it is first used.
    public: OnceCell<Http>,
    clock: &'a dyn Clock,
    notices: Box<dyn Fn(Notice) + 'a>,
    began: Duration,
    deadline: Cell<Deadline>,
    /// Any server has answered in this run.
    reached: Cell<bool>,
    /// The v3 URL, once it is known.
    base: RefCell<Option<String>>,
    token: RefCell<Option<Token>>,
    /// Endpoints that were given out: the token goes to their origins only.
    endpoints: RefCell<Vec<String>>,
    warned: Cell<bool>,
    /// A token was refused as soon as it was given out. Another one would be refused as well: the service must first
    /// learn what Keystone knows, or never will.
    barred: Cell<bool>,
}

/// Until when a logical request may take.
#[derive(Debug, Clone, Copy)]
struct Until(Option<Duration>);

impl Until {
    fn left(self, now: Duration) -> Duration {
        self.0
            .map_or(Duration::MAX, |point| point.saturating_sub(now))
    }
}

impl<'a> Session<'a> {
    /// Checks settings, certificates and keys. No network.
    ///
    /// # Errors
    /// [`Kind::Config`] naming what is missing or wrong.
    pub fn new(
        settings: Settings,
        options: Options,
        clock: &'a dyn Clock,
        files: &dyn Files,
        notices: Box<dyn Fn(Notice) + 'a>,
    ) -> Result<Self, Error> {
        let mut warnings = Vec::new();
        let auth = Auth::read(&settings, &mut warnings)?;
        let tls = Tls::read(&settings, files)?;
        let http = Http::new(
            &tls,
            settings.proxies.clone(),
            &options.user_agent,
            ipv4_only(&settings),
        )?;
        if settings.is_insecure() {
            warnings.push("the certificates of servers are not checked (insecure)".to_owned());
        }
        for warning in warnings {
            notices(Notice::Warning(warning));
        }
        Ok(Self {
            deadline: Cell::new(options.deadline),
            began: clock.now(),
            settings,
            options,
            auth,
            http,
            public: OnceCell::new(),
            clock,
            notices,
            reached: Cell::new(false),
            base: RefCell::new(None),
            token: RefCell::new(None),
            endpoints: RefCell::new(Vec::new()),
            warned: Cell::new(false),
            barred: Cell::new(false),
        })
    }

    /// The settings that it was made from.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The base URL of a service without a trailing slash: an override with its templates filled, or as the catalog
    /// has it (a root, or with version and project: see [`url::with_version`]). Signs in if need be.
    ///
    /// # Errors
    /// [`Kind::Config`] where the catalog has none or several; else as [`Session::sign_in`].
    pub fn endpoint(&self, service: &Service) -> Result<String, Error> {
        let general = service.main.then_some("endpoint_override");
        let found = match (
            self.settings
                .of_service(service, &["endpoint_override", "endpoint"], general),
            &self.auth,
        ) {
            (Some(held), _) => {
                if held.text().contains("(project_id)s") || held.text().contains("(tenant_id)s") {
                    self.sign_in()?;
                }
                fill(held.text(), self.project_id().as_deref())
            }
            (
                None,
                Auth::Fixed {
                    endpoint: Some(endpoint),
                    ..
                },
            ) => fill(endpoint, self.project_id().as_deref()),
            (None, Auth::Fixed { endpoint: None, .. }) => {
                return Err(Error::config(format!(
                    "there is no catalog without Keystone, and no {} endpoint is given",
                    service.name
                ))
                .with_hint("give it with --os-endpoint or --os-endpoint-override"));
            }
            (None, Auth::Keystone(_)) => {
                self.sign_in()?;
                let token = self.token.borrow();
                let catalog = token.as_ref().map(|token| &token.catalog);
                catalog
                    .cloned()
                    .unwrap_or_default()
                    .endpoint(service, &self.wanted(service))?
            }
        };
        if url::origin(&found).is_none() {
            return Err(Error::config(format!(
                "the {} endpoint is not a URL: {}",
                service.name,
                url::shown(&found)
            )));
        }
        log::info!("{} is at {}", service.name, url::shown(&found));
        let mut endpoints = self.endpoints.borrow_mut();
        if !endpoints.contains(&found) {
            endpoints.push(found.clone());
        }
        Ok(found)
    }

    fn wanted(&self, service: &Service) -> Wanted {
        let text = |suffix: &str, general: Option<&str>| {
            self.settings
                .of_service(service, &[suffix], general)
                .map(|held| held.text().to_owned())
        };
        Wanted {
            service_type: text("service_type", None),
            service_name: text("service_name", None),
            interfaces: interfaces(&text("interface", Some("interface")).unwrap_or_default()),
            region: text("region_name", Some("region_name")),
        }
    }

    /// Sends one logical request, signing in before it where that was not done.
    ///
    /// Any HTTP status is `Ok`. A 401 is answered by signing in again and repeating the request once, headers and body
    /// the same; one that stays is [`Kind::Refused`] (transient where that token may have ended before the service looked
    /// at it), and later ones too, without another sign-in, until the service takes the
    /// token. A token that ends soon is renewed before. A change goes out on a
    /// connection of its own and is never repeated but after a 401, which says that it was not taken.
    ///
    /// # Errors
    /// What kept the answer from coming, see [`Error::broke`] and [`Error::taken`]; [`Kind::Deadline`] where no time is
    /// left for it; and a redirect that leads to another server.
    pub fn send(&self, request: &Request<'_>) -> Result<Reply, Error> {
        if !self.endpoints.borrow().iter().any(|endpoint| {
            url::is_below(request.url, endpoint) || url::same_origin(endpoint, request.url)
        }) {
            return Err(Error::new(
                Kind::Unknown,
                format!(
                    "{} is not at an endpoint of this cloud: nothing is sent there",
                    url::shown(request.url)
                ),
            ));
        }
        self.sign_in()?;
        let until = self.until(request.method, request.budget);
        let fresh = self.renew_early(until);
        let reply = self.deliver(request, until)?;
        if reply.status != 401 {
            self.barred.set(false);
            return Ok(reply);
        }
        if self.barred.get() && !self.token_is_over() {
            return Err(fault::error_of(&reply));
        }
        if !fresh {
            self.renew(&reply, until)?;
        }
        let reply = self.deliver(request, until)?;
        if reply.status == 401 && self.token_may_be_over() {
            // Its life is shorter than the service takes to look: that says nothing of the user.
            return Err(fault::error_of(&reply)
                .context("the token ended before the service had looked at it")
                .with_kind(Kind::Unknown)
                .with_sort(Sort::Transient));
        }
        self.barred.set(reply.status == 401);
        if reply.status == 401 {
            Err(fault::error_of(&reply))
        } else {
            Ok(reply)
        }
    }

    fn token_may_be_over(&self) -> bool {
        let token = self.token.borrow();
        token
            .as_ref()
            .is_some_and(|token| token.may_be_over(self.clock.now()))
    }

    fn token_is_over(&self) -> bool {
        let ends = self.token.borrow().as_ref().and_then(|token| token.ends);
        ends.is_some_and(|ends| ends <= self.clock.now())
    }

    /// Moves the deadline. Warns where a token that cannot be renewed ends before it.
    pub fn set_deadline(&self, deadline: Deadline) {
        self.deadline.set(deadline);
        self.warn_of_end();
    }

    /// The project that the token is for.
    #[must_use]
    pub fn project_id(&self) -> Option<String> {
        let of_token = self
            .token
            .borrow()
            .as_ref()
            .and_then(|token| token.project_id.clone());
        of_token.or_else(|| self.settings.raw("project_id").map(str::to_owned))
    }

    /// Whether the token lasts until `deadline`, or can be renewed. True while not signed in.
    #[must_use]
    pub fn token_outlives(&self, deadline: Deadline) -> bool {
        let renewable = match &self.auth {
            Auth::Keystone(keystone) => keystone.is_renewable(),
            Auth::Fixed { .. } => true,
        };
        match (
            self.token.borrow().as_ref().and_then(|token| token.ends),
            deadline,
        ) {
            (Some(ends), Deadline::At(point)) => renewable || ends >= point,
            (Some(_), Deadline::Never) => renewable,
            (None, _) => true,
        }
    }

    fn warn_of_end(&self) {
        if self.warned.get() || self.token_outlives(self.deadline.get()) {
            return;
        }
        self.warned.set(true);
        let left = self
            .token
            .borrow()
            .as_ref()
            .and_then(|token| token.ends)
            .unwrap_or_default();
        let left = left.saturating_sub(self.clock.now()).as_secs();
        let left = SignedDuration::from_secs(i64::try_from(left).unwrap_or(i64::MAX));
        (self.notices)(Notice::Warning(format!(
            "the token ends in {}, before the deadline, and cannot be renewed",
            SpanPrinter::new()
                .spacing(Spacing::BetweenUnits)
                .duration_to_string(&left)
        )));
    }
}

fn ipv4_only(settings: &Settings) -> bool {
    settings.truth("force_ipv4").unwrap_or(false) || settings.truth("prefer_ipv6") == Some(false)
}

#[cfg(test)]
mod server;
#[cfg(test)]
mod tests;
