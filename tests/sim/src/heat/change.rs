//! Requests that change a stack.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Ask, Heat, Outcome, Stack, errors};
use crate::response::Response;

/// How long an action takes when nothing else was said.
const USUAL: Duration = Duration::from_secs(5);

impl Heat {
    pub(crate) fn plan(&mut self, action: &str, stack: Option<&str>, outcome: Outcome) {
        self.plans.insert(
            (action.to_ascii_lowercase(), stack.map(str::to_owned)),
            outcome,
        );
    }

    pub(crate) fn act(
        &mut self,
        action: &str,
        stack: &str,
        outcome: &Outcome,
        now: Duration,
    ) -> bool {
        let index = self
            .by_id
            .get(stack)
            .copied()
            .or_else(|| self.by_name.get(stack).and_then(|all| all.last().copied()));
        index.is_some_and(|index| self.begin(index, &action.to_ascii_uppercase(), outcome, now))
    }

    pub(super) fn create(&mut self, ask: &Ask<'_>) -> Response {
        let Some(body) = ask.request.json() else {
            return errors::bad_request(
                "The server could not comply with the request since it is either malformed or otherwise incorrect.",
            );
        };
        let name = body
            .get("stack_name")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        let allowed = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
        if !name.starts_with(|first: char| first.is_ascii_alphabetic())
            || !name.chars().all(allowed)
            || name.len() > 255
        {
            let message = format!(
                "Invalid stack name {name} must contain only alphanumeric or \"_-.\" characters, must start with alpha and must be 255 characters or less."
            );
            return errors::fault(400, "StackValidationFailed", &message);
        }
        let adopted = body
            .get("adopt_stack_data")
            .is_some_and(|data| !data.is_null());
        let template = body.get("template").filter(|template| !template.is_null());
        if template.is_none() && !adopted && body.get("template_url").is_none() {
            return errors::bad_request("No template specified");
        }
        let minutes = body
            .get("timeout_mins")
            .filter(|minutes| !minutes.is_null());
        let timeout_mins =
            minutes.and_then(|minutes| minutes.as_u64().or_else(|| minutes.as_str()?.parse().ok()));
        if minutes.is_some() && timeout_mins.is_none() {
            return errors::bad_request("Only integer is acceptable by 'timeout_mins'.");
        }
        if self.named(ask.now, &name).is_some() {
            return errors::fault(
                409,
                "StackExists",
                &format!("The Stack ({name}) already exists."),
            );
        }
        let action = if adopted { "ADOPT" } else { "CREATE" };
        let outcome = self
            .planned(&action.to_ascii_lowercase(), &name)
            .unwrap_or(Outcome::Complete(USUAL));
        if let Outcome::Answer(reply) = outcome {
            return reply;
        }
        let mut stack = Stack {
            created: ask.now,
            timeout_mins,
            ..Stack::new(&name)
        };
        stack.rollback = body
            .get("disable_rollback")
            .is_some_and(|off| off == false || off == "False" || off == "false");
        stack.parameters = body
            .get("parameters")
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default();
        let part = |name| {
            let part = template.and_then(|template| template.get(name));
            part.and_then(Value::as_object)
        };
        for (key, output) in part("outputs").into_iter().flatten() {
            // Nothing is worked out: functions would be an engine of their own.
            if let Some(value) = output.get("value").filter(|value| value.is_string()) {
                stack = stack.output(key, value.clone());
            }
        }
        let resources = part("resources");
        let resources = resources.into_iter().flatten().map(|(name, resource)| {
            let kind = resource
                .get("type")
                .and_then(Value::as_str)
                .unwrap_or("OS::Heat::None");
            (
                name.clone(),
                kind.to_owned(),
                Some(format!("{name}-physical")),
            )
        });
        let resources: Vec<_> = resources.collect();
        let line = outcome.steps(action, &resources, ask.now);
        (stack.steps, stack.gone, stack.purged, stack.children) =
            (line.steps, line.gone, line.purged, line.children);
        if stack.steps.is_empty() {
            stack = stack.silent(ask.now, &format!("{action}_IN_PROGRESS"), "");
        }
        let id = self.keep(stack, None);
        let href = format!("{}/{name}/{id}", ask.stacks);
        Response::json(
            201,
            &json!({"stack": {"id": id, "links": [{"href": href, "rel": "self"}]}}),
        )
        .header("Location", href)
    }

    pub(super) fn update(&mut self, ask: &Ask<'_>, index: usize) -> Response {
        let Some(stack) = self.stacks.get(index) else {
            return errors::no_path();
        };
        if stack.deleted(ask.now) {
            return errors::no_stack(&stack.name);
        }
        let body = ask.request.json().unwrap_or_default();
        if ask.request.method == "PUT" && body.get("template").is_none_or(Value::is_null) {
            return errors::bad_request("No template specified");
        }
        if stack.status(ask.now).starts_with("SUSPEND_COMPLETE") {
            return errors::fault(
                400,
                "NotSupported",
                "Updating a stack when it is suspended is not supported.",
            );
        }
        let accepted = errors::webob(202, "The request is accepted for processing.", "");
        self.carry_out(ask, index, "update", Outcome::Complete(USUAL), accepted)
    }

    pub(super) fn delete(&mut self, ask: &Ask<'_>, index: usize) -> Response {
        let Some(stack) = self.stacks.get(index) else {
            return errors::no_path();
        };
        if stack.deleted(ask.now) {
            return errors::no_stack(&stack.name);
        }
        let running = stack.status(ask.now).starts_with("DELETE_IN_PROGRESS")
            || stack.status(ask.now) == "DELETE_COMPLETE";
        let usual = if running {
            Outcome::Nothing
        } else {
            Outcome::Complete(USUAL)
        };
        self.carry_out(ask, index, "delete", usual, Response::new(204))
    }

    pub(super) fn abandon(&mut self, ask: &Ask<'_>, index: usize) -> Response {
        let Some(stack) = self.stacks.get_mut(index) else {
            return errors::no_path();
        };
        stack.gone = Some(ask.now);
        let status = stack.status(ask.now).to_owned();
        let (action, word) = status.split_once('_').unwrap_or((&status, ""));
        let body = json!({
            "name": stack.name, "id": stack.id, "action": action, "status": word, "template": {}, "resources": {},
            "project_id": ask.config.project_id, "stack_user_project_id": "a518c3352c414a4a91afc3f04a352606", "tags": [], "environment": {}, "files": {},
        });
        Response::json(200, &body)
    }

    pub(super) fn action(&mut self, ask: &Ask<'_>, index: usize) -> Response {
        let body = ask.request.json().unwrap_or_default();
        let Some(action) = body
            .as_object()
            .and_then(|body| body.keys().next().cloned())
        else {
            return errors::bad_request("No action specified");
        };
        let Some(stack) = self.stacks.get(index) else {
            return errors::no_path();
        };
        if stack.deleted(ask.now) {
            return errors::no_stack(&stack.name);
        }
        let status = stack.status(ask.now).to_owned();
        let done = Response::json(200, &Value::Null);
        let short = Duration::from_secs(2);
        let usual = match action.as_str() {
            "suspend" if status == "SUSPEND_COMPLETE" => Outcome::Nothing,
            "resume" if status == "RESUME_COMPLETE" => Outcome::Nothing,
            "suspend" | "resume" | "check" => Outcome::Complete(short),
            "cancel_update" | "cancel_without_rollback" if !status.ends_with("_IN_PROGRESS") => {
                return errors::fault(
                    400,
                    "NotSupported",
                    &format!("Cancelling update when stack is {status} is not supported."),
                );
            }
            "cancel_update" => Outcome::Like(Box::new(
                Stack::default()
                    .own(
                        Duration::ZERO,
                        "ROLLBACK_IN_PROGRESS",
                        "Stack ROLLBACK started",
                    )
                    .own(
                        USUAL,
                        "ROLLBACK_COMPLETE",
                        "Stack ROLLBACK completed successfully",
                    ),
            )),
            "cancel_without_rollback" => {
                let running = status.trim_end_matches("_IN_PROGRESS");
                Outcome::Like(Box::new(Stack::default().own(
                    short,
                    &format!("{running}_FAILED"),
                    &format!("Stack {running} cancelled"),
                )))
            }
            other => return errors::bad_request(&format!("Invalid action {other} specified")),
        };
        self.carry_out(ask, index, &action, usual, done)
    }

    fn carry_out(
        &mut self,
        ask: &Ask<'_>,
        index: usize,
        action: &str,
        usual: Outcome,
        accepted: Response,
    ) -> Response {
        let name = self
            .stacks
            .get(index)
            .map(|stack| stack.name.clone())
            .unwrap_or_default();
        let outcome = match usual {
            Outcome::Nothing => Outcome::Nothing,
            usual => self.planned(action, &name).unwrap_or(usual),
        };
        if let Outcome::Answer(reply) = outcome {
            return reply;
        }
        self.begin(index, &action.to_ascii_uppercase(), &outcome, ask.now);
        accepted
    }

    /// Replaces what was to come by the outcome.
    fn begin(&mut self, index: usize, action: &str, outcome: &Outcome, now: Duration) -> bool {
        let Some(stack) = self.stacks.get(index) else {
            return false;
        };
        if matches!(outcome, Outcome::Nothing | Outcome::Answer(_)) {
            return true;
        }
        let mut resources: Vec<(String, String, Option<String>)> = Vec::new();
        for step in stack.past(now) {
            let Some(name) = &step.resource else { continue };
            match resources.iter_mut().find(|(known, ..)| known == name) {
                Some((_, _, physical)) => physical.clone_from(&step.physical),
                None => resources.push((name.clone(), step.kind.clone(), step.physical.clone())),
            }
        }
        // Thousands of resources come from scripts about paging: they stay as they are.
        resources.truncate(50);
        let mut line = outcome.steps(action, &resources, now);
        self.number(&mut line);
        let Some(stack) = self.stacks.get_mut(index) else {
            return false;
        };
        let past = stack.past(now).len();
        stack.steps.truncate(past);
        stack.steps.extend(line.steps);
        (stack.gone, stack.purged) = (line.gone, line.purged);
        true
    }

    fn planned(&self, action: &str, stack: &str) -> Option<Outcome> {
        let one = self.plans.get(&(action.to_owned(), Some(stack.to_owned())));
        one.or_else(|| self.plans.get(&(action.to_owned(), None)))
            .cloned()
    }
}
