//! From nodes to values, as PyYAML's safe constructor does it (`yaml/constructor.py`).

mod merge;
mod scalar;

use self::scalar::Key;
use crate::cursor::Mark;
use crate::error::Fault;
use crate::place::{Inside, Place, Position, Warning};
use crate::resolve::Tag;
use crate::structure::{Content, Node, Pair, Tree};
use crate::{Duplicates, MAX_DEPTH, Objects, Options};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// What a tree means.
pub(crate) struct Built {
    pub(crate) value: Value,
    pub(crate) warnings: Vec<Warning>,
    /// Of the value; of what it holds, too, where that was asked for.
    pub(crate) place: Place,
}

/// Makes what a tree means; `places`: with the place of everything in it.
pub(crate) fn construct(tree: Tree<'_>, options: &Options, places: bool) -> Result<Built, Fault> {
    let Some(root) = tree.root else {
        return Ok(Built {
            value: Value::Null,
            warnings: Vec::new(),
            place: Place {
                value: Mark::default().into(),
                key: None,
                inside: Inside::Nothing,
            },
        });
    };
    let written: usize = tree.nodes.iter().map(|node| text_size(&node.content)).sum();
    let mut constructor = Constructor {
        under_way: vec![false; tree.nodes.len()],
        nodes_left: tree.nodes.len() + options.alias_nodes,
        bytes_left: written + options.alias_bytes,
        merges_left: tree.nodes.len() + options.alias_nodes,
        nodes: tree.nodes,
        duplicates: options.duplicates,
        objects: options.objects,
        places,
        warnings: Vec::new(),
    };
    let (value, place) = constructor.value(root, 0)?;
    let mut warnings = constructor.warnings;
    // A mapping that is used several times warns once.
    warnings.sort_unstable_by_key(|warning| {
        let Position { line, column } = warning.position;
        (line, column, warning.earlier_line)
    });
    warnings.dedup();
    Ok(Built {
        value,
        warnings,
        place,
    })
}

fn text_size(content: &Content<'_>) -> usize {
    match content {
        Content::Scalar(text) => text.len(),
        _ => 0,
    }
}

struct Constructor<'t> {
    nodes: Vec<Node<'t>>,
    /// The collections that the node at work stands in: one of them inside it has no end.
    under_way: Vec<bool>,
    nodes_left: usize,
    bytes_left: usize,
    merges_left: usize,
    duplicates: Duplicates,
    objects: Objects,
    /// Whether anybody wants to know what stands where.
    places: bool,
    warnings: Vec<Warning>,
}

impl<'t> Constructor<'t> {
    fn node(&self, id: usize) -> Result<&Node<'t>, Fault> {
        let missing = || Fault::new(Mark::default(), "a node is missing");
        self.nodes.get(id).ok_or_else(missing)
    }

    fn value(&mut self, id: usize, depth: usize) -> Result<(Value, Place), Fault> {
        let node = self.node(id)?;
        let (mark, tag) = (node.mark, node.tag.clone());
        let size = text_size(&node.content);
        self.spend(mark, size)?;
        if depth > MAX_DEPTH {
            let message = format!("aliases nest more than {MAX_DEPTH} levels deep");
            return Err(Fault::new(mark, message));
        }
        let (value, inside) = match tag {
            Tag::Set if self.objects == Objects::Refuse => {
                return Err(Fault::new(mark, "a set has no JSON form"));
            }
            Tag::Sequence | Tag::Mapping | Tag::OrderedMap | Tag::Pairs | Tag::Set => {
                self.enter(id, mark)?;
                let built = match tag {
                    Tag::Sequence => self.sequence(id, depth)?,
                    Tag::Mapping => self.mapping(id, depth)?,
                    Tag::Set => self.set(id, depth)?,
                    _ => self.pairs(id, depth)?,
                };
                self.leave(id);
                built
            }
            _ => (self.scalar(id, mark, &tag)?, Inside::Nothing),
        };
        let place = Place {
            value: mark.into(),
            key: None,
            inside,
        };
        Ok((value, place))
    }

    /// Counts a node against what aliases may add.
    fn spend(&mut self, mark: Mark, bytes: usize) -> Result<(), Fault> {
        let nodes = self.nodes_left.checked_sub(1);
        let bytes = self.bytes_left.checked_sub(bytes);
        match (nodes, bytes) {
            (Some(nodes), Some(bytes)) => {
                (self.nodes_left, self.bytes_left) = (nodes, bytes);
                Ok(())
            }
            _ => Err(Fault::new(mark, "aliases make this document too large")),
        }
    }

    fn enter(&mut self, id: usize, mark: Mark) -> Result<(), Fault> {
        match self.under_way.get_mut(id) {
            Some(under_way) if !*under_way => {
                *under_way = true;
                Ok(())
            }
            _ => Err(Fault::new(
                mark,
                "this collection holds itself through an alias",
            )),
        }
    }

    fn leave(&mut self, id: usize) {
        if let Some(under_way) = self.under_way.get_mut(id) {
            *under_way = false;
        }
    }

    fn sequence(&mut self, id: usize, depth: usize) -> Result<(Value, Inside), Fault> {
        let items = self.items(id)?;
        let mut values = Vec::with_capacity(items.len());
        let mut places = Vec::new();
        for item in items {
            let (value, place) = self.value(item, depth + 1)?;
            values.push(value);
            if self.places {
                places.push(place);
            }
        }
        Ok((Value::Array(values), Inside::Items(places)))
    }

    fn items(&self, id: usize) -> Result<Vec<usize>, Fault> {
        let node = self.node(id)?;
        match &node.content {
            Content::Sequence(items) => Ok(items.clone()),
            _ => Err(Fault::new(node.mark, "expected a list for this tag")),
        }
    }

    fn entries(&self, id: usize) -> Result<Vec<Pair>, Fault> {
        let node = self.node(id)?;
        match &node.content {
            Content::Mapping(pairs) => Ok(pairs.clone()),
            _ => Err(Fault::new(node.mark, "expected a mapping")),
        }
    }

    /// `!!omap` and `!!pairs`: a list of lists of two.
    fn pairs(&mut self, id: usize, depth: usize) -> Result<(Value, Inside), Fault> {
        let mut values = Vec::new();
        let mut places = Vec::new();
        for item in self.items(id)? {
            let mark = self.node(item)?.mark;
            let pairs = self.entries(item)?;
            let [pair] = pairs.as_slice() else {
                return Err(Fault::new(mark, "expected a mapping of one key"));
            };
            let (key, key_place) = self.value(pair.key, depth + 2)?;
            let (value, value_place) = self.value(pair.value, depth + 2)?;
            values.push(Value::Array(vec![key, value]));
            if self.places {
                places.push(Place {
                    value: mark.into(),
                    key: None,
                    inside: Inside::Items(vec![key_place, value_place]),
                });
            }
        }
        Ok((Value::Array(values), Inside::Items(places)))
    }

    fn mapping(&mut self, id: usize, depth: usize) -> Result<(Value, Inside), Fault> {
        self.flatten(id, depth)?;
        let pairs = self.entries(id)?;
        let mut map = Map::with_capacity(pairs.len());
        let count = pairs.len();
        let mut places: Vec<(String, Place)> = Vec::new();
        // Of keys that are no text: the text of the first of those that Python holds to be equal.
        let mut firsts: HashMap<String, String> = HashMap::new();
        // The keys that were written here: whether they are text, and where they stand.
        let mut written: Vec<(bool, String, Position)> = Vec::new();
        for Pair { key, value, merged } in pairs {
            let mark = self.node(key)?.mark;
            let Key { identity, text } = self.key(key)?;
            self.spend(mark, text.len())?;
            let (value, mut place) = self.value(value, depth + 1)?;
            place.key = Some(Position::from(mark));
            let is_text = identity.is_none();
            let text = match identity {
                None => text,
                Some(identity) => firsts.entry(identity).or_insert(text).clone(),
            };
            if self.duplicates == Duplicates::Warn && !merged {
                written.push((is_text, text.clone(), mark.into()));
            }
            if self.places {
                places.push((text.clone(), place));
            }
            map.insert(text, value);
        }
        if count > map.len() {
            self.warn(written);
        }
        Ok((Value::Object(map), Inside::Entries(places)))
    }

    /// `!!set`: the keys of a mapping, each once, the first of those that Python holds to be equal. What they stand for
    /// is of no use, but must be readable.
    fn set(&mut self, id: usize, depth: usize) -> Result<(Value, Inside), Fault> {
        self.flatten(id, depth)?;
        let mut seen = HashSet::new();
        let (mut values, mut places) = (Vec::new(), Vec::new());
        for Pair { key, value, .. } in self.entries(id)? {
            let identity = if self.node(key)?.tag == Tag::Binary {
                // Equal to no text.
                (
                    "binary".to_owned(),
                    self.value(key, depth + 1)?.0.to_string(),
                )
            } else {
                let Key { identity, text } = self.key(key)?;
                identity.map_or_else(|| ("text".to_owned(), text), |same| (same, String::new()))
            };
            self.value(value, depth + 1)?;
            if seen.insert(identity) {
                let (value, place) = self.value(key, depth + 1)?;
                values.push(value);
                if self.places {
                    places.push(place);
                }
            }
        }
        Ok((Value::Array(values), Inside::Items(places)))
    }

    /// Warns of each key that was written before.
    fn warn(&mut self, written: Vec<(bool, String, Position)>) {
        let mut lines: HashMap<(bool, String), usize> = HashMap::new();
        for (is_text, key, position) in written {
            if let Some(earlier_line) = lines.insert((is_text, key.clone()), position.line) {
                self.warnings.push(Warning {
                    key,
                    position,
                    earlier_line,
                });
            }
        }
    }
}
