//! Debug logs: only our own crates', whatever `RUST_LOG` says, so that no library can print the wire.

use std::collections::BTreeMap;

use log::{LevelFilter, Log, Metadata, Record};

use crate::progress::Ci;

/// What our own targets begin with.
const OURS: [&str; 5] = [
    "heat_cli",
    "manila_cli",
    "wait_cli",
    "os_identity",
    "poll_core",
];

/// Where bodies are logged: shown from `-vv` on.
const BODIES: &str = "os_identity::body";

struct OnlyOurs(env_logger::Logger);

impl Log for OnlyOurs {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        is_ours(metadata.target()) && self.0.enabled(metadata)
    }

    fn log(&self, record: &Record<'_>) {
        if is_ours(record.target()) {
            self.0.log(record);
        }
    }

    fn flush(&self) {
        self.0.flush();
    }
}

fn is_ours(target: &str) -> bool {
    OURS.contains(&target.split("::").next().unwrap_or_default())
}

/// Turns logs on: `verbosity` as given by `-v` and `-vv`; `RUST_LOG` chooses among what may be shown.
/// A second call in one process changes nothing.
pub fn start(verbosity: u8, env: &BTreeMap<String, String>) {
    let filter = env
        .get("RUST_LOG")
        .map(String::as_str)
        .filter(|text| !text.is_empty());
    if verbosity == 0 && filter.is_none() {
        return;
    }
    let mut builder = env_logger::Builder::new();
    match filter {
        Some(filter) => builder.parse_filters(filter),
        None => builder.filter_level(LevelFilter::Debug),
    };
    if verbosity < 2 && filter.is_none() {
        builder.filter_module(BODIES, LevelFilter::Off);
    }
    let ci = Ci::of(env);
    builder.format(move |out, record| {
        use std::io::Write as _;
        let text = record.args().to_string();
        let level = record.level().as_str().to_lowercase();
        let line = format!("{level}: {}", crate::printable::line(&text));
        writeln!(out, "{}", ci.harmless(&line))
    });
    if log::set_boxed_logger(Box::new(OnlyOurs(builder.build()))).is_ok() {
        log::set_max_level(LevelFilter::Debug);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_library_gets_a_word_in() {
        assert!(is_ours("os_identity::session"));
        for target in [
            "ureq",
            "ureq_proto::util",
            "rustls::client",
            "os_identity_evil",
            "",
        ] {
            assert!(!is_ours(target), "{target}");
        }
    }
}
