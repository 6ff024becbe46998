//! Which events are asked for, and in which order: the options of `stack event list`, checked.

use std::cmp::Ordering;

use os_identity::url::encode;
use serde_json::Value;
use wait_cli::{Failure, order};

use crate::args::EventList;
use crate::model::Event;

/// The keys that events can be sorted by.
const KEYS: [&str; 7] = [
    "event_time",
    "resource_name",
    "logical_resource_id",
    "resource_status",
    "resource_status_reason",
    "physical_resource_id",
    "id",
];

/// One `--sort`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sort {
    key: String,
    descending: bool,
    /// The key was given, and not only a direction.
    keyed: bool,
}

/// What narrows and orders the events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Query {
    /// Conditions for the URL: `&resource_status=FAILED`.
    pub(crate) filters: String,
    sorts: Vec<Sort>,
    /// The first direction, where one was given: what the server is asked for.
    pub(crate) newest_first: bool,
}

impl Query {
    /// Checks the options.
    pub(crate) fn of(args: &EventList) -> Result<Self, Failure> {
        if args.resource.is_some() && args.nested_depth > 0 {
            return Err(Failure::usage(
                "--nested-depth cannot be given together with --resource",
            ));
        }
        if args.follow && !args.sorts.is_empty() {
            return Err(Failure::usage(
                "--sort cannot be given together with --follow: events are followed as they come",
            ));
        }
        let sorts = args
            .sorts
            .iter()
            .map(|text| sort(text))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            filters: filters(&args.filters)?,
            newest_first: sorts.first().is_some_and(|sort| sort.descending),
            sorts,
        })
    }

    /// Whether an order was asked for.
    pub(crate) fn sorts(&self) -> bool {
        !self.sorts.is_empty()
    }

    /// The keys as the server takes them, for an answer that is cut by a limit there.
    pub(crate) fn server_keys(&self) -> String {
        let keyed = self.sorts.iter().filter(|sort| sort.keyed);
        keyed
            .map(|sort| format!("&sort_keys={}", sort.key))
            .collect()
    }

    /// Sorts what came in the server's order (osc_lib/utils/__init__.py, `sort_items`): the first key counts most,
    /// equal events keep their order.
    pub(crate) fn sort(&self, events: &mut Vec<Event>) {
        for sort in self.sorts.iter().rev() {
            order::sort_by(events, |a, b| {
                let order = compare(a.raw.get(&sort.key), b.raw.get(&sort.key));
                if sort.descending {
                    order.reverse()
                } else {
                    order
                }
            });
        }
    }
}

fn sort(text: &str) -> Result<Sort, Failure> {
    let (key, direction) = text.split_once(':').unwrap_or((text, "asc"));
    let descending = match direction {
        "asc" => false,
        "desc" => true,
        other => {
            return Err(Failure::usage(format!(
                "--sort {text}: '{other}' is no direction, write asc or desc"
            )));
        }
    };
    let keyed = !key.is_empty();
    let key = if keyed { key } else { "event_time" };
    if !KEYS.contains(&key) || text.is_empty() {
        return Err(Failure::usage(format!(
            "--sort {text}: '{key}' is no key, choose one of {}",
            KEYS.join(", ")
        )));
    }
    Ok(Sort {
        key: key.to_owned(),
        descending,
        keyed,
    })
}

/// heatclient/common/utils.py, `format_parameters`: one text may hold several conditions, apart by `;`.
fn filters(given: &[String]) -> Result<String, Failure> {
    let conditions: Vec<&str> = match given {
        [one] => one.split(';').collect(),
        several => several.iter().map(String::as_str).collect(),
    };
    let pairs = conditions
        .into_iter()
        .map(|text| {
            text.split_once('=')
                .ok_or_else(|| Failure::usage(format!("--filter {text}: write KEY=VALUE")))
        })
        .collect::<Result<Vec<_>, _>>()?;
    let pair = |(key, value): &(&str, &str)| format!("&{}={}", encode(key), encode(value));
    Ok(pairs.iter().map(pair).collect())
}

/// Unset before text; text by its characters, as Python does.
fn compare(a: Option<&Value>, b: Option<&Value>) -> Ordering {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    text(a).cmp(&text(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(filters: &[&str], sorts: &[&str]) -> EventList {
        EventList {
            filters: filters.iter().map(|text| (*text).to_owned()).collect(),
            sorts: sorts.iter().map(|text| (*text).to_owned()).collect(),
            ..EventList::default()
        }
    }

    #[test]
    fn one_filter_may_hold_several_conditions_and_several_only_one_each() {
        let query = |filters: &[&str]| Query::of(&args(filters, &[])).map(|query| query.filters);
        assert_eq!(
            query(&["resource_status=FAILED;resource_name=a b"]),
            Ok("&resource_status=FAILED&resource_name=a%20b".to_owned())
        );
        assert_eq!(
            query(&["a=b;c", "d=e=f"]),
            Ok("&a=b%3Bc&d=e%3Df".to_owned())
        );
        assert!(query(&["a"]).is_err_and(|failure| failure.message.contains("KEY=VALUE")));
    }

    #[test]
    fn the_first_key_counts_most_and_equal_events_keep_their_order() {
        let event = |name: &str, status: &str| {
            let raw = serde_json::json!({"resource_name": name, "resource_status": status});
            Event::from(raw.as_object().cloned().unwrap_or_default())
        };
        let mut events = vec![
            event("b", "1"),
            event("a", "2"),
            event("c", "2"),
            event("d", "1"),
        ];
        let query = Query::of(&args(&[], &["resource_status:desc", "resource_name"])).unwrap();
        query.sort(&mut events);
        let names: String = events
            .iter()
            .map(|event| event.resource_name.as_str())
            .collect();
        assert_eq!(names, "acbd");
        assert!(query.newest_first);
        assert_eq!(
            query.server_keys(),
            "&sort_keys=resource_status&sort_keys=resource_name"
        );
    }

    #[test]
    fn a_direction_alone_sorts_by_time_and_what_is_no_key_is_refused() {
        let query = Query::of(&args(&[], &[":desc"])).unwrap();
        assert!(query.newest_first);
        assert_eq!(query.server_keys(), "");
        for text in ["links", "", "id:up", "id:", "nothing"] {
            assert!(Query::of(&args(&[], &[text])).is_err(), "{text}");
        }
    }
}
