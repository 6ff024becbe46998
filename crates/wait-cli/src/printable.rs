//! Makes what servers send harmless for the terminal it may be shown on.
//!
//! Names, reasons and outputs come from other people's templates. A raw ESC, C1 or bidi control in them
//! could recolour, move or reorder what the reader sees, so such characters are shown as `\x1b`, `\u202e`
//! and the like wherever text is printed, and as JSON's own `\u` escapes wherever JSON is: there the value
//! stays intact. Letters, marks, emoji and the joiners they need pass.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};

/// Shows control characters as visible escapes; newlines, tabs and CRLF pass.
///
/// The text is borrowed when there is nothing to change, which is nearly always.
#[must_use]
pub fn harmless(text: &str) -> Cow<'_, str> {
    escaped(text, |c, next| match c {
        '\n' | '\t' => true,
        '\r' => next == Some('\n'),
        _ => !is_control(c),
    })
}

/// Does what [`harmless`] does for text that must stay on one line: newlines and tabs become spaces.
///
/// A run of line ends with the indent around it becomes one space, and the ends are trimmed, so that a
/// multi-line reason reads as one sentence.
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    if !text.contains(['\n', '\r', '\t']) {
        return harmless(text);
    }
    let folded: Vec<&str> = text
        .split(['\n', '\r', '\t'])
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    Cow::Owned(harmless(&folded.join(" ")).into_owned())
}

/// Writes a value as JSON on one line in which every control character is a `\u` escape.
///
/// serde_json escapes C0 only; DEL, C1 and the bidi and invisible controls are added here. What a JSON
/// reader gets back is exactly the value that was given.
///
/// # Errors
/// When the value cannot be JSON (a map whose keys are no strings).
pub fn json_line<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<String> {
    to_json(value, EscapeControls)
}

/// Serialises with the given formatter; JSON writers of this crate share it.
pub(crate) fn to_json<T, F>(value: &T, formatter: F) -> serde_json::Result<String>
where
    T: Serialize + ?Sized,
    F: Formatter,
{
    let mut bytes = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut bytes, formatter))?;
    String::from_utf8(bytes).map_err(serde::ser::Error::custom)
}

/// Writes part of a JSON string, `\u`-escaping the characters that `escape` picks (surrogate pairs above the BMP).
pub(crate) fn write_fragment<W: ?Sized + io::Write>(
    writer: &mut W,
    fragment: &str,
    escape: fn(char) -> bool,
) -> io::Result<()> {
    let mut rest = fragment;
    while let Some(at) = rest.find(escape) {
        let (plain, tail) = rest.split_at(at);
        writer.write_all(plain.as_bytes())?;
        let mut tail_chars = tail.chars();
        if let Some(c) = tail_chars.next() {
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
        }
        rest = tail_chars.as_str();
    }
    writer.write_all(rest.as_bytes())
}

/// Whether a character can drive or deceive a terminal: C0, DEL, C1, line separators, bidi controls, invisible ones.
///
/// ZWJ and ZWNJ are not among them: emoji and Persian need them. Variation selectors neither.
#[must_use]
pub fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

struct EscapeControls;

impl Formatter for EscapeControls {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        write_fragment(writer, fragment, is_control)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        CompactFormatter.begin_object_value(writer)
    }
}

/// Replaces the characters that do not pass by Python's notation: `\x1b`, `\u202e`, `\U000e0041`.
fn escaped(text: &str, passes: impl Fn(char, Option<char>) -> bool) -> Cow<'_, str> {
    let mut chars = text.chars().peekable();
    let mut seen = 0;
    while let Some(c) = chars.next() {
        if !passes(c, chars.peek().copied()) {
            break;
        }
        seen += c.len_utf8();
    }
    let Some((clean, rest)) = text
        .split_at_checked(seen)
        .filter(|(_, rest)| !rest.is_empty())
    else {
        return Cow::Borrowed(text);
    };
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(clean);
    let mut chars = rest.chars().peekable();
    while let Some(c) = chars.next() {
        if passes(c, chars.peek().copied()) {
            out.push(c);
        } else {
            push_escape(&mut out, c);
        }
    }
    Cow::Owned(out)
}

/// Appends a character as Python's `repr` writes an unprintable one.
pub(crate) fn push_escape(out: &mut String, c: char) {
    let code = u32::from(c);
    // Writing to a String cannot fail.
    let _ = match code {
        0..=0xff => write!(out, "\\x{code:02x}"),
        0x100..=0xffff => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    #[test]
    fn terminal_sequences_become_visible_text() {
        assert_eq!(
            harmless("\u{1b}[31mred\u{1b}]0;x\u{7}"),
            "\\x1b[31mred\\x1b]0;x\\x07"
        );
        assert_eq!(harmless("\0\u{7f}\u{9b}2J"), "\\x00\\x7f\\x9b2J");
        assert_eq!(
            harmless("a\u{202e}b\u{2066}c\u{200b}d"),
            "a\\u202eb\\u2066c\\u200bd"
        );
        assert_eq!(harmless("\u{e0041}"), "\\U000e0041");
    }

    #[test]
    fn a_carriage_return_passes_only_before_a_newline() {
        assert_eq!(harmless("one\r\ntwo"), "one\r\ntwo");
        assert_eq!(harmless("good\rbad\r\r\n"), "good\\x0dbad\\x0d\r\n");
    }

    #[test]
    fn letters_marks_and_emoji_pass_untouched() {
        for text in [
            "Žluťoučký",
            "日本語",
            "می\u{200c}خواهم",
            "👩\u{200d}🚀",
            "❤\u{fe0f}",
            "e\u{301}",
        ] {
            assert!(matches!(harmless(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn a_line_folds_line_ends_and_indents_into_one_space() {
        assert_eq!(
            line("Resource failed:\n\n    caused\tby\r\n  quota\n"),
            "Resource failed: caused by quota"
        );
        assert_eq!(line("  kept as it is "), "  kept as it is ");
        assert_eq!(line("\u{1b}[2J\n\u{9b}H"), "\\x1b[2J \\x9bH");
    }

    #[test]
    fn json_lines_escape_what_serde_json_leaves_raw() {
        let json = json_line(&Value::from("\u{1b}\u{7f}\u{85}\u{202e}é\u{e0041}\n")).unwrap();
        assert_eq!(json, r#""\u001b\u007f\u0085\u202eé\udb40\udc41\n""#);
    }

    proptest! {
        #[test]
        fn nothing_harmful_is_left(text in any::<String>()) {
            let shown = harmless(&text).replace("\r\n", "\n");
            prop_assert!(!shown.contains(|c| is_control(c) && c != '\n' && c != '\t'));
            prop_assert!(!line(&text).contains(is_control));
        }

        #[test]
        fn printable_text_is_unchanged(text in "\\PC*") {
            prop_assume!(!text.contains(is_control));
            prop_assert_eq!(harmless(&text), text.as_str());
            prop_assert_eq!(line(&text), text.as_str());
        }

        #[test]
        fn json_lines_read_back_as_the_same_value(text in any::<String>()) {
            let json = json_line(&text).unwrap();
            prop_assert!(!json.contains(is_control));
            prop_assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }
    }
}
