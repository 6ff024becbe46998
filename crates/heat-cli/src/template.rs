//! Templates and environments: from what `stack create`, `update` and `adopt` are given to the body of the request,
//! the same as python-heatclient's (5.3.0, `heatclient/osc/v1/stack.py`).
//!
//! ```
//! use heat_cli::template::{self, Fetch, Operation, TemplateOptions, Unread};
//! use std::path::{Path, PathBuf};
//!
//! struct One;
//! impl Fetch for One {
//!     fn absolute(&self, path: &Path) -> PathBuf {
//!         Path::new("/stacks").join(path)
//!     }
//!     fn read(&self, url: &str) -> Result<Vec<u8>, Unread> {
//!         match url {
//!             "file:///stacks/web.yaml" => Ok(b"heat_template_version: 2021-04-16\n".to_vec()),
//!             _ => Err(Unread::new("no such file")),
//!         }
//!     }
//!     fn stdin(&self) -> Result<Vec<u8>, Unread> {
//!         Err(Unread::new("closed"))
//!     }
//!     fn object(&self, _: &str) -> Result<(String, Vec<u8>), Unread> {
//!         Err(Unread::new("there is no object store"))
//!     }
//! }
//!
//! let options = TemplateOptions {
//!     template: Some("web.yaml".to_owned()),
//!     parameters: vec!["key=mine".to_owned()],
//!     ..TemplateOptions::new(Operation::Create { name: "web".to_owned(), enable_rollback: false })
//! };
//! let body = template::body(&options, &One)?;
//! assert_eq!(body.fields["template"]["heat_template_version"], "2021-04-16");
//! assert_eq!(body.fields["parameters"]["key"], "mine");
//! # Ok::<(), template::Error>(())
//! ```
//!
//! No request to Heat is made here, and nothing of what is read is kept.

mod base64;
mod environment;
mod error;
mod fetch;
mod files;
mod json;
mod parameters;
mod parse;
mod read;
mod url;

pub use error::Error;
pub use fetch::{Fetch, Outside, Unread};

/// `text` as a URL below `base`, as Python's `urljoin` has it; for tests of the join alone.
#[doc(hidden)]
pub use url::join as url_join;

use read::Reading;
use serde_json::{Map, Value, json};

/// What is done, with the options that only it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// `stack create`, with `--dry-run` too: the body is the same.
    Create {
        /// The new stack's name.
        name: String,
        /// `--enable-rollback`
        enable_rollback: bool,
    },
    /// `stack update`. With `existing` it is sent as PATCH, else as PUT.
    Update {
        /// `--existing`
        existing: bool,
        /// `--clear-parameter`
        clear_parameters: Vec<String>,
        /// `--rollback enabled` or `disabled`; `None`: keep.
        rollback: Option<bool>,
        /// `--converge`
        converge: bool,
        /// `--dry-run`
        dry_run: bool,
    },
    /// `stack adopt`
    Adopt {
        /// The new stack's name.
        name: String,
        /// `--enable-rollback`
        enable_rollback: bool,
        /// `--adopt-file`: what `stack abandon` wrote.
        adopt_file: String,
    },
}

/// The options of one command. Files are given as the user typed them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateOptions {
    /// The command.
    pub operation: Operation,
    /// `--template`: a file, `-` for standard input, a URL, or an object of the object store. An adoption has none.
    pub template: Option<String>,
    /// `--environment`, in order: a file, `-`, or a URL.
    pub environments: Vec<String>,
    /// `--files-container`: files are left to Heat, which finds them there.
    pub files_container: Option<String>,
    /// `--parameter`
    pub parameters: Vec<String>,
    /// `--parameter-file`
    pub parameter_files: Vec<String>,
    /// `--pre-create` or `--pre-update`
    pub hooks: Vec<String>,
    /// `--tags`, as given.
    pub tags: Option<String>,
    /// `--timeout`, in minutes. Zero is not sent.
    pub timeout: Option<i64>,
}

impl TemplateOptions {
    /// An operation without any option.
    #[must_use]
    pub fn new(operation: Operation) -> Self {
        Self {
            operation,
            template: None,
            environments: Vec::new(),
            files_container: None,
            parameters: Vec::new(),
            parameter_files: Vec::new(),
            hooks: Vec::new(),
            tags: None,
            timeout: None,
        }
    }
}

/// The body of a request.
#[derive(Debug, Clone)]
pub struct Body {
    /// Its members.
    pub fields: Map<String, Value>,
    /// What the author of the files should know, one line each, with file, line and column.
    pub warnings: Vec<String>,
}

impl Body {
    /// The bytes to send.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        // Text keys and JSON values can always be written.
        serde_json::to_vec(&self.fields).unwrap_or_default()
    }
}

/// Reads all files that the options name, and what these refer to, and makes the body of the request.
///
/// It is the body that python-heatclient sends, but for the time limit of an adoption: that is sent as
/// `timeout_mins`, the only name that Heat reads.
///
/// # Errors
/// Names the file or option, the line and column and what is wrong there, and who referred to the file.
pub fn body(options: &TemplateOptions, fetch: &dyn Fetch) -> Result<Body, Error> {
    let mut reading = Reading::new(fetch);
    let mut fields = Map::new();
    let mut put = |key: &str, value: Value| fields.insert(key.to_owned(), value);
    let mut own_files = Map::new();
    let is_adoption = matches!(options.operation, Operation::Adopt { .. });
    if let Operation::Adopt { adopt_file, .. } = &options.operation {
        let (data, files) = reading.adopted(adopt_file)?;
        put("adopt_stack_data", Value::String(data));
        own_files = files;
    } else {
        let with_files = options.files_container.is_none();
        put("template", template(options, &mut reading, with_files)?);
    }
    let (mut environment, urls) = match options.files_container {
        Some(_) => (Map::new(), options.environments.clone()),
        None => reading.environments(&options.environments, !is_adoption)?,
    };
    let mut parameters = parameters::given(&options.parameters)?;
    parameters.extend(reading.parameters(&options.parameter_files, options.template.as_deref())?);
    match &options.operation {
        Operation::Create {
            name,
            enable_rollback,
        }
        | Operation::Adopt {
            name,
            enable_rollback,
            ..
        } => {
            put("stack_name", json!(name));
            put("disable_rollback", json!(!enable_rollback));
            environment::set_hooks(&mut environment, &options.hooks, "pre-create")?;
        }
        Operation::Update {
            clear_parameters,
            rollback,
            converge,
            dry_run,
            ..
        } => {
            if !clear_parameters.is_empty() {
                put("clear_parameters", json!(clear_parameters));
            }
            if let Some(enabled) = rollback {
                put("disable_rollback", json!(!enabled));
            }
            if *converge && !dry_run {
                put("converge", json!(true));
            }
            environment::set_hooks(&mut environment, &options.hooks, "pre-update")?;
        }
    }
    let (files, warnings) = reading.finish();
    own_files.extend(files);
    put("files", Value::Object(own_files));
    put("environment", Value::Object(environment));
    put("parameters", Value::Object(parameters));
    if !urls.is_empty() && !is_adoption {
        put("environment_files", json!(urls));
    }
    let text = |option: &Option<String>| option.clone().filter(|text| !text.is_empty());
    if let Some(container) = text(&options.files_container) {
        put("files_container", json!(container));
    }
    if let Some(tags) = text(&options.tags) {
        put("tags", json!(tags));
    }
    if let Some(minutes) = options.timeout.filter(|minutes| *minutes != 0) {
        put("timeout_mins", json!(minutes));
    }
    Ok(Body { fields, warnings })
}

/// The template, or null where the existing one is to be used.
fn template(
    options: &TemplateOptions,
    reading: &mut Reading<'_>,
    with_files: bool,
) -> Result<Value, Error> {
    let existing = matches!(options.operation, Operation::Update { existing: true, .. });
    match options
        .template
        .as_deref()
        .filter(|given| !given.is_empty())
    {
        Some(given) => reading.template(given, with_files),
        None if existing => Ok(Value::Null),
        None if matches!(options.operation, Operation::Update { .. }) => {
            let hint = "--existing uses the template that the stack has";
            Err(Error::new("no template is given").with_hint(Some(hint)))
        }
        None => Err(Error::new("no template is given").with_hint(Some("give it with --template"))),
    }
}
