//! Breaking a line that is too wide, as prettytable does through `wcwidth.wrap`, Python's `textwrap` by display width.

use super::width::{clusters, columns};

/// A text of any number of lines, broken anew at `width` columns: Python's `textwrap.wrap`, whose lines are joined.
#[must_use]
pub fn folded(text: &str, width: usize) -> String {
    let blank = |c: char| if c.is_ascii_whitespace() { ' ' } else { c };
    let line: String = text.chars().map(blank).collect();
    wrapped(&line, width).join("\n")
}

/// The pieces of one line, each at most `width` columns unless a single character is wider.
///
/// Breaks come at white space, which is dropped, after hyphens between words, and, in words that are too long,
/// after their last hyphen or anywhere. White space at the very start stays.
///
/// Takes time in proportion to the line, however long its words are.
pub(super) fn wrapped(line: &str, width: usize) -> Vec<String> {
    let mut chunks = chunks(line);
    chunks.reverse();
    let mut lines: Vec<String> = Vec::new();
    while !chunks.is_empty() {
        if !lines.is_empty() && chunks.last().is_some_and(|chunk| chunk.trim().is_empty()) {
            chunks.pop();
        }
        let mut text = String::new();
        let mut room = width;
        while let Some(chunk) = chunks.pop() {
            if let Some(wide) = columns_within(chunk, room) {
                room -= wide;
                text.push_str(chunk);
                continue;
            }
            if columns_within(chunk, width).is_none() {
                let (head, tail) = cut(chunk, room, text.is_empty());
                text.push_str(head);
                chunks.push(tail);
            } else {
                chunks.push(chunk);
            }
            break;
        }
        if !text.trim_end().is_empty() {
            lines.push(text.trim_end().to_owned());
        }
    }
    lines
}

/// The columns of a text, or `None` when it is wider than the room there is; looks no further than that.
fn columns_within(text: &str, room: usize) -> Option<usize> {
    let mut used = 0;
    for cluster in clusters(text) {
        used += columns(cluster);
        if used > room {
            return None;
        }
    }
    Some(used)
}

/// Cuts a word that fits no line: what still goes on this one, and the rest.
fn cut(word: &str, room: usize, line_is_empty: bool) -> (&str, &str) {
    let mut used = 0;
    let mut fits = 0;
    for cluster in clusters(word) {
        used += columns(cluster);
        if used > room {
            break;
        }
        fits += cluster.len();
    }
    let head = word.get(..fits).unwrap_or_default();
    let before = |at: usize| head.get(..at).unwrap_or_default();
    let hyphen = head
        .rfind('-')
        .filter(|at| !before(*at).trim_start_matches('-').is_empty());
    let at = match hyphen {
        Some(at) => at + 1,
        None if line_is_empty && columns(head) == 0 => clusters(word).next().map_or(0, str::len),
        None => fits,
    };
    word.split_at_checked(at).unwrap_or((word, ""))
}

/// Cuts a line at the places where it may break: runs of white space, words, parts of hyphenated words, dashes.
fn chunks(line: &str) -> Vec<&str> {
    let chars: Vec<char> = line.chars().collect();
    let text = Text(&chars);
    let mut chunks = Vec::new();
    let (mut start, mut rest) = (0, line);
    while start < chars.len() {
        let end = text.chunk_end(start).max(start + 1);
        let bytes = chars
            .iter()
            .take(end)
            .skip(start)
            .map(|c| c.len_utf8())
            .sum();
        let (chunk, tail) = rest.split_at_checked(bytes).unwrap_or((rest, ""));
        chunks.push(chunk);
        (start, rest) = (end, tail);
    }
    chunks
}

/// Characters by place; outside there is nothing.
struct Text<'a>(&'a [char]);

impl Text<'_> {
    fn is(&self, at: Option<usize>, class: fn(char) -> bool) -> bool {
        at.and_then(|at| self.0.get(at)).is_some_and(|c| class(*c))
    }

    fn chunk_end(&self, start: usize) -> usize {
        if self.is(Some(start), is_space) {
            return self.run_end(start, is_space);
        }
        if let Some(end) = self.dash_end(start) {
            return end;
        }
        let mut at = start + 1;
        while at < self.0.len() && !self.is(Some(at), is_space) {
            if self.breaks_after_hyphen(at) {
                return at + 1;
            }
            if self.dash_end(at).is_some() {
                return at;
            }
            at += 1;
        }
        at
    }

    fn run_end(&self, start: usize, class: fn(char) -> bool) -> usize {
        (start..)
            .find(|at| !self.is(Some(*at), class))
            .unwrap_or(start)
    }

    /// Two or more hyphens between words are a dash: it ends here.
    fn dash_end(&self, start: usize) -> Option<usize> {
        if !self.is(start.checked_sub(1), is_word_or_mark) {
            return None;
        }
        let end = self.run_end(start, is_hyphen);
        (end >= start + 2 && self.is(Some(end), is_word)).then_some(end)
    }

    /// Two letters, the hyphen, two letters; a letter may also stand between two hyphens.
    fn breaks_after_hyphen(&self, at: usize) -> bool {
        let back = |n: usize| at.checked_sub(n);
        let word_before = self.is(back(1), is_letter)
            && (self.is(back(2), is_letter)
                || self.is(back(2), is_hyphen) && self.is(back(3), is_letter));
        self.is(Some(at), is_hyphen)
            && word_before
            && self.is(Some(at + 1), is_letter)
            && (self.is(Some(at + 2), is_letter)
                || self.is(Some(at + 2), is_hyphen) && self.is(Some(at + 3), is_letter))
    }
}

fn is_space(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | ' ')
}

fn is_hyphen(c: char) -> bool {
    c == '-'
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_letter(c: char) -> bool {
    is_word(c) && !c.is_numeric()
}

fn is_word_or_mark(c: char) -> bool {
    is_word(c) || matches!(c, '!' | '"' | '\'' | '&' | '.' | ',' | '?')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_very_long_word_is_cut_into_full_lines() {
        for piece in ["x", "-", "a-", "日", "e\u{301}"] {
            let wrapped = wrapped(&piece.repeat(160_000 / columns(piece)), 80);
            assert_eq!(wrapped.len(), 2_000, "{piece}");
            assert!(wrapped.iter().all(|line| columns(line) == 80), "{piece}");
        }
    }

    #[test]
    fn a_character_wider_than_the_line_stands_alone() {
        assert_eq!(wrapped("日本", 1), ["日", "本"]);
        assert_eq!(wrapped("ab", 0), ["a", "b"]);
    }
}
