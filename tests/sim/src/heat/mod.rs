//! Orchestration: stacks that follow their scripts. Shapes and quirks as recorded from Heat 27 in
//! `fixtures/heat`.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::config::Config;
use crate::faults::redirect;
use crate::response::Response;
use crate::wire::Request;

mod change;
pub(crate) mod errors;
mod events;
mod list;
mod outcome;
mod resources;
mod show;
mod stack;

pub use outcome::Outcome;
pub use stack::Stack;
use stack::Step;

/// All stacks there ever were.
#[derive(Debug, Default)]
pub(crate) struct Heat {
    stacks: Vec<Stack>,
    by_id: HashMap<String, usize>,
    by_name: HashMap<String, Vec<usize>>,
    plans: HashMap<(String, Option<String>), Outcome>,
    events: usize,
}

/// Whether a path is served without a token.
pub(crate) fn open(config: &Config, request: &Request) -> bool {
    request
        .path
        .strip_prefix(&config.heat_prefix)
        .is_some_and(|path| path.trim_matches('/').is_empty())
}

/// What the handlers of one request need.
struct Ask<'a> {
    config: &'a Config,
    request: &'a Request,
    now: Duration,
    /// `http://…/v1/PROJECT/stacks`
    stacks: String,
}

impl Heat {
    pub(crate) fn add(&mut self, mut stack: Stack, now: Duration) -> String {
        stack.shift(now);
        self.keep(stack, None)
    }

    fn keep(&mut self, mut stack: Stack, parent: Option<(String, String)>) -> String {
        let number = self.stacks.len();
        if stack.id.is_empty() {
            stack.id = format!("{:08x}-5ac0-4000-8000-{:012x}", number + 1, number + 1);
        }
        stack.parent = parent;
        let children = std::mem::take(&mut stack.children);
        self.number(&mut stack);
        let id = stack.id.clone();
        self.by_id.insert(id.clone(), number);
        self.by_name
            .entry(stack.name.clone())
            .or_default()
            .push(number);
        self.stacks.push(stack);
        for (resource, mut child) in children {
            if !child.steps.is_empty() {
                child.created = child.steps.first().map_or(child.created, |step| step.at);
            }
            let child = self.keep(child, Some((id.clone(), resource.clone())));
            if let Some(stack) = self.stacks.get_mut(number) {
                stack
                    .steps
                    .iter_mut()
                    .filter(|step| step.resource.as_ref() == Some(&resource))
                    .for_each(|step| step.physical = Some(child.clone()));
            }
        }
        id
    }

    /// Sorts the steps and gives events their ids.
    fn number(&mut self, stack: &mut Stack) {
        stack.steps.sort_by_key(|step| step.at);
        for step in &mut stack.steps {
            if step.id.is_empty() {
                self.events += 1;
                step.id = format!("{:08x}-e7e0-4000-8000-{:012x}", self.events, self.events);
            }
        }
    }

    pub(crate) fn answer(&mut self, config: &Config, request: &Request) -> Response {
        errors::as_accepted(self.own_answer(config, request), request)
    }

    fn own_answer(&mut self, config: &Config, request: &Request) -> Response {
        let Some(path) = request.path.strip_prefix(&config.heat_prefix) else {
            return errors::no_path();
        };
        let all = Request {
            path: path.to_owned(),
            ..Request::default()
        }
        .segments();
        let segments: Vec<&str> = all.iter().map(String::as_str).collect();
        let root = format!("{}{}", request.base(), config.heat_prefix);
        let (project, rest) = match segments.as_slice() {
            [] => {
                let version = json!({"id": "v1.0", "status": "CURRENT", "links": [{"rel": "self", "href": format!("{root}/v1/")}]});
                return Response::json(300, &json!({"versions": [version]}));
            }
            ["v1", project, rest @ ..] => (*project, rest),
            _ => return errors::no_path(),
        };
        if project != config.project_id && !config.admin {
            return errors::fault(403, "HTTPForbidden", "Access was denied to this resource.");
        }
        let ask = Ask {
            config,
            request,
            now: config.time.now(),
            stacks: format!("{root}/v1/{project}/stacks"),
        };
        match (request.method.as_str(), rest) {
            ("GET", ["build_info"]) => Response::json(
                200,
                &json!({"api": {"revision": "unknown"}, "engine": {"revision": "unknown"}}),
            ),
            ("POST", ["validate"]) => {
                recorded(200, include_str!("../../fixtures/heat/validate.txt"))
            }
            ("GET", ["services"]) => errors::fault(
                403,
                "Forbidden",
                "You are not authorized to use service:index.",
            ),
            ("GET", ["stacks"]) => self.list(&ask),
            ("POST", ["stacks"]) => self.create(&ask),
            ("POST", ["stacks", "preview"]) => {
                recorded(200, include_str!("../../fixtures/heat/preview.txt"))
            }
            (_, ["stacks", name, part @ ..]) => self.stack(&ask, name, part),
            _ => errors::no_path(),
        }
    }

    /// Everything below one stack.
    fn stack(&mut self, ask: &Ask<'_>, name: &str, part: &[&str]) -> Response {
        // What Heat looks up by a bare name or id; everything else there is taken for NAME/ID.
        const BARE: [&str; 6] = [
            "resources",
            "events",
            "template",
            "actions",
            "environment",
            "files",
        ];
        let (id, part) = match part {
            [word, _, ..] if BARE.contains(word) || *word == "outputs" => return errors::no_path(),
            [id, part @ ..] if !BARE.contains(id) => (*id, part),
            _ => {
                let Some(stack) = self.called(ask, name) else {
                    return errors::no_stack(name);
                };
                let tail: String = part.iter().map(|part| format!("/{part}")).collect();
                let query = if ask.request.query.is_empty() {
                    String::new()
                } else {
                    format!("?{}", ask.request.query)
                };
                return redirect(
                    302,
                    &format!("{}/{}/{}{tail}{query}", ask.stacks, stack.name, stack.id),
                );
            }
        };
        let Some(index) = self.by_id.get(id).copied() else {
            return errors::no_stack(name);
        };
        let Some(stack) = self.stacks.get(index) else {
            return errors::no_stack(name);
        };
        if stack.name != name || !stack.there(ask.now) || !stack.belongs(ask) {
            return errors::no_stack(name);
        }
        match (ask.request.method.as_str(), part) {
            ("GET", []) => Response::json(200, &json!({"stack": self.shown(ask, stack)})),
            ("PUT" | "PATCH", []) => self.update(ask, index),
            ("DELETE", []) => self.delete(ask, index),
            ("DELETE", ["abandon"]) => self.abandon(ask, index),
            ("POST", ["actions"]) => self.action(ask, index),
            ("PUT" | "PATCH", ["preview"]) => {
                recorded(200, include_str!("../../fixtures/heat/update-preview.txt"))
            }
            ("GET", ["events"]) => self.events(ask, stack, None),
            ("GET", ["resources", resource, "events"]) => self.events(ask, stack, Some(resource)),
            ("GET", ["resources", resource, "events", event]) => {
                self.event(ask, stack, resource, event)
            }
            ("GET", ["resources"]) => self.resources(ask, stack),
            ("GET", ["resources", resource]) => self.resource(ask, stack, resource),
            ("POST", ["resources", _, "signal"]) => Response::json(200, &Value::Null),
            ("GET", ["outputs"]) => self.outputs(stack),
            ("GET", ["outputs", key]) => self.output(stack, key),
            ("GET", ["template"]) => {
                recorded(200, include_str!("../../fixtures/heat/stack-template.txt"))
            }
            ("GET", ["environment"]) => Response::json(
                200,
                &json!({"parameters": stack.parameters, "encrypted_param_names": [], "parameter_defaults": {}, "event_sinks": [], "resource_registry": {"resources": {}}}),
            ),
            ("GET", ["files"]) => Response::json(200, &json!({})),
            _ => errors::no_path(),
        }
    }

    /// The stack of that id or, of those not deleted, that name.
    fn called(&self, ask: &Ask<'_>, name: &str) -> Option<&Stack> {
        let by_id = self
            .by_id
            .get(name)
            .and_then(|index| self.stacks.get(*index))
            .filter(|stack| stack.there(ask.now));
        by_id
            .or_else(|| self.named(ask.now, name))
            .filter(|stack| stack.belongs(ask))
    }

    fn named(&self, now: Duration, name: &str) -> Option<&Stack> {
        let indices = self.by_name.get(name)?.iter().rev();
        indices
            .filter_map(|index| self.stacks.get(*index))
            .find(|stack| stack.there(now) && !stack.deleted(now))
    }
}

impl Stack {
    /// Whether anything of it can be seen.
    fn there(&self, now: Duration) -> bool {
        now >= self.created && self.purged.is_none_or(|at| now < at)
    }

    fn deleted(&self, now: Duration) -> bool {
        self.gone.is_some_and(|at| now >= at)
    }

    fn belongs(&self, ask: &Ask<'_>) -> bool {
        self.project
            .as_ref()
            .is_none_or(|project| *project == ask.config.project_id || ask.config.admin)
    }

    /// What has happened so far.
    fn past(&self, now: Duration) -> &[Step] {
        let count = self.steps.partition_point(|step| step.at <= now);
        self.steps.get(..count).unwrap_or_default()
    }

    /// The step that made the present status.
    fn state(&self, now: Duration) -> Option<&Step> {
        self.past(now)
            .iter()
            .rev()
            .find(|step| step.resource.is_none())
    }

    fn status(&self, now: Duration) -> &str {
        self.state(now).map_or("INIT_COMPLETE", |step| &step.status)
    }

    /// Moves with every action but the first.
    fn updated(&self, now: Duration) -> Option<Duration> {
        let begun = |step: &&Step| {
            step.resource.is_none()
                && step.status.ends_with("_IN_PROGRESS")
                && !step.status.starts_with("CREATE")
                && !step.status.starts_with("ADOPT")
        };
        self.past(now).iter().rev().find(begun).map(|step| step.at)
    }
}

/// The body of a recorded exchange, as it is.
fn recorded(status: u16, exchange: &str) -> Response {
    Response::new(status)
        .header("Content-Type", "application/json")
        .body(crate::fixtures::body(exchange))
}
