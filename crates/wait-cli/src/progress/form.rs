//! How progress looks: pure text.

use std::time::Duration;

use super::{Line, Watched};
use crate::{duration, printable, time};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Lines, above one status line that is redrawn.
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

pub(super) fn status_line(
    pending: &[&Watched],
    total: usize,
    elapsed: Duration,
    left: Option<Duration>,
    columns: usize,
) -> String {
    let what = match pending {
        [] => "done".to_owned(),
        [one] => format!("{} {}", one.label, one.status),
        [first, ..] => {
            let count = pending.len();
            format!(
                "{count} of {total} pending: {} {} …",
                first.label, first.status
            )
        }
    };
    let left = left.map_or_else(String::new, |left| {
        format!(", {} left", duration::show(left))
    });
    // The times first: what is cut off a narrow terminal is the end.
    let text = format!("{}{left}: {what}", duration::show(elapsed));
    printable::line(&text)
        .chars()
        .take(columns.saturating_sub(1))
        .collect()
}
