//! Operations: what changes something and is then followed to its true end. An operation is a row of the table.

mod access;
pub mod ask;
pub mod change;
mod groups;
mod migrations;
mod replicas;
mod servers;
mod shares;
mod snapshots;

use os_identity::Method;
use wait_cli::Failure;

pub use ask::Ask;
pub use change::{Also, Change, On};
pub use wait_cli::argument::{Argument, Given};

use crate::kind::{Experimental, Kind};
use crate::version::Microversion;

/// One operation.
#[derive(Debug)]
pub struct Operation {
    /// Its words on the command line: `share access create`.
    pub words: &'static [&'static str],
    /// What it does, for `--help`.
    pub about: &'static str,
    /// Its arguments, positional ones first.
    pub arguments: &'static [Argument],
    /// What its first argument names, where that is a resource; of each one change is made.
    pub names: Option<&'static Kind>,
    /// What is waited for; it gives the default deadline as well.
    pub waits_on: &'static Kind,
    /// The first microversion that has it.
    pub since: Microversion,
    /// Whether its request needs the experimental header.
    pub experimental: Experimental,
    /// Whether the client prints the resource.
    pub prints: bool,
    /// The request with its goal and post-conditions, from the arguments and the resource that was named.
    pub change: fn(&Ask<'_, '_>) -> Result<Change, Failure>,
}

/// What most rows have in common.
const USUAL: Operation = Operation {
    words: &[],
    about: "",
    arguments: &[],
    names: None,
    waits_on: &crate::kind::SHARE,
    since: Microversion::new(0),
    experimental: Experimental::Never,
    prints: false,
    change: |_| Err(Failure::usage("not an operation")),
};

/// Every operation.
pub fn all() -> impl Iterator<Item = &'static Operation> {
    [
        shares::ROWS,
        access::ROWS,
        migrations::ROWS,
        snapshots::ROWS,
        replicas::ROWS,
        groups::ROWS,
        servers::ROWS,
    ]
    .into_iter()
    .flatten()
}

impl Operation {
    /// Its words as one text.
    #[must_use]
    pub fn name(&self) -> String {
        self.words.join(" ")
    }
}

/// `DELETE` of what was named, waited for until it is gone.
fn delete(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    let (kind, body) = ask.named()?;
    let path = ask.path(kind, body, "");
    Ok(Change::old(kind, body, Method::Delete, path, None).until_gone())
}

/// `DELETE`, or the action `force_delete` with `--force`.
fn delete_or_force(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    if ask.given.flag("--force") {
        return force_delete(ask);
    }
    delete(ask)
}

/// The action `force_delete`.
fn force_delete(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    Ok(ask
        .action("force_delete", serde_json::Value::Null)?
        .until_gone())
}

/// The action `unmanage`.
fn unmanage(ask: &Ask<'_, '_>) -> Result<Change, Failure> {
    Ok(ask
        .action("unmanage", serde_json::Value::Null)?
        .until_gone())
}

#[cfg(test)]
mod tests;
