//! Share groups and their snapshots (`osc/v2/share_groups.py`, `osc/v2/share_group_snapshots.py`).

use serde_json::{Value, json};
use wait_cli::Failure;

use super::shares::{by_name, put};
use super::{Argument, Ask, Change, Operation, USUAL};
use crate::kind;
use crate::lookup::id_of;

const NAME: Argument = Argument::option("--name", "NAME", "Its name");
const DESCRIPTION: Argument = Argument::option("--description", "TEXT", "Its description");
const FORCE: Argument = Argument::flag("--force", "Whatever their state is");

/// The rows.
pub const ROWS: &[Operation] = &[
    Operation {
        words: &["share", "group", "create"],
        about: "Create a share group",
        arguments: &[
            NAME,
            DESCRIPTION,
            Argument::several("--share-types", "TYPE", "Types of its shares, names or IDs"),
            Argument::option("--share-group-type", "TYPE", "Its type, name or ID"),
            Argument::option(
                "--share-network",
                "NETWORK",
                "Its share network, name or ID",
            ),
            Argument::option(
                "--source-share-group-snapshot",
                "SNAPSHOT",
                "Create it from this group snapshot",
            ),
            Argument::option("--availability-zone", "ZONE", "Where it is created"),
        ],
        prints: true,
        change: create,
        ..GROUP
    },
    Operation {
        words: &["share", "group", "delete"],
        about: "Delete share groups",
        arguments: &[Argument::positionals("SHARE_GROUP", "Names or IDs"), FORCE],
        names: Some(&kind::GROUP),
        change: super::delete_or_force,
        ..GROUP
    },
    Operation {
        words: &["share", "group", "snapshot", "create"],
        about: "Create a snapshot of a share group",
        arguments: &[
            Argument::positional("SHARE_GROUP", "Name or ID"),
            NAME,
            DESCRIPTION,
        ],
        names: Some(&kind::GROUP),
        waits_on: &kind::GROUP_SNAPSHOT,
        prints: true,
        change: create_snapshot,
        ..GROUP
    },
    Operation {
        words: &["share", "group", "snapshot", "delete"],
        about: "Delete snapshots of share groups",
        arguments: &[
            Argument::positionals("SHARE_GROUP_SNAPSHOT", "Names or IDs"),
            FORCE,
        ],
        names: Some(&kind::GROUP_SNAPSHOT),
        waits_on: &kind::GROUP_SNAPSHOT,
        change: super::delete_or_force,
        ..GROUP
    },
];

const GROUP: Operation = Operation {
    waits_on: &kind::GROUP,
    since: kind::GROUP.since,
    experimental: kind::GROUP.experimental,
    ..USUAL
};

/// `v2/share_groups.py:_create_share_group`.
fn create(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    let given = ask.given;
    let types = given
        .texts("--share-types")
        .iter()
        .map(|asked| Ok(Value::from(ask.share_type(asked)?)))
        .collect::<Result<Vec<_>, Failure>>()?;
    let source = ask.id(&kind::GROUP_SNAPSHOT, "--source-share-group-snapshot")?;
    if source.is_some() && !types.is_empty() {
        return Err(Failure::usage(
            "--share-types: a group from a snapshot has the types of the snapshot",
        ));
    }
    let group_type = given
        .text("--share-group-type")
        .map(|asked| ask.group_type(asked))
        .transpose()?;
    let name = Value::from(given.text("--name"));
    let mut body = json!({});
    put(&mut body, "name", given.text("--name"));
    put(&mut body, "description", given.text("--description"));
    put(
        &mut body,
        "availability_zone",
        given.text("--availability-zone"),
    );
    put(&mut body, "share_group_type_id", group_type);
    put(
        &mut body,
        "share_network_id",
        ask.id(&kind::NETWORK, "--share-network")?,
    );
    put(&mut body, "source_share_group_snapshot_id", source);
    put(
        &mut body,
        "share_types",
        Some(types).filter(|types| !types.is_empty()),
    );
    let fields = vec![("name", name.clone())];
    Ok(Change::new(
        &kind::GROUP,
        "/share-groups",
        json!({"share_group": body}),
        fields,
        by_name(&name),
    ))
}

/// `v2/share_group_snapshots.py:_create_share_group_snapshot`.
fn create_snapshot(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    let (_, group) = ask.named()?;
    let name = Value::from(ask.given.text("--name"));
    let mut body = json!({ "share_group_id": id_of(group) });
    put(&mut body, "name", ask.given.text("--name"));
    put(&mut body, "description", ask.given.text("--description"));
    let request = json!({ "share_group_snapshot": body });
    let fields = vec![
        ("name", name.clone()),
        ("share_group_id", id_of(group).into()),
    ];
    Ok(Change::new(
        &kind::GROUP_SNAPSHOT,
        "/share-group-snapshots",
        request,
        fields,
        by_name(&name),
    ))
}
