//! URLs as Python's `urllib.parse` takes them apart and joins them, so that every file has the key that
//! python-heatclient gives it.
//!
//! RFC 3986 libraries do not do: `urljoin` keeps spaces and non-ASCII characters as they are, gives back as it is what
//! has another scheme, and knows parameters (`;`) for some schemes only.

use std::path::{Path, PathBuf};

/// Schemes below which a relative reference means something (`urllib.parse.uses_relative`, as far as Heat's clients
/// can read them), that have a host, and that know parameters.
const RELATIVE: &[&str] = &["", "ftp", "http", "file", "https", "sftp"];
const WITH_HOST: &[&str] = &["", "ftp", "http", "file", "https", "sftp"];
const WITH_PARAMETERS: &[&str] = &["", "ftp", "http", "https", "sftp"];

#[derive(Debug, Default, Clone)]
struct Parts {
    scheme: String,
    host: String,
    path: String,
    parameters: String,
    query: String,
    fragment: String,
}

/// The scheme of `text`, in lower case, if it has one.
pub(crate) fn scheme(text: &str) -> Option<String> {
    let scheme = take_apart(text, "").scheme;
    (!scheme.is_empty()).then_some(scheme)
}

/// `text` as a URL below `base`; `base` should end in a slash (`urljoin`).
pub fn join(base: &str, text: &str) -> String {
    if base.is_empty() {
        return text.to_owned();
    }
    if text.is_empty() {
        return base.to_owned();
    }
    let under = take_apart(base, "");
    let mut parts = take_apart(text, &under.scheme);
    if parts.scheme != under.scheme || !RELATIVE.contains(&parts.scheme.as_str()) {
        return text.to_owned();
    }
    if WITH_HOST.contains(&parts.scheme.as_str()) {
        if !parts.host.is_empty() {
            return put_together(&parts);
        }
        parts.host = under.host;
    }
    if parts.path.is_empty() && parts.parameters.is_empty() {
        parts.path = under.path;
        parts.parameters = under.parameters;
        if parts.query.is_empty() {
            parts.query = under.query;
        }
        return put_together(&parts);
    }
    parts.path = resolve(&under.path, &parts.path);
    put_together(&parts)
}

/// The folder of `url`, with a slash at its end (`heatclient/common/utils.py`, `base_url_for_url`).
pub(crate) fn folder(url: &str) -> String {
    let path = take_apart(url, "").path;
    let folder = match path.rfind('/') {
        None => "",
        Some(at) => {
            let (head, _) = path.split_at(at + 1);
            let cut = head.trim_end_matches('/');
            if cut.is_empty() { head } else { cut }
        }
    };
    with_slash(join(url, folder))
}

/// `url` with a slash at its end, unless it is empty.
pub(crate) fn with_slash(mut url: String) -> String {
    if !url.is_empty() && !url.ends_with('/') {
        url.push('/');
    }
    url
}

/// The `file` URL of an absolute path (`PurePath.as_uri`).
pub(crate) fn of_path(path: &Path) -> String {
    let mut url = "file://".to_owned();
    for (at, part) in path
        .as_os_str()
        .as_encoded_bytes()
        .split(|b| *b == b'/')
        .enumerate()
    {
        if at > 0 {
            url.push('/');
        }
        for byte in part {
            if byte.is_ascii_alphanumeric() || b"_.-~".contains(byte) {
                url.push(char::from(*byte));
            } else {
                url.push_str(&format!("%{byte:02X}"));
            }
        }
    }
    url
}

/// The path that a `file` URL names; relative where the URL is (`file:x`). `None`: it is on another host.
pub(crate) fn path_of(url: &str) -> Option<PathBuf> {
    let url = url.rsplit_once('#').map_or(url, |(url, _)| url);
    let (_, rest) = url.split_once(':')?;
    let path = match rest.strip_prefix("//") {
        None => rest,
        Some(rest) => {
            let (host, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
            if !matches!(host, "" | "localhost" | "127.0.0.1") {
                return None;
            }
            path
        }
    };
    Some(PathBuf::from(decoded(path)))
}

/// `text` without percent escapes.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escape = match byte {
            b'%' => bytes.get(at + 1..at + 3).and_then(|hex| {
                let digits = hex.iter().all(u8::is_ascii_hexdigit);
                let hex = std::str::from_utf8(hex).ok().filter(|_| digits)?;
                u8::from_str_radix(hex, 16).ok()
            }),
            _ => None,
        };
        out.push(escape.unwrap_or(byte));
        at += if escape.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn take_apart(url: &str, scheme: &str) -> Parts {
    let url = url.trim_start_matches(|c: char| c <= ' ');
    let url: String = url
        .chars()
        .filter(|c| !matches!(c, '\t' | '\r' | '\n'))
        .collect();
    let mut parts = Parts {
        scheme: scheme.to_owned(),
        ..Parts::default()
    };
    let mut rest = url.as_str();
    if let Some((head, tail)) = rest.split_once(':') {
        let is_letter = head.starts_with(|c: char| c.is_ascii_alphabetic());
        if is_letter
            && head
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        {
            parts.scheme = head.to_ascii_lowercase();
            rest = tail;
        }
    }
    if let Some(after) = rest.strip_prefix("//") {
        let (host, path) = after.split_at(after.find(['/', '?', '#']).unwrap_or(after.len()));
        parts.host = host.to_owned();
        rest = path;
    }
    if let Some((head, fragment)) = rest.split_once('#') {
        parts.fragment = fragment.to_owned();
        rest = head;
    }
    if let Some((head, query)) = rest.split_once('?') {
        parts.query = query.to_owned();
        rest = head;
    }
    let mut path = rest;
    if WITH_PARAMETERS.contains(&parts.scheme.as_str()) {
        let last = rest.rfind('/').unwrap_or(0);
        let (before, last) = rest.split_at(last);
        if let Some((name, parameters)) = last.split_once(';') {
            parts.parameters = parameters.to_owned();
            path = rest.get(..before.len() + name.len()).unwrap_or(rest);
        }
    }
    parts.path = path.to_owned();
    parts
}

fn put_together(parts: &Parts) -> String {
    let mut path = parts.path.clone();
    if !parts.parameters.is_empty() {
        path = format!("{path};{}", parts.parameters);
    }
    let has_host = WITH_HOST.contains(&parts.scheme.as_str()) && !parts.scheme.is_empty();
    if !parts.host.is_empty() || (has_host && !path.starts_with("//")) {
        if !path.is_empty() && !path.starts_with('/') {
            path.insert(0, '/');
        }
        path = format!("//{}{path}", parts.host);
    }
    let mut url = if parts.scheme.is_empty() {
        path
    } else {
        format!("{}:{path}", parts.scheme)
    };
    for (mark, text) in [('?', &parts.query), ('#', &parts.fragment)] {
        if !text.is_empty() {
            url.push(mark);
            url.push_str(text);
        }
    }
    url
}

/// `path` below `base`, without `.`, `..` and needless slashes.
fn resolve(base: &str, path: &str) -> String {
    let segments: Vec<&str> = if path.starts_with('/') {
        path.split('/').collect()
    } else {
        let mut all: Vec<&str> = base.split('/').collect();
        if all.last().is_some_and(|last| !last.is_empty()) {
            all.pop();
        }
        all.extend(path.split('/'));
        let last = all.len().saturating_sub(1);
        let kept = |(at, text): &(usize, &str)| *at == 0 || *at == last || !text.is_empty();
        all.into_iter()
            .enumerate()
            .filter(kept)
            .map(|(_, text)| text)
            .collect()
    };
    let mut resolved = Vec::with_capacity(segments.len());
    for segment in &segments {
        match *segment {
            ".." => {
                resolved.pop();
            }
            "." => {}
            segment => resolved.push(segment),
        }
    }
    if matches!(segments.last(), Some(&("." | ".."))) {
        resolved.push("");
    }
    let path = resolved.join("/");
    if path.is_empty() {
        "/".to_owned()
    } else {
        path
    }
}

#[cfg(test)]
mod tests;
