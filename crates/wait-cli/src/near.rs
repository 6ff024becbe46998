//! What may have been meant by a word that nobody knows. The parser's own suggestions would be one crate more.

use std::ffi::OsString;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The command or option that is nearest to the one which `error` complains of, as it is written.
pub fn meant(root: &Command, args: &[OsString], error: &clap::Error) -> Option<String> {
    let context = match error.kind() {
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        _ => return None,
    };
    let Some(ContextValue::String(given)) = error.get(context) else {
        return None;
    };
    let command = args.iter().skip(1).fold(root, |command, arg| {
        command.find_subcommand(arg).unwrap_or(command)
    });
    if error.kind() == ErrorKind::InvalidSubcommand {
        let names = command
            .get_subcommands()
            .filter(|below| !below.is_hide_set());
        return nearest(given, names.map(|below| below.get_name().to_owned()));
    }
    let options = command.get_arguments().chain(root.get_arguments());
    let options = options.filter(|option| !option.is_hide_set());
    nearest(
        given,
        options.filter_map(|option| option.get_long().map(|long| format!("--{long}"))),
    )
}

/// The candidate with the fewest slips of the finger between, if they are few.
fn nearest(given: &str, candidates: impl Iterator<Item = String>) -> Option<String> {
    let most = 1 + given.trim_start_matches('-').len() / 4;
    candidates
        .map(|candidate| (slips(given, &candidate), candidate))
        .filter(|(slips, _)| *slips <= most)
        .min_by_key(|(slips, _)| *slips)
        .map(|(_, candidate)| candidate)
}

/// How many letters are wrong, missing, too many, or have changed places with their neighbour.
fn slips(given: &str, meant: &str) -> usize {
    let (given, meant): (Vec<char>, Vec<char>) = (given.chars().collect(), meant.chars().collect());
    // The last three rows of the table of distances between beginnings.
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=meant.len()).collect();
    for (row, letter) in given.iter().enumerate() {
        let mut here = vec![row + 1];
        for (column, other) in meant.iter().enumerate() {
            let at =
                |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX / 2);
            let mut least = at(&above, column) + usize::from(letter != other);
            least = least
                .min(at(&above, column + 1) + 1)
                .min(at(&here, column) + 1);
            let swapped = row > 0
                && column > 0
                && given.get(row - 1) == Some(other)
                && meant.get(column - 1) == Some(letter);
            if swapped {
                least = least.min(at(&before, column - 1) + 1);
            }
            here.push(least);
        }
        before = std::mem::replace(&mut above, here);
    }
    above.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted() {
        for (given, meant, count) in [
            ("wait", "wait", 0),
            ("wiat", "wait", 1),
            ("wat", "wait", 1),
            ("waiit", "wait", 1),
            ("weit", "wait", 1),
            ("", "wait", 4),
            ("show", "wait", 4),
        ] {
            assert_eq!(slips(given, meant), count, "{given} {meant}");
        }
    }

    #[test]
    fn only_what_is_near_is_offered() {
        let offer = |given| {
            nearest(
                given,
                ["--deadline".to_owned(), "--poll".to_owned()].into_iter(),
            )
        };
        assert_eq!(offer("--dedline").as_deref(), Some("--deadline"));
        assert_eq!(offer("--pool").as_deref(), Some("--poll"));
        assert_eq!(offer("--colour"), None);
    }
}
