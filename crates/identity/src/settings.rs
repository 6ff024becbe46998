//! Flags > environment > secure file > clouds file > profile > default, key by key.

use std::collections::BTreeMap;
use std::path::Path;

use crate::Error;

/// The door to files.
pub trait Files {
    /// The whole file.
    ///
    /// # Errors
    /// As [`std::fs::read`].
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>>;
}

/// Where settings come from.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// Options given, by [`crate::Setting::name`]; switches as `true`.
    pub flags: &'a BTreeMap<String, String>,
    /// The environment.
    pub env: &'a BTreeMap<String, String>,
    /// The door to files.
    pub files: &'a dyn Files,
    /// The current folder.
    pub cwd: &'a Path,
}

/// One line of `--show-config`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Key as in clouds.yaml.
    pub name: String,
    /// Secrets are `***`.
    pub value: String,
    /// `--os-cloud`, `OS_CLOUD`, a file, `default`, …
    pub origin: String,
}

/// All settings with their origins.
#[derive(Debug, Clone)]
pub struct Settings {
    warnings: Vec<String>,
}

impl Settings {
    /// Reads and merges every source.
    ///
    /// # Errors
    /// [`crate::Kind::Config`] naming file, option or key and what to do.
    pub fn load(_sources: &Sources<'_>) -> Result<Self, Error> {
        Ok(Self {
            warnings: Vec::new(),
        })
    }

    /// What the user should know, each once.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Every setting with its origin, secrets masked.
    #[must_use]
    pub fn shown(&self) -> Vec<Shown> {
        Vec::new()
    }

    /// The value of a setting; `None` where it is not set. Never a secret.
    #[must_use]
    pub fn value(&self, _name: &str) -> Option<&str> {
        None
    }
}
