//! The live block: what is known of a wait, as lines that fit a terminal. A pure function.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use super::Watched;
use crate::output::{display_width, fitting};
use crate::{duration, printable};

/// Room at the right that is left free: for `^C`, which the terminal writes there itself.
const MARGIN: usize = 3;
/// The highest a block may be, on any terminal.
const HIGHEST: usize = 10;
/// How many of many resources are named.
const NAMED: usize = 3;

/// What has begun and not ended, by path: status and since when, on the clock.
pub(super) type Running = BTreeMap<String, (String, Duration)>;

/// What is known of a wait.
pub(super) struct Facts<'f> {
    /// The resources, and since when each has its status, on the clock.
    pub(super) watched: &'f [(Watched, Duration)],
    /// What goes on inside them.
    pub(super) running: &'f Running,
    /// How much inside them has begun and ended.
    pub(super) finished: usize,
    pub(super) now: Duration,
    pub(super) elapsed: Duration,
    pub(super) left: Option<Duration>,
}

/// The lines, the totals last. None is wider than the terminal; at most half of it is taken.
pub(super) fn lines(facts: &Facts<'_>, columns: usize, rows: usize) -> Vec<String> {
    let width = columns.saturating_sub(MARGIN).max(1);
    let room = (rows / 2).clamp(1, HIGHEST) - 1;
    let mut lines = match facts.watched {
        [] => Vec::new(),
        watched if watched.len() <= room => {
            resources(facts, &watched.iter().collect::<Vec<_>>(), width)
        }
        watched => summary(facts, watched, room, width),
    };
    lines.push(totals(facts));
    lines
        .into_iter()
        .map(|line| clipped(&line, width).into_owned())
        .collect()
}

/// A line for each: name, status, age, and what goes on inside.
fn resources(facts: &Facts<'_>, shown: &[&(Watched, Duration)], width: usize) -> Vec<String> {
    // One long name must not push the rest off the terminal.
    let most = (width / 3).max(8);
    let texts: Vec<(Cow<'_, str>, Cow<'_, str>)> = shown
        .iter()
        .map(|(one, _)| {
            let name = clipped(&printable::line(&one.name), most).into_owned();
            (name.into(), word(&one.status))
        })
        .collect();
    let widest = |widths: &mut dyn Iterator<Item = usize>| widths.max().unwrap_or(0);
    let names = widest(&mut texts.iter().map(|(name, _)| display_width(name)));
    let words = widest(&mut texts.iter().map(|(_, word)| display_width(word)));
    let lines = shown
        .iter()
        .zip(&texts)
        .map(|((one, since), (name, word))| {
            let mut line = format!("{}  {}", padded(name, names), padded(word, words));
            if !one.done {
                line.push_str("  ");
                line.push_str(&duration::show(whole(facts.now.saturating_sub(*since))));
                inside(facts, &one.name, width, &mut line);
            }
            line.trim_end().to_owned()
        });
    lines.collect()
}

/// Appends what goes on inside a resource, the slowest first, as far as there is room.
fn inside(facts: &Facts<'_>, name: &str, width: usize, line: &mut String) {
    let prefix = format!("{name}.");
    let within: Vec<(&str, Duration)> = facts
        .running
        .iter()
        .filter_map(|(path, (_, since))| Some((path.strip_prefix(&prefix)?, *since)))
        .collect();
    let slowest_first = ordered(within.iter().map(|(_, since)| since.as_nanos()).collect())
        .filter_map(|index| within.get(index));
    let mut before = ": ";
    for (index, (path, since)) in slowest_first.enumerate() {
        let age = duration::show(whole(facts.now.saturating_sub(*since)));
        let item = format!("{before}{} {age}", printable::line(path));
        let others = within.len() - index - 1;
        let reserved = if others > 0 { ", 99 more".len() } else { 0 };
        if index > 0 && display_width(line) + display_width(&item) + reserved > width {
            line.push_str(&format!(", {} more", others + 1));
            return;
        }
        line.push_str(&item);
        before = ", ";
    }
}

/// Of many: how many have which status, and the slowest.
fn summary(
    facts: &Facts<'_>,
    watched: &[(Watched, Duration)],
    room: usize,
    width: usize,
) -> Vec<String> {
    if room == 0 {
        return Vec::new();
    }
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for (one, _) in watched {
        match counts.iter_mut().find(|(status, _)| *status == one.status) {
            Some((_, count)) => *count += 1,
            None => counts.push((&one.status, 1)),
        }
    }
    let most_first = counts
        .iter()
        .map(|(_, count)| u128::MAX - *count as u128)
        .collect();
    let counts: Vec<_> = ordered(most_first)
        .filter_map(|index| counts.get(index))
        .map(|(status, count)| format!("{count} {}", word(status)))
        .collect();
    let mut lines = vec![counts.join(", ")];
    let pending: Vec<_> = watched.iter().filter(|(one, _)| !one.done).collect();
    let slowest: Vec<_> = ordered(pending.iter().map(|(_, since)| since.as_nanos()).collect())
        .filter_map(|index| pending.get(index).copied())
        .take(NAMED.min(room - 1))
        .collect();
    const LEAD: &str = "slowest: ";
    let named = resources(facts, &slowest, width.saturating_sub(LEAD.len()));
    for (index, line) in named.into_iter().enumerate() {
        let lead = if index == 0 { LEAD } else { "" };
        lines.push(format!("{lead:9}{line}"));
    }
    lines
}

/// The times first: what is cut off a narrow terminal is the end.
fn totals(facts: &Facts<'_>) -> String {
    let mut text = format!("{} elapsed", duration::show(whole(facts.elapsed)));
    if let Some(left) = facts.left {
        text.push_str(&format!(", {} left", duration::show(whole(left))));
    }
    let total = facts.watched.len();
    if total > 1 {
        let done = facts.watched.iter().filter(|(one, _)| one.done).count();
        text.push_str(&format!("; {done} of {total} done"));
    }
    let is_watched = |path: &str| facts.watched.iter().any(|(one, _)| one.name == path);
    let running = facts
        .running
        .keys()
        .filter(|path| !is_watched(path))
        .count();
    if facts.finished + running > 0 {
        text.push_str(&format!(
            "; {} finished inside, {running} in progress",
            facts.finished
        ));
    }
    text
}

/// The indices of these, the least first; few are taken of many. No sort: each costs kilobytes.
fn ordered(keys: Vec<u128>) -> impl Iterator<Item = usize> {
    let mut last = None;
    std::iter::from_fn(move || {
        let keyed = keys.iter().copied().zip(0..);
        let next = keyed
            .filter(|key| last.is_none_or(|last| *key > last))
            .min();
        last = next.or(last);
        next.map(|(_, index)| index)
    })
}

/// In a block that is drawn each second, parts of seconds are noise.
fn whole(span: Duration) -> Duration {
    Duration::from_secs(span.as_secs())
}

fn word(status: &str) -> Cow<'_, str> {
    match status {
        "" => "not seen yet".into(),
        status => printable::line(status),
    }
}

fn padded(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(display_width(text));
    format!("{text}{}", " ".repeat(missing))
}

/// The text in so many columns; what is cut off is marked.
fn clipped(text: &str, width: usize) -> Cow<'_, str> {
    if display_width(text) <= width {
        return text.into();
    }
    format!("{}…", fitting(text, width.saturating_sub(1))).into()
}

#[cfg(test)]
mod tests;
