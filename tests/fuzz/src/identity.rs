//! Signing in, and answers as such: status, headers, messages, redirects, dates.

use std::time::Duration;

use os_identity::{Reply, classify, inside, redact, service_message};
use poll_core::Fault;

use crate::{answer, parts};

const ASKED: &str = "https://cloud.example:5000/identity";

/// The body of a sign-in's answer or of a version document. Discovery never leads to another server.
pub(crate) fn keystone(data: &[u8]) {
    let mut reply = answer(201, data);
    reply
        .headers
        .push(("x-subject-token".to_owned(), "t".to_owned()));
    for region in [None, Some("RegionOne")] {
        if let Ok(endpoints) = inside::endpoints(&reply, region) {
            for endpoint in endpoints.into_iter().flatten() {
                assert!(!endpoint.ends_with('/'), "{endpoint}");
            }
        }
    }
    reply.status = 300;
    let found = inside::version_3(ASKED, &reply);
    assert!(
        found.starts_with("https://cloud.example:5000/"),
        "discovery leads to {found}"
    );
}

/// An answer as curl shows it: a line with the status, headers, an empty line, the body. It is sorted as its status
/// demands, and no redirect leads to another server.
pub(crate) fn reply(data: &[u8]) {
    let text = String::from_utf8_lossy(data).replace("\r\n", "\n");
    let (head, body) = text.split_once("\n\n").unwrap_or((&text, ""));
    let mut lines = head.lines();
    let status = lines
        .next()
        .and_then(|line| line.split(' ').find_map(|word| word.parse().ok()));
    let reply = Reply {
        status: status.unwrap_or(200),
        headers: lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect(),
        ..answer(0, body.as_bytes())
    };
    let _ = (
        service_message(&reply),
        reply.request_id(),
        redact::reply_body(&reply.body),
    );
    let asked = "https://cloud.example/heat/v1/p/stacks/web";
    if let Some(target) = inside::followed(asked, &reply) {
        assert!(
            target.starts_with("https://cloud.example/"),
            "a redirect leads to {target}"
        );
    }
    let status = reply.status;
    match classify(Ok(reply), Duration::ZERO) {
        Ok(_) => assert!(matches!(status, 200..=399 | 404), "{status} is no fault"),
        Err(Fault::Refused(_)) => assert!(matches!(status, 401 | 403), "{status} is a refusal"),
        Err(Fault::Throttled(..)) => {
            assert!(matches!(status, 413 | 429 | 503), "{status} throttles")
        }
        Err(Fault::Fatal(_)) => assert!(matches!(status, 400..=499), "{status} is final"),
        Err(Fault::Transient(_)) => assert!(!matches!(status, 200..=399), "{status} may pass"),
    }
}

/// Parts: `Retry-After` and `Date`. Digits alone are seconds; a date that is past asks for nothing.
pub(crate) fn retry_after(data: &[u8]) {
    let [asked, date] = parts(data).map(|part| String::from_utf8_lossy(part).into_owned());
    let dates = inside::http_date(&asked).zip(inside::http_date(&date));
    let mut reply = answer(503, b"");
    reply.headers = vec![
        ("retry-after".to_owned(), asked.clone()),
        ("date".to_owned(), date),
    ];
    let found = inside::retry_after(&reply);
    match (asked.trim().parse::<u64>(), dates) {
        (Ok(seconds), _) => assert_eq!(found, Some(Duration::from_secs(seconds)), "{asked}"),
        (_, Some((until, from))) if until <= from => {
            assert_eq!(found, Some(Duration::ZERO), "{asked}")
        }
        _ => {}
    }
}
