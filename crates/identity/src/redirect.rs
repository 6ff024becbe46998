//! Where a redirect leads; pure.

use crate::{Reply, url};

/// What to do with an answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Redirect {
    /// It is none.
    None,
    /// Go on here: the same server, reached in the same way.
    To(String),
    /// It leads elsewhere, where nothing of ours is sent.
    Elsewhere(String),
}

/// Judges the answer of `asked`.
///
/// Only the same origin is followed. Heat writes its own idea of its address into `Location`
/// (`heat/api/openstack/v1/util.py`, `make_link`), so a link that goes on from the same version and project is
/// reduced to its path, below whatever prefix was asked. `reduce`: whether that is allowed; not for signing in, where
/// such a link means that `auth_url` is wrong.
pub(crate) fn judge(asked: &str, reply: &Reply, reduce: bool) -> Redirect {
    if !matches!(reply.status, 301 | 302 | 303 | 307 | 308) {
        return Redirect::None;
    }
    let Some(location) = reply.header("location") else {
        return Redirect::None;
    };
    let target = url::join(asked, location);
    if url::same_origin(asked, &target) {
        return Redirect::To(target);
    }
    match (url::at_version(asked), url::at_version(&target)) {
        (Some((root, path)), Some((_, new_path))) if reduce && same_project(path, new_path) => {
            Redirect::To(format!("{root}{new_path}"))
        }
        _ => Redirect::Elsewhere(target),
    }
}

/// Version and project, the first two segments, are the same, and something follows.
fn same_project(path: &str, new_path: &str) -> bool {
    let head = |path: &str| {
        let mut segments = path.split(['/', '?']).skip(1).map(str::to_owned);
        segments
            .next()
            .zip(segments.next())
            .zip(segments.next().filter(|rest| !rest.is_empty()))
    };
    match (head(path), head(new_path)) {
        (Some((old, _)), Some((new, _))) => old == new,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(asked: &str, status: u16, location: Option<&str>) -> Redirect {
        let headers = location
            .map(|value| ("location".to_owned(), value.to_owned()))
            .into_iter()
            .collect();
        let reply = Reply {
            status,
            headers,
            body: Vec::new(),
            url: asked.into(),
        };
        judge(asked, &reply, true)
    }

    #[test]
    fn the_same_origin_is_followed_and_nothing_else() {
        let to = |url: &str| Redirect::To(url.to_owned());
        let elsewhere = |url: &str| Redirect::Elsewhere(url.to_owned());
        for (asked, location, expected) in [
            (
                "http://h:1/v1/p/stacks/web",
                "http://h:1/v1/p/stacks/web/ID",
                to("http://h:1/v1/p/stacks/web/ID"),
            ),
            (
                "http://h:1/v1/p/stacks/web",
                "/v1/p/stacks/web/ID?x=1",
                to("http://h:1/v1/p/stacks/web/ID?x=1"),
            ),
            (
                "https://h/heat/v1/p/stacks/web",
                "http://inner:8004/v1/p/stacks/web/ID",
                to("https://h/heat/v1/p/stacks/web/ID"),
            ),
            (
                "https://h/v1/p/stacks/web",
                "http://h/v1/p/stacks/web/ID",
                to("https://h/v1/p/stacks/web/ID"),
            ),
            (
                "https://h/v1/p/stacks/web",
                "https://evil/v1/q/stacks/web/ID",
                elsewhere("https://evil/v1/q/stacks/web/ID"),
            ),
            (
                "https://h/v1/p/stacks/web",
                "https://sso.example/login",
                elsewhere("https://sso.example/login"),
            ),
            ("https://h/v3", "http://h/v3", elsewhere("http://h/v3")),
            (
                "https://h/v3/auth/tokens",
                "https://evil/v3/auth",
                elsewhere("https://evil/v3/auth"),
            ),
            ("https://h/v3", "//evil/v3", elsewhere("https://evil/v3")),
            ("https://h/v3", "ftp://h/v3", elsewhere("ftp://h/v3")),
        ] {
            assert_eq!(
                judged(asked, 302, Some(location)),
                expected,
                "{asked} {location}"
            );
        }
    }

    #[test]
    fn other_answers_are_no_redirects() {
        assert_eq!(judged("http://h/", 302, None), Redirect::None);
        assert_eq!(
            judged("http://h/", 300, Some("http://h/v3")),
            Redirect::None
        );
        assert_eq!(judged("http://h/", 304, Some("/x")), Redirect::None);
        assert_eq!(judged("http://h/", 201, Some("/x")), Redirect::None);
    }
}
