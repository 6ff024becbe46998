//! Values that nobody may see.

use std::fmt;

/// A password, a token or the like: no `Display`, no `Serialize`, and `Debug` shows stars.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Secret(String);

impl Secret {
    /// Wraps `value`.
    #[must_use]
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The value itself, for the one place that sends it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn debug_shows_stars_only() {
        let shown = format!("{:?}", Some(Secret::new("opensesame")));
        assert_eq!(shown, "Some(***)");
    }
}
