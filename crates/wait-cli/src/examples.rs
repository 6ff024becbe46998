//! Examples of command lines, shown under the help of a command.

use std::ffi::OsString;

/// The words of a command, and command lines without the program's name.
pub type Examples = &'static [(&'static str, &'static [&'static str])];

/// What stands under the help that `args` ask for; empty where there is no example.
#[must_use]
pub fn under_help(examples: Examples, program: &str, args: &[OsString]) -> String {
    // `help stack wait` and `stack wait --help` ask for the same.
    let given: Vec<&str> = args
        .iter()
        .skip(1)
        .filter_map(|arg| arg.to_str())
        .filter(|arg| *arg != "help")
        .collect();
    let asked = |words: &str| {
        let mut given = given.iter();
        words
            .split_whitespace()
            .all(|word| given.any(|arg| *arg == word))
    };
    let found = examples
        .iter()
        .filter(|(words, _)| asked(words))
        .max_by_key(|(words, _)| words.split_whitespace().count());
    let Some((_, lines)) = found else {
        return String::new();
    };
    let lines: String = lines
        .iter()
        .map(|line| format!("  {program} {line}\n"))
        .collect();
    format!("\nExamples:\n{lines}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLES: Examples = &[
        ("", &["stack wait web"]),
        ("stack wait", &["stack wait a b"]),
    ];

    #[test]
    fn the_most_special_command_that_was_named_has_its_examples_shown() {
        let under = |line: &str| {
            let args: Vec<OsString> = line.split(' ').map(Into::into).collect();
            under_help(EXAMPLES, "x", &args)
        };
        assert_eq!(under("x --help"), "\nExamples:\n  x stack wait web\n");
        for line in [
            "x stack wait -h",
            "x --os-cloud c stack wait web --help",
            "x help stack wait",
        ] {
            assert_eq!(under(line), "\nExamples:\n  x stack wait a b\n", "{line}");
        }
    }
}
