//! From `auth_url` to the v3 URL; pure.

use serde::Deserialize;
use serde_json::Value;

use crate::{Reply, url};

/// Where to go from `auth_url`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// It names the version: no question is needed.
    Known(String),
    /// Ask this URL for versions.
    Ask(String),
}

/// What `auth_url` says by itself. A version 2 in it is replaced by what discovery finds.
pub(crate) fn start(auth_url: &str) -> Start {
    let url = auth_url
        .split(['?', '#'])
        .next()
        .unwrap_or_default()
        .trim_end_matches('/');
    let (_, path) = url::split(url);
    match path.rsplit_once('/') {
        Some((_, "v3")) => Start::Known(url.to_owned()),
        Some((_, last)) if url::is_version(last) => {
            let parent = url.strip_suffix(last).unwrap_or(url);
            Start::Ask(parent.trim_end_matches('/').to_owned())
        }
        _ => Start::Ask(url.to_owned()),
    }
}

#[derive(Deserialize)]
struct Version {
    id: String,
    #[serde(default)]
    links: Vec<Link>,
}

#[derive(Deserialize)]
struct Link {
    rel: String,
    href: String,
}

/// The v3 URL from what `asked` answered; `asked` + `/v3` where that says nothing.
///
/// Scheme, host and port are always those of the URL that was asked: behind a proxy Keystone may call itself
/// something else. So is the path, unless the link goes on from it.
pub(crate) fn v3(asked: &str, reply: Option<&Reply>) -> String {
    let fallback = format!("{asked}/v3");
    let Some(reply) = reply.filter(|reply| matches!(reply.status, 200 | 300)) else {
        return fallback;
    };
    let Ok(body) = serde_json::from_slice::<Value>(&reply.body) else {
        return fallback;
    };
    let Some(link) = versions(&body).iter().find_map(self_link) else {
        return fallback;
    };
    let (root, prefix) = url::split(asked);
    let linked = url::join(&format!("{asked}/"), &link);
    let (_, path) = url::split(linked.trim_end_matches('/'));
    let goes_on = path
        .strip_prefix(prefix)
        .is_some_and(|rest| rest.starts_with('/'));
    if goes_on {
        format!("{root}{path}")
    } else {
        fallback
    }
}

/// `{"versions": {"values": […]}}`, `{"versions": […]}` or `{"version": {…}}`.
fn versions(body: &Value) -> Vec<Value> {
    let list = body
        .get("versions")
        .map(|versions| versions.get("values").unwrap_or(versions));
    match (list, body.get("version")) {
        (Some(Value::Array(list)), _) => list.clone(),
        (_, Some(one)) => vec![one.clone()],
        _ => Vec::new(),
    }
}

fn self_link(version: &Value) -> Option<String> {
    let version = Version::deserialize(version).ok()?;
    let is_v3 = version.id == "v3" || version.id.starts_with("v3.");
    version
        .links
        .into_iter()
        .find(|link| is_v3 && link.rel == "self")
        .map(|link| link.href)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_that_ends_in_v3_needs_no_question() {
        for (auth_url, expected) in [
            ("http://k:5000/v3", Start::Known("http://k:5000/v3".into())),
            ("http://k:5000/v3/", Start::Known("http://k:5000/v3".into())),
            (
                "https://k/identity/v3//",
                Start::Known("https://k/identity/v3".into()),
            ),
            (
                "https://[::1]:5000/v3",
                Start::Known("https://[::1]:5000/v3".into()),
            ),
            ("http://k:5000", Start::Ask("http://k:5000".into())),
            ("http://k:5000/", Start::Ask("http://k:5000".into())),
            (
                "https://k/identity",
                Start::Ask("https://k/identity".into()),
            ),
            ("http://k:5000/v2.0/", Start::Ask("http://k:5000".into())),
            ("http://v3", Start::Ask("http://v3".into())),
        ] {
            assert_eq!(start(auth_url), expected, "{auth_url}");
        }
    }

    fn found(asked: &str, status: u16, body: &str) -> String {
        let reply = Reply {
            status,
            headers: Vec::new(),
            body: body.as_bytes().to_vec(),
            url: asked.into(),
        };
        v3(asked, Some(&reply))
    }

    #[test]
    fn versions_are_found_in_every_shape_and_the_asked_host_is_kept() {
        let one = |href: &str| {
            format!(
                r#"{{"id": "v3.14", "status": "stable", "links": [{{"rel": "self", "href": "{href}"}}]}}"#
            )
        };
        for (asked, status, body, expected) in [
            (
                "http://k:5000",
                300,
                format!(
                    r#"{{"versions": {{"values": [{}]}}}}"#,
                    one("http://internal/v3/")
                ),
                "http://k:5000/v3",
            ),
            (
                "https://k",
                300,
                format!(
                    r#"{{"versions": {{"values": [{}]}}}}"#,
                    one("http://k/identity/v3/")
                ),
                "https://k/identity/v3",
            ),
            (
                "https://k/identity",
                300,
                format!(r#"{{"versions": [{}]}}"#, one("http://k/identity/v3/")),
                "https://k/identity/v3",
            ),
            (
                "https://k/identity",
                200,
                format!(r#"{{"version": {}}}"#, one("http://inner:5000/v3/")),
                "https://k/identity/v3",
            ),
            (
                "https://k/identity",
                200,
                format!(r#"{{"version": {}}}"#, one("/identity/v3")),
                "https://k/identity/v3",
            ),
            (
                "http://k",
                300,
                r#"{"versions": {"values": [{"id": "v2.0", "links": []}]}}"#.to_owned(),
                "http://k/v3",
            ),
            ("http://k", 404, "<html>".to_owned(), "http://k/v3"),
            ("http://k", 200, "[]".to_owned(), "http://k/v3"),
            (
                "http://k",
                200,
                r#"{"versions": 3}"#.to_owned(),
                "http://k/v3",
            ),
        ] {
            assert_eq!(found(asked, status, &body), expected, "{asked} {body}");
        }
        assert_eq!(v3("http://k", None), "http://k/v3");
    }
}
