//! Flags > environment > secure file > clouds file > profile > default, key by key.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use crate::clouds::{self, Chosen};
use crate::layer::{self, Layer, Rank};
use crate::proxy::Proxies;
use crate::{Error, SETTINGS, Secret, Service, Setting};

/// The door to files.
pub trait Files {
    /// The whole file.
    ///
    /// # Errors
    /// As [`std::fs::read`].
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>>;

    /// The absolute path without symbolic links. A door to something else than a disk gives back what it is given.
    ///
    /// # Errors
    /// As [`std::fs::canonicalize`].
    fn canonical(&self, path: &Path) -> std::io::Result<std::path::PathBuf> {
        Ok(path.to_owned())
    }
}

/// Where settings come from.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// Options given, by [`Setting::name`]; switches as `true`.
    pub flags: &'a BTreeMap<String, String>,
    /// The environment.
    pub env: &'a BTreeMap<String, String>,
    /// The door to files.
    pub files: &'a dyn Files,
    /// The current folder.
    pub cwd: &'a Path,
}

impl<'a> Sources<'a> {
    /// A variable that is set and not empty.
    pub(crate) fn var(&self, name: &str) -> Option<&'a str> {
        self.env
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// An option that is given and not empty.
    pub(crate) fn flag(&self, name: &str) -> Option<&'a str> {
        self.flags
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// `~` and `~/…` are below the home folder.
    pub(crate) fn expand(&self, path: &str) -> std::path::PathBuf {
        let below = path
            .strip_prefix('~')
            .filter(|rest| rest.is_empty() || rest.starts_with('/'));
        match (below, self.var("HOME")) {
            (Some(rest), Some(home)) => Path::new(home).join(rest.trim_start_matches('/')),
            _ => self.cwd.join(path),
        }
    }
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

/// A value and where it comes from. `Debug` shows no value.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub(crate) value: Secret,
    pub(crate) origin: String,
    pub(crate) rank: Rank,
}

impl Held {
    pub(crate) fn text(&self) -> &str {
        self.value.reveal()
    }
}

/// All settings with their origins.
#[derive(Clone)]
pub struct Settings {
    pub(crate) values: BTreeMap<String, Held>,
    pub(crate) proxies: Proxies,
    warnings: Vec<String>,
}

impl Settings {
    /// Reads and merges every source. Whether they suffice for signing in, [`crate::Session::new`] says.
    ///
    /// # Errors
    /// [`crate::Kind::Config`] naming file, option or key and what to do.
    pub fn load(sources: &Sources<'_>) -> Result<Self, Error> {
        let mut warnings = Vec::new();
        let chosen = clouds::choose(sources, &mut warnings)?;
        let mut settings = Self {
            values: BTreeMap::new(),
            proxies: Proxies::read(sources),
            warnings,
        };
        settings.add(Layer::defaults());
        settings.add(Layer::environment(sources));
        settings.add(Layer::flags(sources));
        let Chosen {
            name,
            origin,
            layers,
            regions,
        } = chosen;
        if let Some(name) = name {
            settings.values.insert(
                "cloud".into(),
                Held {
                    value: Secret::new(name),
                    origin,
                    rank: Rank::Flag,
                },
            );
        }
        for layer in layers {
            settings.add(layer);
        }
        if let Some(regions) = regions {
            // One that the files name beside the list is not heard, as in openstacksdk.
            let given = settings
                .values
                .get("region_name")
                .filter(|held| held.rank > Rank::Region);
            let wanted = given.map(|held| held.text().to_owned());
            settings.add(regions.layer(wanted.as_deref())?);
        }
        settings.fill_templates();
        settings.expand_paths(sources);
        settings.check_words()?;
        settings.warn(sources);
        Ok(settings)
    }

    /// What the user should know, each once.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Every setting with its origin, secrets masked.
    #[must_use]
    pub fn shown(&self) -> Vec<Shown> {
        let is_known = |name: &&String| SETTINGS.iter().any(|setting| setting.name == **name);
        let known = SETTINGS.iter().filter_map(|setting| {
            let (name, _) = self.values.get_key_value(setting.name)?;
            Some(name)
        });
        let names = known.chain(self.values.keys().filter(|name| !is_known(name)));
        let shown = |name: &String| {
            let held = self.values.get(name)?;
            let value = if is_secret(name) {
                "***".to_owned()
            } else {
                crate::url::shown(held.text())
            };
            Some(Shown {
                name: name.clone(),
                value,
                origin: held.origin.clone(),
            })
        };
        names.filter_map(shown).collect()
    }

    /// The value of a setting; `None` where it is not set. Never a secret.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        if is_secret(name) {
            None
        } else {
            self.raw(name)
        }
    }

    /// Where the value of a setting comes from.
    #[must_use]
    pub fn origin(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(|held| held.origin.as_str())
    }

    pub(crate) fn raw(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(Held::text)
    }

    pub(crate) fn secret(&self, name: &str) -> Option<Secret> {
        self.values.get(name).map(|held| held.value.clone())
    }

    /// A value that was checked to be a word for yes or no.
    pub(crate) fn truth(&self, name: &str) -> Option<bool> {
        self.raw(name).and_then(layer::truth)
    }

    /// Whether servers' certificates are not to be checked: `insecure` and `verify` of the better source decide.
    pub(crate) fn is_insecure(&self) -> bool {
        let told = ["insecure", "verify"].map(|name| self.values.get(name));
        let [insecure, verify] =
            told.map(|held| held.and_then(|held| Some((held.rank, layer::truth(held.text())?))));
        let best = insecure.max(verify).map(|(rank, _)| rank);
        let says = |told: Option<(Rank, bool)>, word| {
            told.is_some_and(|(rank, yes)| Some(rank) == best && yes == word)
        };
        says(insecure, true) || says(verify, false)
    }

    /// The best value of a per-service key, over the service's prefixes and several suffixes:
    /// by source first (all files are one), then by suffix, then by prefix, and the `general` key last.
    pub(crate) fn of_service(
        &self,
        service: &Service,
        suffixes: &[&str],
        general: Option<&str>,
    ) -> Option<&Held> {
        let keys = suffixes
            .iter()
            .flat_map(|suffix| {
                service
                    .prefixes
                    .iter()
                    .map(move |prefix| format!("{prefix}_{suffix}"))
            })
            .chain(general.map(str::to_owned));
        let mut best: Option<&Held> = None;
        for held in keys.filter_map(|key| self.values.get(&key)) {
            if best.is_none_or(|best| held.rank.class() > best.rank.class()) {
                best = Some(held);
            }
        }
        best
    }

    fn add(&mut self, layer: Layer) {
        for (key, value) in layer.values {
            let held = Held {
                value: Secret::new(value.text),
                origin: value.origin,
                rank: layer.rank,
            };
            if self.values.get(&key).is_none_or(|old| old.rank < held.rank) {
                self.values.insert(key, held);
            }
        }
    }

    /// `{region_name}` in any value but secrets (`openstack/config/loader.py:1220`, there for every key).
    fn fill_templates(&mut self) {
        let Some(region) = self.raw("region_name").map(str::to_owned) else {
            return;
        };
        for (name, held) in &mut self.values {
            if !is_secret(name) && held.text().contains("{region_name}") {
                held.value = Secret::new(held.text().replace("{region_name}", &region));
            }
        }
    }

    fn expand_paths(&mut self, sources: &Sources<'_>) {
        for name in ["cacert", "cert", "key"] {
            if let Some(held) = self.values.get_mut(name) {
                held.value = Secret::new(sources.expand(held.text()).to_string_lossy());
            }
        }
    }

    fn check_words(&self) -> Result<(), Error> {
        for name in ["insecure", "verify", "force_ipv4", "prefer_ipv6"] {
            if let Some(held) = self.values.get(name) {
                if layer::truth(held.text()).is_none() {
                    return Err(Error::config(format!(
                        "{name} ({}) is neither true nor false: {}",
                        held.origin,
                        held.text()
                    )));
                }
            }
        }
        if let Some(held) = self.values.get("identity_api_version") {
            if held.text() != "3" && !held.text().starts_with("3.") {
                return Err(Error::config(format!(
                    "identity API version {} ({}) is not supported, only 3 is",
                    held.text(),
                    held.origin
                )));
            }
        }
        Ok(())
    }

    fn warn(&mut self, sources: &Sources<'_>) {
        if self
            .values
            .get("cloud")
            .is_some_and(|held| !held.origin.starts_with("environment"))
        {
            let joined: Vec<&str> = ["OS_AUTH_URL", "OS_USERNAME", "OS_PASSWORD"]
                .into_iter()
                .filter(|name| sources.var(name).is_some())
                .collect();
            let origin = self.origin("cloud").unwrap_or_default();
            if !joined.is_empty() && (origin == "OS_CLOUD" || origin == "--os-cloud") {
                self.warnings.push(format!(
                    "{origin} names a cloud, but {} from the environment {} before its entry",
                    joined.join(", "),
                    if joined.len() == 1 { "goes" } else { "go" },
                ));
            }
        }
    }
}

/// No values: any of them may be a secret under a name that is in no table.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("names", &self.values.keys().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

pub(crate) fn is_secret(name: &str) -> bool {
    Setting::named(name).is_some_and(|setting| setting.secret)
}

#[cfg(test)]
pub(crate) mod tests;
