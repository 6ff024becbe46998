//! `stack failures list`, and the same causes at the end of a failed wait.

use serde_json::json;
use sim_cloud::{Answer, Stack, When, secs};

use crate::harness::World;
use crate::world;

const TEST: &str = "OS::Heat::TestResource";

/// Three levels and 200 resources, of which two leaves fail.
fn tree() -> Stack {
    let mut tree = Stack::failing(
        "tarn",
        secs(9),
        "Resource CREATE failed: resources.b0: see nested",
    );
    for b in 0..11 {
        let fails = b < 2;
        let end = |fails: bool| {
            if fails {
                "CREATE_FAILED"
            } else {
                "CREATE_COMPLETE"
            }
        };
        let mut branch = Stack::new(&format!("tarn-b{b}")).own(secs(1), "CREATE_IN_PROGRESS", "");
        for l in 0..5 {
            let fails = fails && l == 0;
            let name = format!("tarn-b{b}-l{l}");
            let mut leaf = Stack::new(&name).own(secs(2), "CREATE_IN_PROGRESS", "");
            leaf = leaf.built("one", TEST, secs(2), secs(3));
            leaf = if fails {
                leaf.broken("two", TEST, secs(2), secs(5), "ValueError: no")
            } else {
                leaf.built("two", TEST, secs(2), secs(3))
            };
            branch = branch.nested(
                &format!("l{l}"),
                leaf.own(secs(6), end(fails), "see nested"),
            );
        }
        branch =
            branch
                .built("beside", TEST, secs(1), secs(2))
                .built("beside2", TEST, secs(1), secs(2));
        tree = tree.nested(
            &format!("b{b}"),
            branch.own(secs(7), end(fails), "see nested"),
        );
    }
    tree
}

fn failed(stack: Stack) -> World {
    let world = world();
    world.stack(stack);
    world.advance(secs(30));
    world
}

#[test]
fn a_tree_of_200_resources_costs_three_requests() {
    let world = failed(tree());
    let ended = world.run("stack failures list tarn").exits(0);
    let paths: Vec<&str> = ended
        .stdout
        .lines()
        .filter(|line| line.starts_with("tarn"))
        .collect();
    assert_eq!(paths, ["tarn.b0.l0.two:", "tarn.b1.l0.two:"]);
    assert_eq!(ended.asked("/stacks/").len(), 3, "{ended}");
    let ended = world.run("stack failures list tarn -f json").exits(0);
    assert_eq!(ended.json()[1]["path"], "tarn.b1.l0.two");
    assert_eq!(ended.json()[1]["status_reason"], "ValueError: no");
}

#[test]
fn a_heat_that_cannot_choose_by_status_is_asked_for_everything() {
    let world = failed(tree());
    let refused = json!({"code": 400, "error": {"type": "HTTPBadRequest", "message": "Invalid filter parameters ['status']"}});
    world.answer(
        When::heat().path("/resources").query("status=FAILED"),
        Answer::json(400, &refused),
    );
    let ended = world.run("stack failures list tarn").exits(0);
    assert_eq!(ended.stdout.matches("CREATE_FAILED").count(), 2, "{ended}");
}

#[test]
fn a_stack_that_did_not_fail_has_no_failures() {
    let world = failed(Stack::standing("tarn").broken("old", TEST, secs(0), secs(0), "boom"));
    let ended = world.run("stack failures list tarn").exits(0);
    assert_eq!(ended.stdout, "");
    assert!(ended.asked("/resources").is_empty());
    assert_eq!(
        world
            .run("stack failures list tarn -f json")
            .exits(0)
            .stdout,
        "[]\n"
    );
}

/// A stack with a deployment that failed with twelve lines.
fn deployment() -> World {
    let world = failed(
        Stack::failing(
            "tarn",
            secs(5),
            "Resource CREATE failed: resources.deploy: status 1",
        )
        .broken(
            "deploy",
            "OS::Heat::SoftwareDeployment",
            secs(1),
            secs(4),
            "Error: exit 1",
        ),
    );
    let lines: String = (1..=12).map(|n| format!("line {n}\n")).collect();
    let values = json!({"deploy_stdout": "", "deploy_stderr": lines, "deploy_status_code": 1});
    let answer = json!({"software_deployment": {"id": "d", "output_values": values}});
    world.answer(
        When::heat().path("/software_deployments/tarn-deploy-physical"),
        Answer::json(200, &answer),
    );
    world
}

#[test]
fn a_deployment_shows_the_end_of_its_output_and_with_long_all_of_it() {
    let world = deployment();
    let ended = world.run("stack failures list tarn").exits(0);
    assert!(
        ended
            .stdout
            .contains("  deploy_stdout: |\n\n  deploy_stderr: |\n    ...\n    line 3\n"),
        "{ended}"
    );
    assert!(
        ended
            .stdout
            .ends_with("    line 12\n    (truncated, view all with --long)\n"),
        "{ended}"
    );
    let ended = world.run("stack failures list tarn --long").exits(0);
    assert!(
        ended.stdout.contains("  deploy_stderr: |\n    line 1\n"),
        "{ended}"
    );
    let ended = world
        .run("stack failures list tarn -f json --long")
        .exits(0);
    assert!(
        ended.json()[0]["deploy_stderr"]
            .as_str()
            .is_some_and(|text| text.lines().count() == 12)
    );
}

#[test]
fn a_wait_that_fails_tells_what_the_deployment_printed_and_stays_failed_if_it_cannot() {
    let world = deployment();
    let ended = world
        .run("stack wait tarn")
        .exits(1)
        .says(&[
            "tarn.deploy: CREATE_FAILED: Error: exit 1",
            "deploy_stderr: line 3\n",
            "deploy_stderr: line 12\n",
        ])
        .never_says(&["deploy_stdout", "line 2\n"]);
    assert_eq!(ended.asked("/software_deployments").len(), 1);
    world.clear_rules();
    world.fault(
        When::heat().path("/software_deployments"),
        sim_cloud::Fault::Status(500),
    );
    world
        .run("stack wait tarn")
        .exits(1)
        .says(&["tarn.deploy", "what it has reported cannot be read"]);
}

/// A stack that waits for somebody in a nested stack.
fn paused() -> Stack {
    let child = Stack::new("tarn-group-x")
        .own(secs(1), "CREATE_IN_PROGRESS", "Stack CREATE started")
        .event(
            secs(2),
            "heron",
            None,
            "INIT_COMPLETE",
            "CREATE paused until Hook pre-create is cleared",
        );
    Stack::new("tarn")
        .own(secs(0), "CREATE_IN_PROGRESS", "Stack CREATE started")
        .nested("group", child)
}

#[test]
fn a_resource_paused_on_a_hook_is_named_with_the_command_that_clears_it() {
    let told = [
        "tarn.group.heron: paused on hook pre-create",
        "hint: clear it with: openstack stack hook clear --pre-create ",
    ];
    let world = failed(paused());
    let ended = world.run("stack failures list tarn").exits(0).says(&told);
    assert_eq!(ended.stdout, "");
    world
        .run("stack wait tarn --deadline 10")
        .exits(124)
        .says(&["still CREATE_IN_PROGRESS"])
        .says(&told);
}

#[test]
fn a_failure_below_a_resource_that_did_not_fail_is_found_by_a_wait() {
    let child = Stack::new("tarn-marsh-x")
        .own(secs(1), "CREATE_IN_PROGRESS", "")
        .broken("heron", TEST, secs(1), secs(2), "Quota exceeded");
    let world = failed(Stack::failing("tarn", secs(3), "Timed out").nested("marsh", child));
    world
        .run("stack wait tarn")
        .exits(1)
        .says(&["tarn.marsh.heron: CREATE_FAILED: Quota exceeded"]);
}
