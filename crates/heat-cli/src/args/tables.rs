//! What each command takes: the options of python-heatclient 5.3.0 (heatclient/osc/v1), and ours.

use wait_cli::argument::Argument;

/// What every command that changes something takes beside its own options.
pub(super) const WAITING: [Argument; 4] = [
    Argument::flag("--wait", "Wait for the end (this is the default)"),
    Argument::flag("--no-wait", "Send the request and stop"),
    Argument::flag(
        "--when-idle",
        "A request that is refused because something else runs on the stack is sent again when that has ended",
    ),
    NESTED_DEPTH,
];

const NESTED_DEPTH: Argument = Argument::natural(
    "--nested-depth",
    "N",
    "Show events of nested stacks, so deep [default: 0]",
);

const ENVIRONMENT: Argument = Argument::each(
    "--environment",
    "ENVIRONMENT",
    "Environment: a file or a URL; repeatable",
)
.short('e');

const TIMEOUT: Argument = Argument::integer(
    "--timeout",
    "MINUTES",
    "Heat's own limit for the operation, in minutes",
);

const PARAMETER: Argument = Argument::each(
    "--parameter",
    "KEY=VALUE",
    "Parameter; repeatable, or several with ';' between them",
);

const PARAMETER_FILE: Argument = Argument::each(
    "--parameter-file",
    "KEY=FILE",
    "Parameter whose value is the content of a file; repeatable",
);

const TEMPLATE: Argument = Argument::option(
    "--template",
    "TEMPLATE",
    "Template: a file, - for standard input, or a URL",
)
.short('t');

const ENABLE_ROLLBACK: Argument =
    Argument::flag("--enable-rollback", "Undo everything if it fails");

const NEW_NAME: Argument = Argument::positional("STACK-NAME", "Name of the stack");

/// What create and update take for their templates.
pub(super) const DEFINITION: [Argument; 7] = [
    ENVIRONMENT,
    Argument::option(
        "--files-container",
        "CONTAINER",
        "Container of the object store in which Heat finds the files; those of this machine are left out",
    )
    .short('s'),
    TIMEOUT,
    PARAMETER,
    PARAMETER_FILE,
    Argument::option("--tags", "TAG1,TAG2…", "Tags of the stack"),
    Argument::flag("--dry-run", "Show what would be done, and do nothing"),
];

pub(super) const CREATE: [Argument; 4] = [
    NEW_NAME,
    TEMPLATE.needed(),
    ENABLE_ROLLBACK,
    Argument::each(
        "--pre-create",
        "RESOURCE",
        "Resource before whose creation Heat stops; * stands for anything, nested/resource goes deeper; repeatable",
    ),
];

pub(super) const ADOPT: [Argument; 6] = [
    NEW_NAME,
    Argument::option(
        "--adopt-file",
        "FILE",
        "What stack abandon wrote: a file or a URL",
    )
    .needed(),
    ENVIRONMENT,
    TIMEOUT,
    ENABLE_ROLLBACK,
    PARAMETER,
];

pub(super) const UPDATE: [Argument; 8] = [
    Argument::positional("STACK", "Name or id of the stack"),
    TEMPLATE,
    Argument::option(
        "--rollback",
        "VALUE",
        "Whether a failure is followed by a rollback [default: keep]",
    )
    .among(&["enabled", "disabled", "keep"]),
    Argument::each(
        "--pre-update",
        "RESOURCE",
        "Resource before whose change Heat stops; * stands for anything, nested/resource goes deeper; repeatable",
    ),
    Argument::flag("--show-nested", "With --dry-run: nested stacks too"),
    Argument::flag(
        "--existing",
        "What is not given stays as the stack has it: template, parameters, environment",
    ),
    Argument::each(
        "--clear-parameter",
        "PARAMETER",
        "Parameter that goes back to the template's default; repeatable",
    ),
    Argument::flag("--converge", "Let Heat look at what is really there"),
];

pub(super) const STACKS: [Argument; 1] =
    [Argument::positionals("STACK", "Names or ids of the stacks")];

pub(super) const DELETE: [Argument; 2] = [
    Argument::flag("--yes", "Do not ask").short('y'),
    Argument::flag(
        "--ignore-missing",
        "A stack that does not exist is no error",
    ),
];

pub(super) const CANCEL: [Argument; 1] = [Argument::flag(
    "--no-rollback",
    "Leave everything as it is then: no rollback",
)];

pub(super) const WAIT: [Argument; 6] = [
    Argument::option(
        "--for",
        "GOAL",
        "What is waited for: complete (the end of what runs), an action (create, update, …), a status (UPDATE_COMPLETE), deleted [default: complete]",
    ),
    Argument::option(
        "--since",
        "EVENT",
        "Believe only what is newer than this event",
    ),
    Argument::each(
        "--and",
        "FIELD=VALUE",
        "This must also hold at the end; repeatable",
    ),
    Argument::perhaps(
        "--appear",
        "DURATION",
        "Wait for what does not exist yet, so long; without a duration, until the deadline",
    ),
    Argument::flag(
        "--any",
        "The first of several that is reached ends the wait",
    ),
    NESTED_DEPTH,
];

pub(super) const STACK: [Argument; 1] = [Argument::positional("STACK", "Name or id of the stack")];

pub(super) const SHOW: [Argument; 1] = [Argument::flag(
    "--no-resolve-outputs",
    "Leave the outputs out: Heat need not work them out",
)];

pub(super) const OUTPUT_SHOW: [Argument; 2] = [
    Argument::optional("OUTPUT", "Name of the output"),
    Argument::flag("--all", "Show all outputs"),
];

pub(super) const EVENT_LIST: [Argument; 7] = [
    Argument::option("--resource", "RESOURCE", "Only events of this resource"),
    Argument::each(
        "--filter",
        "KEY=VALUE",
        "Only events of which this holds (resource_status, resource_action, resource_name, resource_type); repeatable",
    ),
    Argument::natural("--limit", "N", "At most so many"),
    Argument::option("--marker", "EVENT", "Only events after this one"),
    Argument::natural(
        "--nested-depth",
        "N",
        "Events of nested stacks as well, so deep [default: 0]",
    ),
    Argument::each(
        "--sort",
        "KEY[:DIRECTION]",
        "Sort by this key (event_time, resource_name, logical_resource_id, resource_status, resource_status_reason, physical_resource_id, id), asc or desc; repeatable. ':desc' alone: newest first",
    ),
    Argument::flag(
        "--follow",
        "Go on as events come, until interrupted, the deadline (none by default) or the end of the stack",
    ),
];

pub(super) const FAILURES_LIST: [Argument; 1] = [Argument::flag(
    "--long",
    "Show reasons and the output of deployments in full",
)];

/// The legacy spelling of `heat`: without --poll nothing is waited for.
pub(super) const STACK_CREATE: [Argument; 12] = [
    Argument::positional("STACK_NAME", "Name of the stack"),
    Argument::option("--template-file", "FILE", "Template: a file (also -f)"),
    Argument::option("--template-url", "URL", "Template: a URL").short('u'),
    Argument::option(
        "--template-object",
        "URL",
        "Template: an object of the object store",
    )
    .short('o'),
    Argument::each(
        "--environment-file",
        "FILE or URL",
        "Environment: a file or a URL; repeatable",
    )
    .short('e'),
    Argument::each(
        "--pre-create",
        "RESOURCE",
        "Resource before whose creation Heat stops; repeatable",
    ),
    Argument::integer("--create-timeout", "MINUTES", "As --timeout (also -c)"),
    TIMEOUT.short('t'),
    ENABLE_ROLLBACK.short('r'),
    Argument::each(
        "--parameters",
        "KEY1=VALUE1;KEY2=VALUE2…",
        "Parameters; repeatable",
    )
    .short('P'),
    Argument::each(
        "--parameter-file",
        "KEY=FILE",
        "Parameter whose value is the content of a file; repeatable (also -Pf)",
    ),
    Argument::option("--tags", "TAG1,TAG2", "Tags of the stack"),
];
