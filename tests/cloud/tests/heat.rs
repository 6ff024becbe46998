//! Stacks.

use cloud_tests::{Place, Program, Spec, Stack, User};

#[test]
fn a_create_is_followed_to_its_end() {
    let user = User::demo();
    let stack = Stack::create(&user, &Spec::slow(3));
    let ended = Program::heat(&["stack", "wait", &stack.id, "--for", "create", "-f", "json"])
        .run()
        .exits(0);
    let result = ended.result();
    assert_eq!(result["id"], stack.id.as_str());
    assert_eq!(result["stack_name"], stack.name.as_str());
    assert_eq!(result["stack_status"], "CREATE_COMPLETE");
    ended.tells(&[
        &format!("[{}]: CREATE_IN_PROGRESS", stack.name),
        &format!("[{}.slow]: CREATE_COMPLETE", stack.name),
        &format!("[{}]: CREATE_COMPLETE", stack.name),
    ]);
}

#[test]
fn the_end_of_a_create_counts_for_a_wait_that_comes_late() {
    let user = User::demo();
    let stack = Stack::created(&user);
    for reference in [
        stack.name.clone(),
        stack.id.clone(),
        format!("{}/{}", stack.name, stack.id),
    ] {
        let ended = Program::heat(&[
            "stack",
            "wait",
            &reference,
            "-f",
            "value",
            "-c",
            "stack_status",
        ])
        .run()
        .exits(0);
        assert_eq!(ended.stdout, "CREATE_COMPLETE\n", "by {reference}");
    }
}

#[test]
fn an_application_credential_signs_in() {
    let user = User::demo();
    let stack = Stack::created(&user);
    let ended = Program::heat(&[
        "--os-cloud",
        "demo-appcred",
        "stack",
        "wait",
        &stack.name,
        "-f",
        "json",
    ])
    .run()
    .exits(0);
    assert_eq!(ended.result()["stack_status"], "CREATE_COMPLETE");
}

#[test]
fn an_update_is_told_from_the_create_before_it() {
    let user = User::demo();
    let stack = Stack::created(&user);
    let before = stack.newest_event();
    stack.update(&Spec {
        value: Some("two".into()),
        ..Spec::slow(3)
    });
    let ended = Program::heat(&[
        "stack", "wait", &stack.id, "--for", "update", "--since", &before, "-f", "json",
    ])
    .run()
    .exits(0);
    assert_eq!(ended.result()["stack_status"], "UPDATE_COMPLETE");
    ended.tells(&["UPDATE_IN_PROGRESS", "UPDATE_COMPLETE"]);
    assert!(
        !ended.stderr.contains("CREATE_COMPLETE  Stack"),
        "an event from before the update:\n{}",
        ended.stderr
    );
}

#[test]
fn a_delete_is_over_when_the_name_is_free() {
    let user = User::demo();
    let stack = Stack::created(&user);
    stack.delete();
    Program::heat(&["stack", "wait", &stack.id, "--for", "deleted"])
        .run()
        .exits(0)
        .tells(&["DELETE_COMPLETE"]);
    let by_name = user.send("GET", &format!("{}/stacks/{}", user.heat, stack.name), None);
    assert_eq!(by_name.status, 404, "the name still answers");
}

#[test]
fn a_suspend_is_followed_to_its_end() {
    let user = User::demo();
    let stack = Stack::created(&user);
    let before = stack.newest_event();
    stack.act("suspend");
    let ended = Program::heat(&[
        "stack", "wait", &stack.id, "--for", "suspend", "--since", &before, "-f", "json",
    ])
    .run()
    .exits(0);
    assert_eq!(ended.result()["stack_status"], "SUSPEND_COMPLETE");
}

#[test]
fn a_failed_create_names_the_resource_and_exits_1() {
    let user = User::demo();
    let stack = Stack::create(&user, &Spec::failing(2));
    let ended = Program::heat(&["stack", "wait", &stack.name, "-f", "json"])
        .run()
        .exits(1);
    let result = ended.result();
    assert_eq!(result["stack_status"], "CREATE_FAILED");
    assert_eq!(result["outcome"], "failed");
    assert_eq!(result["exit"], 1);
    ended.tells(&["CREATE_FAILED", "slow", "Test Resource failed"]);
}

#[test]
fn a_rolled_back_update_is_followed_to_the_end_of_the_rollback_and_exits_1() {
    let user = User::demo();
    let stack = Stack::created(&user);
    let before = stack.newest_event();
    stack.update(&Spec {
        rollback: true,
        value: Some("two".into()),
        ..Spec::failing(2)
    });
    let ended = Program::heat(&[
        "stack", "wait", &stack.id, "--for", "update", "--since", &before, "-f", "json",
    ])
    .run()
    .exits(1);
    assert_eq!(
        stack.status(),
        "ROLLBACK_COMPLETE",
        "the wait ended before the rollback"
    );
    assert_eq!(ended.result()["stack_status"], "ROLLBACK_COMPLETE");
    ended.tells(&["UPDATE_FAILED", "ROLLBACK_COMPLETE", "Test Resource failed"]);
}

#[test]
fn a_rolled_back_create_exits_1_at_the_end_of_the_rollback() {
    let user = User::demo();
    let stack = Stack::create(
        &user,
        &Spec {
            rollback: true,
            ..Spec::failing(2)
        },
    );
    let ended = Program::heat(&["stack", "wait", &stack.id, "--for", "create", "-f", "json"])
        .run()
        .exits(1);
    assert_eq!(
        stack.status(),
        "ROLLBACK_COMPLETE",
        "the wait ended before the rollback"
    );
    assert_eq!(ended.result()["stack_status"], "ROLLBACK_COMPLETE");
}

#[test]
fn the_hint_of_a_deadline_goes_on_waiting() {
    let user = User::demo();
    let stack = Stack::create(&user, &Spec::slow(10));
    let pace = Place::pace();
    let deadline = format!("{}s", 2 * pace);
    let ended = Program::heat(&[
        "stack",
        "wait",
        &stack.name,
        "--for",
        "create",
        "--deadline",
        &deadline,
    ])
    .run()
    .exits(124);
    let took = ended.took.as_secs_f64() / f64::from(pace);
    assert!((1.5..4.5).contains(&took), "took {:?}", ended.took);
    ended.tells(&["CREATE_IN_PROGRESS", "at the deadline", "hint: "]);
    let (_, hint) = ended
        .stderr
        .split_once("heat-wait stack wait ")
        .expect("a command to paste");
    assert!(
        hint.starts_with(&stack.id),
        "the hint does not use the ID: {hint}"
    );
    let words: Vec<&str> = hint.lines().next().unwrap_or_default().split(' ').collect();
    let mut arguments = vec!["stack", "wait"];
    arguments.extend(words);
    let _ = Program::heat(&arguments).run().exits(0);
}

#[test]
fn a_stack_that_is_not_there_exits_4() {
    let ended = Program::heat(&["stack", "wait", "no-such-stack"])
        .run()
        .exits(4);
    ended.tells(&["no-such-stack"]);
    assert_eq!(ended.stdout, "");
}

#[test]
fn a_wrong_password_exits_5() {
    let ended = Program::heat(&["--os-password", "Tr0ub4dor", "stack", "wait", "any"])
        .run()
        .exits(5);
    assert!(
        !ended.stderr.contains("Tr0ub4dor"),
        "the password is shown:\n{}",
        ended.stderr
    );
}

#[test]
fn several_stacks_are_waited_for_at_once_and_a_failure_decides() {
    let user = User::demo();
    let stacks = [
        Stack::create(&user, &Spec::slow(4)),
        Stack::create(&user, &Spec::failing(1)),
        Stack::create(&user, &Spec::slow(4)),
    ];
    let mut arguments = vec!["stack", "wait", "--for", "create", "-f", "json"];
    arguments.extend(stacks.iter().map(|stack| stack.id.as_str()));
    let ended = Program::heat(&arguments).run().exits(1);
    let result = ended.result();
    let rows = result.as_array().expect("a list");
    assert_eq!(rows.len(), stacks.len());
    let outcomes: Vec<_> = rows
        .iter()
        .map(|row| row["outcome"].as_str().unwrap_or_default())
        .collect();
    assert_eq!(outcomes, ["reached", "failed", "reached"]);
}
