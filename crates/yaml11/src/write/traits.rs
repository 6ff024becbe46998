//! What a text holds that decides how it may be written.

use crate::cursor::is_break;
use crate::resolve::{self, Tag};

/// The styles in which a text may be written.
pub(super) struct Traits {
    /// It holds a line end.
    pub(super) multiline: bool,
    /// Without quotes it would be read as the same text.
    pub(super) plain: bool,
    /// Single quotes can hold it.
    pub(super) single_quoted: bool,
}

impl Traits {
    /// Looks a text over, as `Emitter.analyze_scalar` without `allow_unicode`.
    pub(super) fn of(text: &str) -> Self {
        if text.is_empty() {
            return Self {
                multiline: false,
                plain: false,
                single_quoted: true,
            };
        }
        let mut indicators = text.starts_with("---") || text.starts_with("...");
        let mut multiline = false;
        let mut special = false;
        let mut break_space = false;
        let mut space_break = false;
        let mut before = None;
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let word_ends = chars.peek().is_none_or(|&next| is_blank(next));
            let word_starts = before.is_none_or(is_blank);
            indicators |= match c {
                ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%'
                | '@' | '`' => before.is_none(),
                '#' => word_starts,
                '?' | '-' => before.is_none() && word_ends,
                ':' => word_ends,
                _ => false,
            };
            multiline |= is_line_end(c);
            special |= !(c == '\n' || (' '..='~').contains(&c));
            break_space |= c == ' ' && before.is_some_and(is_line_end);
            space_break |= is_line_end(c) && before == Some(' ');
            before = Some(c);
        }
        let edge = |c: char| c == ' ' || is_line_end(c);
        let edges = text.starts_with(edge) || text.ends_with(edge);
        let single_quoted = !break_space && !space_break && !special;
        Self {
            multiline,
            plain: single_quoted && !edges && !multiline && !indicators && is_text(text),
            single_quoted,
        }
    }
}

fn is_line_end(c: char) -> bool {
    is_break(c) && c != '\r'
}

fn is_blank(c: char) -> bool {
    matches!(c, '\0' | ' ' | '\t') || is_break(c)
}

/// Whether PyYAML would read the text as text, were it plain.
fn is_text(text: &str) -> bool {
    resolve::implicit(text) == Tag::Text
        && !resolve::is_timestamp(text)
        && !matches!(text, "!" | "&" | "*")
}
