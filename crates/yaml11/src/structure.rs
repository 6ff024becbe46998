//! From tokens to a tree of nodes, through yaml-rust2.
//!
//! The tokens are written down again in a form that YAML 1.1 and 1.2 read alike: every key explicit (`?`), every block
//! indicator on a line of its own, every scalar the number of its text in quotes. yaml-rust2 reads that and gives the
//! structure as events; the numbers lead back to the texts and the places.

use crate::cursor::Mark;
use crate::error::Fault;
use crate::resolve::{self, Tag};
use crate::scan::{self, Directive, Kind, Token};
use crate::{MAX_DEPTH, Schema};
use std::collections::{HashMap, HashSet};
use yaml_rust2::parser::{Event, Parser};
use yaml_rust2::scanner::TScalarStyle;

/// The nodes of a document. An alias is the index of the node that it means.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    /// None if the text holds no document.
    pub(crate) root: Option<usize>,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) mark: Mark,
    pub(crate) tag: Tag,
    pub(crate) content: Content,
}

#[derive(Debug)]
pub(crate) enum Content {
    Scalar(String),
    Sequence(Vec<usize>),
    Mapping(Vec<Pair>),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) key: usize,
    pub(crate) value: usize,
    /// It came in by a merge key.
    pub(crate) merged: bool,
}

/// Makes the tree of the one document that the tokens are.
pub(crate) fn compose(tokens: Vec<Token>, schema: Schema) -> Result<Tree, Fault> {
    let mut rewriter = Rewriter::default();
    let Some(start) = rewriter.document(tokens)? else {
        return Ok(Tree {
            nodes: Vec::new(),
            root: None,
        });
    };
    compose_events(rewriter, schema, start)
}

/// The document in the form that both versions read alike, and what was left out of it.
#[derive(Default)]
struct Rewriter {
    text: String,
    /// Offsets in `text` and the places in the source that they stand for.
    places: Vec<(usize, Mark)>,
    scalars: Vec<(String, bool)>,
    tags: Vec<String>,
    handles: HashMap<String, String>,
    anchors: HashSet<String>,
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
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    BlockSequence,
    BlockMapping,
    Flow,
}

impl Rewriter {
    /// Takes the tokens of the only document; its place, or None if there is no document.
    fn document(&mut self, tokens: Vec<Token>) -> Result<Option<Mark>, Fault> {
        let mut tokens = tokens.into_iter().peekable();
        let mut directives = Vec::new();
        let mut start = None;
        while let Some(token) =
            tokens.next_if(|token| matches!(token.kind, Kind::Directive(_) | Kind::DocumentStart))
        {
            match token.kind {
                Kind::Directive(directive) => directives.push((token.mark, directive)),
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

    fn token(&mut self, token: Token) -> Result<(), Fault> {
        let Token { mark, kind } = token;
        match kind {
            Kind::BlockSequence => self.open(mark, Shape::BlockSequence)?,
            Kind::BlockMapping => self.open(mark, Shape::BlockMapping)?,
            Kind::BlockEnd => {
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
            Kind::Entry => self.indicator(mark, "-"),
            Kind::Key => self.key(mark)?,
            Kind::Value => {
                self.fill_empty_key();
                if !self.set_key(false) {
                    return Err(Fault::new(mark, "a \":\" without a key"));
                }
                self.indicator(mark, ":");
            }
            Kind::Anchor(name) => {
                if !self.anchors.insert(name.clone()) {
                    let message = format!("the anchor {name:?} is given twice");
                    return Err(Fault::new(mark, message));
                }
                self.put(mark, &format!("&{name}"));
            }
            Kind::Alias(name) => {
                if !self.anchors.contains(&name) {
                    let message = format!("the alias {name:?} has no anchor before it");
                    return Err(Fault::new(mark, message));
                }
                self.take_room(mark)?;
                self.put(mark, &format!("*{name}"));
            }
            Kind::Tag(tag) => self.tag(mark, tag)?,
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
        self.tags.push(full);
        self.put(mark, &format!("!n{number}"));
        Ok(())
    }

    /// Notes whether a key waits for its value; whether one did.
    fn set_key(&mut self, key: bool) -> bool {
        self.open
            .last_mut()
            .is_some_and(|open| std::mem::replace(&mut open.key, key))
    }

    fn scalar(&mut self, mark: Mark, text: String, plain: bool) {
        let number = self.scalars.len();
        self.scalars.push((text, plain));
        self.put(mark, &format!("\"{number}\""));
    }

    /// yaml-rust2 wants a key after a `?` in a flow collection.
    fn fill_empty_key(&mut self) {
        let flow = self.open.last().is_some_and(|open| open.shape == Shape::Flow);
        if flow && self.text.ends_with('?') {
            let mark = self.place(self.text.len());
            self.scalar(mark, String::new(), true);
        }
    }

    fn make_room(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.room = true;
        }
    }

    /// A node begins. Columns are not kept, so that a second node in one place must be found here.
    fn take_room(&mut self, mark: Mark) -> Result<(), Fault> {
        let room = match self.open.last_mut() {
            Some(open) => std::mem::replace(&mut open.room, false),
            None => !std::mem::replace(&mut self.full, true),
        };
        if room {
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
        });
        self.put(mark, bracket);
        Ok(())
    }

    fn close_flow(&mut self, mark: Mark, bracket: &str) {
        self.fill_empty_key();
        self.open.pop();
        self.put(mark, bracket);
    }

    /// Puts `-`, `?` or `:`, in block context on a line of its own, two columns for each level. The dashes of a list
    /// directly under a key stand one column further right, so that they are a list of their own.
    fn indicator(&mut self, mark: Mark, indicator: &str) {
        self.make_room();
        let shape = self.open.last().map(|open| open.shape);
        if shape != Some(Shape::Flow) {
            let inset = shape == Some(Shape::BlockMapping) && indicator == "-";
            let column = 2 * self.blocks.saturating_sub(1) + usize::from(inset);
            self.text.push('\n');
            self.text.extend(std::iter::repeat_n(' ', column));
        }
        self.put(mark, indicator);
    }

    fn put(&mut self, mark: Mark, token: &str) {
        if !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
        self.places.push((self.text.len(), mark));
        self.text += token;
    }

    /// The place in the source of an offset in `text`.
    fn place(&self, offset: usize) -> Mark {
        let after = self.places.partition_point(|&(start, _)| start <= offset);
        let place = after.checked_sub(1).and_then(|last| self.places.get(last));
        place.map(|&(_, mark)| mark).unwrap_or_default()
    }
}

fn ends_document(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Directive(_) | Kind::DocumentStart | Kind::DocumentEnd | Kind::StreamEnd
    )
}

/// Reads the rewritten text's events into nodes.
fn compose_events(rewriter: Rewriter, schema: Schema, start: Mark) -> Result<Tree, Fault> {
    let mut parser = Parser::new(rewriter.text.chars()).keep_tags(true);
    let mut composer = Composer {
        rewriter: &rewriter,
        schema,
        nodes: Vec::new(),
        anchors: HashMap::new(),
        open: Vec::new(),
        root: None,
    };
    loop {
        let (event, marker) = parser.next_token().map_err(|error| {
            Fault::new(rewriter.place(error.marker().index()), error.info())
        })?;
        let mark = match event {
            Event::StreamEnd => break,
            _ => rewriter.place(marker.index()),
        };
        composer.event(event, mark)?;
    }
    let (mut nodes, root) = (composer.nodes, composer.root);
    let root = root.unwrap_or_else(|| {
        nodes.push(Node {
            mark: start,
            tag: Tag::Null,
            content: Content::Scalar(String::new()),
        });
        nodes.len() - 1
    });
    Ok(Tree {
        nodes,
        root: Some(root),
    })
}

struct Composer<'r> {
    rewriter: &'r Rewriter,
    schema: Schema,
    nodes: Vec<Node>,
    /// yaml-rust2's anchor numbers.
    anchors: HashMap<usize, usize>,
    /// The open collections, and the key that waits for its value.
    open: Vec<(usize, Option<usize>)>,
    root: Option<usize>,
}

impl Composer<'_> {
    fn event(&mut self, event: Event, mark: Mark) -> Result<(), Fault> {
        match event {
            Event::Alias(anchor) => {
                let node = self.anchors.get(&anchor).copied();
                let node = node.ok_or_else(|| Fault::new(mark, "an alias without an anchor"))?;
                self.add(node, mark)
            }
            Event::Scalar(number, style, anchor, tag) => {
                let known = match style {
                    TScalarStyle::DoubleQuoted => number.parse().ok(),
                    _ => None,
                };
                let known = known.and_then(|number: usize| self.rewriter.scalars.get(number));
                let (text, plain) = known.cloned().unwrap_or_else(|| (String::new(), true));
                let tag = self.tag(tag);
                let tag = resolve::scalar(tag, &text, plain, self.schema);
                self.node(mark, tag, Content::Scalar(text), anchor)?;
                Ok(())
            }
            Event::SequenceStart(anchor, tag) => {
                let tag = resolve::collection(self.tag(tag), Tag::Sequence);
                self.start(mark, tag, Content::Sequence(Vec::new()), anchor)
            }
            Event::MappingStart(anchor, tag) => {
                let tag = resolve::collection(self.tag(tag), Tag::Mapping);
                self.start(mark, tag, Content::Mapping(Vec::new()), anchor)
            }
            Event::SequenceEnd | Event::MappingEnd => {
                self.open.pop();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn tag(&self, tag: Option<yaml_rust2::parser::Tag>) -> Option<&str> {
        let number = tag?.suffix.strip_prefix('n')?.parse::<usize>().ok()?;
        self.rewriter.tags.get(number).map(String::as_str)
    }

    fn start(&mut self, mark: Mark, tag: Tag, content: Content, anchor: usize) -> Result<(), Fault> {
        let node = self.node(mark, tag, content, anchor)?;
        self.open.push((node, None));
        if self.open.len() > MAX_DEPTH {
            let message = format!("nested more than {MAX_DEPTH} levels deep");
            return Err(Fault::new(mark, message));
        }
        Ok(())
    }

    fn node(
        &mut self,
        mark: Mark,
        tag: Tag,
        content: Content,
        anchor: usize,
    ) -> Result<usize, Fault> {
        let node = self.nodes.len();
        self.nodes.push(Node { mark, tag, content });
        if anchor > 0 {
            self.anchors.insert(anchor, node);
        }
        self.add(node, mark)?;
        Ok(node)
    }

    /// Adds a node to the collection that is open.
    fn add(&mut self, node: usize, mark: Mark) -> Result<(), Fault> {
        let Some((parent, key)) = self.open.last_mut() else {
            if self.root.replace(node).is_some() {
                return Err(Fault::new(mark, "unexpected text after the value"));
            }
            return Ok(());
        };
        match self.nodes.get_mut(*parent).map(|node| &mut node.content) {
            Some(Content::Sequence(items)) => items.push(node),
            Some(Content::Mapping(pairs)) => match key.take() {
                None => *key = Some(node),
                Some(key) => pairs.push(Pair {
                    key,
                    value: node,
                    merged: false,
                }),
            },
            _ => {}
        }
        Ok(())
    }
}
