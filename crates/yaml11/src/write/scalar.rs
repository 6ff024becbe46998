//! Plain, single-quoted and double-quoted scalars, folded over lines.

use super::traits::Traits;
use super::{INDENT, Writer};

/// A line is folded at the first blank after this column.
const WIDTH: usize = 80;
/// A key of this many characters or more (with the five of its tag, `!!str`) is written with `?`.
const LONGEST_SIMPLE_KEY: usize = 128;
const TAG_LENGTH: usize = 5;

/// Where a node stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    Root,
    Item,
    SimpleKey,
    /// The value of a key, or a key after `?`.
    Value,
}

/// Whether a key goes before its colon without a `?`.
pub(super) fn is_simple_key(key: &str) -> bool {
    let length = key.chars().count() + TAG_LENGTH;
    !key.is_empty() && length < LONGEST_SIMPLE_KEY && !Traits::of(key).multiline
}

impl Writer {
    pub(super) fn text(&mut self, text: &str, indent: Option<usize>, context: Context) {
        let traits = Traits::of(text);
        if traits.plain {
            self.plain(text, indent, context);
        } else if traits.single_quoted && !(context == Context::SimpleKey && traits.multiline) {
            self.single_quoted(text, indent, context);
        } else {
            self.double_quoted(text, indent, context);
        }
    }

    pub(super) fn plain(&mut self, text: &str, indent: Option<usize>, context: Context) {
        if !self.blank && !self.out.is_empty() {
            self.raw(" ");
        }
        (self.blank, self.indention) = (false, false);
        self.open_ended = context == Context::Root;
        let mut rest = text;
        while !rest.is_empty() {
            let word = rest.find(' ').unwrap_or(rest.len());
            let (word, tail) = rest.split_at_checked(word).unwrap_or((rest, ""));
            self.raw(word);
            let blanks = tail.find(|c| c != ' ').unwrap_or(tail.len());
            let (blanks, tail) = tail.split_at_checked(blanks).unwrap_or((tail, ""));
            if blanks.len() == 1 && self.column > WIDTH && context != Context::SimpleKey {
                self.start_line(folded_indent(indent));
                (self.blank, self.indention) = (false, false);
            } else {
                self.raw(blanks);
            }
            rest = tail;
        }
    }

    fn single_quoted(&mut self, text: &str, indent: Option<usize>, context: Context) {
        self.indicator("'", true, false);
        let mut rest = text;
        let mut first = true;
        while let Some(c) = rest.chars().next() {
            // Runs of blanks, of line ends, and of anything else.
            let kind = run_kind(c);
            let end = rest.find(|c| run_kind(c) != kind).unwrap_or(rest.len());
            let (run, tail) = rest.split_at_checked(end).unwrap_or((rest, ""));
            match kind {
                Run::Blanks => {
                    let inside = !first && !tail.is_empty();
                    let folds = run.len() == 1 && self.column > WIDTH && inside;
                    if folds && context != Context::SimpleKey {
                        self.start_line(folded_indent(indent));
                    } else {
                        self.raw(run);
                    }
                }
                Run::Breaks => {
                    if run.starts_with('\n') {
                        self.line_break('\n');
                    }
                    for line_end in run.chars() {
                        self.line_break(line_end);
                    }
                    self.start_line(folded_indent(indent));
                }
                Run::Word => self.raw(&run.replace('\'', "''")),
            }
            rest = tail;
            first = false;
        }
        self.indicator("'", false, false);
    }

    fn double_quoted(&mut self, text: &str, indent: Option<usize>, context: Context) {
        self.indicator("\"", true, false);
        let split = context != Context::SimpleKey;
        let last = text.chars().count() - 1;
        let mut pending = String::new();
        let mut chars = text.chars().enumerate().peekable();
        while let Some((at, c)) = chars.next() {
            let printable = (' '..='~').contains(&c) && c != '"' && c != '\\';
            if !printable {
                self.raw(&std::mem::take(&mut pending));
                self.raw(&escape(c));
            }
            // A blank is not pending yet when the line is folded: it begins the next one, escaped.
            let at_blank = c == ' ' || pending.is_empty();
            // After an escape PyYAML counts one column less.
            let full = self.column + pending.len() > WIDTH + usize::from(!printable);
            if 0 < at && at < last && at_blank && full && split {
                self.raw(&std::mem::take(&mut pending));
                self.raw("\\");
                self.start_line(folded_indent(indent));
                (self.blank, self.indention) = (false, false);
                let next = if printable {
                    Some(c)
                } else {
                    chars.peek().map(|&(_, next)| next)
                };
                if next == Some(' ') {
                    self.raw("\\");
                }
            }
            if printable {
                pending.push(c);
            }
        }
        self.raw(&pending);
        self.indicator("\"", false, false);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    Blanks,
    Breaks,
    Word,
}

fn run_kind(c: char) -> Run {
    match c {
        ' ' => Run::Blanks,
        '\n' | '\u{85}' | '\u{2028}' | '\u{2029}' => Run::Breaks,
        _ => Run::Word,
    }
}

/// The column of a scalar's further lines.
fn folded_indent(indent: Option<usize>) -> usize {
    indent.map_or(INDENT, |indent| indent + INDENT)
}

fn escape(c: char) -> String {
    let letter = match c {
        '\0' => '0',
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{B}' => 'v',
        '\u{C}' => 'f',
        '\r' => 'r',
        '\u{1B}' => 'e',
        '"' | '\\' => c,
        '\u{85}' => 'N',
        '\u{A0}' => '_',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        _ => {
            let code = u32::from(c);
            return match code {
                ..=0xFF => format!("\\x{code:02X}"),
                0x100..=0xFFFF => format!("\\u{code:04X}"),
                _ => format!("\\U{code:08X}"),
            };
        }
    };
    format!("\\{letter}")
}
