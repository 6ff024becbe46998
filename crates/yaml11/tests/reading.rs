//! Positions, warnings, limits and messages: what PyYAML's values do not show.
#![expect(clippy::unwrap_used, reason = "tests")]

use yaml11::{Document, Duplicates, Error, MAX_DEPTH, Objects, Options, Schema, Tabs};

fn read(text: &str) -> Document {
    yaml11::read(text, &Options::default()).unwrap()
}

fn refused(text: &str) -> Error {
    yaml11::read(text, &Options::default()).unwrap_err()
}

#[test]
fn an_error_names_line_and_column_and_holds_the_line() {
    let error = refused("clouds:\r\n  a: b\r\n\tb: c\r\nd: e\r\n");
    assert_eq!(
        error.to_string(),
        "3:1: a tab stands where YAML allows only spaces"
    );
    assert_eq!(error.text, "\tb: c");
    let error = refused("a: 1\nb: x: y");
    assert_eq!(
        (error.line, error.column, error.text.as_str()),
        (2, 5, "b: x: y")
    );
}

#[test]
fn errors_of_structure_point_into_the_source_too() {
    let error = refused("a: [1,\n  2\nb: 3\n");
    assert_eq!(error.line, 3);
    let error = refused("a:\n  - 1\n - 2\n");
    assert_eq!(error.line, 3, "{error}");
    let error = refused("- a\n- {b: *c}\n");
    assert_eq!(
        error.to_string(),
        "2:7: the alias \"c\" has no anchor before it"
    );
    let error = refused("a:\n  b: !secret x\n");
    assert_eq!(error.to_string(), "2:6: unknown tag \"!secret\"");
}

#[test]
fn positions_are_found_by_json_pointer() {
    let document = read("a:\n  - x\n  - {b/c: &d [1, 2]}\n'e f': *d\n");
    let at = |pointer| document.position(pointer).map(|at| (at.line, at.column));
    let key_at = |pointer| {
        document
            .key_position(pointer)
            .map(|at| (at.line, at.column))
    };
    assert_eq!(at(""), Some((1, 1)));
    assert_eq!(at("/a/0"), Some((2, 5)));
    assert_eq!(at("/a/1/b~1c/1"), Some((3, 18)));
    assert_eq!(key_at("/a/1/b~1c"), Some((3, 6)));
    assert_eq!(key_at("/e f"), Some((4, 1)));
    assert_eq!(key_at("/a/0"), None);
    assert_eq!(at("/a/2"), None);
    assert_eq!(at("a"), None);
}

#[test]
fn a_duplicate_key_is_warned_of_once_and_the_last_wins() {
    let options = Options {
        duplicates: Duplicates::Warn,
        ..Options::default()
    };
    let text = "a: &x {k: 1, k: 2}\nb: *x\nc:\n  <<: *x\n  k: 3\na: 4\n";
    let document = yaml11::read(text, &options).unwrap();
    assert_eq!(
        document.value.to_string(),
        r#"{"a":4,"b":{"k":2},"c":{"k":3}}"#
    );
    let warnings: Vec<_> = document.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "1:14: duplicate key \"k\": this one wins over line 1",
            "6:1: duplicate key \"a\": this one wins over line 1",
        ]
    );
    assert!(read(text).warnings.is_empty());
}

#[test]
fn an_alias_bomb_is_refused_at_once() {
    let mut bomb = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
    for n in 1..30 {
        let before = format!("*a{}, ", n - 1).repeat(9);
        bomb += &format!("a{n}: &a{n} [{}]\n", before.trim_end_matches(", "));
    }
    assert!(refused(&bomb).message.contains("too large"));
    let mut texts = format!("a: &a {}\nb:\n", "x".repeat(50_000));
    texts += &"- *a\n".repeat(1000);
    assert!(refused(&texts).message.contains("too large"));
}

#[test]
fn a_merge_bomb_is_refused_at_once() {
    let mut bomb = "a0: &a0 {k: v}\n".to_owned();
    for n in 1..40 {
        let before = n - 1;
        bomb += &format!("a{n}: &a{n} {{<<: [*a{before}, *a{before}], k{n}: v}}\n");
    }
    assert!(refused(&bomb).message.contains("too large"));
}

#[test]
fn nesting_has_a_limit_in_every_style() {
    for (open, close) in [
        ("[", "]"),
        ("{a: ", "}"),
        ("- ", ""),
        ("? ", ""),
        ("[{a: ", "}]"),
    ] {
        let levels = MAX_DEPTH / open.matches(['[', '{', '-', '?']).count();
        let text = |levels: usize| format!("{}{}", open.repeat(levels), close.repeat(levels));
        assert!(yaml11::read(&text(levels), &Options::default()).is_ok() || open == "? ");
        let error = refused(&text(100_000));
        assert!(error.message.contains("deep"), "{error}");
    }
    let mut chain = "a0: &a0 [x]\n".to_owned();
    for n in 1..1000 {
        chain += &format!("a{n}: &a{n} [*a{}]\n", n - 1);
    }
    assert!(refused(&chain).message.contains("deep"));
}

#[test]
fn long_inputs_are_read_in_linear_time() {
    let keys: String = (0..50_000).map(|n| format!("key{n}: value\n")).collect();
    assert_eq!(read(&keys).value.as_object().unwrap().len(), 50_000);
    let flow = format!("[{}]", "a, ".repeat(100_000));
    assert_eq!(read(&flow).value.as_array().unwrap().len(), 100_000);
    let text = "word é ".repeat(50_000);
    assert_eq!(
        read(&yaml11::write(&text.clone().into())).value,
        text.as_str()
    );
}

#[test]
fn what_json_cannot_hold_is_refused_or_written_as_python_writes_it() {
    assert!(refused("!!binary aGk=").message.contains("binary"));
    assert!(refused("!!set {a, b}").message.contains("set"));
    assert!(refused("&a [*a]").message.contains("itself"));
    assert!(refused("\"\\ud800\"").message.contains("not a character"));
    let value = read("[.inf, -.inf, .nan]").value;
    assert_eq!(value.to_string(), "[Infinity,-Infinity,NaN]");
    assert_eq!(yaml11::write(&value), "- .inf\n- -.inf\n- .nan\n");
}

#[test]
fn integers_keep_every_digit_up_to_pythons_limit() {
    let digits = "9".repeat(4300);
    assert_eq!(read(&digits).value.to_string(), digits);
    assert!(refused(&format!("{digits}9")).message.contains("integer"));
    let hexadecimal = format!("0x1{}", "0".repeat(64));
    let expected = "115792089237316195423570985008687907853269984665640564039457584007913129639936";
    assert_eq!(read(&hexadecimal).value.to_string(), expected);
    assert!(
        refused(&format!("0x1{}", "0".repeat(50_000)))
            .message
            .contains("integer")
    );
}

#[test]
fn the_text_schema_keeps_scalars_as_they_are_written() {
    let options = Options {
        schema: Schema::Text,
        ..Options::default()
    };
    let text = "id: 0012\nverify: no\nport: 1_000\nwhen: 2015-04-30\nnone: ~\nempty:\nnull: x\n<<: {a: 1.50}\n";
    let document = yaml11::read(text, &options).unwrap();
    assert_eq!(
        document.value.to_string(),
        r#"{"a":"1.50","id":"0012","verify":"no","port":"1_000","when":"2015-04-30","none":null,"empty":null,"null":"x"}"#
    );
}

#[test]
fn tabs_separate_tokens_only_where_libyaml_allows_it() {
    let options = Options {
        tabs: Tabs::Separate,
        ..Options::default()
    };
    let text = "a:\tb\tc\t# d\ne: {\n\t\"f\":\t1\n}\n";
    let document = yaml11::read(text, &options).unwrap();
    assert_eq!(document.value.to_string(), r#"{"a":"b\tc","e":{"f":1}}"#);
    assert_eq!(refused(text).line, 1);
    assert!(yaml11::read("a:\n\tb: c\n", &options).is_err());
}

#[test]
fn bytes_and_sets_are_made_simple_where_that_is_asked_for() {
    let options = Options {
        objects: Objects::Simplify,
        ..Options::default()
    };
    let text = "a: !!binary aGVs\n  bG8=\nb: !!set {x, 1, 1.0, true, ? !!binary eA==, ~}\nc: !!set\n  ? y\n  ? y\n";
    let document = yaml11::read(text, &options).unwrap();
    let expected = r#"{"a":"hello","b":["x",1,"x",null],"c":["y"]}"#;
    assert_eq!(document.value.to_string(), expected);
    assert!(document.position("/b/3").is_some());
    for (text, expected) in [
        (
            "a: !!binary /w==",
            "1:4: this binary data is no text in UTF-8, and has no JSON form",
        ),
        (
            "a: !!binary aGVsbG8",
            "1:4: \"aGVsbG8\" is no base64 that Python reads",
        ),
        (
            "? !!binary aGVsbG8=\n: 1",
            "1:3: binary data cannot be a key",
        ),
        (
            "? !!set {a}\n: 1",
            "1:3: a list or a mapping cannot be a key",
        ),
        ("!!set {? [a]}", "1:10: a list or a mapping cannot be a key"),
        ("!!set [a]", "1:1: expected a mapping for this tag"),
        ("!!set a", "1:1: expected a mapping for this tag"),
    ] {
        let error = yaml11::read(text, &options).unwrap_err();
        assert_eq!(error.to_string(), expected, "{text}");
    }
    let set = yaml11::read("a: !!set {b}", &Options::default()).unwrap_err();
    assert_eq!(set.to_string(), "1:4: a set has no JSON form");
}

#[test]
fn fifty_thousand_merge_keys_in_one_mapping_are_taken_out_in_one_go() {
    let text = "<<: {a: 1}\n".repeat(50_000);
    let document = yaml11::read(&text, &Options::default()).unwrap();
    assert_eq!(document.value.to_string(), r#"{"a":1}"#);
    let itself = "&a {x: 1, <<: *a, y: 2, <<: {z: 3}, <<: {x: 4}}";
    let document = yaml11::read(itself, &Options::default()).unwrap();
    assert_eq!(document.value.to_string(), r#"{"z":3,"x":1,"y":2}"#);
}
