use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use poll_core::{FakeClock, SystemClock};
use serde_json::json;

use super::server::{Answer, Seen, Server, say};
use super::*;
use crate::settings::tests::Memory;
use crate::{Break, ORCHESTRATION, SHARED_FILE_SYSTEM, Sources, Taken, classify};

/// A cloud of one server; the script answers what is not about tokens.
struct Cloud {
    server: Server,
    /// What signing in answers next; a token where it is empty.
    sign_in: Arc<Mutex<Vec<Answer>>>,
}

fn token(number: usize, life: u32, url: &str) -> Answer {
    let body = json!({"token": {
        "issued_at": "2031-01-01T09:00:00.000000Z",
        "expires_at": format!("2031-01-01T{:02}:{:02}:{:02}.000000Z", 9 + life / 3600, life / 60 % 60, life % 60),
        "project": {"id": "p1"},
        "catalog": [{"type": "orchestration", "endpoints": [{"interface": "public", "region": "A", "url": format!("{url}/heat/v1/p1/")}]}],
    }});
    Answer::Say(
        201,
        vec![("X-Subject-Token", format!("token-{number}"))],
        body.to_string(),
    )
}

impl Cloud {
    fn new(life: u32, mut script: impl FnMut(&Seen) -> Answer + Send + 'static) -> Self {
        let sign_in = Arc::new(Mutex::new(Vec::<Answer>::new()));
        let (queue, mut given) = (Arc::clone(&sign_in), 0);
        let server = Server::new(move |seen| {
            if !seen.line.contains("/v3") {
                return script(seen);
            }
            let host = seen.header("host").unwrap();
            let mut queue = queue.lock().unwrap();
            if queue.is_empty() {
                given += 1;
                return token(given, life, &format!("http://{host}"));
            }
            queue.remove(0)
        });
        Self { server, sign_in }
    }

    fn will_sign_in(self, answers: &[Answer]) -> Self {
        self.sign_in.lock().unwrap().extend(answers.iter().cloned());
        self
    }

    fn heat(&self) -> String {
        format!("{}/heat/v1/p1", self.server.url)
    }
}

fn settings(pairs: &[(&str, &str)]) -> Settings {
    let flags: BTreeMap<String, String> = pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect();
    let env = BTreeMap::new();
    Settings::load(&Sources {
        flags: &flags,
        env: &env,
        files: &Memory::default(),
        cwd: Path::new("/"),
    })
    .unwrap()
}

fn options() -> Options {
    Options {
        request_timeout: Duration::from_secs(5),
        ..Options::new("test/1", Policy::default())
    }
}

/// A session with a password, its notices in `told`.
fn session<'a>(
    url: &str,
    clock: &'a dyn Clock,
    options: Options,
    told: &'a RefCell<Vec<Notice>>,
) -> Session<'a> {
    let auth_url = format!("{url}/v3");
    let settings = settings(&[
        ("auth_url", &auth_url),
        ("username", "alice"),
        ("password", "s3cret"),
        ("project_name", "p"),
    ]);
    session_with(settings, clock, options, told)
}

fn session_with<'a>(
    settings: Settings,
    clock: &'a dyn Clock,
    options: Options,
    told: &'a RefCell<Vec<Notice>>,
) -> Session<'a> {
    let tell = Box::new(|notice| told.borrow_mut().push(notice));
    Session::new(settings, options, clock, &Memory::default(), tell).unwrap()
}

/// A port where nobody listens.
fn nobody() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

mod connections;
mod endpoints;
mod proxies;
mod redirects;
mod signing_in;
mod tls;
