//! Pages in the macros of man(7).

use std::collections::BTreeMap;

use clap::{Arg, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, italic, roman};

use super::{Program, parts};
use crate::tools::Failure;

/// A group of commands has a page of its own down to this many words; what is below is on that page.
const DEEPEST: usize = 2;

/// Every page of a program by its file name.
pub fn all(program: &Program, date: &str) -> Result<BTreeMap<String, String>, Failure> {
    let mut root = program.command.clone();
    // Usage lines and global options are known from here on.
    root.build();
    let mut groups = Vec::new();
    collect(&root, &[], &mut groups);
    let name = root.get_name().to_owned();
    let main = program_page(program, &root, &groups, date)?;
    let mut pages = BTreeMap::from([(format!("{name}.1"), tidy(&main))]);
    for group in &groups {
        let title = group.title(&name);
        let text = group_page(program, &root, group, &groups, date)?;
        pages.insert(format!("{title}.1"), tidy(&text));
    }
    Ok(pages)
}

/// A group of commands with a page of its own.
struct Group<'c> {
    words: Vec<&'c str>,
    command: &'c Command,
}

impl Group<'_> {
    fn title(&self, program: &str) -> String {
        format!("{program}-{}", self.words.join("-"))
    }

    /// The commands of this page: those without a page of their own.
    fn leaves(&self) -> Vec<(String, &Command)> {
        let mut found = Vec::new();
        leaves(self.command, &self.words, &mut found);
        found
    }
}

fn collect<'c>(command: &'c Command, words: &[&'c str], groups: &mut Vec<Group<'c>>) {
    for below in subcommands(command) {
        if below.has_subcommands() && words.len() < DEEPEST {
            let words: Vec<&str> = words.iter().copied().chain([below.get_name()]).collect();
            groups.push(Group {
                words: words.clone(),
                command: below,
            });
            collect(below, &words, groups);
        }
    }
}

fn leaves<'c>(command: &'c Command, words: &[&str], found: &mut Vec<(String, &'c Command)>) {
    for below in subcommands(command) {
        let path: Vec<&str> = words.iter().copied().chain([below.get_name()]).collect();
        if !below.has_subcommands() {
            found.push((path.join(" "), below));
        } else if words.len() >= DEEPEST {
            leaves(below, &path, found);
        }
    }
}

fn subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    command
        .get_subcommands()
        .filter(|below| below.get_name() != "help" && !below.is_hide_set())
}

fn program_page(
    program: &Program,
    root: &Command,
    groups: &[Group<'_>],
    date: &str,
) -> Result<String, Failure> {
    let name = root.get_name();
    let about = plain(root.get_about());
    let mut text = head(name, root, date);
    section(&mut text, "NAME", |roff| {
        roff.text([roman(format!("{name} - {}", first_lower(&about)))]);
    });
    section(&mut text, "SYNOPSIS", |roff| {
        roff.text([
            bold(name),
            roman(" ["),
            italic("OPTIONS"),
            roman("] "),
            italic("COMMAND"),
            roman(" …"),
        ]);
    });
    section(&mut text, "DESCRIPTION", |roff| {
        roff.text([roman(about + ".")]);
        roff.control("PP", []);
        roff.text([roman(parts::DESCRIPTION)]);
    });
    section(&mut text, "COMMANDS", |roff| {
        for (words, leaf) in root_leaves(root) {
            entry(roff, &words, leaf, None);
        }
        for group in groups {
            let title = group.title(name);
            for (words, leaf) in group.leaves() {
                entry(roff, &words, leaf, Some(&title));
            }
        }
    });
    for (words, leaf) in root_leaves(root) {
        text.push_str(&described(program, &words, leaf)?);
    }
    // Every option that is not a command's own.
    let shared = Command::new("shared")
        .version(env!("CARGO_PKG_VERSION"))
        .args(
            root.get_arguments()
                .filter(|arg| shown(arg) && !given(arg))
                .cloned(),
        );
    text.push_str(&options(shared)?);
    text.push_str(&parts::exit_status()?);
    text.push_str(&parts::environment(program.env_prefix, root));
    text.push_str(program.by_hand);
    let pages: Vec<String> = groups.iter().map(|group| group.title(name)).collect();
    text.push_str(&see_also(&pages, &[program.other, "openstack"]));
    Ok(text)
}

fn group_page(
    program: &Program,
    root: &Command,
    group: &Group<'_>,
    groups: &[Group<'_>],
    date: &str,
) -> Result<String, Failure> {
    let name = root.get_name();
    let title = group.title(name);
    let about = plain(group.command.get_about());
    let mut text = head(&title, root, date);
    section(&mut text, "NAME", |roff| {
        roff.text([roman(format!(
            "{title} - {}",
            first_lower(about.trim_end_matches('.'))
        ))]);
    });
    let leaves = group.leaves();
    section(&mut text, "SYNOPSIS", |roff| {
        for (position, (words, leaf)) in leaves.iter().enumerate() {
            if position > 0 {
                roff.control("br", []);
            }
            let mut line = vec![bold(format!("{name} {words}"))];
            line.push(roman(rest_of_usage(leaf, words)));
            roff.text(line);
        }
    });
    section(&mut text, "DESCRIPTION", |roff| {
        roff.text([
            roman("Options that every command takes (connection, timing, output, messages), exit codes, environment and examples are in "),
            bold(name),
            roman("(1)."),
        ]);
    });
    for (words, leaf) in leaves {
        text.push_str(&described(program, &words, leaf)?);
    }
    let prefix = format!("{title}-");
    let below = groups
        .iter()
        .map(|other| other.title(name))
        .filter(|other| other.starts_with(&prefix));
    let mut pages = vec![name.to_owned()];
    pages.extend(below);
    text.push_str(&see_also(&pages, &[program.other]));
    Ok(text)
}

fn root_leaves(root: &Command) -> Vec<(String, &Command)> {
    subcommands(root)
        .filter(|below| !below.has_subcommands())
        .map(|below| (below.get_name().to_owned(), below))
        .collect()
}

/// A line in the list of commands.
fn entry(roff: &mut Roff, words: &str, leaf: &Command, page: Option<&str>) {
    roff.control("TP", []);
    roff.text([bold(words)]);
    let about = plain(leaf.get_about());
    match page {
        Some(page) => roff.text([roman(format!("{about}: ")), bold(page), roman("(1)")]),
        None => roff.text([roman(about)]),
    };
}

/// What one command does, its arguments and its own options, and how it is typed.
fn described(program: &Program, words: &str, leaf: &Command) -> Result<String, Failure> {
    let name = program.command.get_name();
    let mut text = format!(".SH {}\n", words.to_uppercase());
    let mut roff = Roff::new();
    roff.text([
        bold(format!("{name} {words}")),
        roman(rest_of_usage(leaf, words)),
    ]);
    roff.control("PP", []);
    let about = plain(leaf.get_long_about().or_else(|| leaf.get_about()));
    roff.text([roman(about.trim_end_matches('.').to_owned() + ".")]);
    text.push_str(&roff.to_roff());
    let own = leaf
        .get_arguments()
        .filter(|arg| shown(arg) && !given(arg) && !arg.is_global_set());
    let own: Vec<Arg> = own.cloned().collect();
    if !own.is_empty() {
        let own = options(Command::new("own").disable_help_flag(true).args(own))?;
        text.push_str(&own.replacen(".SH OPTIONS\n", ".PP\n", 1));
    }
    let examples = program.examples.iter().find(|(of, _)| *of == words);
    if let Some((_, lines)) = examples {
        text.push_str(".PP\nFor example:\n.PP\n.RS 4\n.EX\n");
        for line in *lines {
            text.push_str(&format!("{name} {line}\n").replace('-', "\\-"));
        }
        text.push_str(".EE\n.RE\n");
    }
    Ok(text)
}

fn options(command: Command) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    Man::new(command)
        .render_options_section(&mut bytes)
        .map_err(|e| e.to_string())?;
    String::from_utf8(bytes).map_err(|e| e.to_string())
}

fn shown(arg: &Arg) -> bool {
    !arg.is_hide_set()
}

/// What clap gives every command.
fn given(arg: &Arg) -> bool {
    ["help", "version"].contains(&arg.get_id().as_str())
}

/// What follows the words of a command in its usage line.
fn rest_of_usage(leaf: &Command, words: &str) -> String {
    let usage = leaf.clone().render_usage().to_string();
    match usage.split_once(words) {
        Some((_, rest)) => rest.to_owned(),
        None => usage.trim_start_matches("Usage: ").to_owned(),
    }
}

fn head(title: &str, root: &Command, date: &str) -> String {
    let version = root.get_version().unwrap_or_default();
    let mut roff = Roff::new();
    roff.control(
        "TH",
        [
            title.to_uppercase().as_str(),
            "1",
            date,
            &format!("{} {version}", root.get_name()),
        ],
    );
    roff.to_roff()
}

fn section(text: &mut String, title: &str, fill: impl FnOnce(&mut Roff)) {
    let mut roff = Roff::new();
    roff.control("SH", [title]);
    fill(&mut roff);
    text.push_str(&roff.to_roff());
}

/// What `mandoc -T lint` asks for: no empty paragraphs, no long lines in the source of running text.
fn tidy(text: &str) -> String {
    let text = text
        .replace("\n.br\n\n.br\n", "\n.sp\n")
        .replace("\n.PP\n.TP\n", "\n.TP\n")
        .replace("\n.PP\n.SH", "\n.SH");
    let mut tidy = String::with_capacity(text.len());
    let mut example = false;
    for line in text.lines() {
        example = line == ".EX" || example && line != ".EE";
        let mut column = 0;
        // A line of its own that is a macro, or that would become one, stays as it is.
        let running = !line.starts_with(['.', '\'']);
        for word in line.split_inclusive(' ') {
            let may_start = !word.starts_with(['.', '\'']);
            if running && may_start && column > 0 && column + word.trim_end().len() > LONGEST {
                // An example is shown line by line: there the end of this one is no end.
                if example {
                    tidy.push('\\');
                } else {
                    tidy.truncate(tidy.trim_end_matches(' ').len());
                }
                tidy.push('\n');
                column = 0;
            }
            tidy.push_str(word);
            column += word.len();
        }
        tidy.push('\n');
    }
    tidy
}

/// Bytes of a line, as `mandoc -T lint` counts.
const LONGEST: usize = 80;

fn see_also(pages: &[String], others: &[&str]) -> String {
    let mut text = String::new();
    section(&mut text, "SEE ALSO", |roff| {
        let names = pages
            .iter()
            .map(String::as_str)
            .chain(others.iter().copied());
        let mut line = Vec::new();
        for (position, name) in names.enumerate() {
            let comma = if position == 0 { "" } else { ", " };
            line.extend([roman(comma), bold(name), roman("(1)")]);
        }
        roff.text(line);
    });
    text
}

fn plain(styled: Option<&clap::builder::StyledStr>) -> String {
    styled.map(ToString::to_string).unwrap_or_default()
}

fn first_lower(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}
