//! One request over the wire, with a bound on its time.

use std::io::{ErrorKind, Read as _};
use std::sync::Arc;
use std::time::Duration;

use poll_core::Clock;
use ureq::http;

use crate::connect::{Made, chain};
use crate::error::Sort;
use crate::proxy::{Proxies, Proxy};
use crate::resolver::Resolver;
use crate::tls::Tls;
use crate::{Break, Error, Kind, Method, Reply, Taken, redact, url};

/// Bodies that are longer are refused.
const LONGEST_BODY: u64 = 64 * 1024 * 1024;
/// So much memory is set aside at most because an answer says how long it is.
const MOST_AT_ONCE: u64 = 1024 * 1024;
/// Longer than twice any pause between two looks.
const LONGEST_IDLE: Duration = Duration::from_secs(15 * 60);

/// What goes over the wire once.
pub(crate) struct Wire<'r> {
    pub(crate) method: Method,
    pub(crate) url: &'r str,
    pub(crate) headers: &'r [(&'r str, &'r str)],
    pub(crate) body: Option<&'r [u8]>,
    /// Signing in: neither a change nor worth a fresh connection.
    pub(crate) signing_in: bool,
    pub(crate) timeout: Duration,
}

/// Agents: one keeps its connection for looks, one makes a fresh one for each change.
pub(crate) struct Http {
    kept: ureq::Agent,
    fresh: ureq::Agent,
    made: Arc<Made>,
    proxies: Proxies,
}

impl Http {
    /// Makes the agents. No network.
    ///
    /// # Errors
    /// [`Kind::Config`] for a proxy that is no URL.
    pub(crate) fn new(
        tls: &Tls,
        proxies: Proxies,
        user_agent: &str,
        ipv4_only: bool,
    ) -> Result<Self, Error> {
        for proxy in proxies.all() {
            if ureq::Proxy::new(&proxy.url).is_err() {
                return Err(Error::config(format!(
                    "{} is not a proxy's URL: {}",
                    proxy.variable,
                    url::shown(&proxy.url)
                ))
                .with_hint("it looks like http://HOST:PORT or socks5://HOST:PORT"));
            }
        }
        let made = Arc::new(Made::default());
        let agent = |idle: usize| {
            let config = ureq::Agent::config_builder()
                .max_redirects(0)
                .http_status_as_error(false)
                .max_idle_age(LONGEST_IDLE)
                .max_idle_connections(idle)
                .max_idle_connections_per_host(idle)
                .ip_family(if ipv4_only {
                    ureq::config::IpFamily::Ipv4Only
                } else {
                    ureq::config::IpFamily::Any
                })
                .tls_config(tls.config.clone())
                .user_agent(user_agent)
                .proxy(None)
                .build();
            ureq::Agent::with_parts(
                config,
                chain(tls.own.clone(), Arc::clone(&made)),
                Resolver::default(),
            )
        };
        Ok(Self {
            kept: agent(3),
            fresh: agent(0),
            made: Arc::clone(&made),
            proxies,
        })
    }

    /// Sends it once; a look whose kept connection turns out to be dead is repeated at once on another one.
    ///
    /// # Errors
    /// What kept the answer from coming: see [`Error::broke`] and [`Error::taken`].
    pub(crate) fn send(&self, clock: &dyn Clock, wire: &Wire<'_>) -> Result<Reply, Error> {
        let began = clock.now();
        let before = self.made.count();
        let result = self.once(clock, wire, wire.timeout);
        let dead = result
            .as_ref()
            .is_err_and(|error| error.broke() == Some(Break::Reset));
        if dead && wire.method == Method::Get && self.made.count() == before {
            let left = wire
                .timeout
                .saturating_sub(clock.now().saturating_sub(began));
            if !left.is_zero() {
                log::debug!("the kept connection was closed; once more on a new one");
                return self.once(
                    clock,
                    &Wire {
                        signing_in: false,
                        ..*wire
                    },
                    left,
                );
            }
        }
        result
    }

    fn once(&self, clock: &dyn Clock, wire: &Wire<'_>, timeout: Duration) -> Result<Reply, Error> {
        let began = clock.now();
        let before = self.made.count();
        let name = wire.method.as_str();
        // Of a list, long: put together only where it is logged.
        let shown = || url::shown(wire.url);
        if let Some(body) = wire.body {
            log::debug!(target: "os_identity::body", "{name} {} {}", shown(), redact::request_body(wire.method, body));
        }
        let result = self.exchange(wire, timeout);
        let took = clock.now().saturating_sub(began).as_millis();
        match result {
            Ok(reply) => {
                log::debug!(
                    "{name} {} {} {} bytes {took} ms {}",
                    shown(),
                    reply.status,
                    reply.body.len(),
                    reply.request_id().unwrap_or("-")
                );
                log::debug!(target: "os_identity::body", "{name} {} answers {}", shown(), redact::reply_body(&reply.body));
                Ok(reply)
            }
            Err(error) => {
                // Without a connection of its own nothing of a change has gone out.
                let connected = self.made.count() > before;
                let told = match (broke(&error), self.proxies.choose(wire.url)) {
                    (Break::Refused | Break::UnknownHost, Some(proxy)) => {
                        no_proxy_there(proxy, &error)
                    }
                    _ => tell(&error, wire.url, timeout),
                };
                log::debug!("{name} {} failed after {took} ms: {told}", shown());
                let taken = if connected && wire.method.is_change() && !wire.signing_in {
                    Taken::Perhaps
                } else {
                    Taken::No
                };
                Err(told.with_taken(taken))
            }
        }
    }

    fn is_kept(&self, wire: &Wire<'_>) -> bool {
        !wire.method.is_change() || wire.signing_in
    }

    fn exchange(&self, wire: &Wire<'_>, timeout: Duration) -> Result<Reply, ureq::Error> {
        let mut builder = http::Request::builder()
            .method(wire.method.as_str())
            .uri(wire.url);
        for (name, value) in wire.headers {
            builder = builder.header(*name, *value);
        }
        // Without it any coding would be in order (RFC 9110, 12.5.3), and none can be read.
        builder = builder.header("Accept-Encoding", "identity");
        let proxy = self
            .proxies
            .choose(wire.url)
            .map(|proxy| ureq::Proxy::new(&proxy.url))
            .transpose()?;
        let agent = if self.is_kept(wire) {
            &self.kept
        } else {
            &self.fresh
        };
        let needs_body = matches!(wire.method, Method::Post | Method::Put | Method::Patch);
        let mut response = match wire.body.or(needs_body.then_some(&[])) {
            Some(body) => {
                let request = builder.body(body)?;
                let request = agent
                    .configure_request(request)
                    .timeout_global(Some(timeout))
                    .proxy(proxy)
                    .build();
                agent.run(request)?
            }
            None => {
                let request = builder.body(())?;
                let request = agent
                    .configure_request(request)
                    .timeout_global(Some(timeout))
                    .proxy(proxy)
                    .build();
                agent.run(request)?
            }
        };
        let expected = response.body().content_length().unwrap_or_default();
        let expected = usize::try_from(expected.min(MOST_AT_ONCE)).unwrap_or_default();
        let mut body = Vec::with_capacity(expected);
        response
            .body_mut()
            .with_config()
            .limit(LONGEST_BODY)
            .reader()
            .read_to_end(&mut body)?;
        let text =
            |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers = response
            .headers()
            .iter()
            .map(|(name, value)| (name.as_str().to_owned(), text(value)))
            .collect();
        Ok(Reply {
            status: response.status().as_u16(),
            headers,
            body,
            url: wire.url.to_owned(),
        })
    }
}

/// What ureq says, as an error of ours. ureq's errors are leaves: nothing below them.
fn tell(error: &ureq::Error, target: &str, timeout: Duration) -> Error {
    let broke = broke(error);
    let (_, host, port) = url::origin(target).unwrap_or_default();
    let message = match broke {
        Break::Refused => match error {
            ureq::Error::Io(io) if io.kind() != ErrorKind::ConnectionRefused => {
                format!("cannot connect to {host}:{port}: {}", plain(io))
            }
            _ => format!("connection to {host}:{port} refused"),
        },
        Break::UnknownHost => format!("host {host} is not known"),
        Break::Reset => format!("{host}:{port} closed the connection before its answer was whole"),
        Break::TimedOut => format!("no answer from {host}:{port} within {} s", seconds(timeout)),
        Break::Tls => format!(
            "no secure connection to {host}:{port}: {}",
            tls_words(error)
        ),
        Break::Garbled => format!("the answer of {host}:{port} is broken: {error}"),
        Break::Proxy => format!("the proxy does not connect to {host}:{port}: {error}"),
    };
    let error = Error::new(Kind::Unknown, message)
        .with_break(broke)
        .with_sort(Sort::Transient);
    match broke {
        Break::Tls => error.with_hint(
            "give the CA that signed the server's certificate with --os-cacert or OS_CACERT (or --insecure, to check nothing)",
        ),
        _ => error,
    }
}

/// Connections go to the proxy, so it is the proxy that is not there.
fn no_proxy_there(proxy: &Proxy, error: &ureq::Error) -> Error {
    let shown = url::shown(&proxy.url);
    let words = match error {
        ureq::Error::Io(io) => plain(io),
        other => other.to_string(),
    };
    let message = format!(
        "the proxy {shown} ({}) cannot be reached: {words}",
        proxy.variable
    );
    Error::new(Kind::Unknown, message)
        .with_break(Break::Proxy)
        .with_sort(Sort::Transient)
}

fn seconds(timeout: Duration) -> String {
    let text = format!("{:.1}", timeout.as_secs_f64());
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// An I/O error without the number of the system.
fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error")
        .next()
        .unwrap_or_default()
        .to_lowercase()
}

fn tls_words(error: &ureq::Error) -> String {
    use rustls::{CertificateError as C, Error as E};
    let inner = match error {
        ureq::Error::Rustls(inner) => Some(inner),
        ureq::Error::Io(io) => io.get_ref().and_then(|inner| inner.downcast_ref::<E>()),
        _ => None,
    };
    let words = match inner {
        Some(E::InvalidCertificate(C::UnknownIssuer)) => {
            "its certificate is not trusted (unknown issuer)"
        }
        Some(E::InvalidCertificate(C::Expired | C::ExpiredContext { .. })) => {
            "its certificate has expired"
        }
        Some(E::InvalidCertificate(C::NotValidYet | C::NotValidYetContext { .. })) => {
            "its certificate is not valid yet"
        }
        Some(E::InvalidCertificate(C::NotValidForName | C::NotValidForNameContext { .. })) => {
            "its certificate is for another name"
        }
        // webpki's word for a self-signed certificate that says it is a CA and is not given as cacert.
        Some(E::InvalidCertificate(C::Other(why)))
            if format!("{:?}", why.0) == "CaUsedAsEndEntity" =>
        {
            "its certificate is not trusted (self-signed)"
        }
        Some(E::InvalidMessage(_)) => "it does not speak TLS",
        Some(other) => return other.to_string(),
        None => return error.to_string(),
    };
    words.to_owned()
}

fn broke(error: &ureq::Error) -> Break {
    match error {
        ureq::Error::Timeout(_) => Break::TimedOut,
        ureq::Error::HostNotFound => Break::UnknownHost,
        ureq::Error::ConnectionFailed => Break::Refused,
        ureq::Error::Rustls(_)
        | ureq::Error::Tls(_)
        | ureq::Error::Pem(_)
        | ureq::Error::TlsRequired => Break::Tls,
        ureq::Error::ConnectProxyFailed(_) | ureq::Error::InvalidProxyUrl => Break::Proxy,
        ureq::Error::Io(io) => of_io(io),
        _ => Break::Garbled,
    }
}

fn of_io(error: &std::io::Error) -> Break {
    if error
        .get_ref()
        .is_some_and(|inner| inner.is::<rustls::Error>())
    {
        return Break::Tls;
    }
    match error.kind() {
        ErrorKind::ConnectionRefused
        | ErrorKind::HostUnreachable
        | ErrorKind::NetworkUnreachable
        | ErrorKind::NetworkDown
        | ErrorKind::AddrNotAvailable => Break::Refused,
        ErrorKind::TimedOut | ErrorKind::WouldBlock => Break::TimedOut,
        ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe
        | ErrorKind::NotConnected
        | ErrorKind::UnexpectedEof => Break::Reset,
        // The resolver's errors have no kind of their own.
        _ if error.to_string().contains("lookup address") => Break::UnknownHost,
        _ => Break::Garbled,
    }
}
