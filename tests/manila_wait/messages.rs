//! The cause of a failure.

use serde_json::json;
use sim_cloud::{Answer, Fault, When, secs};

use crate::harness::{Bench, ID};

fn failing() -> Bench {
    let bench = Bench::new();
    bench.cloud.item(
        bench
            .lagoon()
            .status(secs(0), "extending")
            .status(secs(20), "extending_error")
            .message(secs(20), "extend: The driver failed."),
    );
    bench
}

#[test]
fn the_cause_is_in_the_message_of_the_failure() {
    let run = failing().line("share wait lagoon").exits(1);
    assert_eq!(
        run.count(&format!(
            "manila-wait: share lagoon ({ID}): extending_error: extend: The driver failed"
        )),
        1,
        "{run}"
    );
    assert_eq!(run.count("The driver failed"), 1, "{run}");
}

#[test]
fn the_cause_is_asked_for_once_and_only_on_failure() {
    let bench = failing();
    bench.line("share wait lagoon").exits(1);
    assert_eq!(
        bench
            .cloud
            .count(&When::manila().path("/messages").query(ID), None),
        1
    );
    let bench = Bench::new();
    bench.cloud.item(bench.lagoon());
    bench.line("share wait lagoon").exits(0);
    assert_eq!(
        bench.cloud.count(&When::manila().path("/messages"), None),
        0
    );
}

#[test]
fn messages_that_may_not_be_seen_leave_the_exit_code_and_one_note() {
    for fault in [
        Fault::Status(403),
        Fault::Status(500),
        Fault::BrokenJson,
        Fault::Html(404),
        Fault::ResetBefore,
    ] {
        let bench = failing();
        bench
            .cloud
            .fault(When::manila().path("/messages"), fault.clone());
        let run = bench
            .line("share wait lagoon")
            .exits(1)
            .says(&["extending_error"]);
        assert_eq!(run.count("the cause is not known"), 1, "{fault:?}: {run}");
    }
}

#[test]
fn the_newest_request_is_the_cause_and_others_are_not_shown() {
    let bench = failing();
    let message = |request: &str, time: &str, said: &str, id: &str| json!({"request_id": request, "created_at": time, "user_message": said, "message_level": "ERROR", "resource_id": id});
    let all = json!({"messages": [
        message("req-1", "2031-03-01T00:00:00.000000", "create: of last week", ID),
        message("req-2", "2031-03-04T10:00:20.000000", "extend: newest", ID),
        message("req-2", "2031-03-04T10:00:19.000000", "extend: before it", ID),
        message("req-3", "2031-03-04T10:00:21.000000", "of another share", "cccccccc-0000-4000-8000-000000000000"),
    ]});
    bench
        .cloud
        .answer(When::manila().path("/messages"), Answer::json(200, &all));
    bench
        .line("share wait lagoon")
        .exits(1)
        .says(&["extending_error: extend: newest (req-2): extend: before it (req-2)\n"])
        .hides("of last week")
        .hides("of another share");
}

#[test]
fn services_without_messages_are_not_asked_for_them() {
    let bench = Bench::with(|config| config.microversions = (0, 36));
    bench.cloud.item(bench.lagoon().status(secs(0), "error"));
    bench.line("share wait lagoon").exits(1).hides("the cause");
    assert_eq!(
        bench.cloud.count(&When::manila().path("/messages"), None),
        0
    );
}
