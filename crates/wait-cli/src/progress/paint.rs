//! How a block of lines is put on a terminal and taken away again: a handful of control sequences that every terminal
//! with a cursor knows (ECMA-48; DECAWM is the VT100's).

/// What stands on the terminal; the cursor is behind the last line.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    /// Of each line.
    widths: Vec<usize>,
    /// Of the terminal, when it was drawn.
    columns: usize,
}

impl Drawn {
    pub(super) fn is_empty(&self) -> bool {
        self.widths.is_empty()
    }

    /// Takes the block away; the cursor is where it began.
    pub(super) fn erase(&self, columns: usize) -> String {
        format!("{}\x1b[J", self.home(columns))
    }

    /// Puts these lines in the place of the block, in one piece, so that nothing flickers.
    pub(super) fn replace(&mut self, lines: &[String], dim_last: bool, columns: usize) -> String {
        let mut text = self.home(columns);
        if !self.is_empty() && columns != self.columns {
            // A line that was wrapped is remembered as one, even with another text in it, and joined again.
            text.push_str("\x1b[J");
        }
        // Where we and the terminal differ on the width of a character, the line is cut and not wrapped: else the block
        // would be higher than we know.
        text.push_str("\x1b[?7l");
        let last = lines.len().saturating_sub(1);
        for (index, line) in lines.iter().enumerate() {
            match (index == last, dim_last) {
                (false, _) => text.push_str(&format!("{line}\x1b[K\r\n")),
                (true, true) => text.push_str(&format!("\x1b[2m{line}\x1b[22m")),
                (true, false) => text.push_str(line),
            }
        }
        text.push_str("\x1b[J\x1b[?7h");
        self.columns = columns;
        self.widths = lines
            .iter()
            .map(|line| crate::output::display_width(line))
            .collect();
        text
    }

    /// To the first column of the first line. Most terminals wrap what stands on them when they become narrower.
    fn home(&self, columns: usize) -> String {
        let rows: usize = self
            .widths
            .iter()
            .map(|width| width.div_ceil(columns.max(1)).max(1))
            .sum();
        match rows {
            0 | 1 => "\r".to_owned(),
            rows => format!("\r\x1b[{}A", rows - 1),
        }
    }
}
