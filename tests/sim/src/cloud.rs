//! A running cloud.

use std::collections::BTreeMap;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use crate::config::{Config, Service};
use crate::faults::Fault;
use crate::heat::{Heat, Outcome, Stack};
use crate::keystone::Keystone;
use crate::log::Seen;
use crate::manila::{Effect, Item, Kind, Manila};
use crate::models::Models;
use crate::outage::{CloudClock, Turn};
use crate::script::{Answer, When};
use crate::server::{Door, Doors, Shared, lock};
use crate::time::Time;

/// Keystone, Heat and Manila, each on a port of its own, until this is dropped.
///
/// ```
/// use std::sync::Arc;
/// use poll_core::FakeClock;
/// use sim_cloud::{Cloud, Config, Fault, Stack, Time, When, secs};
///
/// let clock = Arc::new(FakeClock::new());
/// let cloud = Cloud::start(Config::new(Time::fake(clock.clone())))?;
/// cloud.stack(Stack::create("tarn", secs(8)));
/// cloud.fault(When::heat().get().nth(3), Fault::Status(503));
/// // … run the program with `clock` and `cloud.env()` …
/// assert_eq!(cloud.sign_ins(), 0);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Cloud {
    shared: Arc<Shared>,
    doors: Arc<Doors>,
    clock: Arc<CloudClock>,
}

impl Cloud {
    /// Opens three free ports and serves.
    ///
    /// # Errors
    /// When the host is no address of this machine or no port is free.
    pub fn start(config: Config) -> io::Result<Self> {
        let ip: IpAddr = match config.host.as_str() {
            "localhost" => IpAddr::from([127, 0, 0, 1]),
            other => other
                .trim_matches(['[', ']'])
                .parse()
                .map_err(io::Error::other)?,
        };
        let models = Models {
            keystone: Keystone::default(),
            heat: Heat::default(),
            manila: Manila::default(),
        };
        let shared = Arc::new(Shared::new(config, models));
        let keystone = Door::open(Service::Keystone, ip, &shared)?;
        let heat = Door::open(Service::Heat, ip, &shared)?;
        let manila = Door::open(Service::Manila, ip, &shared)?;
        let doors = Arc::new(Doors {
            keystone,
            heat,
            manila,
        });
        let clock = Arc::new(CloudClock::new(shared.clone(), doors.clone()));
        let cloud = Self {
            shared,
            doors,
            clock,
        };
        let urls =
            [Service::Keystone, Service::Heat, Service::Manila].map(|service| cloud.url(service));
        cloud.models().keystone.set_urls(urls);
        Ok(cloud)
    }

    /// The cloud's time.
    #[must_use]
    pub fn time(&self) -> &Time {
        &self.shared.config.time
    }

    /// How it was set up.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.shared.config
    }

    /// Root URL of a service with its prefix, without a slash at the end.
    #[must_use]
    pub fn url(&self, service: Service) -> String {
        let config = &self.shared.config;
        let (door, prefix) = match service {
            Service::Keystone => (&self.doors.keystone, &config.identity_prefix),
            Service::Heat => (&self.doors.heat, &config.heat_prefix),
            Service::Manila => (&self.doors.manila, &config.manila_prefix),
        };
        let scheme = if config.tls.is_some() {
            "https"
        } else {
            "http"
        };
        let host = if config.host.contains(':') {
            format!("[{}]", config.host.trim_matches(['[', ']']))
        } else {
            config.host.clone()
        };
        format!("{scheme}://{host}:{}{prefix}", door.address.port())
    }

    /// What `OS_AUTH_URL` says, ending in `/v3`.
    #[must_use]
    pub fn auth_url(&self) -> String {
        format!("{}/v3", self.url(Service::Keystone))
    }

    /// The `OS_*` variables of the ordinary user.
    #[must_use]
    pub fn env(&self) -> BTreeMap<String, String> {
        let config = &self.shared.config;
        let pairs = [
            ("OS_AUTH_URL", self.auth_url()),
            ("OS_USERNAME", config.user.clone()),
            ("OS_PASSWORD", config.password.clone()),
            ("OS_PROJECT_NAME", config.project.clone()),
            ("OS_USER_DOMAIN_NAME", "Default".to_owned()),
            ("OS_PROJECT_DOMAIN_NAME", "Default".to_owned()),
            ("OS_IDENTITY_API_VERSION", "3".to_owned()),
        ];
        pairs
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }

    /// A clouds file with the clouds `demo` (password) and `demo-appcred` (application credential).
    #[must_use]
    pub fn clouds_yaml(&self) -> String {
        let config = &self.shared.config;
        let (id, secret) = &config.credential;
        format!(
            "clouds:\n  demo:\n    auth:\n      auth_url: {url}\n      username: {user}\n      password: {password}\n      project_name: {project}\n      user_domain_name: Default\n      project_domain_name: Default\n  demo-appcred:\n    auth_type: v3applicationcredential\n    auth:\n      auth_url: {url}\n      application_credential_id: {id}\n      application_credential_secret: {secret}\n",
            url = self.auth_url(),
            user = config.user,
            password = config.password,
            project = config.project,
        )
    }

    /// Adds a stack, its times counted from now; returns its id.
    pub fn stack(&self, stack: Stack) -> String {
        let now = self.time().now();
        self.models().heat.add(stack, now)
    }

    /// Sets what the next such request of Heat leads to (`create`, `update`, `delete`, `suspend`,
    /// …), each time until it is set anew; `stack` narrows it to one stack's name.
    pub fn heat_outcome(&self, action: &str, stack: Option<&str>, outcome: Outcome) {
        self.models().heat.plan(action, stack, outcome);
    }

    /// Lets something happen to a stack from now on, as if somebody else had asked for it.
    pub fn heat_act(&self, action: &str, stack: &str, outcome: Outcome) -> bool {
        let now = self.time().now();
        self.models().heat.act(action, stack, &outcome, now)
    }

    /// Adds a resource of Manila, its times counted from now; returns its id.
    pub fn item(&self, item: Item) -> String {
        let now = self.time().now();
        self.models().manila.add(item, now)
    }

    /// Sets what such a request of Manila leads to: `create` or `delete` of a kind, or the name of an
    /// action (`extend`, `promote`, …), each time until it is set anew.
    pub fn manila_effect(&self, kind: Kind, action: &str, effect: Effect) {
        self.models().manila.plan(kind, action, effect);
    }

    /// Lets something happen to a resource of Manila from now on.
    pub fn manila_act(&self, id: &str, effect: &Effect) -> bool {
        let now = self.time().now();
        self.models().manila.act(id, effect, now)
    }

    /// Makes a token as if somebody had signed in; it lives for `life` from now.
    pub fn token(&self, life: Duration) -> String {
        let now = self.time().now();
        self.models().keystone.issue(now, now + life)
    }

    /// Ends the life of every token given out so far.
    pub fn expire_tokens(&self) {
        self.models().keystone.expire();
    }

    /// How often somebody signed in with success.
    #[must_use]
    pub fn sign_ins(&self) -> usize {
        self.count(&When::sign_in(), Some(201))
    }

    /// Spoils every request that is meant.
    pub fn fault(&self, when: When, fault: Fault) {
        self.answer(when, Answer::fault(fault));
    }

    /// Answers every request that is meant like this.
    pub fn answer(&self, when: When, answer: impl Into<Answer>) {
        lock(&self.shared.rules).each(when, answer.into());
    }

    /// Answers the requests that are meant in this order; after the last, later rules and the models answer.
    pub fn script<A: Into<Answer>>(&self, when: When, answers: impl IntoIterator<Item = A>) {
        lock(&self.shared.rules).turns(when, answers.into_iter().map(Into::into).collect());
    }

    /// Forgets all rules.
    pub fn clear_rules(&self) {
        lock(&self.shared.rules).clear();
    }

    /// How many scripted answers were not asked for yet.
    #[must_use]
    pub fn unasked(&self) -> usize {
        lock(&self.shared.rules).left()
    }

    /// Refuses connections to a service from now on and ends the open ones.
    pub fn down(&self, service: Service) {
        self.door(service).shut(&self.shared);
    }

    /// Takes connections again, on the same port.
    ///
    /// # Errors
    /// When somebody took the port meanwhile.
    pub fn up(&self, service: Service) -> io::Result<()> {
        self.door(service).reopen(&self.shared)
    }

    /// Refuses connections to a service in this span of the cloud's clock. The switch is thrown by
    /// whoever looks at [`Cloud::clock`]: the client under test has to use that one.
    pub fn outage(&self, service: Service, from: Duration, until: Duration) {
        self.clock.plan(service, from, until);
    }

    /// Lets this happen once so many requests have come and the last of them was answered; 0: at once. The switch is
    /// thrown as that of [`Cloud::outage`].
    pub fn turn(&self, requests: usize, turn: Turn) {
        self.shared.turn(requests, turn);
    }

    /// The cloud's time as a clock for the client under test; it throws the switches of [`Cloud::outage`] and
    /// [`Cloud::turn`].
    #[must_use]
    pub fn clock(&self) -> Arc<CloudClock> {
        self.clock.clone()
    }

    /// Ends the open connections of a service, as an idle time-out does.
    pub fn hang_up(&self, service: Service) {
        self.shared.hang_up(service);
    }

    /// Everything that was asked so far, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<Seen> {
        lock(&self.shared.log).clone()
    }

    /// Everything asked so far that is meant; `nth`, `first` and `after` of the condition are not looked at.
    #[must_use]
    pub fn asked(&self, when: &When) -> Vec<Seen> {
        let log = lock(&self.shared.log);
        log.iter()
            .filter(|seen| when.meets(seen.service, &seen.request, seen.time))
            .cloned()
            .collect()
    }

    /// How many requests are meant and, if `status` is given, were answered with it.
    #[must_use]
    pub fn count(&self, when: &When, status: Option<u16>) -> usize {
        let log = lock(&self.shared.log);
        let meant = |seen: &&Seen| {
            when.meets(seen.service, &seen.request, seen.time)
                && (status.is_none() || seen.status == status)
        };
        log.iter().filter(meant).count()
    }

    /// Forgets what was asked so far.
    pub fn clear_log(&self) {
        lock(&self.shared.log).clear();
    }

    fn models(&self) -> MutexGuard<'_, Models> {
        lock(&self.shared.models)
    }

    fn door(&self, service: Service) -> &Door {
        self.doors.of(service)
    }
}

impl Drop for Cloud {
    fn drop(&mut self) {
        for service in [Service::Keystone, Service::Heat, Service::Manila] {
            self.door(service).shut(&self.shared);
            self.shared.hang_up(service);
        }
    }
}
