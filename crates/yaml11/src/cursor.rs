//! A place in the text that moves forward, counting lines and columns as PyYAML's reader does.

/// A place in the text; all three count from 0, in characters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) index: usize,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// The text and where we are in it. Past the end every character is NUL, which no YAML text may hold.
pub(crate) struct Cursor {
    chars: Vec<char>,
    mark: Mark,
}

impl Cursor {
    pub(crate) fn new(text: &str) -> Self {
        Self {
            chars: text.chars().collect(),
            mark: Mark::default(),
        }
    }

    /// The place of the first character that YAML 1.1 does not allow, if there is one.
    pub(crate) fn first_unprintable(&self) -> Option<(Mark, char)> {
        if self.chars.iter().all(|&c| is_printable(c)) {
            return None;
        }
        let mut walk = Cursor {
            chars: Vec::new(),
            mark: Mark::default(),
        };
        for (index, &c) in self.chars.iter().enumerate() {
            if !is_printable(c) {
                return Some((walk.mark, c));
            }
            walk.step(c, self.chars.get(index + 1).copied());
        }
        None
    }

    pub(crate) fn mark(&self) -> Mark {
        self.mark
    }

    pub(crate) fn column(&self) -> usize {
        self.mark.column
    }

    /// The character `ahead` of here.
    pub(crate) fn peek(&self, ahead: usize) -> char {
        let at = self.mark.index + ahead;
        self.chars.get(at).copied().unwrap_or('\0')
    }

    pub(crate) fn here(&self) -> char {
        self.peek(0)
    }

    /// Moves over `count` characters.
    pub(crate) fn advance(&mut self, count: usize) {
        for _ in 0..count {
            let Some(&c) = self.chars.get(self.mark.index) else {
                return;
            };
            if (' '..='~').contains(&c) {
                self.mark.index += 1;
                self.mark.column += 1;
            } else {
                self.step(c, self.chars.get(self.mark.index + 1).copied());
            }
        }
    }

    fn step(&mut self, c: char, next: Option<char>) {
        self.mark.index += 1;
        // A carriage return before a line feed is one column of the line it ends.
        if is_break(c) && !(c == '\r' && next == Some('\n')) {
            self.mark.line += 1;
            self.mark.column = 0;
        } else if c != '\u{FEFF}' {
            self.mark.column += 1;
        }
    }

    /// Takes `count` characters.
    pub(crate) fn take(&mut self, count: usize) -> String {
        let end = (self.mark.index + count).min(self.chars.len());
        let taken = self.chars.get(self.mark.index..end).unwrap_or_default();
        let taken = taken.iter().collect();
        self.advance(count);
        taken
    }

    /// Takes characters as long as they are wanted.
    pub(crate) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let mut count = 0;
        while wanted(self.peek(count)) {
            count += 1;
        }
        self.take(count)
    }

    pub(crate) fn skip(&mut self, unwanted: impl Fn(char) -> bool) {
        while unwanted(self.here()) {
            self.advance(1);
        }
    }

    /// Takes one line end, if it stands here: CR, LF, CRLF and NEL become a line feed, LS and PS stay.
    pub(crate) fn take_break(&mut self) -> Option<char> {
        let c = self.here();
        if !is_break(c) {
            return None;
        }
        let wide = c == '\r' && self.peek(1) == '\n';
        self.advance(if wide { 2 } else { 1 });
        Some(match c {
            '\u{2028}' | '\u{2029}' => c,
            _ => '\n',
        })
    }

    /// Skips blanks and a comment up to the line's end.
    pub(crate) fn skip_comment(&mut self) {
        if self.here() == '#' {
            self.skip(|c| !ends_line(c));
        }
    }

    /// Whether `---` or `...` stands here as a word of its own. The column is the caller's business.
    pub(crate) fn at_document_marker(&self) -> bool {
        let first = self.here();
        (first == '-' || first == '.')
            && self.peek(1) == first
            && self.peek(2) == first
            && ends_word(self.peek(3))
    }
}

/// What ends a line.
pub(crate) fn is_break(c: char) -> bool {
    matches!(c, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// A line's end, or the text's.
pub(crate) fn ends_line(c: char) -> bool {
    c == '\0' || is_break(c)
}

/// What an indicator must be followed by.
pub(crate) fn ends_word(c: char) -> bool {
    c == ' ' || c == '\t' || ends_line(c)
}

fn is_printable(c: char) -> bool {
    (' '..='~').contains(&c)
        || matches!(c, '\t' | '\n' | '\r' | '\u{85}' | '\u{A0}'..='\u{D7FF}'
        | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..='\u{10FFFF}')
}
