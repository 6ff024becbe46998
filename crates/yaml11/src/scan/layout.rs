//! Indentation and simple keys: what opens and closes block collections.

use super::{Kind, Token};
use crate::cursor::Mark;
use crate::error::Fault;

/// A key without `?` must end on its line and within this many characters.
const LONGEST_SIMPLE_KEY: usize = 1024;

pub(super) struct Layout<'t> {
    pub(super) tokens: Vec<Token<'t>>,
    /// Whether a key (or a dash) may begin here.
    pub(super) key_allowed: bool,
    /// The columns of the open block collections, outermost first.
    indents: Vec<usize>,
    /// What may turn out to be a key, one for each flow level; the first is the block's.
    keys: Vec<Option<Candidate>>,
}

/// A node that is a key if a colon follows.
struct Candidate {
    mark: Mark,
    /// Where the key token would go among the tokens.
    token: usize,
    /// At a block mapping's own column nothing but a key may stand.
    required: bool,
}

impl<'t> Layout<'t> {
    /// Of a text that is to be cut.
    pub(super) fn of(text: &str) -> Self {
        Self {
            // About as many as a template has: to grow to that by doubling is to copy them all.
            tokens: Vec::with_capacity(text.len() / 8),
            key_allowed: true,
            indents: Vec::new(),
            keys: vec![None],
        }
    }

    pub(super) fn push(&mut self, mark: Mark, kind: Kind<'t>) {
        self.tokens.push(Token { mark, kind });
    }

    pub(super) fn in_flow(&self) -> bool {
        self.keys.len() > 1
    }

    pub(super) fn depth(&self) -> usize {
        self.indents.len() + self.keys.len() - 1
    }

    /// The least column of what belongs to the open block collection.
    pub(super) fn content_column(&self) -> usize {
        self.indents.last().map_or(0, |column| column + 1)
    }

    pub(super) fn open_flow(&mut self) {
        self.keys.push(None);
        self.key_allowed = true;
    }

    /// False if there is nothing to close.
    pub(super) fn close_flow(&mut self) -> bool {
        if !self.in_flow() {
            return false;
        }
        self.keys.pop();
        self.key_allowed = false;
        true
    }

    /// Ends the block collections that stand further right than `column`, or all.
    pub(super) fn unwind(&mut self, column: Option<usize>, mark: Mark) {
        if self.in_flow() {
            return;
        }
        while let Some(&indent) = self.indents.last() {
            if column.is_some_and(|column| indent <= column) {
                return;
            }
            self.indents.pop();
            self.push(mark, Kind::BlockEnd);
        }
    }

    /// Opens a block collection where the column is a new one.
    pub(super) fn indent(&mut self, mark: Mark, kind: Kind<'t>) {
        let at = self.tokens.len();
        self.indent_at(mark, kind, at);
    }

    fn indent_at(&mut self, mark: Mark, kind: Kind<'t>, token: usize) {
        if self
            .indents
            .last()
            .is_none_or(|&indent| indent < mark.column())
        {
            self.indents.push(mark.column());
            self.tokens.insert(token, Token { mark, kind });
        }
    }

    /// Notes that what begins here may be a key, and that none may begin after it on this line.
    pub(super) fn offer_key(&mut self, mark: Mark) -> Result<(), Fault> {
        if self.key_allowed {
            self.drop_key(mark)?;
            let candidate = Candidate {
                mark,
                token: self.tokens.len(),
                required: !self.in_flow() && self.indents.last() == Some(&mark.column()),
            };
            if let Some(slot) = self.keys.last_mut() {
                *slot = Some(candidate);
            }
        }
        self.key_allowed = false;
        Ok(())
    }

    /// The candidate of this level is no key after all.
    pub(super) fn drop_key(&mut self, at: Mark) -> Result<(), Fault> {
        match self.keys.last_mut().and_then(Option::take) {
            Some(candidate) if candidate.required => Err(no_colon(candidate.mark, at)),
            _ => Ok(()),
        }
    }

    /// Candidates on an earlier line, or too far back, are no keys.
    pub(super) fn forget_stale_keys(&mut self, at: Mark) -> Result<(), Fault> {
        for slot in &mut self.keys {
            let stale = slot.as_ref().is_some_and(|candidate| {
                candidate.mark.line() != at.line()
                    || at.index() - candidate.mark.index() > LONGEST_SIMPLE_KEY
            });
            if !stale {
                continue;
            }
            if let Some(candidate) = slot.take() {
                if candidate.required {
                    return Err(no_colon(candidate.mark, at));
                }
            }
        }
        Ok(())
    }

    /// A colon: the candidate of this level is a key, or the value of a `?` key begins.
    pub(super) fn value(&mut self, mark: Mark) -> Result<(), Fault> {
        let flow = self.in_flow();
        if let Some(candidate) = self.keys.last_mut().and_then(Option::take) {
            let key = Token {
                mark: candidate.mark,
                kind: Kind::Key,
            };
            self.tokens.insert(candidate.token, key);
            if !flow {
                self.indent_at(candidate.mark, Kind::BlockMapping, candidate.token);
            }
            self.key_allowed = false;
            return Ok(());
        }
        if !flow {
            if !self.key_allowed {
                let message = "a mapping is not allowed here (\": \" in a value needs quotes)";
                return Err(Fault::new(mark, message));
            }
            self.indent(mark, Kind::BlockMapping);
        }
        self.key_allowed = !flow;
        self.drop_key(mark)
    }
}

fn no_colon(key: Mark, at: Mark) -> Fault {
    let message = if key.line() == at.line() {
        "could not find the \":\" of this key".to_owned()
    } else {
        format!(
            "could not find the \":\" of this key before line {}",
            at.line() + 1
        )
    };
    Fault::new(key, message)
}
