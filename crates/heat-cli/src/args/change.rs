//! The commands that change something: the options of python-heatclient 5.3.0 (heatclient/osc/v1/stack.py), and ours.

use clap::Args;

/// What every command that changes something takes beside its own options.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Waiting")]
pub(crate) struct Waiting {
    /// Wait for the end (this is the default)
    #[arg(long)]
    pub(crate) wait: bool,
    /// Send the request and stop
    #[arg(long, conflicts_with = "wait")]
    pub(crate) no_wait: bool,
    /// A request that is refused because something else runs on the stack is sent again when that has ended
    #[arg(long)]
    pub(crate) when_idle: bool,
    /// Show events of nested stacks, so deep
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) nested_depth: u32,
}

/// What create and update take for their templates.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Definition {
    /// Environment: a file or a URL; repeatable
    #[arg(short, long = "environment", value_name = "ENVIRONMENT")]
    pub(crate) environments: Vec<String>,
    /// Container of the object store in which Heat finds the files; those of this machine are left out
    #[arg(short = 's', long, value_name = "CONTAINER")]
    pub(crate) files_container: Option<String>,
    /// Heat's own limit for the operation, in minutes
    #[arg(long, value_name = "MINUTES", allow_negative_numbers = true)]
    pub(crate) timeout: Option<i64>,
    /// Parameter; repeatable, or several with ';' between them
    #[arg(long = "parameter", value_name = "KEY=VALUE")]
    pub(crate) parameters: Vec<String>,
    /// Parameter whose value is the content of a file; repeatable
    #[arg(long = "parameter-file", value_name = "KEY=FILE")]
    pub(crate) parameter_files: Vec<String>,
    /// Tags of the stack
    #[arg(long, value_name = "TAG1,TAG2…")]
    pub(crate) tags: Option<String>,
    /// Show what would be done, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Creates a stack.
#[derive(Debug, Args)]
pub(crate) struct Create {
    /// Name of the stack
    #[arg(value_name = "STACK-NAME")]
    pub(crate) name: String,
    /// Template: a file, - for standard input, or a URL
    #[arg(short, long, value_name = "TEMPLATE")]
    pub(crate) template: String,
    /// Undo everything if it fails
    #[arg(long)]
    pub(crate) enable_rollback: bool,
    /// Resource before whose creation Heat stops; * stands for anything, nested/resource goes deeper; repeatable
    #[arg(long = "pre-create", value_name = "RESOURCE")]
    pub(crate) hooks: Vec<String>,
    #[command(flatten)]
    pub(crate) definition: Definition,
    #[command(flatten)]
    pub(crate) waiting: Waiting,
}

/// Takes existing resources over into a stack.
#[derive(Debug, Args)]
pub(crate) struct Adopt {
    /// Name of the stack
    #[arg(value_name = "STACK-NAME")]
    pub(crate) name: String,
    /// What stack abandon wrote: a file or a URL
    #[arg(long, value_name = "FILE")]
    pub(crate) adopt_file: String,
    /// Environment: a file or a URL; repeatable
    #[arg(short, long = "environment", value_name = "ENVIRONMENT")]
    pub(crate) environments: Vec<String>,
    /// Heat's own limit for the operation, in minutes
    #[arg(long, value_name = "MINUTES", allow_negative_numbers = true)]
    pub(crate) timeout: Option<i64>,
    /// Undo everything if it fails
    #[arg(long)]
    pub(crate) enable_rollback: bool,
    /// Parameter; repeatable, or several with ';' between them
    #[arg(long = "parameter", value_name = "KEY=VALUE")]
    pub(crate) parameters: Vec<String>,
    #[command(flatten)]
    pub(crate) waiting: Waiting,
}

/// Changes a stack to another definition.
#[derive(Debug, Args)]
pub(crate) struct Update {
    /// Name or id of the stack
    #[arg(value_name = "STACK")]
    pub(crate) stack: String,
    /// Template: a file, - for standard input, or a URL
    #[arg(short, long, value_name = "TEMPLATE")]
    pub(crate) template: Option<String>,
    /// Whether a failure is followed by a rollback
    #[arg(long, value_name = "VALUE", value_parser = ["enabled", "disabled", "keep"], default_value = "keep")]
    pub(crate) rollback: String,
    /// Resource before whose change Heat stops; * stands for anything, nested/resource goes deeper; repeatable
    #[arg(long = "pre-update", value_name = "RESOURCE")]
    pub(crate) hooks: Vec<String>,
    /// With --dry-run: nested stacks too
    #[arg(long)]
    pub(crate) show_nested: bool,
    /// What is not given stays as the stack has it: template, parameters, environment
    #[arg(long)]
    pub(crate) existing: bool,
    /// Parameter that goes back to the template's default; repeatable
    #[arg(long = "clear-parameter", value_name = "PARAMETER")]
    pub(crate) clear_parameters: Vec<String>,
    /// Let Heat look at what is really there
    #[arg(long)]
    pub(crate) converge: bool,
    #[command(flatten)]
    pub(crate) definition: Definition,
    #[command(flatten)]
    pub(crate) waiting: Waiting,
}

/// Deletes stacks.
#[derive(Debug, Args)]
pub(crate) struct Delete {
    /// Names or ids of the stacks
    #[arg(required = true, value_name = "STACK")]
    pub(crate) stacks: Vec<String>,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// A stack that does not exist is no error
    #[arg(long)]
    pub(crate) ignore_missing: bool,
    #[command(flatten)]
    pub(crate) waiting: Waiting,
}

/// Suspends, resumes or checks stacks.
#[derive(Debug, Args)]
pub(crate) struct Stacks {
    /// Names or ids of the stacks
    #[arg(required = true, value_name = "STACK")]
    pub(crate) stacks: Vec<String>,
    #[command(flatten)]
    pub(crate) waiting: Waiting,
}

/// Cancels what runs on stacks.
#[derive(Debug, Args)]
pub(crate) struct Cancel {
    /// Names or ids of the stacks
    #[arg(required = true, value_name = "STACK")]
    pub(crate) stacks: Vec<String>,
    /// Leave everything as it is then: no rollback
    #[arg(long)]
    pub(crate) no_rollback: bool,
    #[command(flatten)]
    pub(crate) waiting: Waiting,
}

/// The legacy spelling of `heat`: without --poll nothing is waited for.
#[derive(Debug, Args)]
pub(crate) struct StackCreate {
    /// Name of the stack
    #[arg(value_name = "STACK_NAME")]
    pub(crate) name: String,
    /// Template: a file (also -f)
    #[arg(long, value_name = "FILE")]
    pub(crate) template_file: Option<String>,
    /// Template: a URL
    #[arg(short = 'u', long, value_name = "URL")]
    pub(crate) template_url: Option<String>,
    /// Template: an object of the object store
    #[arg(short = 'o', long, value_name = "URL")]
    pub(crate) template_object: Option<String>,
    /// Environment: a file or a URL; repeatable
    #[arg(short, long = "environment-file", value_name = "FILE or URL")]
    pub(crate) environments: Vec<String>,
    /// Resource before whose creation Heat stops; repeatable
    #[arg(long = "pre-create", value_name = "RESOURCE")]
    pub(crate) hooks: Vec<String>,
    /// As --timeout (also -c)
    #[arg(long, value_name = "MINUTES", allow_negative_numbers = true)]
    pub(crate) create_timeout: Option<i64>,
    /// Heat's own limit for the operation, in minutes
    #[arg(short, long, value_name = "MINUTES", allow_negative_numbers = true)]
    pub(crate) timeout: Option<i64>,
    /// Undo everything if it fails
    #[arg(short = 'r', long)]
    pub(crate) enable_rollback: bool,
    /// Parameters; repeatable
    #[arg(short = 'P', long, value_name = "KEY1=VALUE1;KEY2=VALUE2…")]
    pub(crate) parameters: Vec<String>,
    /// Parameter whose value is the content of a file; repeatable (also -Pf)
    #[arg(long = "parameter-file", value_name = "KEY=FILE")]
    pub(crate) parameter_files: Vec<String>,
    /// Tags of the stack
    #[arg(long, value_name = "TAG1,TAG2")]
    pub(crate) tags: Option<String>,
}
