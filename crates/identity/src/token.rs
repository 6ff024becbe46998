//! A token, as Keystone gives it out; pure.

use std::time::Duration;

use jiff::Timestamp;
use serde::Deserialize;

use crate::catalog::Catalog;
use crate::error::Sort;
use crate::{Error, Kind, Reply, Secret};

/// Tokens that live shorter are never renewed early: they would be all the time.
const SHORTEST_LIFE: Duration = Duration::from_secs(240);
/// Renewed when less than this is left.
const EARLY: Duration = Duration::from_secs(120);

/// A token with what came with it.
#[derive(Debug, Clone)]
pub(crate) struct Token {
    pub(crate) value: Secret,
    pub(crate) project_id: Option<String>,
    pub(crate) catalog: Catalog,
    /// On the clock of this machine, from the answer on: the clocks of both sides may be hours apart.
    pub(crate) ends: Option<Duration>,
    pub(crate) life: Option<Duration>,
    /// Until here it lives for sure, however long Keystone took to answer.
    sure: Option<Duration>,
}

#[derive(Deserialize)]
struct Envelope {
    token: Body,
}

#[derive(Deserialize)]
struct Body {
    #[serde(default)]
    issued_at: Option<String>,
    #[serde(default)]
    expires_at: Option<String>,
    #[serde(default)]
    project: Option<Project>,
    #[serde(default)]
    catalog: Catalog,
}

#[derive(Deserialize)]
struct Project {
    id: String,
}

impl Token {
    /// Reads the answer of `POST /v3/auth/tokens` that came at `now`.
    ///
    /// # Errors
    /// [`Kind::Unknown`] where it is no token.
    pub(crate) fn read(reply: &Reply, now: Duration) -> Result<Self, Error> {
        let nonsense = |what: String| {
            Error::new(Kind::Unknown, what)
                .with_answer(reply.status, reply.request_id())
                .with_sort(Sort::Transient)
                .with_hint("is auth_url that of the Identity service?")
        };
        let Some(value) = reply
            .header("x-subject-token")
            .filter(|value| !value.is_empty())
        else {
            return Err(nonsense("the answer holds no token".to_owned()));
        };
        let Envelope { token } =
            serde_json::from_slice(&reply.body).map_err(|error| match reply.coding() {
                Some(coding) => nonsense(format!(
                    "the answer is encoded ({coding}), which was not asked for"
                )),
                None => nonsense(format!("the answer makes no sense: {error}")),
            })?;
        let life = life(token.issued_at.as_deref(), token.expires_at.as_deref());
        Ok(Self {
            value: Secret::new(value),
            project_id: token.project.map(|project| project.id),
            catalog: token.catalog,
            ends: life.and_then(|life| now.checked_add(life)),
            life,
            sure: life.and_then(|life| now.checked_add(life)),
        })
    }

    /// The same, asked for at this moment: it may have been issued that early.
    pub(crate) fn asked_at(self, asked: Duration) -> Self {
        Self {
            sure: self.life.and_then(|life| asked.checked_add(life)),
            ..self
        }
    }

    /// Whether it may have ended.
    pub(crate) fn may_be_over(&self, now: Duration) -> bool {
        self.sure.is_some_and(|sure| sure <= now)
    }

    /// Whether it is time for another one.
    pub(crate) fn is_old(&self, now: Duration) -> bool {
        match (self.life, self.ends) {
            (Some(life), Some(ends)) => life >= SHORTEST_LIFE && ends.saturating_sub(now) < EARLY,
            _ => false,
        }
    }
}

/// Both are of Keystone's clock; nonsense: not known.
fn life(issued: Option<&str>, expires: Option<&str>) -> Option<Duration> {
    let time = |text: Option<&str>| text?.parse::<Timestamp>().ok();
    let life = time(expires)?.duration_since(time(issued)?);
    Some(Duration::try_from(life).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(token: Option<&str>, body: &str) -> Reply {
        let headers = token
            .map(|token| ("x-subject-token".to_owned(), token.to_owned()))
            .into_iter()
            .collect();
        Reply {
            status: 201,
            headers,
            body: body.as_bytes().to_vec(),
            url: "http://k/v3/auth/tokens".into(),
        }
    }

    fn of_life(seconds: u32) -> Token {
        let minutes = seconds / 60;
        let body = format!(
            r#"{{"token": {{"issued_at": "2031-01-01T09:00:00.000000Z", "expires_at": "2031-01-01T09:{minutes:02}:{:02}.000000Z"}}}}"#,
            seconds % 60
        );
        Token::read(&reply(Some("t"), &body), Duration::from_secs(50)).unwrap()
    }

    #[test]
    fn life_counts_from_the_answer_on_our_clock() {
        let token = of_life(600);
        assert_eq!(token.life, Some(Duration::from_secs(600)));
        assert_eq!(token.ends, Some(Duration::from_secs(650)));
        assert!(!token.is_old(Duration::from_secs(530)));
        assert!(token.is_old(Duration::from_secs(531)));
    }

    #[test]
    fn short_lives_are_never_renewed_early() {
        assert!(!of_life(239).is_old(Duration::from_secs(288)));
        assert!(of_life(240).is_old(Duration::from_secs(288)));
    }

    #[test]
    fn an_answer_without_a_token_says_so_and_may_pass() {
        for (token, body) in [
            (None, r#"{"token": {}}"#),
            (Some("t"), "<html>"),
            (Some("t"), "{}"),
        ] {
            let error = Token::read(&reply(token, body), Duration::ZERO).unwrap_err();
            assert_eq!(
                (error.kind(), error.sort()),
                (Kind::Unknown, Sort::Transient),
                "{body}"
            );
        }
    }
}
