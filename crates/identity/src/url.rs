//! URLs: showing, joining, comparing origins.

use std::fmt::Write;

use ureq::http::Uri;

/// `url` as messages may show it: user and password are left out, and so are the values of a query that may be secret.
#[must_use]
pub fn shown(url: &str) -> String {
    let (head, query) = match url.split_once('?') {
        Some((head, query)) => (head, Some(query)),
        None => (url, None),
    };
    let mut text = match head.split_once("://") {
        Some((scheme, rest)) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            match authority.rsplit_once('@') {
                Some((_, host)) => format!("{scheme}://***@{host}{path}"),
                None => head.to_owned(),
            }
        }
        None => head.to_owned(),
    };
    if let Some(query) = query {
        let pairs = query.split('&').map(|pair| match pair.split_once('=') {
            Some((name, _)) if is_secret_word(name) => format!("{name}=***"),
            _ => pair.to_owned(),
        });
        text.push('?');
        text.push_str(&pairs.collect::<Vec<_>>().join("&"));
    }
    text
}

/// Whether a key of a query or a body names a secret.
pub(crate) fn is_secret_word(key: &str) -> bool {
    let key = key.to_ascii_lowercase().replace('-', "_");
    let words = [
        "password",
        "passwd",
        "secret",
        "token",
        "passcode",
        "signature",
        "temp_url_sig",
        "access_key",
        "auth_key",
        "private_key",
    ];
    words.iter().any(|word| key.contains(word)) || key == "sig"
}

/// Scheme, host and port, with the scheme's own port filled in. `None`: not an absolute http(s) URL.
#[must_use]
pub fn origin(url: &str) -> Option<(String, String, u16)> {
    let uri: Uri = url.parse().ok()?;
    let scheme = uri.scheme_str()?.to_ascii_lowercase();
    let port = match (uri.port_u16(), scheme.as_str()) {
        (Some(port), "http" | "https") => port,
        (None, "https") => 443,
        (None, "http") => 80,
        _ => return None,
    };
    Some((scheme, uri.host()?.to_ascii_lowercase(), port))
}

/// Whether both lead to the same server in the same way.
#[must_use]
pub fn same_origin(a: &str, b: &str) -> bool {
    origin(a).is_some_and(|a| Some(a) == origin(b))
}

/// Whether `url` is `endpoint` or lies below it, by text alone: then it leads to the same server.
pub(crate) fn is_below(url: &str, endpoint: &str) -> bool {
    let rest = url.strip_prefix(endpoint);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
}

/// Scheme and authority of `url`, and the rest from the first slash of the path on.
#[must_use]
pub fn split(url: &str) -> (&str, &str) {
    let start = url.find("://").map_or(0, |at| at + 3);
    let path = url
        .get(start..)
        .and_then(|rest| rest.find(['/', '?']))
        .map_or(url.len(), |at| start + at);
    url.split_at(path)
}

/// What `location` means in the answer of `url`: absolute, from the root, or relative.
#[must_use]
pub fn join(url: &str, location: &str) -> String {
    let (root, path) = split(url);
    let location = location.split('#').next().unwrap_or_default();
    if location.contains("://") {
        return location.to_owned();
    }
    if let Some(rest) = location.strip_prefix("//") {
        let scheme = url.split("://").next().unwrap_or("http");
        return format!("{scheme}://{rest}");
    }
    if location.starts_with('/') {
        return format!("{root}{location}");
    }
    let path = path.split('?').next().unwrap_or_default();
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    format!("{root}{folder}/{location}")
}

/// Whether a segment of a path is a version: `v` and digits, perhaps with dots (`v3`, `v2.0`). Project ids made of
/// digits only are none.
#[must_use]
pub fn is_version(segment: &str) -> bool {
    let digits = segment.strip_prefix('v').unwrap_or_default();
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// The version in the path of `url`, if there is one.
#[must_use]
pub fn version(url: &str) -> Option<&str> {
    let (_, path) = split(url);
    path.split('?')
        .next()
        .unwrap_or_default()
        .split('/')
        .find(|segment| is_version(segment))
}

/// `url` with `version` at its end, unless its path has a version already. No trailing slash.
#[must_use]
pub fn with_version(url: &str, wanted: &str) -> String {
    let url = url.trim_end_matches('/');
    if version(url).is_some() {
        url.to_owned()
    } else {
        format!("{url}/{wanted}")
    }
}

/// Everything up to the version in the path, and the path from there on.
pub(crate) fn at_version(url: &str) -> Option<(&str, &str)> {
    let (root, path) = split(url);
    let found = version(url)?;
    let mut at = root.len();
    for segment in path.split('/') {
        if segment == found {
            return Some(url.split_at(at.saturating_sub(1)));
        }
        at += segment.len() + 1;
    }
    None
}

/// Percent-encodes everything but what is unreserved (RFC 3986 §2.3).
#[must_use]
pub fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_encoded(&mut out, text);
    out
}

/// The same at the end of `out`.
pub fn push_encoded(out: &mut String, text: &str) {
    let unreserved =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    // Ids are, and a list names thousands of them.
    if text.bytes().all(unreserved) {
        return out.push_str(text);
    }
    for byte in text.bytes() {
        if unreserved(byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_and_tokens_in_urls_are_masked() {
        for (url, expected) in [
            ("http://user:pw@proxy:3128/x", "http://***@proxy:3128/x"),
            (
                "https://h/v3?token=abc&limit=2",
                "https://h/v3?token=***&limit=2",
            ),
            (
                "https://h/c?temp_url_sig=aa&x=1&Signature=bb",
                "https://h/c?temp_url_sig=***&x=1&Signature=***",
            ),
            ("https://h/v3", "https://h/v3"),
            ("user", "user"),
        ] {
            assert_eq!(shown(url), expected);
        }
    }

    #[test]
    fn origins_differ_by_scheme_host_and_port() {
        for (a, b, same) in [
            ("http://h/x", "http://H:80/y", true),
            ("https://h/x", "https://h:443", true),
            ("https://h/x", "http://h/x", false),
            ("http://h:1/x", "http://h:2/x", false),
            ("http://h/x", "http://h.evil/x", false),
            ("http://h/x", "http://h@evil/x", false),
            ("http://[::1]:5000/x", "http://[::1]:5000/y", true),
            ("/x", "/x", false),
        ] {
            assert_eq!(same_origin(a, b), same, "{a} {b}");
        }
    }

    #[test]
    fn what_lies_below_an_endpoint_is_at_its_server() {
        for (url, endpoint, below) in [
            ("http://h:1/v1/p/stacks?id=a", "http://h:1/v1/p", true),
            ("http://h/v1", "http://h/v1", true),
            ("http://h?id=a", "http://h", true),
            ("http://h.evil/v1", "http://h", false),
            ("http://h@evil/v1", "http://h", false),
            ("http://h:18004/v1", "http://h:1800", false),
            ("http://h/v10/p", "http://h/v1", false),
        ] {
            assert_eq!(is_below(url, endpoint), below, "{url} {endpoint}");
            assert!(!below || same_origin(url, endpoint), "{url} {endpoint}");
        }
    }

    #[test]
    fn what_is_reserved_is_encoded_byte_by_byte() {
        for (text, expected) in [
            ("a4e0-1_2.3~Z", "a4e0-1_2.3~Z"),
            ("a b/c", "a%20b%2Fc"),
            ("é&=", "%C3%A9%26%3D"),
            ("", ""),
        ] {
            assert_eq!(encode(text), expected);
        }
    }

    #[test]
    fn locations_are_joined() {
        for (url, location, expected) in [
            ("http://h/a/b?q", "http://g/c", "http://g/c"),
            ("http://h/a/b?q", "/c?d", "http://h/c?d"),
            ("http://h/a/b?q", "c", "http://h/a/c"),
            ("http://h", "c", "http://h/c"),
            ("https://h/a", "//g/c", "https://g/c"),
        ] {
            assert_eq!(join(url, location), expected);
        }
    }

    #[test]
    fn a_version_is_v_and_digits() {
        assert_eq!(version("http://h/v2/1234"), Some("v2"));
        assert_eq!(version("http://h/1234"), None);
        assert_eq!(version("http://h/vault"), None);
        assert_eq!(version("http://v1.example/share"), None);
        assert_eq!(with_version("http://h/share/", "v2"), "http://h/share/v2");
        assert_eq!(with_version("http://h/v2/55", "v2"), "http://h/v2/55");
        assert_eq!(
            at_version("https://h/heat/v1/p"),
            Some(("https://h/heat", "/v1/p"))
        );
    }
}
