//! Breaking a line that is too wide, as prettytable does through `wcwidth.wrap`, Python's `textwrap` by display width.

use super::width::{clusters, columns};

/// The pieces of one line, each at most `width` columns unless a single character is wider.
///
/// Breaks come at white space, which is dropped, after hyphens between words, and, in words that are too long,
/// after their last hyphen or anywhere. White space at the very start stays.
pub(super) fn wrapped(line: &str, width: usize) -> Vec<String> {
    let mut chunks: Vec<String> = chunks(line);
    chunks.reverse();
    let mut lines: Vec<String> = Vec::new();
    while !chunks.is_empty() {
        if !lines.is_empty() && chunks.last().is_some_and(|chunk| chunk.trim().is_empty()) {
            chunks.pop();
        }
        let mut taken: Vec<String> = Vec::new();
        let mut used = 0;
        while let Some(chunk) = chunks.pop() {
            let wide = columns(&chunk);
            if used + wide <= width {
                used += wide;
                taken.push(chunk);
                continue;
            }
            if wide > width {
                let (head, tail) = cut(&chunk, width - used, taken.is_empty());
                taken.push(head.to_owned());
                if !tail.is_empty() {
                    chunks.push(tail.to_owned());
                }
            } else {
                chunks.push(chunk);
            }
            break;
        }
        let text = taken.concat();
        if !text.trim_end().is_empty() {
            lines.push(text.trim_end().to_owned());
        }
    }
    lines
}

/// Cuts a word that fits no line: what still goes on this one, and the rest.
fn cut(word: &str, room: usize, line_is_empty: bool) -> (&str, &str) {
    let mut used = 0;
    let mut fits = 0;
    let mut first = 0;
    for cluster in clusters(word) {
        used += columns(cluster);
        if first == 0 {
            first = cluster.len();
        }
        if used > room {
            break;
        }
        fits += cluster.len();
    }
    let head = word.get(..fits).unwrap_or_default();
    let hyphen = head.rfind('-').filter(|at| {
        !head
            .get(..*at)
            .unwrap_or_default()
            .trim_start_matches('-')
            .is_empty()
    });
    let at = match hyphen {
        Some(at) => at + 1,
        None if line_is_empty && columns(head) == 0 => first,
        None => fits,
    };
    word.split_at_checked(at).unwrap_or((word, ""))
}

/// Cuts a line at the places where it may break: runs of white space, words, parts of hyphenated words, dashes.
fn chunks(line: &str) -> Vec<String> {
    let chars: Vec<char> = line.chars().collect();
    let text = Text(&chars);
    let mut chunks = Vec::new();
    let mut start = 0;
    while start < chars.len() {
        let end = text.chunk_end(start).clamp(start + 1, chars.len());
        chunks.push(chars.iter().skip(start).take(end - start).collect());
        start = end;
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
        let end = self.run_end(start, is_hyphen);
        let dash = end >= start + 2
            && self.is(start.checked_sub(1), is_word_or_mark)
            && self.is(Some(end), is_word);
        dash.then_some(end)
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
