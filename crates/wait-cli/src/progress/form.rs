//! How progress looks: pure text.

use std::time::Duration;

use super::Line;
use crate::{duration, printable, time};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Lines, above a block that is redrawn.
    Live,
    Plain,
    Json,
    None,
}

/// The log format of the Python client (heatclient/common/utils.py, `event_log_formatter`), with times in UTC.
pub(super) fn log_line(line: &Line<'_>) -> String {
    let time = line.time.map_or_else(
        || "-".to_owned(),
        |text| time::utc(text).replacen('T', " ", 1),
    );
    format!(
        "{} {} [{}]: {}  {}",
        printable::line(&time),
        printable::line(line.id),
        printable::line(line.path),
        printable::line(line.status),
        printable::line(line.reason)
    )
    .trim_end()
    .to_owned()
}

/// How many things a heartbeat names.
const NAMED: usize = 5;

pub(super) fn heartbeat(
    pending: &[(String, String, Duration)],
    running: &[(String, String, Duration)],
    silent: Duration,
    left: Option<Duration>,
) -> String {
    let named = |items: &[(String, String, Duration)]| {
        let mut shown: Vec<_> = items
            .iter()
            .take(NAMED)
            .map(|(name, status, age)| format!("{name} {status} for {}", duration::show(*age)))
            .collect();
        if items.len() > NAMED {
            shown.push(format!("{} more", items.len() - NAMED));
        }
        shown.join(", ")
    };
    let mut text = format!("still waiting for {}", named(pending));
    if !running.is_empty() {
        text.push_str("; in progress: ");
        text.push_str(&named(running));
    }
    if silent >= Duration::from_secs(600) {
        text.push_str(&format!(
            "; nothing was heard for {}",
            duration::show(silent)
        ));
    }
    if let Some(left) = left {
        text.push_str(&format!("; {} left", duration::show(left)));
    }
    text
}
