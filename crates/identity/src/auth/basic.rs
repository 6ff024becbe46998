//! HTTP's Basic scheme.

use base64::prelude::{BASE64_STANDARD, Engine as _};

use crate::Secret;

/// `Basic …` of RFC 7617.
pub(crate) fn basic(user: &str, password: &Secret) -> Secret {
    Secret::new(format!(
        "Basic {}",
        BASE64_STANDARD.encode(format!("{user}:{}", password.reveal()))
    ))
}
