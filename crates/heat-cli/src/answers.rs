//! The answers of the Orchestration API, from JSON to what this program knows; pure.

use os_identity::{Error, Kind, Reply};
use poll_core::Fault;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::model::{Event, Resource, Stack};
use crate::rows::Row;

#[derive(Deserialize)]
struct StackBody {
    stack: Map<String, Value>,
}

#[derive(Deserialize)]
struct StackList {
    stacks: Vec<Row>,
}

#[derive(Deserialize)]
struct EventList {
    events: Vec<Event>,
}

#[derive(Deserialize)]
struct ResourceList {
    resources: Vec<Resource>,
}

#[derive(Deserialize)]
struct NotFound {
    error: Option<Map<String, Value>>,
}

/// One stack.
///
/// # Errors
/// It is no JSON, or there is no stack in it.
pub fn stack(reply: &Reply) -> Result<Stack, Fault<Error>> {
    let body: StackBody = reply.json().map_err(Fault::Transient)?;
    Stack::new(body.stack).ok_or_else(|| senseless(reply, "no stack in it"))
}

/// A list of stacks; rows that are none are left out.
///
/// # Errors
/// It is no list.
pub fn stacks(reply: &Reply) -> Result<Vec<Stack>, Fault<Error>> {
    let list: StackList = reply.json().map_err(Fault::Transient)?;
    let stacks = list.stacks.into_iter();
    Ok(stacks.filter_map(|row| Stack::new(row.0)).collect())
}

/// A list of events, in the order of the answer.
///
/// # Errors
/// It is no list.
pub fn events(reply: &Reply) -> Result<Vec<Event>, Fault<Error>> {
    let list: EventList = reply.json().map_err(Fault::Transient)?;
    Ok(list.events)
}

/// A list of resources.
///
/// # Errors
/// It is no list.
pub fn resources(reply: &Reply) -> Result<Vec<Resource>, Fault<Error>> {
    let list: ResourceList = reply.json().map_err(Fault::Transient)?;
    Ok(list.resources)
}

/// Whether a 404 is Heat's own, which names what it did not find; the web framework's means that this is no path of
/// Heat.
///
/// # Errors
/// It is no JSON.
pub fn is_own_404(reply: &Reply) -> Result<bool, Fault<Error>> {
    let body: NotFound = reply.json().map_err(Fault::Transient)?;
    Ok(body.error.is_some())
}

/// An answer with status 200 that is not what the API promises: it may pass.
pub(crate) fn senseless(reply: &Reply, what: &str) -> Fault<Error> {
    let shown = os_identity::url::shown(&reply.url);
    let message = format!("the answer of {shown} makes no sense: {what}");
    let error = Error::new(Kind::Unknown, message);
    Fault::Transient(error.with_answer(reply.status, reply.request_id()))
}
