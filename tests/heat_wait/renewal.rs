//! Tokens that die during a wait, and refusals that pass.

use serde_json::json;
use sim_cloud::{Answer, Fault, Outcome, Stack, When, secs};

use crate::{TARN, World, standing, wait, world, world_with};

/// What carries the first token is refused from 5 s on.
fn first_token_dies(world: &World) {
    world.fault(
        When::heat()
            .token("gAAAAA-sim-token-0001")
            .between(secs(5), secs(100_000)),
        Fault::Status(401),
    );
}

fn creating() -> World {
    let world = world();
    world.stack(Stack::create("tarn", secs(30)).id(TARN));
    world
}

#[test]
fn a_token_that_dies_is_renewed_once_and_nobody_hears_of_it() {
    let world = creating();
    first_token_dies(&world);
    let ended = wait(&world, "tarn --for create --max-errors 1")
        .exits(0)
        .takes(secs(30));
    assert_eq!(world.sign_ins(), 2, "{ended}");
    ended.never_says(&["401", "again"]);
}

#[test]
fn a_token_is_renewed_before_it_ends_as_often_as_need_be() {
    let world = world_with(|config| config.token_life = secs(600));
    world.stack(Stack::create("tarn", secs(3_000)).id(TARN));
    let ended = wait(&world, "tarn --for create").exits(0);
    assert!((5..=8).contains(&world.sign_ins()), "{}", world.sign_ins());
    assert_eq!(world.count(&When::heat(), Some(401)), 0, "{ended}");
}

#[test]
fn a_token_that_lives_shortly_is_renewed_when_it_is_refused() {
    let world = world_with(|config| config.token_life = secs(30));
    world.stack(Stack::create("tarn", secs(300)).id(TARN));
    wait(&world, "tarn --for create").exits(0).takes(secs(300));
    assert!((8..=12).contains(&world.sign_ins()), "{}", world.sign_ins());
}

#[test]
fn a_refusal_that_stays_after_signing_in_again_is_final_in_the_third_round() {
    let world = creating();
    world.fault(
        When::heat().between(secs(5), secs(100_000)),
        Fault::Status(401),
    );
    let ended = wait(&world, "tarn --for create").exits(5).says(&[
        "requires authentication",
        "goes on",
        "hint: go on waiting with",
    ]);
    assert_eq!(world.sign_ins(), 2, "no third login: {ended}");
}

#[test]
fn one_or_two_rounds_of_refusal_pass_and_three_do_not() {
    for status in [401, 403] {
        for (rounds, exit) in [(1, 0), (2, 0), (3, 5)] {
            let world = creating();
            // The first 401 costs a sign-in and a repeat; the token that came of it is not replaced again.
            let requests = if status == 401 { rounds + 1 } else { rounds };
            world.fault(
                When::heat().between(secs(5), secs(100_000)).first(requests),
                Fault::Status(status),
            );
            let ended = wait(&world, "tarn --for create");
            assert_eq!(ended.exit, exit, "{rounds} rounds of {status}\n{ended}");
        }
    }
}

#[test]
fn refusals_of_many_stacks_are_no_storm_of_sign_ins() {
    let world = world();
    let names: Vec<String> = (0..20).map(|n| format!("reed-{n}")).collect();
    for name in &names {
        world.stack(Stack::create(name, secs(60)));
    }
    world.fault(
        When::heat().between(secs(5), secs(100_000)),
        Fault::Status(401),
    );
    let ended = wait(&world, &names.join(" ")).exits(5);
    assert_eq!(world.sign_ins(), 2, "{ended}");
}

#[test]
fn an_account_that_was_locked_meanwhile_is_told_in_keystones_words() {
    let world = creating();
    first_token_dies(&world);
    let locked = json!({"error": {"code": 401, "title": "Unauthorized", "message": "The account is locked for user: a27808."}});
    world.answer(When::sign_in().after(1), Answer::json(401, &locked));
    wait(&world, "tarn --for create")
        .exits(5)
        .says(&["The account is locked for user: a27808.", "goes on"]);
}

#[test]
fn a_keystone_in_trouble_during_renewal_is_ridden_out() {
    for fault in [
        Fault::Status(503),
        Fault::Html(502),
        Fault::ResetBefore,
        Fault::BrokenJson,
    ] {
        let world = creating();
        first_token_dies(&world);
        world.fault(When::sign_in().after(1).nth(2), fault.clone());
        world.fault(When::sign_in().nth(2), fault.clone());
        let ended = wait(&world, "tarn --for create");
        assert_eq!(ended.exit, 0, "{fault:?}\n{ended}");
        ended.never_says(&["<html"]);
    }
}

#[test]
fn a_keystone_that_stays_away_during_renewal_ends_in_unknown() {
    let world = creating();
    first_token_dies(&world);
    world.fault(When::sign_in().after(1), Fault::Status(503));
    let ended = wait(&world, "tarn --for create --patience 1m")
        .exits(3)
        .says(&["go on waiting with"]);
    assert!(ended.elapsed <= secs(200), "{ended}");
}

/// A user with nothing but a token that lives for a minute.
fn token_only() -> World {
    let mut world = world_with(|config| config.token_life = secs(60));
    world.stack(standing());
    world.heat_act("update", TARN, Outcome::Complete(secs(300)));
    let token = world.token(secs(60));
    for name in ["OS_USERNAME", "OS_PASSWORD", "OS_USER_DOMAIN_NAME"] {
        world.env.remove(name);
    }
    world.env.insert("OS_TOKEN".to_owned(), token);
    world
}

#[test]
fn a_token_alone_that_ends_before_the_deadline_is_warned_of_and_its_end_is_refused() {
    let world = token_only();
    let ended = wait(&world, "tarn --for update --deadline 10m").exits(5);
    assert!(
        ended.elapsed >= secs(60) && ended.elapsed <= secs(90),
        "{ended}"
    );
    ended.says(&[
        "warning: the token ends in",
        "before the deadline",
        "goes on",
        "hint: go on waiting with",
    ]);
}

#[test]
fn a_token_alone_that_lasts_is_not_warned_of() {
    let world = token_only();
    wait(&world, "tarn --for update --deadline 30s")
        .exits(124)
        .never_says(&["warning"]);
}

#[test]
fn an_application_credential_is_renewed_too() {
    let mut world = world_with(|config| config.token_life = secs(30));
    let file = world.clouds_yaml();
    world
        .files
        .insert("/etc/openstack/clouds.yaml".into(), file.into());
    world.env.clear();
    world.stack(Stack::create("tarn", secs(100)).id(TARN));
    wait(&world, "tarn --for create --os-cloud demo-appcred").exits(0);
    assert!(world.sign_ins() >= 3, "{}", world.sign_ins());
}
