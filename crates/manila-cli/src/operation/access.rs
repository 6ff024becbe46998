//! Access rules of shares (`osc/v2/share_access_rules.py`).

use serde_json::json;
use wait_cli::Failure;

use super::shares::{SHARE, put};
use super::{Argument, Ask, Change, Operation, USUAL};
use crate::client::encoded;
use crate::kind;
use crate::lookup::id_of;

/// The rows.
pub const ROWS: &[Operation] = &[
    Operation {
        words: &["share", "access", "create"],
        about: "Allow access to a share",
        arguments: &[
            SHARE,
            Argument::positional("ACCESS_TYPE", "ip, user, cert or cephx"),
            Argument::positional("ACCESS_TO", "An address, a user, a common name, an ID"),
            Argument::several("--properties", "KEY=VALUE", "Properties of the rule").since(45),
            Argument::option("--access-level", "LEVEL", "rw or ro").among(&["rw", "ro"]),
            Argument::flag("--lock-visibility", "Hide its sensitive fields from others").since(82),
            Argument::flag("--lock-deletion", "Lock it against deletion").since(82),
            Argument::option("--lock-reason", "TEXT", "Why it is locked").since(82),
        ],
        names: Some(&kind::SHARE),
        waits_on: &kind::ACCESS,
        prints: true,
        change: allow,
        ..USUAL
    },
    Operation {
        words: &["share", "access", "delete"],
        about: "Deny access to a share",
        arguments: &[
            SHARE,
            Argument::positional("ID", "The ID of the rule"),
            Argument::flag("--unrestrict", "Take locks on it away first").since(82),
        ],
        names: Some(&kind::SHARE),
        waits_on: &kind::ACCESS,
        change: deny,
        ..USUAL
    },
];

/// `v2/shares.py:934`.
fn allow(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    let given = ask.given;
    let (_, share) = ask.named()?;
    let locks = given.flag("--lock-visibility") || given.flag("--lock-deletion");
    let reason = given.text("--lock-reason");
    if reason.is_some() && !locks {
        return Err(Failure::usage(
            "--lock-reason: there is a reason only for --lock-visibility or --lock-deletion",
        ));
    }
    let mut info =
        json!({"access_type": given.value("ACCESS_TYPE"), "access_to": given.value("ACCESS_TO")});
    put(&mut info, "access_level", given.text("--access-level"));
    let properties = given.properties("--properties")?;
    put(
        &mut info,
        "metadata",
        Some(properties).filter(|properties| !properties.is_empty()),
    );
    for (flag, key) in [
        ("--lock-visibility", "lock_visibility"),
        ("--lock-deletion", "lock_deletion"),
    ] {
        put(&mut info, key, given.flag(flag).then_some(true));
    }
    put(&mut info, "lock_reason", reason);
    let (path, request) = ask.action_request(&kind::SHARE, share, "allow_access", info);
    let fields = vec![
        ("access_to", given.value("ACCESS_TO")),
        ("access_type", given.value("ACCESS_TYPE")),
    ];
    let id = id_of(share);
    let mut change = Change::new(
        &kind::ACCESS,
        &path,
        request,
        fields,
        format!("share_id={}", encoded(&id)),
    );
    change.share = Some(id);
    Ok(change)
}

/// `v2/shares.py:1046`.
fn deny(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    let (_, share) = ask.named()?;
    let id = ask.given.raw("ID").unwrap_or_default();
    let rule = ask.rule(share, id)?;
    let mut info = json!({ "access_id": id });
    put(
        &mut info,
        "unrestrict",
        ask.given.flag("--unrestrict").then_some(true),
    );
    let mut change = ask
        .action_on(&kind::SHARE, share, "deny_access", info)
        .on(&kind::ACCESS, &rule)
        .until_gone();
    change.share = Some(id_of(share));
    Ok(change)
}
