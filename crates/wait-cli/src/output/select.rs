//! Which columns are shown: `-c/--column` (cliff `display.py:143`).

use super::OutputError;

/// Says for each name whether it is to be shown. Unknown names are ignored as long as one is known.
pub(super) fn chosen(asked: &[String], names: &[String]) -> Result<Vec<bool>, OutputError> {
    if asked.is_empty() {
        return Ok(vec![true; names.len()]);
    }
    let wanted: Vec<String> = asked.iter().map(|name| normal(name)).collect();
    let chosen: Vec<bool> = names
        .iter()
        .map(|name| wanted.contains(&normal(name)))
        .collect();
    if chosen.contains(&true) {
        Ok(chosen)
    } else {
        Err(OutputError::UnknownColumns {
            asked: asked.to_vec(),
            known: names.to_vec(),
        })
    }
}

/// Leaves out what is not chosen.
pub(super) fn compress<'a, T>(items: &'a [T], chosen: &'a [bool]) -> impl Iterator<Item = &'a T> {
    items
        .iter()
        .zip(chosen)
        .filter_map(|(item, chosen)| chosen.then_some(item))
}

/// The form in which column names are compared: `Server Name` is also `server_name`.
pub(super) fn normal(name: &str) -> String {
    name.to_lowercase().trim().replace(' ', "_")
}
