//! The answers of Manila: one resource, lists, messages, versions.

use std::rc::Rc;

use manila_cli::client::Body;
use manila_cli::goal::{Goal, GoalJudge};
use manila_cli::kind::{KINDS, Kind};
use manila_cli::version::{Range, TESTED};
use manila_cli::{answers, messages, rows, show};
use poll_core::{Judge, Observation, Verdict};
use serde_json::Value;
use wait_cli::output::{self, Format, Layout};

use crate::{FIRST_LOOK, answer, assert_harmless, format};

/// The first byte chooses the kind, the rest is the body, read as every kind of answer. What was read in part is the
/// same as what was read whole; a resource is judged and shown, harmlessly; a word with `error` in it is never taken
/// for the end that is waited for by default.
pub(crate) fn manila(data: &[u8]) {
    let Some((first, body)) = data.split_first() else {
        return;
    };
    let Some(kind) = KINDS.get(usize::from(*first) % KINDS.len()).copied() else {
        return;
    };
    let reply = answer(200, body);
    let keep = ["id", kind.field.name, "size"];
    let in_part = rows::read(body, kind.many, &keep);
    let Ok(value) = reply.json::<Value>() else {
        // In part more may be read: what is passed over need not be valid text, nor shallow.
        return;
    };
    if let Ok(one) = answers::one(&value, "/path", kind.one) {
        judged(kind, &one);
        listed(kind, &one, format(data));
    }
    if let (Ok(Some(some)), Ok(all)) = (in_part, answers::rows(&value, "/path", kind.many)) {
        assert_eq!(some.len(), all.len(), "rows read in part and whole");
        for (some, all) in some.iter().zip(&all) {
            assert!(
                some.iter().all(|(key, value)| all.get(key) == Some(value)),
                "{some:?} of {all:?}"
            );
        }
    }
    if let Ok(list) = answers::rows(&value, "/messages", "messages") {
        let list = messages::since(list, None);
        let _ = messages::causes(&list, "id");
    }
    let _ = (
        Range::read(&value).map(|range| range.choose(None)),
        answers::is_own_404(&reply),
    );
}

fn judged(kind: &'static Kind, body: &Body) {
    let Ok(goal) = Goal::read(kind, &[], &[]) else {
        return;
    };
    let _ = (goal.unknown_words(body), goal.runs(body));
    let seen = Observation::Present(Rc::new(body.clone()));
    if let Verdict::Reached(why) = GoalJudge::new(&goal).judge(&seen, &FIRST_LOOK) {
        let word = body
            .get(kind.field.name)
            .map(Value::to_string)
            .unwrap_or_default();
        assert!(
            !word.to_lowercase().contains("error"),
            "{word} was taken for the end: {why:?}"
        );
    }
}

fn listed(kind: &'static Kind, body: &Body, format: Format) {
    let columns = show::columns(kind, TESTED);
    let headers: Vec<String> = columns
        .iter()
        .map(|(title, _)| (*title).to_owned())
        .collect();
    let row = show::row(&columns, body);
    let fields = show::fields(kind, body.clone(), None, true);
    let layout = Layout {
        format,
        max_width: Some(80),
        ..Layout::default()
    };
    assert_harmless(&output::one(&layout, &fields).unwrap_or_default());
    let list = output::list(&layout, &headers, std::slice::from_ref(&row));
    assert_harmless(&list.unwrap_or_default());
}
