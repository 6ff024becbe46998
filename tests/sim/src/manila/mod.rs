//! Shared file systems: resources that follow their scripts. Shapes and quirks as recorded from
//! Manila 23 in `fixtures/manila`.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::config::Config;
use crate::response::Response;
use crate::wire::Request;

mod change;
pub(crate) mod errors;
mod item;
mod kind;
mod list;
mod show;
mod usual;
mod version;

pub use item::{Effect, Item};
pub use kind::Kind;
use kind::Row;

const TYPES: &str = include_str!("../../fixtures/manila/share-types.txt");
const GROUP_TYPES: &str = include_str!("../../fixtures/manila/group-types.txt");

/// Everything there ever was.
#[derive(Debug, Default)]
pub(crate) struct Manila {
    items: Vec<Item>,
    by_id: HashMap<String, usize>,
    plans: HashMap<(Kind, String), Effect>,
}

/// What the handlers of one request need.
struct Ask<'a> {
    config: &'a Config,
    request: &'a Request,
    now: Duration,
    /// Minor number of the microversion.
    version: u32,
    /// Root with prefix: `http://…`.
    root: String,
}

/// Whether a path is served without a token.
pub(crate) fn open(config: &Config, request: &Request) -> bool {
    request
        .path
        .strip_prefix(&config.manila_prefix)
        .is_some_and(|path| path.trim_matches('/').is_empty())
}

impl Manila {
    pub(crate) fn add(&mut self, mut item: Item, now: Duration) -> String {
        item.shift(now);
        self.keep(item)
    }

    fn keep(&mut self, mut item: Item) -> String {
        let number = self.items.len();
        if item.id.is_empty() {
            item.id = format!("{:08x}-5a4e-4000-8000-{:012x}", number + 1, number + 1);
        }
        let (id, kind) = (item.id.clone(), item.kind);
        let messages = std::mem::take(&mut item.messages);
        self.by_id.insert(id.clone(), number);
        self.items.push(item);
        for (at, text) in messages {
            self.note(kind, &id, at, &text);
        }
        id
    }

    /// Adds a message to the user.
    fn note(&mut self, about: Kind, id: &str, at: Duration, text: &str) {
        let resource_type = match about {
            Kind::Snapshot => "SHARE_SNAPSHOT",
            Kind::Replica => "SHARE_REPLICA",
            _ => "SHARE",
        };
        let number = self.items.len() + 1;
        let mut message = Item::new(Kind::Message, "")
            .set("resource_id", id)
            .set("resource_type", resource_type)
            .set("user_message", text)
            .set(
                "request_id",
                format!("req-{number:08x}-0000-4000-8000-0000000000e0"),
            )
            .id(&format!("{number:08x}-3e55-4000-8000-{number:012x}"));
        message.created = at;
        self.by_id.insert(message.id.clone(), self.items.len());
        self.items.push(message);
    }

    pub(crate) fn plan(&mut self, kind: Kind, action: &str, effect: Effect) {
        self.plans.insert((kind, action.to_owned()), effect);
    }

    pub(crate) fn answer(&mut self, config: &Config, request: &Request) -> Response {
        let Some(path) = request.path.strip_prefix(&config.manila_prefix) else {
            return Response::html(404);
        };
        let root = format!("{}{}", request.base(), config.manila_prefix);
        match path {
            "" | "/" => return Response::json(300, &version::root(config, &root)),
            "/v2" => {
                return Response::new(302)
                    .header("Content-Type", "text/plain; charset=utf8")
                    .header("Location", format!("{root}/v2/"));
            }
            _ if !path.starts_with("/v2/") => return Response::html(404),
            // An empty id.
            _ if path.ends_with('/') && path != "/v2/" => return Response::html(404),
            _ => {}
        }
        let minor = match version::asked(config, request) {
            Ok(minor) => minor,
            Err(reply) => return reply,
        };
        let ask = Ask {
            config,
            request,
            now: config.time.now(),
            version: minor,
            root,
        };
        let reply = self.route(&ask, path);
        if reply.headers.iter().any(|(name, value)| {
            name == "Content-Type" && value.starts_with("text/html") && reply.status == 404
        }) {
            return reply;
        }
        let reply = version::dressed(reply, &format!("2.{minor}"));
        if ask.tried() {
            reply.header("X-Openstack-Manila-Api-Experimental", "True")
        } else {
            reply
        }
    }

    fn route(&mut self, ask: &Ask<'_>, path: &str) -> Response {
        let all = Request {
            path: path.to_owned(),
            ..Request::default()
        }
        .segments();
        let mut segments: Vec<&str> = all.iter().skip(1).map(String::as_str).collect();
        // Older catalogs have the project in the URL.
        if segments.first() == Some(&ask.config.project_id.as_str()) {
            segments.remove(0);
        }
        let method = ask.request.method.as_str();
        match (method, segments.as_slice()) {
            ("GET", []) => return Response::json(200, &version::root(ask.config, &ask.root)),
            ("GET", ["types"]) => {
                return recorded(TYPES);
            }
            ("GET", ["types", wanted]) => {
                return one_type(
                    TYPES,
                    "volume_types",
                    &["volume_type", "share_type"],
                    wanted,
                );
            }
            ("GET", ["share-group-types", wanted]) => {
                return one_type(
                    GROUP_TYPES,
                    "share_group_types",
                    &["share_group_type"],
                    wanted,
                );
            }
            ("GET", ["share-group-types"]) => {
                return recorded(GROUP_TYPES);
            }
            ("GET", ["availability-zones"]) => {
                return recorded(include_str!("../../fixtures/manila/availability-zones.txt"));
            }
            ("GET", ["limits"]) => {
                return recorded(include_str!("../../fixtures/manila/limits.txt"));
            }
            ("GET", ["services"]) if !ask.config.admin => return errors::denied(),
            ("GET", ["services"]) => {
                return recorded(include_str!("../../fixtures/manila/services-admin.txt"));
            }
            _ => {}
        }
        let Some((row, rest)) = segments
            .split_first()
            .and_then(|(path, rest)| Some((Row::at(path)?, rest)))
        else {
            return Response::html(404);
        };
        if ask.version < row.since || (ask.version < row.settled && !ask.tried()) {
            return errors::not_found();
        }
        if row.admin && !ask.config.admin {
            return errors::denied();
        }
        match (method, rest) {
            ("GET", []) => self.list(ask, row, row.short),
            ("GET", ["detail"]) => self.list(ask, row, &[]),
            ("POST", []) => self.create(ask, row, "create"),
            ("POST", ["manage"]) => self.create(ask, row, "manage"),
            (_, [id, rest @ ..]) => {
                let Some(item) = self.seen(ask, row, id) else {
                    return row.missing(id);
                };
                match (method, rest) {
                    ("GET", []) => Response::json(200, &json!({row.one: self.shown(ask, item)})),
                    ("GET", ["export_locations"]) if row.kind == Kind::Share => {
                        self.export_locations(ask, item)
                    }
                    ("GET", ["instances"]) if row.kind == Kind::Share => self.instances_of(ask, id),
                    ("PUT", []) => self.rename(ask, row, id),
                    ("DELETE", []) => self.change(ask, row, id, "delete", &Value::Null),
                    ("POST", ["action"]) => self.action(ask, row, id),
                    _ => Response::html(404),
                }
            }
            _ => Response::html(404),
        }
    }

    /// The one of that id, if the caller may see it.
    fn seen(&self, ask: &Ask<'_>, row: &Row, id: &str) -> Option<&Item> {
        let item = self
            .by_id
            .get(id)
            .and_then(|index| self.items.get(*index))?;
        (item.kind == row.kind && item.there(ask.now) && ask.may_see(item)).then_some(item)
    }
}

impl Ask<'_> {
    /// Whether the caller wants what is experimental.
    fn tried(&self) -> bool {
        self.request
            .header("x-openstack-manila-api-experimental")
            .is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }

    fn may_see(&self, item: &Item) -> bool {
        self.config.admin
            || item
                .project
                .as_ref()
                .is_none_or(|project| *project == self.config.project_id)
    }
}

impl Row {
    /// Most kinds say nothing about the id.
    fn missing(&self, id: &str) -> Response {
        match self.kind {
            Kind::Replica => errors::fault(404, &format!("Replica {id} not found.")),
            Kind::Rule => errors::fault(404, &format!("Share access rule {id} not found.")),
            _ => errors::not_found(),
        }
    }
}

fn recorded(exchange: &str) -> Response {
    Response::new(200)
        .header("Content-Type", "application/json")
        .body(crate::fixtures::body(exchange))
}

/// One of the recorded types, by id or as the default; `names` are its envelopes.
fn one_type(exchange: &str, list: &str, names: &[&str], wanted: &str) -> Response {
    let all = crate::fixtures::json(exchange);
    let is = |one: &&Value| {
        let default = one.get("is_default").and_then(Value::as_bool) == Some(true);
        one.get("id").and_then(Value::as_str) == Some(wanted) || (wanted == "default" && default)
    };
    match all
        .get(list)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .find(is)
    {
        Some(one) => {
            let body: Map<String, Value> = names
                .iter()
                .map(|name| ((*name).to_owned(), one.clone()))
                .collect();
            Response::json(200, &Value::Object(body))
        }
        None => errors::fault(404, "Share type not found."),
    }
}
