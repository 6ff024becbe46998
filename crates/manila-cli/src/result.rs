//! The result on stdout, in the client's own shape.

use serde_json::Value;
use wait_cli::output::{self, Cell, Format, Layout};
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure, failure};

use crate::after::After;
use crate::client::Body;
use crate::ended::Ended;
use crate::goal::Goal;
use crate::kind::Kind;
use crate::show;
use crate::version::Microversion;

/// The result for one resource, as the client shows it.
pub fn one(
    goal: &Goal,
    end: &Ended,
    after: &After<'_, '_>,
    layout: Layout,
    stage: &Stage<'_>,
) -> Result<Option<String>, Failure> {
    let json = layout.format == Format::Json;
    let mut fields = match &end.body {
        Some(body) => {
            let extra = extra(goal.kind, end, after, stage);
            show::fields(
                goal.kind,
                Body::clone(body),
                extra,
                layout.format == Format::Table,
            )
        }
        None if json && end.exit != Exit::Reached => vec![
            ("id".to_owned(), Cell::plain(end.target.id.clone())),
            (
                "name".to_owned(),
                Cell::plain(
                    end.target
                        .name
                        .clone()
                        .unwrap_or_else(|| end.target.asked.clone()),
                ),
            ),
        ],
        None => return Ok(None),
    };
    written(end, &mut fields, layout).map(Some)
}

/// The result of an operation that prints, as the client's own command does.
pub fn of_operation(
    kind: &Kind,
    end: &Ended,
    words: &[&str],
    layout: Layout,
) -> Result<Option<String>, Failure> {
    let Some(body) = &end.body else {
        return Ok(None);
    };
    let table = layout.format == Format::Table;
    let mut fields = show::created(kind, Body::clone(body), words, table);
    written(end, &mut fields, layout).map(Some)
}

/// What was answered to a creation, as the client prints it where it does not wait.
pub fn of_answer(
    kind: &Kind,
    body: &Body,
    words: &[&str],
    layout: Layout,
) -> Result<String, Failure> {
    let fields = show::created(kind, body.clone(), words, layout.format == Format::Table);
    output::one(&layout, &fields).map_err(|error| Failure::usage(failure::chain(&error)))
}

fn written(
    end: &Ended,
    fields: &mut Vec<(String, Cell)>,
    mut layout: Layout,
) -> Result<String, Failure> {
    if layout.format == Format::Json && end.exit != Exit::Reached {
        with_outcome(&mut layout, fields.iter().map(|(name, _)| name));
        fields.push(("outcome".to_owned(), end.outcome.into()));
        fields.push(("exit".to_owned(), Cell::plain(end.exit.code())));
    }
    output::one(&layout, fields).map_err(|error| Failure::usage(failure::chain(&error)))
}

/// What the client shows beside the fields of the resource itself.
fn extra(kind: &Kind, end: &Ended, after: &After<'_, '_>, stage: &Stage<'_>) -> Option<Vec<Body>> {
    let version = after.version();
    let extra = show::extra(kind, end.target.id.as_deref()?, version)?;
    // What ended by failing to look is not asked once more.
    if matches!(end.exit, Exit::Unknown | Exit::Refused) {
        return None;
    }
    let what = format!("{}: {} left out", end.label, extra.key);
    after.rows(stage, &what, |client, left| {
        client.rows(&extra.path, extra.key, kind.is_experimental(version), left)
    })
}

/// The result for several, as the client lists them.
pub fn several(
    goal: &Goal,
    ends: &[Ended],
    version: Microversion,
    mut layout: Layout,
) -> Result<Option<String>, Failure> {
    let json = layout.format == Format::Json;
    let columns = show::columns(goal.kind, version);
    let mut headers: Vec<String> = columns
        .iter()
        .map(|(header, _)| (*header).to_owned())
        .collect();
    let mut rows = Vec::new();
    for end in ends.iter().filter(|end| json || end.body.is_some()) {
        let mut row = match &end.body {
            Some(body) => show::row(&columns, body),
            None => columns.iter().map(|(_, field)| known(end, field)).collect(),
        };
        if json {
            row.push(end.outcome.into());
            row.push(Cell::plain(end.exit.code()));
        }
        rows.push(row);
    }
    if rows.is_empty() {
        return Ok(None);
    }
    if json {
        with_outcome(&mut layout, headers.iter());
        headers.extend(["outcome".to_owned(), "exit".to_owned()]);
    }
    output::list(&layout, &headers, &rows)
        .map(Some)
        .map_err(|error| Failure::usage(failure::chain(&error)))
}

/// What is known of a resource that is not there.
fn known(end: &Ended, field: &str) -> Cell {
    let target = &end.target;
    match field {
        "id" => Cell::plain(target.id.clone()),
        "name" => Cell::plain(target.name.clone().unwrap_or_else(|| target.asked.clone())),
        _ => Cell::plain(Value::Null),
    }
}

/// `-c` chooses among the client's columns; outcome and exit are ours.
fn with_outcome<'n>(layout: &mut Layout, mut names: impl Iterator<Item = &'n String>) {
    if names.any(|name| layout.columns.contains(name)) {
        layout
            .columns
            .extend(["outcome".to_owned(), "exit".to_owned()]);
    }
}
