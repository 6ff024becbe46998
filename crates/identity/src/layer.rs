//! One source of settings as flat, normalised keys.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::settings::Sources;
use crate::{OBJECT_STORE, ORCHESTRATION, SETTINGS, SHARED_FILE_SYSTEM};

/// Which source wins: the later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    Default,
    Profile,
    Clouds,
    Secure,
    Region,
    Environment,
    Flag,
}

impl Rank {
    /// Defaults, files, environment, options: within the files a special key goes before a general one.
    pub(crate) fn class(self) -> Self {
        match self {
            Self::Profile | Self::Clouds | Self::Secure | Self::Region => Self::Region,
            other => other,
        }
    }
}

/// A text and where it stands.
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) origin: String,
}

/// One source.
pub(crate) struct Layer {
    pub(crate) rank: Rank,
    pub(crate) values: BTreeMap<String, Text>,
}

/// Keys that have had other names; within one source the later name of a row wins
/// (`openstack/config/loader.py:1002-1063`).
const RENAMED: &[(&str, &[&str])] = &[
    ("project_id", &["tenant_id", "project_id"]),
    ("project_name", &["tenant_name", "project_name"]),
    ("token", &["auth_token", "token"]),
    ("auth_type", &["auth_plugin", "auth_type"]),
    ("username", &["user_name", "username"]),
];

/// What may follow the prefix of a service.
const SUFFIXES: &[&str] = &[
    "endpoint_override",
    "endpoint",
    "api_version",
    "default_microversion",
    "interface",
    "region_name",
    "service_type",
    "service_name",
];

/// Keys of a cloud that no flag has.
const MORE_KEYS: &[&str] = &["force_ipv4", "prefer_ipv6"];

impl Layer {
    pub(crate) fn defaults() -> Self {
        let mut values = BTreeMap::new();
        for (key, text) in [("interface", "public"), ("default_domain", "default")] {
            let text = Text {
                text: text.to_owned(),
                origin: "default".to_owned(),
            };
            values.insert(key.to_owned(), text);
        }
        Self {
            rank: Rank::Default,
            values,
        }
    }

    pub(crate) fn flags(sources: &Sources<'_>) -> Self {
        let mut values = BTreeMap::new();
        for setting in SETTINGS {
            let option = if setting.name == "cloud" {
                None
            } else {
                sources.flag(setting.name)
            };
            if let Some(text) = option {
                let origin = format!("--{}", setting.flag.first().unwrap_or(&setting.name));
                values.insert(
                    setting.name.to_owned(),
                    Text {
                        text: text.to_owned(),
                        origin,
                    },
                );
            }
        }
        Self {
            rank: Rank::Flag,
            values,
        }
    }

    pub(crate) fn environment(sources: &Sources<'_>) -> Self {
        let mut values = BTreeMap::new();
        for setting in SETTINGS {
            if setting.name == "cloud" {
                continue;
            }
            let set = setting
                .env
                .iter()
                .find_map(|name| sources.var(name).map(|text| (*name, text)));
            if let Some((name, text)) = set {
                values.insert(
                    setting.name.to_owned(),
                    Text {
                        text: text.to_owned(),
                        origin: name.to_owned(),
                    },
                );
            }
        }
        for (name, text) in sources.env.iter().filter(|(_, text)| !text.is_empty()) {
            let Some(key) = name.strip_prefix("OS_").map(str::to_ascii_lowercase) else {
                continue;
            };
            let key = renamed_interface(&key);
            if is_service_key(&key) && !values.contains_key(&key) {
                values.insert(
                    key,
                    Text {
                        text: text.clone(),
                        origin: name.clone(),
                    },
                );
            }
        }
        Self {
            rank: Rank::Environment,
            values,
        }
    }

    /// A mapping of a clouds file: top level beats `auth`, as `osc_lib/cli/client_config.py:155-219` does it.
    pub(crate) fn mapping(rank: Rank, entry: &Map<String, Value>, origin: &str) -> Self {
        let normalised = |map: &Map<String, Value>| -> BTreeMap<String, String> {
            let mut texts = BTreeMap::new();
            for (key, value) in map {
                if let Some(text) = text_of(value) {
                    texts.insert(normal(key), text);
                }
            }
            texts
        };
        let top = normalised(entry);
        let auth = entry
            .get("auth")
            .and_then(Value::as_object)
            .map(normalised)
            .unwrap_or_default();
        let mut values = BTreeMap::new();
        for key in auth.keys().chain(top.keys()) {
            let (target, names): (&str, Vec<&str>) = match RENAMED
                .iter()
                .find(|(_, names)| names.contains(&key.as_str()))
            {
                Some((target, names)) => (target, names.to_vec()),
                None => (key, vec![key]),
            };
            let won = names
                .iter()
                .rev()
                .find_map(|name| top.get(*name).or_else(|| auth.get(*name)));
            if let Some(text) = won.filter(|_| is_known(target)) {
                values.insert(
                    target.to_owned(),
                    Text {
                        text: text.clone(),
                        origin: origin.to_owned(),
                    },
                );
            }
        }
        Self { rank, values }
    }
}

fn is_known(key: &str) -> bool {
    SETTINGS.iter().any(|setting| setting.name == key) && key != "cloud"
        || MORE_KEYS.contains(&key)
        || is_service_key(key)
}

fn is_service_key(key: &str) -> bool {
    let mut prefixes = [ORCHESTRATION, SHARED_FILE_SYSTEM, OBJECT_STORE]
        .into_iter()
        .flat_map(|service| service.prefixes.iter());
    prefixes.any(|prefix| {
        key.strip_prefix(prefix)
            .and_then(|rest| rest.strip_prefix('_'))
            .is_some_and(|rest| SUFFIXES.contains(&rest))
    })
}

/// `-` is `_`, `endpoint_type` is `interface`.
fn normal(key: &str) -> String {
    renamed_interface(&key.replace('-', "_"))
}

fn renamed_interface(key: &str) -> String {
    match key.strip_suffix("endpoint_type") {
        Some(prefix) => format!("{prefix}interface"),
        None => key.to_owned(),
    }
}

/// Scalars as text, lists joined by commas. `None`: nothing, or a mapping.
pub(crate) fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Object(_) => None,
        Value::Bool(yes) => Some(yes.to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => Some(
            items
                .iter()
                .filter_map(text_of)
                .collect::<Vec<_>>()
                .join(","),
        ),
    }
    .filter(|text| !text.is_empty())
}

/// The words for yes and no of YAML 1.1, and numbers.
pub(crate) fn truth(word: &str) -> Option<bool> {
    match word.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "y" | "t" | "1" => Some(true),
        "false" | "no" | "off" | "n" | "f" | "0" => Some(false),
        _ => None,
    }
}
