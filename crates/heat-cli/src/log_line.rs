//! One event as a line, as the Python client writes it (heatclient/common/utils.py, `event_log_formatter`):
//! `2031-03-04 10:00:05Z ID [web.server]: CREATE_COMPLETE  state changed`.

use serde_json::{Map, Value};
use wait_cli::output::python_text;
use wait_cli::printable::harmless;

use crate::model::Event;

/// The line of an event that happened at `path`, with its end. Times are in UTC; an event without one has a dash.
pub(crate) fn log_line(event: &Event, path: &str) -> String {
    let time = event.event_time.as_deref().map_or_else(
        || "-".to_owned(),
        |time| wait_cli::time::utc(time).replace('T', " "),
    );
    let text = |key: &str| text(&event.raw, key);
    format!(
        "{} {} [{}]: {}  {}\n",
        harmless(&time),
        harmless(&text("id")),
        harmless(path),
        harmless(&text("resource_status")),
        harmless(&text("resource_status_reason"))
    )
}

/// What Python prints of a field; what is not there is empty.
fn text(raw: &Map<String, Value>, key: &str) -> String {
    raw.get(key).map_or_else(String::new, python_text)
}
