//! HTTP/1.1 on one connection: a request in, bytes out.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use poll_core::{Clock as _, SystemClock};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::Value;

/// How often somebody who waits in vain lets time pass.
const TICK: Duration = Duration::from_millis(2);

/// One request as it came off the wire.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `POST`, …
    pub method: String,
    /// The path as sent, still percent-encoded, without the query.
    pub path: String,
    /// The query as sent, without the question mark; empty if there was none.
    pub query: String,
    /// Names as sent.
    pub headers: Vec<(String, String)>,
    /// The body; empty if there was none.
    pub body: Vec<u8>,
    /// Whether the connection is encrypted.
    pub tls: bool,
}

impl Request {
    /// The value of the header of that name, in any case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    #[must_use]
    pub fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// The decoded segments of the path, empty ones left out.
    #[must_use]
    pub fn segments(&self) -> Vec<String> {
        self.path
            .split('/')
            .filter(|part| !part.is_empty())
            .map(decoded)
            .collect()
    }

    /// The decoded pairs of the query, in order.
    #[must_use]
    pub fn pairs(&self) -> Vec<(String, String)> {
        let parts = self.query.split('&').filter(|part| !part.is_empty());
        parts
            .map(|part| part.split_once('=').unwrap_or((part, "")))
            .map(|(key, value)| (decoded(key), decoded(value)))
            .collect()
    }

    /// Every decoded value of a query parameter.
    #[must_use]
    pub fn values(&self, name: &str) -> Vec<String> {
        self.pairs()
            .into_iter()
            .filter(|(key, _)| key == name)
            .map(|(_, value)| value)
            .collect()
    }

    /// The last decoded value of a query parameter.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<String> {
        self.values(name).pop()
    }

    /// Whether a query parameter is given and means yes.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        self.value(name).is_some_and(|value| {
            matches!(
                value.to_ascii_lowercase().as_str(),
                "1" | "t" | "true" | "on" | "y" | "yes"
            )
        })
    }

    /// Scheme, host and port as the client named them: what the services' own links start with.
    #[must_use]
    pub fn base(&self) -> String {
        let scheme = if self.tls { "https" } else { "http" };
        format!("{scheme}://{}", self.header("host").unwrap_or("127.0.0.1"))
    }
}

fn decoded(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'+' => out.push(b' '),
            b'%' => {
                let hex: Vec<u8> = bytes.by_ref().take(2).collect();
                let code = std::str::from_utf8(&hex)
                    .ok()
                    .and_then(|hex| u8::from_str_radix(hex, 16).ok());
                out.push(code.unwrap_or(b'%'));
            }
            other => out.push(other),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// A connection, plain or encrypted.
pub(crate) struct Connection {
    socket: Arc<TcpStream>,
    stream: Stream,
    /// A byte of the last request that was looked at but not taken from a plain socket: closing
    /// with it unread makes the kernel send a reset instead of an orderly end.
    unread: bool,
}

enum Stream {
    Plain(Socket),
    Tls(Box<StreamOwned<ServerConnection, Socket>>),
}

struct Socket(Arc<TcpStream>);

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (&*self.0).read(buffer)
    }
}

impl Write for Socket {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        (&*self.0).write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self.0).flush()
    }
}

impl Connection {
    pub(crate) fn new(socket: Arc<TcpStream>, tls: Option<&Arc<ServerConfig>>) -> io::Result<Self> {
        socket.set_nodelay(true)?;
        let plain = Socket(socket.clone());
        let stream = match tls {
            None => Stream::Plain(plain),
            Some(config) => {
                let session = ServerConnection::new(config.clone()).map_err(io::Error::other)?;
                Stream::Tls(Box::new(StreamOwned::new(session, plain)))
            }
        };
        Ok(Self {
            socket,
            stream,
            unread: false,
        })
    }

    /// The next request; `None` when the peer is gone or speaks no HTTP.
    pub(crate) fn request(&mut self) -> Option<Request> {
        let head = match &self.stream {
            Stream::Plain(_) => self.plain_head(),
            Stream::Tls(_) => self.tls_head(),
        };
        let mut request = parsed(&head.ok()?)?;
        request.tls = matches!(self.stream, Stream::Tls(_));
        if request
            .header("expect")
            .is_some_and(|value| value.eq_ignore_ascii_case("100-continue"))
        {
            self.send(b"HTTP/1.1 100 Continue\r\n\r\n").ok()?;
        }
        let length = request
            .header("content-length")
            .and_then(|value| value.trim().parse::<usize>().ok())
            .unwrap_or(0);
        let chunked = request
            .header("transfer-encoding")
            .is_some_and(|value| value.to_ascii_lowercase().contains("chunked"));
        request.body = if chunked {
            self.chunks().ok()?
        } else {
            self.body(length).ok()?
        };
        Some(request)
    }

    /// Takes what was left unread, so that closing is orderly.
    pub(crate) fn settle(&mut self) -> io::Result<()> {
        if self.unread {
            self.unread = false;
            self.stream.read_exact(&mut [0])?;
        }
        Ok(())
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.settle()?;
        self.stream.write_all(bytes)?;
        self.stream.flush()
    }

    /// Holds the connection open for that long (of real time), until the peer closes it or the cloud ends; whether the
    /// peer is still there. `passes` is told how much time has passed since it was told last.
    pub(crate) fn hold(&mut self, span: Duration, passes: &mut dyn FnMut(Duration)) -> bool {
        if self.settle().is_err() || self.socket.set_read_timeout(Some(TICK)).is_err() {
            return false;
        }
        let clock = SystemClock::new();
        let mut told = Duration::ZERO;
        let mut rest = [0; 1024];
        while told < span {
            let read = self.stream.read(&mut rest);
            let now = clock.now();
            passes(now - told);
            told = now;
            match read {
                Ok(1..) => {}
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                _ => return false,
            }
        }
        true
    }

    /// Ends the connection in order: what was sent arrives.
    pub(crate) fn finish(&mut self) {
        let _ = self.settle();
        if let Stream::Tls(stream) = &mut self.stream {
            stream.conn.send_close_notify();
            let _ = stream.flush();
        }
        let _ = self.socket.shutdown(Shutdown::Write);
    }

    /// Reads up to the empty line by looking first, and leaves the last byte in the socket.
    fn plain_head(&mut self) -> io::Result<Vec<u8>> {
        self.settle()?;
        let mut head = Vec::new();
        let mut window = [0; 16 * 1024];
        loop {
            let seen = self.socket.peek(&mut window)?;
            if seen == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            let before = head.len();
            head.extend(window.iter().take(seen));
            let from = before.saturating_sub(3);
            let end = head
                .windows(4)
                .skip(from)
                .position(|four| four == b"\r\n\r\n")
                .map(|at| from + at + 4);
            head.truncate(end.unwrap_or(head.len()));
            let wanted = head.len() - before;
            let taken = if end.is_some() { wanted - 1 } else { wanted };
            self.stream
                .read_exact(window.get_mut(..taken).unwrap_or_default())?;
            if end.is_some() {
                self.unread = true;
                return Ok(head);
            }
        }
    }

    fn tls_head(&mut self) -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") {
            self.stream.read_exact(&mut byte)?;
            head.extend(byte);
        }
        Ok(head)
    }

    fn body(&mut self, length: usize) -> io::Result<Vec<u8>> {
        if length == 0 {
            return Ok(Vec::new());
        }
        self.settle()?;
        let mut body = vec![0; length];
        let Some((last, most)) = body.split_last_mut() else {
            return Ok(body);
        };
        self.stream.read_exact(most)?;
        match &self.stream {
            Stream::Plain(_) => {
                let mut byte = [0];
                if self.socket.peek(&mut byte)? == 0 {
                    return Err(ErrorKind::UnexpectedEof.into());
                }
                [*last] = byte;
                self.unread = true;
            }
            Stream::Tls(_) => self.stream.read_exact(std::slice::from_mut(last))?,
        }
        Ok(body)
    }

    fn chunks(&mut self) -> io::Result<Vec<u8>> {
        self.settle()?;
        let mut body = Vec::new();
        loop {
            let mut line = Vec::new();
            let mut byte = [0];
            while !line.ends_with(b"\r\n") {
                self.stream.read_exact(&mut byte)?;
                line.extend(byte);
            }
            let text = String::from_utf8_lossy(&line);
            let size = usize::from_str_radix(text.split(';').next().unwrap_or_default().trim(), 16)
                .map_err(io::Error::other)?;
            let mut chunk = vec![0; size + 2];
            self.stream.read_exact(&mut chunk)?;
            chunk.truncate(size);
            if size == 0 {
                return Ok(body);
            }
            body.extend(chunk);
        }
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(stream) => stream.read(buffer),
            Self::Tls(stream) => stream.read(buffer),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(stream) => stream.write(buffer),
            Self::Tls(stream) => stream.write(buffer),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(stream) => stream.flush(),
            Self::Tls(stream) => stream.flush(),
        }
    }
}

fn parsed(head: &[u8]) -> Option<Request> {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.trim_end().split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, target) = (first.next()?, first.next()?);
    // A proxy's client sends the whole URL.
    let target = match target.split_once("://") {
        Some((_, rest)) => rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/"),
        None => target,
    };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let headers = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()));
    Some(Request {
        method: method.to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        headers: headers.collect(),
        ..Request::default()
    })
}
