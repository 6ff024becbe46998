//! The words of `heat stack-create` that the other commands spell otherwise: `-f` is the template there, `-Pf` one
//! option, and the value of `--poll` may be left out.

use std::ffi::OsString;

/// Puts the words behind `stack-create` into the long form. Other command lines are left as they are.
pub(crate) fn translate(args: &mut Vec<OsString>) {
    let Some(at) = args.iter().position(|word| word == "stack-create") else {
        return;
    };
    // Behind another command it is the name of something.
    if args.iter().take(at).any(|word| word == "stack") {
        return;
    }
    let words = args.split_off(at + 1);
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        let text = word.to_str().unwrap_or_default();
        let mut next_is_number = || {
            let next = words.peek().and_then(|next| next.to_str());
            next.is_some_and(|next| next.starts_with(|first: char| first.is_ascii_digit()))
        };
        let long = |option: &str| OsString::from(option);
        match text {
            "-Pf" => args.push(long("--parameter-file")),
            "-f" => args.push(long("--template-file")),
            "-c" => args.push(long("--create-timeout")),
            "--poll" if !next_is_number() => args.push(long("--poll=5")),
            "--" => {
                args.push(word);
                args.extend(words);
                return;
            }
            _ => match text.strip_prefix("-f").filter(|_| !text.starts_with("--")) {
                Some(file) => args.push(long(&format!("--template-file={file}"))),
                None => args.push(word),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(line: &str) -> String {
        let mut args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        translate(&mut args);
        let words: Vec<String> = args
            .into_iter()
            .map(|word| word.into_string().unwrap())
            .collect();
        words.join(" ")
    }

    #[test]
    fn the_legacy_words_become_long_options() {
        for (line, expected) in [
            (
                "h stack-create -f t.yaml -Pf a=b --poll web",
                "h stack-create --template-file t.yaml --parameter-file a=b --poll=5 web",
            ),
            (
                "h stack-create -ft.yaml --poll 3 -c 7 web",
                "h stack-create --template-file=t.yaml --poll 3 --create-timeout 7 web",
            ),
            (
                "h --os-cloud x stack-create web --poll",
                "h --os-cloud x stack-create web --poll=5",
            ),
            (
                "h stack show -f json stack-create",
                "h stack show -f json stack-create",
            ),
            ("h stack-create -- -f", "h stack-create -- -f"),
        ] {
            assert_eq!(translated(line), expected);
        }
    }
}
