//! The first contact of a run fails fast: a typing error must not wait for an hour.

use std::time::Duration;

use crate::error::Sort;
use crate::http::Wire;
use crate::{Break, Error, Kind, Reply, url};

use super::{Notice, Session, Until};

/// How often the first connection is tried.
const TRIES: u32 = 3;
/// The pause between two of these tries.
const PAUSE: Duration = Duration::from_millis(200);

impl Session<'_> {
    /// Sends once within `until`. Before any server has answered, a refused connection, an unknown host and a TLS
    /// error are final after three quick tries, or once `connect_wait` is over.
    pub(super) fn exchange(&self, wire: &Wire<'_>, until: Until) -> Result<Reply, Error> {
        let mut tries = 0;
        loop {
            let timeout = until.left(self.clock.now());
            if timeout.is_zero() {
                let error = Error::new(
                    Kind::Deadline,
                    format!("no time is left to ask {}", url::shown(wire.url)),
                );
                return Err(error.with_break(Break::TimedOut).with_sort(Sort::Transient));
            }
            let error = match self.http.send(self.clock, &Wire { timeout, ..*wire }) {
                Ok(reply) => {
                    self.reached.set(true);
                    return Ok(reply);
                }
                Err(error) if !self.reached.get() && is_fast(error.broke()) => error,
                Err(error) => {
                    // Whoever was connected to is there.
                    let there = matches!(error.broke(), Some(Break::Reset | Break::Garbled));
                    self.reached.set(self.reached.get() || there);
                    return Err(error);
                }
            };
            tries += 1;
            if !self.options.connect_wait.is_zero() {
                let waited = self.clock.now().saturating_sub(self.began);
                let is_over = waited >= self.options.connect_wait;
                return Err(error.with_sort(if is_over {
                    Sort::Fatal
                } else {
                    Sort::Transient
                }));
            }
            if tries >= TRIES {
                return Err(hinted(error, wire.url).with_sort(Sort::Fatal));
            }
            let pause = PAUSE.min(until.left(self.clock.now()));
            (self.notices)(Notice::Retry {
                what: url::shown(wire.url),
                error: error.clone(),
                in_a_row: tries,
                pause: Some(pause),
            });
            self.clock.sleep(pause);
        }
    }
}

fn is_fast(broke: Option<Break>) -> bool {
    matches!(
        broke,
        Some(Break::Refused | Break::UnknownHost | Break::Tls | Break::Proxy)
    )
}

fn hinted(error: Error, target: &str) -> Error {
    let (root, _) = url::split(target);
    let hint = match (error.broke(), error.hint()) {
        (_, Some(hint)) => hint.to_owned(),
        (Some(Break::UnknownHost), None) => format!("check the name in {}", url::shown(root)),
        (Some(Break::Proxy), None) => {
            "check HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY".to_owned()
        }
        _ => format!(
            "check {}, or let --connect-wait wait for it to come up",
            url::shown(root)
        ),
    };
    error.with_hint(hint)
}
