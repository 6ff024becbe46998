//! HTTP's Basic scheme.

use crate::Secret;

/// `Basic …` of RFC 7617.
pub(crate) fn basic(user: &str, password: &Secret) -> Secret {
    Secret::new(format!(
        "Basic {}",
        base64(format!("{user}:{}", password.reveal()).as_bytes())
    ))
}

/// RFC 4648 §4, encoding only.
pub(super) fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = group
            .iter()
            .fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte))
            << (8 * (3 - group.len()));
        for place in 0..4 {
            let six = (bits >> (18 - 6 * place)) & 63;
            let sign = ALPHABET.get(six as usize).filter(|_| place <= group.len());
            text.push(char::from(*sign.unwrap_or(&b'=')));
        }
    }
    text
}
