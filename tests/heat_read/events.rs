//! `stack event list`: pages, markers, limits, forms.

use std::io::{self, Write};

use sim_cloud::{When, secs};
use wait_cli::Exit;
use wait_cli::process::End;

use crate::{answer, e, numbers, tarn, world};

/// `tarn` with this many events, ten a second.
fn long(count: usize) -> sim_cloud::Stack {
    (5..=count).fold(tarn(), |stack, n| {
        let at = std::time::Duration::from_millis(n as u64 * 100);
        stack
            .event(at, "reed", Some("r-1"), "UPDATE_COMPLETE", "state changed")
            .event_id(&e(n))
    })
}

#[test]
fn every_event_of_many_pages_is_written_once_and_in_order() {
    let world = world();
    world.stack(long(1_234));
    world.advance(secs(1_000));
    let ended = world.run("stack event list tarn").exits(0);
    assert_eq!(numbers(&ended.stdout), (1..=1_234).collect::<Vec<_>>());
    assert_eq!(ended.asked("/events").len(), 3, "{ended}");
    for form in ["value", "csv", "json", "yaml", "table"] {
        let ended = world
            .run(&format!("stack event list tarn -f {form} -c id"))
            .exits(0);
        let ids: Vec<&str> = ended
            .stdout
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
            .filter(|word| word.starts_with("e0000000"))
            .collect();
        let expected: Vec<String> = (1..=1_234).map(e).collect();
        assert_eq!(ids, expected, "{form}");
    }
    let ended = world
        .run("stack event list tarn -f json --noindent")
        .exits(0);
    assert_eq!(ended.json().as_array().map(Vec::len), Some(1_234));
}

#[test]
fn marker_and_limit_cut_and_only_what_is_wanted_is_asked_for() {
    let world = world();
    world.stack(long(1_234));
    world.advance(secs(1_000));
    let ended = world
        .run(&format!(
            "stack event list tarn --marker {} --limit 7",
            e(600)
        ))
        .exits(0);
    assert_eq!(numbers(&ended.stdout), (601..=607).collect::<Vec<_>>());
    let asked = ended.asked("/events");
    assert!(
        asked.len() == 1 && asked[0].contains("limit=7"),
        "{asked:?}"
    );
    let ended = world.run("stack event list tarn --limit 700").exits(0);
    assert_eq!(numbers(&ended.stdout), (1..=700).collect::<Vec<_>>());
    let ended = world
        .run("stack event list tarn --limit 0 --marker unknown")
        .exits(0);
    assert_eq!(numbers(&ended.stdout).len(), 1_234);
}

#[test]
fn sorting_and_narrowing_are_those_of_the_client() {
    let world = world();
    world.stack(tarn());
    let order = |words: &str| {
        numbers(
            &world
                .run(&format!("stack event list tarn {words}"))
                .exits(0)
                .stdout,
        )
    };
    assert_eq!(order("--sort :desc"), [4, 3, 2, 1]);
    assert_eq!(order("--sort resource_name"), [2, 3, 1, 4]);
    assert_eq!(order("--sort resource_name --sort id:desc"), [3, 2, 4, 1]);
    assert_eq!(order("--resource reed"), [2, 3]);
    assert_eq!(order("--filter resource_status=COMPLETE"), [3, 4]);
    assert_eq!(
        order("--filter resource_status=COMPLETE;resource_name=reed"),
        [3]
    );
}

#[test]
fn nothing_is_an_empty_line_as_from_the_client_and_an_empty_list() {
    let world = world();
    world.stack(tarn());
    let nothing = format!("stack event list tarn --marker {}", e(4));
    assert_eq!(world.run(&nothing).exits(0).stdout, "\n");
    assert_eq!(
        world.run(&format!("{nothing} -f json")).exits(0).stdout,
        "[]\n"
    );
    assert_eq!(
        world.run(&format!("{nothing} -f value")).exits(0).stdout,
        ""
    );
}

#[test]
fn what_excludes_each_other_is_refused_before_anything_is_sent() {
    let world = world();
    for words in [
        "--resource reed --nested-depth 2",
        "--sort links",
        "--sort id:up",
        "--filter nothing",
        "--limit -1",
        "-f shell",
        "-f table --follow",
        "--sort :desc --follow",
        "-c id",
    ] {
        let ended = world
            .run(&format!("stack event list tarn {words}"))
            .exits(2);
        assert!(ended.requests.is_empty(), "{ended}");
    }
}

#[test]
fn a_server_that_shows_a_second_in_another_order_on_the_next_page_loses_nothing() {
    // 499 events a second apart, then ten in one second, of which the page holds only one.
    let world = world();
    world.stack(tarn());
    let mut first: Vec<(usize, u64)> = (1..500).map(|n| (n, n as u64)).collect();
    first.push((500, 500));
    let second: Vec<(usize, u64)> = [505, 500, 501, 504, 502, 503].map(|n| (n, 500)).to_vec();
    world.script(
        When::heat().get().ends("/events"),
        [answer(&first), answer(&second)],
    );
    let ended = world.run("stack event list tarn").exits(0);
    let mut seen = numbers(&ended.stdout);
    assert_eq!(seen.len(), 505, "{}", ended.asked("/events").len());
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, (1..=505).collect::<Vec<_>>());
    assert!(ended.asked("/events")[1].contains(&format!("marker={}", e(499))));
}

#[test]
fn a_server_that_ignores_markers_does_not_hold_us() {
    let world = world();
    world.stack(tarn());
    let page: Vec<(usize, u64)> = (1..=500).map(|n| (n, n as u64)).collect();
    world.answer(When::heat().get().ends("/events"), answer(&page));
    let ended = world.run("stack event list tarn").exits(0);
    assert_eq!(numbers(&ended.stdout), (1..=500).collect::<Vec<_>>());
}

#[test]
fn a_fault_between_two_pages_loses_and_repeats_nothing() {
    let world = world();
    world.stack(long(1_234));
    world.advance(secs(1_000));
    world.fault(
        When::heat().path("/events").nth(2),
        sim_cloud::Fault::Status(502),
    );
    world.fault(
        When::heat().path("/events").nth(4),
        sim_cloud::Fault::ResetBefore,
    );
    let ended = world.run("stack event list tarn").exits(0);
    assert_eq!(numbers(&ended.stdout), (1..=1_234).collect::<Vec<_>>());
}

/// A reader who goes away.
struct Gone;

impl Write for Gone {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_who_went_away_is_not_read_for() {
    let world = world();
    world.stack(long(1_234));
    world.advance(secs(1_000));
    let (end, ended) = world.run_into(&["stack", "event", "list", "tarn"], &mut Gone);
    assert_eq!(end, End::ReaderGone(Exit::Reached));
    assert_eq!(ended.asked("/events").len(), 1);
    let (end, _) = world.run_into(&["stack", "event", "list", "tarn", "--follow"], &mut Gone);
    assert_eq!(end, End::ReaderGone(Exit::Reached));
}

#[test]
fn times_are_utc_in_whatever_notation_they_come_and_letters_pass() {
    let world = world();
    world.stack(
        tarn()
            .event(
                secs(1),
                "a",
                None,
                "UPDATE_COMPLETE",
                "h\u{e9}ron \u{1b}[31m",
            )
            .event_time(serde_json::json!("2031-03-04T12:00:06+02:00"))
            .event(secs(1), "b", None, "UPDATE_COMPLETE", "")
            .event_time(serde_json::Value::Null),
    );
    world.advance(secs(5));
    let ended = world
        .run("stack event list tarn")
        .exits(0)
        .never_says(&["warning"]);
    assert!(ended.stdout.contains("2031-03-04 10:00:06Z "), "{ended}");
    assert!(
        ended
            .stdout
            .contains("UPDATE_COMPLETE  h\u{e9}ron \\x1b[31m\n"),
        "{ended}"
    );
    assert!(
        ended
            .stdout
            .lines()
            .last()
            .is_some_and(|line| line.starts_with("- ")),
        "{ended}"
    );
}
