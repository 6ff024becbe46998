//! Tokens that die and services that restart during a wait. Each test has API processes of its own.
#![expect(clippy::disallowed_methods, reason = "real services take real time")]

use std::thread::sleep;
use std::time::Duration;

use cloud_tests::{Api, Place, Program, Share, Spec, Stack, User};

#[test]
fn a_wait_of_20_seconds_outlives_tokens_of_5_seconds() {
    let user = User::demo();
    let keystone = Api::keystone(Place::seconds(5));
    let stack = Stack::create(&user, &Spec::slow(20));
    let arguments = [
        "stack",
        "wait",
        &stack.id,
        "--for",
        "create",
        "--progress",
        "json",
        "-f",
        "json",
    ];
    let ended = Program::heat(&arguments).at(&keystone).run().exits(0);
    assert_eq!(ended.result()["stack_status"], "CREATE_COMPLETE");
    assert!(
        ended.took > Duration::from_secs(15),
        "no long wait: {:?}",
        ended.took
    );
    assert!(
        ended.count("signin") >= 3,
        "signed in {} times:\n{}",
        ended.count("signin"),
        ended.stderr
    );
}

#[test]
fn a_wait_for_a_share_outlives_its_tokens() {
    let user = User::demo();
    let keystone = Api::keystone(Place::seconds(5));
    let share = Share::created(&user, "");
    let arguments = [
        "share",
        "wait",
        &share.id,
        "--for",
        "deleted",
        "--progress",
        "json",
    ];
    let running = Program::manila(&arguments).at(&keystone).start();
    pause(12);
    share.delete();
    let ended = running.end().exits(0);
    assert!(
        ended.count("signin") >= 2,
        "signed in {} times:\n{}",
        ended.count("signin"),
        ended.stderr
    );
}

#[test]
fn keystone_and_heat_restart_during_a_wait() {
    let user = User::demo();
    // Tokens that die during the outage: signing in has to fail, and to be tried again, as well.
    let keystone = Api::keystone(Place::seconds(5));
    let heat = Api::heat(&keystone);
    let stack = Stack::create(&user, &Spec::slow(30));
    let arguments = [
        "stack",
        "wait",
        &stack.id,
        "--for",
        "create",
        "--progress",
        "json",
        "-f",
        "json",
    ];
    let running = Program::heat(&arguments)
        .at(&keystone)
        .env(
            "OS_ENDPOINT_OVERRIDE",
            &format!("{}/v1/%(project_id)s", heat.url()),
        )
        .start();
    pause(4);
    heat.stop();
    keystone.stop();
    pause(6);
    keystone.start();
    heat.start();
    let ended = running.end().exits(0);
    assert_eq!(ended.result()["stack_status"], "CREATE_COMPLETE");
    assert!(
        ended.count("retry") >= 1,
        "the outage left no trace:\n{}",
        ended.stderr
    );
}

#[test]
fn keystone_and_manila_restart_during_a_wait() {
    let user = User::demo();
    let keystone = Api::keystone(Place::seconds(5));
    let manila = Api::manila(&keystone);
    let share = Share::created(&user, "");
    let arguments = [
        "share",
        "wait",
        &share.id,
        "--for",
        "deleted",
        "--progress",
        "json",
    ];
    let running = Program::manila(&arguments)
        .at(&keystone)
        .env(
            "OS_SHARED_FILE_SYSTEM_ENDPOINT_OVERRIDE",
            &format!("{}/v2", manila.url()),
        )
        .start();
    pause(4);
    manila.stop();
    keystone.stop();
    share.delete();
    pause(6);
    keystone.start();
    manila.start();
    let ended = running.end().exits(0);
    assert!(
        ended.count("retry") >= 1,
        "the outage left no trace:\n{}",
        ended.stderr
    );
}

/// Pauses for so many seconds, longer on a slow machine.
fn pause(seconds: u32) {
    sleep(Duration::from_secs(Place::seconds(seconds).into()));
}
