//! `!!binary`: base64 as Python reads it (`binascii.a2b_base64`, not strict).

use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, Engine as _, GeneralPurpose, GeneralPurposeConfig};

/// The bytes; None where Python raises an error. What is no digit of base64 is passed over, and what follows the
/// padding is not read.
pub(crate) fn bytes(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() {
        return None;
    }
    let mut digits = String::new();
    let (mut padding, mut padded) = (0, false);
    for c in text.chars() {
        let open = digits.len() % 4;
        if c == '=' && open >= 2 {
            padding += 1;
            padded = open + padding >= 4;
            if padded {
                break;
            }
        } else if c.is_ascii_alphanumeric() || c == '+' || c == '/' {
            padding = 0;
            digits.push(c);
        }
    }
    if digits.len() % 4 != 0 && !padded {
        return None;
    }
    let lenient = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireNone)
        .with_decode_allow_trailing_bits(true);
    GeneralPurpose::new(&STANDARD, lenient).decode(digits).ok()
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn base64_is_read_as_leniently_as_python_reads_it() {
        // Each as binascii.a2b_base64 of Python 3.11 has it.
        for (text, expected) in [
            ("aGVsbG8=", Some(&b"hello"[..])),
            ("aGVs\n  bG8=\n", Some(b"hello")),
            ("a-G.V s:bG8=", Some(b"hello")),
            ("aGVsbG8=aGVs", Some(b"hello")),
            ("=aGVs", Some(b"hel")),
            ("aGVsbG9=", Some(b"hello")),
            ("aG=VsbG8=", Some(b"hello")),
            ("", Some(b"")),
            ("/w==", Some(b"\xff")),
            ("aGVsbG8", None),
            ("aGVsb", None),
            ("aG=", None),
            ("\u{e9}", None),
        ] {
            assert_eq!(bytes(text).as_deref(), expected, "{text:?}");
        }
    }
}
