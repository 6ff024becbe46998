//! What can go wrong, and what that means for the one who asked.

use std::fmt;
use std::time::Duration;

/// What an error means for the one who asked. The numbers are the exit codes of both programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Arguments or configuration: exit 2.
    Config,
    /// The state could not be learnt: exit 3.
    Unknown,
    /// No such resource: exit 4.
    NotFound,
    /// Authentication or permission: exit 5.
    Refused,
    /// The service refused the change as such, nothing was changed: exit 6.
    Rejected,
    /// The deadline came first: exit 124.
    Deadline,
}

/// Whether the service can have taken a request that ended in an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// Certainly not: it never reached the service, or the service said so.
    No,
    /// It may have: the request went out and no answer that settles it came back.
    Perhaps,
}

/// How a connection failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Break {
    /// Nobody listens there, or there is no way to the host.
    Refused,
    /// The name of the host is not known.
    UnknownHost,
    /// The other side closed it before its answer was whole.
    Reset,
    /// No answer in time.
    TimedOut,
    /// No secure connection: an untrusted certificate, or none at all.
    Tls,
    /// The answer makes no sense as HTTP, or its body is broken or too long.
    Garbled,
    /// The proxy would not connect.
    Proxy,
}

/// What an error means for a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    /// May pass.
    Transient,
    /// The service asks to come later.
    Throttled(Option<Duration>),
    /// Final when it lasts.
    Refused,
    /// Nothing will help.
    Fatal,
}

/// An error of configuration, signing in or a request. Displays a lower-case fragment of its own layer; the causes
/// are in [`source`](std::error::Error::source).
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
struct Inner {
    kind: Kind,
    message: String,
    #[source]
    source: Option<Error>,
    hint: Option<String>,
    status: Option<u16>,
    request_id: Option<String>,
    taken: Taken,
    broke: Option<Break>,
    sort: Sort,
}

impl Error {
    /// An error of `kind`; `message` is a lower-case fragment without secrets.
    #[must_use]
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.into(),
            source: None,
            hint: None,
            status: None,
            request_id: None,
            taken: Taken::No,
            broke: None,
            sort: Sort::Fatal,
        }))
    }

    /// [`Kind::Config`].
    #[must_use]
    pub fn config(message: impl Into<String>) -> Self {
        Self::new(Kind::Config, message)
    }

    /// Puts `message` in front of this error, which becomes its source. All else is kept.
    #[must_use]
    pub fn context(self, message: impl Into<String>) -> Self {
        let mut outer = self.clone();
        outer.0.message = message.into();
        outer.0.source = Some(self);
        outer
    }

    /// The same with what to do next.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// The same with what lies below it.
    #[must_use]
    pub fn with_source(mut self, source: Self) -> Self {
        self.0.source = Some(source);
        self
    }

    /// The same as an error of another kind.
    #[must_use]
    pub fn with_kind(mut self, kind: Kind) -> Self {
        self.0.kind = kind;
        self
    }

    /// The same with the HTTP status and request id of the answer.
    #[must_use]
    pub fn with_answer(mut self, status: u16, request_id: Option<&str>) -> Self {
        self.0.status = Some(status);
        self.0.request_id = request_id.map(str::to_owned);
        self
    }

    /// The same with another fate of the request.
    #[must_use]
    pub fn with_taken(mut self, taken: Taken) -> Self {
        self.0.taken = taken;
        self
    }

    /// The same, caused by a broken connection.
    #[must_use]
    pub fn with_break(mut self, broke: Break) -> Self {
        self.0.broke = Some(broke);
        self
    }

    /// What this means for the one who asked.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// The HTTP status of the answer, if one came.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.0.status
    }

    /// The `x-openstack-request-id` of the answer.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.0.request_id.as_deref()
    }

    /// Whether the service can have taken the request.
    #[must_use]
    pub fn taken(&self) -> Taken {
        self.0.taken
    }

    /// How the connection failed, if it did.
    #[must_use]
    pub fn broke(&self) -> Option<Break> {
        self.0.broke
    }

    pub(crate) fn with_sort(mut self, sort: Sort) -> Self {
        self.0.sort = sort;
        self
    }

    pub(crate) fn sort(&self) -> Sort {
        self.0.sort
    }

    /// All layers, outermost first, joined by `: `.
    #[must_use]
    pub fn chain(&self) -> String {
        let mut text = self.0.message.clone();
        let mut below = self.0.source.as_ref();
        while let Some(error) = below {
            text.push_str(": ");
            text.push_str(&error.0.message);
            below = error.0.source.as_ref();
        }
        text
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|source| source as _)
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::{Error, Kind};

    #[test]
    fn each_layer_displays_itself_and_the_chain_all() {
        let error = Error::new(Kind::Unknown, "connection refused")
            .context("cannot sign in at http://127.0.0.1:1/v3");
        assert_eq!(error.to_string(), "cannot sign in at http://127.0.0.1:1/v3");
        assert_eq!(error.source().unwrap().to_string(), "connection refused");
        assert_eq!(
            error.chain(),
            "cannot sign in at http://127.0.0.1:1/v3: connection refused"
        );
        assert_eq!(error.kind(), Kind::Unknown);
    }
}
