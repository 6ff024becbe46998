//! Durations on the command line: `90s`, `5m`, `1h30m`, `500ms`, `1.5s`, bare seconds.

use std::time::Duration;

use jiff::SignedDuration;
use jiff::fmt::friendly::{Spacing, SpanPrinter};

static SPANS: SpanPrinter = SpanPrinter::new().spacing(Spacing::BetweenUnits);

/// Reads a duration. A number alone is seconds, as in `openstack stack create --poll 5`.
///
/// # Errors
/// Says what is accepted, when the text is none.
pub fn parse(text: &str) -> Result<Duration, String> {
    let trimmed = text.trim();
    let read = match trimmed.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => trimmed
            .parse::<SignedDuration>()
            .ok()
            .and_then(|span| Duration::try_from(span).ok()),
    };
    read.ok_or_else(|| {
        format!("'{text}' is no duration: write 90s, 5m, 1h30m, 500ms, 1.5s or a number of seconds")
    })
}

/// Reads a duration or `none`.
///
/// # Errors
/// Says what is accepted, when the text is neither.
pub fn parse_or_none(text: &str) -> Result<Option<Duration>, String> {
    if text.trim().eq_ignore_ascii_case("none") {
        return Ok(None);
    }
    parse(text)
        .map(Some)
        .map_err(|message| format!("{message}, or none"))
}

/// A span for people: whole seconds from one second on, `1h 5m 3s`.
#[must_use]
pub fn show(span: Duration) -> String {
    let shown = if span < Duration::from_secs(1) {
        Duration::from_millis(u64::try_from(span.as_millis()).unwrap_or(0))
    } else {
        Duration::from_secs(span.as_secs())
    };
    SPANS.duration_to_string(&SignedDuration::try_from(shown).unwrap_or(SignedDuration::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_of_the_manual_is_read() {
        for (text, millis) in [
            ("90s", 90_000),
            ("5m", 300_000),
            ("1h30m", 5_400_000),
            ("500ms", 500),
            ("1.5s", 1_500),
            ("5", 5_000),
            ("0", 0),
            ("0.25", 250),
            (" 2m ", 120_000),
        ] {
            assert_eq!(parse(text), Ok(Duration::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn what_is_no_duration_is_refused_with_what_is() {
        for text in [
            "soon",
            "",
            "-5",
            "5 parsecs",
            "nan",
            "inf",
            "1e400",
            "m5",
            "--",
            "5s5",
        ] {
            let message = parse(text).expect_err(text);
            assert!(message.contains("is no duration: write 90s"), "{message}");
        }
    }

    #[test]
    fn none_means_none() {
        assert_eq!(parse_or_none("None"), Ok(None));
        assert_eq!(parse_or_none("5m"), Ok(Some(Duration::from_secs(300))));
        assert!(
            parse_or_none("never")
                .expect_err("never")
                .ends_with("or none")
        );
    }

    #[test]
    fn spans_are_shown_in_whole_seconds() {
        assert_eq!(show(Duration::from_millis(63_900)), "1m 3s");
        assert_eq!(show(Duration::from_millis(400)), "400ms");
    }
}
