//! The text of plain, quoted and block scalars.

use super::Scanner;
use crate::Tabs;
use crate::cursor::{Mark, ends_line, ends_word, is_break};
use crate::error::Fault;
use std::borrow::Cow;

impl<'t> Scanner<'t> {
    /// A plain scalar, folded over its lines. On one line it is a part of the source.
    pub(super) fn plain(&mut self) -> Result<Cow<'t, str>, Fault> {
        let flow = self.layout.in_flow();
        let column = self.layout.content_column();
        let start = self.cursor.at();
        let mut text = Cow::Borrowed("");
        let mut gap = Gap::None;
        while self.cursor.here() != '#' {
            let length = self.plain_run(flow);
            if length == 0 {
                break;
            }
            self.layout.key_allowed = false;
            let run = self.cursor.take(length);
            match (&mut text, gap) {
                (Cow::Borrowed(_), Gap::None | Gap::Blanks(_)) => {
                    text = Cow::Borrowed(self.cursor.since(start));
                }
                (text, Gap::Fold(fold)) => *text.to_mut() += &(fold + run),
                (text, Gap::Blanks(blanks)) => text.to_mut().extend([blanks, run]),
                (text, Gap::None) => *text.to_mut() += run,
            }
            gap = self.plain_gap(column)?;
            if matches!(gap, Gap::None) || (!flow && self.cursor.column() < column) {
                break;
            }
        }
        Ok(text)
    }

    /// How many bytes of a plain scalar stand here without a blank.
    fn plain_run(&self, flow: bool) -> usize {
        let libyaml = self.tabs == Tabs::Separate;
        let rest = self.cursor.rest();
        let end = rest.char_indices().find(|&(at, c)| match c {
            ':' => {
                let next = rest.get(at + 1..).and_then(|rest| rest.chars().next());
                next.is_none_or(|next| {
                    ends_word(next) || (flow && matches!(next, ',' | '[' | ']' | '{' | '}'))
                })
            }
            ',' | '[' | ']' | '{' | '}' => flow,
            '?' => flow && !libyaml,
            c => ends_word(c),
        });
        end.map_or(rest.len(), |(at, _)| at)
    }

    /// What stands between two words of a plain scalar.
    fn plain_gap(&mut self, column: usize) -> Result<Gap<'t>, Fault> {
        let tabs = self.tabs == Tabs::Separate;
        let blanks = self.cursor.take_while(|c| c == ' ' || (tabs && c == '\t'));
        let Some(first) = self.cursor.take_break() else {
            return Ok(if blanks.is_empty() {
                Gap::None
            } else {
                Gap::Blanks(blanks)
            });
        };
        self.layout.key_allowed = true;
        let mut breaks = String::new();
        if self.cursor.at_document_marker() {
            return Ok(Gap::None);
        }
        loop {
            let c = self.cursor.here();
            if c == '\t' && tabs && self.cursor.column() < column {
                return Err(Fault::new(self.cursor.mark(), "a tab cannot indent"));
            }
            if c == ' ' || (tabs && c == '\t') {
                self.cursor.advance(1);
            } else if let Some(line_end) = self.cursor.take_break() {
                breaks.push(line_end);
                if self.cursor.at_document_marker() {
                    return Ok(Gap::None);
                }
            } else {
                return Ok(Gap::Fold(fold(first, &breaks)));
            }
        }
    }

    /// A quoted scalar, from its quote to the same quote.
    pub(super) fn quoted(&mut self, quote: char) -> Result<Cow<'t, str>, Fault> {
        let start = self.cursor.mark();
        let mut text = String::new();
        self.cursor.advance(1);
        // On one line, and with nothing that means something else, it is a part of the source.
        let rest = self.cursor.rest();
        let end = rest
            .find(|c| c == quote || c == '\\' || is_break(c))
            .unwrap_or(rest.len());
        let after = rest.get(end..).unwrap_or_default();
        if after.starts_with(quote) && !(quote == '\'' && after.starts_with("''")) {
            let text = self.cursor.take(end);
            self.cursor.advance(1);
            return Ok(Cow::Borrowed(text));
        }
        loop {
            self.quoted_run(quote, start, &mut text)?;
            if self.cursor.here() == quote {
                self.cursor.advance(1);
                return Ok(Cow::Owned(text));
            }
            let blanks = self.cursor.take_while(|c| c == ' ' || c == '\t');
            if self.cursor.here() == '\0' {
                return Err(Fault::new(start, "this quoted text does not end"));
            }
            match self.cursor.take_break() {
                None => text += blanks,
                Some(first) => {
                    let breaks = self.quoted_breaks(start)?;
                    text += &fold(first, &breaks);
                }
            }
        }
    }

    fn quoted_run(&mut self, quote: char, start: Mark, text: &mut String) -> Result<(), Fault> {
        let double = quote == '"';
        loop {
            let run = self
                .cursor
                .take_while(|c| !matches!(c, '\'' | '"' | '\\') && !ends_word(c));
            *text += run;
            match self.cursor.here() {
                '\'' if !double && self.cursor.peek(1) == '\'' => {
                    text.push('\'');
                    self.cursor.advance(2);
                }
                c @ ('\'' | '"') if c != quote => {
                    text.push(c);
                    self.cursor.advance(1);
                }
                '\\' if !double => {
                    text.push('\\');
                    self.cursor.advance(1);
                }
                '\\' => self.escape(start, text)?,
                _ => return Ok(()),
            }
        }
    }

    fn escape(&mut self, start: Mark, text: &mut String) -> Result<(), Fault> {
        let mark = self.cursor.mark();
        self.cursor.advance(1);
        let c = self.cursor.here();
        if is_break(c) {
            self.cursor.take_break();
            *text += &self.quoted_breaks(start)?;
            return Ok(());
        }
        let digits = match c {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        if digits > 0 {
            self.cursor.advance(1);
            text.push(self.code_point(digits, mark)?);
            return Ok(());
        }
        let Some(meaning) = escaped(c) else {
            let message = format!("unknown escape {c:?} in a double-quoted text");
            return Err(Fault::new(mark, message));
        };
        text.push(meaning);
        self.cursor.advance(1);
        Ok(())
    }

    /// A numeric escape. Two `\u` escapes that are halves of one character make that character, as they do once
    /// Python's `json` has written them; half a character alone has no place in UTF-8.
    fn code_point(&mut self, digits: usize, mark: Mark) -> Result<char, Fault> {
        let code = self.hexadecimal(digits, mark)?;
        if let Some(c) = char::from_u32(code) {
            return Ok(c);
        }
        if (0xD800..0xDC00).contains(&code) && self.cursor.here() == '\\' {
            let digits = match self.cursor.peek(1) {
                'u' => 4,
                'U' => 8,
                _ => 0,
            };
            if digits > 0 {
                self.cursor.advance(2);
                let low = self.hexadecimal(digits, mark)?;
                if (0xDC00..0xE000).contains(&low) {
                    let whole = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                    if let Some(c) = char::from_u32(whole) {
                        return Ok(c);
                    }
                }
            }
        }
        Err(Fault::new(mark, "this escape is not a character"))
    }

    fn hexadecimal(&mut self, digits: usize, mark: Mark) -> Result<u32, Fault> {
        let number = self.cursor.take(digits);
        let valid = number.len() == digits && number.chars().all(|c| c.is_ascii_hexdigit());
        match u32::from_str_radix(number, 16) {
            Ok(code) if valid => Ok(code),
            _ => {
                let message = format!("this escape needs {digits} hexadecimal digits");
                Err(Fault::new(mark, message))
            }
        }
    }

    /// Empty lines inside quotes, and the indentation after them.
    fn quoted_breaks(&mut self, start: Mark) -> Result<String, Fault> {
        let mut breaks = String::new();
        loop {
            if self.cursor.at_document_marker() {
                let message = "a document marker stands inside this quoted text";
                return Err(Fault::new(start, message));
            }
            self.cursor.skip(|c| c == ' ' || c == '\t');
            match self.cursor.take_break() {
                Some(line_end) => breaks.push(line_end),
                None => return Ok(breaks),
            }
        }
    }

    /// A literal or folded block.
    pub(super) fn block_scalar(&mut self, folded: bool) -> Result<String, Fault> {
        self.cursor.advance(1);
        let (chomping, increment) = self.block_header()?;
        self.rest_of_line()?;
        let least = self.layout.content_column().max(1);
        let (mut breaks, column) = match increment {
            Some(increment) => {
                let column = least + increment - 1;
                (self.block_breaks(column), column)
            }
            None => {
                let (breaks, widest) = self.block_indentation();
                (breaks, widest.max(least))
            }
        };
        let mut text = String::new();
        let mut line_end = None;
        while self.cursor.column() == column && self.cursor.here() != '\0' {
            text += &breaks;
            let leading_blank = matches!(self.cursor.here(), ' ' | '\t');
            text += self.cursor.take_while(|c| !ends_line(c));
            line_end = self.cursor.take_break();
            breaks = self.block_breaks(column);
            let next = self.cursor.here();
            if self.cursor.column() != column || next == '\0' {
                break;
            }
            let folds = folded && line_end == Some('\n') && !leading_blank;
            if folds && !matches!(next, ' ' | '\t') {
                if breaks.is_empty() {
                    text.push(' ');
                }
            } else {
                text.extend(line_end);
            }
        }
        if chomping != Chomping::Strip {
            text.extend(line_end);
        }
        if chomping == Chomping::Keep {
            text += &breaks;
        }
        Ok(text)
    }

    fn block_header(&mut self) -> Result<(Chomping, Option<usize>), Fault> {
        let mut chomping = self.chomping();
        let mut increment = None;
        if let Some(digit) = self.cursor.here().to_digit(10) {
            if digit == 0 {
                let message = "a block's indentation indicator is 1 to 9";
                return Err(Fault::new(self.cursor.mark(), message));
            }
            self.cursor.advance(1);
            increment = Some(digit as usize);
            if chomping.is_none() {
                chomping = self.chomping();
            }
        }
        if !self.blank_follows() {
            let message = format!(
                "expected an indentation or chomping indicator after | or >, but found {:?}",
                self.cursor.here()
            );
            return Err(Fault::new(self.cursor.mark(), message));
        }
        Ok((chomping.unwrap_or(Chomping::Clip), increment))
    }

    fn chomping(&mut self) -> Option<Chomping> {
        let chomping = match self.cursor.here() {
            '+' => Chomping::Keep,
            '-' => Chomping::Strip,
            _ => return None,
        };
        self.cursor.advance(1);
        Some(chomping)
    }

    /// Leading empty lines and the widest indentation seen on the way to the first text.
    fn block_indentation(&mut self) -> (String, usize) {
        let mut breaks = String::new();
        let mut widest = 0;
        loop {
            if self.cursor.here() == ' ' {
                self.cursor.advance(1);
                widest = widest.max(self.cursor.column());
            } else if let Some(line_end) = self.cursor.take_break() {
                breaks.push(line_end);
            } else {
                return (breaks, widest);
            }
        }
    }

    fn block_breaks(&mut self, column: usize) -> String {
        let mut breaks = String::new();
        loop {
            while self.cursor.column() < column && self.cursor.here() == ' ' {
                self.cursor.advance(1);
            }
            match self.cursor.take_break() {
                Some(line_end) => breaks.push(line_end),
                None => return breaks,
            }
        }
    }
}

/// What stands between two words of a plain scalar.
enum Gap<'t> {
    /// Nothing: it ends here.
    None,
    Blanks(&'t str),
    /// Line ends, folded.
    Fold(String),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    Strip,
    Clip,
    Keep,
}

/// One line end between words is a space, several are one less; LS and PS stay.
fn fold(first: char, breaks: &str) -> String {
    match first {
        '\n' if breaks.is_empty() => " ".to_owned(),
        '\n' => breaks.to_owned(),
        _ => format!("{first}{breaks}"),
    }
}

/// What a one-letter escape of a double-quoted scalar means.
fn escaped(c: char) -> Option<char> {
    Some(match c {
        '0' => '\0',
        'a' => '\u{7}',
        'b' => '\u{8}',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\u{B}',
        'f' => '\u{C}',
        'r' => '\r',
        'e' => '\u{1B}',
        ' ' | '"' | '\\' | '/' => c,
        'N' => '\u{85}',
        '_' => '\u{A0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        _ => return None,
    })
}
