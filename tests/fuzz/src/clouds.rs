//! The merge of clouds files and environment.

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind};
use std::path::Path;

use os_identity::{Files, Setting, Settings, Sources};

use crate::parts;

/// Parts: clouds.yaml, secure.yaml, clouds-public.yaml, lines of the environment. No secret is shown, and an error is
/// one line.
pub(crate) fn clouds(data: &[u8]) {
    let [clouds, secure, public, env] = parts(data);
    let files = Memory {
        clouds,
        secure,
        public,
    };
    let env = String::from_utf8_lossy(env);
    let env: BTreeMap<String, String> = env
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let sources = Sources {
        flags: &BTreeMap::new(),
        env: &env,
        files: &files,
        cwd: Path::new("/c"),
    };
    match Settings::load(&sources) {
        Ok(settings) => {
            for shown in settings.shown() {
                let secret = Setting::named(&shown.name).is_some_and(|setting| setting.secret);
                assert!(!secret || shown.value == "***", "{} is shown", shown.name);
                assert!(
                    !secret || settings.value(&shown.name).is_none(),
                    "{} is given out",
                    shown.name
                );
            }
        }
        Err(error) => assert!(!error.to_string().is_empty(), "an error says something"),
    }
}

struct Memory<'d> {
    clouds: &'d [u8],
    secure: &'d [u8],
    public: &'d [u8],
}

impl Files for Memory<'_> {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        let found = match path.to_str() {
            Some("/c/clouds.yaml") => self.clouds,
            Some("/c/secure.yaml") => self.secure,
            Some("/c/clouds-public.yaml") => self.public,
            _ => return Err(Error::from(ErrorKind::NotFound)),
        };
        Ok(found.to_vec())
    }
}
