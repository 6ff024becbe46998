//! The commands that change something, as they were given.

use wait_cli::Failure;
use wait_cli::argument::Given;

use super::stack;

/// How the end is waited for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Waiting {
    pub(crate) no_wait: bool,
    pub(crate) when_idle: bool,
    pub(crate) nested_depth: u32,
}

impl Waiting {
    fn read(given: &Given) -> Result<Self, Failure> {
        given.not_both("--wait", "--no-wait")?;
        Ok(Self {
            no_wait: given.flag("--no-wait"),
            when_idle: given.flag("--when-idle"),
            nested_depth: given.natural("--nested-depth").unwrap_or_default(),
        })
    }
}

/// What create and update take for their templates.
#[derive(Debug, Clone, Default)]
pub(crate) struct Definition {
    pub(crate) environments: Vec<String>,
    pub(crate) files_container: Option<String>,
    pub(crate) timeout: Option<i64>,
    pub(crate) parameters: Vec<String>,
    pub(crate) parameter_files: Vec<String>,
    pub(crate) tags: Option<String>,
    pub(crate) dry_run: bool,
}

impl Definition {
    fn read(given: &Given) -> Self {
        Self {
            environments: given.texts("--environment").to_vec(),
            files_container: given.owned("--files-container"),
            timeout: given.some_number("--timeout"),
            parameters: given.texts("--parameter").to_vec(),
            parameter_files: given.texts("--parameter-file").to_vec(),
            tags: given.owned("--tags"),
            dry_run: given.flag("--dry-run"),
        }
    }
}

/// Creates a stack.
#[derive(Debug)]
pub(crate) struct Create {
    pub(crate) name: String,
    pub(crate) template: String,
    pub(crate) enable_rollback: bool,
    pub(crate) hooks: Vec<String>,
    pub(crate) definition: Definition,
    pub(crate) waiting: Waiting,
}

impl Create {
    pub(crate) fn read(given: &Given) -> Result<Self, Failure> {
        Ok(Self {
            name: given.owned("STACK-NAME").unwrap_or_default(),
            template: given.owned("--template").unwrap_or_default(),
            enable_rollback: given.flag("--enable-rollback"),
            hooks: given.texts("--pre-create").to_vec(),
            definition: Definition::read(given),
            waiting: Waiting::read(given)?,
        })
    }
}

/// Takes existing resources over into a stack.
#[derive(Debug)]
pub(crate) struct Adopt {
    pub(crate) name: String,
    pub(crate) adopt_file: String,
    pub(crate) enable_rollback: bool,
    /// Environments, parameters and the time limit.
    pub(crate) definition: Definition,
    pub(crate) waiting: Waiting,
}

impl Adopt {
    pub(crate) fn read(given: &Given) -> Result<Self, Failure> {
        Ok(Self {
            name: given.owned("STACK-NAME").unwrap_or_default(),
            adopt_file: given.owned("--adopt-file").unwrap_or_default(),
            enable_rollback: given.flag("--enable-rollback"),
            definition: Definition::read(given),
            waiting: Waiting::read(given)?,
        })
    }
}

/// Changes a stack to another definition.
#[derive(Debug)]
pub(crate) struct Update {
    pub(crate) stack: String,
    pub(crate) template: Option<String>,
    pub(crate) rollback: Option<String>,
    pub(crate) hooks: Vec<String>,
    pub(crate) show_nested: bool,
    pub(crate) existing: bool,
    pub(crate) clear_parameters: Vec<String>,
    pub(crate) converge: bool,
    pub(crate) definition: Definition,
    pub(crate) waiting: Waiting,
}

impl Update {
    pub(crate) fn read(given: &Given) -> Result<Self, Failure> {
        Ok(Self {
            stack: stack(given),
            template: given.owned("--template"),
            rollback: given.owned("--rollback"),
            hooks: given.texts("--pre-update").to_vec(),
            show_nested: given.flag("--show-nested"),
            existing: given.flag("--existing"),
            clear_parameters: given.texts("--clear-parameter").to_vec(),
            converge: given.flag("--converge"),
            definition: Definition::read(given),
            waiting: Waiting::read(given)?,
        })
    }
}

/// Does the same to several stacks.
#[derive(Debug)]
pub(crate) struct Stacks {
    pub(crate) stacks: Vec<String>,
    pub(crate) waiting: Waiting,
}

impl Stacks {
    pub(crate) fn read(given: &Given) -> Result<Self, Failure> {
        Ok(Self {
            stacks: given.texts("STACK").to_vec(),
            waiting: Waiting::read(given)?,
        })
    }
}

/// The legacy spelling of `heat`.
#[derive(Debug)]
pub(crate) struct StackCreate {
    pub(crate) name: String,
    pub(crate) template_file: Option<String>,
    pub(crate) template_url: Option<String>,
    pub(crate) template_object: Option<String>,
    pub(crate) environments: Vec<String>,
    pub(crate) hooks: Vec<String>,
    pub(crate) timeout: Option<i64>,
    pub(crate) enable_rollback: bool,
    pub(crate) parameters: Vec<String>,
    pub(crate) parameter_files: Vec<String>,
    pub(crate) tags: Option<String>,
}

impl StackCreate {
    pub(crate) fn read(given: &Given) -> Self {
        let timeout = given
            .some_number("--timeout")
            .filter(|minutes| *minutes != 0);
        Self {
            name: given.owned("STACK_NAME").unwrap_or_default(),
            template_file: given.owned("--template-file"),
            template_url: given.owned("--template-url"),
            template_object: given.owned("--template-object"),
            environments: given.texts("--environment-file").to_vec(),
            hooks: given.texts("--pre-create").to_vec(),
            timeout: timeout.or_else(|| given.some_number("--create-timeout")),
            enable_rollback: given.flag("--enable-rollback"),
            parameters: given.texts("--parameters").to_vec(),
            parameter_files: given.texts("--parameter-file").to_vec(),
            tags: given.owned("--tags"),
        }
    }
}
