//! Servers that take a request and say nothing, or say it too slowly: real time, short limits.

use sim_cloud::{Cloud, Fault, Service, Stack, When, secs};

use crate::binary::{Over, cloud, command, run};
use crate::{TARN, ms};

/// A wait whose requests may take 0.2 s and which may take 0.6 s in all.
fn short(cloud: &Cloud) -> Over {
    let over = run(command(
        cloud,
        "stack wait tarn --for create --deadline 0.6 --request-timeout 0.2 --poll 0.1",
    ));
    // The last round has 0.4 s; starting a process takes its time as well.
    assert!(over.took >= ms(600) && over.took < ms(1_400), "{over:#?}");
    over
}

fn creating() -> Cloud {
    let cloud = cloud();
    cloud.stack(Stack::create("tarn", secs(600)).id(TARN));
    cloud
}

#[test]
fn whoever_is_silent_holds_nobody_beyond_the_deadline() {
    let faults = [
        Fault::Hang,
        Fault::StallBody,
        Fault::Trickle(ms(100)),
        Fault::SlowHead(ms(100)),
    ];
    std::thread::scope(|scope| {
        for fault in &faults {
            for when in [When::heat(), When::sign_in()] {
                scope.spawn(move || {
                    let cloud = creating();
                    cloud.fault(when, fault.clone());
                    // An outage at the deadline: nobody knows what has become of the stack.
                    short(&cloud).exits(3);
                });
            }
        }
    });
}

#[test]
fn a_silence_that_begins_later_ends_in_unknown_as_well() {
    let cloud = creating();
    cloud.fault(When::heat().after(4), Fault::Hang);
    let over = short(&cloud).exits(3);
    assert!(
        over.stderr.contains("its state is unknown at the deadline") && over.stderr.contains(TARN),
        "{over:#?}"
    );
}

#[test]
fn a_cloud_that_goes_away_is_ridden_out_until_the_deadline() {
    let cloud = creating();
    cloud.fault(When::heat().after(4), Fault::Status(503));
    short(&cloud).exits(3);
    cloud.down(Service::Heat);
    short(&cloud).exits(3);
}

#[test]
fn the_time_zone_of_the_machine_has_no_effect() {
    for zone in [
        "Asia/Kolkata",
        "America/St_Johns",
        "Nowhere/At_All",
        "XYZ-13:30",
    ] {
        let cloud = cloud();
        cloud.stack(Stack::failing("tarn", secs(0), "boom"));
        let mut command = command(&cloud, &format!("stack wait tarn --since {}", crate::e(1)));
        command.env("TZ", zone);
        let over = run(command);
        assert!(
            over.stdout.contains("2031-03-04T10:00:00Z"),
            "{zone}: {over:#?}"
        );
    }
}
