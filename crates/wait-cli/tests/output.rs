//! The output formats against what cliff's own commands print: `output/cases.jsonl`, made by `output/generate.py`.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use std::collections::HashMap;

use serde_json::{Value, json};
use wait_cli::output::{
    Cell, Format, Layout, OutputError, Quote, SortDirection, display_width, list, one,
};

struct Data {
    single: bool,
    headers: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Data {
    fn print(&self, layout: &Layout) -> Result<String, OutputError> {
        if self.single {
            let fields: Vec<(String, Cell)> = self
                .headers
                .iter()
                .cloned()
                .zip(self.rows[0].iter().cloned())
                .collect();
            one(layout, &fields)
        } else {
            list(layout, &self.headers, &self.rows)
        }
    }
}

fn strings(value: &Value) -> Vec<String> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

fn cell(value: &Value) -> Cell {
    match value.get("$machine") {
        Some(machine) if value["$kind"] == "DictColumn" => {
            let cell = Cell::dict(machine.clone());
            assert_eq!(cell.human(), value["$human"].as_str());
            cell
        }
        Some(machine) => Cell::shown(machine.clone(), value["$human"].as_str().unwrap()),
        None => Cell::plain(value.clone()),
    }
}

fn layout(argv: &[String], terminal: &Value) -> Layout {
    let mut layout = Layout {
        terminal_width: terminal
            .as_u64()
            .map(|width| usize::try_from(width).unwrap()),
        ..Layout::default()
    };
    let mut words = argv.iter();
    while let Some(option) = words.next() {
        let mut value = || words.next().unwrap().clone();
        match option.as_str() {
            "-f" => {
                layout.format = match value().as_str() {
                    "table" => Format::Table,
                    "json" => Format::Json,
                    "yaml" => Format::Yaml,
                    "value" => Format::Value,
                    "shell" => Format::Shell,
                    "csv" => Format::Csv,
                    other => panic!("{other}"),
                }
            }
            "-c" => layout.columns.push(value()),
            "--noindent" => layout.noindent = true,
            "--prefix" => layout.prefix = value(),
            "--max-width" => layout.max_width = Some(value().parse().unwrap()),
            "--print-empty" => layout.print_empty = true,
            "--sort-column" => layout.sort_columns.push(value()),
            "--sort-ascending" => layout.sort_direction = SortDirection::Ascending,
            "--sort-descending" => layout.sort_direction = SortDirection::Descending,
            "--quote" => {
                layout.quote = match value().as_str() {
                    "all" => Quote::All,
                    "minimal" => Quote::Minimal,
                    "none" => Quote::None,
                    "nonnumeric" => Quote::Nonnumeric,
                    other => panic!("{other}"),
                }
            }
            other => panic!("{other}"),
        }
    }
    layout
}

fn lines() -> impl Iterator<Item = Value> {
    include_str!("output/cases.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
}

#[test]
fn every_format_prints_what_cliff_prints() {
    let mut data: HashMap<String, Data> = HashMap::new();
    let (mut replayed, mut different) = (0, Vec::new());
    for line in lines() {
        if let Some(name) = line["data"].as_str() {
            let rows = line["rows"].as_array().unwrap();
            let row = |row: &Value| row.as_array().unwrap().iter().map(cell).collect();
            data.insert(
                name.to_owned(),
                Data {
                    single: line["shape"] == "one",
                    headers: strings(&line["headers"]),
                    rows: rows.iter().map(row).collect(),
                },
            );
        } else if let Some(name) = line["case"].as_str() {
            for same in line["same"].as_array().unwrap() {
                let argv = strings(&same[0]);
                let ours = data[name].print(&layout(&argv, &same[1]));
                replayed += 1;
                match (ours, line["out"].as_str()) {
                    (Ok(ours), Some(theirs)) if ours == theirs => {}
                    (Err(_), None) => {}
                    (ours, theirs) => different.push(format!(
                        "{name} {argv:?} terminal {}\n--- cliff\n{}\n--- ours\n{}\n",
                        same[1],
                        theirs.unwrap_or("(error)"),
                        ours.unwrap_or_else(|error| error.to_string())
                    )),
                }
            }
        }
    }
    assert!(replayed > 900, "only {replayed} cases");
    assert!(
        different.is_empty(),
        "{} of {replayed} differ:\n{}",
        different.len(),
        different[..different.len().min(12)].join("\n")
    );
}

#[test]
fn what_servers_send_cannot_drive_the_terminal() {
    let evil = "a\u{1b}[2J\u{9b}H\u{7f}\rb\u{202e}c\0\u{200b}";
    let fields = [
        (evil.to_owned(), Cell::plain(evil)),
        ("nested".to_owned(), json!([evil]).into()),
    ];
    for format in [
        Format::Table,
        Format::Json,
        Format::Yaml,
        Format::Value,
        Format::Shell,
    ] {
        let text = one(
            &Layout {
                format,
                ..Layout::default()
            },
            &fields,
        )
        .unwrap();
        assert_printable(format, &text);
    }
    let rows = [vec![
        Cell::shown(evil, evil),
        Cell::plain(json!({ evil: evil })),
    ]];
    let headers = [evil.to_owned(), "nested".to_owned()];
    for format in [
        Format::Table,
        Format::Json,
        Format::Yaml,
        Format::Value,
        Format::Csv,
    ] {
        let text = list(
            &Layout {
                format,
                ..Layout::default()
            },
            &headers,
            &rows,
        )
        .unwrap();
        assert_printable(format, &text);
    }
}

fn assert_printable(format: Format, text: &str) {
    let harmful = |c| c != '\n' && wait_cli::printable::is_control(c);
    assert!(!text.contains(harmful), "{format:?} {text:?}");
}

#[test]
fn controls_are_visible_to_people_and_intact_for_machines() {
    let fields = [("reason".to_owned(), Cell::plain("\u{1b}[31mred\u{7f}"))];
    let print = |format| {
        one(
            &Layout {
                format,
                ..Layout::default()
            },
            &fields,
        )
        .unwrap()
    };
    assert_eq!(print(Format::Value), "\\x1b[31mred\\x7f\n");
    assert_eq!(print(Format::Shell), "reason=\"\\x1b[31mred\\x7f\"\n");
    assert!(print(Format::Table).contains("| reason | \\x1b[31mred\\x7f |\n"));
    let read: Value = serde_json::from_str(&print(Format::Json)).unwrap();
    assert_eq!(read, json!({"reason": "\u{1b}[31mred\u{7f}"}));
}

#[test]
fn a_format_that_does_not_fit_and_unknown_columns_are_refused_with_what_to_do() {
    let fields = [
        ("id".to_owned(), Cell::plain("1")),
        ("name".to_owned(), Cell::plain("it's")),
    ];
    let csv = Layout {
        format: Format::Csv,
        ..Layout::default()
    };
    assert_eq!(
        one(&csv, &fields).unwrap_err().to_string(),
        "-f csv is for lists: choose one of table, json, yaml, value, shell"
    );
    let shell = Layout {
        format: Format::Shell,
        ..Layout::default()
    };
    assert_eq!(
        list(&shell, &["id".to_owned()], &[])
            .unwrap_err()
            .to_string(),
        "-f shell is for one resource: choose one of table, json, yaml, value, csv"
    );
    let column = Layout {
        columns: vec!["ident".to_owned()],
        ..Layout::default()
    };
    assert_eq!(
        one(&column, &fields).unwrap_err().to_string(),
        "no recognized column names in ['ident']: recognized columns are ['id', 'name']"
    );
}

#[test]
fn numbers_that_python_cannot_hold_stay_valid_for_python() {
    let number: Value = serde_json::from_str("[1.10, 1e400, -1E400, -0, 1e5]").unwrap();
    let fields = [("n".to_owned(), Cell::plain(number))];
    let json = Layout {
        format: Format::Json,
        noindent: true,
        ..Layout::default()
    };
    assert_eq!(
        one(&json, &fields).unwrap(),
        "{\"n\": [1.1, Infinity, -Infinity, 0, 100000.0]}\n"
    );
    let value = Layout {
        format: Format::Value,
        ..Layout::default()
    };
    assert_eq!(
        one(&value, &fields).unwrap(),
        "[1.1, inf, -inf, 0, 100000.0]\n"
    );
}

#[test]
fn values_that_cannot_be_compared_stay_in_their_order() {
    let rows = [
        vec![Cell::plain(2)],
        vec![Cell::plain("x")],
        vec![Cell::plain(1)],
    ];
    let layout = Layout {
        format: Format::Value,
        sort_columns: vec!["n".to_owned()],
        ..Layout::default()
    };
    assert_eq!(
        list(&layout, &["N".to_owned()], &rows).unwrap(),
        "2\nx\n1\n"
    );
}

#[test]
fn text_is_as_wide_as_wcwidth_says() {
    let mut different = Vec::new();
    for line in lines().filter(|line| line["texts"].is_array()) {
        for text in strings(&line["texts"]) {
            if json!(display_width(&text)) != line["columns"] {
                different.push(format!(
                    "{text} {:x?}: {} instead of {}",
                    text.chars().map(u32::from).collect::<Vec<_>>(),
                    display_width(&text),
                    line["columns"]
                ));
            }
        }
    }
    assert!(
        different.is_empty(),
        "{}:\n{}",
        different.len(),
        different.join("\n")
    );
}
