//! How bodies are shown in logs.

use serde_json::Value;

use crate::Method;
use crate::url::is_secret_word;

/// Longer bodies are cut in logs.
const LONGEST: usize = 64 * 1024;

/// The body of a request as a log may show it: of sign-in and change requests keys and lengths only.
#[must_use]
pub fn request_body(_method: Method, body: &[u8]) -> String {
    match serde_json::from_slice::<Value>(body) {
        Ok(value) => outline(&value).to_string(),
        Err(_) => format!("{} bytes", body.len()),
    }
}

/// The body of an answer as a log may show it: parameters, outputs, keys and passwords as `***`; what is not JSON as
/// a length.
#[must_use]
pub fn reply_body(body: &[u8]) -> String {
    let Ok(value) = serde_json::from_slice::<Value>(body) else {
        return format!("{} bytes", body.len());
    };
    let text = masked(value).to_string();
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!(
            "{}… ({} bytes)",
            text.get(..at).unwrap_or_default(),
            body.len()
        ),
        None => text,
    }
}

fn outline(value: &Value) -> Value {
    match value {
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| (key.clone(), outline(value)))
            .collect(),
        Value::Array(items) => Value::from(format!("{} items", items.len())),
        Value::String(text) => Value::from(format!("{} characters", text.chars().count())),
        Value::Number(_) => Value::from("a number"),
        Value::Bool(_) => Value::from("a boolean"),
        Value::Null => Value::Null,
    }
}

fn masked(value: Value) -> Value {
    match value {
        Value::Object(map) => map
            .into_iter()
            .map(|(key, value)| {
                let value = if is_masked(&key) && !value.is_null() {
                    Value::from("***")
                } else {
                    masked(value)
                };
                (key, value)
            })
            .collect(),
        Value::Array(items) => items.into_iter().map(masked).collect(),
        other => other,
    }
}

fn is_masked(key: &str) -> bool {
    const KEYS: &[&str] = &[
        "parameters",
        "outputs",
        "output",
        "output_value",
        "environment",
        "files",
        "template",
        "attributes",
        "metadata",
        "config",
        "input_values",
        "output_values",
        "user_creds",
        "credential",
    ];
    KEYS.contains(&key) || is_secret_word(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_show_keys_and_lengths_only() {
        let body = br#"{"auth":{"identity":{"password":{"user":{"name":"demo","password":"s3cret"}}},"n":[1,2]}}"#;
        let shown = request_body(Method::Post, body);
        assert!(
            !shown.contains("s3cret") && !shown.contains("demo"),
            "{shown}"
        );
        assert!(
            shown.contains("\"password\":\"6 characters\"") && shown.contains("2 items"),
            "{shown}"
        );
        assert_eq!(request_body(Method::Post, b"user=x&password=y"), "17 bytes");
    }

    #[test]
    fn answers_hide_parameters_outputs_and_keys() {
        let body = br#"{"stack":{"stack_name":"web","parameters":{"pw":"s3cret"},"outputs":[{"output_value":"s3cret"}]},
            "access":{"access_key":"s3cret","state":"active"},"auth_key":"s3cret","admin_pass_word":null}"#;
        let shown = reply_body(body);
        assert!(!shown.contains("s3cret"), "{shown}");
        assert!(
            shown.contains("\"stack_name\":\"web\"") && shown.contains("\"state\":\"active\""),
            "{shown}"
        );
    }
}
