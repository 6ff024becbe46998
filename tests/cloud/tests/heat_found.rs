//! Every way to name stacks, and several of them at once.

use cloud_tests::{Ended, Place, Program, Spec, Stack, User};

#[test]
fn a_name_and_the_id_of_the_same_stack_are_one() {
    let user = User::demo();
    let stack = Stack::create(&user, &Spec::slow(3));
    let arguments = [
        "stack",
        "wait",
        &stack.name,
        &stack.id,
        "--for",
        "create",
        "-f",
        "json",
    ];
    let ended = Program::heat(&arguments).run().exits(0);
    let result = ended.result();
    let rows = result.as_array().expect("a list");
    assert_eq!(rows.len(), 1, "one stack, whatever it is called");
    assert_eq!(rows[0]["ID"], stack.id.as_str());
    assert_eq!(rows[0]["Stack Status"], "CREATE_COMPLETE");
}

#[test]
fn an_administrator_waits_for_a_stack_of_another_project_by_its_id() {
    let user = User::demo();
    let stack = Stack::create(&user, &Spec::slow(3));
    let admin = User::admin();
    let by_name = admin.send(
        "GET",
        &format!("{}/stacks/{}", admin.heat, stack.name),
        None,
    );
    assert_eq!(by_name.status, 404, "it is in the administrator's project");
    let arguments = [
        "--os-cloud",
        "admin",
        "stack",
        "wait",
        &stack.id,
        "--for",
        "create",
        "-f",
        "json",
    ];
    let ended = Program::heat(&arguments).run().exits(0);
    assert_eq!(ended.result()["stack_name"], stack.name.as_str());
    assert_eq!(ended.result()["stack_status"], "CREATE_COMPLETE");
    ended.tells(&[&format!("[{}.slow]: CREATE_COMPLETE", stack.name)]);
}

#[test]
fn an_ordinary_user_does_not_find_a_stack_of_another_project() {
    let admin = User::admin();
    let stack = Stack::create(&admin, &Spec::slow(0));
    stack.reaches("CREATE_COMPLETE");
    for reference in [&stack.name, &stack.id] {
        let ended = Program::heat(&["stack", "wait", reference]).run();
        // Heat says 404 for a name and 403 or 404 for an ID.
        assert!(
            matches!(ended.exit, 4 | 5),
            "{} exits {}\n{}",
            ended.shown,
            ended.exit,
            ended.stderr
        );
        assert_eq!(ended.stdout, "");
    }
}

#[test]
fn a_nested_stack_is_waited_for_by_its_id() {
    let user = User::demo();
    let parent = Stack::create_nested(&user, 4);
    let child = parent.nested("child");
    let ended = Program::heat(&["stack", "wait", &child, "--for", "create", "-f", "json"])
        .run()
        .exits(0);
    let result = ended.result();
    assert_eq!(result["id"], child.as_str());
    assert_eq!(result["stack_status"], "CREATE_COMPLETE");
    let name = result["stack_name"].as_str().unwrap_or_default();
    assert!(
        name.starts_with(&format!("{}-child-", parent.name)),
        "{name}"
    );
    // In a list with others, too, from which Heat leaves nested stacks out.
    let several = [
        "stack", "wait", &child, &parent.id, "--for", "create", "-f", "json",
    ];
    let ended = Program::heat(&several).run().exits(0);
    assert_eq!(outcomes(&ended), ["reached", "reached"]);
}

#[test]
fn a_stack_that_lists_hide_is_found_alone_and_among_others() {
    let user = User::demo();
    let hidden = Stack::create(
        &user,
        &Spec {
            tag: Some("hidden"),
            ..Spec::slow(4)
        },
    );
    let other = Stack::create(&user, &Spec::slow(2));
    assert!(other.is_listed());
    assert!(
        !hidden.is_listed(),
        "this Heat hides nothing: bring the cloud up again"
    );
    let both = [
        "stack",
        "wait",
        &hidden.name,
        &other.name,
        "--for",
        "create",
        "-f",
        "json",
    ];
    let ended = Program::heat(&both).run().exits(0);
    assert_eq!(outcomes(&ended), ["reached", "reached"]);
    let ended = Program::heat(&["stack", "wait", &hidden.name, "-f", "json"])
        .run()
        .exits(0);
    assert_eq!(ended.result()["id"], hidden.id.as_str());
}

#[test]
fn a_stack_that_somebody_deletes_while_it_is_created_has_failed() {
    let user = User::demo();
    let stack = Stack::create(&user, &Spec::slow(60));
    let arguments = ["stack", "wait", &stack.id, "--for", "create", "-f", "json"];
    let running = Program::heat(&arguments).start();
    stack.delete();
    // Heat cancels the create, CREATE_FAILED, and then deletes: whichever is seen.
    let ended = running.end().exits(1);
    assert_eq!(ended.result()["outcome"], "failed");
    assert!(
        ended.took.as_secs() < u64::from(Place::seconds(60)),
        "it waited for what could not come: {:?}",
        ended.took
    );
}

#[test]
fn a_stack_that_somebody_deletes_before_its_update_has_failed() {
    let user = User::demo();
    let stack = Stack::created(&user);
    let before = stack.newest_event();
    let arguments = [
        "stack", "wait", &stack.id, "--for", "update", "--since", &before,
    ];
    let running = Program::heat(&arguments).start();
    stack.delete();
    running.end().exits(1).tells(&["deleted"]);
}

#[test]
fn the_first_of_any_ends_the_wait_and_leaves_the_others_alone() {
    let user = User::demo();
    let slow = Stack::create(&user, &Spec::slow(120));
    let failing = Stack::create(&user, &Spec::failing(1));
    let quick = Stack::create(&user, &Spec::slow(4));
    let arguments = [
        "stack",
        "wait",
        "--any",
        "--for",
        "create",
        "-f",
        "json",
        &slow.id,
        &failing.id,
        &quick.id,
    ];
    let ended = Program::heat(&arguments).run().exits(0);
    assert_eq!(slow.status(), "CREATE_IN_PROGRESS", "all were waited for");
    let result = ended.result();
    assert_eq!(result[1]["outcome"], "failed");
    assert_eq!(result[2]["outcome"], "reached");
    assert_eq!(result[2]["Stack Status"], "CREATE_COMPLETE");
}

#[test]
fn any_of_stacks_that_all_fail_is_a_failure() {
    let user = User::demo();
    let stacks = [
        Stack::create(&user, &Spec::failing(1)),
        Stack::create(&user, &Spec::failing(3)),
    ];
    let mut arguments = vec!["stack", "wait", "--any", "--for", "create", "-f", "json"];
    arguments.extend(stacks.iter().map(|stack| stack.id.as_str()));
    let ended = Program::heat(&arguments).run().exits(1);
    assert_eq!(outcomes(&ended), ["failed", "failed"]);
}

#[test]
fn a_name_among_others_that_is_not_there_does_not_hide_how_they_end() {
    let user = User::demo();
    let failing = Stack::create(&user, &Spec::failing(2));
    let fine = Stack::create(&user, &Spec::slow(1));
    let with_failing = ["stack", "wait", "no-such-stack", &failing.id, &fine.id];
    let ended = Program::heat(&with_failing).run().exits(1);
    ended.tells(&["no-such-stack"]);
    let without = ["stack", "wait", "no-such-stack", &fine.id];
    let _ = Program::heat(&without).run().exits(4);
}

/// The outcomes in the order of the command line.
fn outcomes(ended: &Ended) -> Vec<String> {
    let result = ended.result();
    let rows = result.as_array().expect("a list");
    rows.iter()
        .map(|row| row["outcome"].as_str().unwrap_or_default().to_owned())
        .collect()
}
