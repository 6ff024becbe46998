//! One logical request: its bound, its headers, its redirects.

use std::time::Duration;

use poll_core::Deadline;

use crate::auth::Auth;
use crate::error::Sort;
use crate::http::Wire;
use crate::redirect::{self, Redirect};
use crate::{Break, Error, Kind, Method, Reply, Request, Taken, url};

use super::{Session, Until};

/// More redirects than this make no sense.
const REDIRECTS: u32 = 3;
/// Until so long after the deadline a request with a budget of its own may take: the last round's whole time.
const LAST_ROUND: Duration = Duration::from_millis(400);

impl Session<'_> {
    /// The bound of a logical request that begins now.
    pub(super) fn until(&self, method: Method, budget: Option<Duration>) -> Until {
        let now = self.clock.now();
        let cap = if method.is_change() {
            self.options.change_timeout
        } else {
            self.options.request_timeout
        };
        let span = match (budget, self.deadline.get()) {
            (Some(budget), Deadline::At(point)) => {
                let last = point.saturating_add(LAST_ROUND).saturating_sub(now);
                cap.min(budget).min(last)
            }
            (Some(budget), Deadline::Never) => cap.min(budget),
            (None, Deadline::At(point)) => cap.min(point.saturating_sub(now)),
            (None, Deadline::Never) => cap,
        };
        Until(now.checked_add(span))
    }

    /// With the token, and along redirects.
    pub(super) fn deliver(&self, request: &Request<'_>, until: Until) -> Result<Reply, Error> {
        let credentials = match &self.auth {
            Auth::Keystone(_) => self
                .token
                .borrow()
                .as_ref()
                .map(|token| ("X-Auth-Token", token.value.clone())),
            Auth::Fixed { header, .. } => header.clone(),
        };
        let mut headers = vec![("Accept", "application/json")];
        headers.retain(|(name, _)| {
            !request
                .headers
                .iter()
                .any(|(given, _)| given.eq_ignore_ascii_case(name))
        });
        if request.body.is_some() {
            headers.push(("Content-Type", "application/json"));
        }
        headers.extend(request.headers.iter().copied());
        if let Some((name, value)) = &credentials {
            headers.push((name, value.reveal()));
        }
        let wire = Wire {
            method: request.method,
            url: request.url,
            headers: &headers,
            body: request.body,
            signing_in: false,
            timeout: Duration::ZERO,
        };
        self.follow(wire, request.follow, until)
    }

    /// Along redirects on the same server, with method and body kept: DELETE stays DELETE.
    pub(super) fn follow(
        &self,
        wire: Wire<'_>,
        follow: bool,
        until: Until,
    ) -> Result<Reply, Error> {
        let mut target = wire.url.to_owned();
        for _ in 0..=REDIRECTS {
            let reply = self.exchange(
                &Wire {
                    url: &target,
                    ..wire
                },
                until,
            )?;
            if !follow {
                return Ok(reply);
            }
            match redirect::judge(&target, &reply, !wire.signing_in) {
                Redirect::None => return Ok(reply),
                Redirect::To(next) => target = next,
                Redirect::Elsewhere(next) => {
                    return Err(elsewhere(&wire, &target, &next, &reply));
                }
            }
        }
        let error = Error::new(
            Kind::Unknown,
            format!(
                "{} redirects more than {REDIRECTS} times",
                url::shown(wire.url)
            ),
        );
        Err(error.with_break(Break::Garbled).with_sort(Sort::Transient))
    }
}

/// A redirect to another server: final for signing in, where it is a matter of `auth_url`.
fn elsewhere(wire: &Wire<'_>, target: &str, next: &str, reply: &Reply) -> Error {
    let (target, next) = (url::shown(target), url::shown(next));
    let message = format!("{target} redirects to another server, {next}, where nothing is sent");
    let error = Error::new(Kind::Unknown, message).with_answer(reply.status, reply.request_id());
    if wire.signing_in {
        let hint = format!("set auth_url to where it leads, if that is right: {next}");
        return error
            .with_kind(Kind::Config)
            .with_sort(Sort::Fatal)
            .with_hint(hint);
    }
    let taken = if wire.method.is_change() {
        Taken::Perhaps
    } else {
        Taken::No
    };
    error.with_taken(taken).with_sort(Sort::Transient)
}
