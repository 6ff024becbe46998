//! What a node is: its tag, given or worked out from the text of a plain scalar (`yaml/resolver.py`).

use crate::Schema;

pub(crate) const YAML_TAG: &str = "tag:yaml.org,2002:";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tag {
    Null,
    Bool,
    Int,
    Float,
    Binary,
    Text,
    Sequence,
    Mapping,
    OrderedMap,
    Pairs,
    Set,
    /// `<<`
    Merge,
    /// `=`
    Value,
    Unknown(String),
}

/// The tag of a scalar. `!` alone asks for the same guess as no tag, even for a quoted text.
pub(crate) fn scalar(tag: Option<&str>, text: &str, plain: bool, schema: Schema) -> Tag {
    let tag = match tag {
        Some("!") => implicit(text),
        Some(tag) => explicit(tag),
        None if plain => implicit(text),
        None => Tag::Text,
    };
    match (schema, tag) {
        (Schema::Text, Tag::Bool | Tag::Int | Tag::Float | Tag::Binary | Tag::Value) => Tag::Text,
        (_, tag) => tag,
    }
}

/// The tag of a list or mapping.
pub(crate) fn collection(tag: Option<&str>, default: Tag) -> Tag {
    match tag {
        None | Some("!") => default,
        Some(tag) => explicit(tag),
    }
}

fn explicit(tag: &str) -> Tag {
    match tag.strip_prefix(YAML_TAG) {
        Some("null") => Tag::Null,
        Some("bool") => Tag::Bool,
        Some("int") => Tag::Int,
        Some("float") => Tag::Float,
        Some("binary") => Tag::Binary,
        Some("str" | "timestamp") => Tag::Text,
        Some("seq") => Tag::Sequence,
        Some("map") => Tag::Mapping,
        Some("omap") => Tag::OrderedMap,
        Some("pairs") => Tag::Pairs,
        Some("set") => Tag::Set,
        Some("merge") => Tag::Merge,
        Some("value") => Tag::Value,
        _ => Tag::Unknown(tag.to_owned()),
    }
}

/// What PyYAML's implicit resolvers make of a plain scalar. Timestamps are text here.
pub(crate) fn implicit(text: &str) -> Tag {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Tag::Null,
        "<<" => Tag::Merge,
        "=" => Tag::Value,
        "yes" | "Yes" | "YES" | "no" | "No" | "NO" | "true" | "True" | "TRUE" | "false"
        | "False" | "FALSE" | "on" | "On" | "ON" | "off" | "Off" | "OFF" => Tag::Bool,
        // All numbers begin so; most text does not.
        _ if !text.starts_with(|c: char| matches!(c, '0'..='9' | '-' | '+' | '.')) => Tag::Text,
        _ if is_float(text) => Tag::Float,
        _ if is_int(text) => Tag::Int,
        _ => Tag::Text,
    }
}

/// Whether PyYAML would read a date or time out of a plain scalar; the writer must quote it.
pub(crate) fn is_timestamp(text: &str) -> bool {
    let digits = |text: &str, least: usize, most: usize| {
        (least..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
    };
    let mut date = text.splitn(3, '-');
    let (Some(year), Some(month), Some(rest)) = (date.next(), date.next(), date.next()) else {
        return false;
    };
    if !digits(year, 4, 4) {
        return false;
    }
    if digits(month, 2, 2) && digits(rest, 2, 2) {
        return true;
    }
    let day_end = rest.find(|c: char| !c.is_ascii_digit());
    let Some((day, time)) = day_end.and_then(|end| rest.split_at_checked(end)) else {
        return false;
    };
    if !digits(month, 1, 2) || !digits(day, 1, 2) {
        return false;
    }
    let blank = |c: char| c == ' ' || c == '\t';
    let time = match time.strip_prefix(['T', 't']) {
        Some(time) => time,
        None if time.starts_with(blank) => time.trim_start_matches(blank),
        None => return false,
    };
    let mut parts = time.splitn(3, ':');
    let (Some(hour), Some(minute), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let Some((second, rest)) = rest.split_at_checked(2) else {
        return false;
    };
    if !digits(hour, 1, 2) || !digits(minute, 2, 2) || !digits(second, 2, 2) {
        return false;
    }
    let rest = match rest.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => rest,
    };
    if rest.is_empty() {
        return true;
    }
    let zone = rest.trim_start_matches(blank);
    let Some(offset) = zone.strip_prefix(['+', '-']) else {
        return zone == "Z";
    };
    match offset.split_once(':') {
        Some((hours, minutes)) => digits(hours, 1, 2) && digits(minutes, 2, 2),
        None => digits(offset, 1, 2),
    }
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['+', '-']).unwrap_or(text)
}

fn all(text: &str, wanted: impl Fn(u8) -> bool) -> bool {
    text.bytes().all(|b| b == b'_' || wanted(b))
}

fn is_decimal(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) && all(text, |b| b.is_ascii_digit())
}

fn is_int(text: &str) -> bool {
    let text = unsigned(text);
    if let Some(digits) = text.strip_prefix("0b") {
        return !digits.is_empty() && all(digits, |b| matches!(b, b'0' | b'1'));
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return !digits.is_empty() && all(digits, |b| b.is_ascii_hexdigit());
    }
    if let Some(digits) = text.strip_prefix('0') {
        return all(digits, |b| matches!(b, b'0'..=b'7'));
    }
    is_decimal(text) || is_sexagesimal(text)
}

/// `[0-9][0-9_]*(:[0-5]?[0-9])+`
fn is_sexagesimal(text: &str) -> bool {
    let mut parts = text.split(':');
    let first = parts.next().is_some_and(is_decimal);
    let mut more = parts.peekable();
    first
        && more.peek().is_some()
        && more.all(|part| match part.as_bytes() {
            [low] => low.is_ascii_digit(),
            [high, low] => matches!(high, b'0'..=b'5') && low.is_ascii_digit(),
            _ => false,
        })
}

fn is_float(text: &str) -> bool {
    if matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let number = unsigned(text);
    if matches!(number, ".inf" | ".Inf" | ".INF") {
        return true;
    }
    let Some((whole, rest)) = number.split_once('.') else {
        return false;
    };
    if is_sexagesimal(whole) {
        return all(rest, |b| b.is_ascii_digit());
    }
    let (fraction, exponent) = match rest.split_once(['e', 'E']) {
        Some((fraction, exponent)) => (fraction, Some(exponent)),
        None => (rest, None),
    };
    let exponent_fits = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['+', '-']);
        digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
    });
    let mantissa_fits = if whole.is_empty() {
        // Without a digit before the point, PyYAML knows no sign.
        number.len() == text.len() && is_decimal(fraction)
    } else {
        is_decimal(whole) && all(fraction, |b| b.is_ascii_digit())
    };
    mantissa_fits && exponent_fits
}
