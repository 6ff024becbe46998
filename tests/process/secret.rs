//! No secret is told: whatever the log level, in errors, in the last words of a process that is killed.

use sim_cloud::{Cloud, Fault, When, secs};

use crate::binary::{Over, Running, cloud_with, command, run};
use crate::{GOES, WAIT, going, service};

const PASSWORD: &str = "hunter2-Pa55";

fn world(span: std::time::Duration) -> Cloud {
    let cloud = cloud_with(|config| PASSWORD.clone_into(&mut config.password));
    going(&cloud, span, true);
    cloud
}

#[track_caller]
fn tells_nothing(over: &Over) {
    for text in [&over.stdout, &over.stderr] {
        for secret in [PASSWORD, "gAAAAA"] {
            assert!(!text.contains(secret), "{secret} is told:\n{over:#?}");
        }
        for library in ["ureq_proto", "ureq::", "rustls::"] {
            assert!(
                !text.contains(library),
                "{library} gets a word in:\n{over:#?}"
            );
        }
    }
}

#[test]
fn not_in_any_log() {
    for (flag, filter) in [
        ("-v", ""),
        ("-vv", ""),
        ("--debug", "trace"),
        ("", "trace"),
        ("", "ureq_proto::util=trace,ureq=trace,rustls=trace"),
    ] {
        let cloud = world(std::time::Duration::from_millis(200));
        let mut command = command(&cloud, &format!("{WAIT} --poll 0.1 {flag}"));
        if !filter.is_empty() {
            command.env("RUST_LOG", filter);
        }
        let over = run(command).exits(0);
        tells_nothing(&over);
        if flag.starts_with('-') {
            assert!(
                over.stderr.contains("/auth/tokens"),
                "there is a log\n{over:#?}"
            );
        }
    }
}

#[test]
fn not_in_errors() {
    for fault in [
        Fault::Status(401),
        Fault::Html(500),
        Fault::Garbage,
        Fault::OtherJson,
        Fault::Status(403),
    ] {
        for when in [When::sign_in(), service()] {
            let cloud = world(secs(60));
            cloud.fault(when, fault.clone());
            tells_nothing(&run(command(&cloud, &format!("{WAIT} -vv --deadline 1"))));
        }
    }
}

#[test]
fn not_when_it_was_given_on_the_command_line() {
    let cloud = world(secs(60));
    for more in ["--deadline 0", "--show-config", "--frobnicate"] {
        tells_nothing(&run(command(
            &cloud,
            &format!("{WAIT} {more} --os-password {PASSWORD}"),
        )));
    }
    // The hint to go on has the options that were given, but no secret.
    let mut running = Running::start(command(&cloud, &format!("{WAIT} --os-password {PASSWORD}")));
    running.says(GOES);
    running.signal("TERM");
    tells_nothing(&running.end().dies_of(15));
}

#[test]
fn no_core_is_dumped_whatever_the_limit_was() {
    use std::os::unix::process::ExitStatusExt as _;
    let cloud = world(secs(60));
    let line = format!(
        "ulimit -c unlimited 2>/dev/null; exec {} {WAIT}",
        crate::NAME
    );
    let mut running = Running::start(crate::binary::shell(&cloud, &line));
    running.says(GOES);
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", running.id())).unwrap();
    let core = limits
        .lines()
        .find(|line| line.starts_with("Max core file size"))
        .unwrap();
    assert_eq!(core.split_whitespace().nth(4), Some("0"), "{core}");
    running.signal("ABRT");
    let over = running.end().dies_of(6);
    assert!(!over.status.core_dumped(), "{over:#?}");
    tells_nothing(&over);
}
