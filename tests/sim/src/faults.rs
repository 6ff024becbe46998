//! What can go wrong between a client and a cloud.

use std::time::Duration;

use serde_json::json;

use crate::config::Service;
use crate::response::Response;
use crate::time::Time;
use crate::wire::Request;
use crate::{heat, keystone, manila};

/// How long a service asks the client to stay away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// No `Retry-After`.
    Unsaid,
    /// `Retry-After: 20`.
    Seconds(u64),
    /// An HTTP date that far after the answer's own `Date`.
    Date(Duration),
}

/// One fault. "Taken" says whether the service acts on the request.
///
/// A *refused* connection is no answer to a request: see [`Cloud::down`](crate::Cloud::down).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The connection is reset; the request is not taken. Over TLS the connection just ends.
    ResetBefore,
    /// The request is taken, then the connection is reset.
    ResetAfter,
    /// The connection ends in order without a byte of an answer; not taken. What a kept
    /// connection looks like that the server has closed.
    Closed,
    /// Not taken, and nothing ever comes; the connection stays open until the client leaves.
    Hang,
    /// Taken, and nothing ever comes.
    HangAfter,
    /// Taken; the head comes one byte at a time with this pause (of real time).
    SlowHead(Duration),
    /// Taken; the head and half the body, then the connection ends.
    HalfBody,
    /// Taken; the head and half the body, then nothing more.
    StallBody,
    /// Taken; the body comes one byte at a time with this pause (of real time).
    Trickle(Duration),
    /// Not taken; a 200 whose body is this many spaces: `64 << 20`.
    Spaces(u64),
    /// Taken; JSON that breaks off although its length is as announced.
    BrokenJson,
    /// Not taken; 200 and JSON of another shape: `{"unexpected": []}`.
    OtherJson,
    /// Not taken; the HTML page of a proxy with this status.
    Html(u16),
    /// Not taken; 200 without a body.
    Empty,
    /// Not taken; this status in the service's own words. 401, 403 and 404 have their recorded shapes.
    Status(u16),
    /// Not taken; this status (413, 429, 503) with or without `Retry-After`.
    Throttle(u16, Retry),
    /// Taken; a 5xx all the same (Heat's MessagingTimeout).
    TakenStatus(u16),
    /// Not taken; a redirect to the very same URL.
    RedirectLoop,
    /// Not taken; a redirect with this status to this place: another host, another scheme.
    Redirect(u16, String),
    /// Taken; the body is gzipped although nobody asked for it.
    Gzip,
    /// Taken; the body comes in chunks.
    Chunked,
    /// Taken; a good answer, then the connection ends without `Connection: close` having said so.
    /// A client that is quick meets the dead connection with its next request, a slow one sees it
    /// in time; [`Fault::Closed`] on the second request is the former for sure.
    CloseAfter,
    /// Not taken; bytes that are no HTTP.
    Garbage,
}

/// How an answer goes out.
pub(crate) enum Delivery {
    Whole(Response),
    /// Head and so many bytes of the body, then the end or silence.
    Part(Response, usize, End),
    /// One byte at a time: the head, or the body only.
    Slow(Response, bool, Duration),
    Chunks(Response),
    Spaces(u64),
    Garbage,
    Nothing(End),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Close,
    Reset,
    Hold,
}

/// Applies a fault. `taken` gives the good answer and makes the service act on the request.
pub(crate) fn spoil(
    fault: &Fault,
    service: Service,
    request: &Request,
    time: &Time,
    taken: impl FnOnce() -> Response,
) -> Delivery {
    match fault {
        Fault::ResetBefore => Delivery::Nothing(End::Reset),
        Fault::ResetAfter => {
            taken();
            Delivery::Nothing(End::Reset)
        }
        Fault::Closed => Delivery::Nothing(End::Close),
        Fault::Hang => Delivery::Nothing(End::Hold),
        Fault::HangAfter => {
            taken();
            Delivery::Nothing(End::Hold)
        }
        Fault::SlowHead(pause) => Delivery::Slow(taken(), true, *pause),
        Fault::HalfBody => half(taken(), End::Close),
        Fault::StallBody => half(taken(), End::Hold),
        Fault::Trickle(pause) => Delivery::Slow(taken(), false, *pause),
        Fault::Spaces(count) => Delivery::Spaces(*count),
        Fault::BrokenJson => {
            let mut reply = taken();
            reply
                .body
                .truncate(reply.body.len().saturating_sub(2).max(1));
            Delivery::Whole(reply)
        }
        Fault::OtherJson => Delivery::Whole(Response::json(200, &json!({"unexpected": []}))),
        Fault::Html(status) => Delivery::Whole(Response::html(*status)),
        Fault::Empty => {
            Delivery::Whole(Response::new(200).header("Content-Type", "application/json"))
        }
        Fault::Status(status) => Delivery::Whole(refusal(service, request, *status)),
        Fault::Throttle(status, retry) => {
            Delivery::Whole(throttled(refusal(service, request, *status), *retry, time))
        }
        Fault::TakenStatus(status) => {
            taken();
            Delivery::Whole(refusal(service, request, *status))
        }
        Fault::RedirectLoop => Delivery::Whole(redirect(
            302,
            &format!("{}{}", request.base(), target(request)),
        )),
        Fault::Redirect(status, place) => Delivery::Whole(redirect(*status, place)),
        Fault::Gzip => {
            let reply = taken();
            let body = gzipped(&reply.body);
            Delivery::Whole(reply.header("Content-Encoding", "gzip").body(body))
        }
        Fault::Chunked => Delivery::Chunks(taken()),
        Fault::CloseAfter => {
            let reply = taken();
            let length = reply.body.len();
            Delivery::Part(reply, length, End::Close)
        }
        Fault::Garbage => Delivery::Garbage,
    }
}

/// A status in the words and the shape of the service.
pub(crate) fn refusal(service: Service, request: &Request, status: u16) -> Response {
    match service {
        Service::Keystone => keystone::refusal(request, status),
        Service::Heat => heat::errors::as_accepted(heat::errors::by_status(status), request),
        Service::Manila => manila::errors::by_status(status),
    }
}

fn half(reply: Response, end: End) -> Delivery {
    let length = reply.body.len() / 2;
    Delivery::Part(reply, length, end)
}

fn throttled(reply: Response, retry: Retry, time: &Time) -> Response {
    let now = time.now();
    match retry {
        Retry::Unsaid => reply,
        Retry::Seconds(seconds) => reply.header("Retry-After", seconds.to_string()),
        Retry::Date(after) => reply
            .header("Date", time.http_date(now))
            .header("Retry-After", time.http_date(now + after)),
    }
}

pub(crate) fn redirect(status: u16, place: &str) -> Response {
    Response::json(status, &json!({"message": format!("The resource was found at <a href=\"{place}\">{place}</a>;\nyou should be redirected automatically.\n\n"), "code": "302 Found", "title": "Found"}))
        .header("Location", place)
}

fn target(request: &Request) -> String {
    if request.query.is_empty() {
        request.path.clone()
    } else {
        format!("{}?{}", request.path, request.query)
    }
}

/// A gzip file (RFC 1952) of stored blocks (RFC 1951, 3.2.4): right to read, not smaller.
fn gzipped(body: &[u8]) -> Vec<u8> {
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    let mut blocks = body.chunks(0xffff).peekable();
    if blocks.peek().is_none() {
        out.extend([1, 0, 0, 0xff, 0xff]);
    }
    while let Some(block) = blocks.next() {
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        out.push(u8::from(blocks.peek().is_none()));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(block);
    }
    let sum = body.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            if sum & 1 == 1 {
                (sum >> 1) ^ 0xedb8_8320
            } else {
                sum >> 1
            }
        })
    });
    out.extend((!sum).to_le_bytes());
    out.extend(u32::try_from(body.len()).unwrap_or(u32::MAX).to_le_bytes());
    out
}
