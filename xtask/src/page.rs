//! A page of docs/ with figures: each section stands between two marks of its name and is written by its own run; whatever
//! else is on the page stays.

use std::path::{Path, PathBuf};

use crate::tools::Failure;

/// The page as it is and will be.
pub struct Page {
    file: PathBuf,
    text: String,
}

impl Page {
    /// Reads the page, if there is one.
    ///
    /// # Errors
    /// When there is a file that cannot be read.
    pub fn open(file: &Path) -> Result<Self, Failure> {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => "# Benchmarks\n".to_owned(),
            Err(e) => return Err(format!("cannot read {}: {e}", file.display())),
        };
        Ok(Self {
            file: file.to_owned(),
            text,
        })
    }

    /// Replaces a section, or adds it at the end.
    pub fn put(&mut self, name: &str, section: &str) {
        let mark = format!("<!-- {name} -->");
        let parts: Vec<&str> = self.text.splitn(3, mark.as_str()).collect();
        let section = section.trim();
        self.text = match parts.as_slice() {
            [before, _, after] => format!("{before}{mark}\n{section}\n{mark}{after}"),
            _ => format!("{}\n\n{mark}\n{section}\n{mark}\n", self.text.trim_end()),
        };
    }

    /// Writes the page.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self) -> Result<(), Failure> {
        std::fs::write(&self.file, &self.text)
            .map_err(|e| format!("cannot write {}: {e}", self.file.display()))
    }
}

/// What a run has printed between two lines that are marks of `name`.
pub fn section<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let mark = format!("<!-- {name} -->");
    let (_, after) = text.split_once(&mark)?;
    let (section, _) = after.split_once(&mark)?;
    Some(section.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_what_stands_between_its_marks() {
        let said = "running 1 test\n<!-- chaos -->\n| a |\n\nb\n<!-- chaos -->\ntest x ... ok\n";
        assert_eq!(section(said, "chaos"), Some("| a |\n\nb"));
        assert_eq!(section(said, "rolling"), None);
        assert_eq!(section("<!-- chaos -->\nhalf", "chaos"), None);
    }

    #[test]
    fn a_run_rewrites_its_own_section_and_keeps_the_rest() {
        let text =
            "# Benchmarks\n\n<!-- late -->\n## Late\n\nold\n<!-- late -->\n\n## Events\nby hand\n";
        let mut page = Page {
            file: PathBuf::new(),
            text: text.to_owned(),
        };
        page.put("cost", "## Cost\n");
        page.put("late", "## Late\n\nnew\n");
        assert_eq!(
            page.text,
            "# Benchmarks\n\n<!-- late -->\n## Late\n\nnew\n<!-- late -->\n\n## Events\nby hand\n\n\
             <!-- cost -->\n## Cost\n<!-- cost -->\n"
        );
    }
}
