//! What is told while it is waited.

use sim_cloud::{Fault, When, secs};

use crate::harness::{Bench, ID};

#[test]
fn each_status_is_one_line_with_its_time_and_stdout_is_the_result_alone() {
    let bench = Bench::new();
    bench.cloud.item(
        bench
            .lagoon()
            .status(secs(0), "creating")
            .status(secs(7), "available"),
    );
    let run = bench
        .line("share wait lagoon --poll 5 -f value -c status")
        .exits(0);
    assert_eq!(
        run.err,
        format!(
            "2031-03-04 10:00:00Z {ID} [lagoon]: creating\n2031-03-04 10:00:10Z {ID} [lagoon]: available\n"
        )
    );
    assert_eq!(run.out, "available\n");
}

#[test]
fn fields_of_the_goal_are_told_beside_the_status() {
    let bench = Bench::new();
    bench.cloud.item(
        bench
            .lagoon()
            .set("size", 1)
            .status(secs(0), "extending")
            .status(secs(7), "available")
            .at(secs(7), "size", 2),
    );
    bench
        .line("share wait lagoon --and size=2 --poll 5")
        .exits(0)
        .says(&[
            "[lagoon]: extending  size 1\n",
            "[lagoon]: available  size 2\n",
        ]);
}

#[test]
fn json_lines_have_everything_in_full() {
    let bench = Bench::new();
    bench.cloud.item(
        bench
            .lagoon()
            .status(secs(0), "creating")
            .status(secs(7), "error")
            .message(secs(7), "create: no luck"),
    );
    bench
        .cloud
        .fault(When::manila().get().ends(ID).nth(1), Fault::Status(503));
    let run = bench
        .line("share wait lagoon --poll 5 --progress json")
        .exits(1);
    let statuses: Vec<_> = run
        .progress("status")
        .iter()
        .map(|line| line["status"].clone())
        .collect();
    assert_eq!(statuses, ["creating", "error"]);
    assert!(
        run.progress("status")
            .iter()
            .all(|line| line["id"] == ID && line["path"] == "lagoon" && line["schema"] == 1)
    );
    assert_eq!(run.progress("retry").len(), 1);
    let result = &run.progress("result")[0];
    assert_eq!(
        (&result["id"], &result["status"], &result["outcome"]),
        (&ID.into(), &"error".into(), &"failed".into())
    );
    assert!(
        result["causes"][0]
            .as_str()
            .is_some_and(|cause| cause.starts_with("create: no luck")),
        "{run}"
    );
}

#[test]
fn a_long_silence_is_broken_by_a_heartbeat() {
    let bench = Bench::new();
    bench.cloud.item(
        bench
            .lagoon()
            .status(secs(0), "creating")
            .status(secs(100), "available"),
    );
    bench
        .line("share wait lagoon")
        .exits(0)
        .says(&["still waiting for share lagoon", "creating for"]);
}

#[test]
fn quiet_leaves_the_result_and_the_final_error() {
    let bench = Bench::new();
    bench.cloud.item(
        bench
            .lagoon()
            .status(secs(0), "creating")
            .status(secs(5), "error"),
    );
    let run = bench.line("share wait lagoon -q").exits(1);
    assert_eq!(run.err.lines().count(), 1, "{run}");
    assert!(run.err.starts_with("manila-wait: share lagoon"), "{run}");
}

#[test]
fn a_signal_would_tell_the_state_and_the_way_to_go_on() {
    let bench = Bench::new();
    bench.cloud.item(bench.lagoon().status(secs(0), "creating"));
    let run = bench.line("share wait lagoon --deadline 10s").exits(124);
    assert_eq!(
        run.last_words,
        format!(
            "manila-wait: interrupted; share lagoon ({ID}) creating; the operation goes on\n\
             hint: go on waiting with: manila-wait share wait {ID} --for available\n"
        )
    );
}
