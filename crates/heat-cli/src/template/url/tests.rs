use super::{folder, join, of_path, path_of, scheme};
use std::path::{Path, PathBuf};

/// Written by `tests/fixtures/heat_template/urls.py`.
const PYTHON: &str = include_str!("../../../../../tests/fixtures/heat_template/urls.jsonl");

#[test]
fn urls_are_joined_and_cut_as_python_does_it() {
    let mut wrong = Vec::new();
    for line in PYTHON.lines() {
        let row: Vec<String> = serde_json::from_str(line).unwrap();
        let ours = match row[0].as_str() {
            "join" => join(&row[1], &row[2]),
            "folder" => folder(&row[1]),
            _ => of_path(Path::new(&row[1])),
        };
        if Some(&ours) != row.last() {
            wrong.push(format!("{line}: {ours:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn file_urls_lead_to_paths_of_this_machine_only() {
    for (url, path) in [
        ("file:///a/b%20c.yaml", Some("/a/b c.yaml")),
        ("file:///a b%zz%4", Some("/a b%zz%4")),
        ("file:///a?b#c", Some("/a?b")),
        ("file://localhost/a", Some("/a")),
        ("file:a/b", Some("a/b")),
        ("file:///%C3%A9", Some("/é")),
        ("file://other/a", None),
        ("a", None),
    ] {
        assert_eq!(path_of(url), path.map(PathBuf::from), "{url}");
    }
}

#[test]
fn a_scheme_is_a_letter_and_what_may_follow_it() {
    for (text, expected) in [
        ("HTTP://h", Some("http")),
        ("a:b.yaml", Some("a")),
        ("1:b", None),
        ("dir/a:b", None),
        (" file:x", Some("file")),
        ("-", None),
        ("", None),
    ] {
        assert_eq!(scheme(text).as_deref(), expected, "{text}");
    }
}
