//! How listed events are written: as a log, or in the formats of lists, piece by piece where the format allows it.

use serde_json::Value;
use wait_cli::Failure;
use wait_cli::argument::Given;
use wait_cli::options::Shape;
use wait_cli::output::{self, Cell, Format, Layout};
use wait_cli::run::Stage;

use crate::log_line::log_line;
use crate::model::Event;

/// The form of the result.
#[derive(Debug, Clone)]
pub(crate) enum Form {
    /// The log format: the default.
    Log,
    /// One JSON object a line, for programs that follow.
    JsonLines(Layout),
    /// The formats of the openstack command.
    List(Layout),
}

impl Form {
    /// What was asked for with `-f`.
    pub(crate) fn of(stage: &Stage<'_>, follow: bool) -> Result<Self, Failure> {
        let asked = stage.given().raw("--format");
        if matches!(asked, None | Some("log")) {
            return Ok(Self::Log);
        }
        let layout = stage.layout(Shape::List).map_err(|failure| {
            let message = failure.message.replace("one of ", "one of log, ");
            Failure { message, ..failure }
        })?;
        match layout.format {
            Format::Json if follow => Ok(Self::JsonLines(Layout {
                noindent: true,
                ..layout
            })),
            Format::Table | Format::Yaml if follow => Err(Failure::usage(format!(
                "-f {}: events that are followed are written as log, json (one object a line), value or csv",
                layout.format.name()
            ))),
            _ => Ok(Self::List(layout)),
        }
    }

    /// Whether nothing can be written before everything is known.
    pub(crate) fn needs_all(&self) -> bool {
        match self {
            Self::Log | Self::JsonLines(_) => false,
            // A table is as wide as its widest row.
            Self::List(layout) => layout.format == Format::Table || !layout.sort_columns.is_empty(),
        }
    }
}

/// Writes events, batch by batch, so that the whole is what one batch would have been.
#[derive(Debug)]
pub(crate) struct Rows {
    form: Form,
    nested: bool,
    stack_name: String,
    begun: bool,
}

impl Rows {
    /// Rows of events of the stack of this name; with `nested`, also of which stack each is.
    pub(crate) fn new(form: Form, nested: bool, stack_name: &str) -> Self {
        Self {
            form,
            nested,
            stack_name: stack_name.to_owned(),
            begun: false,
        }
    }

    /// The text of one batch; `path` says where an event happened.
    pub(crate) fn batch(
        &mut self,
        events: &[Event],
        path: &mut dyn FnMut(&Event) -> String,
    ) -> Result<String, Failure> {
        if events.is_empty() {
            return Ok(String::new());
        }
        match self.form.clone() {
            Form::Log => Ok(events
                .iter()
                .map(|event| log_line(event, &path(event)))
                .collect()),
            Form::JsonLines(layout) => {
                let mut text = String::new();
                for event in events {
                    let one = self.list(&layout, std::slice::from_ref(event))?;
                    let object = one.trim_end().strip_prefix('[');
                    let object = object.and_then(|one| one.strip_suffix(']'));
                    text.push_str(object.unwrap_or_default());
                    text.push('\n');
                }
                Ok(text)
            }
            Form::List(layout) => {
                let text = self.list(&layout, events)?;
                let first = !std::mem::replace(&mut self.begun, true);
                Ok(match layout.format {
                    Format::Json => {
                        // `[` … `]` around all batches, commas between them.
                        let (open, close, comma) = if layout.noindent {
                            ("[", "]\n", ", ")
                        } else {
                            ("[\n", "\n]\n", ",\n")
                        };
                        let inner = text.strip_prefix(open).unwrap_or(&text);
                        let inner = inner.strip_suffix(close).unwrap_or(inner);
                        format!("{}{inner}", if first { open } else { comma })
                    }
                    Format::Csv if !first => {
                        let rows = text.split_once('\n').map(|(_, rows)| rows);
                        rows.unwrap_or_default().to_owned()
                    }
                    _ => text,
                })
            }
        }
    }

    /// What comes after the last batch.
    pub(crate) fn end(&self) -> Result<String, Failure> {
        match &self.form {
            // The client ends its log with a line end even where there is no line.
            Form::Log | Form::JsonLines(_) => Ok(String::new()),
            Form::List(layout) if self.begun => Ok(match (layout.format, layout.noindent) {
                (Format::Json, true) => "]\n".to_owned(),
                (Format::Json, false) => "\n]\n".to_owned(),
                _ => String::new(),
            }),
            Form::List(layout) => self.list(layout, &[]),
        }
    }

    fn list(&self, layout: &Layout, events: &[Event]) -> Result<String, Failure> {
        let columns = self.columns(events.first());
        let headers: Vec<String> = columns.iter().map(|name| (*name).to_owned()).collect();
        let rows: Vec<Vec<Cell>> = events
            .iter()
            .map(|event| columns.iter().map(|name| self.cell(event, name)).collect())
            .collect();
        output::list(layout, &headers, &rows).map_err(|error| Failure::usage(error.to_string()))
    }

    /// heatclient/osc/v1/event.py:145-224: the first event decides how the resource's name is called.
    fn columns(&self, first: Option<&Event>) -> Vec<&'static str> {
        let named = first.map(|event| event.raw.contains_key("resource_name"));
        let mut columns = Vec::with_capacity(8);
        match named {
            Some(true) => columns.push("resource_name"),
            Some(false) => columns.push("logical_resource_id"),
            None => {}
        }
        columns.extend([
            "id",
            "resource_status",
            "resource_status_reason",
            "event_time",
            "physical_resource_id",
        ]);
        if self.nested {
            columns.push("stack_name");
        }
        if named == Some(true) {
            columns.push("logical_resource_id");
        }
        columns
    }

    fn cell(&self, event: &Event, name: &str) -> Cell {
        match (name, &event.event_time) {
            ("stack_name", _) => Cell::plain(
                event
                    .stack_name()
                    .unwrap_or_else(|| self.stack_name.clone()),
            ),
            ("event_time", Some(time)) => Cell::plain(wait_cli::time::utc(time)),
            // What Heat leaves out is an empty text to the client.
            _ => Cell::plain(
                event
                    .raw
                    .get(name)
                    .cloned()
                    .unwrap_or_else(|| Value::from("")),
            ),
        }
    }
}

/// Whether a column option was given: a log has none.
pub(crate) fn check_columns(form: &Form, given: &Given) -> Result<(), Failure> {
    match form {
        Form::Log if given.has("--column") => Err(Failure::usage(
            "-c: a log has no columns; choose -f json, yaml, value, csv or table",
        )),
        _ => Ok(()),
    }
}
