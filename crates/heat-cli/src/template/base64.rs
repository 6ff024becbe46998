//! What is no text, as python-heatclient sends it.

use ::base64::prelude::{BASE64_STANDARD, Engine as _};

/// Bytes a line, so that a line has 76 characters (RFC 2045 §6.8).
const LINE: usize = 57;

/// Base64 in lines of 76 characters, each with its end (`base64.encodebytes`, `heatclient/common/utils.py:read_url_content`).
pub(crate) fn lines(bytes: &[u8]) -> String {
    let lines = bytes.chunks(LINE);
    lines.fold(String::new(), |mut out, line| {
        BASE64_STANDARD.encode_string(line, &mut out);
        out.push('\n');
        out
    })
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
