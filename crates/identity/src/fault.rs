//! What is transient, what is final: one table.

use std::time::Duration;

use poll_core::Fault;

use crate::error::Sort;
use crate::{Error, Kind, Reply, http_date, service_message};

/// Sorts an answer.
///
/// `Ok`: 2xx, 3xx and the service's own 404 in JSON, which the caller judges. Everything else is a fault that carries
/// an error with status, request id and the service's words. `now` is the clock's time, for logs.
///
/// | answer | fault |
/// | --- | --- |
/// | no answer, 408, 425, 500, 502, 503, 504, other 5xx, a 404 that is not the service's own | transient |
/// | 429; 413 and 503 with a `Retry-After` that asks for time | throttled |
/// | 401, 403 without words, denied or naming a policy | refused: final when it lasts |
/// | other 4xx | fatal |
///
/// # Errors
/// What the engine needs to know.
pub fn classify(result: Result<Reply, Error>, now: Duration) -> Result<Reply, Fault<Error>> {
    let reply = match result {
        Ok(reply) => reply,
        Err(error) => {
            log::debug!("at {} ms: {}", now.as_millis(), error.chain());
            return Err(fault_of(error));
        }
    };
    if matches!(reply.status, 200..=399) || reply.status == 404 && is_own_json(&reply) {
        return Ok(reply);
    }
    let fault = fault_of(error_of(&reply));
    log::debug!("at {} ms: {}", now.as_millis(), fault.error().chain());
    Err(fault)
}

/// The error that an answer of status 400 or more means.
#[must_use]
pub(crate) fn error_of(reply: &Reply) -> Error {
    let words = service_message(reply);
    let message = match &words {
        Some(words) => format!("{words} (HTTP {})", reply.status),
        None => format!(
            "the service answers {} without a message",
            status_words(reply.status)
        ),
    };
    let (kind, sort) = sort_of(reply, words.as_deref());
    Error::new(kind, message)
        .with_answer(reply.status, reply.request_id())
        .with_sort(sort)
}

fn sort_of(reply: &Reply, words: Option<&str>) -> (Kind, Sort) {
    let asked = retry_after(reply);
    match reply.status {
        429 => (Kind::Unknown, Sort::Throttled(asked)),
        413 | 503 if asked.is_some_and(|asked| !asked.is_zero()) => {
            (Kind::Unknown, Sort::Throttled(asked))
        }
        401 => (Kind::Refused, Sort::Refused),
        403 if is_policy(words) => (Kind::Refused, Sort::Refused),
        404 if is_own_json(reply) => (Kind::NotFound, Sort::Fatal),
        404 | 408 | 425 | 500..=599 => (Kind::Unknown, Sort::Transient),
        400..=499 => (Kind::Rejected, Sort::Fatal),
        _ => (Kind::Unknown, Sort::Transient),
    }
}

/// 403 means a policy where it says nothing else: Manila answers it for wrong states, locks and dependents, too.
fn is_policy(words: Option<&str>) -> bool {
    let Some(words) = words else { return true };
    let lower = words.to_ascii_lowercase();
    lower.starts_with("access was denied")
        || lower == "forbidden"
        || lower.contains("policy")
        || lower.contains("not authorized")
        || lower.contains("not allowed to perform")
}

/// A JSON body says that the service itself has answered, and not something before it.
fn is_own_json(reply: &Reply) -> bool {
    serde_json::from_slice::<serde_json::Value>(&reply.body).is_ok_and(|body| body.is_object())
}

fn fault_of(error: Error) -> Fault<Error> {
    match error.sort() {
        Sort::Transient => Fault::Transient(error),
        Sort::Throttled(asked) => Fault::Throttled(error, asked),
        Sort::Refused => Fault::Refused(error),
        Sort::Fatal => Fault::Fatal(error),
    }
}

/// What `Retry-After` asks for: seconds, or a date that counts from the answer's own `Date`.
pub(crate) fn retry_after(reply: &Reply) -> Option<Duration> {
    let asked = reply.header("retry-after")?.trim();
    if let Ok(seconds) = asked.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let until = http_date::parse(asked)?;
    let from = http_date::parse(reply.header("date")?)?;
    // A date that is past asks for nothing.
    Some(Duration::try_from(until.duration_since(from)).unwrap_or_default())
}

fn status_words(status: u16) -> String {
    let words = ureq::http::StatusCode::from_u16(status)
        .ok()
        .and_then(|status| status.canonical_reason());
    words.map_or_else(|| status.to_string(), |words| format!("{status} {words}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Break, Taken};

    fn reply(status: u16, headers: &[(&str, &str)], body: &str) -> Reply {
        Reply {
            status,
            headers: headers
                .iter()
                .map(|(name, value)| ((*name).into(), (*value).into()))
                .collect(),
            body: body.as_bytes().to_vec(),
            url: "http://h/v1/p/stacks".into(),
        }
    }

    fn word(result: Result<Reply, Fault<Error>>) -> (&'static str, Option<Kind>) {
        match result {
            Ok(_) => ("ok", None),
            Err(fault) => {
                let word = match &fault {
                    Fault::Transient(_) => "transient",
                    Fault::Throttled(..) => "throttled",
                    Fault::Refused(_) => "refused",
                    Fault::Fatal(_) => "fatal",
                };
                (word, Some(fault.error().kind()))
            }
        }
    }

    const OWN: &str = r#"{"error": {"message": "gone"}}"#;
    const PAGE: &str = "<html>sorry</html>";

    #[test]
    fn the_table_of_answers() {
        for (status, headers, body, expected) in [
            (200, &[][..], "{}", ("ok", None)),
            (204, &[], "", ("ok", None)),
            (300, &[], "{}", ("ok", None)),
            (302, &[], "", ("ok", None)),
            (400, &[], OWN, ("fatal", Some(Kind::Rejected))),
            (401, &[], OWN, ("refused", Some(Kind::Refused))),
            (
                403,
                &[],
                r#"{"forbidden": {"message": "Access was denied to this resource."}}"#,
                ("refused", Some(Kind::Refused)),
            ),
            (
                403,
                &[],
                r#"{"error": {"type": "Forbidden"}}"#,
                ("refused", Some(Kind::Refused)),
            ),
            (
                403,
                &[],
                r#"{"error": {"message": "You are not authorized to use service:index."}}"#,
                ("refused", Some(Kind::Refused)),
            ),
            (
                403,
                &[],
                r#"{"error": {"message": "Policy doesn't allow share:delete to be performed."}}"#,
                ("refused", Some(Kind::Refused)),
            ),
            (
                403,
                &[],
                r#"{"forbidden": {"message": "Share status must be available."}}"#,
                ("fatal", Some(Kind::Rejected)),
            ),
            (404, &[], OWN, ("ok", None)),
            (404, &[], PAGE, ("transient", Some(Kind::Unknown))),
            (404, &[], "", ("transient", Some(Kind::Unknown))),
            (406, &[], OWN, ("fatal", Some(Kind::Rejected))),
            (408, &[], "", ("transient", Some(Kind::Unknown))),
            (409, &[], OWN, ("fatal", Some(Kind::Rejected))),
            (
                413,
                &[("retry-after", "0")],
                OWN,
                ("fatal", Some(Kind::Rejected)),
            ),
            (
                413,
                &[("retry-after", "7")],
                OWN,
                ("throttled", Some(Kind::Unknown)),
            ),
            (422, &[], OWN, ("fatal", Some(Kind::Rejected))),
            (425, &[], "", ("transient", Some(Kind::Unknown))),
            (429, &[], "", ("throttled", Some(Kind::Unknown))),
            (500, &[], OWN, ("transient", Some(Kind::Unknown))),
            (502, &[], PAGE, ("transient", Some(Kind::Unknown))),
            (503, &[], PAGE, ("transient", Some(Kind::Unknown))),
            (
                503,
                &[("retry-after", "3")],
                PAGE,
                ("throttled", Some(Kind::Unknown)),
            ),
            (504, &[], PAGE, ("transient", Some(Kind::Unknown))),
            (520, &[], PAGE, ("transient", Some(Kind::Unknown))),
        ] {
            assert_eq!(
                word(classify(Ok(reply(status, headers, body)), Duration::ZERO)),
                expected,
                "{status} {body}"
            );
        }
    }

    #[test]
    fn retry_after_is_seconds_or_a_date_against_the_answers_own_date() {
        let asked = |headers| retry_after(&reply(429, headers, ""));
        assert_eq!(
            asked(&[("retry-after", "20")]),
            Some(Duration::from_secs(20))
        );
        let dated = &[
            ("date", "Tue, 04 Mar 2031 10:00:00 GMT"),
            ("retry-after", "Tue, 04 Mar 2031 10:00:10 GMT"),
        ];
        assert_eq!(asked(dated), Some(Duration::from_secs(10)));
        let past = &[
            ("date", "Tue, 04 Mar 2031 10:00:20 GMT"),
            ("retry-after", "Tue, 04 Mar 2031 10:00:10 GMT"),
        ];
        assert_eq!(asked(past), Some(Duration::ZERO));
        assert_eq!(asked(&[("retry-after", "soon")]), None);
        assert_eq!(asked(&[]), None);
    }

    #[test]
    fn errors_carry_status_request_id_and_the_services_words() {
        let answer = reply(409, &[("x-openstack-request-id", "req-1")], OWN);
        let Err(Fault::Fatal(error)) = classify(Ok(answer), Duration::ZERO) else {
            panic!("not fatal")
        };
        assert_eq!(error.to_string(), "gone (HTTP 409)");
        assert_eq!(
            (error.status(), error.request_id(), error.taken()),
            (Some(409), Some("req-1"), Taken::No)
        );
    }

    #[test]
    fn a_broken_connection_is_transient_and_html_is_never_shown() {
        let broken = Error::new(Kind::Unknown, "connection reset")
            .with_break(Break::Reset)
            .with_sort(Sort::Transient);
        assert_eq!(word(classify(Err(broken), Duration::ZERO)).0, "transient");
        let Err(fault) = classify(Ok(reply(502, &[], PAGE)), Duration::ZERO) else {
            panic!("not a fault")
        };
        assert_eq!(
            fault.error().to_string(),
            "the service answers 502 Bad Gateway without a message"
        );
    }
}
