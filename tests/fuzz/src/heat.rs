//! The answers of Heat: stacks, events, resources, messages.

use std::time::Duration;

use heat_cli::goal::{Goal, Look, StackJudge};
use heat_cli::model::Stack;
use heat_cli::paths::Paths;
use heat_cli::{answers, events, show, source};
use poll_core::{Judge, Observation, Verdict};
use wait_cli::Exit;
use wait_cli::output::{Format, Layout};

use crate::{FIRST_LOOK, answer, assert_harmless, format};

/// The body is read as every kind of answer. A stack is judged, and shown harmlessly; only a status
/// with `COMPLETE` in it is ever taken for the end that is waited for.
pub(crate) fn heat(data: &[u8]) {
    let reply = answer(200, data);
    if let Ok(stack) = answers::stack(&reply) {
        shown(std::slice::from_ref(&stack), format(data));
        judged(stack);
    }
    if let Ok(stacks) = answers::stacks(&reply) {
        shown(&stacks, format(data));
    }
    if let Ok(mut list) = answers::events(&reply) {
        let before = list.len();
        events::sort_by_time(&mut list);
        assert_eq!(list.len(), before, "sorting loses no event");
        let mut paths = Paths::of("id", "web");
        for event in &list {
            let _ = (paths.misses(event), paths.path(event), event.status());
            let _ = (event.stack_name(), event.has_root(), event.is_own_of("id"));
        }
    }
    if let Ok(list) = answers::resources(&reply) {
        Paths::of("id", "web").learn_all(&list);
        for resource in &list {
            let _ = (
                resource.has_failed(),
                resource.nested("http://cloud.example/v1/p"),
            );
        }
    }
    let _ = answers::is_own_404(&answer(404, data));
    let mut log = Vec::new();
    if source::wait_for_events([Ok::<_, std::io::Error>(data)], "web", &mut log).is_ok() {
        assert!(!log.is_empty(), "an end is logged");
    }
    assert_harmless(&String::from_utf8_lossy(&log));
}

fn shown(stacks: &[Stack], format: Format) {
    let rows: Vec<(&Stack, Exit)> = stacks.iter().map(|stack| (stack, Exit::Reached)).collect();
    let layout = Layout {
        format,
        max_width: Some(60),
        ..Layout::default()
    };
    if let Some(stack) = stacks.first() {
        assert_harmless(&show::one(&layout, stack, None).unwrap_or_default());
    }
    assert_harmless(&show::list(&layout, &rows).unwrap_or_default());
}

fn judged(stack: Stack) {
    let complete = stack
        .status_text()
        .to_ascii_uppercase()
        .contains("COMPLETE");
    for goal in [Goal::End, Goal::Deleted] {
        let mut judge = StackJudge::new(goal, Vec::new(), Duration::ZERO);
        let look = Look {
            stack: stack.clone(),
            fresh: true,
            begun: true,
            first_reason: None,
            ended: None,
        };
        if let Verdict::Reached(why) = judge.judge(&Observation::Present(look), &FIRST_LOOK) {
            assert!(
                complete,
                "{} was taken for {goal:?}: {why:?}",
                stack.status_text()
            );
        }
    }
}
