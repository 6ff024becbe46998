//! Signing in, again and early.

use std::time::Duration;

use poll_core::{
    Attempt, Event, Fault, Judge, Observation, Outcome, Patience, Policy, Verdict, wait,
};
use serde::Deserialize;

use crate::auth::{Auth, Keystone, Methods};
use crate::discovery::{self, Start};
use crate::error::Sort;
use crate::http::Wire;
use crate::oidc::{Oidc, TokenEndpoint};
use crate::token::Token;
use crate::{Error, Kind, Method, Reply, Secret, fault, service_message, url};

use super::{Notice, Session, Until};

/// Takes the first token.
struct Any;

impl Judge<()> for Any {
    type Why = ();

    fn judge(&mut self, _: &Observation<()>, _: &Attempt) -> Verdict<()> {
        Verdict::Reached(())
    }
}

impl Session<'_> {
    /// Discovery and token, retried under the policy. Does nothing where that was done.
    ///
    /// # Errors
    /// [`Kind::Refused`] with Keystone's words; [`Kind::Config`] where Keystone calls the request malformed;
    /// [`Kind::Unknown`] where it cannot be reached; [`Kind::Deadline`] where the deadline came first.
    pub fn sign_in(&self) -> Result<(), Error> {
        let Auth::Keystone(keystone) = &self.auth else {
            return Ok(());
        };
        if self.token.borrow().is_some() {
            return Ok(());
        }
        let mut probe = |at: &Attempt| {
            let until = self.until(Method::Get, at.budget);
            match self.token_once(keystone, true, until) {
                Ok(token) => {
                    self.keep(keystone, token);
                    Ok(Observation::Present(()))
                }
                Err(error) => match fault::classify(Err(error), self.clock.now()) {
                    Err(fault) => Err(fault),
                    Ok(_) => Err(Fault::Fatal(Error::new(
                        Kind::Unknown,
                        "signing in gave no answer",
                    ))),
                },
            }
        };
        let mut watch = |event: Event<'_, (), (), Error>| {
            // A try that none follows is told as the error that it ends with.
            if let Event::Retry {
                fault,
                in_a_row,
                pause: pause @ Some(_),
                ..
            } = event
            {
                let (what, error) = ("signing in".to_owned(), fault.error().clone());
                (self.notices)(Notice::Retry {
                    what,
                    error,
                    in_a_row,
                    pause,
                });
            }
        };
        let finished = wait(&self.policy(), self.clock, &mut Any, &mut probe, &mut watch);
        match finished.outcome {
            Outcome::Reached(..) | Outcome::Failed(..) | Outcome::Left(_) => Ok(()),
            Outcome::GaveUp(error, _) => Err(error),
            Outcome::TimedOut(_, Some(error)) if error.kind() != Kind::Deadline => Err(error
                .context("not signed in at the deadline")
                .with_kind(Kind::Unknown)),
            Outcome::TimedOut(..) => Err(Error::new(
                Kind::Deadline,
                format!(
                    "the deadline came while signing in at {}",
                    url::shown(&keystone.auth_url)
                ),
            )),
        }
    }

    /// The policy of retries: while `connect_wait` runs, nothing else ends them.
    fn policy(&self) -> Policy {
        let mut policy = Policy {
            deadline: self.deadline.get(),
            ..self.options.policy
        };
        if !self.options.connect_wait.is_zero() {
            let time = policy
                .patience
                .time
                .map(|time| time.max(self.options.connect_wait));
            policy.patience = Patience {
                time,
                faults: None,
                ..policy.patience
            };
        }
        policy
    }

    /// Renews a token that ends soon. Whether there is a fresh one; where that fails, the old one still serves.
    pub(super) fn renew_early(&self, until: Until) -> bool {
        let Auth::Keystone(keystone) = &self.auth else {
            return false;
        };
        let is_old = self
            .token
            .borrow()
            .as_ref()
            .is_some_and(|token| token.is_old(self.clock.now()));
        if !is_old || !keystone.is_renewable() {
            return false;
        }
        // A slow Keystone must not use up the time of the request that the old token still serves.
        let half = until.left(self.clock.now()) / 2;
        match self.token_once(keystone, false, Until(self.clock.now().checked_add(half))) {
            Ok(token) => {
                self.keep(keystone, token);
                true
            }
            Err(error) => {
                log::warn!(
                    "the token ends soon and could not be renewed yet: {}",
                    error.chain()
                );
                false
            }
        }
    }

    /// Signs in again after a 401.
    pub(super) fn renew(&self, reply: &Reply, until: Until) -> Result<(), Error> {
        let refused = fault::error_of(reply);
        match &self.auth {
            Auth::Fixed { .. } => Err(refused),
            Auth::Keystone(keystone) if !keystone.is_renewable() => {
                let ends = self.token.borrow().as_ref().and_then(|token| token.ends);
                let is_over = ends.is_some_and(|ends| ends <= self.clock.now());
                let sort = if is_over { Sort::Fatal } else { Sort::Refused };
                Err(refused
                    .context(format!(
                        "the token is refused, and auth_type {} cannot give another one",
                        keystone.auth_type
                    ))
                    .with_sort(sort)
                    .with_hint("sign in with a password or an application credential for waits that outlive a token"))
            }
            Auth::Keystone(keystone) => {
                log::info!("the token is refused; signing in again");
                self.keep(keystone, self.token_once(keystone, false, until)?);
                Ok(())
            }
        }
    }

    fn keep(&self, keystone: &Keystone, token: Token) {
        let lives = token.life;
        let again = self.token.replace(Some(token)).is_some();
        let auth_url = url::shown(&keystone.auth_url);
        log::info!("signed in at {auth_url}");
        (self.notices)(Notice::SignedIn {
            again,
            auth_url,
            lives,
        });
        self.warn_of_end();
    }

    /// One try. `first`: no token was given out yet in this run, so a refusal is final.
    fn token_once(&self, keystone: &Keystone, first: bool, until: Until) -> Result<Token, Error> {
        let told = |error: Error| {
            error.context(format!(
                "cannot sign in at {}",
                url::shown(&keystone.auth_url)
            ))
        };
        let base = self.base(keystone, until).map_err(told)?;
        let asked = self.clock.now();
        let reply = match &keystone.methods {
            Methods::Own(_) => self.ask_token(keystone, None, &base, until),
            Methods::Oidc(oidc) => self.federate(keystone, oidc, &base, first, until),
        };
        let reply = reply.map_err(told)?;
        match reply.status {
            200..=299 => Token::read(&reply, self.clock.now())
                .map(|token| token.asked_at(asked))
                .map_err(told),
            _ => Err(told(refusal(&reply, first))),
        }
    }

    /// The v3 URL, found out once.
    fn base(&self, keystone: &Keystone, until: Until) -> Result<String, Error> {
        if let Some(base) = self.base.borrow().as_ref() {
            return Ok(base.clone());
        }
        let (base, sure) = match discovery::start(&keystone.auth_url) {
            Start::Known(base) => (base, true),
            Start::Ask(asked) => {
                let reply = self.ask(Method::Get, &asked, &[], None, until);
                let reply = match reply {
                    // A redirect elsewhere is no answer; where nobody answers, nothing else will help.
                    Err(error) if error.status().is_some() => None,
                    reply => Some(reply?),
                };
                // An overloaded server may tell more the next time.
                let sure = reply
                    .as_ref()
                    .is_some_and(|reply| reply.status < 500 && reply.status != 429);
                (discovery::v3(&asked, reply.as_ref()), sure)
            }
        };
        if sure {
            self.base.replace(Some(base.clone()));
        }
        Ok(base)
    }

    fn ask_token(
        &self,
        keystone: &Keystone,
        unscoped: Option<&Secret>,
        base: &str,
        until: Until,
    ) -> Result<Reply, Error> {
        let body = keystone.body(unscoped).to_string();
        let headers = [("Content-Type", "application/json")];
        self.ask(
            Method::Post,
            &format!("{base}/auth/tokens"),
            &headers,
            Some(body.as_bytes()),
            until,
        )
    }

    /// The identity provider's token, changed for Keystone's, changed for one with a scope.
    fn federate(
        &self,
        keystone: &Keystone,
        oidc: &Oidc,
        base: &str,
        first: bool,
        until: Until,
    ) -> Result<Reply, Error> {
        let access = match oidc.endpoint() {
            None => oidc.ready().cloned().unwrap_or_default(),
            Some(endpoint) => self.access_token(oidc, endpoint, first, until)?,
        };
        let bearer = Secret::new(format!("Bearer {}", access.reveal()));
        let headers = [("Authorization", bearer.reveal())];
        let reply = self.ask(Method::Post, &oidc.federation(base), &headers, None, until)?;
        if !matches!(reply.status, 200..=299) {
            return Err(refusal(&reply, first));
        }
        let unscoped = Token::read(&reply, self.clock.now())?;
        if keystone.body(None).pointer("/auth/scope").is_none() {
            return Ok(reply);
        }
        self.ask_token(keystone, Some(&unscoped.value), base, until)
    }

    fn access_token(
        &self,
        oidc: &Oidc,
        endpoint: &TokenEndpoint,
        first: bool,
        until: Until,
    ) -> Result<Secret, Error> {
        #[derive(Deserialize)]
        struct Document {
            token_endpoint: String,
        }
        let endpoint = match endpoint {
            TokenEndpoint::Known(endpoint) => endpoint.clone(),
            TokenEndpoint::Discover(document) => {
                let reply = self.ask(Method::Get, document, &[], None, until)?;
                if !matches!(reply.status, 200..=299) {
                    return Err(refusal(&reply, first));
                }
                let found: Document = reply
                    .json()
                    .map_err(|error| error.with_sort(Sort::Transient))?;
                found.token_endpoint
            }
        };
        let (form, header) = oidc.form();
        let mut headers = vec![("Content-Type", "application/x-www-form-urlencoded")];
        if let Some(header) = &header {
            headers.push(("Authorization", header.reveal()));
        }
        let reply = self.ask(
            Method::Post,
            &endpoint,
            &headers,
            Some(form.as_bytes()),
            until,
        )?;
        if !matches!(reply.status, 200..=299) {
            let refused = refusal(&reply, first);
            // RFC 6749 §5.2: wrong credentials are 400 invalid_grant, too.
            let kind = if reply.status == 400 {
                Kind::Refused
            } else {
                refused.kind()
            };
            return Err(refused
                .with_kind(kind)
                .context("the identity provider refuses"));
        }
        let answer: serde_json::Value = reply
            .json()
            .map_err(|error| error.with_sort(Sort::Transient))?;
        let token = answer
            .get(&oidc.token_type)
            .and_then(serde_json::Value::as_str);
        token.map(Secret::new).ok_or_else(|| {
            Error::config(format!(
                "the identity provider's answer has no {}",
                oidc.token_type
            ))
            .with_hint("access_token_type is access_token or id_token")
        })
    }

    fn ask(
        &self,
        method: Method,
        target: &str,
        headers: &[(&str, &str)],
        body: Option<&[u8]>,
        until: Until,
    ) -> Result<Reply, Error> {
        let mut all = vec![("Accept", "application/json")];
        all.extend(headers);
        let wire = Wire {
            method,
            url: target,
            headers: &all,
            body,
            signing_in: true,
            timeout: Duration::ZERO,
        };
        self.follow(wire, true, until)
    }
}

/// What an answer other than a token means.
fn refusal(reply: &Reply, first: bool) -> Error {
    let error = fault::error_of(reply);
    let words = service_message(reply);
    let sort = if first { Sort::Fatal } else { Sort::Refused };
    match reply.status {
        400 => error.with_kind(Kind::Config),
        401 => error.with_kind(Kind::Refused).with_sort(sort).with_hint(
            "Keystone says the same of a wrong name, password, project, domain or secret: check each (--show-config)",
        ),
        403 => error.with_kind(Kind::Refused).with_sort(sort),
        404 | 405 if first => {
            let error = if words.is_some() { error } else { Error::config(format!("there is no Identity API (HTTP {})", reply.status)) };
            error.with_kind(Kind::Config).with_sort(Sort::Fatal).with_hint("check auth_url; it often ends in :5000/v3 or /identity/v3")
        }
        404 | 405 => error.with_kind(Kind::Unknown).with_sort(Sort::Transient),
        300..=399 => Error::new(Kind::Config, format!("the answer is a redirect without an aim (HTTP {})", reply.status)),
        _ => error,
    }
}
