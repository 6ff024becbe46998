//! Examples under the help of each command. A test parses every line.

use wait_cli::examples::Examples;

/// Of every command, and of the program.
pub const EXAMPLES: Examples = &[
    (
        "",
        &[
            "share create NFS 10 --name data",
            "share wait data logs --deadline 20m",
            "share resize data 20",
            "share delete scratch1 scratch2",
        ],
    ),
    (
        "share create",
        &[
            "share create NFS 10 --name data",
            "share create NFS 10 --name data --share-type fast -f json",
        ],
    ),
    (
        "share delete",
        &["share delete data", "share delete --ignore-missing a b c"],
    ),
    ("share resize", &["share resize data 20"]),
    (
        "share adopt",
        &["share adopt host@backend#pool NFS 10.0.0.1:/data --name data"],
    ),
    ("share abandon", &["share abandon data"]),
    ("share revert", &["share revert nightly"]),
    (
        "share access create",
        &[
            "share access create data ip 10.0.0.5",
            "share access create data cephx alice",
        ],
    ),
    (
        "share access delete",
        &["share access delete data 2f1c7a1e"],
    ),
    ("share access list", &["share access list data"]),
    ("share access show", &["share access show 2f1c7a1e"]),
    (
        "share access wait",
        &["share access wait 2f1c7a1e -f value -c access_key"],
    ),
    (
        "share backup create",
        &["share backup create data --name weekly"],
    ),
    ("share backup delete", &["share backup delete weekly"]),
    ("share backup restore", &["share backup restore weekly"]),
    (
        "share backup wait",
        &["share backup wait weekly --deadline 12h"],
    ),
    (
        "share export location list",
        &["share export location list data -f value -c Path"],
    ),
    ("share group create", &["share group create --name apps"]),
    ("share group delete", &["share group delete apps"]),
    ("share group wait", &["share group wait apps"]),
    (
        "share group snapshot create",
        &["share group snapshot create apps --name nightly"],
    ),
    (
        "share group snapshot delete",
        &["share group snapshot delete nightly"],
    ),
    (
        "share group snapshot wait",
        &["share group snapshot wait nightly"],
    ),
    ("share instance delete", &["share instance delete 2f1c7a1e"]),
    (
        "share instance wait",
        &["share instance wait 2f1c7a1e --for deleted"],
    ),
    (
        "share migration start",
        &[
            "share migration start data host@backend#pool --writable False --preserve-metadata True --preserve-snapshots True --nondisruptive False",
        ],
    ),
    (
        "share migration complete",
        &["share migration complete data"],
    ),
    ("share migration cancel", &["share migration cancel data"]),
    (
        "share migration wait",
        &["share migration wait data --for migration_success --and status=available"],
    ),
    ("share network delete", &["share network delete net"]),
    (
        "share network wait",
        &["share network wait net --for deleted"],
    ),
    ("share replica create", &["share replica create data"]),
    ("share replica delete", &["share replica delete 2f1c7a1e"]),
    ("share replica promote", &["share replica promote 2f1c7a1e"]),
    ("share replica resync", &["share replica resync 2f1c7a1e"]),
    ("share replica show", &["share replica show 2f1c7a1e"]),
    (
        "share replica wait",
        &["share replica wait 2f1c7a1e --for replica_state=in_sync"],
    ),
    (
        "share server adopt",
        &["share server adopt host@backend net 2f1c7a1e"],
    ),
    ("share server abandon", &["share server abandon 2f1c7a1e"]),
    ("share server delete", &["share server delete 2f1c7a1e"]),
    ("share server wait", &["share server wait 2f1c7a1e"]),
    (
        "share snapshot create",
        &["share snapshot create data --name nightly"],
    ),
    ("share snapshot delete", &["share snapshot delete nightly"]),
    (
        "share snapshot adopt",
        &["share snapshot adopt data /backend/nightly"],
    ),
    (
        "share snapshot abandon",
        &["share snapshot abandon nightly"],
    ),
    ("share snapshot show", &["share snapshot show nightly"]),
    (
        "share snapshot wait",
        &["share snapshot wait nightly --deadline 30m"],
    ),
    ("share show", &["share show data -f json"]),
    (
        "share wait",
        &[
            "share wait data",
            "share wait data --and size=20",
            "share wait a b c --deadline 20m -f json",
            "share wait data --for deleted",
        ],
    ),
];
