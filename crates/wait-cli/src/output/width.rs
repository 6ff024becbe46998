//! How many terminal columns a text takes, as Python's wcwidth 0.9 counts (`wcwidth/_wcswidth.py`).
//!
//! The widths of single characters come from the unicode-width crate; how characters join follows wcwidth,
//! which differs from that crate's own string width (Arabic ligatures, for one).

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

const ZWJ: char = '\u{200d}';
const EMOJI_STYLE: char = '\u{fe0f}';
const TEXT_STYLE: char = '\u{fe0e}';

/// The terminal columns that a text takes; control characters take none.
#[must_use]
pub fn columns(text: &str) -> usize {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.len();
    }
    clusters(text).map(cluster_columns).sum()
}

/// The longest beginning of a text that fits into so many columns.
#[must_use]
pub fn fitting(text: &str, room: usize) -> &str {
    let (mut used, mut end) = (0, 0);
    for cluster in clusters(text) {
        used += columns(cluster);
        if used > room {
            break;
        }
        end += cluster.len();
    }
    text.get(..end).unwrap_or_default()
}

/// Cuts a text into what is shown as one: a character with its marks, an emoji sequence, a flag.
pub(super) fn clusters(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (cluster, tail) = rest
            .split_at_checked(first_cluster(rest))
            .filter(|(cluster, _)| !cluster.is_empty())?;
        rest = tail;
        Some(cluster)
    })
}

/// The length in bytes of the first cluster.
fn first_cluster(text: &str) -> usize {
    let mut chars = text.char_indices();
    let Some((_, base)) = chars.next() else {
        return 0;
    };
    let mut before = base;
    let mut flag_open = is_regional(base);
    for (at, c) in chars {
        let joins = before == ZWJ
            || width(c) == 0 && !c.is_control()
            || is_skin_tone(c) && takes_skin_tone(base)
            || flag_open && is_regional(c);
        if !joins {
            return at;
        }
        flag_open = false;
        before = c;
    }
    text.len()
}

/// The base decides; a style selector can change it.
fn cluster_columns(cluster: &str) -> usize {
    let mut chars = cluster.chars();
    let Some(base) = chars.next() else { return 0 };
    match chars.next() {
        Some(EMOJI_STYLE) => width(base).max(pair_width(base, EMOJI_STYLE)),
        Some(TEXT_STYLE) => width(base).min(pair_width(base, TEXT_STYLE)),
        _ => width(base),
    }
}

/// Half a flag is as wide as a flag; the half-width voice marks are letters, which old versions of the crate deny.
fn width(c: char) -> usize {
    match c {
        '\u{1f1e6}'..='\u{1f1ff}' => 2,
        '\u{ff9e}' | '\u{ff9f}' => 1,
        c => c.width().unwrap_or(0),
    }
}

fn pair_width(base: char, selector: char) -> usize {
    [base, selector].iter().collect::<String>().width()
}

fn is_regional(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}')
}

fn is_skin_tone(c: char) -> bool {
    matches!(c, '\u{1f3fb}'..='\u{1f3ff}')
}

/// A skin tone is a picture of its own behind anything but an emoji.
fn takes_skin_tone(base: char) -> bool {
    base > '\u{2000}' && pair_width(base, '\u{1f3fb}') <= 2
}
