//! Shares (python-manilaclient 6.3.0: `osc/v2/share.py`).

use os_identity::Method;
use serde_json::{Map, Value, json};
use wait_cli::Failure;

use super::{Argument, Ask, Change, Operation, USUAL};
use crate::client::{Body, encoded};
use crate::kind;
use crate::lookup::id_of;
use crate::version::Microversion;

const NAME: Argument = Argument::option("--name", "NAME", "Its name");
const DESCRIPTION: Argument = Argument::option("--description", "TEXT", "Its description");
pub(super) const SHARE: Argument = Argument::positional("SHARE", "Name or ID");
const SHARES: Argument = Argument::positionals("SHARE", "Names or IDs");

/// The rows.
pub const ROWS: &[Operation] = &[
    Operation {
        words: &["share", "create"],
        about: "Create a share and wait until it is available",
        arguments: &[
            Argument::positional(
                "SHARE_PROTOCOL",
                "NFS, CIFS, CephFS, GlusterFS, HDFS or MAPRFS",
            ),
            Argument::number("SIZE", "In GiB"),
            NAME,
            Argument::option("--snapshot-id", "SNAPSHOT", "Create it from this snapshot"),
            Argument::pair("--property", "A property of it; repeatable"),
            Argument::option(
                "--share-network",
                "NETWORK",
                "Its share network, name or ID",
            ),
            DESCRIPTION,
            Argument::option(
                "--public",
                "PUBLIC",
                "Whether other projects see it [default: False]",
            ),
            Argument::option(
                "--share-type",
                "TYPE",
                "Its type, name or ID [default: the default type]",
            ),
            Argument::option("--availability-zone", "ZONE", "Where it is created"),
            Argument::option(
                "--share-group",
                "GROUP",
                "The group it belongs to, name or ID",
            ),
            Argument::pair(
                "--scheduler-hint",
                "same_host or different_host; repeatable",
            )
            .since(65),
            Argument::option("--mount-point-name", "NAME", "Its own export location").since(84),
            Argument::option("--encryption-key-ref", "UUID", "Its key in the key manager")
                .since(90),
        ],
        prints: true,
        change: create,
        ..USUAL
    },
    Operation {
        words: &["share", "delete"],
        about: "Delete shares and wait until they are gone",
        arguments: &[
            SHARES,
            Argument::option(
                "--share-group",
                "GROUP",
                "The group they belong to, name or ID",
            ),
            Argument::flag("--force", "Whatever their state is"),
            Argument::flag("--soft", "Put them into the recycle bin").since(69),
        ],
        names: Some(&kind::SHARE),
        change: delete,
        ..USUAL
    },
    Operation {
        words: &["share", "resize"],
        about: "Resize a share and wait until it has the new size",
        arguments: &[
            SHARE,
            Argument::number("NEW_SIZE", "In GiB"),
            Argument::flag("--force", "Extend it past the scheduler").since(64),
        ],
        names: Some(&kind::SHARE),
        change: resize,
        ..USUAL
    },
    Operation {
        words: &["share", "adopt"],
        about: "Adopt a share that Manila does not know (admin)",
        arguments: &[
            Argument::positional("SERVICE_HOST", "host@backend#pool"),
            Argument::positional("PROTOCOL", "NFS, CIFS, …"),
            Argument::positional("EXPORT_PATH", "Where it is exported"),
            NAME,
            DESCRIPTION,
            Argument::option("--share-type", "TYPE", "Its type, name or ID"),
            Argument::several("--driver-options", "KEY=VALUE", "Options for the driver"),
            Argument::flag("--public", "Other projects see it").since(8),
            Argument::option("--share-server-id", "SERVER", "Its share server").since(49),
            Argument::option("--mount-point-name", "NAME", "Its own export location").since(92),
        ],
        prints: true,
        change: adopt,
        ..USUAL
    },
    Operation {
        words: &["share", "abandon"],
        about: "Let Manila forget shares (admin)",
        arguments: &[SHARES],
        names: Some(&kind::SHARE),
        change: abandon,
        ..USUAL
    },
    Operation {
        words: &["share", "revert"],
        about: "Revert a share to its latest snapshot",
        arguments: &[Argument::positional("SNAPSHOT", "Name or ID")],
        names: Some(&kind::SNAPSHOT),
        since: Microversion::new(27),
        change: revert,
        ..USUAL
    },
];

/// `share.py:240`.
fn create(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    let given = ask.given;
    let name = given.value("--name");
    // share.py:244: `capitalize() == 'None'`.
    if name
        .as_str()
        .is_some_and(|name| name.eq_ignore_ascii_case("none"))
    {
        return Err(Failure::usage("--name: a share cannot be called None"));
    }
    let mut size = given.number("SIZE");
    let snapshot = given
        .text("--snapshot-id")
        .map(|asked| ask.find(&kind::SNAPSHOT, asked, "--snapshot-id"))
        .transpose()?;
    if let Some(snapshot) = &snapshot {
        size = size.max(number(snapshot, "size"));
    }
    let share_type = match given.text("--share-type") {
        Some(asked) => Some(ask.share_type(asked)?),
        None if snapshot.is_some() => None,
        None => Some(ask.default_share_type()?),
    };
    let mut body = json!({
        "size": size,
        "snapshot_id": snapshot.as_ref().map(id_of),
        "name": name,
        "description": given.value("--description"),
        "metadata": given.pairs("--property"),
        "share_proto": given.value("SHARE_PROTOCOL"),
        "share_network_id": ask.id(&kind::NETWORK, "--share-network")?,
        "share_type": share_type,
        "is_public": given.raw("--public").map_or(Value::Bool(false), Value::from),
        "availability_zone": given.value("--availability-zone"),
        "scheduler_hints": hints(ask)?,
    });
    put(
        &mut body,
        "share_group_id",
        ask.id(&kind::GROUP, "--share-group")?,
    );
    put(
        &mut body,
        "mount_point_name",
        given.text("--mount-point-name"),
    );
    put(
        &mut body,
        "encryption_key_ref",
        given.text("--encryption-key-ref"),
    );
    let fields = vec![("name", name.clone()), ("size", size.into())];
    Ok(Change::new(
        &kind::SHARE,
        "/shares",
        json!({"share": body}),
        fields,
        by_name(&name),
    ))
}

/// Shares in hints may be named by name; several are joined by commas.
fn hints(ask: &Ask<'_, '_>) -> Result<Map<String, Value>, Failure> {
    let mut hints = ask.given.pairs("--scheduler-hint");
    for key in ["same_host", "different_host"] {
        let Some(named) = hints
            .get(key)
            .and_then(Value::as_str)
            .filter(|named| !named.is_empty())
        else {
            continue;
        };
        let ids = named
            .split(',')
            .map(|asked| Ok(id_of(&ask.find(&kind::SHARE, asked, "--scheduler-hint")?)))
            .collect::<Result<Vec<_>, Failure>>()?;
        hints.insert(key.to_owned(), ids.join(",").into());
    }
    Ok(hints)
}

/// `share.py:401`: `--force` goes before `--soft`.
fn delete(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    if ask.given.flag("--force") {
        return super::force_delete(ask);
    }
    if ask.given.flag("--soft") {
        return Ok(ask
            .action("soft_delete", Value::Null)?
            .until("is_soft_deleted", &["true"]));
    }
    let mut change = super::delete(ask)?;
    if let Some(group) = ask.id(&kind::GROUP, "--share-group")? {
        change
            .path
            .push_str(&format!("?share_group_id={}", encoded(&group)));
    }
    Ok(change)
}

/// `share.py:1060`: extend or shrink, by what its size is.
fn resize(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    let (_, share) = ask.named()?;
    let (new, size) = (ask.given.number("NEW_SIZE"), number(share, "size"));
    if new == size {
        let name = ask.given.raw("SHARE").unwrap_or_default();
        return Err(Failure::usage(format!(
            "share {name} is {size} GiB already: nothing was sent"
        )));
    }
    let mut info = json!({ "new_size": new });
    let action = if new < size { "shrink" } else { "extend" };
    if new > size && ask.given.flag("--force") {
        put(&mut info, "force", Some("true"));
    }
    Ok(ask.action(action, info)?.and("size", new))
}

/// `v2/shares.py:388`.
fn adopt(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    let given = ask.given;
    let name = given.value("--name");
    let share_type = given
        .text("--share-type")
        .map(|asked| ask.share_type(asked))
        .transpose()?;
    let mut body = json!({
        "service_host": given.value("SERVICE_HOST"),
        "share_type": share_type,
        "protocol": given.value("PROTOCOL"),
        "export_path": given.value("EXPORT_PATH"),
        "driver_options": given.properties("--driver-options")?,
        "name": name,
        "description": given.value("--description"),
        "share_server_id": given.text("--share-server-id"),
    });
    if ask.client.version() >= Microversion::new(8) {
        put(&mut body, "is_public", Some(given.flag("--public")));
    }
    put(
        &mut body,
        "mount_point_name",
        given.text("--mount-point-name"),
    );
    let path = if ask.is_plain() {
        "/shares/manage"
    } else {
        "/os-share-manage"
    };
    let fields = vec![("name", name.clone())];
    Ok(Change::new(
        &kind::SHARE,
        path,
        json!({"share": body}),
        fields,
        by_name(&name),
    ))
}

/// `v2/shares.py:557`.
fn abandon(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    if ask.is_plain() {
        return super::unmanage(ask);
    }
    let (kind, share) = ask.named()?;
    let path = format!("/os-share-unmanage/{}/unmanage", encoded(&id_of(share)));
    Ok(Change::old(kind, share, Method::Post, path, None).until_gone())
}

/// `share.py:1310`: the snapshot says which share; both must be usable again.
fn revert(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    let (_, snapshot) = ask.named()?;
    let share = ask.find(
        &kind::SHARE,
        text(snapshot, "share_id"),
        "the share of the snapshot",
    )?;
    let id = id_of(snapshot);
    Ok(ask
        .action_on(&kind::SHARE, &share, "revert", json!({"snapshot_id": id}))
        .also(&kind::SNAPSHOT, id))
}

/// Puts a field into a body where there is a value.
pub(super) fn put(body: &mut Value, key: &str, value: Option<impl Into<Value>>) {
    if let (Some(fields), Some(value)) = (body.as_object_mut(), value) {
        fields.insert(key.to_owned(), value.into());
    }
}

/// A number of a resource; zero where it is none.
fn number(body: &Body, field: &str) -> i64 {
    body.get(field).and_then(Value::as_i64).unwrap_or_default()
}

/// A text of a resource; empty where it is none.
pub(super) fn text<'b>(body: &'b Body, field: &str) -> &'b str {
    body.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// The query that lists what has this name.
pub(super) fn by_name(name: &Value) -> String {
    name.as_str()
        .map_or_else(String::new, |name| format!("name={}", encoded(name)))
}
