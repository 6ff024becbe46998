//! The listeners: one thread a service, one a connection.

use std::io;
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use rustls::ServerConfig;

use crate::config::{Config, Service};
use crate::faults::{self, Delivery, End};
use crate::log::Seen;
use crate::models::Models;
use crate::outage::{Switch, Turn};
use crate::port::{listen, wake};
use crate::response::Response;
use crate::script::{Answer, Rules};
use crate::time::Time;
use crate::wire::{Connection, Request};

/// What a waiting client is ahead of the thread that keeps it waiting.
const HEAD_START: Duration = Duration::from_millis(20);

/// What all threads of a cloud share.
pub(crate) struct Shared {
    pub(crate) config: Config,
    pub(crate) models: Mutex<Models>,
    pub(crate) rules: Mutex<Rules>,
    pub(crate) log: Mutex<Vec<Seen>>,
    connections: Mutex<Vec<(Service, Weak<TcpStream>)>>,
    counter: AtomicU64,
    requests: AtomicU64,
    /// What each service shows a client that connects, as it is now.
    tls: Mutex<[Option<Arc<ServerConfig>>; 3]>,
    pub(crate) switches: Mutex<Vec<Switch>>,
    turns: Mutex<Vec<(usize, Turn)>>,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    pub(crate) fn new(config: Config, models: Models) -> Self {
        let tls = config.tls.as_ref().map(|tls| tls.server.clone());
        Self {
            tls: Mutex::new([tls.clone(), tls.clone(), tls]),
            switches: Mutex::default(),
            turns: Mutex::default(),
            config,
            models: Mutex::new(models),
            rules: Mutex::default(),
            log: Mutex::default(),
            connections: Mutex::default(),
            counter: AtomicU64::new(0),
            requests: AtomicU64::new(0),
        }
    }

    /// Ends every open connection of a service.
    pub(crate) fn hang_up(&self, service: Service) {
        for (owner, socket) in lock(&self.connections).iter() {
            if *owner == service {
                if let Some(socket) = socket.upgrade() {
                    let _ = socket.shutdown(Shutdown::Both);
                }
            }
        }
    }

    fn certificate(&self, service: Service) -> Option<Arc<ServerConfig>> {
        let [keystone, heat, manila] = &*lock(&self.tls);
        match service {
            Service::Keystone => keystone,
            Service::Heat => heat,
            Service::Manila => manila,
        }
        .clone()
    }

    /// Shows this certificate to whoever connects from now on, and ends every open connection of the service.
    pub(crate) fn certify(&self, service: Service, tls: Option<Arc<ServerConfig>>) {
        {
            let [keystone, heat, manila] = &mut *lock(&self.tls);
            *match service {
                Service::Keystone => keystone,
                Service::Heat => heat,
                Service::Manila => manila,
            } = tls;
        }
        self.hang_up(service);
    }

    /// Plans a turn for when so many requests have come.
    pub(crate) fn turn(&self, requests: usize, turn: Turn) {
        lock(&self.turns).push((requests, turn));
        self.take_turns(lock(&self.log).len());
    }

    /// The client's clock throws the switches: it is looked at once the client has the answer that is being given, and
    /// before it asks again.
    fn take_turns(&self, requests: usize) {
        let mut turns = lock(&self.turns);
        let (due, later) = turns.drain(..).partition(|(count, _)| *count <= requests);
        *turns = later;
        let now = self.config.time.now();
        let good = self.config.tls.as_ref().map(|tls| tls.server.clone());
        let due: Vec<(usize, Turn)> = due;
        let mut switches = lock(&self.switches);
        for (_, turn) in due {
            switches.extend(turn.switches(now, good.clone()));
        }
        switches.sort_by_key(|switch| switch.at);
    }

    fn serve(&self, service: Service, socket: Arc<TcpStream>) {
        let number = self.counter.fetch_add(1, Ordering::Relaxed) + 1;
        let Ok(mut connection) = Connection::new(socket, self.certificate(service).as_ref()) else {
            return;
        };
        while let Some(request) = connection.request() {
            if !self.answer(service, number, &request, &mut connection) {
                return;
            }
        }
    }

    /// Answers one request; false when the connection has to end.
    fn answer(
        &self,
        service: Service,
        connection_number: u64,
        request: &Request,
        connection: &mut Connection,
    ) -> bool {
        let time = &self.config.time;
        time.pass(self.config.latency);
        let at = time.now();
        let entry = {
            let mut log = lock(&self.log);
            log.push(Seen {
                time: at,
                service,
                connection: connection_number,
                request: request.clone(),
                status: None,
            });
            log.len() - 1
        };
        self.take_turns(entry + 1);
        let decided = lock(&self.rules).decide(service, request, at);
        let Answer {
            reply,
            fault,
            takes,
        } = decided.unwrap_or_default();
        time.pass(takes);
        let good =
            || reply.unwrap_or_else(|| lock(&self.models).answer(&self.config, service, request));
        let mut delivery = match &fault {
            None => Delivery::Whole(good()),
            Some(fault) => faults::spoil(fault, service, request, time, good),
        };
        match &mut delivery {
            Delivery::Whole(reply) | Delivery::Part(reply, ..) | Delivery::Slow(reply, ..) => {
                self.dress(service, reply);
                if !matches!(reply.status, 204 | 304) && !reply.has("content-length") {
                    reply
                        .headers
                        .push(("Content-Length".to_owned(), reply.body.len().to_string()));
                }
            }
            Delivery::Chunks(reply) => {
                self.dress(service, reply);
                reply
                    .headers
                    .push(("Transfer-Encoding".to_owned(), "chunked".to_owned()));
            }
            _ => {}
        }
        let status = match &delivery {
            Delivery::Whole(reply)
            | Delivery::Part(reply, ..)
            | Delivery::Slow(reply, ..)
            | Delivery::Chunks(reply) => Some(reply.status),
            Delivery::Spaces(_) => Some(200),
            Delivery::Garbage | Delivery::Nothing(_) => None,
        };
        if let Some(seen) = lock(&self.log).get_mut(entry) {
            seen.status = status;
        }
        let said = matches!(&delivery, Delivery::Whole(reply) if reply.has("connection"));
        let asked = request
            .header("connection")
            .is_some_and(|value| value.eq_ignore_ascii_case("close"));
        let paced = self.config.paced.then_some(time);
        let goes_on = deliver(delivery, request, connection, paced).unwrap_or(false);
        if goes_on && (asked || said) {
            connection.finish();
            return false;
        }
        goes_on
    }

    /// The headers that every answer of a service has.
    fn dress(&self, service: Service, reply: &mut Response) {
        let number = self.requests.fetch_add(1, Ordering::Relaxed) + 1;
        let id = format!("req-{number:08x}-0000-4000-8000-{number:012x}");
        let reply_status = reply.status;
        let mut add = |name: &str, value: String| {
            if !reply.has(name) {
                reply.headers.push((name.to_owned(), value));
            }
        };
        add("Date", self.config.time.http_date(self.config.time.now()));
        add("Server", "waitress".to_owned());
        add("X-Openstack-Request-Id", id.clone());
        if service == Service::Keystone {
            add("Vary", "X-Auth-Token".to_owned());
        }
        // Heat behind waitress ends the connection after an answer without a body.
        if self.config.close_each || reply_status == 204 {
            add("Connection", "close".to_owned());
        }
        // Manila repeats the id where it says so.
        for (name, value) in &mut reply.headers {
            if name == "X-Compute-Request-Id" {
                value.clone_from(&id);
            }
        }
    }
}

/// Sends an answer; true when the connection can take another request.
fn deliver(
    delivery: Delivery,
    request: &Request,
    connection: &mut Connection,
    paced: Option<&Time>,
) -> io::Result<bool> {
    let bodiless = request.method == "HEAD";
    match delivery {
        Delivery::Whole(reply) => {
            let mut bytes = reply.head().into_bytes();
            if !bodiless {
                bytes.extend(&reply.body);
            }
            connection.send(&bytes)?;
            return Ok(true);
        }
        Delivery::Part(reply, length, end) => {
            connection.send(reply.head().as_bytes())?;
            connection.send(reply.body.get(..length).unwrap_or_default())?;
            finish(connection, end, paced);
        }
        Delivery::Slow(reply, head, pause) => {
            let text = reply.head();
            if !head {
                connection.send(text.as_bytes())?;
            }
            let slow = if head { text.as_bytes() } else { &reply.body };
            pass(paced, HEAD_START);
            for byte in slow {
                connection.send(&[*byte])?;
                if !connection.hold(pause, &mut |span| pass(paced, span)) {
                    return Ok(false);
                }
            }
            if head {
                connection.send(&reply.body)?;
            }
            return Ok(true);
        }
        Delivery::Chunks(reply) => {
            connection.send(reply.head().as_bytes())?;
            for chunk in reply.body.chunks(reply.body.len().div_ceil(3).max(1)) {
                connection.send(format!("{:x}\r\n", chunk.len()).as_bytes())?;
                connection.send(chunk)?;
                connection.send(b"\r\n")?;
            }
            connection.send(b"0\r\n\r\n")?;
            return Ok(true);
        }
        Delivery::Spaces(count) => {
            connection.send(format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {count}\r\n\r\n").as_bytes())?;
            let block = [b' '; 64 * 1024];
            let mut left = count;
            while left > 0 {
                let now = left.min(block.len() as u64);
                connection.send(
                    block
                        .get(..usize::try_from(now).unwrap_or(0))
                        .unwrap_or_default(),
                )?;
                left -= now;
            }
            return Ok(true);
        }
        Delivery::Garbage => {
            connection.send(b"SSH-2.0-OpenSSH_9.2\r\n")?;
            connection.finish();
        }
        Delivery::Nothing(end) => finish(connection, end, paced),
    }
    Ok(false)
}

/// A little faster than it does, so that a client that has waited in vain until a point of its own clock finds that the
/// cloud's has come there as well.
fn pass(paced: Option<&Time>, span: Duration) {
    paced.inspect(|time| time.pass(span * 21 / 20));
}

fn finish(connection: &mut Connection, end: End, paced: Option<&Time>) {
    match end {
        End::Close => connection.finish(),
        // The last byte of the request is still unread: dropping the socket resets it.
        End::Reset => {}
        End::Hold => {
            pass(paced, HEAD_START);
            connection.hold(Duration::MAX, &mut |span| pass(paced, span));
        }
    }
}

/// The three doors of a cloud.
pub(crate) struct Doors {
    pub(crate) keystone: Door,
    pub(crate) heat: Door,
    pub(crate) manila: Door,
}

impl Doors {
    pub(crate) fn of(&self, service: Service) -> &Door {
        match service {
            Service::Keystone => &self.keystone,
            Service::Heat => &self.heat,
            Service::Manila => &self.manila,
        }
    }
}

/// One listening socket and its thread.
pub(crate) struct Door {
    pub(crate) address: SocketAddr,
    service: Service,
    open: Mutex<Option<Arc<AtomicBool>>>,
}

impl Door {
    /// Opens a free port of that address.
    pub(crate) fn open(service: Service, ip: IpAddr, shared: &Arc<Shared>) -> io::Result<Self> {
        let listener = listen(ip)?;
        let address = listener.local_addr()?;
        let door = Self {
            address,
            service,
            open: Mutex::new(None),
        };
        door.listen(listener, shared);
        Ok(door)
    }

    /// Opens the same port again after it was shut.
    pub(crate) fn reopen(&self, shared: &Arc<Shared>) -> io::Result<()> {
        if lock(&self.open).is_none() {
            self.listen(TcpListener::bind(self.address)?, shared);
        }
        Ok(())
    }

    /// Stops listening: from now on connections are refused; the open ones end.
    pub(crate) fn shut(&self, shared: &Shared) {
        let Some(open) = lock(&self.open).take() else {
            return;
        };
        open.store(false, Ordering::SeqCst);
        wake(self.address);
        shared.hang_up(self.service);
    }

    fn listen(&self, listener: TcpListener, shared: &Arc<Shared>) {
        let open = Arc::new(AtomicBool::new(true));
        *lock(&self.open) = Some(open.clone());
        let (service, shared) = (self.service, shared.clone());
        thread::spawn(move || {
            loop {
                let Ok((socket, _)) = listener.accept() else {
                    continue;
                };
                if !open.load(Ordering::SeqCst) {
                    drop(listener);
                    return;
                }
                let socket = Arc::new(socket);
                {
                    let mut connections = lock(&shared.connections);
                    connections.retain(|(_, socket)| socket.strong_count() > 0);
                    connections.push((service, Arc::downgrade(&socket)));
                }
                let shared = shared.clone();
                thread::spawn(move || shared.serve(service, socket));
            }
        });
    }
}
