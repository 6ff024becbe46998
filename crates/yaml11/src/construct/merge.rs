//! Merge keys (`<<`), as PyYAML flattens them.

use super::Constructor;
use crate::MAX_DEPTH;
use crate::error::Fault;
use crate::resolve::Tag;
use crate::structure::{Content, Pair};

/// In place of the key of a pair that merging has used up.
const TAKEN_OUT: usize = usize::MAX;

impl<'t> Constructor<'t> {
    /// Puts what merge keys bring before the mapping's own pairs, so that those win; once for each mapping.
    pub(super) fn flatten(&mut self, id: usize, depth: usize) -> Result<(), Fault> {
        let mark = self.node(id)?.mark;
        if depth > MAX_DEPTH {
            let message = format!("merges nest more than {MAX_DEPTH} levels deep");
            return Err(Fault::new(mark, message));
        }
        let mut merged = Vec::new();
        // How many pairs up to `at` are taken out. They go at the end: one by one, each would move all after it.
        let (mut at, mut out) = (0, 0);
        while let Some(Pair { key, value, .. }) = self.pair(id, at)? {
            if key == TAKEN_OUT {
                (at, out) = (at + 1, out + 1);
                continue;
            }
            match self.node(key)?.tag {
                Tag::Merge => {
                    if let Some(pair) = self.pair_mut(id, at) {
                        pair.key = TAKEN_OUT;
                    }
                    self.merge(value, depth, &mut merged)?;
                    if self.pair(id, at)?.is_some_and(|pair| pair.key == TAKEN_OUT) {
                        (at, out) = (at + 1, out + 1);
                    } else {
                        // It merges itself, and was put in order on the way.
                        (at, out) = (at - out, 0);
                    }
                }
                Tag::Value => {
                    if let Some(node) = self.nodes.get_mut(key) {
                        node.tag = Tag::Text;
                    }
                    at += 1;
                }
                _ => at += 1,
            }
        }
        if let (false, Some(Content::Mapping(pairs))) =
            (out == 0 && merged.is_empty(), self.content_mut(id))
        {
            pairs.retain(|pair| pair.key != TAKEN_OUT);
            merged.append(pairs);
            *pairs = merged;
        }
        Ok(())
    }

    fn pair(&self, id: usize, at: usize) -> Result<Option<Pair>, Fault> {
        let node = self.node(id)?;
        match &node.content {
            Content::Mapping(pairs) => Ok(pairs.get(at).copied()),
            _ => Err(Fault::new(node.mark, "expected a mapping for this tag")),
        }
    }

    fn pair_mut(&mut self, id: usize, at: usize) -> Option<&mut Pair> {
        match self.content_mut(id)? {
            Content::Mapping(pairs) => pairs.get_mut(at),
            _ => None,
        }
    }

    fn content_mut(&mut self, id: usize) -> Option<&mut Content<'t>> {
        self.nodes.get_mut(id).map(|node| &mut node.content)
    }

    /// Adds the pairs of a mapping, or of a list of mappings of which the first wins.
    fn merge(&mut self, id: usize, depth: usize, merged: &mut Vec<Pair>) -> Result<(), Fault> {
        let node = self.node(id)?;
        let sources = match &node.content {
            Content::Mapping(_) => vec![id],
            Content::Sequence(items) => items.iter().rev().copied().collect(),
            Content::Scalar(_) => {
                let message = "expected a mapping or a list of mappings to merge";
                return Err(Fault::new(node.mark, message));
            }
        };
        // All are looked at before any is used: what a mapping brings may change by being flattened.
        for &source in sources.iter().rev() {
            if !matches!(self.node(source)?.content, Content::Mapping(_)) {
                let mark = self.node(source)?.mark;
                return Err(Fault::new(mark, "expected a mapping to merge"));
            }
            self.flatten(source, depth + 1)?;
        }
        for source in sources {
            let pairs = self.entries(source)?;
            let mark = self.node(source)?.mark;
            let left = self.merges_left.checked_sub(pairs.len());
            self.merges_left =
                left.ok_or_else(|| Fault::new(mark, "merges make this document too large"))?;
            merged.extend(pairs.into_iter().map(|pair| Pair {
                merged: true,
                ..pair
            }));
        }
        Ok(())
    }
}
