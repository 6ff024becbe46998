//! `heat-wait stack failures list` (heatclient/osc/v1/stack_failures.py).

use wait_cli::argument::Given;
use wait_cli::options::Shape;
use wait_cli::output::{self, Cell, python_text};
use wait_cli::printable::harmless;
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure, failure, hint};

use serde_json::Value;

use crate::args;
use crate::failures::{self, Cause, OUTPUTS};
use crate::hooks;
use crate::model::{Stack, StackRef};
use crate::reading::Reading;
use crate::status::{Progress, Status};

/// How many lines are shown without `--long` (heatclient/common/format_utils.py:60).
const LINES: usize = 10;

const COLUMNS: [&str; 7] = [
    "path",
    "resource_type",
    "physical_resource_id",
    "status",
    "status_reason",
    "deploy_stdout",
    "deploy_stderr",
];

pub(crate) fn run(given: &Given, stage: &mut Stage<'_>) -> Result<Exit, Failure> {
    // The client has one layout of its own; the formats of lists are for programs.
    let layout = if stage.given().has("--format") {
        Some(stage.layout(Shape::List)?)
    } else {
        None
    };
    let long = given.flag("--long");
    let reading = Reading::begin(stage)?;
    let stack = reading.find(&args::stack(given))?;
    let seen = reading.of(&stack, &mut |client, budget| client.stack(&stack, budget))?;
    let failed = seen
        .status()
        .is_some_and(|s| s.progress == Progress::Failed);
    let mut causes = if failed {
        reading.of(&stack, &mut |client, budget| {
            failures::listed(client, &stack, budget)
        })?
    } else {
        Vec::new()
    };
    for cause in &mut causes {
        let path = cause.path.clone();
        reading.ask(&path, &mut |client, budget| {
            failures::ask_deployment(client, cause, budget)
        })?;
    }
    let text = match layout {
        None => causes.iter().map(|cause| shown(cause, long)).collect(),
        Some(layout) => {
            let headers = COLUMNS.map(str::to_owned);
            let rows: Vec<Vec<Cell>> = causes.iter().map(|cause| row(cause, long)).collect();
            output::list(&layout, &headers, &rows)
                .map_err(|error| Failure::usage(error.to_string()))?
        }
    };
    if !text.is_empty() {
        stage.print(&text)?;
    }
    name_hooks(&reading, &stack, &seen, &causes, stage);
    Ok(Exit::Reached)
}

/// What waits for somebody is told beside the result. It costs a request, so only where it may explain something.
fn name_hooks(
    reading: &Reading<'_>,
    stack: &StackRef,
    seen: &Stack,
    causes: &[Cause],
    stage: &Stage<'_>,
) {
    let runs = seen.status().is_some_and(Status::runs);
    if !runs && causes.iter().any(|cause| !cause.consequence) {
        return;
    }
    let label = stack.label();
    let asked = reading.ask(&label, &mut |client, budget| {
        hooks::paused(client, stack, budget)
    });
    match asked {
        Ok(paused) => tell_hooks(&paused, stage),
        Err(failure) => stage
            .reporter
            .note(&format!("the hooks cannot be read: {}", failure.message)),
    }
}

/// Names what is paused on hooks, with the commands that clear them.
pub(crate) fn tell_hooks(paused: &[hooks::Hook], stage: &Stage<'_>) {
    for hook in paused {
        stage
            .reporter
            .note(&format!("  {}: paused on hook {}", hook.path, hook.kind));
        stage
            .reporter
            .hint(&format!("clear it with: {}", hint::shell(hook.command())));
    }
}

/// The causes of a failure as lines of progress, with what deployments have reported.
pub(crate) fn tell_causes(causes: &mut [Cause], stage: &Stage<'_>, ask: &mut Ask<'_>) {
    for cause in causes {
        let consequence = if cause.consequence {
            " (because something else failed)"
        } else {
            ""
        };
        stage.reporter.note(&format!(
            "  {}: {}: {}{consequence}",
            cause.path, cause.status, cause.reason
        ));
        if let Err(fault) = ask(cause) {
            stage.reporter.note(&format!(
                "    what it has reported cannot be read: {}",
                failure::chain(fault.error())
            ));
        }
        for (name, text) in reported(cause) {
            let lines = lines(&text);
            for line in lines.iter().skip(lines.len().saturating_sub(LINES)) {
                stage.reporter.note(&format!("    {name}: {line}"));
            }
        }
    }
}

type Ask<'a> = dyn FnMut(&mut Cause) -> Result<(), poll_core::Fault<os_identity::Error>> + 'a;

/// What a deployment has reported, where it is not empty.
fn reported(cause: &Cause) -> Vec<(&'static str, String)> {
    let value = |name: &'static str| {
        let value = cause.outputs.as_ref()?.get(name)?;
        let text = python_text(value);
        (!value.is_null() && !text.is_empty()).then_some((name, text))
    };
    OUTPUTS.into_iter().filter_map(value).collect()
}

/// One failed resource in the layout of the client.
fn shown(cause: &Cause, long: bool) -> String {
    let reason = indented(&cause.reason, long, "...\n", None);
    let mut text = format!(
        "{}:\n  resource_type: {}\n  physical_resource_id: {}\n  status: {}\n  status_reason: |\n{reason}\n",
        cause.path, cause.resource_type, cause.physical_resource_id, cause.status
    );
    if let Some(outputs) = &cause.outputs {
        for name in OUTPUTS {
            let value = match outputs.get(name) {
                None | Some(Value::Null) => "None".to_owned(),
                Some(value) => indented(
                    &python_text(value),
                    long,
                    "...",
                    Some("(truncated, view all with --long)"),
                ),
            };
            text.push_str(&format!("  {name}: |\n{value}\n"));
        }
    }
    harmless(&text).into_owned()
}

/// heatclient/common/format_utils.py, `indent_and_truncate`, with four spaces.
fn indented(text: &str, long: bool, prefix: &str, postfix: Option<&str>) -> String {
    let lines = lines(text);
    let cut = !long && lines.len() > LINES;
    let kept = lines
        .iter()
        .copied()
        .skip(if cut { lines.len() - LINES } else { 0 });
    let before = cut.then_some(prefix);
    let after = postfix.filter(|_| cut);
    let all = before.into_iter().chain(kept).chain(after);
    all.map(|line| format!("    {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Lines as Python's `str.splitlines` finds them.
fn lines(text: &str) -> Vec<&str> {
    let ends = |c: char| {
        matches!(
            c,
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'
                ..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    };
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(ends) {
        let (line, after) = rest.split_at(at);
        lines.push(line);
        let width = after.chars().next().map_or(0, char::len_utf8);
        rest = after
            .strip_prefix("\r\n")
            .unwrap_or_else(|| after.get(width..).unwrap_or_default());
    }
    if !rest.is_empty() {
        lines.push(rest);
    }
    lines
}

fn row(cause: &Cause, long: bool) -> Vec<Cell> {
    let cut = |text: &str| {
        let lines = lines(text);
        if long || lines.len() <= LINES {
            return text.to_owned();
        }
        let kept: Vec<&str> = lines.iter().copied().skip(lines.len() - LINES).collect();
        kept.join("\n")
    };
    let output = |name: &str| match cause.outputs.as_ref().and_then(|outputs| outputs.get(name)) {
        None | Some(Value::Null) => Cell::plain(Value::Null),
        Some(value) => Cell::plain(cut(&python_text(value))),
    };
    vec![
        Cell::plain(cause.path.as_str()),
        Cell::plain(cause.resource_type.as_str()),
        Cell::plain(cause.physical_resource_id.as_str()),
        Cell::plain(cause.status.as_str()),
        Cell::plain(cut(&cause.reason)),
        output("deploy_stdout"),
        output("deploy_stderr"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_python() {
        assert_eq!(lines("a\nb\r\nc\rd\u{2028}e\n"), ["a", "b", "c", "d", "e"]);
        assert_eq!(lines("\n\na"), ["", "", "a"]);
        assert!(lines("").is_empty());
    }

    #[test]
    fn long_texts_are_cut_to_their_last_ten_lines() {
        let text: String = (0..12).map(|n| format!("line {n}\n")).collect();
        let cut = indented(
            &text,
            false,
            "...",
            Some("(truncated, view all with --long)"),
        );
        assert!(cut.starts_with("    ...\n    line 2\n"), "{cut}");
        assert!(
            cut.ends_with("    line 11\n    (truncated, view all with --long)"),
            "{cut}"
        );
        let whole = indented(&text, true, "...", None);
        assert_eq!(whole.lines().count(), 12);
    }
}
