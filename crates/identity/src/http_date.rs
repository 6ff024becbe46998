//! Dates of HTTP headers (RFC 9110 §5.6.7, the fixed form that servers must send).

use std::time::SystemTime;

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// `Sun, 06 Nov 1994 08:49:37 GMT`. `None`: something else.
pub(crate) fn parse(text: &str) -> Option<SystemTime> {
    let mut words = text.split_once(", ")?.1.split(' ');
    let (day, month, year, time) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    humantime::parse_rfc3339(&format!("{year}-{month:02}-{day}T{time}Z")).ok()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::parse;

    #[test]
    fn the_fixed_form_is_read_and_nothing_else() {
        let expected = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        assert_eq!(parse("Sun, 06 Nov 1994 08:49:37 GMT"), Some(expected));
        for broken in [
            "",
            "soon",
            "Sun, 06 Nov",
            "Sun, 99 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
        ] {
            assert_eq!(parse(broken), None, "{broken}");
        }
    }
}
