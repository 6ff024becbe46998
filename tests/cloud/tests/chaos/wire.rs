//! As much of HTTP as a proxy has to know that passes whole messages on.

use std::io::{self, ErrorKind, Read};
use std::net::TcpStream;

/// A request or an answer.
#[derive(Debug)]
pub struct Message {
    /// All its bytes.
    pub bytes: Vec<u8>,
    /// Whether the connection ends with it.
    pub last: bool,
}

impl Message {
    /// Reads one; without a length a request has no body, and the body of an answer ends with the connection.
    ///
    /// # Errors
    /// When the connection ends before it is whole.
    pub fn read(mut from: &TcpStream, request: bool) -> io::Result<Self> {
        let mut bytes = Vec::new();
        let mut more = |bytes: &mut Vec<u8>| {
            let mut buffer = [0; 8192];
            let read = from.read(&mut buffer)?;
            bytes.extend_from_slice(&buffer[..read]);
            io::Result::Ok(read > 0)
        };
        let body = loop {
            if let Some(end) = find(&bytes, b"\r\n\r\n") {
                break end + 4;
            }
            if !more(&mut bytes)? {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        };
        let head = String::from_utf8_lossy(&bytes[..body]).to_ascii_lowercase();
        let field = |name: &str| {
            let mut lines = head.lines();
            lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':').map(str::trim))
        };
        let bare = [" 204 ", " 304 "].iter().any(|status| {
            let line = head.lines().next().unwrap_or_default();
            !request && line.contains(status)
        });
        let length = field("content-length").and_then(|length| length.parse::<usize>().ok());
        let chunked = field("transfer-encoding").is_some_and(|coding| coding.contains("chunked"));
        let mut last = field("connection").is_some_and(|word| word.contains("close"));
        let whole = |bytes: &[u8]| match length {
            _ if bare => Some(true),
            _ if chunked => Some(bytes.ends_with(b"0\r\n\r\n")),
            Some(length) => Some(bytes.len() >= body + length),
            None => request.then_some(true),
        };
        while whole(&bytes) != Some(true) {
            if !more(&mut bytes)? {
                if whole(&bytes).is_some() {
                    return Err(ErrorKind::UnexpectedEof.into());
                }
                last = true;
                break;
            }
        }
        Ok(Self { bytes, last })
    }

    /// So many per mille of it, and never all.
    pub fn part(&self, per_mille: u64) -> &[u8] {
        let most = self.bytes.len().saturating_sub(1);
        let part = most * usize::try_from(per_mille).unwrap_or(0) / 1000;
        &self.bytes[..part]
    }

    /// Whether it is a request that only looks.
    pub fn looks(&self) -> bool {
        self.bytes.starts_with(b"GET ")
    }

    /// The status of an answer; 0 if it is none.
    pub fn status(&self) -> u16 {
        let line = self.bytes.split(|byte| *byte == b'\r').next();
        let line = String::from_utf8_lossy(line.unwrap_or_default()).into_owned();
        let status = line
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        status.unwrap_or(0)
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}
