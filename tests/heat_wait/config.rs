//! What is wrong before anything can be waited for: one line that names it, what to do, the right code, nothing sent.

use serde_json::json;
use sim_cloud::{Answer, Fault, Service, When, secs};

use crate::{Ended, TARN, World, standing, wait, world, world_with};

/// Checks that nothing was sent, that one line names it all, and that a hint may follow.
#[track_caller]
fn refused(world: &World, words: &[&str], named: &[&str]) {
    let ended = world.run_words(words).exits(2);
    assert!(ended.requests.is_empty(), "nothing is sent\n{ended}");
    one_line(ended).says(named);
}

#[track_caller]
fn one_line(ended: Ended) -> Ended {
    let lines: Vec<&str> = ended.stderr.lines().collect();
    assert!(
        lines
            .first()
            .is_some_and(|line| line.starts_with("heat-wait: ")),
        "{ended}"
    );
    assert!(
        lines.iter().skip(1).all(|line| line.starts_with("hint: ")) && lines.len() <= 2,
        "{ended}"
    );
    assert!(ended.stdout.is_empty(), "{ended}");
    ended
}

#[test]
fn wrong_arguments_are_named_with_what_to_do() {
    let world = world();
    world.stack(standing());
    for (words, named) in [
        (
            &["stack", "wait", "tarn", "--deadline", "soon"][..],
            &["--deadline", "'soon'", "90s"][..],
        ),
        (&["stack", "wait", "tarn", "--deadline", "-5"], &["-5"]),
        (&["stack", "wait", "tarn", "--deadline="], &["--deadline"]),
        (
            &["stack", "wait", "tarn", "--poll", "often"],
            &["--poll", "'often'"],
        ),
        (&["stack", "wait", "tarn", "--poll", "0"], &["--poll"]),
        (
            &["stack", "wait", "tarn", "--patience", "none"],
            &["--patience", "'none'"],
        ),
        (
            &["stack", "wait", "tarn", "--max-errors", "0"],
            &["--max-errors"],
        ),
        (
            &["stack", "wait", "tarn", "--request-timeout", "0"],
            &["--request-timeout"],
        ),
        (
            &["stack", "wait", "tarn", "--for", "nonsense"],
            &[
                "nonsense",
                "complete",
                "deleted",
                "update",
                "UPDATE_COMPLETE",
            ],
        ),
        (&["stack", "wait", "tarn", "--for", ""], &["--for"]),
        (
            &["stack", "wait", "tarn", "--for", "MOULT_COMPLETE"],
            &["MOULT_COMPLETE"],
        ),
        (
            &["stack", "wait", "tarn", "--and", "size"],
            &["--and", "FIELD=VALUE"],
        ),
        (
            &["stack", "wait", "tarn", "--and", "=3"],
            &["--and", "FIELD=VALUE"],
        ),
        (
            &["stack", "wait", "tarn", "--appear=soon"],
            &["--appear", "'soon'"],
        ),
        (
            &["stack", "wait", "tarn", "--poll", "-1"],
            &["--poll: '-1' is no duration"],
        ),
        (
            &["stack", "wait", "tarn", "--max-errors", "-1"],
            &["'-1' for '--max-errors <N>': write a whole number that is not negative"],
        ),
        (
            &["stack", "wait", "tarn", "--appear", "2s"],
            &["--appear 2s", "write --appear=2s"],
        ),
        (&["stack", "wait", ""], &["empty"]),
        (&["stack", "wait", "tarn", " "], &["empty"]),
        (&["stack", "wait"], &["STACK"]),
        (
            &["stack", "wait", "tarn", "--frobnicate"],
            &["--frobnicate"],
        ),
        (
            &["stack", "wait", "tarn", "-f", "csv"],
            &["-f csv", "table, json, yaml, value, shell"],
        ),
        (
            &["stack", "wait", "tarn", "fen", "-f", "shell"],
            &["-f shell", "table, json, yaml, value, csv"],
        ),
        (&["stack", "wait", "tarn", "-f", "xml"], &["-f xml"]),
        (&["stack", "wait", "tarn", "-c", "colour"], &["colour"]),
        (
            &["stack", "wait", "tarn", "fen", "-c", "colour"],
            &["colour"],
        ),
        (
            &["stack", "wait", "tarn", "--progress", "loud"],
            &["--progress", "plain"],
        ),
        (
            &["stack", "wait", "tarn", "-q", "-v"],
            &["--quiet", "--verbose"],
        ),
        (&["stack", "linger", "tarn"], &["linger"]),
        (&["stacks"], &["stacks"]),
    ] {
        refused(&world, words, named);
    }
}

#[test]
fn wrong_variables_are_named_like_options() {
    for (name, value) in [
        ("HEAT_WAIT_DEADLINE", "soon"),
        ("HEAT_WAIT_POLL", "0s0"),
        ("HEAT_WAIT_PATIENCE", "x"),
    ] {
        let mut world = world();
        world.env.insert(name.to_owned(), value.to_owned());
        refused(&world, &["stack", "wait", "tarn"], &[name, value]);
    }
}

#[test]
fn options_of_the_openstack_command_that_mean_nothing_here_are_not_unknown() {
    for option in ["--os-beta-command", "--timing", "--log-file"] {
        refused(
            &world(),
            &["stack", "wait", "tarn", option],
            &[option, "not supported"],
        );
    }
}

#[test]
fn nothing_at_all_shows_the_help() {
    for words in [&[][..], &["stack"]] {
        let ended = world()
            .run_words(words)
            .exits(2)
            .says(&["Usage: heat-wait", "Examples:\n  heat-wait stack create"]);
        assert!(ended.requests.is_empty(), "{ended}");
    }
    let ended = world().run("--help").exits(0);
    assert!(
        ended.stdout.contains("Usage: heat-wait") && ended.stderr.is_empty(),
        "{ended}"
    );
}

#[test]
fn an_unknown_cloud_is_named_with_those_that_there_are() {
    let mut world = world();
    let file = world.clouds_yaml();
    world
        .files
        .insert("/etc/openstack/clouds.yaml".into(), file.into());
    world.env.clear();
    refused(
        &world,
        &["stack", "wait", "tarn", "--os-cloud", "prod"],
        &["prod", "demo"],
    );
    refused(
        &world,
        &["stack", "wait", "tarn"],
        &["demo", "demo-appcred"],
    );
    world.stack(standing());
    wait(&world, "tarn --os-cloud demo").exits(0);
    wait(&world, "tarn --os-cloud demo-appcred").exits(0);
}

#[test]
fn a_broken_clouds_file_is_named_with_line_and_column() {
    let mut world = world();
    for (text, place) in [
        ("clouds:\n  demo:\n    auth: {user: x\n  b: 1\n", ":4:"),
        ("clouds:\n\tdemo: 1\n", ":2:1"),
    ] {
        world
            .files
            .insert("/etc/openstack/clouds.yaml".into(), text.into());
        refused(
            &world,
            &["stack", "wait", "tarn", "--os-cloud", "demo"],
            &["/etc/openstack/clouds.yaml", place],
        );
    }
}

#[test]
fn what_is_missing_of_the_settings_is_named() {
    for (name, named) in [
        ("OS_AUTH_URL", "auth"),
        ("OS_PASSWORD", "password"),
        ("OS_USERNAME", "user"),
    ] {
        let mut world = world();
        world.env.remove(name);
        refused(&world, &["stack", "wait", "tarn"], &[named]);
    }
}

#[test]
fn an_unreachable_host_ends_after_three_quick_tries() {
    let world = world();
    world.down(Service::Keystone);
    let ended = wait(&world, "tarn").exits(3).says(&["refused"]);
    assert!(ended.elapsed <= secs(5), "{ended}");
    let tries = ended
        .stderr
        .lines()
        .filter(|line| line.contains("; again in"))
        .count();
    assert_eq!(tries, 2, "{ended}");
    ended.never_says(&["goes on"]);
}

#[test]
fn a_heat_that_is_down_while_keystone_answers_is_ridden_out() {
    let world = world();
    world.stack(standing());
    world.outage(Service::Heat, secs(0), secs(100));
    wait(&world, "tarn").exits(0).says(&["refused"]);
    world.down(Service::Heat);
    wait(&world, "tarn --patience 1m").exits(3).takes(secs(60));
}

#[test]
fn a_host_that_is_not_up_yet_is_waited_for_if_asked() {
    let world = world();
    world.stack(standing());
    world.outage(Service::Keystone, secs(0), secs(40));
    wait(&world, "tarn --connect-wait 1m").exits(0);
    let world = crate::world();
    world.down(Service::Keystone);
    let ended = wait(&world, "tarn --connect-wait 1m").exits(3);
    assert!(
        ended.elapsed >= secs(60) && ended.elapsed < secs(120),
        "{ended}"
    );
}

#[test]
fn a_keystone_in_trouble_is_ridden_out() {
    let world = world();
    world.stack(standing());
    world.fault(
        When::sign_in().between(secs(0), secs(200)),
        Fault::Status(503),
    );
    wait(&world, "tarn").exits(0);
    world.fault(When::sign_in(), Fault::Html(502));
    let ended = wait(&world, "tarn --patience 1m")
        .exits(3)
        .never_says(&["<html"]);
    assert!(ended.elapsed < secs(120), "{ended}");
    wait(&world, "tarn --deadline 20s").exits(3).takes(secs(20));
}

#[test]
fn a_wrong_password_is_refused_in_keystones_words() {
    let mut world = world();
    world
        .env
        .insert("OS_PASSWORD".to_owned(), "wrong-and-secret".to_owned());
    let ended = one_line(wait(&world, "tarn").exits(5))
        .says(&["The request you have made requires authentication."])
        .never_says(&["wrong-and-secret", "goes on"]);
    assert_eq!(ended.requests.len(), 1, "{ended}");
}

#[test]
fn a_malformed_sign_in_is_a_matter_of_configuration() {
    let world = world();
    let words = json!({"error": {"code": 400, "title": "Bad Request", "message": "Invalid input for field 'identity'"}});
    world.answer(When::sign_in(), Answer::json(400, &words));
    one_line(wait(&world, "tarn").exits(2)).says(&["Invalid input for field 'identity'"]);
}

#[test]
fn one_of_several_regions_must_be_chosen() {
    let world = world_with(|config| config.regions = vec!["north".to_owned(), "south".to_owned()]);
    world.stack(standing());
    let ended = one_line(wait(&world, "tarn").exits(2)).says(&["north", "south"]);
    assert!(ended.asked("/stacks").is_empty(), "{ended}");
    wait(&world, "tarn --os-region-name south").exits(0);
    one_line(wait(&world, "tarn --os-region-name west").exits(2)).says(&["north", "south"]);
}

#[test]
fn a_catalog_without_orchestration_is_said() {
    let world = world_with(|config| {
        config.catalog = Some(
            json!([{"type": "identity", "name": "keystone", "endpoints": [
            {"interface": "public", "region": "R", "region_id": "R", "url": "{keystone}/v3"}]}]),
        );
    });
    one_line(wait(&world, "tarn").exits(2)).says(&["orchestration"]);
}

#[test]
fn an_interface_that_the_catalog_has_not_is_said_with_those_that_it_has() {
    let world = world_with(|config| config.interfaces = vec!["public".to_owned()]);
    one_line(wait(&world, "tarn --os-interface internal").exits(2)).says(&["internal"]);
}

#[test]
fn a_stack_that_does_not_exist_is_not_found() {
    let world = world();
    for name in [
        "typo",
        "typo/aaaaaaaa-0000-4000-8000-000000000001",
        TARN,
        "ü b",
        "a?b#c",
        "a/b/c",
        "..",
        "%2e%2e",
    ] {
        let ended = world.run_words(&["stack", "wait", name]).exits(4);
        assert!(
            one_line(ended)
                .asked("/stacks")
                .iter()
                .all(|line| line.contains("/v1/")),
            "{name}"
        );
    }
}

#[test]
fn an_endpoint_that_is_not_heats_is_said() {
    let world = world();
    let wrong = format!("{}/v3", world.url(Service::Keystone));
    let ended = world.run_words(&["stack", "wait", "tarn", "--os-endpoint-override", &wrong]);
    assert!([3, 4].contains(&ended.exit), "{ended}");
}

#[test]
fn show_config_sends_nothing_and_masks_secrets() {
    let world = world();
    let ended = world.run("stack wait tarn --show-config").exits(0);
    assert!(ended.requests.is_empty(), "{ended}");
    assert!(
        ended.stdout.contains("OS_PASSWORD") && !ended.stdout.contains("= secret"),
        "{ended}"
    );
}

#[test]
fn list_clouds_prints_the_names_for_completion_and_sends_nothing() {
    let mut world = world();
    world.files.insert(
        "/etc/openstack/clouds.yaml".into(),
        "clouds: {tarn: {}, ß: {}}\n".into(),
    );
    let ended = world.run("--list-clouds").exits(0);
    assert_eq!(ended.stdout, "tarn\nß\n");
    assert!(ended.requests.is_empty(), "{ended}");
    world
        .files
        .insert("/etc/openstack/clouds.yaml".into(), "clouds: [".into());
    let ended = world.run("--list-clouds").exits(2);
    assert!(one_line(ended).stderr.contains("clouds.yaml"));
}

#[test]
fn options_that_contradict_each_other_or_are_out_of_range_are_named() {
    let world = world();
    for (line, named) in [
        (
            "stack delete -y tarn --wait --no-wait",
            "--wait and --no-wait",
        ),
        ("stack output show tarn port --all", "OUTPUT and --all"),
        ("stack output show tarn", "--all"),
        ("stack wait tarn -q -v", "--quiet"),
        ("stack wait tarn --max-errors 0", "--max-errors"),
        ("stack wait tarn --max-errors -1", "--max-errors"),
        ("stack wait tarn --nested-depth -1", "--nested-depth"),
        (
            "stack wait tarn --nested-depth 4294967296",
            "--nested-depth",
        ),
        ("stack wait tarn --for bananas", "--for"),
        ("stack wait tarn --and status", "--and"),
        ("stack wait tarn --progress loud", "--progress"),
        ("stack show tarn --max-width wide", "--max-width"),
        ("stack list", "'list'"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        refused(&world, &words, &[named]);
    }
}

#[test]
fn the_last_of_an_option_counts() {
    let world = world();
    world.stack(standing());
    let ended = wait(
        &world,
        "tarn --for deleted --for complete -f csv -f value -c id",
    )
    .exits(0);
    assert_eq!(ended.stdout, format!("{TARN}\n"));
}
