//! The corpora of the fuzz targets as an ordinary test: on any toolchain, in a second.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::{Path, PathBuf};

use fuzz_targets::{TARGETS, Target, packed, unpacked};

/// What all corpora together may have.
const MOST_BYTES: usize = 1_000_000;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let found =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found: Vec<PathBuf> = found.map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

#[test]
fn every_input_of_the_corpora_is_survived() {
    let mut bytes = 0;
    for target in TARGETS {
        let text = fs::read_to_string(here(&format!("corpus/{}.jsonl", target.name))).unwrap();
        let corpus = unpacked(&text).unwrap();
        assert!(
            corpus.len() >= 5,
            "the corpus of {} has {} inputs",
            target.name,
            corpus.len()
        );
        assert_eq!(unpacked(&packed(&corpus)).unwrap(), corpus);
        bytes += text.len();
        for input in corpus {
            let survived = std::panic::catch_unwind(|| (target.run)(&input));
            assert!(survived.is_ok(), "{}: {:?}", target.name, packed(&[input]));
        }
    }
    assert!(bytes < MOST_BYTES, "the corpora have {bytes} bytes");
}

#[test]
fn every_target_has_a_binary_and_a_row_in_the_figures() {
    let manifest = fs::read_to_string(here("cargo-fuzz/Cargo.toml")).unwrap();
    let figures = fs::read_to_string(here("../../docs/reliability.md")).unwrap();
    for Target { name, .. } in TARGETS {
        assert!(
            manifest.contains(&format!("name = \"{name}\"")),
            "Cargo.toml has no {name}"
        );
        let source = fs::read_to_string(here(&format!("cargo-fuzz/targets/{name}.rs"))).unwrap();
        assert!(
            source.contains(&format!("run(\"{name}\", data)")),
            "{source}"
        );
        assert!(
            figures.contains(&format!("\n| `{name}` |")),
            "docs/reliability.md has no row of {name}"
        );
    }
    assert_eq!(files(&here("cargo-fuzz/targets")).len(), TARGETS.len());
    assert_eq!(files(&here("corpus")).len(), TARGETS.len());
}

#[test]
fn empty_and_odd_inputs_are_survived_by_all() {
    let long = "a".repeat(5_000);
    let deep = "[".repeat(5_000);
    let digits = "9".repeat(400);
    for data in [
        "",
        "\0",
        "\0\0\0\0\0\0\0",
        "{",
        "\u{feff}",
        &long,
        &deep,
        "\0!",
        &digits,
    ] {
        for target in TARGETS {
            (target.run)(data.as_bytes());
            (target.run)(&[&[0xff, 0xfe][..], data.as_bytes()].concat());
        }
    }
}
