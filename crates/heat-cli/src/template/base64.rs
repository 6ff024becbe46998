//! What is no text, as python-heatclient sends it.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Bytes a line, so that a line has 76 characters (RFC 2045 §6.8).
const LINE: usize = 57;

/// Base64 in lines of 76 characters, each with its end (`base64.encodebytes`, `heatclient/common/utils.py:read_url_content`).
pub(crate) fn lines(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() / 3 * 4 + bytes.len() / LINE + 8);
    for line in bytes.chunks(LINE) {
        for group in line.chunks(3) {
            let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or_default());
            let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
            for at in 0..4 {
                let index = (bits >> (18 - 6 * at)) & 63;
                match ALPHABET.get(index as usize) {
                    Some(letter) if at <= group.len() => out.push(char::from(*letter)),
                    _ => out.push('='),
                }
            }
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn lines_are_padded_and_ended_as_python_does() {
        assert_eq!(lines(b"\xff"), "/w==\n");
        assert_eq!(lines(b"\xff\x00"), "/wA=\n");
        assert_eq!(lines(b"\xff\x00\x01"), "/wAB\n");
        let long = lines(&[0xff; 58]);
        assert_eq!(long, format!("{}\n/w==\n", "/".repeat(76)));
        assert_eq!(lines(b""), "");
    }
}
