//! Recorded command lines as options.

use heat_cli::template::{Operation, TemplateOptions};

/// The options that the words of a recorded command line mean.
pub(crate) fn options(args: &[String]) -> TemplateOptions {
    let mut words = args[1..].iter().cloned();
    let mut options = TemplateOptions::new(match args[0].as_str() {
        "create" => Operation::Create {
            name: String::new(),
            enable_rollback: false,
        },
        "update" => Operation::Update {
            existing: false,
            clear_parameters: Vec::new(),
            rollback: None,
            converge: false,
            dry_run: false,
        },
        "adopt" => Operation::Adopt {
            name: String::new(),
            enable_rollback: false,
            adopt_file: String::new(),
        },
        other => panic!("{other}"),
    });
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap();
        match (word.as_str(), &mut options.operation) {
            ("-t", _) => options.template = Some(value()),
            ("-e", _) => options.environments.push(value()),
            ("--files-container", _) => options.files_container = Some(value()),
            ("--parameter", _) => options.parameters.push(value()),
            ("--parameter-file", _) => options.parameter_files.push(value()),
            ("--pre-create" | "--pre-update", _) => options.hooks.push(value()),
            ("--tags", _) => options.tags = Some(value()),
            ("--timeout", _) => options.timeout = Some(value().parse().unwrap()),
            ("--poll", _) => drop(value()),
            ("--wait" | "--show-nested", _) => {}
            (
                "--enable-rollback",
                Operation::Create {
                    enable_rollback, ..
                }
                | Operation::Adopt {
                    enable_rollback, ..
                },
            ) => {
                *enable_rollback = true;
            }
            ("--existing", Operation::Update { existing, .. }) => *existing = true,
            (
                "--clear-parameter",
                Operation::Update {
                    clear_parameters, ..
                },
            ) => clear_parameters.push(value()),
            ("--rollback", Operation::Update { rollback, .. }) => {
                *rollback = match value().as_str() {
                    "enabled" => Some(true),
                    "disabled" => Some(false),
                    _ => None,
                };
            }
            ("--converge", Operation::Update { converge, .. }) => *converge = true,
            ("--dry-run", Operation::Update { dry_run, .. }) => *dry_run = true,
            ("--dry-run", _) => {}
            ("--adopt-file", Operation::Adopt { adopt_file, .. }) => *adopt_file = value(),
            (_, Operation::Create { name, .. } | Operation::Adopt { name, .. }) => *name = word,
            // The stack of an update is in the path of the request, not in its body.
            (_, Operation::Update { .. }) => {}
        }
    }
    options
}
