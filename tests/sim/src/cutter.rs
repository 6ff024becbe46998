//! A proxy that kills connections in the middle of a change.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rustix::net::sockopt::set_socket_linger;

use crate::port::{listen, wake};
use crate::server::lock;

/// Where a connection ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// After so many bytes of the request.
    Request(usize),
    /// After so many bytes of the answer.
    Answer(usize),
}

/// Passes connections on to one address, and kills those that begin with a change (any method but GET) where it is told.
/// Until it is dropped.
pub struct Cutter {
    address: SocketAddr,
    open: Arc<AtomicBool>,
}

/// Told of each change, in order, where its connection ends; `None`: nowhere.
type Plan = Box<dyn FnMut() -> Option<Cut> + Send>;

impl Cutter {
    /// Opens a free port of the loopback.
    ///
    /// # Errors
    /// When there is none.
    pub fn start(
        target: SocketAddr,
        plan: impl FnMut() -> Option<Cut> + Send + 'static,
    ) -> io::Result<Self> {
        let listener = listen(Ipv4Addr::LOCALHOST.into())?;
        let address = listener.local_addr()?;
        let open = Arc::new(AtomicBool::new(true));
        let plan: Arc<Mutex<Plan>> = Arc::new(Mutex::new(Box::new(plan)));
        let is_open = open.clone();
        thread::spawn(move || {
            for client in listener.incoming() {
                if !is_open.load(Ordering::SeqCst) {
                    return;
                }
                let plan = plan.clone();
                if let Ok(client) = client {
                    thread::spawn(move || pass(&client, target, &plan));
                }
            }
        });
        Ok(Self { address, open })
    }

    /// Where clients connect to.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Cutter {
    fn drop(&mut self) {
        self.open.store(false, Ordering::SeqCst);
        wake(self.address);
    }
}

fn pass(client: &TcpStream, target: SocketAddr, plan: &Mutex<Plan>) -> io::Result<()> {
    let server = TcpStream::connect(target)?;
    // Reset where it ends: closed in order, thousands of these would keep their ports for a minute each.
    set_socket_linger(&server, Some(Duration::ZERO))?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let mut first = [0; 4];
    let mut seen = 0;
    while seen < first.len() {
        // The first bytes stay where they are.
        match client.peek(&mut first)? {
            0 => return Ok(()),
            more => seen = more,
        }
    }
    let cut = if first == *b"GET " {
        None
    } else {
        (lock(plan))()
    };
    let end = || {
        let _ = client.shutdown(Shutdown::Both);
        let _ = server.shutdown(Shutdown::Both);
    };
    let is_cut = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let most = match cut {
                Some(Cut::Answer(bytes)) => bytes,
                _ => usize::MAX,
            };
            // Also before its first byte there has to be an answer, or the request would not have passed.
            let _ = server.peek(&mut [0]);
            // To a request that is cut after its last byte there is an answer, and perhaps before the connection is closed.
            if !is_cut.load(Ordering::SeqCst) {
                let _ = copy(&server, client, most, || ());
            }
            end();
        });
        let most = match cut {
            Some(Cut::Request(bytes)) => bytes,
            _ => usize::MAX,
        };
        let _ = copy(client, &server, most, || {
            is_cut.store(true, Ordering::SeqCst);
        });
        if is_cut.load(Ordering::SeqCst) {
            // The service answers a whole request and closes after a part of one: it has done with it before the client goes on.
            let _ = server.shutdown(Shutdown::Write);
            let _ = server.peek(&mut [0]);
        }
        end();
    });
    Ok(())
}

/// Until the one side ends, or so many bytes have passed; told before the last of them are sent.
fn copy(
    mut from: &TcpStream,
    mut to: &TcpStream,
    most: usize,
    before_last: impl Fn(),
) -> io::Result<()> {
    let mut left = most;
    let mut buffer = [0; 8192];
    while left > 0 {
        let most = left.min(buffer.len());
        let window = buffer.get_mut(..most).unwrap_or_default();
        let read = from.read(window)?;
        if read == 0 {
            return Ok(());
        }
        left -= read;
        if left == 0 {
            before_last();
        }
        to.write_all(buffer.get(..read).unwrap_or_default())?;
    }
    Ok(())
}
