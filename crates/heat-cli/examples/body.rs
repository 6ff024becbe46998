//! Prints the bodies of requests, to compare them with those of python-heatclient, and to measure.
//!
//! - `body TEMPLATE [ENVIRONMENT…]` prints the body of a `stack create`.
//! - `body --batch` reads lines `["TEMPLATE", "ENVIRONMENT"…]` from standard input and prints a line for each:
//!   `{"body": …}` or `{"refused": "why"}`.
//! - `body --time N TEMPLATE [ENVIRONMENT…]` makes the body N times and prints how long the fastest and the first took,
//!   in milliseconds. Files are read each time.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a tool for developers: it is its own outside"
)]

use std::cell::RefCell;
use std::io::BufRead as _;
use std::path::Path;
use std::time::{Duration, Instant};

use heat_cli::template::{self, Body, Error, Fetch, Operation, Outside, TemplateOptions};
use os_identity::Files;
use serde_json::json;

struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn canonical(&self, path: &Path) -> std::io::Result<std::path::PathBuf> {
        std::fs::canonicalize(path)
    }
}

fn made(fetch: &dyn Fetch, files: &[String]) -> Result<Body, Error> {
    let create = Operation::Create {
        name: "stack".to_owned(),
        enable_rollback: false,
    };
    let (template, environments) = files.split_first().expect("a template");
    let options = TemplateOptions {
        template: Some(template.clone()),
        environments: environments.to_vec(),
        ..TemplateOptions::new(create)
    };
    template::body(&options, fetch)
}

fn main() {
    let cwd = std::env::current_dir().expect("a current folder");
    let fetch = Outside {
        files: &Disk,
        cwd: &cwd,
        stdin: RefCell::new(None),
        session: None,
    };
    let args: Vec<String> = std::env::args().skip(1).collect();
    let line = |files: &[String]| match made(&fetch, files) {
        Ok(body) => json!({"body": body.fields, "warnings": body.warnings}),
        Err(error) => json!({"refused": error.to_string(), "hint": error.hint()}),
    };
    match args.first().map(String::as_str) {
        Some("--batch") => {
            for files in std::io::stdin().lock().lines() {
                let files = files.expect("text");
                println!(
                    "{}",
                    line(&serde_json::from_str::<Vec<String>>(&files).expect("a list of files"))
                );
            }
        }
        Some("--time") => {
            let times = args
                .get(1)
                .and_then(|times| times.parse().ok())
                .expect("a number");
            let files = args.get(2..).expect("a template");
            let took: Vec<Duration> = (0..times)
                .map(|_: u32| {
                    let began = Instant::now();
                    let bytes = made(&fetch, files).map(|body| body.bytes());
                    let took = began.elapsed();
                    std::hint::black_box(bytes).expect("a body");
                    took
                })
                .collect();
            let milliseconds = |took: Option<&Duration>| took.expect("a time").as_secs_f64() * 1e3;
            let (first, best) = (milliseconds(took.first()), milliseconds(took.iter().min()));
            println!("{}", json!({"first_ms": first, "best_ms": best}));
        }
        _ => println!("{}", line(&args)),
    }
}
