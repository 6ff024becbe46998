//! `--dry-run`: what Heat would do; and what to do about refusals of templates.

use os_identity::{Method, Reply};
use poll_core::Deadline;
use serde_json::Value;
use wait_cli::output::{self, Cell, Layout};
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure, order};

use crate::change::{self, Change, Sent};
use crate::client::Client;
use crate::legacy_show::{json_cell, link_cell};

/// Heat's own limit of the size of a request is in this setting of heat.conf.
const SIZE_SETTING: &str = "max_json_body_size";

/// A preview changes nothing, so that whatever kept its answer from coming ends the run.
pub(crate) fn preview(
    client: &Client<'_>,
    stage: &Stage<'_>,
    deadline: Deadline,
    (method, url): (Method, &str),
    bytes: &[u8],
) -> Result<Reply, Failure> {
    let change = Change {
        label: "the preview",
        method,
        url,
        body: Some(bytes),
        when_idle: false,
    };
    match change::send(&change, client, stage, deadline, &mut |_| Ok(())) {
        Sent::Taken(reply) => Ok(reply),
        Sent::Lost(error) => Err(Failure::from(error).context("the preview")),
        Sent::Refused(failure) => Err(advised(failure, bytes)),
    }
}

/// The members of an object, in the order of their names, each complex one as JSON (heatclient/osc/v1/stack.py).
pub(crate) fn show_preview(
    stage: &mut Stage<'_>,
    layout: &Layout,
    reply: &Reply,
    key: &str,
) -> Result<Exit, Failure> {
    let answer: Value = reply.json()?;
    let inner = answer.get(key).and_then(Value::as_object);
    let Some(inner) = inner else {
        return Err(Failure::new(Exit::Unknown, "the answer holds no preview"));
    };
    let fields: Vec<(String, Cell)> = order::by_name(inner)
        .into_iter()
        .map(|(name, value)| (name.clone(), preview_cell(key, name, value)))
        .collect();
    let text = output::one(layout, &fields).map_err(|error| Failure::usage(error.to_string()))?;
    stage.print(&text)?;
    Ok(Exit::Reached)
}

fn preview_cell(key: &str, name: &str, value: &Value) -> Cell {
    match (key, name) {
        ("resource_changes", _) | (_, "parameters" | "outputs" | "resources") => json_cell(value),
        (_, "links") => link_cell(value),
        _ => Cell::plain(value.clone()),
    }
}

/// What to do about a refusal.
pub(crate) fn advised(failure: Failure, bytes: &[u8]) -> Failure {
    let says = |text: &str| failure.message.contains(text);
    if failure.exit == Exit::Refused && says("HTTP 403") && says("Access was denied") {
        return failure.hint(
            "an application credential may make no trust, which Heat needs to own a stack: sign in with a password, \
             or ask the operator to allow it",
        );
    }
    if says("HTTP 413") || says("exceeds maximum") || says("request entity too large") {
        return failure.hint(format!(
            "the request has {} bytes: leave files out, or let the operator raise {SIZE_SETTING} in heat.conf, and the \
             limit of a proxy in front of Heat",
            bytes.len()
        ));
    }
    failure
}
