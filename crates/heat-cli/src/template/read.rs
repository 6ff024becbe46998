//! The files that the command line names: template, environments, parameter files, adoption data.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value};

use super::environment::{deep_update, references};
use super::error::{Error, Spot};
use super::fetch::{Fetch, Unread};
use super::files::{Collection, in_template, rewrite, shown};
use super::parse::{self, Source};
use super::{base64, json, parameters, url};

/// What was read so far.
pub(crate) struct Reading<'f> {
    fetch: &'f dyn Fetch,
    collection: Collection<'f>,
    /// The files to send, by URL; with the content where it is not that of the collection.
    chosen: BTreeMap<String, Option<String>>,
}

/// A file of the command line.
struct Named {
    url: String,
    /// As it is shown.
    name: String,
    bytes: Vec<u8>,
    is_object: bool,
}

impl<'f> Reading<'f> {
    pub(crate) fn new(fetch: &'f dyn Fetch) -> Self {
        Self {
            fetch,
            collection: Collection::new(fetch),
            chosen: BTreeMap::new(),
        }
    }

    /// The files to send and the warnings.
    pub(crate) fn finish(self) -> (Map<String, Value>, Vec<String>) {
        self.collection.finish(self.chosen)
    }

    /// The template, with the URLs of its files in place and the files chosen, unless these are left to Heat.
    pub(crate) fn template(&mut self, given: &str, with_files: bool) -> Result<Value, Error> {
        let named = self.root(given)?;
        let mut parsed = parse::template(named.source()?)?;
        if !parsed.value.is_object() {
            return Err(parsed.no_mapping("template"));
        }
        self.collection.warnings.extend(parsed.warnings());
        if with_files {
            let references = in_template(&parsed.value, &url::folder(&named.url));
            self.collection
                .add(&named.url, &parsed, &references, named.is_object)?;
            rewrite(&mut parsed.value, &references);
            for address in self.collection.reached(&references) {
                self.chosen.insert(address, None);
            }
        }
        Ok(parsed.value)
    }

    /// The environments, merged in order, their files chosen; with `as_files` they themselves as well. Gives their URLs
    /// too.
    pub(crate) fn environments(
        &mut self,
        given: &[String],
        as_files: bool,
    ) -> Result<(Map<String, Value>, Vec<String>), Error> {
        let mut merged = Map::new();
        let mut urls = Vec::new();
        for given in given {
            let named = self.named(given)?;
            let mut parsed = parse::environment(named.source()?)?;
            self.collection.warnings.extend(parsed.warnings());
            let references = references(&parsed, &url::folder(&named.url))?;
            self.collection
                .add(&named.url, &parsed, &references, false)?;
            rewrite(&mut parsed.value, &references);
            for address in self.collection.reached(&references) {
                self.chosen.insert(address, None);
            }
            if as_files {
                self.chosen
                    .insert(named.url.clone(), Some(json::dumps(&parsed.value)));
            }
            let Value::Object(environment) = parsed.value.take() else {
                continue;
            };
            deep_update(&mut merged, environment).map_err(|path| {
                let message =
                    format!("{path:?} is a mapping here, and none in an environment before it");
                Error::at(Spot::file(&named.name), message)
            })?;
            urls.push(named.url);
        }
        Ok((merged, urls))
    }

    /// The parameters that are the contents of files, which are found beside the template.
    pub(crate) fn parameters(
        &self,
        options: &[String],
        template: Option<&str>,
    ) -> Result<Map<String, Value>, Error> {
        let folder = template.map(|given| url::folder(&self.url(given)));
        let mut found = Map::new();
        for (key, file) in parameters::files(options)? {
            let address = url::join(folder.as_deref().unwrap_or_default(), &file);
            let bytes = self.fetch.read(&address).map_err(|unread| {
                let message = format!(
                    "--parameter-file {key:?}: cannot read {}: {}",
                    shown(&address),
                    unread.message
                );
                let hint = "without a template its file is given by a URL: file:///…";
                Error::new(message)
                    .with_exit(unread.exit)
                    .with_hint(folder.is_none().then_some(hint))
            })?;
            let text =
                String::from_utf8(bytes).unwrap_or_else(|error| base64::lines(error.as_bytes()));
            found.insert(key, Value::String(text));
        }
        Ok(found)
    }

    /// What `stack abandon` wrote, as text, and the files in it.
    pub(crate) fn adopted(&mut self, given: &str) -> Result<(String, Map<String, Value>), Error> {
        let source = self.named(given)?.source()?;
        let text = source.text.clone();
        let mut parsed = parse::adopted(source)?;
        let files = match &mut parsed.value {
            Value::Null => Map::new(),
            Value::Object(data) => match data.remove("files") {
                None => Map::new(),
                Some(Value::Object(files)) => files,
                Some(other) => {
                    let message = format!(
                        "\"files\" must be a mapping, and is {}",
                        parse::kind(&other)
                    );
                    return Err(Error::at(parsed.spot("/files"), message));
                }
            },
            _ => return Err(parsed.no_mapping("adoption data")),
        };
        Ok((text, files))
    }

    /// The URL of what is given: itself, or that of a file.
    fn url(&self, given: &str) -> String {
        match url::scheme(given) {
            Some(_) => given.to_owned(),
            None => url::of_path(&self.fetch.absolute(Path::new(given))),
        }
    }

    fn named(&self, given: &str) -> Result<Named, Error> {
        self.once(given)
            .map_err(|unread| unreadable(given, &unread))
    }

    fn once(&self, given: &str) -> Result<Named, Unread> {
        let (url, is_stdin) = (self.url(given), given == "-");
        let bytes = if is_stdin {
            self.fetch.stdin()?
        } else {
            self.fetch.read(&url)?
        };
        let name = match url::scheme(given) {
            _ if is_stdin => "standard input".to_owned(),
            Some(_) => shown(given),
            None => given.to_owned(),
        };
        Ok(Named {
            url,
            name,
            bytes,
            is_object: false,
        })
    }

    /// A template: what is no file and no URL that is open to all may be an object.
    fn root(&self, given: &str) -> Result<Named, Error> {
        let unread = match self.once(given) {
            Ok(named) => return Ok(named),
            Err(unread) => unread,
        };
        let first = unreadable(given, &unread);
        let may_be_object = match url::scheme(given).as_deref() {
            Some(scheme) => scheme.starts_with("http"),
            // container/object
            None => given.contains('/') && !given.starts_with(['/', '.']),
        };
        if !may_be_object {
            return Err(first);
        }
        // Whatever comes of it, the first error says more about what was meant.
        match self.fetch.object(given) {
            Ok((url, bytes)) => Ok(Named {
                name: shown(&url),
                url,
                bytes,
                is_object: true,
            }),
            Err(object) => {
                let hint = format!("the object store was asked for it too: {}", object.message);
                Err(first.with_hint(Some(hint)))
            }
        }
    }
}

fn unreadable(given: &str, unread: &Unread) -> Error {
    let name = match url::scheme(given) {
        _ if given == "-" => "standard input".to_owned(),
        Some(_) => shown(given),
        None => given.to_owned(),
    };
    Error::new(format!("cannot read {name}: {}", unread.message)).with_exit(unread.exit)
}

impl Named {
    /// The file as text.
    fn source(&self) -> Result<Source, Error> {
        let name = self.name.clone();
        // PyYAML reads these two, Heat's own JSON never has them.
        let wide = |of: fn([u8; 2]) -> u16| {
            let units = self
                .bytes
                .chunks_exact(2)
                .filter_map(|pair| pair.try_into().ok().map(of));
            String::from_utf16(&units.collect::<Vec<_>>()).ok()
        };
        let text = match self.bytes.as_slice() {
            [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
            [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
            bytes => std::str::from_utf8(bytes).ok().map(str::to_owned),
        };
        let text = text.ok_or_else(|| {
            let message = "this is no text in UTF-8";
            let good =
                std::str::from_utf8(&self.bytes).map_or_else(|error| error.valid_up_to(), str::len);
            let before =
                String::from_utf8_lossy(self.bytes.get(..good).unwrap_or_default()).into_owned();
            let line = before.matches('\n').count() + 1;
            let column = before
                .rsplit('\n')
                .next()
                .unwrap_or_default()
                .chars()
                .count()
                + 1;
            Error::at(
                Spot {
                    file: name.clone(),
                    at: Some((line, column)),
                    text: String::new(),
                },
                message,
            )
        })?;
        Ok(Source { name, text })
    }
}
