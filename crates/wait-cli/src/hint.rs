//! Commands to go on with, in a form that a shell takes.

use std::collections::BTreeMap;

use os_identity::SETTINGS;

use crate::printable::is_control;

/// Joins words into a command that a POSIX shell reads back as these words.
#[must_use]
pub fn shell<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> String {
    words
        .into_iter()
        .map(|word| quote(word.as_ref()))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The connection options that were given on the command line, ready to be repeated; secrets are left out.
#[must_use]
pub fn connection(flags: &BTreeMap<String, String>) -> Vec<String> {
    let mut words = Vec::new();
    for setting in SETTINGS {
        let (Some(value), Some(flag)) = (flags.get(setting.name), setting.flag.first()) else {
            continue;
        };
        if setting.secret {
            continue;
        }
        words.push(format!("--{flag}"));
        if !setting.switch {
            words.push(value.clone());
        }
    }
    words
}

fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    if word.chars().any(is_control) {
        return dollar_quote(word);
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// With control characters as escapes (POSIX.1-2024, 2.2.4): a hint does not drive the terminal either.
fn dollar_quote(word: &str) -> String {
    let mut quoted = String::from("$'");
    for c in word.chars() {
        let mut bytes = [0; 4];
        match c {
            '\'' | '\\' => quoted.extend(['\\', c]),
            c if is_control(c) => {
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    quoted.push_str(&format!("\\{byte:03o}"));
                }
            }
            c => quoted.push(c),
        }
    }
    quoted + "'"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_the_shell() {
        assert_eq!(
            shell(["a", "b c", "d'e", "", "--for=x", "$HOME"]),
            r"a 'b c' 'd'\''e' '' --for=x '$HOME'"
        );
        assert_eq!(shell(["a'\u{1b}[2J\\\n"]), r"$'a\'\033[2J\\\012'");
    }

    #[test]
    fn secrets_are_not_repeated() {
        let flags = [
            ("cloud", "de mo"),
            ("password", "hush"),
            ("insecure", "true"),
        ];
        let flags = flags
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
            .collect();
        let words = connection(&flags);
        assert!(
            words.windows(2).any(|pair| pair == ["--os-cloud", "de mo"]),
            "{words:?}"
        );
        assert!(words.contains(&"--insecure".to_owned()));
        assert!(!words.iter().any(|word| word.contains("hush")), "{words:?}");
    }
}
