//! The rows of a list of stacks, without their links: of thousands they would be most of what is kept, and nobody
//! follows them.

use std::fmt;
use std::hash::{DefaultHasher, Hasher as _};

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

/// One row.
pub(crate) struct Row(pub(crate) Map<String, Value>);

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(Fields)
    }
}

/// What tells an answer from another: a round in which nothing has changed need not be read.
pub(crate) fn print(url: &str, text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(url.as_bytes());
    hasher.write(text);
    hasher.finish()
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Row;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row, A::Error> {
        // As many as Heat gives a stack in a list: grown by doubling, a third would be kept for nothing.
        let mut row = Map::with_capacity(12);
        while let Some(key) = map.next_key::<String>()? {
            if key == "links" {
                map.next_value::<IgnoredAny>()?;
            } else {
                row.insert(key, map.next_value::<Value>()?);
            }
        }
        Ok(Row(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_without_its_links() {
        let text = r#"{"id": "a", "links": [{"rel": "self", "href": "http://h/a"}], "tags": null, "n": 1}"#;
        let row: Row = serde_json::from_str(text).unwrap();
        let shown = serde_json::to_string(&row.0).unwrap();
        assert_eq!(shown, r#"{"id":"a","tags":null,"n":1}"#);
        assert!(serde_json::from_str::<Row>("[]").is_err());
    }
}
