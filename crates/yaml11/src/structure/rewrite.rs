//! The tokens of a document written down again in a form that YAML 1.1 and 1.2 read alike: every key explicit (`?`),
//! every block indicator on a line of its own, every scalar a pair of quotes.

use crate::cursor::Mark;
use crate::error::Fault;
use crate::resolve;
use crate::scan::{self, Directive, Kind, Token};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The document in the form that both versions read alike, and what was left out of it.
#[derive(Default)]
pub(super) struct Rewriter<'t> {
    pub(super) text: String,
    /// Offsets in `text` and the places in the source that they stand for.
    places: Vec<(usize, Mark)>,
    /// Texts, and whether they stood without quotes.
    pub(super) scalars: Vec<(Cow<'t, str>, bool)>,
    /// Full tags and where they stand.
    pub(super) tags: Vec<(String, Mark)>,
    handles: HashMap<String, String>,
    anchors: HashSet<&'t str>,
    open: Vec<Open>,
    blocks: usize,
    /// The document has its value.
    full: bool,
}

/// An open collection.
struct Open {
    shape: Shape,
    /// A key waits for its value.
    key: bool,
    /// A node may follow: an indicator has asked for one.
    room: bool,
    /// In a block mapping: a list stands directly under a key, at the mapping's own column.
    inset: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    BlockSequence,
    BlockMapping,
    Flow,
}

impl<'t> Rewriter<'t> {
    /// Takes the tokens of the only document; its place, or None if there is no document.
    pub(super) fn document(&mut self, tokens: Vec<Token<'t>>) -> Result<Option<Mark>, Fault> {
        self.places.reserve(tokens.len());
        self.scalars.reserve(tokens.len() / 2);
        self.text.reserve(8 * tokens.len());
        let mut tokens = tokens.into_iter().peekable();
        let mut directives = Vec::new();
        let mut start = None;
        while let Some(token) =
            tokens.next_if(|token| matches!(token.kind, Kind::Directive(_) | Kind::DocumentStart))
        {
            match token.kind {
                Kind::Directive(directive) => directives.push((token.mark, *directive)),
                _ => {
                    start = Some(token.mark);
                    break;
                }
            }
        }
        let next = tokens.peek().map(|token| token.mark).unwrap_or_default();
        if start.is_none() {
            if !directives.is_empty() {
                return Err(Fault::new(next, "expected \"---\" after the directives"));
            }
            match tokens.peek().map(|token| &token.kind) {
                None | Some(Kind::StreamEnd) => return Ok(None),
                Some(Kind::DocumentEnd) => {
                    return Err(Fault::new(next, "expected a value, but found \"...\""));
                }
                Some(_) => {}
            }
        }
        self.directives(directives)?;
        while let Some(token) = tokens.next_if(|token| !ends_document(&token.kind)) {
            self.token(token)?;
        }
        let end = tokens.peek().map(|token| token.mark).unwrap_or(next);
        while tokens
            .next_if(|token| matches!(token.kind, Kind::DocumentEnd))
            .is_some()
        {}
        match tokens.next() {
            Some(Token { mark, kind }) if !matches!(kind, Kind::StreamEnd) => Err(Fault::new(
                mark,
                "a second document begins here; only one is allowed",
            )),
            _ => {
                // yaml-rust2 wants a blank after an indicator, also at the end.
                self.text.push('\n');
                self.places.push((self.text.len(), end));
                Ok(Some(start.unwrap_or(next)))
            }
        }
    }

    fn directives(&mut self, directives: Vec<(Mark, Directive)>) -> Result<(), Fault> {
        let mut version = false;
        for (mark, directive) in directives {
            match directive {
                Directive::Version { major } => {
                    if std::mem::replace(&mut version, true) {
                        return Err(Fault::new(mark, "the YAML version is given twice"));
                    }
                    if major.trim_start_matches('0') != "1" {
                        return Err(Fault::new(mark, "only YAML 1 can be read"));
                    }
                }
                Directive::Handle { handle, prefix } => {
                    if self.handles.contains_key(&handle) {
                        let message = format!("the tag handle {handle:?} is given twice");
                        return Err(Fault::new(mark, message));
                    }
                    self.handles.insert(handle, prefix);
                }
                Directive::Other => {}
            }
        }
        for (handle, prefix) in [("!", "!"), ("!!", resolve::YAML_TAG)] {
            self.handles
                .entry(handle.to_owned())
                .or_insert_with(|| prefix.to_owned());
        }
        Ok(())
    }

    fn token(&mut self, token: Token<'t>) -> Result<(), Fault> {
        let Token { mark, kind } = token;
        match kind {
            Kind::BlockSequence => self.open(mark, Shape::BlockSequence)?,
            Kind::BlockMapping => self.open(mark, Shape::BlockMapping)?,
            Kind::BlockEnd => {
                self.set_inset(false);
                self.open.pop();
                self.blocks = self.blocks.saturating_sub(1);
            }
            Kind::FlowSequence => self.open_flow(mark, "[")?,
            Kind::FlowMapping => self.open_flow(mark, "{")?,
            Kind::FlowSequenceEnd => self.close_flow(mark, "]"),
            Kind::FlowMappingEnd => self.close_flow(mark, "}"),
            Kind::Comma => {
                self.fill_empty_key();
                self.set_key(false);
                self.make_room();
                self.put(mark, ",");
            }
            Kind::Entry => {
                let begins = self
                    .open
                    .last()
                    .is_some_and(|open| open.shape == Shape::BlockMapping && !open.inset);
                if begins {
                    // A list directly under a key: the key has no value yet.
                    self.check_room(mark)?;
                }
                self.indicator(mark, "-");
            }
            Kind::Key => self.key(mark)?,
            Kind::Value => {
                self.fill_empty_key();
                if !self.set_key(false) {
                    return Err(Fault::new(mark, "a \":\" without a key"));
                }
                self.indicator(mark, ":");
            }
            Kind::Anchor(name) => {
                self.check_room(mark)?;
                if !self.anchors.insert(name) {
                    let message = format!("the anchor {name:?} is given twice");
                    return Err(Fault::new(mark, message));
                }
                self.put(mark, &format!("&{name}"));
            }
            Kind::Alias(name) => {
                if !self.anchors.contains(name) {
                    let message = format!("the alias {name:?} has no anchor before it");
                    return Err(Fault::new(mark, message));
                }
                self.take_room(mark)?;
                self.put(mark, &format!("*{name}"));
            }
            Kind::Tag(tag) => self.tag(mark, *tag)?,
            Kind::Scalar { text, plain } => {
                self.take_room(mark)?;
                self.scalar(mark, text, plain);
            }
            Kind::Directive(_) | Kind::DocumentStart | Kind::DocumentEnd | Kind::StreamEnd => {}
        }
        Ok(())
    }

    fn key(&mut self, mark: Mark) -> Result<(), Fault> {
        match self.open.last().map(|open| open.shape) {
            None | Some(Shape::BlockSequence) => {
                let message = "expected a list item with \"-\", but found a key";
                return Err(Fault::new(mark, message));
            }
            Some(Shape::BlockMapping | Shape::Flow) => {}
        }
        self.set_key(true);
        self.indicator(mark, "?");
        Ok(())
    }

    fn tag(&mut self, mark: Mark, tag: scan::Tag) -> Result<(), Fault> {
        self.check_room(mark)?;
        let full = match tag.handle {
            None => tag.suffix,
            Some(handle) => {
                let Some(prefix) = self.handles.get(&handle) else {
                    let message = format!("the tag handle {handle:?} is not defined");
                    return Err(Fault::new(mark, message));
                };
                format!("{prefix}{}", tag.suffix)
            }
        };
        let number = self.tags.len();
        self.tags.push((full, mark));
        self.put(mark, &format!("!n{number}"));
        Ok(())
    }

    /// Notes whether a key waits for its value; whether one did.
    fn set_key(&mut self, key: bool) -> bool {
        self.open
            .last_mut()
            .is_some_and(|open| std::mem::replace(&mut open.key, key))
    }

    fn scalar(&mut self, mark: Mark, text: Cow<'t, str>, plain: bool) {
        self.scalars.push((text, plain));
        self.put(mark, "\"\"");
    }

    /// yaml-rust2 wants a key after a `?` in a flow collection.
    fn fill_empty_key(&mut self) {
        let flow = self
            .open
            .last()
            .is_some_and(|open| open.shape == Shape::Flow);
        if flow && self.text.ends_with('?') {
            let mark = self.place(self.text.len());
            self.scalar(mark, Cow::Borrowed(""), true);
        }
    }

    fn make_room(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.room = true;
        }
    }

    /// A node begins. Columns are not kept, so that a second node in one place must be found here.
    fn take_room(&mut self, mark: Mark) -> Result<(), Fault> {
        self.check_room(mark)?;
        match self.open.last_mut() {
            Some(open) => open.room = false,
            None => self.full = true,
        }
        Ok(())
    }

    fn check_room(&self, mark: Mark) -> Result<(), Fault> {
        if self.open.last().map_or(!self.full, |open| open.room) {
            return Ok(());
        }
        let message = match self.open.last().map(|open| open.shape) {
            None => "expected the document to end here; is the indentation right?",
            Some(Shape::BlockSequence) => {
                "expected \"-\" or the end of the list; is the indentation right?"
            }
            Some(Shape::BlockMapping) => {
                "expected a key or the end of the mapping; is the indentation right?"
            }
            Some(Shape::Flow) => "expected \",\" or a closing bracket",
        };
        Err(Fault::new(mark, message))
    }

    fn open(&mut self, mark: Mark, shape: Shape) -> Result<(), Fault> {
        self.take_room(mark)?;
        self.open.push(Open {
            shape,
            key: false,
            room: false,
            inset: false,
        });
        self.blocks += 1;
        Ok(())
    }

    fn open_flow(&mut self, mark: Mark, bracket: &str) -> Result<(), Fault> {
        self.take_room(mark)?;
        self.open.push(Open {
            shape: Shape::Flow,
            key: false,
            room: true,
            inset: false,
        });
        self.put(mark, bracket);
        Ok(())
    }

    fn close_flow(&mut self, mark: Mark, bracket: &str) {
        self.fill_empty_key();
        self.open.pop();
        self.put(mark, bracket);
    }

    /// Puts `-`, `?` or `:`, in block context on a line of its own, one column for each level. A list directly under a
    /// key is a level of its own here, with its dashes further right.
    fn indicator(&mut self, mark: Mark, indicator: &str) {
        self.make_room();
        let shape = self.open.last().map(|open| open.shape);
        if shape != Some(Shape::Flow) {
            if shape == Some(Shape::BlockMapping) {
                self.set_inset(indicator == "-");
            }
            let column = self.blocks.saturating_sub(1);
            self.text.push('\n');
            self.text.extend(std::iter::repeat_n(' ', column));
        }
        self.put(mark, indicator);
    }

    fn set_inset(&mut self, inset: bool) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        match (std::mem::replace(&mut open.inset, inset), inset) {
            (false, true) => self.blocks += 1,
            (true, false) => self.blocks = self.blocks.saturating_sub(1),
            _ => {}
        }
    }

    fn put(&mut self, mark: Mark, token: &str) {
        if !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
        self.places.push((self.text.len(), mark));
        self.text += token;
    }

    /// The place in the source of an offset in `text`. `near` is where the last one was found: most are asked for in
    /// order.
    pub(super) fn place_near(&self, offset: usize, near: &mut usize) -> Mark {
        let starts = |at: usize| self.places.get(at).map(|&(start, _)| start);
        let is_before = |at: usize| starts(at).is_some_and(|start| start <= offset);
        for _ in 0..8 {
            if !is_before(*near) {
                break;
            }
            if !is_before(*near + 1) {
                return self
                    .places
                    .get(*near)
                    .map(|&(_, mark)| mark)
                    .unwrap_or_default();
            }
            *near += 1;
        }
        self.place(offset)
    }

    /// The place in the source of an offset in `text`.
    pub(super) fn place(&self, offset: usize) -> Mark {
        let after = self.places.partition_point(|&(start, _)| start <= offset);
        let place = after.checked_sub(1).and_then(|last| self.places.get(last));
        place.map(|&(_, mark)| mark).unwrap_or_default()
    }
}

fn ends_document(kind: &Kind<'_>) -> bool {
    matches!(
        kind,
        Kind::Directive(_) | Kind::DocumentStart | Kind::DocumentEnd | Kind::StreamEnd
    )
}
