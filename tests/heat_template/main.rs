//! Tests of templates and environments: the bodies of requests, against those that python-heatclient sent for the same
//! command lines (tests/fixtures/heat_template), and what is said about files that cannot be used.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod any_bytes;
mod command_line;
mod messages;
mod objects;
mod outside;
mod recorded;
mod size;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use heat_cli::template::{Fetch, Unread};

/// Files that exist only in a test, under absolute paths. `/` ends a folder's name.
#[derive(Default)]
struct Memory {
    files: BTreeMap<String, Vec<u8>>,
    reads: RefCell<Vec<String>>,
}

impl Memory {
    fn new(files: &[(&str, &str)]) -> Self {
        let mut memory = Self::default();
        for (path, text) in files {
            memory.put(path, text.as_bytes());
        }
        memory
    }

    fn put(&mut self, path: &str, bytes: &[u8]) {
        self.files.insert(path.to_owned(), bytes.to_vec());
    }
}

impl Fetch for Memory {
    fn absolute(&self, path: &Path) -> PathBuf {
        Path::new("/here").join(path)
    }

    fn read(&self, url: &str) -> Result<Vec<u8>, Unread> {
        self.reads.borrow_mut().push(url.to_owned());
        let name = url.strip_prefix("file:///here/").unwrap_or(url);
        let found = self.files.get(name).cloned();
        found.ok_or_else(|| Unread::new("no such file"))
    }

    fn stdin(&self) -> Result<Vec<u8>, Unread> {
        self.read("-")
    }

    fn object(&self, _: &str) -> Result<(String, Vec<u8>), Unread> {
        Err(Unread::new("there is no object store"))
    }
}
