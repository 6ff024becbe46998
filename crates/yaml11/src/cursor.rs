//! A place in the text that moves forward, counting lines and columns as PyYAML's reader does.

/// A place in the text; all three count from 0, in characters. Every token and node has one: hence half as wide as they
/// could be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    index: u32,
    line: u32,
    column: u32,
}

/// More text than a [`Mark`] can count through is refused.
pub(crate) const LONGEST: usize = u32::MAX as usize;

impl Mark {
    pub(crate) fn index(self) -> usize {
        self.index as usize
    }

    pub(crate) fn line(self) -> usize {
        self.line as usize
    }

    pub(crate) fn column(self) -> usize {
        self.column as usize
    }
}

/// The text and where we are in it. Past the end every character is NUL, which no YAML text may hold.
pub(crate) struct Cursor<'t> {
    text: &'t str,
    /// In bytes.
    at: usize,
    mark: Mark,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            mark: Mark::default(),
        }
    }

    /// The place of the first character that YAML 1.1 does not allow, if there is one.
    pub(crate) fn first_unprintable(&self) -> Option<(Mark, char)> {
        let usual =
            |byte: u8| (b' '..=b'~').contains(&byte) || matches!(byte, b'\n' | b'\r' | b'\t');
        // Without a branch for each, that is a few instructions for many bytes.
        if self.text.bytes().fold(true, |all, byte| all & usual(byte))
            || self.text.chars().all(is_printable)
        {
            return None;
        }
        let mut walk = Cursor::new(self.text);
        while walk.at < self.text.len() {
            let c = walk.here();
            if !is_printable(c) {
                return Some((walk.mark, c));
            }
            walk.advance(1);
        }
        None
    }

    pub(crate) fn mark(&self) -> Mark {
        self.mark
    }

    pub(crate) fn column(&self) -> usize {
        self.mark.column()
    }

    /// Where we are in the text, in bytes.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// What stands between a place and here.
    pub(crate) fn since(&self, start: usize) -> &'t str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// The text from here on.
    pub(crate) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The character `ahead` of here.
    pub(crate) fn peek(&self, ahead: usize) -> char {
        match self.text.as_bytes().get(self.at..=self.at + ahead) {
            Some(near) if near.is_ascii() => near.last().map_or('\0', |&byte| char::from(byte)),
            _ => self.rest().chars().nth(ahead).unwrap_or('\0'),
        }
    }

    pub(crate) fn here(&self) -> char {
        match self.text.as_bytes().get(self.at) {
            Some(byte) if byte.is_ascii() => char::from(*byte),
            _ => self.rest().chars().next().unwrap_or('\0'),
        }
    }

    /// Moves over `count` characters.
    pub(crate) fn advance(&mut self, count: usize) {
        for _ in 0..count {
            match self.text.as_bytes().get(self.at) {
                None => return,
                Some(b' '..=b'~') => {
                    self.at += 1;
                    self.mark.index += 1;
                    self.mark.column += 1;
                }
                Some(_) => self.step(),
            }
        }
    }

    /// Moves over one character of any kind.
    fn step(&mut self) {
        let c = self.here();
        // A carriage return before a line feed is one column of the line it ends.
        let ends_line = is_break(c) && !(c == '\r' && self.peek(1) == '\n');
        self.at += c.len_utf8();
        self.mark.index += 1;
        if ends_line {
            self.mark.line += 1;
            self.mark.column = 0;
        } else if c != '\u{FEFF}' {
            self.mark.column += 1;
        }
    }

    /// Takes `length` bytes, which end between two characters.
    pub(crate) fn take(&mut self, length: usize) -> &'t str {
        let start = self.at;
        let taken = self.rest().get(..length).unwrap_or_default();
        if taken.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            self.at += taken.len();
            // Not longer than the text.
            let length = u32::try_from(taken.len()).unwrap_or(u32::MAX);
            self.mark.index += length;
            self.mark.column += length;
        } else {
            while self.at < start + taken.len() {
                self.step();
            }
        }
        taken
    }

    /// Takes characters as long as they are wanted.
    pub(crate) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        self.take(rest.find(|c| !wanted(c)).unwrap_or(rest.len()))
    }

    pub(crate) fn skip(&mut self, unwanted: impl Fn(char) -> bool) {
        self.take_while(unwanted);
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
        let marker = self.rest();
        (marker.starts_with("---") || marker.starts_with("...")) && ends_word(self.peek(3))
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
