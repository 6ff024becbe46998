//! Signals and streams.

use std::process::Command;
use std::time::Duration;

use poll_core::{Clock as _, SystemClock};
use sim_cloud::{Cloud, Fault, secs};

use crate::binary::{Over, Running, cloud, command, run, shell};
use crate::{BAD, ENDS, GOES, NAME, WAIT, going, service};

const SHORT: Duration = Duration::from_millis(300);

fn world(span: Duration, well: bool) -> Cloud {
    let cloud = cloud();
    going(&cloud, span, well);
    cloud
}

/// In a process group of its own: one without a parent outside of it is not stopped.
fn stoppable(cloud: &Cloud, words: &str) -> Command {
    use std::os::unix::process::CommandExt as _;
    let mut command = command(cloud, words);
    command.process_group(0);
    command
}

/// The shell's line, `{}` being the wait.
fn line(cloud: &Cloud, text: &str) -> Over {
    let wait = format!("{NAME} {WAIT} --poll 0.1");
    run(shell(cloud, &text.replace("{}", &wait)))
}

#[test]
fn every_signal_that_ends_a_process_ends_it_with_how_to_go_on() {
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let cloud = world(secs(60), true);
        let mut running = Running::start(command(&cloud, &format!("{WAIT} --poll 30")));
        running.says(GOES);
        running.signal(name);
        let over = running.end().dies_of(number);
        assert!(
            over.stderr.contains("hint: go on waiting with: "),
            "{over:#?}"
        );
        assert!(over.took < secs(2), "{over:#?}");
    }
}

#[test]
fn a_signal_while_nobody_answers_ends_it() {
    let cloud = world(secs(60), true);
    cloud.fault(service(), Fault::Hang);
    let running = Running::start(command(&cloud, WAIT));
    running.asks(&cloud, 2);
    running.signal("INT");
    running.end().dies_of(2);
}

#[test]
fn the_time_that_it_is_stopped_counts_for_its_deadline() {
    let cloud = world(secs(60), true);
    let words = format!("{WAIT} --poll 0.1 --deadline 700ms");
    let mut running = Running::start(stoppable(&cloud, &words));
    running.says(GOES);
    running.signal("TSTP");
    let clock = SystemClock::new();
    let state = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", running.id())).unwrap();
        stat.rsplit(") ").next().unwrap().chars().next().unwrap()
    };
    while state() != 'T' {
        assert!(clock.now() < secs(10), "it is not stopped");
        std::thread::yield_now();
    }
    clock.sleep(Duration::from_millis(900));
    assert_eq!(state(), 'T', "it stays stopped");
    let asked = cloud.requests().len();
    running.signal("CONT");
    let over = running.end().exits(124);
    assert!(over.stderr.contains("at the deadline"), "{over:#?}");
    assert!(over.took < secs(2), "{over:#?}");
    // One last look, and what is told of it.
    assert!(cloud.requests().len() <= asked + 4, "{over:#?}");
}

#[test]
fn it_goes_on_where_it_was_stopped() {
    let cloud = world(SHORT, true);
    let mut running = Running::start(stoppable(&cloud, &format!("{WAIT} --poll 0.1")));
    running.says(GOES);
    running.signal("TSTP");
    SystemClock::new().sleep(SHORT);
    assert!(running.is_running());
    running.signal("CONT");
    let over = running.end().exits(0);
    assert!(over.stdout.contains(ENDS), "{over:#?}");
}

#[test]
fn closed_streams_change_no_verdict() {
    for (well, code) in [(true, 0), (false, 1)] {
        for closed in [">&-", "2>&-", ">&- 2>&-", "<&-", "<&- >&- 2>&-"] {
            let over = line(&world(SHORT, well), &format!("exec {{}} {closed}")).exits(code);
            let text = format!("{}{}", over.stdout, over.stderr);
            assert!(
                !text.contains("panic") && !text.contains("internal"),
                "{over:#?}"
            );
            if !well && !closed.contains("2>&-") {
                assert!(over.stderr.contains(BAD), "{closed}: {over:#?}");
            }
        }
    }
}

#[test]
fn a_full_disk_behind_the_result_is_no_success() {
    let over = line(&world(SHORT, true), "exec {} > /dev/full").exits(3);
    assert!(
        over.stderr.contains("No space left") || over.stderr.contains("no space left"),
        "{over:#?}"
    );
}

#[test]
fn a_full_disk_behind_progress_changes_no_verdict() {
    for (well, code, word) in [(true, 0, ENDS), (false, 1, BAD)] {
        let over = line(&world(SHORT, well), "exec {} 2> /dev/full").exits(code);
        assert!(over.stdout.contains(word), "{over:#?}");
    }
}

#[test]
fn a_reader_who_went_away_is_a_quiet_death_once_the_wait_is_over() {
    let over = line(
        &world(SHORT, true),
        "{ {}; echo \"ended $?\" >&2; } | head -0",
    );
    assert!(over.stderr.contains("ended 141"), "{over:#?}");
    assert!(!over.stderr.contains("panic"), "{over:#?}");
}
