//! The way of one operation to one service, through its weather.

use std::io::{self, ErrorKind, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::Duration;

use cloud_tests::free_port;

use crate::outages::Service;
use crate::storm::{Fate, Storm, Weather, When};
use crate::wire::Message;

/// A port that passes requests on; it refuses connections while the process behind it is down. Until it is dropped.
#[derive(Debug)]
pub struct Proxy {
    /// The port.
    pub port: u16,
    open: Arc<AtomicBool>,
}

/// Where its requests go.
#[derive(Debug, Clone)]
struct Way {
    service: Service,
    storm: Arc<Storm>,
    looks: u16,
    changes: u16,
    open: Arc<AtomicBool>,
}

impl Proxy {
    /// Opens one before the API process of `service`. Changes go to the port `changes` where there is one: a process
    /// whose engine goes on, while the one that answers looks is stopped. While that is down nothing passes.
    pub fn start(service: Service, storm: Arc<Storm>, changes: Option<u16>) -> Self {
        let port = free_port();
        let listener = listen(port).expect("a free port");
        let looks = storm.outages.port(service);
        let open = Arc::new(AtomicBool::new(true));
        let way = Way {
            service,
            storm,
            looks,
            changes: changes.unwrap_or(looks),
            open: open.clone(),
        };
        thread::spawn(move || way.accept(port, listener));
        Self { port, open }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.open.store(false, Ordering::SeqCst);
    }
}

fn listen(port: u16) -> io::Result<TcpListener> {
    let listener = TcpListener::bind(("127.0.0.1", port))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

impl Way {
    fn accept(&self, port: u16, listener: TcpListener) {
        let mut listener = Some(listener);
        while self.open.load(Ordering::SeqCst) {
            let (_, down) = self.storm.outages.epoch(self.service);
            if down {
                listener = None;
            } else if listener.is_none() {
                listener = listen(port).ok();
            }
            match listener.as_ref().map(TcpListener::accept) {
                Some(Ok((client, _))) => {
                    let way = self.clone();
                    thread::spawn(move || {
                        let _ = way.serve(&client);
                        let _ = client.shutdown(Shutdown::Both);
                    });
                }
                _ => sleep(Duration::from_millis(20)),
            }
        }
    }

    /// Passes the requests of one connection on until one side ends it, or the process goes down.
    fn serve(&self, client: &TcpStream) -> io::Result<()> {
        client.set_nonblocking(false)?;
        client.set_nodelay(true)?;
        let (born, _) = self.storm.outages.epoch(self.service);
        let cut_off = || {
            let (now, _) = self.storm.outages.epoch(self.service);
            now != born || !self.open.load(Ordering::SeqCst)
        };
        let mut server: Option<(u16, TcpStream)> = None;
        while next(client, server.as_ref().map(|(_, server)| server), &cut_off)? {
            let request = Message::read(client, true)?;
            let change = self.service != Service::Keystone && !request.looks();
            let weather = self.storm.next(self.service, change);
            self.storm.strike(self.service, &|looks| match change {
                true => When::BeforeChange,
                false => When::Look(looks),
            });
            let port = if change { self.changes } else { self.looks };
            if server.as_ref().is_none_or(|(to, _)| *to != port) {
                server = TcpStream::connect(("127.0.0.1", port))
                    .ok()
                    .map(|to| (port, to));
            }
            let passed = match &server {
                Some((_, server)) if !cut_off() => {
                    self.pass(client, server, &request, change, weather, &cut_off)
                }
                _ => Err(ErrorKind::ConnectionReset.into()),
            };
            match passed {
                Ok((fate, last)) => {
                    self.storm.note(self.service, change, fate);
                    if last {
                        break;
                    }
                }
                Err(error) => {
                    self.storm.note(self.service, change, Fate::Lost);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// One request and its answer; with whether the connection ends. An error: the program gets no more of an answer.
    fn pass(
        &self,
        mut client: &TcpStream,
        mut server: &TcpStream,
        request: &Message,
        change: bool,
        weather: Weather,
        cut_off: &dyn Fn() -> bool,
    ) -> io::Result<(Fate, bool)> {
        let cut = || io::Error::from(ErrorKind::ConnectionAborted);
        match weather {
            Weather::Busy(status, seconds) => {
                let retry = format!("Retry-After: {seconds}\r\n");
                client.write_all(answer(status, &retry).as_bytes())?;
                return Ok((Fate::NotTaken, false));
            }
            Weather::Unavailable => {
                client.write_all(answer(503, "").as_bytes())?;
                return Ok((Fate::Lost, false));
            }
            Weather::CutRequest(part) => {
                server.write_all(request.part(part))?;
                let _ = server.shutdown(Shutdown::Both);
                return Err(cut());
            }
            Weather::Delay(milliseconds) => sleep(Duration::from_millis(milliseconds)),
            _ => {}
        }
        // It went down meanwhile.
        if cut_off() {
            self.storm.met_an_outage();
            return Err(cut());
        }
        server.write_all(&request.bytes)?;
        if change {
            self.storm.strike(self.service, &|_| When::DuringChange);
        }
        let answer = Message::read(server, false)?;
        // The process that takes the changes goes on, but nobody would pass its answer on.
        if cut_off() {
            return Err(cut());
        }
        match weather {
            Weather::CutAnswer(part) => {
                client.write_all(answer.part(part))?;
                return Err(cut());
            }
            Weather::Slow => {
                for piece in answer.bytes.chunks(answer.bytes.len() / 20 + 1) {
                    client.write_all(piece)?;
                    sleep(Duration::from_millis(60));
                }
            }
            _ => client.write_all(&answer.bytes)?,
        }
        Ok((Fate::Answered(answer.status()), answer.last))
    }
}

/// In JSON, as the services themselves answer: of anything else Manila's client cannot know whose it is.
fn answer(status: u16, retry: &str) -> String {
    let body = r#"{"message": "not now"}"#;
    format!(
        "HTTP/1.1 {status} Busy\r\n{retry}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Waits for the next request; false when either side has ended the connection.
fn next(
    client: &TcpStream,
    server: Option<&TcpStream>,
    cut_off: &dyn Fn() -> bool,
) -> io::Result<bool> {
    let waits =
        |error: &io::Error| matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
    client.set_read_timeout(Some(Duration::from_millis(50)))?;
    loop {
        match client.peek(&mut [0]) {
            Ok(0) => return Ok(false),
            Ok(_) => break,
            Err(error) if waits(&error) => {}
            Err(error) => return Err(error),
        }
        if cut_off() {
            return Ok(false);
        }
        if let Some(server) = server {
            server.set_nonblocking(true)?;
            let peeked = server.peek(&mut [0]);
            server.set_nonblocking(false)?;
            match peeked {
                Err(error) if waits(&error) => {}
                _ => return Ok(false),
            }
        }
    }
    client.set_read_timeout(None)?;
    Ok(true)
}
