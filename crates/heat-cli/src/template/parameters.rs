//! `--parameter` and `--parameter-file` (`heatclient/common/utils.py`, `format_all_parameters`).

use serde_json::{Map, Value};

use super::error::Error;

/// `key=value` each; one option alone may hold several, with semicolons between them. A key given several times
/// becomes a list.
///
/// # Errors
/// Names what has no `=`.
pub(crate) fn given(options: &[String]) -> Result<Map<String, Value>, Error> {
    match options {
        [one] => pairs("--parameter", "value", one.split(';')),
        several => pairs("--parameter", "value", several.iter().map(String::as_str)),
    }
}

/// `key=file` each: what is to be read, in order.
///
/// # Errors
/// Names what has no `=`, and a key that is given twice.
pub(crate) fn files(options: &[String]) -> Result<Vec<(String, String)>, Error> {
    let pairs = pairs(
        "--parameter-file",
        "file",
        options.iter().map(String::as_str),
    )?;
    pairs
        .into_iter()
        .map(|(key, value)| match value {
            Value::String(file) => Ok((key, file)),
            _ => Err(Error::new(format!(
                "--parameter-file gives {key:?} twice: a parameter has one file"
            ))),
        })
        .collect()
}

fn pairs<'p>(
    option: &str,
    what: &str,
    pairs: impl Iterator<Item = &'p str>,
) -> Result<Map<String, Value>, Error> {
    let mut parameters: Map<String, Value> = Map::new();
    for pair in pairs {
        let Some((key, value)) = pair.split_once('=') else {
            let message = format!(
                "{option} {pair:?} has no \"=\": it looks like KEY={}",
                what.to_uppercase()
            );
            return Err(Error::new(message));
        };
        let value = Value::String(value.to_owned());
        match parameters.get_mut(key) {
            None => {
                parameters.insert(key.to_owned(), value);
            }
            Some(Value::Array(values)) => values.push(value),
            Some(first) => *first = Value::Array(vec![first.take(), value]),
        }
    }
    Ok(parameters)
}

#[cfg(test)]
mod tests {
    use super::{files, given};
    use serde_json::{Value, json};

    fn texts(options: &[&str]) -> Vec<String> {
        options.iter().map(|option| (*option).to_owned()).collect()
    }

    #[test]
    fn semicolons_split_one_option_and_repeated_keys_become_lists() {
        for (options, expected) in [
            (&["a=1;b=2=3;a="][..], json!({"a": ["1", ""], "b": "2=3"})),
            (&["a=1;2", "b=x"], json!({"a": "1;2", "b": "x"})),
            (&["a=1", "a=2", "a=3"], json!({"a": ["1", "2", "3"]})),
            (&["=1"], json!({"": "1"})),
            (&[], json!({})),
        ] {
            assert_eq!(Value::Object(given(&texts(options)).unwrap()), expected);
        }
        for options in [&["a"][..], &[""], &["a=1;"], &["a=1", "b"]] {
            assert!(
                given(&texts(options))
                    .unwrap_err()
                    .to_string()
                    .contains("KEY=VALUE")
            );
        }
    }

    #[test]
    fn files_are_not_split_and_a_key_has_one() {
        assert_eq!(
            files(&texts(&["a=x;y"])).unwrap(),
            [("a".to_owned(), "x;y".to_owned())]
        );
        let twice = files(&texts(&["a=x", "a=y"])).unwrap_err();
        assert_eq!(
            twice.to_string(),
            "--parameter-file gives \"a\" twice: a parameter has one file"
        );
    }
}
