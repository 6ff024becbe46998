//! Old services: what is missing is said before anything is sent.

use crate::*;

fn old(newest: u32) -> World {
    let world = world_with(|config| config.microversions = (0, newest));
    world.item(share(LAGOON, "lagoon"));
    world
}

#[test]
fn what_a_service_does_not_have_is_said_with_both_numbers() {
    for (newest, line, says) in [
        (
            60,
            "share delete lagoon --soft",
            "share delete --soft needs microversion 2.69, the cloud offers 2.60",
        ),
        (
            60,
            "share resize lagoon 20 --force",
            "share resize --force needs microversion 2.64, the cloud offers 2.60",
        ),
        (
            40,
            "share backup create lagoon",
            "share backup create needs microversion 2.80, the cloud offers 2.40",
        ),
        (
            40,
            "share access create lagoon ip 1.2.3.4 --properties a=b",
            "--properties needs microversion 2.45",
        ),
        (
            28,
            "share migration cancel lagoon",
            "needs microversion 2.29, the cloud offers 2.28",
        ),
        (
            28,
            "share group create",
            "share group create needs microversion 2.31",
        ),
        (
            40,
            "share server abandon x",
            "share server abandon needs microversion 2.49",
        ),
        (
            6,
            "share revert x",
            "share revert needs microversion 2.27, the cloud offers 2.6",
        ),
        (
            6,
            "share replica create lagoon",
            "needs microversion 2.11, the cloud offers 2.6",
        ),
        (
            60,
            "share create NFS 1 --scheduler-hint same_host=x",
            "needs microversion 2.65",
        ),
    ] {
        let world = old(newest);
        // 2.60 has hints neither for shares.
        let ended = world.run(line).exits(2);
        assert!(sent(&ended).is_empty(), "{ended}");
        assert!(
            ended.asked("/shares").is_empty(),
            "nothing was looked up: {ended}"
        );
        ended.says(&[says]);
    }
}

#[test]
fn what_old_services_have_works_there() {
    for newest in [40, 28, 6] {
        let world = old(newest);
        world.run("share resize lagoon 20").exits(0);
        world.run("share resize lagoon 5").exits(0);
        world.run("share snapshot create lagoon --name s").exits(0);
        world.run("share snapshot delete s").exits(0);
        world.run("share create NFS 1 --name reed").exits(0);
        world.run("share delete reed --force").exits(0);
        world.run("share delete lagoon").exits(0);
    }
}

#[test]
fn the_experimental_header_goes_where_it_is_needed() {
    for (newest, wanted) in [(50, true), (60, false)] {
        let world = old(newest);
        let ended = world.run("share replica create lagoon").exits(0);
        let replicas: Vec<bool> = ended
            .requests
            .iter()
            .filter(|seen| seen.request.path.contains("share-replicas"))
            .map(|seen| {
                seen.request
                    .header("x-openstack-manila-api-experimental")
                    .is_some()
            })
            .collect();
        assert!(
            !replicas.is_empty() && replicas.iter().all(|has| *has == wanted),
            "{replicas:?}"
        );
    }
}
