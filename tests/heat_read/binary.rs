//! What only a process shows: how Ctrl-C ends it, and how much memory it takes.

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};

use sim_cloud::{Cloud, Config, Stack, Time, secs};

use crate::{e, tarn};

fn start(cloud: &Cloud, words: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_heat-wait"))
        .args(words)
        .env_clear()
        .envs(cloud.env())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

#[test]
fn an_interrupt_is_how_following_ends() {
    let cloud = Cloud::start(Config::new(Time::real())).unwrap();
    cloud.stack(tarn());
    for (name, code, killed_by) in [("-INT", Some(0), None), ("-TERM", None, Some(15))] {
        let follow = ["stack", "event", "list", "tarn", "--follow", "--poll", "1"];
        let mut child = start(&cloud, &follow);
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        for n in 1..=4 {
            assert!(lines.next().unwrap().unwrap().contains(&e(n)));
        }
        // Whoever asks again has written down where to go on.
        let asked = || {
            let events = sim_cloud::When::heat().path("/events");
            cloud.asked(&events).len()
        };
        let written = asked();
        while asked() == written {
            std::thread::yield_now();
        }
        signal(&child, name);
        let ended = child.wait_with_output().unwrap();
        assert_eq!(
            (ended.status.code(), ended.status.signal()),
            (code, killed_by)
        );
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(said.is_empty(), code == Some(0), "{said}");
        assert!(
            said.is_empty() || said.contains(&format!("--marker {}", e(4))),
            "{said}"
        );
    }
}

#[test]
fn an_interrupt_of_a_list_is_still_a_death_by_signal() {
    let cloud = Cloud::start(Config::new(Time::real())).unwrap();
    cloud.stack(tarn());
    cloud.fault(
        sim_cloud::When::heat().path("/events"),
        sim_cloud::Fault::Hang,
    );
    let child = start(&cloud, &["stack", "event", "list", "tarn"]);
    while cloud
        .asked(&sim_cloud::When::heat().path("/events"))
        .is_empty()
    {
        std::thread::yield_now();
    }
    signal(&child, "-INT");
    assert_eq!(child.wait_with_output().unwrap().status.signal(), Some(2));
}

#[test]
fn a_hundred_thousand_events_fit_in_twenty_mebibytes() {
    const COUNT: usize = 100_000;
    let cloud = Cloud::start(Config::new(Time::real())).unwrap();
    let mut stack = Stack::standing("tarn").id(crate::TARN);
    for n in 3..=COUNT {
        // Ten a second, as a busy stack makes them.
        let (minutes, seconds) = (n / 600, n / 10 % 60);
        let time = format!(
            "2031-{:02}-04T{:02}:{:02}:{seconds:02}Z",
            3 + minutes / 1440,
            minutes / 60 % 24,
            minutes % 60
        );
        stack = stack
            .event(
                secs(0),
                "reed",
                Some("r-1"),
                "UPDATE_COMPLETE",
                "state changed",
            )
            .event_time(time.into());
    }
    cloud.stack(stack);
    let mut child = start(&cloud, &["stack", "event", "list", "tarn"]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    // What is left is more than a pipe holds, so the program lives while its memory is read.
    let before_end = COUNT - 2_000;
    assert_eq!(
        lines
            .by_ref()
            .take(before_end)
            .filter(Result::is_ok)
            .count(),
        before_end
    );
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < 20 * 1024, "{peak} KiB");
    assert_eq!(lines.count(), COUNT - before_end);
    assert!(child.wait().unwrap().success());
}
