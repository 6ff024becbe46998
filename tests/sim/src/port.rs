//! Ports of this machine, and how not to use them up.

use std::io::{self, ErrorKind, Read};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

/// Ports that systems do not give away by themselves.
const OTHERS: Range<u16> = 10_000..32_768;

/// Listens on a free port of that address. A system keeps the port of a closed connection for a minute; thousands of tests
/// in that time use up those that it gives away by itself.
///
/// # Errors
/// When there is none.
pub(crate) fn listen(ip: IpAddr) -> io::Result<TcpListener> {
    TcpListener::bind((ip, 0)).or_else(|error| match error.kind() {
        ErrorKind::AddrInUse => elsewhere(ip).ok_or(error),
        _ => Err(error),
    })
}

/// Each time the next, so that who still knows a port of before meets nobody there.
fn elsewhere(ip: IpAddr) -> Option<TcpListener> {
    static TRIED: AtomicU16 = AtomicU16::new(0);
    OTHERS.clone().find_map(|_| {
        let next = TRIED.fetch_add(1, Ordering::Relaxed) % (OTHERS.end - OTHERS.start);
        TcpListener::bind((ip, OTHERS.start + next)).ok()
    })
}

/// Connects, so that the thread that accepts there looks at whether it shall go on. It closes first, which costs no port.
pub(crate) fn wake(address: SocketAddr) {
    if let Ok(mut stream) = TcpStream::connect(address) {
        let _ = stream.set_read_timeout(Some(Duration::from_secs(1)));
        let _ = stream.read(&mut [0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_port_elsewhere_and_each_is_given_once() {
        let ip = IpAddr::from([127, 0, 0, 1]);
        let port = |listener: &TcpListener| listener.local_addr().unwrap().port();
        let (one, other) = (elsewhere(ip).unwrap(), elsewhere(ip).unwrap());
        assert_ne!(port(&one), port(&other));
        assert!(OTHERS.contains(&port(&one)) && OTHERS.contains(&port(&other)));
    }
}
