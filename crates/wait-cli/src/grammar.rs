//! The command line of a program, made from a table of its commands.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{ArgMatches, Command};

use crate::Program;
use crate::argument::{self, Argument, Given};
use crate::examples::Examples;
use crate::options::Common;

/// A command: what stands behind its words.
pub trait Verb: Copy + 'static {
    /// Its words, such as `stack wait`.
    fn words(self) -> Vec<&'static str>;

    /// What it does, for the help.
    fn about(self) -> String;

    /// What it takes beside [`Common`].
    fn arguments(self) -> Vec<Argument>;
}

/// All commands of a program.
pub struct Grammar<V> {
    /// The program.
    pub program: &'static Program,
    /// What it does, for the help.
    pub about: &'static str,
    /// The words that only lead to others, and what they are about.
    pub groups: &'static [(&'static [&'static str], &'static str)],
    /// The commands, in the order of the help.
    pub verbs: Vec<V>,
    /// What is shown under the help of a command.
    pub examples: Examples,
}

/// A command line that was understood.
pub struct Line<V> {
    /// The command.
    pub verb: V,
    /// What it was given.
    pub given: Given,
    /// What every command takes.
    pub common: Common,
}

impl<V: Verb> Grammar<V> {
    /// Everything, for help, manual pages and completions.
    #[must_use]
    pub fn command(&self) -> Command {
        self.root(&self.named(|_| true))
    }

    /// Parses arguments, the program's name first.
    ///
    /// Most of the start would go into arguments of commands that are not meant. So at first only those are made whose
    /// words are there; what that does not understand, the whole tree is asked, which has the words for help and errors.
    ///
    /// # Errors
    /// What clap says of them; help and version, too.
    pub fn parse(&self, args: &[OsString]) -> Result<Line<V>, clap::Error> {
        let meant = self.named(|words| is_among(words, args));
        match self.root(&meant).try_get_matches_from(args) {
            Ok(matches) => {
                if let Some(line) = read(&meant, &matches) {
                    return line;
                }
            }
            Err(error) if error.kind() == ErrorKind::DisplayVersion => return Err(error),
            Err(_) => {}
        }
        let all = self.named(|_| true);
        let matches = self.root(&all).try_get_matches_from(args)?;
        read(&all, &matches).unwrap_or_else(|| Err(clap::Error::new(ErrorKind::MissingSubcommand)))
    }

    /// For tests: that clap finds nothing to object to in the tables, that every group has its words, and that the
    /// examples are of commands that there are, one at least for each, and are understood.
    ///
    /// # Panics
    /// If something is wrong.
    #[expect(clippy::panic, reason = "for tests")]
    pub fn check(&self) {
        self.command().debug_assert();
        let named: Vec<String> = self
            .verbs
            .iter()
            .map(|verb| verb.words().join(" "))
            .collect();
        for verb in &self.verbs {
            let words = verb.words();
            for length in 1..words.len() {
                let known = self
                    .groups
                    .iter()
                    .any(|(group, _)| words.get(..length) == Some(group));
                assert!(known, "{words:?}: what are the first {length} about?");
            }
        }
        for words in &named {
            let has = |(of, lines): &(&str, &[&str])| of == words && !lines.is_empty();
            assert!(self.examples.iter().any(has), "{words} has no example");
        }
        for (words, lines) in self.examples {
            let known = words.is_empty() || named.iter().any(|name| name == words);
            assert!(known, "{words} is no command");
            for line in *lines {
                let args: Vec<OsString> = std::iter::once("x")
                    .chain(line.split(' '))
                    .map(OsString::from)
                    .collect();
                if let Err(error) = self.parse(&args) {
                    panic!("{line}: {error}");
                }
            }
        }
    }

    fn named(&self, is_meant: impl Fn(&[&str]) -> bool) -> Vec<Named<V>> {
        let named = self.verbs.iter().map(|verb| (verb.words(), *verb));
        named.filter(|(words, _)| is_meant(words)).collect()
    }

    fn root(&self, verbs: &[Named<V>]) -> Command {
        let root = Command::new(self.program.name)
            .version(self.program.version)
            .about(self.about)
            .arg_required_else_help(true)
            .infer_long_args(true);
        self.below(Common::augment(root), &[], verbs)
    }

    /// A command with those below it, in the order of the table.
    fn below(&self, command: Command, prefix: &[&'static str], verbs: &[Named<V>]) -> Command {
        let mut command = command.subcommand_required(true);
        let mut done: Vec<&str> = Vec::new();
        for (words, verb) in verbs {
            let Some([word, rest @ ..]) = words.strip_prefix(prefix) else {
                continue;
            };
            if done.contains(word) {
                continue;
            }
            done.push(word);
            let below = Command::new(*word);
            command = command.subcommand(if rest.is_empty() {
                // As argparse has it: the last of an option counts.
                below
                    .about(verb.about())
                    .args(verb.arguments().iter().map(Argument::clap))
                    .args_override_self(true)
            } else {
                let path: Vec<&'static str> = prefix.iter().chain([word]).copied().collect();
                let about = self.groups.iter().find(|(words, _)| *words == path);
                let below = below
                    .about(about.map_or("", |(_, about)| about))
                    .arg_required_else_help(true)
                    .disable_help_subcommand(true);
                self.below(below, &path, verbs)
            });
        }
        command
    }
}

/// A command and its words.
type Named<V> = (Vec<&'static str>, V);

/// `None`: it is none of these.
fn read<V: Verb>(verbs: &[Named<V>], matches: &ArgMatches) -> Option<Result<Line<V>, clap::Error>> {
    let (mut words, mut below) = (Vec::new(), matches);
    while let Some((word, matches)) = below.subcommand() {
        words.push(word);
        below = matches;
    }
    let (_, verb) = verbs.iter().find(|(known, _)| *known == words)?;
    let arguments = verb.arguments();
    if let Some(message) = argument::astray(below, &arguments) {
        return Some(Err(clap::Error::raw(ErrorKind::ValueValidation, message)));
    }
    Some(Ok(Line {
        verb: *verb,
        given: Given::read(below, &arguments),
        common: Common::read(matches),
    }))
}

/// Whether these words are among the arguments, in this order.
fn is_among(words: &[&str], args: &[OsString]) -> bool {
    let mut args = args.iter();
    words.iter().all(|word| args.any(|arg| arg == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: Program = Program {
        name: "x",
        env_prefix: "X",
        version: "1",
    };

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Command(&'static [&'static str]);

    impl Verb for Command {
        fn words(self) -> Vec<&'static str> {
            self.0.to_vec()
        }

        fn about(self) -> String {
            self.0.join(" ")
        }

        fn arguments(self) -> Vec<Argument> {
            vec![
                Argument::positionals("ID", "what"),
                Argument::option("--name", "NAME", "called"),
                Argument::perhaps("--appear", "DURATION", "may come"),
            ]
        }
    }

    fn grammar() -> Grammar<Command> {
        Grammar {
            program: &PROGRAM,
            about: "tries things out",
            groups: &[(&["share"], "Shares"), (&["share", "group"], "Groups")],
            verbs: [
                &["share", "wait"] as &[&str],
                &["share", "create"],
                &["share", "group", "create"],
                &["stack-create"],
            ]
            .map(Command)
            .to_vec(),
            examples: &[],
        }
    }

    fn args(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_arguments_of_commands_that_are_not_meant_are_not_made() {
        let meant = |line: &str| {
            let named = grammar().named(|words| is_among(words, &args(line)));
            named
                .iter()
                .map(|(words, _)| words.join(" "))
                .collect::<Vec<_>>()
        };
        assert_eq!(meant("x share wait data --name available"), ["share wait"]);
        assert_eq!(
            meant("x --os-cloud c share -q group --debug create data"),
            ["share create", "share group create"]
        );
        assert!(meant("x share --help").is_empty());
    }

    #[test]
    fn every_command_is_understood_as_by_the_whole_tree() {
        let whole = grammar().command();
        let told = |parsed: Result<ArgMatches, clap::Error>| match parsed {
            Ok(matches) => {
                let line = read(&grammar().named(|_| true), &matches).expect("a command");
                let line = line.expect("a line");
                format!("{:?} {:?}", line.verb, line.given)
            }
            Err(error) => error.to_string(),
        };
        let tails = [
            "",
            "a",
            "a b",
            "a --name wait --name 2",
            "create wait -f json",
            "--help",
            "a --no-such",
            "--version",
        ];
        let mut understood = 0;
        for command in grammar().verbs {
            for tail in tails {
                let line = format!("x {} {tail}", command.0.join(" "));
                let args = args(line.trim());
                let narrow = match grammar().parse(&args) {
                    Ok(line) => {
                        understood += 1;
                        format!("{:?} {:?}", line.verb, line.given)
                    }
                    Err(error) => error.to_string(),
                };
                assert_eq!(
                    narrow,
                    told(whole.clone().try_get_matches_from(&args)),
                    "{args:?}"
                );
            }
        }
        assert_eq!(understood, 16);
    }

    #[test]
    fn a_duration_behind_a_blank_is_not_taken_for_a_name() {
        for line in [
            "x share wait a --appear 5m",
            "x share wait --app 90 a",
            "x share wait --appear=1s --appear 5m",
        ] {
            let Err(error) = grammar().parse(&args(line)) else {
                panic!("{line}");
            };
            assert!(
                error.to_string().contains("for the time write --appear="),
                "{error}"
            );
        }
        for line in [
            "x share wait 5m --appear",
            "x share wait --appear a",
            "x share wait --appear=5m a",
            "x share wait --appear=5m 3m",
            "x share wait --appear --name 5m a",
        ] {
            assert!(grammar().parse(&args(line)).is_ok(), "{line}");
        }
    }

    #[test]
    fn the_version_needs_no_command() {
        let Err(error) = grammar().parse(&args("x --version")) else {
            panic!("no version");
        };
        assert_eq!(error.to_string(), "x 1\n");
    }

    #[test]
    fn help_is_asked_for_in_both_ways() {
        let help = |line: &str| {
            grammar()
                .parse(&args(line))
                .err()
                .map(|error| error.to_string())
        };
        assert_eq!(help("x help share wait"), help("x share wait --help"));
    }
}
