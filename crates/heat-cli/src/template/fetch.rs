//! Where files come from: the disk, standard input, the web, and the object store.

use std::cell::RefCell;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use os_identity::{Files, Kind, OBJECT_STORE, Reply, Request, Session, url as os_url};
use wait_cli::Exit;

use super::url;

/// The door through which templates, environments and files are read.
pub trait Fetch {
    /// The absolute path that a path given on the command line means, without symbolic links as far as it exists.
    fn absolute(&self, path: &Path) -> PathBuf;

    /// Reads a `file`, `http` or `https` URL. No token is sent.
    ///
    /// # Errors
    /// What kept it from being read.
    fn read(&self, url: &str) -> Result<Vec<u8>, Unread>;

    /// Reads standard input to its end.
    ///
    /// # Errors
    /// What kept it from being read, a second time included.
    fn stdin(&self) -> Result<Vec<u8>, Unread>;

    /// Reads an object of the object store, with the token: by its URL, or as `container/object`. Gives its URL too.
    ///
    /// # Errors
    /// Where `name` is no object of this cloud's object store, before anything is sent; else what kept it from being
    /// read.
    fn object(&self, name: &str) -> Result<(String, Vec<u8>), Unread>;
}

/// Why something could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Unread {
    /// A lower-case fragment that does not name the file.
    pub message: String,
    /// [`Exit::Usage`], or [`Exit::Deadline`] where time ran out.
    pub exit: Exit,
}

impl Unread {
    /// Something that cannot be read as asked for.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            exit: Exit::Usage,
        }
    }
}

impl From<os_identity::Error> for Unread {
    fn from(error: os_identity::Error) -> Self {
        let exit = if error.kind() == Kind::Deadline {
            Exit::Deadline
        } else {
            Exit::Usage
        };
        Self {
            message: error.chain(),
            exit,
        }
    }
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        let message = match error.kind() {
            ErrorKind::NotFound => "no such file".to_owned(),
            ErrorKind::IsADirectory => "it is a folder, not a file".to_owned(),
            ErrorKind::PermissionDenied => "permission denied".to_owned(),
            _ => error.to_string(),
        };
        Self::new(message)
    }
}

/// The outside as a run of the program has it.
pub struct Outside<'a> {
    /// The disk.
    pub files: &'a dyn Files,
    /// The current folder.
    pub cwd: &'a Path,
    /// Standard input; taken by the first who reads it.
    pub stdin: RefCell<Option<&'a mut dyn Read>>,
    /// For everything that is not on this machine. `None`: nothing else is read.
    pub session: Option<&'a Session<'a>>,
}

impl Outside<'_> {
    fn session(&self) -> Result<&Session<'_>, Unread> {
        self.session
            .ok_or_else(|| Unread::new("only files of this machine can be read here"))
    }
}

impl Fetch for Outside<'_> {
    fn absolute(&self, path: &Path) -> PathBuf {
        let path = self.cwd.join(path);
        if let Ok(found) = self.files.canonical(&path) {
            return found;
        }
        // The file itself may be missing, or have no name (a pipe of the shell).
        match (
            path.parent().map(|folder| self.files.canonical(folder)),
            path.file_name(),
        ) {
            (Some(Ok(folder)), Some(name)) => folder.join(name),
            _ => path,
        }
    }

    fn read(&self, address: &str) -> Result<Vec<u8>, Unread> {
        match url::scheme(address).as_deref() {
            Some("file") => {
                let path = url::path_of(address).ok_or_else(|| {
                    Unread::new("a file URL names files of this machine only: file:///path")
                })?;
                Ok(self.files.read(&self.cwd.join(path))?)
            }
            Some("http" | "https") => answered(self.session()?.read_public(address)?),
            Some(scheme) => {
                let message = format!("{scheme} URLs are not read; file, http and https are");
                Err(Unread::new(message))
            }
            None => Err(Unread::new("it is neither a file nor a URL")),
        }
    }

    fn stdin(&self) -> Result<Vec<u8>, Unread> {
        let taken = self.stdin.borrow_mut().take();
        let stdin = taken.ok_or_else(|| Unread::new("standard input can be read only once"))?;
        let mut bytes = Vec::new();
        stdin.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn object(&self, name: &str) -> Result<(String, Vec<u8>), Unread> {
        let session = self.session()?;
        let store = session.endpoint(&OBJECT_STORE)?;
        let address = match url::scheme(name) {
            None => format!("{store}/{}", name.trim_start_matches('/')),
            Some(_) => name.to_owned(),
        };
        if !os_url::same_origin(&store, &address) {
            return Err(Unread::new("it is not at this cloud's object store"));
        }
        let reply = session.send(&Request::get(&address).header("Accept", "*/*"))?;
        Ok((address, answered(reply)?))
    }
}

fn answered(reply: Reply) -> Result<Vec<u8>, Unread> {
    match reply.status {
        200..=299 => Ok(reply.body),
        status => Err(Unread::new(format!("the server answers {status}"))),
    }
}
