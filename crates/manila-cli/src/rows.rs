//! The rows of a list, of each only the fields that somebody looks at: a wait for thousands reads every row each round,
//! and neither makes nor keeps the forty fields of which it needs a dozen.

use std::fmt;
use std::hash::{DefaultHasher, Hasher as _};

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::client::Body;

/// Reads the rows under `key`, the fields `keep` of each, in the order of the answer. `Ok(None)`: there is no such key.
///
/// # Errors
/// Where the text is no JSON, or what is under the key is no list of objects.
pub fn read(text: &[u8], key: &str, keep: &[&str]) -> Result<Option<Vec<Body>>, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let rows = (&mut reader).deserialize_map(Answer { key, keep })?;
    reader.end()?;
    Ok(rows)
}

/// What tells an answer from another: a round in which nothing has changed need not be read.
pub fn print(text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text);
    hasher.finish()
}

struct Answer<'k> {
    key: &'k str,
    keep: &'k [&'k str],
}

impl<'de> Visitor<'de> for Answer<'_> {
    type Value = Option<Vec<Body>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with {}", self.key)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut rows = None;
        while let Some(key) = map.next_key_seed(OneOf(&[self.key]))? {
            if key.is_some() {
                rows = Some(map.next_value_seed(Rows(self.keep))?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(rows)
    }
}

/// A list of rows.
struct Rows<'k>(&'k [&'k str]);

impl<'de> DeserializeSeed<'de> for Rows<'_> {
    type Value = Vec<Body>;
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Rows<'_> {
    type Value = Vec<Body>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut rows = Vec::new();
        while let Some(row) = list.next_element_seed(Row(self.0))? {
            rows.push(row);
        }
        Ok(rows)
    }
}

/// One row.
struct Row<'k>(&'k [&'k str]);

impl<'de> DeserializeSeed<'de> for Row<'_> {
    type Value = Body;
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Row<'_> {
    type Value = Body;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut row = Body::with_capacity(self.0.len());
        while let Some(key) = map.next_key_seed(OneOf(self.0))? {
            match key {
                Some(key) => {
                    row.insert(key.to_owned(), map.next_value::<Value>()?);
                }
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(row)
    }
}

/// A key: one of these, or `None`.
struct OneOf<'k>(&'k [&'k str]);

impl<'de, 'k> DeserializeSeed<'de> for OneOf<'k> {
    type Value = Option<&'k str>;
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_str(self)
    }
}

impl<'k> Visitor<'_> for OneOf<'k> {
    type Value = Option<&'k str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().find(|known| **known == key).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_each_row_the_fields_that_are_asked_for_are_read() {
        let text = br#"{"links": [{"a": 1}], "shares": [
            {"id": "a", "status": "available", "size": 10, "metadata": {"id": "x"}, "host": null},
            {"status": "creating", "id": "b"}], "count": 2}"#;
        let rows = read(text, "shares", &["id", "status", "host"])
            .unwrap()
            .unwrap();
        let shown: Vec<String> = rows
            .iter()
            .map(|row| serde_json::to_string(row).unwrap())
            .collect();
        assert_eq!(
            shown,
            [
                r#"{"id":"a","status":"available","host":null}"#,
                r#"{"status":"creating","id":"b"}"#
            ]
        );
        assert_eq!(read(text, "snapshots", &["id"]).unwrap(), None);
    }

    #[test]
    fn what_is_no_list_of_objects_is_refused() {
        for text in [
            "",
            "[]",
            r#"{"shares": {}}"#,
            r#"{"shares": [1]}"#,
            r#"{"shares": []} x"#,
            r#"{"shares": [{"id""#,
        ] {
            assert!(read(text.as_bytes(), "shares", &["id"]).is_err(), "{text}");
        }
    }
}
