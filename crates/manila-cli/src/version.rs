//! Microversions of the Shared File Systems API: 2.N.

use std::fmt;

use serde_json::Value;

/// One microversion, by its minor number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Microversion(u16);

/// The newest that this program was tested with: on Manila 23.0.1 (2026.2), beside python-manilaclient 6.3.0, which knows
/// none after it. So the fields of a result are the client's.
pub const TESTED: Microversion = Microversion(98);

impl Microversion {
    /// 2.N.
    #[must_use]
    pub const fn new(minor: u16) -> Self {
        Self(minor)
    }

    /// Reads `2.60`. `None`: it is something else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let minor = text.trim().strip_prefix("2.")?;
        let digits = !minor.is_empty() && minor.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| minor.parse().ok().map(Self)).flatten()
    }
}

impl fmt::Display for Microversion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "2.{}", self.0)
    }
}

/// What a server offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The oldest.
    pub oldest: Microversion,
    /// The newest.
    pub newest: Microversion,
}

impl Range {
    /// Reads the version document: `{"versions": [{"id": "v2.0", "version": "2.99", "min_version": "2.0"}]}`.
    /// Version 1 may be listed beside it. `None`: no version 2 in it.
    #[must_use]
    pub fn read(document: &Value) -> Option<Self> {
        let versions = document.get("versions")?.as_array()?;
        versions.iter().find_map(|version| {
            let number = |key: &str| Microversion::parse(version.get(key)?.as_str()?);
            Some(Self {
                oldest: number("min_version")?,
                newest: number("version")?,
            })
        })
    }

    /// The version to speak: the newest that both sides know, or the one asked for.
    ///
    /// # Errors
    /// What was asked for is not offered.
    pub fn choose(self, asked: Option<Microversion>) -> Result<Microversion, String> {
        match asked {
            Some(asked) if asked < self.oldest || asked > self.newest => Err(format!(
                "microversion {asked} was asked for, the cloud offers {self}"
            )),
            Some(asked) => Ok(asked),
            None if self.oldest > TESTED => Err(format!(
                "the cloud offers microversions {self}, this program knows none after {TESTED}"
            )),
            None => Ok(self.newest.min(TESTED)),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.oldest, self.newest)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn range(oldest: u16, newest: u16) -> Range {
        Range {
            oldest: Microversion(oldest),
            newest: Microversion(newest),
        }
    }

    #[test]
    fn versions_compare_by_number() {
        assert!(Microversion::parse("2.9") < Microversion::parse("2.10"));
        for text in ["latest", "2", "2.", "1.0", "2.x", "2.-1", "2.99999", ""] {
            assert_eq!(Microversion::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_range_is_that_of_version_2() {
        let document = json!({"versions": [
            {"id": "v1.0", "status": "DEPRECATED", "version": "", "min_version": ""},
            {"id": "v2.0", "status": "CURRENT", "version": "2.60", "min_version": "2.0"},
        ]});
        assert_eq!(Range::read(&document), Some(range(0, 60)));
        assert_eq!(Range::read(&json!({"versions": []})), None);
        assert_eq!(Range::read(&json!({"choices": []})), None);
    }

    #[test]
    fn the_newest_that_both_know_is_spoken_unless_one_is_asked_for() {
        assert_eq!(range(0, 40).choose(None), Ok(Microversion(40)));
        assert_eq!(range(0, 120).choose(None), Ok(TESTED));
        assert_eq!(
            range(0, 60).choose(Some(Microversion(45))),
            Ok(Microversion(45))
        );
        let refused = range(0, 60).choose(Some(Microversion(69))).unwrap_err();
        assert_eq!(
            refused,
            "microversion 2.69 was asked for, the cloud offers 2.0 to 2.60"
        );
    }
}
