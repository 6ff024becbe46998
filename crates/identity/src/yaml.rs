//! Clouds files as text: the one place that knows the readers.

use serde_json::Value;
use yaml11::{Duplicates, Options, Schema};

use crate::Error;

/// Reads `bytes` of the file `name`: JSON where the name says so, else YAML 1.1 whose scalars stay text.
///
/// # Errors
/// [`crate::Kind::Config`] as `FILE:LINE:COLUMN: what`.
pub(crate) fn read(name: &str, bytes: &[u8], warnings: &mut Vec<String>) -> Result<Value, Error> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        Error::config(format!(
            "{name} is not UTF-8 text: byte {} is wrong",
            error.valid_up_to()
        ))
    })?;
    if name.ends_with(".json") {
        return serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| {
            let whole = error.to_string();
            let what = whole
                .rsplit_once(" at line")
                .map_or(whole.as_str(), |(what, _)| what);
            Error::config(format!(
                "{name}:{}:{}: {what}",
                error.line(),
                error.column()
            ))
        });
    }
    let options = Options {
        schema: Schema::Text,
        duplicates: Duplicates::Warn,
        ..Options::default()
    };
    let document =
        yaml11::read(text, &options).map_err(|error| Error::config(format!("{name}:{error}")))?;
    warnings.extend(
        document
            .warnings
            .iter()
            .map(|warning| format!("{name}:{warning}")),
    );
    Ok(document.value)
}
