//! Every connection option and variable of the openstack command is supported or refused by name.

use std::collections::BTreeSet;

use os_identity::{SETTINGS, UNSUPPORTED};

/// `openstack --version`, then one line an option: its long forms and the variables that its help names.
const OPENSTACK: &str = include_str!("fixtures/openstack-options.txt");

/// Options about output and verbosity, which the command lines have themselves.
const NOT_OURS: &[&str] = &["--version", "--verbose", "--quiet", "--help", "--debug"];

#[test]
fn every_option_is_supported_or_refused_by_name() {
    let ours: BTreeSet<String> = SETTINGS
        .iter()
        .flat_map(|setting| setting.flag.iter().map(|flag| format!("--{flag}")))
        .collect();
    let refused: BTreeSet<&str> = UNSUPPORTED.iter().map(|(name, _)| *name).collect();
    let options: Vec<&str> = OPENSTACK
        .lines()
        .skip(1)
        .flat_map(str::split_whitespace)
        .filter(|word| word.starts_with("--"))
        .collect();
    assert!(options.len() > 60, "the recorded list is whole");
    for option in options {
        if !NOT_OURS.contains(&option) {
            let known = ours.contains(option) as u8 + refused.contains(option) as u8;
            assert_eq!(known, 1, "{option} must be either supported or refused");
        }
    }
}

#[test]
fn every_variable_is_supported_or_that_of_a_refused_option() {
    let ours: BTreeSet<&str> = SETTINGS
        .iter()
        .flat_map(|setting| setting.env.iter().copied())
        .collect();
    let refused: BTreeSet<String> = UNSUPPORTED
        .iter()
        .map(|(name, _)| {
            name.trim_start_matches("--")
                .replace('-', "_")
                .to_ascii_uppercase()
        })
        .collect();
    for variable in OPENSTACK
        .split_whitespace()
        .filter(|word| word.starts_with("OS_"))
    {
        assert!(
            ours.contains(variable) || refused.contains(variable),
            "{variable}"
        );
    }
}

#[test]
fn no_name_stands_twice() {
    let mut names = BTreeSet::new();
    let flags = SETTINGS
        .iter()
        .flat_map(|setting| setting.flag)
        .map(|flag| format!("--{flag}"));
    let variables = SETTINGS
        .iter()
        .flat_map(|setting| setting.env)
        .map(|variable| (*variable).to_owned());
    let refused = UNSUPPORTED.iter().map(|(name, _)| (*name).to_owned());
    for name in flags.chain(variables).chain(refused) {
        assert!(names.insert(name.clone()), "{name}");
    }
}
