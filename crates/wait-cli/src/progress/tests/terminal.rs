//! The block on a terminal.

use super::*;

const BLOCK: &str = "web  CREATE_IN_PROGRESS  0s\x1b[K\r\n1s elapsed\x1b[J\x1b[?7h";

fn second(r: &Reporter<'_>, clock: &FakeClock) {
    clock.advance(Duration::from_secs(1));
    r.tick(clock.now(), None);
}

/// A wait in its first second.
fn begun(r: &Reporter<'_>, clock: &FakeClock) {
    clock.advance(Duration::from_secs(1));
    r.watching(web());
    r.tick(clock.now(), None);
}

#[test]
fn it_comes_with_the_first_second_and_is_redrawn_in_its_place() {
    let text = Place::terminal().shows(|r, clock| {
        r.watching(web());
        r.pause();
        second(r, clock);
        second(r, clock);
    });
    assert_eq!(
        text,
        "\r\x1b[?7lweb  CREATE_IN_PROGRESS  1s\x1b[K\r\n1s elapsed\x1b[J\x1b[?7h\
         \r\x1b[1A\x1b[?7lweb  CREATE_IN_PROGRESS  2s\x1b[K\r\n2s elapsed\x1b[J\x1b[?7h"
    );
}

#[test]
fn a_line_takes_its_place_and_it_is_back_when_the_round_is_over() {
    let text = Place::terminal().shows(|r, clock| {
        begun(r, clock);
        r.note("a note");
        r.note("another");
        r.pause();
    });
    assert_eq!(
        text,
        format!(
            "\r\x1b[?7l{BLOCK}\r\x1b[1A\x1b[Jx-wait: a note\nx-wait: another\n\r\x1b[?7l{BLOCK}"
        )
    );
}

#[test]
fn it_is_gone_before_the_result_and_the_final_error() {
    let text = Place::terminal().shows(|r, clock| {
        begun(r, clock);
        r.waited();
        r.failure(&Failure::usage("no"));
        r.pause();
        r.close();
    });
    assert_eq!(
        text,
        format!("\r\x1b[?7l{BLOCK}\r\x1b[1A\x1b[Jx-wait: no\n")
    );
}

#[test]
fn a_terminal_that_became_narrower_has_wrapped_it() {
    let place = Place::terminal();
    let text = place.shows(|r, clock| {
        begun(r, clock);
        place.change(|screen| screen.columns = Some(10));
        second(r, clock);
    });
    // 27 columns are three rows now, and the last line is one.
    assert!(
        text.ends_with("\r\x1b[3A\x1b[J\x1b[?7lweb  C…\x1b[K\r\n2s ela…\x1b[J\x1b[?7h"),
        "{text:?}"
    );
}

#[test]
fn after_a_stop_it_is_drawn_anew_and_nothing_above_is_touched() {
    let place = Place::terminal();
    let text = place.shows(|r, clock| {
        begun(r, clock);
        place.change(|screen| screen.resumed = true);
        r.note("a note");
        place.change(|screen| screen.resumed = true);
        r.pause();
    });
    assert_eq!(
        text,
        format!("\r\x1b[?7l{BLOCK}x-wait: a note\n\r\x1b[?7l{BLOCK}")
    );
}

#[test]
fn a_background_job_writes_lines_and_heartbeats_alone() {
    let place = Place::terminal();
    place.change(|screen| screen.background = true);
    let text = place.shows(|r, clock| {
        r.watching(web());
        r.note("a note");
        for _ in 0..60 {
            second(r, clock);
            r.pause();
        }
    });
    assert_eq!(
        text,
        "x-wait: a note\nx-wait: still waiting for stack web (1) CREATE_IN_PROGRESS for 1m\n"
    );
    assert_eq!(place.last_words.before(), "");
}

#[test]
fn last_words_take_it_away() {
    let place = Place::terminal();
    place.last_words.set("interrupted\n".to_owned());
    place.shows(|r, clock| {
        assert_eq!(place.last_words.current(), "\r\x1b[Kinterrupted\n");
        begun(r, clock);
        assert_eq!(place.last_words.current(), "\r\x1b[1A\x1b[Jinterrupted\n");
        r.note("a note");
        assert_eq!(place.last_words.current(), "\r\x1b[Kinterrupted\n");
    });
}

#[test]
fn colour_is_for_terminals_that_want_it() {
    let act = |r: &Reporter<'_>, clock: &FakeClock| {
        begun(r, clock);
        r.warning("careful");
        r.failure(&Failure::usage("no"));
    };
    let mut place = Place::terminal();
    let text = place.shows(act);
    assert!(
        !text.contains("\x1b[3") && !text.contains("\x1b[2"),
        "{text:?}"
    );
    place.colour = true;
    let text = place.shows(act);
    assert!(text.contains("\x1b[2m1s elapsed\x1b[22m"), "{text:?}");
    assert!(
        text.contains("\x1b[33mx-wait: warning: careful\x1b[0m\n"),
        "{text:?}"
    );
    assert!(text.ends_with("\x1b[31mx-wait: no\x1b[0m\n"), "{text:?}");
    place.live = false;
    assert!(!place.shows(act).contains('\x1b'));
}

#[test]
fn what_has_ended_inside_is_counted() {
    let text = Place::terminal().shows(|r, clock| {
        begun(r, clock);
        for (path, runs) in [
            ("web", true),
            ("web.a", true),
            ("web.b", true),
            ("web.a", false),
            ("web.never-begun", false),
            ("web", false),
        ] {
            r.line(&Line {
                path,
                runs,
                ..EVENT
            });
        }
        r.pause();
    });
    assert!(
        text.contains("web  CREATE_IN_PROGRESS  0s: b 0s"),
        "{text:?}"
    );
    assert!(text.contains("1s elapsed; 1 finished inside"), "{text:?}");
}

#[test]
fn named_again_a_resource_keeps_its_age() {
    let text = Place::terminal().shows(|r, clock| {
        begun(r, clock);
        clock.advance(Duration::from_secs(6));
        r.watching(web());
        r.pause();
    });
    assert!(text.contains("CREATE_IN_PROGRESS  6s"), "{text:?}");
}
