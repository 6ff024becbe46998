//! `!!binary` and `!!set`, which are no JSON: sent as python-heatclient 5.3.0 sends them (oslo.serialization's
//! `to_primitive`), also in nested templates and environments; seen for these very files.

use heat_cli::template::{self, Body, Error, Operation, TemplateOptions};
use serde_json::json;

use crate::Memory;

fn body(files: &[(&str, &str)]) -> Result<Body, Error> {
    let options = TemplateOptions {
        template: Some("t.yaml".to_owned()),
        environments: vec!["e.yaml".to_owned()],
        ..TemplateOptions::new(Operation::Create {
            name: "s".to_owned(),
            enable_rollback: false,
        })
    };
    template::body(&options, &Memory::new(files))
}

#[test]
fn bytes_are_sent_as_text_and_sets_as_lists() {
    let body = body(&[
        (
            "t.yaml",
            "heat_template_version: 2021-04-16\na: !!binary aGVsbG8=\nb: {type: n.yaml}\n",
        ),
        (
            "n.yaml",
            "heat_template_version: 2021-04-16\nx: !!binary aGVsbG8=\ns: !!set {b}\n",
        ),
        (
            "e.yaml",
            "parameters: {a: !!set {b}, c: !!binary aGVsbG8=}\n",
        ),
    ])
    .unwrap();
    assert_eq!(body.fields["template"]["a"], "hello");
    assert_eq!(
        body.fields["environment"],
        json!({"parameters": {"a": ["b"], "c": "hello"}})
    );
    assert_eq!(
        body.fields["files"]["file:///here/n.yaml"],
        r#"{"heat_template_version": "2021-04-16", "x": "hello", "s": ["b"]}"#
    );
}

#[test]
fn what_the_client_cannot_send_either_is_refused_by_name() {
    let environment = ("e.yaml", "{}\n");
    let hot = "heat_template_version: 2021-04-16\n";
    for (line, expected) in [
        (
            "a: !!binary /w==\n",
            "t.yaml:2:4: this binary data is no text in UTF-8",
        ),
        (
            "? !!binary aGVsbG8=\n: 1\n",
            "t.yaml:2:3: binary data cannot be a key",
        ),
        (
            "a: !!set {? [1]}\n",
            "t.yaml:2:13: a list or a mapping cannot be a key",
        ),
    ] {
        let error = body(&[("t.yaml", &format!("{hot}{line}")), environment]).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}
