//! Scalars, and what they are as keys.

use super::Constructor;
use crate::cursor::Mark;
use crate::error::Fault;
use crate::resolve::Tag;
use crate::structure::Content;
use crate::{MAX_DEPTH, Objects, binary, number};
use serde_json::Value;

/// A mapping key: what Python compares, and what `json.dumps` writes.
pub(super) struct Key {
    /// None: the text itself, which is equal to no other kind of key.
    pub(super) identity: Option<String>,
    pub(super) text: String,
}

impl Constructor<'_> {
    /// A key as Python compares it (`1`, `1.0` and `true` are one key) and as `json.dumps` writes it.
    pub(super) fn key(&mut self, id: usize) -> Result<Key, Fault> {
        let node = self.node(id)?;
        let (mark, tag) = (node.mark, node.tag.clone());
        match tag {
            Tag::Sequence | Tag::Mapping | Tag::OrderedMap | Tag::Pairs | Tag::Set => {
                return Err(Fault::new(mark, "a list or a mapping cannot be a key"));
            }
            Tag::Binary => return Err(Fault::new(mark, "binary data cannot be a key")),
            _ => {}
        }
        Ok(match self.scalar(id, mark, &tag)? {
            Value::Null => Key {
                identity: Some("null".to_owned()),
                text: "null".to_owned(),
            },
            Value::Bool(value) => Key {
                identity: Some(format!("number {}", u8::from(value))),
                text: value.to_string(),
            },
            Value::Number(value) => {
                let text = value.to_string();
                let whole = match tag {
                    Tag::Float => text.parse::<f64>().ok().filter(|f| f.fract() == 0.0),
                    _ => None,
                };
                let identity = match whole {
                    // Minus zero equals zero.
                    Some(whole) => format!("number {:.0}", whole + 0.0),
                    None => format!("number {text}"),
                };
                Key {
                    identity: Some(identity),
                    text,
                }
            }
            Value::String(text) => Key {
                identity: None,
                text,
            },
            Value::Array(_) | Value::Object(_) => {
                return Err(Fault::new(mark, "a list or a mapping cannot be a key"));
            }
        })
    }

    pub(super) fn scalar(&self, id: usize, mark: Mark, tag: &Tag) -> Result<Value, Fault> {
        let wrong = |kind: &str, text: &str| {
            let message = format!("{text:?} is no {kind}");
            Err(Fault::new(mark, message))
        };
        match tag {
            Tag::Unknown(tag) => {
                let message = format!("unknown tag {tag:?}");
                return Err(Fault::new(mark, message));
            }
            Tag::Merge => {
                let message = "\"<<\" merges mappings and cannot stand here without quotes";
                return Err(Fault::new(mark, message));
            }
            Tag::Value => {
                let message = "\"=\" cannot stand here without quotes";
                return Err(Fault::new(mark, message));
            }
            Tag::Set => return Err(Fault::new(mark, "a set has no JSON form")),
            Tag::Binary if self.objects == Objects::Refuse => {
                return Err(Fault::new(mark, "binary data has no JSON form"));
            }
            _ => {}
        }
        let text = self.text(id, 0)?;
        match tag {
            Tag::Binary => match binary::bytes(text).map(String::from_utf8) {
                Some(Ok(text)) => Ok(Value::String(text)),
                Some(Err(_)) => Err(Fault::new(
                    mark,
                    "this binary data is no text in UTF-8, and has no JSON form",
                )),
                None => wrong("base64 that Python reads", text),
            },
            Tag::Null => Ok(Value::Null),
            Tag::Bool => match text.to_lowercase().as_str() {
                "yes" | "true" | "on" => Ok(Value::Bool(true)),
                "no" | "false" | "off" => Ok(Value::Bool(false)),
                _ => wrong("boolean", text),
            },
            Tag::Int => match number::integer(text) {
                Some(digits) => Ok(Value::Number(number::json_digits(digits))),
                None => wrong("integer that Python reads", text),
            },
            Tag::Float => match number::float(text) {
                Some(float) => Ok(Value::Number(number::json_float(float))),
                None => wrong("floating point number", text),
            },
            _ => Ok(Value::String(text.to_owned())),
        }
    }

    /// The text of a scalar; a mapping under a scalar's tag stands for the value of its `=` key.
    fn text(&self, id: usize, depth: usize) -> Result<&str, Fault> {
        let node = self.node(id)?;
        if let Content::Scalar(text) = &node.content {
            return Ok(text);
        }
        if let (Content::Mapping(pairs), true) = (&node.content, depth <= MAX_DEPTH) {
            for pair in pairs {
                if self.node(pair.key)?.tag == Tag::Value {
                    return self.text(pair.value, depth + 1);
                }
            }
        }
        Err(Fault::new(node.mark, "expected a scalar for this tag"))
    }
}
