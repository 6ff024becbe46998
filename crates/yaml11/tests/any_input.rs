//! Whatever the text: no panic, no hang, and errors that point into it.

use proptest::prelude::*;
use serde_json::{Map, Value};
use yaml11::{Duplicates, Options, Schema, Tabs};

/// Reads a text in every mode; an error must name a line of it.
fn survives(text: &str) {
    for schema in [Schema::Python, Schema::Text] {
        for tabs in [Tabs::Refuse, Tabs::Separate] {
            let options = Options {
                schema,
                tabs,
                duplicates: Duplicates::Warn,
                ..Options::default()
            };
            match yaml11::read(text, &options) {
                Ok(document) => {
                    assert!(document.position("").is_some());
                    yaml11::write(&document.value);
                }
                Err(error) => {
                    assert!(error.line >= 1 && error.column >= 1);
                    assert!(text.contains(&error.text), "{error:?}");
                    assert!(!error.message.is_empty());
                }
            }
        }
    }
}

/// Pieces that mean something to a YAML scanner.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "a",
        "b: ",
        "- ",
        "? ",
        ": ",
        ":",
        "[",
        "]",
        "{",
        "}",
        ", ",
        "\n",
        "\n  ",
        "\n ",
        "\t",
        "&a ",
        "*a",
        "!!str ",
        "!x ",
        "!",
        "|",
        ">",
        "|2-",
        "+",
        "'",
        "\"",
        "\\",
        "\\x4",
        "\\ud800",
        "#",
        " # ",
        "%YAML 1.1",
        "%TAG ! !a",
        "---",
        "...",
        "<<: ",
        "*a : ",
        "0x",
        "1:30",
        ".inf",
        "~",
        "\r",
        "\u{85}",
        "\u{2028}",
        "\u{FEFF}",
        "é",
        "=",
    ])
}

fn value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        "[ -~]{0,120}",
        "[a-z' :#\n-]{0,60}",
        any::<String>().prop_map(|text| text.chars().take(50).collect()),
        "[-+0-9_.:exob]{1,9}",
        prop::sample::select(vec![
            "yes",
            "Null",
            "~",
            "<<",
            "=",
            "0777",
            "1:30",
            "2001-01-01",
            "",
            "---",
            "- a"
        ])
        .prop_map(str::to_owned),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(text.clone(), inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #[test]
    fn arbitrary_bytes_neither_panic_nor_hang(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        survives(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn arbitrary_pieces_of_yaml_neither_panic_nor_hang(pieces in prop::collection::vec(piece(), 0..40)) {
        survives(&pieces.concat());
    }

    #[test]
    fn what_is_written_is_read_back(value in value()) {
        let text = yaml11::write(&value);
        let back = yaml11::read(&text, &Options::default()).unwrap();
        prop_assert_eq!(back.value, value);
    }

    #[test]
    fn a_float_is_read_back_with_the_same_bits(float in any::<f64>()) {
        prop_assume!(float.is_finite());
        let text = yaml11::write(&Value::from(float));
        let back = yaml11::read(&text, &Options::default()).unwrap();
        prop_assert_eq!(back.value.to_string().parse::<f64>().unwrap().to_bits(), float.to_bits());
    }
}
