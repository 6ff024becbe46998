//! What servers send cannot drive the terminal, and is intact where a program reads it.

use std::time::Duration;

use sim_cloud::{Fault, Item, Kind, Service, Stack, When, secs};
use wait_cli::Terminal;

use crate::harness::{Ended, World};

/// Clears the screen, sets a title, rings, colours, turns the text around, ends a C string, begins a line.
const EVIL: &str = "re\u{0}\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}31m\u{202e}abc\u{2066}\u{7f}\r\nmanila-wait: all is well";

fn terminal() -> Terminal {
    Terminal {
        stdin: true,
        stdout: true,
        stderr: true,
        columns: Some(100),
    }
}

/// What the live block is drawn with, and colours of our own lines: the only controls that there are. None of them is in
/// [`EVIL`], so that whatever of it went through would be left.
const OURS: [&str; 10] = [
    "\u{1b}[J",
    "\u{1b}[K",
    "\u{1b}[?7l",
    "\u{1b}[?7h",
    "\u{1b}[2m",
    "\u{1b}[22m",
    "\u{1b}[31m",
    "\u{1b}[33m",
    "\u{1b}[0m",
    "\r",
];

fn without_redrawing(text: &str) -> String {
    let mut text = text.to_owned();
    for rows in 1..=10 {
        text = text.replace(&format!("\x1b[{rows}A"), "");
    }
    OURS.iter().fold(text, |text, own| text.replace(own, ""))
}

#[track_caller]
fn is_harmless(ended: &Ended) {
    for (is_said, text) in [
        (true, &ended.stderr),
        // A value of several lines is printed as such.
        (false, &ended.stdout),
        (true, &ended.last_words),
    ] {
        let text = without_redrawing(text);
        let bad = text.chars().find(|c| {
            c.is_control() && *c != '\n'
                || ('\u{202a}'..='\u{202e}').contains(c)
                || ('\u{2066}'..='\u{2069}').contains(c)
        });
        assert_eq!(bad, None, "{text:?}");
        let forged = is_said
            && text
                .lines()
                .any(|line| line.starts_with("manila-wait: all is well"));
        assert!(!forged, "a line is forged: {text:?}");
    }
}

fn heat() -> World {
    let world = World::new("heat-wait", heat_cli::run, |_| {});
    world.stack(Stack::failing("tarn", secs(20), EVIL).event(
        secs(5),
        EVIL,
        None,
        "CREATE_FAILED",
        EVIL,
    ));
    world
}

fn manila() -> World {
    let world = World::new("manila-wait", manila_cli::run, |_| {});
    let item = Item::new(Kind::Share, EVIL)
        .id("11111111-0000-4000-8000-000000000001")
        .set("description", EVIL)
        .status(Duration::ZERO, "creating")
        .status(secs(20), &format!("error{EVIL}"))
        .message(secs(20), EVIL);
    world.item(item);
    world
}

fn worlds() -> [(World, &'static str); 2] {
    [
        (heat(), "stack wait tarn --poll 5"),
        (
            manila(),
            "share wait 11111111-0000-4000-8000-000000000001 --poll 5",
        ),
    ]
}

#[test]
fn names_reasons_and_messages_come_out_harmless() {
    for is_terminal in [false, true] {
        for format in ["", "-f value", "-f shell"] {
            for (mut world, words) in worlds() {
                if is_terminal {
                    world.terminal = terminal();
                }
                let ended = world.run(&format!("{words} {format}")).exits(1);
                if format.is_empty() || is_terminal {
                    is_harmless(&ended);
                } else {
                    // To a file or a pipe the result goes as it is; everything else is for people.
                    is_harmless(&Ended {
                        stdout: String::new(),
                        ..ended
                    });
                }
            }
        }
    }
}

#[test]
fn a_program_reads_them_as_they_are() {
    let (world, words) = (heat(), "stack wait tarn --poll 5 -f json --progress json");
    let ended = world.run(words).exits(1);
    assert_eq!(ended.json()["stack_status_reason"], EVIL);
    let events = ended
        .stderr
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    assert!(events.into_iter().any(|event| event["reason"] == EVIL));
    assert!(ended.stderr.chars().all(|c| !c.is_control() || c == '\n'));
    let words = "share wait 11111111-0000-4000-8000-000000000001 --poll 5 -f json --progress json";
    let ended = manila().run(words).exits(1);
    assert_eq!(ended.json()["name"], EVIL);
    assert!(ended.stderr.chars().all(|c| !c.is_control() || c == '\n'));
}

#[test]
fn what_is_said_of_errors_and_redirects_is_harmless() {
    let error = serde_json::json!({"error": {"message": EVIL, "code": 403}, "forbidden": {"message": EVIL, "code": 403}});
    let place = "http://elsewhere.test/\u{1b}[2J\u{202e}x".to_owned();
    for service in [When::heat(), When::manila(), When::sign_in()] {
        for (mut world, words) in worlds() {
            world.terminal = terminal();
            world.answer(service.clone(), sim_cloud::Answer::json(403, &error));
            is_harmless(&world.run(&format!("{words} --deadline 1m")));
        }
        for (mut world, words) in worlds() {
            world.terminal = terminal();
            world.fault(service.clone(), Fault::Redirect(302, place.clone()));
            is_harmless(&world.run(&format!("{words} --deadline 1m")));
        }
    }
}

#[test]
fn what_was_typed_is_harmless_as_well() {
    for (mut world, words) in worlds() {
        world.terminal = terminal();
        let mut words: Vec<&str> = words.split(' ').collect();
        words[2] = EVIL;
        let ended = world.run_words(&words);
        // Manila has a share of that very name.
        assert!(matches!(ended.exit, 1 | 2 | 4), "{ended}");
        is_harmless(&ended);
        let url = format!("{}/\u{1b}[2J", world.url(Service::Keystone));
        let mut more = words.clone();
        more.extend(["--os-auth-url", url.as_str()]);
        is_harmless(&world.run_words(&more));
    }
}

#[test]
fn a_token_reaches_no_origin_but_the_endpoints() {
    // A catalog that sends its users elsewhere is believed, since Keystone is; nobody else is.
    let elsewhere = World::new("nobody", heat_cli::run, |_| {});
    let other = elsewhere.url(Service::Heat);
    for status in [301, 302, 303, 307, 308] {
        for (world, words) in worlds() {
            for place in [
                format!("{other}/v1/x"),
                other.replace("http://", "http://demo@"),
                other.replace("http://", "https://"),
                format!("//{}/", other.trim_start_matches("http://")),
            ] {
                let when = |service: When| service.nth(2);
                world.fault(when(When::heat()), Fault::Redirect(status, place.clone()));
                world.fault(when(When::manila()), Fault::Redirect(status, place.clone()));
                world.fault(when(When::sign_in()), Fault::Redirect(status, place));
            }
            world.run(&format!("{words} --deadline 2m"));
        }
    }
    assert_eq!(elsewhere.requests(), []);
}
