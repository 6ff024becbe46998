//! One stack, and its outputs.

use serde_json::{Value, json};

use super::{Ask, Heat, Stack, errors};
use crate::response::Response;

impl Heat {
    pub(super) fn shown(&self, ask: &Ask<'_>, stack: &Stack) -> Value {
        let (time, now) = (&ask.config.time, ask.now);
        let mut parameters = json!({"OS::stack_id": stack.id, "OS::project_id": ask.config.project_id, "OS::stack_name": stack.name});
        if let Some(all) = parameters.as_object_mut() {
            all.extend(stack.parameters.clone());
        }
        let mut body = json!({
            "stack_name": stack.name,
            "id": stack.id,
            "links": [{"href": ask.href(stack), "rel": "self"}],
            "creation_time": time.seconds(stack.created),
            "updated_time": stack.updated(now).map(|at| time.seconds(at)),
            "deletion_time": stack.gone.filter(|at| now >= *at).map(|at| time.seconds(at)),
            "notification_topics": [],
            "parameters": parameters,
            "description": "No description",
            "template_description": "No description",
            "capabilities": [],
            "disable_rollback": !stack.rollback,
            "timeout_mins": stack.timeout_mins,
            "stack_owner": ask.config.user,
            "parent": stack.parent.as_ref().map(|(id, _)| id),
            "stack_user_project_id": "a518c3352c414a4a91afc3f04a352606",
            "tags": stack.tags,
            "stack_status": stack.status(now),
            "stack_status_reason": stack.state(now).map_or("", |step| &step.reason),
        });
        let resolved =
            ask.request.value("resolve_outputs").is_none() || ask.request.flag("resolve_outputs");
        if let (Some(body), true) = (body.as_object_mut(), resolved && !stack.deleted(now)) {
            body.insert("outputs".to_owned(), json!(stack.outputs));
        }
        body
    }

    pub(super) fn outputs(&self, stack: &Stack) -> Response {
        let short = |output: &Value| json!({"output_key": output.get("output_key"), "description": output.get("description")});
        Response::json(
            200,
            &json!({"outputs": stack.outputs.iter().map(short).collect::<Vec<_>>()}),
        )
    }

    pub(super) fn output(&self, stack: &Stack, key: &str) -> Response {
        match stack
            .outputs
            .iter()
            .find(|output| output.get("output_key").and_then(Value::as_str) == Some(key))
        {
            Some(output) => Response::json(200, &json!({"output": output})),
            None => errors::fault(404, "NotFound", "Specified output key {} not found."),
        }
    }
}

impl Ask<'_> {
    /// How many levels of nested stacks are asked for.
    pub(super) fn depth(&self) -> Result<Option<usize>, Response> {
        let Some(text) = self.request.value("nested_depth") else {
            return Ok(None);
        };
        text.parse()
            .map(Some)
            .map_err(|_| errors::bad_request("Only integer is acceptable by 'nested_depth'."))
    }

    /// The size of a page, if one is asked for.
    pub(super) fn limit(&self) -> Result<Option<usize>, Response> {
        let Some(text) = self.request.value("limit") else {
            return Ok(None);
        };
        let number: i64 = text
            .parse()
            .map_err(|_| errors::bad_request("Only integer is acceptable by 'limit'."))?;
        let negative = || {
            errors::bad_request(&format!(
                "Value '{text}' is invalid for 'limit' which only accepts non-negative integer."
            ))
        };
        usize::try_from(number).map(Some).map_err(|_| negative())
    }

    /// The canonical URL of a stack.
    pub(super) fn href(&self, stack: &Stack) -> String {
        format!("{}/{}/{}", self.stacks, stack.name, stack.id)
    }
}
