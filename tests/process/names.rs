//! Names of hosts that are not known any more. The process has a view of its own of the files that say what is known.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use sim_cloud::{Cloud, Service, secs};

use crate::binary::{Running, cloud, dressed};
use crate::view::view;
use crate::{ENDS, GOES, PATH, PROGRAM, SERVICE, WAIT, going};

const KNOWN: &str = "127.0.0.1 cloud.test\n";
/// What is said of a host that is not known.
const SAID: &str = "host cloud.test is not known";

/// A wait at `cloud.test`, which this folder's `hosts` makes known.
fn started(cloud: &Cloud, folder: &Path, more: &str) -> Option<Running> {
    let words = view()?;
    std::fs::write(folder.join("nsswitch.conf"), "hosts: files\n").unwrap();
    let mut command = Command::new("unshare");
    let script = "for name in hosts nsswitch.conf; do
        [ ! -e /etc/$name ] || mount --bind $0/$name /etc/$name || exit 99
    done
    exec \"$@\"";
    command
        .args(words)
        .args(["sh", "-c", script])
        .arg(folder)
        .arg(PROGRAM)
        .args(WAIT.split(' '))
        .args(["--poll", "0.1"])
        .args(more.split_whitespace());
    let mut command = dressed(command, cloud);
    let named = |service| cloud.url(service).replace("127.0.0.1", "cloud.test");
    command
        .env("OS_AUTH_URL", format!("{}/v3", named(Service::Keystone)))
        .env("OS_ENDPOINT_OVERRIDE", format!("{}{PATH}", named(SERVICE)));
    Some(Running::start(command))
}

#[test]
fn a_name_that_is_not_known_for_a_while_is_ridden_out() {
    let folder = tempfile::tempdir().unwrap();
    let hosts = folder.path().join("hosts");
    std::fs::write(&hosts, KNOWN).unwrap();
    let cloud = cloud();
    going(&cloud, Duration::from_millis(800), true);
    let Some(mut running) = started(&cloud, folder.path(), "") else {
        println!("no namespaces: nothing is checked");
        return;
    };
    running.says(GOES);
    std::fs::write(&hosts, "").unwrap();
    cloud.hang_up(SERVICE);
    running.says(SAID);
    std::fs::write(&hosts, KNOWN).unwrap();
    let over = running.end().exits(0);
    assert!(over.stdout.contains(ENDS), "{over:#?}");
}

#[test]
fn a_name_that_stays_unknown_leaves_the_state_unknown_at_the_deadline() {
    let folder = tempfile::tempdir().unwrap();
    let hosts = folder.path().join("hosts");
    std::fs::write(&hosts, KNOWN).unwrap();
    let cloud = cloud();
    going(&cloud, secs(60), true);
    let Some(mut running) = started(&cloud, folder.path(), "--deadline 2") else {
        println!("no namespaces: nothing is checked");
        return;
    };
    running.says(GOES);
    std::fs::write(&hosts, "").unwrap();
    cloud.hang_up(SERVICE);
    let over = running.end().exits(3);
    assert!(over.stderr.contains(SAID), "{over:#?}");
    assert!(
        over.stderr.contains("hint: go on waiting with: "),
        "{over:#?}"
    );
}

#[test]
fn a_name_that_was_never_known_is_a_mistake_and_soon_said() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("hosts"), "").unwrap();
    let cloud = cloud();
    let Some(running) = started(&cloud, folder.path(), "") else {
        println!("no namespaces: nothing is checked");
        return;
    };
    let over = running.end().exits(3);
    assert!(
        over.stderr.contains(SAID) && over.stderr.contains("hint: check the name"),
        "{over:#?}"
    );
    assert!(over.took < secs(5), "{over:#?}");
}
