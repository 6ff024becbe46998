//! What tests from outside of this crate feed with any bytes. No part of the interface.

use std::time::Duration;

use crate::catalog::Wanted;
use crate::redirect::{self, Redirect};
use crate::token::Token;
use crate::{Error, OBJECT_STORE, ORCHESTRATION, Reply, SHARED_FILE_SYSTEM};
use crate::{discovery, fault, http_date};

/// Reads the answer of a sign-in and looks every service up in its catalog.
///
/// # Errors
/// It is no token.
pub fn endpoints(reply: &Reply, region: Option<&str>) -> Result<Vec<Result<String, Error>>, Error> {
    let token = Token::read(reply, Duration::ZERO)?;
    let wanted = Wanted {
        interfaces: vec!["public".to_owned(), "internal".to_owned()],
        region: region.map(str::to_owned),
        ..Wanted::default()
    };
    let services = [ORCHESTRATION, SHARED_FILE_SYSTEM, OBJECT_STORE];
    let found = services.map(|service| token.catalog.endpoint(&service, &wanted));
    Ok(found.into())
}

/// The URL of version 3 from what `asked` answered.
#[must_use]
pub fn version_3(asked: &str, reply: &Reply) -> String {
    discovery::v3(asked, Some(reply))
}

/// What `Retry-After` asks for.
#[must_use]
pub fn retry_after(reply: &Reply) -> Option<Duration> {
    fault::retry_after(reply)
}

/// The date of a header, in seconds of the epoch.
#[must_use]
pub fn http_date(text: &str) -> Option<i64> {
    http_date::parse(text).map(|date| date.as_second())
}

/// Where the answer of `asked` leads, if it is followed.
#[must_use]
pub fn followed(asked: &str, reply: &Reply) -> Option<String> {
    match redirect::judge(asked, reply, true) {
        Redirect::To(url) => Some(url),
        Redirect::None | Redirect::Elsewhere(_) => None,
    }
}
