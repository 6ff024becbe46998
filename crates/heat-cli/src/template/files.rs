//! The files that templates and environments refer to: each read once, under its absolute URL
//! (`heatclient/common/template_utils.py`, `get_file_contents`).
//!
//! What refers to what is kept as a graph, so that nothing here recurses from file to file and loops are found.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::error::{Error, Spot};
use super::fetch::{Fetch, Unread};
use super::parse::{self, Mark, Parsed, Source};
use super::{base64, json, url};

/// All files together may be so large. Heat itself takes far less by default.
const MOST_BYTES: usize = 256 << 20;
/// More files than this are a mistake, or a server that invents them.
const MOST_FILES: usize = 10_000;

/// A reference: what is referred to, and the place that says so.
pub(crate) struct Reference {
    /// Where in the value it stands, as a JSON pointer.
    pub(crate) pointer: String,
    pub(crate) url: String,
    /// The word that makes it a reference: `get_file`, `type`, a resource type.
    pub(crate) key: String,
}

/// A file that was read.
struct Node {
    /// As it is sent.
    content: String,
    refers_to: Vec<String>,
    /// Who referred to it first. `None`: the command line.
    referrer: Option<(String, Mark)>,
}

/// Everything that was read so far.
pub(crate) struct Collection<'f> {
    fetch: &'f dyn Fetch,
    nodes: HashMap<String, Node>,
    bytes: usize,
    pub(crate) warnings: Vec<String>,
}

impl<'f> Collection<'f> {
    pub(crate) fn new(fetch: &'f dyn Fetch) -> Self {
        Self {
            fetch,
            nodes: HashMap::new(),
            bytes: 0,
            warnings: Vec::new(),
        }
    }

    /// Reads what a template or environment refers to, and what that refers to in turn.
    ///
    /// `from` is the URL of the referrer, `is_object` whether it came from the object store: then so may these.
    ///
    /// # Errors
    /// Names what cannot be read and who refers to it, or the files that refer to each other in a circle.
    pub(crate) fn add(
        &mut self,
        from: &str,
        parsed: &Parsed,
        references: &[Reference],
        is_object: bool,
    ) -> Result<(), Error> {
        let mut waiting = Vec::new();
        for reference in references {
            self.one(from, parsed, reference, is_object, &mut waiting)?;
        }
        while let Some((from, parsed)) = waiting.pop() {
            let references = in_template(&parsed.value, &url::folder(&from));
            for reference in &references {
                self.one(&from, &parsed, reference, is_object, &mut waiting)?;
            }
            let mut value = parsed.value;
            rewrite(&mut value, &references);
            let content = json::dumps(&value);
            if let Some(node) = self.nodes.get_mut(&from) {
                node.content = content;
                node.refers_to = references
                    .into_iter()
                    .map(|reference| reference.url)
                    .collect();
            }
        }
        self.refuse_loops(from, references)
    }

    fn one(
        &mut self,
        from: &str,
        parsed: &Parsed,
        reference: &Reference,
        is_object: bool,
        waiting: &mut Vec<(String, Parsed)>,
    ) -> Result<(), Error> {
        let address = &reference.url;
        if self.nodes.contains_key(address) {
            return Ok(());
        }
        let spot = || parsed.spot(&reference.pointer);
        let failed = |unread: Unread, collection: &Self| {
            let name = shown(address);
            let message = format!("cannot read {name} ({}): {}", reference.key, unread.message);
            Error::at(spot(), message)
                .with_exit(unread.exit)
                .referred(collection.referrers(from))
        };
        let bytes = self
            .read(address, is_object)
            .map_err(|unread| failed(unread, self))?;
        self.bytes += bytes.len();
        if self.bytes > MOST_BYTES || self.nodes.len() >= MOST_FILES {
            let message = format!(
                "too many files: with {} they are more than {MOST_FILES}, or more than {} MiB",
                shown(address),
                MOST_BYTES >> 20
            );
            return Err(Error::at(spot(), message).referred(self.referrers(from)));
        }
        let content = match String::from_utf8(bytes) {
            Ok(text) => text,
            // As the client sends what is no text.
            Err(error) => base64::lines(error.as_bytes()),
        };
        let is_web = !matches!(url::scheme(address).as_deref(), None | Some("file"));
        if is_web && reference.key != "get_file" && parse::is_page(&content) {
            return Err(failed(
                Unread::new("the server answers with a web page (HTML)"),
                self,
            ));
        }
        let mut node = Node {
            content,
            refers_to: Vec::new(),
            referrer: Some((from.to_owned(), parsed.mark(&reference.pointer))),
        };
        if parse::may_be_template(&node.content) {
            let text = std::mem::take(&mut node.content);
            match parse::template(Source {
                name: shown(address),
                text: text.clone(),
            }) {
                Ok(nested) => {
                    self.warnings.extend(nested.warnings());
                    waiting.push((address.clone(), nested));
                }
                Err(error) => {
                    node.content = text;
                    if reference.key != "get_file" {
                        let by = parsed.mark(&reference.pointer).spot();
                        self.warnings
                            .push(format!("{error}: sent as it is, for {by} refers to it"));
                    }
                }
            }
        }
        self.nodes.insert(address.clone(), node);
        Ok(())
    }

    fn read(&self, address: &str, is_object: bool) -> Result<Vec<u8>, Unread> {
        if !is_object {
            return self.fetch.read(address);
        }
        // Elsewhere than in the object store the token is of no use, and must not be shown.
        match self.fetch.object(address) {
            Ok((_, bytes)) => Ok(bytes),
            Err(unread) => self.fetch.read(address).map_err(|_| unread),
        }
    }

    /// Who referred to `address`, and who to that, the nearest first.
    fn referrers(&self, address: &str) -> Vec<Spot> {
        let mut found = Vec::new();
        let mut at = self.nodes.get(address);
        while let Some((from, mark)) = at.and_then(|node| node.referrer.as_ref()) {
            found.push(mark.spot());
            // A chain is never longer than there are files; only a loop is.
            at = self
                .nodes
                .get(from)
                .filter(|_| found.len() <= self.nodes.len());
        }
        found
    }

    /// Finds a file that leads back to itself, by what it refers to.
    fn refuse_loops(&self, from: &str, references: &[Reference]) -> Result<(), Error> {
        let mut done: HashSet<&str> = HashSet::new();
        let roots: Vec<&str> = references
            .iter()
            .map(|reference| reference.url.as_str())
            .collect();
        // The way to the file at work: each with those of its references that are still to be followed.
        let mut way: Vec<(&str, Vec<&str>)> = vec![(from, roots)];
        let mut on_way: HashSet<&str> = HashSet::from([from]);
        while let Some((_, left)) = way.last_mut() {
            let Some(next) = left.pop() else {
                if let Some((finished, _)) = way.pop() {
                    on_way.remove(finished);
                    done.insert(finished);
                }
                continue;
            };
            let Some(node) = self.nodes.get(next) else {
                continue;
            };
            if on_way.contains(next) && !(next == from && node.refers_to.is_empty()) {
                return Err(self.looped(next, way.iter().map(|(name, _)| *name)));
            }
            if !done.contains(next) && on_way.insert(next) {
                way.push((next, node.refers_to.iter().map(String::as_str).collect()));
            }
        }
        Ok(())
    }

    fn looped<'w>(&self, to: &'w str, way: impl Iterator<Item = &'w str>) -> Error {
        let mut text = String::new();
        for name in way.skip_while(|name| *name != to) {
            let _ = write!(text, "{} refers to ", shown(name));
        }
        let message = format!("files refer to each other in a loop: {text}{}", shown(to));
        Error::new(message)
    }

    /// The URLs of all files that are reached from these.
    pub(crate) fn reached(&self, references: &[Reference]) -> Vec<String> {
        let mut seen = HashSet::new();
        let mut waiting: Vec<&str> = references
            .iter()
            .map(|reference| reference.url.as_str())
            .collect();
        let mut found = Vec::new();
        while let Some(address) = waiting.pop() {
            if let (true, Some(node)) = (seen.insert(address), self.nodes.get(address)) {
                found.push(address.to_owned());
                waiting.extend(node.refers_to.iter().map(String::as_str));
            }
        }
        found
    }

    /// The files chosen, by URL, as they are sent, and the warnings. `Some` stands in place of what was read.
    pub(crate) fn finish(
        mut self,
        chosen: BTreeMap<String, Option<String>>,
    ) -> (Map<String, Value>, Vec<String>) {
        let nodes = &mut self.nodes;
        let files = chosen.into_iter().filter_map(|(address, content)| {
            let content = content.or_else(|| Some(nodes.remove(&address)?.content))?;
            Some((address, Value::String(content)))
        });
        (files.collect(), self.warnings)
    }
}

/// What a template refers to: every `get_file`, and every `type` that ends as a template's name does.
pub(crate) fn in_template(value: &Value, folder: &str) -> Vec<Reference> {
    let mut found = Vec::new();
    search(value, folder, &mut String::new(), &mut found);
    found
}

/// Values are never nested deeper than their parsers allow.
fn search(value: &Value, folder: &str, pointer: &mut String, found: &mut Vec<Reference>) {
    let before = pointer.len();
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match value {
                    Value::String(text) if refers(key, text) => found.push(Reference {
                        pointer: format!("{pointer}/{key}"),
                        url: url::join(folder, text),
                        key: key.clone(),
                    }),
                    Value::Object(_) | Value::Array(_) => {
                        pointer.push('/');
                        pointer.push_str(&parse::escaped(key));
                        search(value, folder, pointer, found);
                        pointer.truncate(before);
                    }
                    _ => {}
                }
            }
        }
        Value::Array(items) => {
            for (at, value) in items.iter().enumerate() {
                if matches!(value, Value::Object(_) | Value::Array(_)) {
                    let _ = write!(pointer, "/{at}");
                    search(value, folder, pointer, found);
                    pointer.truncate(before);
                }
            }
        }
        _ => {}
    }
}

fn refers(key: &str, text: &str) -> bool {
    match key {
        "get_file" => true,
        "type" => text.ends_with(".yaml") || text.ends_with(".template"),
        _ => false,
    }
}

/// Puts the absolute URLs in the places of the references.
pub(crate) fn rewrite(value: &mut Value, references: &[Reference]) {
    for reference in references {
        if let Some(place) = value.pointer_mut(&reference.pointer) {
            *place = Value::String(reference.url.clone());
        }
    }
}

/// A URL as messages show it: a file by its path.
pub(crate) fn shown(address: &str) -> String {
    match url::path_of(address) {
        Some(path) if address.starts_with("file:") => path.display().to_string(),
        _ => os_identity::url::shown(address),
    }
}
