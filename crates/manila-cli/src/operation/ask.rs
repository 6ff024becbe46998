//! What a row makes its request from: the arguments, the resource that was named, and look-ups of other names.

use os_identity::Method;
use poll_core::{Deadline, Fault};
use serde_json::{Map, Value};
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure, engine};

use super::{Change, Given};
use crate::client::{Body, Client, encoded, senseless};
use crate::kind::{ACCESS, ACCESS_BY_ID, Kind};
use crate::lookup::{self, Listed, id_of};
use crate::version::Microversion;

/// The first version without `os-` before the names of actions and paths.
const PLAIN_ACTIONS: Microversion = Microversion::new(7);

/// One change to be made.
pub struct Ask<'a, 's> {
    /// The arguments.
    pub given: &'a Given,
    /// The service.
    pub client: &'a Client<'s>,
    /// The resource that the first argument names, and its kind.
    pub target: Option<(&'static Kind, &'a Body)>,
    /// For look-ups.
    pub stage: &'a Stage<'s>,
    /// The end of everything.
    pub deadline: Deadline,
}

impl Ask<'_, '_> {
    /// The resource that the first argument names.
    ///
    /// # Errors
    /// Never for a row that says what its first argument names.
    pub fn named(&self) -> Result<(&'static Kind, &Body), Failure> {
        self.target
            .ok_or_else(|| Failure::usage("the first argument names nothing"))
    }

    /// Whether the version has plain names of actions and paths.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.client.version() >= PLAIN_ACTIONS
    }

    /// The path of a resource, with `suffix` behind it.
    #[must_use]
    pub fn path(&self, kind: &Kind, body: &Body, suffix: &str) -> String {
        format!("{}/{}{suffix}", kind.path, encoded(&id_of(body)))
    }

    /// An action on the resource that was named.
    ///
    /// # Errors
    /// As [`Ask::named`].
    pub fn action(&self, action: &str, info: Value) -> Result<Change, Failure> {
        let (kind, body) = self.named()?;
        Ok(self.action_on(kind, body, action, info))
    }

    /// An action on a resource. Before 2.7 those of shares, snapshots and instances begin with `os-`.
    #[must_use]
    pub fn action_on(&self, kind: &'static Kind, body: &Body, action: &str, info: Value) -> Change {
        let (path, request) = self.action_request(kind, body, action, info);
        Change::old(kind, body, Method::Post, path, Some(request))
    }

    /// Path and body of an action.
    #[must_use]
    pub fn action_request(
        &self,
        kind: &Kind,
        body: &Body,
        action: &str,
        info: Value,
    ) -> (String, Value) {
        let has_prefix = matches!(
            action,
            "force_delete" | "extend" | "shrink" | "allow_access" | "deny_access"
        );
        let action = if has_prefix && !self.is_plain() {
            format!("os-{action}")
        } else {
            action.to_owned()
        };
        let request = Value::Object(Map::from_iter([(action, info)]));
        (self.path(kind, body, "/action"), request)
    }

    /// The resource of this kind that `asked` names; `option` says where it was given.
    ///
    /// # Errors
    /// There is none, or several; what kept us from looking.
    pub fn find(&self, kind: &'static Kind, asked: &str, option: &str) -> Result<Body, Failure> {
        find(self.client, kind, asked, self.stage, self.deadline)?.ok_or_else(|| {
            let missing = kind.missing(asked);
            let message = if option.is_empty() {
                missing
            } else {
                format!("{option}: {missing}")
            };
            Failure::new(Exit::NotFound, message)
        })
    }

    /// The ID of what an option names; `None` where it was not given.
    ///
    /// # Errors
    /// As [`Ask::find`].
    pub fn id(&self, kind: &'static Kind, option: &str) -> Result<Option<String>, Failure> {
        let found = self
            .given
            .text(option)
            .map(|asked| self.find(kind, asked, option));
        Ok(found.transpose()?.map(|body| id_of(&body)))
    }

    /// An access rule of a share. Services before 2.45 can only list them.
    ///
    /// # Errors
    /// There is none; what kept us from looking.
    pub fn rule(&self, share: &Body, id: &str) -> Result<Body, Failure> {
        if self.client.version() >= ACCESS_BY_ID {
            return self.find(&ACCESS, id, "");
        }
        let what = format!("{} {id}", ACCESS.noun);
        let share = id_of(share);
        let rules = self.persist(&what, &mut |left| self.client.rules(&share, "", left))?;
        rules
            .unwrap_or_default()
            .into_iter()
            .find(|rule| id_of(rule) == id)
            .ok_or_else(|| Failure::new(Exit::NotFound, ACCESS.missing(id)))
    }

    /// The ID of a share type that an option names.
    ///
    /// # Errors
    /// There is none, or several; what kept us from looking.
    pub fn share_type(&self, asked: &str) -> Result<String, Failure> {
        let list = self.rows("/types?is_public=all", "volume_types", "share types")?;
        one_of(&list, asked, "share type")
    }

    /// The ID of the type that shares get without one.
    ///
    /// # Errors
    /// There is none; what kept us from looking.
    pub fn default_share_type(&self) -> Result<String, Failure> {
        let path = "/types/default";
        let id_of = |answer: &Value| {
            let one = answer
                .get("share_type")
                .or_else(|| answer.get("volume_type"))?;
            Some(one.get("id")?.as_str()?.to_owned())
        };
        let found = self.persist("the default share type", &mut |left| {
            let answer = self.client.value(path, left)?;
            let id = |answer| id_of(&answer).ok_or_else(|| senseless(path, "share_type"));
            answer.map(id).transpose()
        })?;
        found.ok_or_else(|| {
            Failure::usage("there is no default share type").hint("name one with --share-type")
        })
    }

    /// The ID of a share group type.
    ///
    /// # Errors
    /// There is none, or several; what kept us from looking.
    pub fn group_type(&self, asked: &str) -> Result<String, Failure> {
        let list = self.rows(
            "/share-group-types?is_public=all",
            "share_group_types",
            "share group types",
        )?;
        one_of(&list, asked, "share group type")
    }

    fn rows(&self, path: &str, key: &str, what: &str) -> Result<Vec<Body>, Failure> {
        let experimental = self.client.version() < Microversion::new(55);
        self.persist(what, &mut |left| {
            self.client.rows(path, key, experimental, left)
        })
    }

    fn persist<T>(
        &self,
        what: &str,
        ask: &mut dyn FnMut(Option<std::time::Duration>) -> Result<T, Fault<os_identity::Error>>,
    ) -> Result<T, Failure> {
        engine::persist(
            &self.stage.retries(self.deadline),
            self.stage.clock,
            self.stage.reporter,
            what,
            ask,
        )
    }
}

/// Looks for what the user named, as patiently as the wait itself.
///
/// # Errors
/// An empty name; several of that name; what kept us from looking.
pub fn find(
    client: &Client<'_>,
    kind: &'static Kind,
    asked: &str,
    stage: &Stage<'_>,
    deadline: Deadline,
) -> Result<Option<Body>, Failure> {
    if asked.trim().is_empty() {
        return Err(Failure::usage(format!(
            "'{asked}' is neither a name nor an ID"
        )));
    }
    let what = format!("{} {asked}", kind.noun);
    engine::persist(
        &stage.retries(deadline),
        stage.clock,
        stage.reporter,
        &what,
        &mut |left| lookup::find(client, kind, asked, true, &|| left),
    )
}

/// Looks for several at once, by one list. What it does not say is looked for one by one; a list that cannot be had says
/// nothing.
///
/// # Errors
/// What kept us from looking.
pub fn list(
    client: &Client<'_>,
    kind: &'static Kind,
    asked: &[String],
    stage: &Stage<'_>,
    deadline: Deadline,
) -> Result<Listed, Failure> {
    if asked.len() < 2 || kind.list.is_none() {
        return Ok(Listed::default());
    }
    let what = format!("{} {}s", asked.len(), kind.noun);
    engine::persist(
        &stage.retries(deadline),
        stage.clock,
        stage.reporter,
        &what,
        &mut |left| match Listed::read(client, kind, asked, &|| left) {
            Err(fault @ Fault::Throttled(..)) => Err(fault),
            listed => Ok(listed.unwrap_or_default()),
        },
    )
}

/// The one of this name or ID.
fn one_of(list: &[Body], asked: &str, noun: &str) -> Result<String, Failure> {
    if list.iter().any(|one| id_of(one) == asked) {
        return Ok(asked.to_owned());
    }
    let named: Vec<String> = list
        .iter()
        .filter(|one| one.get("name").and_then(Value::as_str) == Some(asked))
        .map(id_of)
        .collect();
    match named.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(Failure::new(
            Exit::NotFound,
            format!("no {noun} with a name or ID of '{asked}'"),
        )),
        several => Err(Failure::usage(format!(
            "the name {asked} is that of {} {noun}s: {}",
            several.len(),
            several.join(", ")
        ))
        .hint("name one of them by its ID")),
    }
}
