//! Outages and odd answers that pass, and the limits of a wait.

use sim_cloud::{Fault, Outcome, Service, Stack, When, secs};

use crate::{TARN, World, standing, wait, world};

fn creating(seconds: u64) -> World {
    let world = world();
    world.stack(Stack::create("tarn", secs(seconds)).id(TARN));
    world
}

#[test]
fn an_upgrade_of_heat_is_sat_out_within_patience_and_not_beyond() {
    for (minutes, exit) in [(2, 0), (14, 0), (40, 3)] {
        let world = creating(3_000);
        world.outage(Service::Heat, secs(60), secs(60 + minutes * 60));
        let ended = wait(&world, "tarn --for create");
        assert_eq!(ended.exit, exit, "{minutes} min\n{ended}");
        if exit == 3 {
            assert!(ended.elapsed <= secs(60 + 16 * 60), "{ended}");
            ended.says(&["its state is unknown", "the operation goes on", TARN]);
        }
    }
}

#[test]
fn a_keystone_that_is_away_disturbs_no_wait_whose_token_lives() {
    let world = creating(600);
    world.outage(Service::Keystone, secs(5), secs(10_000));
    wait(&world, "tarn --for create")
        .exits(0)
        .never_says(&["again in"]);
}

#[test]
fn every_way_to_send_a_good_answer_is_understood() {
    for fault in [Fault::Chunked, Fault::CloseAfter] {
        let world = creating(30);
        world.fault(When::heat(), fault.clone());
        let ended = wait(&world, "tarn --for create --max-errors 1");
        assert_eq!(ended.exit, 0, "{fault:?}\n{ended}");
    }
}

#[test]
fn every_bad_answer_passes_wherever_it_comes() {
    for fault in [
        Fault::ResetBefore,
        Fault::ResetAfter,
        Fault::Closed,
        Fault::HalfBody,
        Fault::BrokenJson,
        Fault::OtherJson,
        Fault::Html(500),
        Fault::Html(404),
        Fault::Empty,
        Fault::Status(408),
        Fault::Status(425),
        Fault::Status(500),
        Fault::Status(504),
        Fault::Garbage,
        Fault::RedirectLoop,
    ] {
        for nth in 1..9 {
            let world = creating(30);
            world.fault(When::heat().nth(nth), fault.clone());
            let ended = wait(&world, "tarn --for create");
            assert_eq!(ended.exit, 0, "{fault:?} as answer {nth}\n{ended}");
            assert_eq!(world.sign_ins(), 1, "{fault:?} as answer {nth}\n{ended}");
        }
    }
}

#[test]
fn a_redirect_to_another_host_is_never_followed() {
    let elsewhere = world();
    for status in [301, 302, 307, 308] {
        let world = creating(30);
        let place = format!("{}/v1/x/stacks/tarn/{TARN}", elsewhere.url(Service::Heat));
        world.fault(
            When::heat().between(secs(5), secs(12)),
            Fault::Redirect(status, place.clone()),
        );
        wait(&world, "tarn --for create").exits(0);
        let world = creating(30);
        world.fault(When::sign_in(), Fault::Redirect(status, place));
        wait(&world, "tarn --for create")
            .exits(2)
            .says(&["redirects to another server", "auth_url"]);
    }
    assert!(
        elsewhere.requests().is_empty(),
        "{:?}",
        elsewhere.requests()
    );
}

#[test]
fn the_deadline_is_heats_own_limit_and_some_grace_and_twice_that_with_rollback() {
    for (stack, minutes) in [
        (standing(), 65),
        (standing().timeout_mins(5), 10),
        (standing().timeout_mins(5).rollback(), 20),
        (standing().rollback(), 130),
    ] {
        let world = world();
        world.stack(stack);
        world.advance(secs(60));
        world.heat_act("update", TARN, Outcome::Stay);
        wait(&world, "tarn").exits(124).takes(secs(minutes * 60));
    }
}

#[test]
fn a_deadline_may_come_from_the_environment_and_an_option_goes_before_it() {
    let mut world = creating(6_000);
    world
        .env
        .insert("HEAT_WAIT_DEADLINE".to_owned(), "40s".to_owned());
    wait(&world, "tarn").exits(124).takes(secs(40));
    wait(&world, "tarn --deadline 1m")
        .exits(124)
        .takes(secs(60));
    wait(&world, "tarn --deadline none").exits(0);
}

#[test]
fn the_deadline_counts_sign_in_and_look_up() {
    let world = world();
    world.stack(Stack::create("tarn", secs(600)));
    world.fault(
        When::sign_in().between(secs(0), secs(25)),
        Fault::Status(503),
    );
    let ended = wait(&world, "tarn --deadline 40s").exits(124);
    assert_eq!(ended.elapsed, secs(40), "{ended}");
}

#[test]
fn a_stack_given_twice_by_name_and_id_is_one() {
    let world = creating(20);
    let ended = wait(
        &world,
        &format!("tarn {TARN} tarn/{TARN} --for create -f value -c ID"),
    )
    .exits(0);
    assert_eq!(ended.stdout, format!("{TARN}\n"), "{ended}");
    assert_eq!(
        ended.stderr.matches("[tarn]: CREATE_COMPLETE").count(),
        1,
        "{ended}"
    );
}

#[test]
fn what_appears_late_is_found_under_its_name_and_followed_by_its_id() {
    let world = creating(30);
    world.fault(When::heat().between(secs(0), secs(12)), Fault::Status(404));
    let ended = wait(&world, "tarn --for create --appear")
        .exits(0)
        .takes(secs(30));
    assert!(
        ended.asked(&format!("/stacks/tarn/{TARN}/events")).len() > 2,
        "{ended}"
    );

    let world = creating(900);
    world.fault(When::heat().between(secs(0), secs(12)), Fault::Status(404));
    wait(&world, "tarn --for create --appear=1m --deadline 30s")
        .exits(124)
        .says(&[&format!("heat-wait stack wait {TARN} --for create")])
        .never_says(&["--appear"]);
}
