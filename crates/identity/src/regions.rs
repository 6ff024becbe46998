//! The regions that a cloud lists.

use serde_json::{Map, Value};

use crate::Error;
use crate::layer::{Layer, Rank, Text, text_of};

/// `regions`, or a `region_name` that is a list.
pub(crate) struct Regions {
    cloud: String,
    origin: String,
    list: Vec<(String, Map<String, Value>)>,
}

impl Regions {
    /// Reads them from the entry of a cloud. `None`: it lists none.
    pub(crate) fn read(
        entry: &Map<String, Value>,
        origin: &str,
        cloud: &str,
    ) -> Result<Option<Self>, Error> {
        let broken =
            |what: &str| Error::config(format!("{origin}: regions of cloud {cloud}: {what}"));
        let mut list = Vec::new();
        match entry.get("regions") {
            None | Some(Value::Null) => {
                for key in ["region_name", "region-name"] {
                    let names = entry.get(key).and_then(text_of).unwrap_or_default();
                    if names.contains(',') {
                        list.extend(
                            names
                                .split(',')
                                .map(|name| (name.trim().to_owned(), Map::new())),
                        );
                    }
                }
            }
            Some(Value::Array(items)) => {
                for item in items {
                    match item {
                        Value::Object(map) => {
                            let name = map
                                .get("name")
                                .and_then(text_of)
                                .ok_or_else(|| broken("one has no name"))?;
                            let values = match map.get("values") {
                                None | Some(Value::Null) => Map::new(),
                                Some(Value::Object(values)) => values.clone(),
                                Some(_) => {
                                    return Err(broken(&format!(
                                        "values of {name} are not a mapping"
                                    )));
                                }
                            };
                            list.push((name, values));
                        }
                        other => match text_of(other) {
                            Some(name) => list.push((name, Map::new())),
                            None => return Err(broken("one has no name")),
                        },
                    }
                }
            }
            Some(_) => return Err(broken("not a list")),
        }
        let regions = Self {
            cloud: cloud.to_owned(),
            origin: origin.to_owned(),
            list,
        };
        Ok(Some(regions).filter(|regions| !regions.list.is_empty()))
    }

    /// What the wanted region sets; the first where none is wanted (`openstack/config/loader.py:751-780`).
    pub(crate) fn layer(&self, wanted: Option<&str>) -> Result<Layer, Error> {
        let names = || {
            self.list
                .iter()
                .map(|(name, _)| name.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let chosen = match wanted {
            None => self.list.first(),
            Some(wanted) => self.list.iter().find(|(name, _)| name == wanted),
        };
        let Some((name, values)) = chosen else {
            return Err(Error::config(format!(
                "region {} is not one of cloud {}",
                wanted.unwrap_or_default(),
                self.cloud
            ))
            .with_hint(format!("{} lists: {}", self.origin, names())));
        };
        let mut layer = Layer::mapping(
            Rank::Region,
            values,
            &format!("{} (region {name})", self.origin),
        );
        let origin = match (wanted, self.list.len()) {
            (None, 2..) => format!("{} (the first of its regions)", self.origin),
            _ => self.origin.clone(),
        };
        layer.values.insert(
            "region_name".to_owned(),
            Text {
                text: name.clone(),
                origin,
            },
        );
        Ok(layer)
    }
}
