//! Environments: what their registries refer to, how several become one, and hooks
//! (`heatclient/common/template_utils.py`).

use serde_json::{Map, Value};

use super::error::Error;
use super::files::Reference;
use super::parse::{Parsed, escaped, kind};
use super::url;

/// The section that maps resource types to templates.
const REGISTRY: &str = "resource_registry";

/// What the registry of an environment refers to; `folder` is the environment's own.
///
/// Every text in it is a file, unless it names a type (`OS::Nova::Server`), or stands below `base_url`, `hooks` or
/// `restricted_actions`. Resources of their own have registries of their own, one level deep.
///
/// # Errors
/// Names what is no mapping where one belongs, and what is no text where a file's name belongs.
pub(crate) fn references(parsed: &Parsed, folder: &str) -> Result<Vec<Reference>, Error> {
    let mut found = Vec::new();
    let at = format!("/{REGISTRY}");
    let Some(registry) = parsed
        .value
        .get(REGISTRY)
        .filter(|registry| !registry.is_null())
    else {
        return Ok(found);
    };
    let registry = mapping(parsed, registry, &at, REGISTRY)?;
    let base = base_url(parsed, registry, &at, Some(folder))?;
    collect(parsed, registry, &at, base.as_deref(), &mut found)?;
    if let Some(resources) = registry.get("resources") {
        let at = format!("{at}/resources");
        for (name, resource) in mapping(parsed, resources, &at, "resources")? {
            let at = format!("{at}/{}", escaped(name));
            let resource = mapping(parsed, resource, &at, name)?;
            let base = base_url(parsed, resource, &at, base.as_deref())?;
            collect(parsed, resource, &at, base.as_deref(), &mut found)?;
        }
    }
    Ok(found)
}

fn mapping<'v>(
    parsed: &Parsed,
    value: &'v Value,
    at: &str,
    name: &str,
) -> Result<&'v Map<String, Value>, Error> {
    value.as_object().ok_or_else(|| {
        let message = format!("{name:?} must be a mapping, and is {}", kind(value));
        Error::at(parsed.spot(at), message)
    })
}

/// Below what names are resolved. A `base_url` of null leaves them as they are, as the client does.
fn base_url(
    parsed: &Parsed,
    map: &Map<String, Value>,
    at: &str,
    outer: Option<&str>,
) -> Result<Option<String>, Error> {
    match map.get("base_url") {
        None => Ok(outer.map(str::to_owned)),
        Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(url::with_slash(text.clone()))),
        Some(other) => {
            let message = format!("\"base_url\" must be text, and is {}", kind(other));
            Err(Error::at(parsed.spot(&format!("{at}/base_url")), message))
        }
    }
}

fn collect(
    parsed: &Parsed,
    map: &Map<String, Value>,
    at: &str,
    base: Option<&str>,
    found: &mut Vec<Reference>,
) -> Result<(), Error> {
    for (key, value) in map {
        let pointer = format!("{at}/{}", escaped(key));
        let is_setting = matches!(key.as_str(), "hooks" | "restricted_actions");
        match value {
            _ if key == "base_url" => {}
            Value::Object(_) => {}
            Value::String(text) if is_setting || text.contains("::") => {}
            Value::Array(items) if is_setting || items.iter().any(|item| item == "::") => {}
            Value::String(text) => found.push(Reference {
                pointer,
                url: url::join(base.unwrap_or_default(), text),
                key: key.clone(),
            }),
            other => {
                let message = format!("{key:?} must name a type or a file, and is {}", kind(other));
                // What is left out has no place of its own.
                let spot = if other.is_null() {
                    parsed.key_spot(&pointer)
                } else {
                    parsed.spot(&pointer)
                };
                return Err(Error::at(spot, message));
            }
        }
    }
    Ok(())
}

/// Puts `new` over `old`: mappings are merged, a null leaves a mapping as it is, all else is replaced.
///
/// # Errors
/// The path of a mapping that would have to go over something that is none: the client ends in a traceback there.
pub(crate) fn deep_update(
    old: &mut Map<String, Value>,
    new: Map<String, Value>,
) -> Result<(), String> {
    for (key, value) in new {
        match value {
            Value::Object(new) => {
                let place = old.entry(key.clone()).or_insert(Value::Null);
                match place {
                    Value::Object(old) => {
                        deep_update(old, new).map_err(|path| format!("{key}.{path}"))?
                    }
                    Value::Null => {
                        let mut fresh = Map::new();
                        deep_update(&mut fresh, new).map_err(|path| format!("{key}.{path}"))?;
                        *place = Value::Object(fresh);
                    }
                    _ if new.is_empty() => {}
                    _ => return Err(key),
                }
            }
            Value::Null if old.get(&key).is_some_and(Value::is_object) => {}
            value => {
                old.insert(key, value);
            }
        }
    }
    Ok(())
}

/// Sets hooks on resources: `server`, or `nested/server` in a nested stack, with wildcards that Heat resolves.
///
/// # Errors
/// Names the hook whose way is barred by something that is no mapping.
pub(crate) fn set_hooks(
    environment: &mut Map<String, Value>,
    hooks: &[String],
    hook: &str,
) -> Result<(), Error> {
    for declared in hooks {
        let barred = || {
            let message = format!(
                "cannot set a {hook} hook on {declared:?}: the environment has no mapping there"
            );
            Error::new(message)
        };
        let steps = [REGISTRY, "resources"].into_iter();
        let steps = steps.chain(declared.split('/').filter(|step| !step.is_empty()));
        let mut at = &mut *environment;
        for step in steps {
            let next = at.entry(step).or_insert_with(|| Value::Object(Map::new()));
            at = next.as_object_mut().ok_or_else(barred)?;
        }
        at.insert("hooks".to_owned(), Value::String(hook.to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{deep_update, set_hooks};
    use serde_json::{Value, json};

    fn updated(old: Value, new: Value) -> Result<Value, String> {
        let (Value::Object(mut old), Value::Object(new)) = (old, new) else {
            panic!("mappings")
        };
        deep_update(&mut old, new).map(|()| Value::Object(old))
    }

    #[test]
    fn mappings_merge_and_null_leaves_them() {
        for (old, new, expected) in [
            (
                json!({"a": {"b": 1}}),
                json!({"a": {"c": 2}}),
                json!({"a": {"b": 1, "c": 2}}),
            ),
            (
                json!({"a": {"b": 1}}),
                json!({"a": null}),
                json!({"a": {"b": 1}}),
            ),
            (
                json!({"a": null}),
                json!({"a": {"b": null}}),
                json!({"a": {"b": null}}),
            ),
            (json!({"a": [1]}), json!({"a": [2]}), json!({"a": [2]})),
            (json!({"a": {"b": 1}}), json!({"a": "x"}), json!({"a": "x"})),
            (json!({"a": "x"}), json!({"a": {}}), json!({"a": "x"})),
            (json!({"a": 1}), json!({"a": null}), json!({"a": null})),
        ] {
            assert_eq!(updated(old, new).unwrap(), expected);
        }
        let wrong = updated(json!({"a": {"b": [1]}}), json!({"a": {"b": {"c": 1}}}));
        assert_eq!(wrong.unwrap_err(), "a.b");
    }

    #[test]
    fn hooks_make_their_way_and_name_what_bars_it() {
        let mut environment = serde_json::Map::new();
        let hooks = ["web".to_owned(), "/nested//an*/".to_owned()];
        set_hooks(&mut environment, &hooks, "pre-create").unwrap();
        let expected = json!({"resource_registry": {"resources": {
            "web": {"hooks": "pre-create"}, "nested": {"an*": {"hooks": "pre-create"}}}}});
        assert_eq!(Value::Object(environment), expected);

        let Value::Object(mut environment) = json!({"resource_registry": null}) else {
            panic!("mapping")
        };
        let error = set_hooks(&mut environment, &hooks, "pre-update").unwrap_err();
        assert!(error.to_string().contains("\"web\""), "{error}");
    }
}
