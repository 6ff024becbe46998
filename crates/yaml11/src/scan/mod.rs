//! Where tokens begin and end, by the rules of PyYAML's scanner (`yaml/scanner.py`).
//!
//! yaml-rust2 scans YAML 1.2, where tabs, `?` and `:` in flow collections, line folding and the indentation of quoted
//! and flow lines follow other rules. The text is therefore cut into tokens here, and `structure` writes the tokens
//! down again in the part of YAML that both versions read alike.

mod layout;
mod properties;
mod scalar;

use crate::cursor::{Cursor, LONGEST, Mark, ends_line, ends_word};
use crate::error::Fault;
use crate::{MAX_DEPTH, Tabs};
use layout::Layout;
use std::borrow::Cow;

/// A piece of the text and where it begins.
#[derive(Debug)]
pub(crate) struct Token<'t> {
    pub(crate) mark: Mark,
    pub(crate) kind: Kind<'t>,
}

#[derive(Debug)]
pub(crate) enum Kind<'t> {
    BlockSequence,
    BlockMapping,
    BlockEnd,
    FlowSequence,
    FlowMapping,
    FlowSequenceEnd,
    FlowMappingEnd,
    /// The comma.
    Comma,
    /// The dash of a block sequence.
    Entry,
    Key,
    Value,
    Alias(&'t str),
    Anchor(&'t str),
    Tag(Box<Tag>),
    Scalar {
        text: Cow<'t, str>,
        plain: bool,
    },
    Directive(Box<Directive>),
    DocumentStart,
    DocumentEnd,
    StreamEnd,
}

/// A tag as it is written: `!!int` has the handle `!!` and the suffix `int`; a verbatim one has no handle.
#[derive(Debug, Clone)]
pub(crate) struct Tag {
    pub(crate) handle: Option<String>,
    pub(crate) suffix: String,
}

#[derive(Debug)]
pub(crate) enum Directive {
    Version { major: String },
    Handle { handle: String, prefix: String },
    Other,
}

/// Cuts the text into tokens.
pub(crate) fn scan(text: &str, tabs: Tabs) -> Result<Vec<Token<'_>>, Fault> {
    if text.len() > LONGEST {
        return Err(Fault::new(Mark::default(), "this text is too large"));
    }
    let cursor = Cursor::new(text);
    if let Some((mark, c)) = cursor.first_unprintable() {
        let message = format!("character U+{:04X} is not allowed in YAML", u32::from(c));
        return Err(Fault::new(mark, message));
    }
    let mut scanner = Scanner {
        cursor,
        tabs,
        layout: Layout::of(text),
    };
    while scanner.fetch()? {}
    Ok(scanner.layout.tokens)
}

struct Scanner<'t> {
    cursor: Cursor<'t>,
    tabs: Tabs,
    layout: Layout<'t>,
}

impl<'t> Scanner<'t> {
    /// Scans one token (and those that it implies); false after the last.
    fn fetch(&mut self) -> Result<bool, Fault> {
        self.skip_to_token();
        let mark = self.cursor.mark();
        self.layout.forget_stale_keys(mark)?;
        self.layout.unwind(Some(mark.column()), mark);
        let flow = self.layout.in_flow();
        let c = self.cursor.here();
        let word_ends = ends_word(self.cursor.peek(1));
        match c {
            '\0' => {
                self.end_content(mark)?;
                self.layout.push(mark, Kind::StreamEnd);
                return Ok(false);
            }
            '%' if mark.column() == 0 => {
                self.end_content(mark)?;
                let directive = self.directive(mark)?;
                self.layout.push(mark, Kind::Directive(Box::new(directive)));
            }
            '-' | '.' if mark.column() == 0 && self.cursor.at_document_marker() => {
                self.end_content(mark)?;
                self.cursor.advance(3);
                let start = c == '-';
                let kind = if start {
                    Kind::DocumentStart
                } else {
                    Kind::DocumentEnd
                };
                self.layout.push(mark, kind);
            }
            '[' => self.open_flow(mark, Kind::FlowSequence)?,
            '{' => self.open_flow(mark, Kind::FlowMapping)?,
            ']' => self.close_flow(mark, Kind::FlowSequenceEnd)?,
            '}' => self.close_flow(mark, Kind::FlowMappingEnd)?,
            ',' => {
                self.layout.key_allowed = true;
                self.layout.drop_key(mark)?;
                self.indicator(mark, Kind::Comma);
            }
            '-' if word_ends => self.entry(mark)?,
            '?' if flow || word_ends => self.key(mark)?,
            ':' if flow || word_ends => {
                self.layout.value(mark)?;
                self.indicator(mark, Kind::Value);
            }
            '*' | '&' => {
                self.layout.offer_key(mark)?;
                let name = self.anchor()?;
                let kind = if c == '*' {
                    Kind::Alias(name)
                } else {
                    Kind::Anchor(name)
                };
                self.layout.push(mark, kind);
            }
            '!' => {
                self.layout.offer_key(mark)?;
                let tag = self.tag()?;
                self.layout.push(mark, Kind::Tag(Box::new(tag)));
            }
            '|' | '>' if !flow => {
                self.layout.key_allowed = true;
                self.layout.drop_key(mark)?;
                let text = Cow::Owned(self.block_scalar(c == '>')?);
                self.layout.push(mark, Kind::Scalar { text, plain: false });
            }
            '\'' | '"' => {
                self.layout.offer_key(mark)?;
                let text = self.quoted(c)?;
                self.layout.push(mark, Kind::Scalar { text, plain: false });
            }
            _ if starts_plain(c, self.cursor.peek(1), flow) => {
                self.layout.offer_key(mark)?;
                let text = self.plain()?;
                self.layout.push(mark, Kind::Scalar { text, plain: true });
            }
            '\t' => {
                let message = "a tab stands where YAML allows only spaces";
                return Err(Fault::new(mark, message));
            }
            _ => {
                let message = format!("{c:?} cannot start a value; put the text in quotes");
                return Err(Fault::new(mark, message));
            }
        }
        Ok(true)
    }

    fn skip_to_token(&mut self) {
        if self.cursor.mark().index() == 0 && self.cursor.here() == '\u{FEFF}' {
            self.cursor.advance(1);
        }
        loop {
            let tabs =
                self.tabs == Tabs::Separate && (self.layout.in_flow() || !self.layout.key_allowed);
            self.cursor.skip(|c| c == ' ' || (tabs && c == '\t'));
            self.cursor.skip_comment();
            if self.cursor.take_break().is_none() {
                return;
            }
            if !self.layout.in_flow() {
                self.layout.key_allowed = true;
            }
        }
    }

    /// Ends every block collection: the stream, a directive or a document marker follows.
    fn end_content(&mut self, mark: Mark) -> Result<(), Fault> {
        self.layout.unwind(None, mark);
        self.layout.drop_key(mark)?;
        self.layout.key_allowed = false;
        Ok(())
    }

    fn indicator(&mut self, mark: Mark, kind: Kind<'t>) {
        self.cursor.advance(1);
        self.layout.push(mark, kind);
    }

    fn open_flow(&mut self, mark: Mark, kind: Kind<'t>) -> Result<(), Fault> {
        self.layout.offer_key(mark)?;
        self.layout.open_flow();
        self.check_depth(mark)?;
        self.indicator(mark, kind);
        Ok(())
    }

    fn close_flow(&mut self, mark: Mark, kind: Kind<'t>) -> Result<(), Fault> {
        self.layout.drop_key(mark)?;
        if !self.layout.close_flow() {
            let message = format!("{:?} closes nothing", self.cursor.here());
            return Err(Fault::new(mark, message));
        }
        self.indicator(mark, kind);
        Ok(())
    }

    fn entry(&mut self, mark: Mark) -> Result<(), Fault> {
        if self.layout.in_flow() {
            let message = "a list item with \"-\" is not allowed inside [] or {}";
            return Err(Fault::new(mark, message));
        }
        if !self.layout.key_allowed {
            return Err(Fault::new(mark, "a list item is not allowed here"));
        }
        self.layout.indent(mark, Kind::BlockSequence);
        self.check_depth(mark)?;
        self.layout.key_allowed = true;
        self.layout.drop_key(mark)?;
        self.indicator(mark, Kind::Entry);
        Ok(())
    }

    fn key(&mut self, mark: Mark) -> Result<(), Fault> {
        let flow = self.layout.in_flow();
        if !flow {
            if !self.layout.key_allowed {
                return Err(Fault::new(mark, "a key with \"?\" is not allowed here"));
            }
            self.layout.indent(mark, Kind::BlockMapping);
            self.check_depth(mark)?;
        }
        self.layout.key_allowed = !flow;
        self.layout.drop_key(mark)?;
        self.indicator(mark, Kind::Key);
        Ok(())
    }

    fn check_depth(&self, mark: Mark) -> Result<(), Fault> {
        if self.layout.depth() <= MAX_DEPTH {
            return Ok(());
        }
        let message = format!("nested more than {MAX_DEPTH} levels deep");
        Err(Fault::new(mark, message))
    }

    /// Blanks and a comment up to the end of the line of a directive or a block scalar's header.
    fn rest_of_line(&mut self) -> Result<(), Fault> {
        let tabs = self.tabs == Tabs::Separate;
        self.cursor.skip(|c| c == ' ' || (tabs && c == '\t'));
        self.cursor.skip_comment();
        if !ends_line(self.cursor.here()) {
            let message = format!(
                "expected the line to end, but found {:?}",
                self.cursor.here()
            );
            return Err(Fault::new(self.cursor.mark(), message));
        }
        self.cursor.take_break();
        Ok(())
    }

    /// What must follow a tag, a directive's word or a block scalar's header.
    fn blank_follows(&self) -> bool {
        let c = self.cursor.here();
        c == ' ' || ends_line(c) || (c == '\t' && self.tabs == Tabs::Separate)
    }
}

/// Whether a plain scalar may begin with `c`, given what follows it.
fn starts_plain(c: char, next: char, flow: bool) -> bool {
    match c {
        '-' => !ends_word(next),
        '?' | ':' => !flow && !ends_word(next),
        ',' | '[' | ']' | '{' | '}' | '#' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%'
        | '@' | '`' => false,
        _ => !ends_word(c),
    }
}
