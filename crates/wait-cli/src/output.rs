//! The output formats of the `openstack` command, byte for byte: table, json, yaml, value, shell, csv.
//!
//! Everything here is a function of a [`Layout`] and the data; nothing is written, and neither the environment
//! nor the terminal is looked at. Replaces cliff 4.17 `cliff/{display,lister,show}.py` and
//! `cliff/formatters/*.py` with prettytable 3.18 and wcwidth 0.9 below them. The one intended difference:
//! control characters are made harmless (see [`crate::printable`] and `docs/design/output.md`).

mod cell;
mod csv;
mod json;
mod python;
mod select;
mod shell;
mod sort;
mod table;
mod value;
mod width;
mod wrap;
mod yaml;

use thiserror::Error;

pub use cell::Cell;
pub use python::text as python_text;
pub use width::{columns as display_width, fitting};
pub use wrap::folded;

/// How the result is written: `-f/--format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// A box of `+`, `-` and `|`; for one resource its fields stand below each other.
    #[default]
    Table,
    /// One JSON object, or an array of them, all in ASCII.
    Json,
    /// YAML 1.1 as PyYAML's `safe_dump` writes it.
    Yaml,
    /// The values alone: one a line for one resource, one row a line for lists.
    Value,
    /// `name="value"` lines; for one resource only.
    Shell,
    /// Comma-separated with a header line; for lists only.
    Csv,
}

impl Format {
    /// The word after `-f`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Json => "json",
            Self::Yaml => "yaml",
            Self::Value => "value",
            Self::Shell => "shell",
            Self::Csv => "csv",
        }
    }
}

/// Which way `--sort-column` sorts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortDirection {
    /// Smallest first; unset values last.
    #[default]
    Ascending,
    /// Largest first; unset values first.
    Descending,
}

/// What is quoted in csv: `--quote`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quote {
    /// Every field.
    All,
    /// Only fields that would be misread.
    Minimal,
    /// Everything that is no number.
    #[default]
    Nonnumeric,
    /// Nothing; what would be misread is escaped with a backslash.
    None,
}

/// Everything that decides how a result looks; the default is what the `openstack` command does without options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// `-f/--format`.
    pub format: Format,
    /// `-c/--column`, in any order: shown are the columns in their own order. Empty: all.
    pub columns: Vec<String>,
    /// `--noindent`: JSON on one line.
    pub noindent: bool,
    /// `--prefix`: put before each name of the shell format.
    pub prefix: String,
    /// `--max-width`, else `CLIFF_MAX_TERM_WIDTH`: terminal columns a table may take; `None` or zero: no limit.
    pub max_width: Option<usize>,
    /// `--fit-width`, or a non-zero `CLIFF_FIT_WIDTH`. Changes nothing by itself, as in cliff: a terminal is always fitted, and nothing else has a width.
    pub fit_width: bool,
    /// How many columns the terminal has that stdout is; `None` when stdout is no terminal.
    pub terminal_width: Option<usize>,
    /// `--print-empty`: the header of a table without rows instead of an empty line.
    pub print_empty: bool,
    /// `--sort-column`, the first counts most; unknown ones are ignored. Lists only.
    pub sort_columns: Vec<String>,
    /// `--sort-ascending` or `--sort-descending`.
    pub sort_direction: SortDirection,
    /// `--quote`, csv only.
    pub quote: Quote,
}

impl Layout {
    /// How wide a table may be: the option, else the terminal.
    fn width_limit(&self) -> Option<usize> {
        let positive = |width: &usize| *width > 0;
        self.max_width
            .filter(positive)
            .or(self.terminal_width.filter(positive))
    }
}

/// Why a result cannot be written as asked. All of them are usage errors.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OutputError {
    /// None of the names given with `-c` is a column.
    #[error("no recognized column names in {}: recognized columns are {}", python::list(.asked), python::list(.known))]
    UnknownColumns {
        /// As given.
        asked: Vec<String>,
        /// What there is.
        known: Vec<String>,
    },
    /// csv for one resource, or shell for a list.
    #[error("-f {} is for {}: choose one of table, json, yaml, value, {}", .format.name(), .fits, .instead)]
    Unfit {
        /// As asked for.
        format: Format,
        /// What it would fit.
        fits: &'static str,
        /// The format that takes its place.
        instead: &'static str,
    },
    /// A row that is one empty field cannot be told from no row without quotes.
    #[error("--quote none cannot write a row that is one empty field: leave --quote out")]
    UnquotableRow,
    /// The value cannot be written as JSON.
    #[error("cannot write the result as JSON")]
    Json(#[from] serde_json::Error),
}

/// Writes one resource: its fields in order, each with a name.
///
/// The text ends with a newline, save that yaml, value and shell without fields are empty.
///
/// # Errors
/// [`OutputError`]: unknown columns, or csv asked for.
pub fn one(layout: &Layout, fields: &[(String, Cell)]) -> Result<String, OutputError> {
    let names: Vec<String> = fields.iter().map(|(name, _)| name.clone()).collect();
    let chosen = select::chosen(&layout.columns, &names)?;
    let fields: Vec<(&str, &Cell)> = fields
        .iter()
        .zip(chosen)
        .filter_map(|((name, cell), chosen)| chosen.then_some((name.as_str(), cell)))
        .collect();
    match layout.format {
        Format::Table => Ok(table::one(&fields, layout.width_limit())),
        Format::Json => Ok(json::one(&fields, layout.noindent)?),
        Format::Yaml => Ok(yaml::one(&fields)),
        Format::Value => Ok(value::one(&fields)),
        Format::Shell => Ok(shell::one(&fields, &layout.prefix)),
        Format::Csv => Err(OutputError::Unfit {
            format: layout.format,
            fits: "lists",
            instead: "shell",
        }),
    }
}

/// Writes a list of resources: one row each, its cells in the order of the headers.
///
/// Sorting comes first, so that a list may be sorted by a column that is not shown. A column whose values
/// cannot be compared is left unsorted with a warning in the log.
///
/// # Errors
/// [`OutputError`]: unknown columns, shell asked for, or a csv row that needs quotes under `--quote none`.
pub fn list(
    layout: &Layout,
    headers: &[String],
    rows: &[Vec<Cell>],
) -> Result<String, OutputError> {
    let rows = sort::sorted(layout, headers, rows);
    let chosen = select::chosen(&layout.columns, headers)?;
    let headers: Vec<&str> = select::compress(headers, &chosen)
        .map(String::as_str)
        .collect();
    let rows: Vec<Vec<&Cell>> = rows
        .into_iter()
        .map(|row| select::compress(row, &chosen).collect())
        .collect();
    match layout.format {
        Format::Table => Ok(table::list(
            &headers,
            &rows,
            layout.width_limit(),
            layout.print_empty,
        )),
        Format::Json => Ok(json::list(&headers, &rows, layout.noindent)?),
        Format::Yaml => Ok(yaml::list(&headers, &rows)),
        Format::Value => Ok(value::list(&rows)),
        Format::Csv => csv::list(&headers, &rows, layout.quote),
        Format::Shell => Err(OutputError::Unfit {
            format: layout.format,
            fits: "one resource",
            instead: "csv",
        }),
    }
}
