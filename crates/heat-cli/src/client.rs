//! This program's client: the endpoints of the Orchestration API that it needs, typed, on the session.
//!
//! API reference: <https://docs.openstack.org/api-ref/orchestration/v1/>.

use std::cell::Cell;
use std::time::Duration;

use os_identity::{Error, Kind, ORCHESTRATION, Reply, Request, Session, classify};
use poll_core::{Clock, Deadline, Fault};
use serde_json::{Map, Value};

use crate::answers;
use crate::model::{Event, Resource, Stack, StackRef};
use crate::rows;

/// How many events are asked for at once.
pub const PAGE: usize = 500;

/// How many stacks one list request names: longer URLs are cut by proxies.
pub const CHUNK: usize = 100;

/// Heat, as one user sees it.
pub struct Client<'s> {
    session: Session<'s>,
    clock: &'s dyn Clock,
    base: String,
    /// Heat itself has answered: that the endpoint is wrong is no explanation any more.
    heard: Cell<bool>,
}

/// A look that may find nothing.
pub type Found<T> = Result<Option<T>, Fault<Error>>;

/// What a list of events is asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct EventQuery<'q> {
    /// Only events after this one. Heat ignores an id that it does not know.
    pub marker: Option<&'q str>,
    /// At most so many; `None`: the server's own limit.
    pub limit: Option<usize>,
    /// Newest first.
    pub newest_first: bool,
    /// Events of nested stacks as well, so deep.
    pub nested_depth: u32,
    /// Only those of this resource.
    pub resource: Option<&'q str>,
    /// Further conditions, ready for the URL: `&resource_status=FAILED`.
    pub further: &'q str,
}

impl<'s> Client<'s> {
    /// Signs in and finds the endpoint.
    ///
    /// # Errors
    /// As [`Session::endpoint`].
    pub fn open(session: Session<'s>, clock: &'s dyn Clock) -> Result<Self, Error> {
        let base = completed(
            &session.endpoint(&ORCHESTRATION)?,
            session.project_id().as_deref(),
        );
        Ok(Self {
            session,
            clock,
            base,
            heard: Cell::new(false),
        })
    }

    /// The time on the clock of this run.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.clock.now()
    }

    /// The session, for what is no look.
    #[must_use]
    pub fn session(&self) -> &Session<'s> {
        &self.session
    }

    /// Moves the deadline of every request.
    pub fn set_deadline(&self, deadline: Deadline) {
        self.session.set_deadline(deadline);
    }

    /// Looks a stack up by name, id or `name/id`. Heat answers with a redirect, of which only what follows `/stacks/`
    /// is taken: a prefix or proxy in front of Heat never matters.
    ///
    /// # Errors
    /// What kept the answer from coming.
    pub fn find(&self, name: &str, budget: Option<Duration>) -> Found<StackRef> {
        let path: Vec<String> = name.split('/').map(os_identity::url::encode).collect();
        let url = format!(
            "{}/stacks/{}?resolve_outputs=False",
            self.base,
            path.join("/")
        );
        let Some(reply) = self.ask(&url, budget)? else {
            return Ok(None);
        };
        if (300..400).contains(&reply.status) {
            let location = reply.header("location").unwrap_or_default();
            return self.located(location).map(Some).ok_or_else(|| {
                answers::senseless(
                    &reply,
                    &format!("a redirect that names no stack: '{location}'"),
                )
            });
        }
        let stack = answers::stack(&reply)?;
        Ok(Some(StackRef {
            base: self.base.clone(),
            name: stack.name().to_owned(),
            id: stack.id().to_owned(),
        }))
    }

    /// NAME/ID after `/stacks/`, joined to our own endpoint, with the project of the redirect where that is another.
    fn located(&self, location: &str) -> Option<StackRef> {
        let path = location.split(['?', '#']).next()?;
        let (before, after) = path.split_once("/stacks/")?;
        let mut segments = after.split('/');
        let (name, id) = (segments.next()?, segments.next()?);
        let project = before
            .rsplit('/')
            .next()
            .filter(|project| !project.is_empty());
        let base = match (project, self.session.project_id()) {
            (Some(theirs), Some(ours)) if theirs != ours => self
                .base
                .strip_suffix(&ours)
                .map_or_else(|| self.base.clone(), |root| format!("{root}{theirs}")),
            _ => self.base.clone(),
        };
        let found = !name.is_empty() && !id.is_empty();
        found.then(|| StackRef {
            base,
            name: name.to_owned(),
            id: id.to_owned(),
        })
    }

    /// One stack, its outputs left unresolved. `None`: it is gone.
    ///
    /// # Errors
    /// What kept the answer from coming.
    pub fn stack(&self, stack: &StackRef, budget: Option<Duration>) -> Found<Stack> {
        match self.get(&format!("{}?resolve_outputs=False", stack.url()), budget)? {
            Some(reply) => answers::stack(&reply).map(Some),
            None => Ok(None),
        }
    }

    /// The stacks of these ids or names (at most [`CHUNK`]), deleted, nested and hidden ones included. One that the
    /// list leaves out may still exist: in another project.
    ///
    /// # Errors
    /// What kept the answer from coming.
    pub fn stacks(
        &self,
        key: &str,
        values: &[&str],
        budget: Option<Duration>,
    ) -> Result<Vec<Stack>, Fault<Error>> {
        let stacks = self.stacks_unless_same(&self.list_url(key, values), &mut 0, budget)?;
        Ok(stacks.unwrap_or_default())
    }

    /// The list of the stacks of these ids or names.
    #[must_use]
    pub fn list_url(&self, key: &str, values: &[&str]) -> String {
        let mut url = format!(
            "{}/stacks?show_deleted=True&show_nested=True&show_hidden=True",
            self.base
        );
        for value in values {
            for part in ["&", key, "="] {
                url.push_str(part);
            }
            os_identity::url::push_encoded(&mut url, value);
        }
        url
    }

    /// The stacks of a [`Client::list_url`]. `print` is that of the answer when it was read last, or anything else at first.
    /// `None`: it has not changed by a byte since.
    ///
    /// # Errors
    /// What kept the answer from coming.
    pub fn stacks_unless_same(
        &self,
        url: &str,
        print: &mut u64,
        budget: Option<Duration>,
    ) -> Result<Option<Vec<Stack>>, Fault<Error>> {
        let Some(reply) = self.get(url, budget)? else {
            return Ok(Some(Vec::new()));
        };
        let new = rows::print(url, &reply.body);
        if new == *print {
            return Ok(None);
        }
        let stacks = answers::stacks(&reply)?;
        *print = new;
        Ok(Some(stacks))
    }

    /// The endpoint with our project.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Events, oldest first unless asked otherwise. `None`: the stack is gone.
    ///
    /// # Errors
    /// What kept the answer from coming.
    pub fn events(
        &self,
        stack: &StackRef,
        query: EventQuery<'_>,
        budget: Option<Duration>,
    ) -> Found<Vec<Event>> {
        let resource = query.resource.map_or_else(String::new, |name| {
            format!("/resources/{}", os_identity::url::encode(name))
        });
        let mut url = format!(
            "{}{resource}/events?sort_dir={}{}",
            stack.url(),
            if query.newest_first { "desc" } else { "asc" },
            query.further
        );
        if let Some(limit) = query.limit {
            url.push_str(&format!("&limit={limit}"));
        }
        if let Some(marker) = query.marker {
            url.push_str(&format!("&marker={}", os_identity::url::encode(marker)));
        }
        if query.nested_depth > 0 {
            url.push_str(&format!("&nested_depth={}", query.nested_depth));
        }
        let Some(reply) = self.get(&url, budget)? else {
            return Ok(None);
        };
        answers::events(&reply).map(Some)
    }

    /// The resources of a stack and of the stacks nested in it, so deep. `None`: the stack is gone.
    ///
    /// # Errors
    /// What kept the answer from coming.
    pub fn resources(
        &self,
        stack: &StackRef,
        nested_depth: u32,
        budget: Option<Duration>,
    ) -> Found<Vec<Resource>> {
        self.resource_list(stack, &format!("nested_depth={nested_depth}"), budget)
    }

    /// The failed ones among [`Client::resources`]. A Heat that cannot choose answers with all of them.
    ///
    /// # Errors
    /// What kept the answer from coming.
    pub fn failed_resources(
        &self,
        stack: &StackRef,
        nested_depth: u32,
        budget: Option<Duration>,
    ) -> Found<Vec<Resource>> {
        let failed = format!("nested_depth={nested_depth}&status=FAILED");
        match self.resource_list(stack, &failed, budget) {
            Err(Fault::Fatal(error)) if error.kind() == Kind::Rejected => {
                self.resources(stack, nested_depth, budget)
            }
            found => found,
        }
    }

    fn resource_list(
        &self,
        stack: &StackRef,
        query: &str,
        budget: Option<Duration>,
    ) -> Found<Vec<Resource>> {
        let Some(reply) = self.get(&format!("{}/resources?{query}", stack.url()), budget)? else {
            return Ok(None);
        };
        answers::resources(&reply).map(Some)
    }

    /// What lies at `path` below a stack, such as `/outputs`, or, for `None`, below the project. `None`: there is no
    /// such thing.
    ///
    /// # Errors
    /// What kept the answer from coming.
    pub fn object(
        &self,
        stack: Option<&StackRef>,
        path: &str,
        budget: Option<Duration>,
    ) -> Found<Map<String, Value>> {
        let above = stack.map_or_else(|| self.base.clone(), StackRef::url);
        match self.get(&format!("{above}{path}"), budget)? {
            Some(reply) => reply.json().map(Some).map_err(Fault::Transient),
            None => Ok(None),
        }
    }

    /// One look at what has no redirects.
    fn get(&self, url: &str, budget: Option<Duration>) -> Found<Reply> {
        match self.ask(url, budget)? {
            Some(reply) if (300..400).contains(&reply.status) => {
                let location = reply.header("location").unwrap_or_default();
                let location = os_identity::url::shown(location);
                let what = format!("a redirect to '{location}', which is not followed");
                Err(answers::senseless(&reply, &what))
            }
            reply => Ok(reply),
        }
    }

    /// One look. `None`: the service itself says that the stack does not exist.
    fn ask(&self, url: &str, budget: Option<Duration>) -> Found<Reply> {
        let request = Request::get(url).budget(budget).no_follow();
        let reply = classify(self.session.send(&request), self.clock.now())?;
        if reply.status != 404 {
            self.heard.set(true);
            return Ok(Some(reply));
        }
        // Heat names what it did not find; the web framework's own 404 means that this is no path of Heat.
        if answers::is_own_404(&reply)? {
            self.heard.set(true);
            return Ok(None);
        }
        let shown = os_identity::url::shown(&reply.url);
        let error = Error::new(Kind::Unknown, format!("no Heat answers at {shown}"))
            .with_answer(404, reply.request_id());
        // Where it has answered before, something in front of it has lost it for a while.
        Err(if self.heard.get() {
            Fault::Transient(error)
        } else {
            Fault::Fatal(
                error.with_hint("check the endpoint in the catalog, or --os-endpoint-override"),
            )
        })
    }
}

/// The endpoint with version and project, where it is only a root.
fn completed(endpoint: &str, project: Option<&str>) -> String {
    let endpoint = endpoint.trim_end_matches('/');
    let Some(project) = project.filter(|project| !endpoint.contains(project)) else {
        return endpoint.to_owned();
    };
    let url = os_identity::url::with_version(endpoint, "v1");
    // Behind the version comes the project, or something that is not ours to know.
    if os_identity::url::version(&url) == url.rsplit('/').next() {
        format!("{url}/{project}")
    } else {
        url
    }
}
