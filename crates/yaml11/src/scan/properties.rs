//! Directives, anchors, aliases and tags.

use super::{Directive, Scanner, Tag};
use crate::cursor::{Mark, ends_line, ends_word};
use crate::error::Fault;

impl<'t> Scanner<'t> {
    pub(super) fn directive(&mut self, start: Mark) -> Result<Directive, Fault> {
        self.cursor.advance(1);
        let name = self.cursor.take_while(is_name);
        if name.is_empty() || !self.blank_follows() {
            return Err(Fault::new(start, "a directive needs a name"));
        }
        let directive = match name {
            "YAML" => self.version(start)?,
            "TAG" => self.handle_directive(start)?,
            _ => {
                self.cursor.skip(|c| !ends_line(c));
                Directive::Other
            }
        };
        self.rest_of_line()?;
        Ok(directive)
    }

    fn version(&mut self, start: Mark) -> Result<Directive, Fault> {
        self.cursor.skip(|c| c == ' ');
        let major = self.cursor.take_while(|c| c.is_ascii_digit()).to_owned();
        let dot = self.cursor.here() == '.';
        self.cursor.advance(1);
        let minor = self.cursor.take_while(|c| c.is_ascii_digit());
        if major.is_empty() || !dot || minor.is_empty() || !self.blank_follows() {
            return Err(Fault::new(start, "expected a version, as in \"%YAML 1.1\""));
        }
        Ok(Directive::Version { major })
    }

    fn handle_directive(&mut self, start: Mark) -> Result<Directive, Fault> {
        self.cursor.skip(|c| c == ' ');
        let handle = self.handle()?;
        if self.cursor.here() != ' ' {
            return Err(Fault::new(start, "expected a prefix after the tag handle"));
        }
        self.cursor.skip(|c| c == ' ');
        let prefix = self.uri()?;
        if !self.blank_follows() {
            return Err(Fault::new(start, "unexpected text after the tag prefix"));
        }
        Ok(Directive::Handle { handle, prefix })
    }

    /// The name after `&` or `*`.
    pub(super) fn anchor(&mut self) -> Result<&'t str, Fault> {
        self.cursor.advance(1);
        let name = self.cursor.take_while(is_name);
        let next = self.cursor.here();
        if name.is_empty() {
            let message = format!("an anchor's name cannot start with {next:?}");
            return Err(Fault::new(self.cursor.mark(), message));
        }
        if !ends_word(next) && !matches!(next, '?' | ':' | ',' | ']' | '}' | '%' | '@' | '`') {
            let message = format!("{next:?} is not allowed in an anchor's name");
            return Err(Fault::new(self.cursor.mark(), message));
        }
        Ok(name)
    }

    pub(super) fn tag(&mut self) -> Result<Tag, Fault> {
        let next = self.cursor.peek(1);
        let tag = if next == '<' {
            self.cursor.advance(2);
            let suffix = self.uri()?;
            if self.cursor.here() != '>' {
                return Err(Fault::new(
                    self.cursor.mark(),
                    "expected \">\" after the tag",
                ));
            }
            self.cursor.advance(1);
            Tag {
                handle: None,
                suffix,
            }
        } else if ends_word(next) {
            self.cursor.advance(1);
            Tag {
                handle: None,
                suffix: "!".to_owned(),
            }
        } else {
            let handle = if self.second_mark_follows() {
                self.handle()?
            } else {
                self.cursor.advance(1);
                "!".to_owned()
            };
            let suffix = self.uri()?;
            Tag {
                handle: Some(handle),
                suffix,
            }
        };
        if !self.blank_follows() {
            let message = format!("{:?} is not allowed in a tag", self.cursor.here());
            return Err(Fault::new(self.cursor.mark(), message));
        }
        Ok(tag)
    }

    /// Whether a second `!` stands in this word: the tag has a handle.
    fn second_mark_follows(&self) -> bool {
        let word = self.cursor.rest().chars().skip(1);
        let mut word = word.take_while(|&c| c != ' ' && !ends_line(c));
        word.any(|c| c == '!')
    }

    fn handle(&mut self) -> Result<String, Fault> {
        let mut handle = "!".to_owned();
        if self.cursor.here() != '!' {
            return Err(Fault::new(
                self.cursor.mark(),
                "a tag handle begins with \"!\"",
            ));
        }
        self.cursor.advance(1);
        if self.cursor.here() != ' ' {
            handle += self.cursor.take_while(is_name);
            if self.cursor.here() != '!' {
                return Err(Fault::new(
                    self.cursor.mark(),
                    "a tag handle ends with \"!\"",
                ));
            }
            self.cursor.advance(1);
            handle.push('!');
        }
        Ok(handle)
    }

    fn uri(&mut self) -> Result<String, Fault> {
        let mut uri = String::new();
        loop {
            uri += self.cursor.take_while(is_uri);
            if self.cursor.here() != '%' {
                break;
            }
            uri += &self.uri_escapes()?;
        }
        if uri.is_empty() {
            return Err(Fault::new(self.cursor.mark(), "expected a tag"));
        }
        Ok(uri)
    }

    fn uri_escapes(&mut self) -> Result<String, Fault> {
        let start = self.cursor.mark();
        let mut bytes = Vec::new();
        while self.cursor.here() == '%' {
            self.cursor.advance(1);
            let digits = self.cursor.take(2);
            let valid = digits.len() == 2 && digits.chars().all(|c| c.is_ascii_hexdigit());
            match u8::from_str_radix(digits, 16) {
                Ok(byte) if valid => bytes.push(byte),
                _ => {
                    return Err(Fault::new(
                        start,
                        "\"%\" in a tag needs two hexadecimal digits",
                    ));
                }
            }
        }
        String::from_utf8(bytes)
            .map_err(|_| Fault::new(start, "the escapes in this tag are not UTF-8"))
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

fn is_uri(c: char) -> bool {
    is_name(c) || (c != '\0' && ";/?:@&=+$,.!~*'()[]".contains(c))
}
