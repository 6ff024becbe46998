//! Share instances, share networks and share servers (`osc/v2/share_instances.py`, `osc/v2/share_networks.py`,
//! `osc/v2/share_servers.py`).

use serde_json::{Value, json};
use wait_cli::Failure;

use super::shares::put;
use super::{Argument, Ask, Change, Operation, USUAL};
use crate::kind;
use crate::lookup::id_of;
use crate::version::Microversion;

/// The rows.
pub const ROWS: &[Operation] = &[
    Operation {
        words: &["share", "instance", "delete"],
        about: "Force the deletion of share instances (admin)",
        arguments: &[Argument::positionals("INSTANCE", "IDs")],
        names: Some(&kind::INSTANCE),
        waits_on: &kind::INSTANCE,
        since: Microversion::new(3),
        change: super::force_delete,
        ..USUAL
    },
    Operation {
        words: &["share", "network", "delete"],
        about: "Delete share networks",
        arguments: &[Argument::positionals("SHARE_NETWORK", "Names or IDs")],
        names: Some(&kind::NETWORK),
        waits_on: &kind::NETWORK,
        change: super::delete,
        ..USUAL
    },
    Operation {
        words: &["share", "server", "delete"],
        about: "Delete share servers (admin)",
        arguments: &[Argument::positionals("SHARE_SERVER", "IDs")],
        names: Some(&kind::SERVER),
        change: super::delete,
        ..SERVER
    },
    Operation {
        words: &["share", "server", "adopt"],
        about: "Adopt a share server that Manila does not know (admin)",
        arguments: &[
            Argument::positional("HOST", "host@backend"),
            Argument::positional("SHARE_NETWORK", "Name or ID"),
            Argument::positional("IDENTIFIER", "How the backend calls it"),
            Argument::pair("--driver-options", "An option for the driver; repeatable"),
            Argument::option(
                "--share-network-subnet",
                "SUBNET",
                "ID; the default subnet otherwise",
            )
            .since(51),
        ],
        since: Microversion::new(49),
        prints: true,
        change: adopt,
        ..SERVER
    },
    Operation {
        words: &["share", "server", "abandon"],
        about: "Let Manila forget share servers (admin)",
        arguments: &[
            Argument::positionals("SHARE_SERVER", "IDs"),
            Argument::flag("--force", "Whatever their state is"),
        ],
        names: Some(&kind::SERVER),
        since: Microversion::new(49),
        change: |ask| {
            let force = ask.given.flag("--force");
            Ok(ask
                .action("unmanage", json!({ "force": force }))?
                .until_gone())
        },
        ..SERVER
    },
];

const SERVER: Operation = Operation {
    waits_on: &kind::SERVER,
    ..USUAL
};

/// `v2/share_servers.py:manage`: the subnet goes along since 2.51, given or not.
fn adopt(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    let given = ask.given;
    let asked = given.raw("SHARE_NETWORK").unwrap_or_default();
    let network = id_of(&ask.find(&kind::NETWORK, asked, "")?);
    let mut body = json!({
        "host": given.value("HOST"),
        "share_network_id": network,
        "identifier": given.value("IDENTIFIER"),
        "driver_options": given.pairs("--driver-options"),
    });
    if ask.client.version() >= Microversion::new(51) {
        put(
            &mut body,
            "share_network_subnet_id",
            Some(Value::from(given.text("--share-network-subnet"))),
        );
    }
    let fields = vec![("host", given.value("HOST"))];
    Ok(Change::new(
        &kind::SERVER,
        "/share-servers/manage",
        json!({"share_server": body}),
        fields,
        String::new(),
    ))
}
