//! Examples under the help of each command. A test parses every line.

use wait_cli::examples::Examples;

/// Of every command, and of the program.
pub const EXAMPLES: Examples = &[
    (
        "",
        &[
            "stack create -t web.yaml web",
            "stack wait web db --deadline 30m",
            "stack delete --yes web",
            "--show-config stack wait web",
        ],
    ),
    (
        "stack create",
        &[
            "stack create -t web.yaml web",
            "stack create -t web.yaml -e prod.yaml --parameter size=3 web --deadline 20m",
            "stack create -t web.yaml web -f json",
        ],
    ),
    (
        "stack adopt",
        &["stack adopt --adopt-file abandoned.json web"],
    ),
    (
        "stack update",
        &[
            "stack update -t web.yaml web",
            "stack update --existing --parameter size=5 web",
            "stack update --existing --dry-run --show-nested web",
        ],
    ),
    (
        "stack delete",
        &[
            "stack delete --yes web",
            "stack delete --yes --ignore-missing web db cache",
        ],
    ),
    ("stack suspend", &["stack suspend web db"]),
    ("stack resume", &["stack resume web db"]),
    ("stack check", &["stack check web --nested-depth 2"]),
    (
        "stack cancel",
        &["stack cancel web", "stack cancel --no-rollback web"],
    ),
    (
        "stack wait",
        &[
            "stack wait web",
            "stack wait web db cache --for create -f json",
            "stack wait web --for deleted --deadline 10m",
            "stack wait web --appear=5m --for UPDATE_COMPLETE",
        ],
    ),
    ("stack show", &["stack show web -f shell --prefix web_"]),
    ("stack output list", &["stack output list web"]),
    (
        "stack output show",
        &[
            "stack output show web address -f value -c output_value",
            "stack output show web --all",
        ],
    ),
    (
        "stack event list",
        &[
            "stack event list web --nested-depth 5",
            "stack event list web --follow -f json",
            "stack event list web --filter resource_status=FAILED",
        ],
    ),
    ("stack failures list", &["stack failures list web --long"]),
    ("stack-create", &["stack-create -f web.yaml --poll 5 web"]),
];
