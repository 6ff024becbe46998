//! A server for tests: every connection is a thread, every answer is a script's.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    /// `GET /v3`.
    pub(crate) line: String,
    /// With names in lower case.
    pub(crate) head: String,
    pub(crate) body: String,
    /// Which connection, from 1.
    pub(crate) connection: u32,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

/// What the server does.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// Status, headers, body; then the connection is kept.
    Say(u16, Vec<(&'static str, String)>, String),
    /// Closed at once.
    Close,
    /// The first bytes at once, the others one a few milliseconds after the other, for ever.
    Trickle(&'static [u8], &'static [u8]),
    /// These bytes, then nothing.
    Stall(&'static [u8]),
}

pub(crate) fn say(status: u16, body: impl Into<String>) -> Answer {
    Answer::Say(status, Vec::new(), body.into())
}

type Script = dyn FnMut(&Seen) -> Answer + Send;

/// On a port of its own, until the test ends.
pub(crate) struct Server {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    pub(crate) fn new(script: impl FnMut(&Seen) -> Answer + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let script: Arc<Mutex<Script>> = Arc::new(Mutex::new(script));
        let log = Arc::clone(&seen);
        std::thread::spawn(move || {
            for (number, stream) in (1..).zip(listener.incoming().flatten()) {
                let (script, log) = (Arc::clone(&script), Arc::clone(&log));
                std::thread::spawn(move || serve(stream, number, &script, &log));
            }
        });
        Self { url, seen }
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.seen().into_iter().map(|seen| seen.line).collect()
    }
}

fn serve(mut stream: TcpStream, connection: u32, script: &Mutex<Script>, log: &Mutex<Vec<Seen>>) {
    while let Some(seen) = read(&mut stream, connection) {
        let answer = (script.lock().unwrap())(&seen);
        log.lock().unwrap().push(seen);
        let kept = match answer {
            Answer::Say(status, headers, body) => respond(&mut stream, status, &headers, &body),
            Answer::Close => false,
            Answer::Trickle(head, bytes) => {
                let _ = stream.write_all(head);
                let mut bytes = bytes.iter().cycle();
                stream
                    .set_read_timeout(Some(Duration::from_millis(4)))
                    .unwrap();
                while bytes
                    .next()
                    .is_some_and(|byte| stream.write_all(&[*byte]).is_ok())
                    && !is_closed(&mut stream)
                {}
                false
            }
            Answer::Stall(bytes) => {
                let _ = stream.write_all(bytes);
                while !is_closed(&mut stream) {}
                false
            }
        };
        if !kept {
            return;
        }
    }
}

fn is_closed(stream: &mut TcpStream) -> bool {
    match stream.read(&mut [0]) {
        Ok(read) => read == 0,
        Err(error) => !matches!(
            error.kind(),
            std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
        ),
    }
}

fn respond(
    stream: &mut TcpStream,
    status: u16,
    headers: &[(&'static str, String)],
    body: &str,
) -> bool {
    let mut text = format!(
        "HTTP/1.1 {status} Word\r\nContent-Length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    text.push_str(body);
    stream.write_all(text.as_bytes()).is_ok()
}

fn read(stream: &mut TcpStream, connection: u32) -> Option<Seen> {
    let mut bytes = Vec::new();
    let mut byte = [0];
    while !bytes.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        bytes.extend(byte);
    }
    let text = String::from_utf8(bytes).unwrap();
    let (line, rest) = text.split_once("\r\n").unwrap();
    let lower = |line: &str| {
        line.split_once(": ")
            .map(|(name, value)| format!("{}: {value}\n", name.to_lowercase()))
            .unwrap_or_default()
    };
    let head: String = rest.lines().map(lower).collect();
    let mut seen = Seen {
        line: line.trim_end_matches(" HTTP/1.1").to_owned(),
        head,
        body: String::new(),
        connection,
    };
    let length = seen
        .header("content-length")
        .map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    seen.body = String::from_utf8(body).unwrap();
    Some(seen)
}
