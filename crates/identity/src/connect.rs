//! Connectors for ureq: TLS with the user's own certificates, and a record of what was connected.
//!
//! ureq takes no rustls configuration, so the one connector that needs its own verifier stands before ureq's, which
//! lets secured connections pass. This is ureq's "unversioned" interface: only what 3.0 has as well is used.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use poll_core::{Clock, SystemClock};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};
use ureq::unversioned::transport::time::{Duration, Instant};
use ureq::unversioned::transport::{
    Buffers, ConnectProxyConnector, ConnectionDetails, Connector, Either, LazyBuffers, NextTimeout,
    RustlsConnector, SocksConnector, TcpConnector, Transport,
};

/// How many connections to targets (not to proxies) were made whole, TLS included.
#[derive(Debug, Default)]
pub(crate) struct Made(AtomicU32);

impl Made {
    pub(crate) fn count(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

/// SOCKS or CONNECT proxy, TCP, TLS.
pub(crate) fn chain(
    own: Option<Arc<ClientConfig>>,
    made: Arc<Made>,
) -> impl Connector<(), Out: Transport> {
    ().chain(SocksConnector::default())
        .chain(ConnectProxyConnector::default())
        .chain(TcpConnector::default())
        .chain(OwnTls(own))
        .chain(RustlsConnector::default())
        .chain(Count(made))
}

#[derive(Debug)]
struct Count(Arc<Made>);

impl<In: Transport> Connector<In> for Count {
    type Out = In;

    fn connect(
        &self,
        _: &ConnectionDetails<'_>,
        chained: Option<In>,
    ) -> Result<Option<In>, ureq::Error> {
        if chained.is_some() {
            self.0.0.fetch_add(1, Ordering::Relaxed);
        }
        Ok(chained)
    }
}

#[derive(Debug)]
struct OwnTls(Option<Arc<ClientConfig>>);

impl<In: Transport> Connector<In> for OwnTls {
    type Out = Either<In, Secured>;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        chained: Option<In>,
    ) -> Result<Option<Self::Out>, ureq::Error> {
        let (transport, config) = match (chained, &self.0) {
            (Some(transport), Some(config)) if details.needs_tls() && !transport.is_tls() => {
                (transport, config)
            }
            (chained, _) => return Ok(chained.map(Either::A)),
        };
        let host = details
            .uri
            .host()
            .unwrap_or_default()
            .trim_matches(['[', ']'])
            .to_owned();
        let name = ServerName::try_from(host)
            .map_err(|_| ureq::Error::Tls("the host's name is not valid"))?;
        let connection = ClientConnection::new(Arc::clone(config), name)?;
        let gone = match details.now {
            Instant::Exact(began) => began.elapsed(),
            _ => std::time::Duration::ZERO,
        };
        let socket = Socket {
            inner: Box::new(transport),
            timeout: details.timeout,
            gone,
            clock: SystemClock::new(),
        };
        let mut stream = StreamOwned::new(connection, socket);
        while stream.conn.is_handshaking() {
            stream.conn.complete_io(&mut stream.sock)?;
        }
        let buffers = LazyBuffers::new(
            details.config.input_buffer_size(),
            details.config.output_buffer_size(),
        );
        Ok(Some(Either::B(Secured { stream, buffers })))
    }
}

/// A secured connection.
struct Secured {
    stream: StreamOwned<ClientConnection, Socket>,
    buffers: LazyBuffers,
}

impl std::fmt::Debug for Secured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Secured").finish_non_exhaustive()
    }
}

impl Transport for Secured {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), ureq::Error> {
        self.stream.sock.restart(timeout);
        let output = self.buffers.output().get(..amount).unwrap_or_default();
        self.stream.write_all(output)?;
        self.stream.flush()?;
        Ok(())
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, ureq::Error> {
        self.stream.sock.restart(timeout);
        let amount = self.stream.read(self.buffers.input_append_buf())?;
        self.buffers.input_appended(amount);
        Ok(amount > 0)
    }

    fn is_open(&mut self) -> bool {
        self.stream.sock.inner.is_open()
    }

    fn is_tls(&self) -> bool {
        true
    }
}

/// The connection below as a stream of bytes, whose many reads share one time-out.
struct Socket {
    inner: Box<dyn Transport>,
    timeout: NextTimeout,
    /// What of it had gone when this clock began.
    gone: std::time::Duration,
    clock: SystemClock,
}

impl Socket {
    fn restart(&mut self, timeout: NextTimeout) {
        self.timeout = timeout;
        self.gone = std::time::Duration::ZERO;
        self.clock = SystemClock::new();
    }

    /// What is left of the time-out.
    fn left(&self) -> Result<NextTimeout, ureq::Error> {
        let mut timeout = self.timeout;
        if let Duration::Exact(whole) = timeout.after {
            let left = whole
                .saturating_sub(self.gone)
                .saturating_sub(self.clock.now());
            if left.is_zero() {
                return Err(ureq::Error::Timeout(timeout.reason));
            }
            timeout.after = Duration::Exact(left);
        }
        Ok(timeout)
    }
}

impl Read for Socket {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.inner.buffers().input().is_empty() {
            let timeout = self.left().map_err(ureq::Error::into_io)?;
            self.inner
                .await_input(timeout)
                .map_err(ureq::Error::into_io)?;
        }
        let buffers = self.inner.buffers();
        let amount = buffers.input().read(out)?;
        buffers.input_consume(amount);
        Ok(amount)
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let amount = self.inner.buffers().output().write(bytes)?;
        let timeout = self.left().map_err(ureq::Error::into_io)?;
        self.inner
            .transmit_output(amount, timeout)
            .map_err(ureq::Error::into_io)?;
        Ok(amount)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
