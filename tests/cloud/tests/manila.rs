//! Shares.

use cloud_tests::{Place, Program, Share, User};

#[test]
fn a_share_becomes_available() {
    let user = User::demo();
    let share = Share::create(&user, "default", "");
    let ended = Program::manila(&[
        "share",
        "wait",
        &share.id,
        "--for",
        "available",
        "-f",
        "json",
    ])
    .run()
    .exits(0);
    let result = ended.result();
    assert_eq!(result["id"], share.id.as_str());
    assert_eq!(result["status"], "available");
    if Place::pace() == 1 {
        ended.tells(&["creating", "available"]);
    }
}

#[test]
fn a_share_that_no_backend_takes_exits_1_with_the_schedulers_message() {
    let user = User::demo();
    let share = Share::create(&user, "nowhere", "");
    let ended = Program::manila(&[
        "share",
        "wait",
        &share.name,
        "--for",
        "available",
        "-f",
        "json",
    ])
    .run()
    .exits(1);
    let result = ended.result();
    assert_eq!(result["status"], "error");
    assert_eq!(result["outcome"], "failed");
    assert_eq!(result["exit"], 1);
    ended.tells(&["No storage could be allocated"]);
}

#[test]
fn a_deleted_share_is_gone() {
    let user = User::demo();
    let share = Share::created(&user, "");
    share.delete();
    let _ = Program::manila(&["share", "wait", &share.id, "--for", "deleted"])
        .run()
        .exits(0);
    let look = user.send("GET", &format!("{}/shares/{}", user.manila, share.id), None);
    assert_eq!(look.status, 404, "the share is still there");
}

#[test]
fn a_failed_delete_exits_1() {
    let user = User::demo();
    let share = Share::created(&user, "fail-delete_share");
    share.delete();
    let ended = Program::manila(&["share", "wait", &share.id, "--for", "deleted", "-f", "json"])
        .run()
        .exits(1);
    assert_eq!(ended.result()["status"], "error_deleting");
}

#[test]
fn a_failed_extend_exits_1_with_its_own_error_status() {
    let user = User::demo();
    let share = Share::created(&user, "fail-extend_share");
    share.resize(1, 2);
    let ended = Program::manila(&[
        "share",
        "wait",
        &share.id,
        "--for",
        "available",
        "-f",
        "json",
    ])
    .run()
    .exits(1);
    assert_eq!(ended.result()["status"], "extending_error");
}

#[test]
fn a_refused_shrink_goes_back_to_available_and_is_a_failure_all_the_same() {
    let user = User::demo();
    let share = Share::created(&user, "loss-shrink_share");
    share.resize(1, 2);
    share.reaches("available");
    share.resize(2, 1);
    let arguments = [
        "share",
        "wait",
        &share.id,
        "--for",
        "available",
        "--and",
        "size=1",
        "-f",
        "json",
    ];
    let ended = Program::manila(&arguments).run().exits(1);
    assert_eq!(ended.result()["size"].to_string(), "2");
}

#[test]
fn the_deadline_exits_124_with_a_hint() {
    let user = User::demo();
    let share = Share::created(&user, "");
    let deadline = format!("{}s", Place::seconds(2));
    let arguments = [
        "share",
        "wait",
        &share.id,
        "--for",
        "deleted",
        "--deadline",
        &deadline,
    ];
    let ended = Program::manila(&arguments).run().exits(124);
    ended.tells(&[
        "available",
        "at the deadline",
        "hint: ",
        &format!("manila-wait share wait {}", share.id),
    ]);
}

#[test]
fn a_share_that_is_not_there_exits_4() {
    let ended = Program::manila(&["share", "wait", "no-such-share", "--for", "available"])
        .run()
        .exits(4);
    ended.tells(&["no-such-share"]);
}

#[test]
fn several_shares_are_waited_for_at_once() {
    let user = User::demo();
    let shares: Vec<Share<'_>> = (0..3)
        .map(|_| Share::create(&user, "default", ""))
        .collect();
    let mut arguments = vec!["share", "wait", "--for", "available", "-f", "json"];
    arguments.extend(shares.iter().map(|share| share.id.as_str()));
    let ended = Program::manila(&arguments).run().exits(0);
    let result = ended.result();
    let rows = result.as_array().expect("a list");
    assert_eq!(rows.len(), shares.len());
    assert!(
        rows.iter()
            .all(|row| row["outcome"] == "reached" && row["exit"] == 0),
        "{result}"
    );
}
