//! The same body as python-heatclient's, for recorded command lines over all options of create, update and adopt.

use std::cell::RefCell;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use heat_cli::template::{self, Fetch, Outside, Unread};
use os_identity::Files;
use serde_json::{Map, Value};

use crate::command_line::options;

const FIXTURES: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/fixtures/heat_template"
);

pub(crate) struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn canonical(&self, path: &Path) -> std::io::Result<PathBuf> {
        std::fs::canonicalize(path)
    }
}

/// The folder of the recorded files; `http://web.test/` leads there too.
struct Recorded<'a>(Outside<'a>);

impl Fetch for Recorded<'_> {
    fn absolute(&self, path: &Path) -> PathBuf {
        self.0.absolute(path)
    }

    fn read(&self, url: &str) -> Result<Vec<u8>, Unread> {
        match url.strip_prefix("http://web.test/") {
            Some(path) => match Disk.read(&self.0.cwd.join(path)) {
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    Err(Unread::new("the server answers 404"))
                }
                found => Ok(found?),
            },
            None => self.0.read(url),
        }
    }

    fn stdin(&self) -> Result<Vec<u8>, Unread> {
        self.0.stdin()
    }

    fn object(&self, name: &str) -> Result<(String, Vec<u8>), Unread> {
        self.0.object(name)
    }
}

/// Texts inside `files` that are JSON count as JSON, and so does what Heat reads as the same.
fn normal(body: &Map<String, Value>) -> Value {
    let mut body = body.clone();
    if let Some(Value::Object(files)) = body.get_mut("files") {
        for text in files.values_mut() {
            if let Ok(value) = serde_json::from_str::<Value>(text.as_str().unwrap()) {
                *text = floats(value);
            }
        }
    }
    floats(Value::Object(body))
}

/// Numbers that are the same as Python reads them are the same.
fn floats(mut value: Value) -> Value {
    match &mut value {
        Value::Number(number) if number.to_string().contains(['.', 'e', 'E']) => {
            value = Value::String(format!("float {}", number.as_f64().unwrap()));
        }
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| *item = floats(item.take())),
        Value::Object(map) => map
            .values_mut()
            .for_each(|item| *item = floats(item.take())),
        _ => {}
    }
    value
}

#[test]
fn every_recorded_command_line_gives_the_body_or_the_refusal_of_the_client() {
    let place = std::fs::canonicalize(FIXTURES).unwrap().join("files");
    let lines = std::fs::read_to_string(Path::new(FIXTURES).join("requests.jsonl")).unwrap();
    let (mut bodies, mut refusals) = (0, 0);
    for line in lines.lines() {
        let line = line.replace("$FILES", &format!("file://{}", place.display()));
        let line = line.replace("$PLACE", &place.display().to_string());
        let record: Value = serde_json::from_str(&line).unwrap();
        let args: Vec<String> = serde_json::from_value(record["args"].clone()).unwrap();
        let outside = Outside {
            files: &Disk,
            cwd: &place,
            stdin: RefCell::new(None),
            session: None,
        };
        let made = template::body(&options(&args), &Recorded(outside));
        match (record.get("body"), made) {
            (Some(Value::Object(recorded)), Ok(body)) => {
                let mut recorded = recorded.clone();
                // Heat does not read what the client calls the time limit of an adoption.
                if let Some(timeout) = recorded
                    .remove("timeout")
                    .filter(|timeout| !timeout.is_null())
                {
                    recorded.insert("timeout_mins".to_owned(), timeout);
                }
                assert_eq!(normal(&body.fields), normal(&recorded), "{args:?}");
                assert_eq!(
                    serde_json::from_slice::<Value>(&body.bytes()).unwrap(),
                    Value::Object(body.fields),
                    "{args:?}"
                );
                bodies += 1;
            }
            (None, Err(error)) => {
                assert_eq!(error.exit(), wait_cli::Exit::Usage, "{args:?}: {error}");
                refusals += 1;
            }
            (Some(_), Err(error)) => panic!("{args:?}: refused: {error}"),
            (_, made) => panic!(
                "{args:?}: the client refuses it: {}: {made:?}",
                record["refused"]
            ),
        }
    }
    assert!(
        bodies >= 60 && refusals >= 30,
        "{bodies} bodies, {refusals} refusals"
    );
}

#[test]
fn nested_templates_are_written_byte_for_byte_as_the_client_writes_them() {
    let place = std::fs::canonicalize(FIXTURES).unwrap().join("files");
    let lines = std::fs::read_to_string(Path::new(FIXTURES).join("requests.jsonl")).unwrap();
    let line = lines
        .lines()
        .find(|line| line.contains("odd name") || line.contains("\"web.yaml\", \"web\""))
        .unwrap();
    let record: Value =
        serde_json::from_str(&line.replace("$FILES", &format!("file://{}", place.display())))
            .unwrap();
    let args: Vec<String> = serde_json::from_value(record["args"].clone()).unwrap();
    let outside = Outside {
        files: &Disk,
        cwd: &place,
        stdin: RefCell::new(None),
        session: None,
    };
    let body = template::body(&options(&args), &outside).unwrap();
    let server = format!("file://{}/nested/server.yaml", place.display());
    assert!(record["body"]["files"][&server].is_string(), "{args:?}");
    assert_eq!(
        body.fields["files"][&server],
        record["body"]["files"][&server]
    );
}
