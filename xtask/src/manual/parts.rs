//! Sections that both programs have in common.

use clap::{Arg, Command};
use clap_mangen::roff::{Roff, bold, italic, roman};

use crate::tools::Failure;

/// What is true of every command.
pub const DESCRIPTION: &str = "The result goes to standard output, in the formats of the openstack command; progress, messages and hints go to \
standard error. Every wait has a deadline. When it comes, the operation goes on, and the command is printed that goes on waiting. Nothing is written to disk.";

/// The table of docs/exit-codes.md, which a test compares with the programs.
pub fn exit_status() -> Result<String, Failure> {
    let page = include_str!("../../../docs/exit-codes.md");
    let mut roff = Roff::new();
    roff.control("SH", ["EXIT STATUS"]);
    let mut codes = 0;
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, code, name, meaning, _] = cells.as_slice() else {
            continue;
        };
        if code.parse::<u8>().is_ok() {
            codes += 1;
            roff.control("TP", []);
            roff.text([bold(*code)]);
            roff.text([italic(*name), roman(format!(": {}", unmarked(meaning)))]);
        }
    }
    if codes == 0 {
        return Err("docs/exit-codes.md: no table of codes".to_owned());
    }
    roff.control("PP", []);
    roff.text([roman(
        "A program that a signal ends dies by that signal: a shell shows 128 plus its number. Several resources: 0 only if all \
are 0, otherwise the first of 1, 6, 5, 3, 124, 4 that any of them has.",
    )]);
    Ok(roff.to_roff())
}

/// Variables of the program, which stand for the durations among its options, then those of every OpenStack client.
pub fn environment(prefix: &str, root: &Command) -> String {
    let mut roff = Roff::new();
    roff.control("SH", ["ENVIRONMENT"]);
    roff.text([roman("Options come first, then these, then clouds.yaml.")]);
    let timing = root
        .get_arguments()
        .filter(|arg| arg.get_help_heading() == Some("Timing") && takes_a_duration(arg));
    for option in timing.filter_map(|arg| arg.get_long()) {
        let variable = option.to_uppercase().replace('-', "_");
        roff.control("TP", []);
        roff.text([bold(format!("{prefix}_{variable}"))]);
        roff.text([roman("As "), bold(format!("--{option}"))]);
    }
    for setting in os_identity::SETTINGS {
        let (Some(flag), Some(variable)) = (setting.flag.first(), setting.env.first()) else {
            continue;
        };
        roff.control("TP", []);
        roff.text([bold(*variable)]);
        roff.text([roman("As "), bold(format!("--{flag}"))]);
    }
    for (variable, meaning) in [
        (
            "OS_CLIENT_CONFIG_FILE",
            "The clouds file, in place of those under FILES",
        ),
        ("TERM", "dumb: no live display"),
        (
            "HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY",
            "Proxies, also in lower case",
        ),
        (
            "SSL_CERT_FILE, SSL_CERT_DIR",
            "Certificates to trust in place of the system's",
        ),
        ("RUST_LOG", "Narrows what -v and -vv show"),
    ] {
        roff.control("TP", []);
        roff.text([bold(variable)]);
        roff.text([roman(meaning)]);
    }
    roff.to_roff()
}

fn takes_a_duration(arg: &Arg) -> bool {
    let names = arg.get_value_names().unwrap_or_default();
    names.iter().any(|name| name.contains("DURATION"))
}

/// Markdown's marks taken away.
fn unmarked(text: &str) -> String {
    text.replace('`', "").replace("\\|", "|").replace("**", "")
}
