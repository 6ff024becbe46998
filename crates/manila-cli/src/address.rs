//! Where the service is, and how names go into its URLs.

use crate::version::Microversion;

/// The root of the service and the base of its version 2, from an endpoint with or without a version and a project.
pub fn places(endpoint: &str) -> (String, String) {
    let endpoint = endpoint.trim_end_matches('/');
    let is_version = |segment: &str| {
        segment == "v2" || Microversion::parse(segment.trim_start_matches('v')).is_some()
    };
    let mut from = endpoint.find("://").map_or(0, |at| at + 3);
    while let Some(slash) = endpoint
        .get(from..)
        .and_then(|rest| rest.find('/'))
        .map(|at| from + at)
    {
        let rest = endpoint.get(slash + 1..).unwrap_or_default();
        let segment = rest.split('/').next().unwrap_or_default();
        if segment.starts_with('v') && is_version(segment) {
            return (
                endpoint.get(..=slash).unwrap_or_default().to_owned(),
                endpoint.to_owned(),
            );
        }
        from = slash + 1;
    }
    (format!("{endpoint}/"), format!("{endpoint}/v2"))
}

/// A value for a path or a query: everything but letters, digits and `-._~` as `%XX`.
#[must_use]
pub fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_an_endpoint_is_found_and_not_doubled() {
        for (endpoint, root, base) in [
            ("http://h:8786/v2", "http://h:8786/", "http://h:8786/v2"),
            ("http://h:8786/v2/", "http://h:8786/", "http://h:8786/v2"),
            (
                "http://h/share/v2/0123",
                "http://h/share/",
                "http://h/share/v2/0123",
            ),
            ("http://h/share", "http://h/share/", "http://h/share/v2"),
            ("http://h", "http://h/", "http://h/v2"),
            ("http://v2/share", "http://v2/share/", "http://v2/share/v2"),
            (
                "https://[::1]:5000/v2.0/20",
                "https://[::1]:5000/",
                "https://[::1]:5000/v2.0/20",
            ),
        ] {
            assert_eq!(
                places(endpoint),
                (root.to_owned(), base.to_owned()),
                "{endpoint}"
            );
        }
    }

    #[test]
    fn names_are_encoded_for_a_url() {
        assert_eq!(encoded("a b/c?d&é"), "a%20b%2Fc%3Fd%26%C3%A9");
        assert_eq!(encoded("../shares"), "..%2Fshares");
    }
}
