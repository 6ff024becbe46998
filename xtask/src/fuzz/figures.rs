//! What libFuzzer says at the end of a run, as a row of a table.

use std::fmt;

use crate::tools::Failure;

/// The head of the table.
pub(super) const HEAD: &str = "\
| target | executions | seconds | coverage, edges | inputs | findings |\n| --- | --- | --- | --- | --- | --- |\n";

/// A run that has found nothing.
pub(super) struct Figures {
    name: String,
    executions: u64,
    seconds: u64,
    edges: u64,
    inputs: usize,
}

impl Figures {
    /// From the log: `Done 5000 runs in 3 second(s)` and the last `cov: 812`.
    pub(super) fn of(name: &str, log: &str, inputs: usize) -> Result<Self, Failure> {
        let after = |line: &str, word: &str| -> Option<u64> {
            line.split_once(word)?
                .1
                .split_whitespace()
                .next()?
                .parse()
                .ok()
        };
        let last = |word: &str| log.lines().rev().find_map(|line| after(line, word));
        let number =
            |word: &str| last(word).ok_or_else(|| format!("{name}: the log has no {word:?}"));
        let done = log
            .lines()
            .rev()
            .find(|line| line.starts_with("Done "))
            .unwrap_or_default();
        Ok(Self {
            name: name.to_owned(),
            executions: number("Done ")?,
            seconds: after(done, " runs in ").ok_or_else(|| format!("{name}: {done:?}"))?,
            edges: number(" cov: ")?,
            inputs,
        })
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            executions,
            seconds,
            edges,
            inputs,
        } = self;
        write!(
            f,
            "| `{name}` | {executions} | {seconds} | {edges} | {inputs} | none |"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Figures;

    #[test]
    fn figures_are_those_of_the_end() {
        let log = "#2 INITED cov: 10 ft: 11\n#900 NEW    cov: 12 ft: 40 corp: 3/9b\n\
                   #1000 DONE   cov: 12 ft: 41 corp: 3/9b\nDone 1000 runs in 3 second(s)\n";
        let row = Figures::of("time", log, 7).map(|row| row.to_string());
        assert_eq!(row.as_deref(), Ok("| `time` | 1000 | 3 | 12 | 7 | none |"));
        assert!(Figures::of("time", "", 0).is_err());
    }
}
