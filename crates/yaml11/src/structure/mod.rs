//! From tokens to a tree of nodes, through yaml-rust2: `rewrite` gives it a text whose structure it reads as PyYAML
//! reads the source's, and its events lead back to the texts and the places of the source.

mod rewrite;

use crate::cursor::Mark;
use crate::error::Fault;
use crate::resolve::{self, Tag};
use crate::scan::Token;
use crate::{MAX_DEPTH, Schema};
use rewrite::Rewriter;
use std::borrow::Cow;
use std::collections::HashMap;
use yaml_rust2::parser::{Event, Parser};
use yaml_rust2::scanner::TScalarStyle;

/// The nodes of a document. An alias is the index of the node that it means.
#[derive(Debug)]
pub(crate) struct Tree<'t> {
    pub(crate) nodes: Vec<Node<'t>>,
    /// None if the text holds no document.
    pub(crate) root: Option<usize>,
}

#[derive(Debug)]
pub(crate) struct Node<'t> {
    pub(crate) mark: Mark,
    pub(crate) tag: Tag,
    pub(crate) content: Content<'t>,
}

#[derive(Debug)]
pub(crate) enum Content<'t> {
    Scalar(Cow<'t, str>),
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
pub(crate) fn compose(tokens: Vec<Token<'_>>, schema: Schema) -> Result<Tree<'_>, Fault> {
    let mut rewriter = Rewriter::default();
    let Some(start) = rewriter.document(tokens)? else {
        return Ok(Tree {
            nodes: Vec::new(),
            root: None,
        });
    };
    compose_events(rewriter, schema, start)
}

/// Reads the rewritten text's events into nodes.
fn compose_events(
    mut rewriter: Rewriter<'_>,
    schema: Schema,
    start: Mark,
) -> Result<Tree<'_>, Fault> {
    let text = std::mem::take(&mut rewriter.text);
    let scalars = std::mem::take(&mut rewriter.scalars).into_iter();
    let mut parser = Parser::new(text.chars()).keep_tags(true);
    let mut composer = Composer {
        rewriter: &rewriter,
        schema,
        nodes: Vec::with_capacity(scalars.len() + scalars.len() / 2),
        scalars,
        anchors: HashMap::new(),
        open: Vec::new(),
        root: None,
    };
    let mut near = 0;
    loop {
        let (event, marker) = parser
            .next_token()
            .map_err(|error| Fault::new(rewriter.place(error.marker().index()), error.info()))?;
        let mark = match event {
            Event::StreamEnd => break,
            _ => rewriter.place_near(marker.index(), &mut near),
        };
        composer.event(event, mark)?;
    }
    let (mut nodes, root) = (composer.nodes, composer.root);
    let root = root.unwrap_or_else(|| {
        nodes.push(Node {
            mark: start,
            tag: Tag::Null,
            content: Content::Scalar(Cow::Borrowed("")),
        });
        nodes.len() - 1
    });
    Ok(Tree {
        nodes,
        root: Some(root),
    })
}

struct Composer<'r, 't> {
    rewriter: &'r Rewriter<'t>,
    /// Each is taken when its event comes: they come in the same order.
    scalars: std::vec::IntoIter<(Cow<'t, str>, bool)>,
    schema: Schema,
    nodes: Vec<Node<'t>>,
    /// yaml-rust2's anchor numbers.
    anchors: HashMap<usize, usize>,
    /// The open collections, and the key that waits for its value.
    open: Vec<(usize, Option<usize>)>,
    root: Option<usize>,
}

impl<'r, 't> Composer<'r, 't> {
    fn event(&mut self, event: Event, mark: Mark) -> Result<(), Fault> {
        match event {
            Event::Alias(anchor) => {
                let node = self.anchors.get(&anchor).copied();
                let node = node.ok_or_else(|| Fault::new(mark, "an alias without an anchor"))?;
                self.add(node, mark)
            }
            Event::Scalar(_, style, anchor, tag) => {
                // Those without quotes are not there at all.
                let known = match style {
                    TScalarStyle::DoubleQuoted => self.scalars.next(),
                    _ => None,
                };
                let (text, plain) = known.unwrap_or((Cow::Borrowed(""), true));
                let (tag, mark) = self.tag(tag, mark);
                let tag = resolve::scalar(tag, &text, plain, self.schema);
                self.node(mark, tag, Content::Scalar(text), anchor)?;
                Ok(())
            }
            Event::SequenceStart(anchor, tag) => {
                let (tag, mark) = self.tag(tag, mark);
                let tag = resolve::collection(tag, Tag::Sequence);
                self.start(mark, tag, Content::Sequence(Vec::new()), anchor)
            }
            Event::MappingStart(anchor, tag) => {
                let (tag, mark) = self.tag(tag, mark);
                let tag = resolve::collection(tag, Tag::Mapping);
                self.start(mark, tag, Content::Mapping(Vec::new()), anchor)
            }
            Event::SequenceEnd | Event::MappingEnd => {
                self.open.pop();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The full tag that an event's tag stands for, and the place of the node: its tag, else its content.
    fn tag(&self, tag: Option<yaml_rust2::parser::Tag>, mark: Mark) -> (Option<&'r str>, Mark) {
        let number = tag.and_then(|tag| tag.suffix.strip_prefix('n')?.parse::<usize>().ok());
        match number.and_then(|number| self.rewriter.tags.get(number)) {
            Some((tag, mark)) => (Some(tag), *mark),
            None => (None, mark),
        }
    }

    fn start(
        &mut self,
        mark: Mark,
        tag: Tag,
        content: Content<'t>,
        anchor: usize,
    ) -> Result<(), Fault> {
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
        content: Content<'t>,
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
