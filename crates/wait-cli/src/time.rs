//! Times as services write them, shown as UTC.

use std::time::SystemTime;

use jiff::civil::DateTime;
use jiff::{Timestamp, tz::Offset};

/// A time of day for the log: `2026-11-30 07:52:42Z`.
#[must_use]
pub fn log(time: SystemTime) -> String {
    iso(time).replacen('T', " ", 1)
}

/// A time of day in ISO 8601, whole seconds, UTC.
#[must_use]
pub fn iso(time: SystemTime) -> String {
    let time = Timestamp::try_from(time).unwrap_or(Timestamp::UNIX_EPOCH);
    Timestamp::from_second(time.as_second())
        .unwrap_or(Timestamp::UNIX_EPOCH)
        .to_string()
}

/// Reads a time in any notation that services use: with `Z`, without a zone (then UTC), with an offset, with fractions.
#[must_use]
pub fn parse(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let without_zone = || {
        Offset::UTC
            .to_timestamp(text.parse::<DateTime>().ok()?)
            .ok()
    };
    // A bare date is a DateTime to jiff; to us it is no time.
    text.parse::<Timestamp>()
        .ok()
        .or_else(|| text.contains(':').then(without_zone)?)
}

/// A service's time as UTC with `Z`, fractions only where they are; what is no time is given back as it came.
#[must_use]
pub fn utc(text: &str) -> String {
    parse(text).map_or_else(|| text.to_owned(), |time| time.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_is_shown_as_utc() {
        for (text, shown) in [
            ("2031-03-04T10:00:05", "2031-03-04T10:00:05Z"),
            ("2031-03-04T10:00:04Z", "2031-03-04T10:00:04Z"),
            ("2031-03-04T12:00:06+02:00", "2031-03-04T10:00:06Z"),
            ("2031-03-04T04:30:06-0530", "2031-03-04T10:00:06Z"),
            ("2031-03-04T10:00:06.250000", "2031-03-04T10:00:06.25Z"),
            ("2031-03-04 10:00:06", "2031-03-04T10:00:06Z"),
            ("yesterday", "yesterday"),
            ("", ""),
        ] {
            assert_eq!(utc(text), shown, "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in [
            "",
            "2031-03-04",
            "2031-13-04T10:00:05Z",
            "2031-03-04T10:00:05+2",
            "é+é",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
