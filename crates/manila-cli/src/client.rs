//! The Shared File Systems API, as far as a wait needs it: typed calls on a session.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822;
use os_identity::{
    Error, Kind as ErrorKind, Method, Reply, Request, SHARED_FILE_SYSTEM, Session, classify,
};
use poll_core::{Clock, Deadline, Fault};
use serde_json::{Map, Value, json};
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure, engine};

pub use crate::address::encoded;
use crate::address::places;
use crate::answers;
pub use crate::answers::{is_own_404, senseless};
use crate::kind::{ACCESS_BY_ID, Kind};
use crate::rows;
use crate::version::{Microversion, Range};

/// The fields of one resource, in the order of the answer.
pub type Body = Map<String, Value>;

/// The same as it was seen, shared by whoever keeps it: a wait for thousands keeps each once.
pub type Seen = Rc<Body>;

/// Manila reads only this header; without it the answer is that of 2.0.
const VERSION_HEADER: &str = "X-OpenStack-Manila-API-Version";
const EXPERIMENTAL_HEADER: &str = "X-OpenStack-Manila-API-Experimental";

/// So many rows a page: the default limit of Manila itself (`osapi_max_limit`).
pub const PAGE: usize = 1000;

/// The API at one endpoint, at one microversion.
pub struct Client<'s> {
    session: Session<'s>,
    clock: &'s dyn Clock,
    /// Ends in `/v2`, or `/v2/PROJECT`; no slash behind it.
    base: String,
    /// Where the version document is.
    root: String,
    asked: Option<Microversion>,
    version: Cell<Microversion>,
    range: Cell<Option<Range>>,
    /// The range was read again after a 406.
    reread: Cell<bool>,
    /// The service's own time when it last answered.
    time: Cell<Option<Timestamp>>,
}

impl<'s> Client<'s> {
    /// Signs in, finds the endpoint and settles the microversion.
    ///
    /// # Errors
    /// No such service, a microversion that is not offered, and whatever kept us from learning that.
    pub(crate) fn open(stage: &Stage<'s>, deadline: Deadline) -> Result<Self, Failure> {
        let session = stage.session(deadline)?;
        let clock = stage.clock;
        let asked = asked_version(stage.setting("share_api_version").as_deref())?;
        let endpoint = session.endpoint(&SHARED_FILE_SYSTEM)?;
        let (root, base) = places(&endpoint);
        let client = Self {
            session,
            clock,
            base,
            root,
            asked,
            version: Cell::new(asked.unwrap_or(Microversion::new(0))),
            range: Cell::new(None),
            reread: Cell::new(false),
            time: Cell::new(None),
        };
        let what = format!("reading the microversions at {}", client.root);
        let policy = stage.retries(deadline);
        let range = engine::persist(&policy, clock, stage.reporter, &what, &mut |budget| {
            client.read_range(budget)
        })?;
        client.settle(range).map_err(Failure::usage)?;
        Ok(client)
    }

    /// The session below.
    #[must_use]
    pub fn session(&self) -> &Session<'s> {
        &self.session
    }

    /// The microversion that is spoken.
    #[must_use]
    pub fn version(&self) -> Microversion {
        self.version.get()
    }

    /// Refuses what this microversion does not have; `what` begins the message.
    ///
    /// # Errors
    /// Says what is needed and what is offered.
    pub fn need(&self, what: &str, since: Microversion) -> Result<(), Failure> {
        if self.version() >= since {
            return Ok(());
        }
        let offered = match (self.asked, self.range.get()) {
            (Some(asked), _) => format!("{asked} was asked for"),
            (None, Some(range)) => format!("the cloud offers {}", range.newest),
            (None, None) => format!("{} is spoken", self.version()),
        };
        Err(Failure::usage(format!(
            "{what} needs microversion {since}, {offered}"
        )))
    }

    /// One resource. `None`: the service says that it does not exist.
    ///
    /// # Errors
    /// What kept us from looking.
    pub fn one(
        &self,
        kind: &Kind,
        id: &str,
        budget: Option<Duration>,
    ) -> Result<Option<Body>, Fault<Error>> {
        let path = format!("{}/{}", kind.path, encoded(id));
        let Some(answer) = self.get(&path, kind.is_experimental(self.version()), budget)? else {
            return Ok(None);
        };
        answers::one(&answer, &path, kind.one).map(Some)
    }

    /// One page of the list of a kind, by offset: the `next` link of Manila 23 leads to the same page again. `filter`
    /// is a query without `?`.
    ///
    /// # Errors
    /// What kept us from looking.
    pub fn page(
        &self,
        kind: &Kind,
        filter: &str,
        offset: usize,
        budget: Option<Duration>,
    ) -> Result<Vec<Body>, Fault<Error>> {
        let list = kind.list.unwrap_or(kind.path);
        let separator = if filter.is_empty() { "" } else { "&" };
        let path = format!("{list}?{filter}{separator}limit={PAGE}&offset={offset}");
        self.rows(
            &path,
            kind.many,
            kind.is_experimental(self.version()),
            budget,
        )
    }

    /// The same page with nothing of each row but the fields `keep`. `print` is that of the page when it was read last,
    /// or anything else at first. `None`: it has not changed by a byte since.
    ///
    /// # Errors
    /// What kept us from looking.
    pub fn page_of(
        &self,
        kind: &Kind,
        offset: usize,
        keep: &[&str],
        print: &mut u64,
        budget: Option<Duration>,
    ) -> Result<Option<Vec<Body>>, Fault<Error>> {
        let list = kind.list.unwrap_or(kind.path);
        let path = format!("{list}?limit={PAGE}&offset={offset}");
        let experimental = kind.is_experimental(self.version());
        let Some(reply) = self.ask(&path, None, experimental, budget)? else {
            return Err(no_list());
        };
        let new = rows::print(&reply.body);
        if new == *print {
            return Ok(None);
        }
        match rows::read(&reply.body, kind.many, keep) {
            Ok(rows) => {
                *print = new;
                rows.map(Some).ok_or_else(|| senseless(&path, kind.many))
            }
            Err(_) => Err(reply
                .json::<Value>()
                .map_or_else(Fault::Transient, |_| senseless(&path, kind.many))),
        }
    }

    /// The rules of one share: by the list of rules, or by the action that versions before [`ACCESS_BY_ID`] have.
    /// `filter` is a query without `?` for the former. `None`: there is no such share.
    ///
    /// # Errors
    /// What kept us from looking.
    pub fn rules(
        &self,
        share: &str,
        filter: &str,
        budget: Option<Duration>,
    ) -> Result<Option<Vec<Body>>, Fault<Error>> {
        if self.version() >= ACCESS_BY_ID {
            let path = format!("/share-access-rules?{filter}");
            return self.rows(&path, "access_list", false, budget).map(Some);
        }
        // Names of actions lost their prefix with 2.7.
        let action = if self.version() >= Microversion::new(7) {
            "access_list"
        } else {
            "os-access_list"
        };
        let path = format!("/shares/{}/action", encoded(share));
        let body = json!({ action: null }).to_string();
        let reply = self.ask(&path, Some(body.as_bytes()), false, budget)?;
        json_of(reply)?
            .map(|answer| answers::rows(&answer, &path, "access_list"))
            .transpose()
    }

    /// The rows under `key` of a list.
    ///
    /// # Errors
    /// What kept us from looking; a list that does not exist as well.
    pub fn rows(
        &self,
        path: &str,
        key: &str,
        experimental: bool,
        budget: Option<Duration>,
    ) -> Result<Vec<Body>, Fault<Error>> {
        match self.get(path, experimental, budget)? {
            Some(answer) => answers::rows(&answer, path, key),
            None => Err(no_list()),
        }
    }

    /// Whatever is at a path. `None`: the service says that it does not exist.
    ///
    /// # Errors
    /// What kept us from looking.
    pub fn value(
        &self,
        path: &str,
        budget: Option<Duration>,
    ) -> Result<Option<Value>, Fault<Error>> {
        self.get(path, false, budget)
    }

    /// Sends a change, once, and gives back the answer whatever it is. A 406, which says that it was not taken, makes
    /// the range be read again and the change be sent again, once.
    ///
    /// # Errors
    /// What kept the answer from coming.
    pub fn change(
        &self,
        method: Method,
        path: &str,
        body: Option<&[u8]>,
        experimental: bool,
        budget: Option<Duration>,
    ) -> Result<Reply, Error> {
        let reply = self.send(method, path, body, experimental, budget)?;
        if reply.status != 406 || self.reread.replace(true) {
            return Ok(reply);
        }
        let settled = self
            .read_range(budget)
            .is_ok_and(|range| self.settle(range).is_ok());
        if settled {
            self.send(method, path, body, experimental, budget)
        } else {
            Ok(reply)
        }
    }

    /// The service's own time as it was last heard of.
    #[must_use]
    pub fn service_time(&self) -> Option<Timestamp> {
        self.time.get()
    }

    fn get(
        &self,
        path: &str,
        experimental: bool,
        budget: Option<Duration>,
    ) -> Result<Option<Value>, Fault<Error>> {
        let reply = self.ask(path, None, experimental, budget)?;
        json_of(reply)
    }

    /// One request below the base. A 406 makes the range be read again, once.
    fn ask(
        &self,
        path: &str,
        body: Option<&[u8]>,
        experimental: bool,
        budget: Option<Duration>,
    ) -> Result<Option<Reply>, Fault<Error>> {
        let ends = budget.map(|budget| self.clock.now().saturating_add(budget));
        let left = || ends.map(|ends| ends.saturating_sub(self.clock.now()));
        let method = if body.is_some() {
            Method::Post
        } else {
            Method::Get
        };
        let mut reply = self.send(method, path, body, experimental, left());
        if reply.as_ref().is_ok_and(|reply| reply.status == 406) && !self.reread.replace(true) {
            let range = self.read_range(left())?;
            self.settle(range)
                .map_err(|why| Fault::Fatal(Error::config(why)))?;
            reply = self.send(method, path, body, experimental, left());
        }
        let reply = classify(reply, self.clock.now())?;
        match reply.status {
            404 if is_own_404(&reply) => Ok(None),
            200..=299 => Ok(Some(reply)),
            // What stands in front of the service has answered.
            status => {
                let error = Error::new(
                    ErrorKind::Unknown,
                    format!("{path} is answered with HTTP {status}"),
                );
                Err(Fault::Transient(
                    error.with_answer(status, reply.request_id()),
                ))
            }
        }
    }

    fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&[u8]>,
        experimental: bool,
        budget: Option<Duration>,
    ) -> Result<Reply, Error> {
        let url = format!("{}{path}", self.base);
        let version = self.version().to_string();
        let mut request = Request::new(method, &url)
            .header(VERSION_HEADER, &version)
            .budget(budget);
        request.body = body;
        let reply = self.session.send(&if experimental {
            request.header(EXPERIMENTAL_HEADER, "True")
        } else {
            request
        })?;
        let date = reply
            .header("date")
            .and_then(|date| rfc2822::parse(date).ok());
        self.time
            .set(date.map_or(self.time.get(), |date| Some(date.timestamp())));
        Ok(reply)
    }

    /// Reads what the server offers, at its root; where nothing useful is there, at the endpoint itself.
    fn read_range(&self, budget: Option<Duration>) -> Result<Range, Fault<Error>> {
        let look = |url: &str| -> Result<Option<Range>, Fault<Error>> {
            let reply = classify(
                self.session.send(&Request::get(url).budget(budget)),
                self.clock.now(),
            )?;
            // The root answers 300.
            match reply.json::<Value>() {
                Err(error) if reply.coding().is_some() => Err(Fault::Transient(error)),
                body => Ok(body.ok().as_ref().and_then(Range::read)),
            }
        };
        let at_root = look(&self.root);
        match at_root {
            Ok(Some(range)) => Ok(range),
            Err(fault @ (Fault::Transient(_) | Fault::Throttled(..)))
                if fault.error().status() != Some(404) =>
            {
                Err(fault)
            }
            _ => match look(&format!("{}/", self.base))? {
                Some(range) => Ok(range),
                None => Err(Fault::Fatal(Error::new(
                    ErrorKind::Unknown,
                    format!(
                        "neither {} nor {}/ says which microversions there are",
                        self.root, self.base
                    ),
                ))),
            },
        }
    }

    fn settle(&self, range: Range) -> Result<(), String> {
        self.range.set(Some(range));
        self.version.set(range.choose(self.asked)?);
        log::debug!("microversion {} of {range}", self.version());
        Ok(())
    }
}

/// What `--os-share-api-version` and its kin ask for. `2` asks for none in particular.
fn asked_version(text: Option<&str>) -> Result<Option<Microversion>, Failure> {
    match text.map(str::trim) {
        None | Some("" | "2") => Ok(None),
        Some(text) => Microversion::parse(text).map(Some).ok_or_else(|| {
            Failure::new(
                Exit::Usage,
                format!("share_api_version {text}: write a microversion such as 2.60"),
            )
        }),
    }
}

fn json_of(reply: Option<Reply>) -> Result<Option<Value>, Fault<Error>> {
    reply
        .map(|reply| reply.json())
        .transpose()
        .map_err(Fault::Transient)
}

fn no_list() -> Fault<Error> {
    Fault::Fatal(Error::new(
        ErrorKind::NotFound,
        "the service says that this does not exist",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_2_alone_asks_for_none_in_particular() {
        assert_eq!(asked_version(Some("2")).unwrap(), None);
        assert_eq!(
            asked_version(Some("2.45")).unwrap(),
            Some(Microversion::new(45))
        );
        assert_eq!(asked_version(Some("latest")).unwrap_err().exit, Exit::Usage);
    }
}
