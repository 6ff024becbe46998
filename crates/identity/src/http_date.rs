//! Dates of HTTP headers (RFC 9110 §5.6.7, the fixed form that servers must send).

use jiff::Timestamp;
use jiff::fmt::rfc2822;

/// `Sun, 06 Nov 1994 08:49:37 GMT`. `None`: something else.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    rfc2822::DateTimeParser::new().parse_timestamp(text).ok()
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::parse;

    #[test]
    fn the_fixed_form_is_read_and_nothing_else() {
        let expected = Timestamp::from_second(784_111_777).expect("a time");
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
