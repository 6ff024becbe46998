//! `cargo xtask demo`: both programs against the simulated cloud, as a user sees them.

use std::process::{Command, Stdio};

use sim_cloud::Cloud;

use crate::tools::{self, Failure, show};

/// A command line of the demo and how it has to end.
struct Scene {
    says: &'static str,
    program: &'static str,
    arguments: &'static [&'static str],
    exit: i32,
}

const SCENES: &[Scene] = &[
    Scene {
        says: "a stack that is being created",
        program: "heat-wait",
        arguments: &["stack", "wait", "web", "--nested-depth", "1"],
        exit: 0,
    },
    Scene {
        says: "a stack that fails: the cause is on the screen, and the exit code says so",
        program: "heat-wait",
        arguments: &["stack", "wait", "broken"],
        exit: 1,
    },
    Scene {
        says: "a stack that needs longer than we have",
        program: "heat-wait",
        arguments: &["stack", "wait", "web", "--deadline", "2s"],
        exit: 124,
    },
    Scene {
        says: "a share that is being created; the result for a script",
        program: "manila-wait",
        arguments: &[
            "share",
            "wait",
            "data",
            "--for",
            "available",
            "-f",
            "value",
            "-c",
            "status",
        ],
        exit: 0,
    },
    Scene {
        says: "a share that ends in error",
        program: "manila-wait",
        arguments: &["share", "wait", "stuck", "--for", "available"],
        exit: 1,
    },
    Scene {
        says: "a typing error is no success",
        program: "manila-wait",
        arguments: &["share", "wait", "dta", "--for", "available"],
        exit: 4,
    },
];

/// Builds both programs and runs every scene.
///
/// # Errors
/// When a program cannot be built or a scene ends with another exit code than it should.
pub fn run() -> Result<(), Failure> {
    let programs = tools::build("dev")?;
    let mut wrong = Vec::new();
    for scene in SCENES {
        // A cloud for each, whose story begins now.
        let cloud =
            sim_cloud::demo().map_err(|e| format!("the simulated cloud does not start: {e}"))?;
        let program = if scene.program == "heat-wait" {
            &programs.heat_wait
        } else {
            &programs.manila_wait
        };
        let exit = play(scene, &cloud, &mut Command::new(program))?;
        if exit != scene.exit {
            wrong.push(format!(
                "{} exits {exit} and not {}",
                line(scene),
                scene.exit
            ));
        }
    }
    if wrong.is_empty() {
        show(&format!(
            "{} commands, each with its exit code.\n",
            SCENES.len()
        ))
    } else {
        Err(wrong.join("; "))
    }
}

/// Shows the command line, lets it print to our own stdout and stderr, and shows its exit code.
fn play(scene: &Scene, cloud: &Cloud, command: &mut Command) -> Result<i32, Failure> {
    show(&format!("# {}\n$ {}\n", scene.says, line(scene)))?;
    let status = command
        .args(scene.arguments)
        .env_clear()
        .envs(cloud.env())
        .stdin(Stdio::null())
        .status()
        .map_err(|e| format!("cannot start {}: {e}", scene.program))?;
    let exit = status
        .code()
        .ok_or_else(|| format!("{}: {status}", line(scene)))?;
    show(&format!("[exit {exit}]\n\n"))?;
    Ok(exit)
}

fn line(scene: &Scene) -> String {
    format!("{} {}", scene.program, scene.arguments.join(" "))
}
