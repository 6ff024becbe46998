//! The one table of settings: it drives flags, variables, keys of the clouds file and `--show-config`.

/// One setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// The key in clouds.yaml, and the key of [`crate::Sources::flags`].
    pub name: &'static str,
    /// Environment variables, the first that is set wins.
    pub env: &'static [&'static str],
    /// Long options without the dashes, the first is shown in help.
    pub flag: &'static [&'static str],
    /// For `--help`.
    pub help: &'static str,
    /// Never shown.
    pub secret: bool,
    /// An option without a value.
    pub switch: bool,
}

/// Every setting, in the order in which help shows them.
pub const SETTINGS: &[Setting] = &[Setting {
    name: "cloud",
    env: &["OS_CLOUD"],
    flag: &["os-cloud"],
    help: "Cloud name in clouds.yaml",
    secret: false,
    switch: false,
}];

/// Options and variables of the openstack client that are refused by name, and why.
pub const UNSUPPORTED: &[(&str, &str)] = &[];
