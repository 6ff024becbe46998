use std::cell::Cell;

use poll_core::FakeClock;

use super::*;

const PROGRAM: Program = Program {
    name: "x-wait",
    env_prefix: "X_WAIT",
    version: "0",
};

fn said(
    form: ProgressForm,
    quiet: bool,
    live: bool,
    act: impl FnOnce(&Reporter<'_>, &FakeClock),
) -> String {
    let place = Place {
        live,
        ..Place::default()
    };
    said_in(&place, form, quiet, act)
}

/// Where it is said.
#[derive(Default)]
struct Place {
    live: bool,
    colour: bool,
    ci: Ci,
    screen: Cell<Screen>,
    last_words: LastWords,
}

impl Place {
    fn terminal() -> Self {
        Self {
            live: true,
            screen: Cell::new(Screen {
                columns: Some(40),
                rows: Some(24),
                ..Screen::default()
            }),
            ..Self::default()
        }
    }

    fn change(&self, change: impl FnOnce(&mut Screen)) {
        let mut screen = self.screen.get();
        change(&mut screen);
        self.screen.set(screen);
    }

    /// Shows what `act` says on this terminal.
    fn shows(&self, act: impl FnOnce(&Reporter<'_>, &FakeClock)) -> String {
        said_in(self, ProgressForm::Auto, false, act)
    }
}

fn said_in(
    place: &Place,
    form: ProgressForm,
    quiet: bool,
    act: impl FnOnce(&Reporter<'_>, &FakeClock),
) -> String {
    let clock = FakeClock::new();
    let mut err = Vec::new();
    let wall = || SystemTime::UNIX_EPOCH + Duration::from_secs(60);
    let messages = Messages {
        progress: form,
        quiet,
        ..Messages::default()
    };
    let parts = ReporterParts {
        err: &mut err,
        clock: &clock,
        wall: &wall,
        live: place.live,
        colour: place.colour,
        ci: place.ci,
        // It is said once that the process was stopped.
        screen: &|| {
            let screen = place.screen.get();
            place.change(|screen| screen.resumed = false);
            screen
        },
        last_words: place.last_words.clone(),
    };
    act(&Reporter::new(&PROGRAM, messages, parts), &clock);
    String::from_utf8(err).expect("text")
}

fn web() -> Vec<Watched> {
    vec![Watched {
        label: "stack web (1)".into(),
        name: "web".into(),
        status: "CREATE_IN_PROGRESS".into(),
        done: false,
    }]
}

const EVENT: Line<'static> = Line {
    kind: LineKind::Event,
    time: Some("2026-11-30T09:52:42+02:00"),
    id: "e1",
    path: "web.server",
    status: "CREATE_IN_PROGRESS",
    reason: "state changed",
    runs: true,
};

#[test]
fn an_event_looks_as_in_the_log_of_the_python_client() {
    let text = said(ProgressForm::Plain, false, false, |r, _| r.line(&EVENT));
    assert_eq!(
        text,
        "2026-11-30 07:52:42Z e1 [web.server]: CREATE_IN_PROGRESS  state changed\n"
    );
}

#[test]
fn an_event_without_a_time_prints_a_dash() {
    let text = said(ProgressForm::Plain, false, false, |r, _| {
        r.line(&Line {
            time: None,
            ..EVENT
        })
    });
    assert!(text.starts_with("- e1 ["), "{text}");
}

#[test]
fn what_a_server_sends_cannot_drive_the_terminal() {
    let evil = Line {
        reason: "a\x1b]0;x\x07b\nc\u{202e}d é",
        ..EVENT
    };
    let text = said(ProgressForm::Plain, false, false, |r, _| r.line(&evil));
    assert_eq!(text.lines().count(), 1);
    assert!(
        !text
            .trim_end()
            .contains(|c: char| c.is_control() || c == '\u{202e}'),
        "{text:?}"
    );
    assert!(text.contains('é'));
}

#[test]
fn json_lines_carry_the_schema_and_escape_every_control_character() {
    let evil = Line {
        reason: "a\u{7f}\u{9b}b",
        ..EVENT
    };
    let text = said(ProgressForm::Json, false, false, |r, _| r.line(&evil));
    let object: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(object["schema"], 1);
    assert_eq!(object["type"], "event");
    assert_eq!(object["time"], "2026-11-30T07:52:42Z");
    assert_eq!(object["reason"], "a\u{7f}\u{9b}b");
    assert!(text.contains("\\u007f\\u009b"), "{text}");
}

#[test]
fn a_long_silence_is_broken_by_a_heartbeat_that_names_what_runs() {
    let text = said(ProgressForm::Plain, false, false, |r, clock| {
        r.watching(web());
        r.line(&EVENT);
        for _ in 0..60 {
            clock.advance(Duration::from_secs(1));
            r.tick(clock.now(), Some(Duration::from_secs(90)));
        }
    });
    let last = text.lines().last().expect("a line");
    assert_eq!(
        last,
        "x-wait: still waiting for stack web (1) CREATE_IN_PROGRESS for 1m; \
         in progress: web.server CREATE_IN_PROGRESS for 1m; 1m 30s left"
    );
    assert_eq!(text.lines().count(), 2, "one heartbeat a minute: {text}");
}

#[test]
fn quiet_says_only_the_final_error() {
    let text = said(ProgressForm::Plain, true, true, |r, clock| {
        r.line(&EVENT);
        r.retry("looking", "503", 1, None);
        r.note("a note");
        r.warning("a warning");
        r.hint("a hint");
        clock.advance(Duration::from_secs(61));
        r.tick(clock.now(), None);
        r.failure(&Failure::usage("no").hint("yes"));
    });
    assert_eq!(text, "x-wait: no\nhint: yes\n");
}

#[test]
fn a_reader_that_went_away_changes_nothing() {
    struct Closed<'c>(&'c Cell<u32>);
    impl Write for Closed<'_> {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            self.0.set(self.0.get() + 1);
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let (clock, tries, wall) = (FakeClock::new(), Cell::new(0), || SystemTime::UNIX_EPOCH);
    let screen = Screen::default;
    let mut err = Closed(&tries);
    let parts = ReporterParts {
        err: &mut err,
        clock: &clock,
        wall: &wall,
        live: false,
        colour: false,
        ci: Ci::None,
        screen: &screen,
        last_words: LastWords::default(),
    };
    Reporter::new(&PROGRAM, Messages::default(), parts).line(&EVENT);
    assert!(tries.get() > 0);
}

mod logs;
mod terminal;
