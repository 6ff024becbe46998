//! The faults: how each is brought about at one request, once or from there on.

use std::sync::OnceLock;
use std::time::Duration;

use sim_cloud::{Answer, Certificate, Fault, Retry, Service, Tls, Turn, When, secs};

use crate::harness::World;
use crate::step::{Program, Step};

/// How a fault is made.
#[derive(Debug, Clone)]
pub(crate) enum How {
    /// The answer is spoilt.
    Answer(Fault),
    /// A redirect to a place on another host; `https` in the cloud, `http` there if so said.
    Elsewhere { from_tls: bool },
    /// A redirect to the very path of the request at another host.
    SamePathElsewhere,
    /// The token has died.
    Expire,
    /// Nobody listens.
    Refuse,
    /// Another certificate is shown.
    Certify(Certificate),
    /// The whole cloud is at `::1`.
    Ipv6,
    /// The client's key is not that of its certificate: nothing is sent.
    WrongKey,
    /// The server asks for a certificate and trusts no such authority.
    StrangeClient,
}

/// How long it takes a hanging server to be given up in this suite: real time, so it is short.
pub(crate) const REQUEST_TIMEOUT: &str = "250ms";

/// By the name that the table calls it.
pub(crate) fn named(name: &str) -> How {
    let answer = How::Answer;
    match name {
        "refused" => How::Refuse,
        "expired" => How::Expire,
        "reset-before" => answer(Fault::ResetBefore),
        "reset-after" => answer(Fault::ResetAfter),
        "closed" => answer(Fault::Closed),
        "hang" => answer(Fault::Hang),
        "hang-after" => answer(Fault::HangAfter),
        "slow-head" => answer(Fault::SlowHead(Duration::from_millis(100))),
        "slow-body" => answer(Fault::Trickle(Duration::from_millis(100))),
        "half-body" => answer(Fault::HalfBody),
        "stalled-body" => answer(Fault::StallBody),
        "spaces" => answer(Fault::Spaces(64 << 20)),
        "broken-json" => answer(Fault::BrokenJson),
        "other-json" => answer(Fault::OtherJson),
        "html-502" => answer(Fault::Html(502)),
        "html-404" => answer(Fault::Html(404)),
        "empty-200" => answer(Fault::Empty),
        "garbage" => answer(Fault::Garbage),
        "401" | "403" | "404" | "408" | "425" | "500" | "502" | "504" => {
            answer(Fault::Status(name.parse().unwrap()))
        }
        "taken-504" => answer(Fault::TakenStatus(504)),
        "429" => answer(Fault::Throttle(429, Retry::Unsaid)),
        "429-seconds" => answer(Fault::Throttle(429, Retry::Seconds(7))),
        "429-date" => answer(Fault::Throttle(429, Retry::Date(secs(7)))),
        "503" => answer(Fault::Throttle(503, Retry::Unsaid)),
        "503-seconds" => answer(Fault::Throttle(503, Retry::Seconds(7))),
        "503-date" => answer(Fault::Throttle(503, Retry::Date(secs(7)))),
        "redirect-loop" => answer(Fault::RedirectLoop),
        "redirect-host" => How::Elsewhere { from_tls: false },
        "redirect-path" => How::SamePathElsewhere,
        "redirect-http" => How::Elsewhere { from_tls: true },
        "gzip" => answer(Fault::Gzip),
        "chunked" => answer(Fault::Chunked),
        "close-each" => answer(Fault::CloseAfter),
        "ipv6" => How::Ipv6,
        "tls-expired" => How::Certify(Certificate::Expired),
        "tls-name" => How::Certify(Certificate::WrongName),
        "tls-unknown" => How::Certify(Certificate::UnknownAuthority),
        "tls-client" => How::StrangeClient,
        "tls-key" => How::WrongKey,
        other => panic!("no fault is called {other}"),
    }
}

impl How {
    pub(crate) fn is_hang(&self) -> bool {
        use Fault::{Hang, HangAfter, SlowHead, StallBody, Trickle};
        matches!(
            self,
            Self::Answer(Hang | HangAfter | SlowHead(_) | StallBody | Trickle(_))
        )
    }

    /// Whether a 200 says that a change was taken which was not.
    pub(crate) fn lies(&self) -> bool {
        use Fault::{Empty, OtherJson, Spaces};
        matches!(self, Self::Answer(Spaces(_) | OtherJson | Empty))
    }

    /// Whether it costs time to read.
    pub(crate) fn is_big(&self) -> bool {
        matches!(self, Self::Answer(Fault::Spaces(_)))
    }

    pub(crate) fn tls(&self) -> Option<&'static Tls> {
        let needed = matches!(
            self,
            Self::Elsewhere { from_tls: true }
                | Self::Certify(_)
                | Self::WrongKey
                | Self::StrangeClient
        );
        needed.then(good)
    }

    pub(crate) fn host(&self) -> &'static str {
        match self {
            Self::Ipv6 => "::1",
            _ => "127.0.0.1",
        }
    }

    /// Brings it about at the request of this number (of those of its service: `nth`), from there on if it `stays`.
    pub(crate) fn strike(&self, world: &mut World, place: &Place<'_>) {
        let service = place.step.service(place.program);
        let when = match service {
            Service::Keystone => When::keystone(),
            Service::Heat => When::heat(),
            Service::Manila => When::manila(),
        };
        let when = if place.stays {
            when.after(place.nth)
        } else {
            when.nth(place.nth + 1)
        };
        // Longer than three quick tries take, or than any deadline here.
        let span = if place.stays {
            secs(36_000)
        } else {
            Duration::from_millis(300)
        };
        match self {
            Self::Answer(fault) => world.answer(when, Answer::fault(fault.clone())),
            Self::Elsewhere { .. } => {
                let place = format!("{}/login/{}", place.elsewhere, place.mark);
                world.fault(when, Fault::Redirect(302, place));
            }
            Self::SamePathElsewhere => {
                let place = format!("{}{}?mark={}", place.elsewhere, place.path, place.mark);
                world.fault(when, Fault::Redirect(307, place));
            }
            Self::Expire => world.turn(place.at, Turn::Expire),
            Self::Refuse => world.turn(place.at, Turn::Refuse(service, span)),
            Self::Certify(sort) => {
                let bad = good().another(*sort).unwrap();
                world.turn(place.at, Turn::Certify(service, bad, span));
            }
            Self::StrangeClient => {
                let asking = good().another(Certificate::AsksForClient).unwrap();
                self.dress(world, asking.strange_client());
                world.turn(place.at, Turn::Certify(service, asking, span));
            }
            Self::WrongKey => {
                let (certificate, _) = good().client();
                let (_, key) = good().strange_client();
                self.dress(world, (certificate, key));
            }
            Self::Ipv6 => {}
        }
    }

    fn dress(&self, world: &mut World, (certificate, key): (&str, &str)) {
        for (variable, file, text) in [
            ("OS_CERT", "client.pem", certificate),
            ("OS_KEY", "client.key", key),
        ] {
            let path = format!("/somewhere/{file}");
            world.env.insert(variable.to_owned(), path.clone());
            world.files.insert(path.into(), text.as_bytes().to_vec());
        }
    }
}

/// The certificates of a cloud that nothing is wrong with: made once, they cost more than a cell.
fn good() -> &'static Tls {
    static GOOD: OnceLock<Tls> = OnceLock::new();
    GOOD.get_or_init(|| Tls::new(Certificate::Good).unwrap())
}

/// Where a fault strikes.
pub(crate) struct Place<'p> {
    pub(crate) program: Program,
    pub(crate) step: Step,
    pub(crate) stays: bool,
    /// So many requests came before it.
    pub(crate) at: usize,
    /// So many of them to the same service.
    pub(crate) nth: usize,
    pub(crate) path: &'p str,
    /// Another host.
    pub(crate) elsewhere: &'p str,
    /// Told to that host by whoever follows.
    pub(crate) mark: &'p str,
}
