//! What is typed, and small things that services write: times, durations, goals, URLs; and what of them is shown.

use heat_cli::goal::{Condition, Goal};
use heat_cli::template::url_join;
use manila_cli::goal::Goal as ShareGoal;
use manila_cli::kind::KINDS;
use os_identity::url as os_url;
use wait_cli::{duration, printable as print, time as times};

use crate::{assert_harmless, parts};

fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

/// A time of an event or a resource: what is shown of it is the same time.
pub(crate) fn time(data: &[u8]) {
    let given = text(data);
    match times::parse(&given) {
        Some(time) => assert_eq!(times::parse(&times::utc(&given)), Some(time), "{given:?}"),
        None => assert_eq!(times::utc(&given), given, "what is no time is kept"),
    }
}

/// A duration: what is shown of it is a duration again, the same to the second.
pub(crate) fn duration(data: &[u8]) {
    let given = text(data);
    let _ = duration::parse_or_none(&given);
    let Ok(span) = duration::parse(&given) else {
        return;
    };
    let shown = duration::show(span);
    // Spans of a signed length only can be read; the longest is beyond the age of the universe.
    if span.as_secs() >= 1 && i64::try_from(span.as_secs()).is_ok() {
        let back = duration::parse(&shown).map(|span| span.as_secs());
        assert_eq!(back, Ok(span.as_secs()), "{given:?} is shown as {shown:?}");
    }
}

/// Parts: `--for` and `--and`. A goal's words mean the same goal.
pub(crate) fn goal(data: &[u8]) {
    let [wanted, and] = parts(data).map(text);
    if let Ok(goal) = Goal::parse(&wanted) {
        assert_eq!(Goal::parse(&goal.word()), Ok(goal), "{wanted:?}");
    }
    let _ = Condition::parse(&and);
    for kind in KINDS {
        let and = if and.is_empty() {
            Vec::new()
        } else {
            vec![and.clone()]
        };
        if let Ok(goal) = ShareGoal::read(kind, std::slice::from_ref(&wanted), &and) {
            assert_eq!(
                ShareGoal::read(kind, &goal.for_words(), &and),
                Ok(goal),
                "{wanted:?}"
            );
        }
    }
}

/// Parts: a URL and what is joined to it. What is joined from the root stays on its server, and no password is shown.
pub(crate) fn url(data: &[u8]) {
    let [base, reference] = parts(data).map(text);
    let joined = url_join(&base, &reference);
    let _ = (url_join(&joined, &reference), os_url::version(&joined));
    let joined = os_url::join(&base, &reference);
    let from_root =
        reference.starts_with('/') && !reference.starts_with("//") && !reference.contains("://");
    if let (true, Some(origin)) = (from_root, os_url::origin(&base)) {
        if let Some(joined) = os_url::origin(&joined) {
            assert_eq!(joined, origin, "{reference:?} leads away from {base:?}");
        }
    }
    let versioned = os_url::with_version(&base, "v1");
    assert!(
        os_url::version(&versioned).is_some() || base.contains(['?', '#']),
        "{base:?}"
    );
    let (root, rest) = os_url::split(&base);
    assert_eq!(format!("{root}{rest}"), base, "split loses something");
    assert!(os_url::encode(&base).is_ascii(), "{base:?}");
    let secret = "pass-word-1";
    let shown = os_url::shown(&format!("https://u:{secret}@h/{base}"));
    assert!(base.contains(secret) || !shown.contains(secret), "{base:?}");
}

/// Any text is shown harmlessly, on one line where it must be; as JSON it stays what it is.
pub(crate) fn printable(data: &[u8]) {
    let given = text(data);
    let shown = print::harmless(&given);
    assert_harmless(&shown);
    let line = print::line(&given);
    assert!(!line.chars().any(print::is_control), "{line:?}");
    let json = print::json_line(&given).expect("text is JSON");
    assert!(!json.chars().any(print::is_control), "{json:?}");
    assert_eq!(
        serde_json::from_str::<String>(&json).ok(),
        Some(given),
        "{json}"
    );
}
