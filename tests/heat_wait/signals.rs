//! Signals and streams: how the process ends, wherever it is.

use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::fs::MetadataExt as _;
use std::process::Command;
use std::time::Duration;

use sim_cloud::{Cloud, Fault, Stack, When, secs};

use crate::binary::{Over, Running, cloud, command, dressed, run, send, shell};
use crate::{TARN, ms};

const INT: i32 = 2;
const TERM: i32 = 15;
const PIPE: i32 = 13;

/// A cloud in which `tarn` is being created for this long.
fn creating(span: Duration) -> Cloud {
    let cloud = cloud();
    cloud.stack(Stack::create("tarn", span).id(TARN));
    cloud
}

/// Sends the signal once `there` has seen the process where it is to be, and checks how it ends.
fn interrupted(cloud: &Cloud, words: &str, there: impl Fn(&mut Running)) {
    for (name, number) in [("INT", INT), ("TERM", TERM)] {
        // The machine may be busy: the best of three counts.
        let mut fastest = Duration::MAX;
        for _ in 0..3 {
            cloud.clear_log();
            let mut running = Running::start(command(cloud, words));
            there(&mut running);
            running.signal(name);
            let over = running.end().dies_of(number);
            says_how_to_go_on(&over);
            fastest = fastest.min(over.took);
            if fastest < ms(200) {
                break;
            }
        }
        assert!(fastest < ms(200), "{name}: {fastest:?}");
    }
}

/// One line that the operation goes on, and the hint.
fn says_how_to_go_on(over: &Over) -> String {
    let last: Vec<&str> = over.stderr.lines().rev().take(2).collect();
    let [hint, line] = last[..] else {
        panic!("{over:#?}")
    };
    assert!(
        line.starts_with("heat-wait: interrupted; ") && line.contains("goes on"),
        "{over:#?}"
    );
    assert!(over.stdout.is_empty(), "{over:#?}");
    hint.strip_prefix("hint: go on waiting with: ")
        .unwrap_or_else(|| panic!("{over:#?}"))
        .to_owned()
}

#[test]
fn a_signal_in_a_pause() {
    let cloud = creating(secs(60));
    interrupted(
        &cloud,
        "stack wait tarn --for create --poll 30",
        |running| running.says("CREATE_IN_PROGRESS"),
    );
}

#[test]
fn a_signal_in_a_request() {
    let cloud = creating(secs(60));
    cloud.fault(When::heat(), Fault::Hang);
    interrupted(&cloud, "stack wait tarn", |running| running.asks(&cloud, 2));
}

#[test]
fn a_signal_while_signing_in() {
    let cloud = creating(secs(60));
    cloud.fault(When::sign_in(), Fault::Hang);
    interrupted(&cloud, "stack wait tarn", |running| running.asks(&cloud, 1));
}

#[test]
fn a_signal_in_the_pause_before_a_retry() {
    let cloud = creating(secs(60));
    cloud.fault(When::heat(), Fault::Status(503));
    interrupted(&cloud, "stack wait tarn --poll 30", |running| {
        running.says("again in")
    });
}

#[test]
fn a_signal_while_connecting() {
    // A listener whose queue is full: nobody is let in and nobody is turned away.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let mut held = Vec::new();
    while let Ok(stream) = TcpStream::connect_timeout(&address, ms(100)) {
        held.push(stream);
        assert!(held.len() < 10_000, "the queue is never full");
    }
    let cloud = cloud();
    let words = format!("stack wait tarn --os-auth-url http://{address}/v3");
    interrupted(&cloud, &words, |running| {
        let place = format!("/proc/{}/net/tcp", running.id());
        let port = format!(":{:04X} 02 ", address.port());
        // State 02: the connection was asked for and not answered (proc(5), tcp_states.h).
        while !std::fs::read_to_string(&place).unwrap().contains(&port) {
            std::thread::yield_now();
        }
    });
    held.iter()
        .for_each(|stream| drop(stream.shutdown(Shutdown::Both)));
}

#[test]
fn the_hint_of_an_interrupted_wait_runs_as_it_stands() {
    let cloud = creating(ms(1_500));
    let mut running = Running::start(command(
        &cloud,
        "stack wait tarn --for create --os-region-name RegionOne --and stack_owner=demo",
    ));
    running.says("CREATE_IN_PROGRESS");
    running.signal("INT");
    let hint = says_how_to_go_on(&running.end().dies_of(INT));
    assert!(hint.contains(TARN), "{hint}");
    let over = run(shell(&cloud, &hint)).exits(0);
    assert!(over.stdout.contains("CREATE_COMPLETE"), "{over:#?}");
}

#[test]
fn a_hangup_ends_it_unless_it_was_told_not_to_mind() {
    let cloud = creating(ms(1_000));
    let mut running = Running::start(command(&cloud, "stack wait tarn --poll 0.2"));
    running.says("CREATE_IN_PROGRESS");
    running.signal("HUP");
    running.end().dies_of(1);

    let cloud = creating(ms(1_000));
    let mut running = Running::start(shell(
        &cloud,
        "trap '' HUP; exec heat-wait stack wait tarn --poll 0.2",
    ));
    running.says("CREATE_IN_PROGRESS");
    running.signal("HUP");
    assert!(running.is_running());
    running.end().exits(0);
}

#[test]
fn a_reader_of_the_result_who_went_away_is_a_quiet_death_once_the_wait_is_over() {
    let cloud = creating(ms(600));
    let over = run(shell(
        &cloud,
        "{ heat-wait stack wait tarn --poll 0.2; echo \"ended $?\" >&2; } | head -0",
    ));
    assert!(
        over.stderr.contains(&format!("ended {}", 128 + PIPE)),
        "{over:#?}"
    );
    assert!(
        over.stderr.contains("CREATE_COMPLETE")
            && !over.stderr.contains("panic")
            && !over.stderr.contains("ipe"),
        "{over:#?}"
    );
}

#[test]
fn without_standard_error_the_wait_goes_on_and_its_end_is_right() {
    for (fails, code) in [(false, 0), (true, 1)] {
        let cloud = cloud();
        cloud.stack(if fails {
            Stack::failing("tarn", ms(400), "boom")
        } else {
            Stack::create("tarn", ms(400))
        });
        let over = run(shell(
            &cloud,
            "exec heat-wait stack wait tarn --poll 0.1 2>&-",
        ))
        .exits(code);
        assert!(
            over.stdout.contains("CREATE_") && over.stderr.is_empty(),
            "{over:#?}"
        );
    }
}

#[test]
fn without_a_reader_of_progress_the_wait_goes_on_and_its_end_is_right() {
    for (fails, code) in [(false, 0), (true, 1)] {
        let cloud = cloud();
        cloud.stack(if fails {
            Stack::failing("tarn", ms(400), "boom")
        } else {
            Stack::create("tarn", ms(400))
        });
        let mut command = command(&cloud, "stack wait tarn --poll 0.1");
        let mut child = command.spawn().unwrap();
        drop(child.stderr.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(
            String::from_utf8_lossy(&output.stdout).contains("CREATE_"),
            "{output:?}"
        );
    }
}

#[test]
fn as_process_1_of_a_container_it_exits_with_128_and_the_number_of_the_signal() {
    let is_root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
    let words: &[&str] = if is_root {
        &["--pid", "--fork"]
    } else {
        &["--user", "--map-root-user", "--pid", "--fork"]
    };
    let works = Command::new("unshare")
        .args(words)
        .arg("true")
        .status()
        .is_ok_and(|status| status.success());
    if !works {
        assert!(!is_root, "unshare has to work for root");
        println!("not root, and no namespaces for users: nothing is checked");
        return;
    }
    let cloud = creating(secs(60));
    let mut command = Command::new("unshare");
    command
        .args(words)
        .arg(crate::PROGRAM)
        .args(["stack", "wait", "tarn", "--poll", "30"]);
    let mut running = Running::start(dressed(command, &cloud));
    running.says("CREATE_IN_PROGRESS");
    let parent = running.id();
    let children =
        std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).unwrap();
    send("TERM", children.trim().parse().unwrap());
    says_how_to_go_on(&running.end().exits(128 + TERM));
}
