//! Requests a round, and ten thousand stacks and shares in one process: on the simulated cloud, by the release binaries.

use std::fmt::Write as _;
use std::time::Duration;

use sim_cloud::{Cloud, Config, Item, Kind, Service, Stack, Time, secs};

use super::measure::{self, Cost};
use crate::tools::{Failure, Programs, say};

const MANY: usize = 10_000;
/// The goals: resident bytes, and seconds of processor time a round.
const MEMORY_GOAL: f64 = 64.0 * 1024.0 * 1024.0;
const CPU_GOAL: f64 = 0.100;
/// Everything goes on for longer than any run.
const FOR_EVER: Duration = secs(24 * 60 * 60);

/// Measures.
///
/// # Errors
/// When the simulated cloud does not start or a program does not end by its deadline.
pub fn section(programs: &Programs) -> Result<String, Failure> {
    let heat = programs.heat_wait.to_string_lossy();
    let manila = programs.manila_wait.to_string_lossy();
    let mut text = "## Requests a round, and ten thousand at once\n\nOn the simulated cloud, counted in its log. The \
        Python client waits for several one after the other, with at least one request a round for the one that it \
        looks at, and sees the others when their turn comes; a loop over `show` is one request (and one sign-in) for each.\n\n\
        | waited for | requests a round | goal | |\n| --- | ---: | ---: | --- |\n"
        .to_owned();
    for (what, program, service, count, most) in [
        ("stack", &heat, Service::Heat, 1, 1.0),
        (
            "stack to which nothing happens",
            &heat,
            Service::Heat,
            1,
            1.5,
        ),
        ("stacks", &heat, Service::Heat, 10, 1.0),
        ("stacks", &heat, Service::Heat, 1_000, 10.0),
        ("share", &manila, Service::Manila, 1, 1.0),
        ("shares", &manila, Service::Manila, 1_000, 1.0),
    ] {
        say(&format!("{count} {what}: requests a round"));
        let (cloud, ids) = cloud(service, count, what == "stack")?;
        wait(program, &cloud, service, &ids, "3", "32")?;
        let round = usual(&rounds(&cloud, service));
        let met = if round <= most { "met" } else { "**missed**" };
        let _ = writeln!(text, "| {count} {what} | {round:.1} | {most:.1} | {met} |");
    }
    text.push_str(
        "\nTen thousand in one process, named by their ids: the resident maximum, and the processor time of a round (the \
         difference of a longer and a shorter wait, by the rounds between them).\n\n\
         | waited for | memory | goal | | CPU a round | goal | | rounds |\n\
         | --- | ---: | ---: | --- | ---: | ---: | --- | ---: |\n",
    );
    for (what, program, service, requests) in [
        ("stacks", &heat, Service::Heat, MANY / 100),
        ("shares", &manila, Service::Manila, MANY / 1_000),
    ] {
        say(&format!("{MANY} {what} in one process"));
        let (cloud, ids) = cloud(service, MANY, false)?;
        let run = |deadline: &str| -> Result<(Cost, f64), Failure> {
            cloud.clear_log();
            let cost = wait(program, &cloud, service, &ids, "1", deadline)?;
            let asked = cloud
                .requests()
                .iter()
                .filter(|seen| seen.service == service)
                .count();
            Ok((cost, asked as f64 / requests as f64))
        };
        let (short, few) = run("15")?;
        let (long, more) = run("60")?;
        let between = more - few;
        let memory = short.memory.max(long.memory);
        let cpu = (long.cpu - short.cpu) / between.max(1.0);
        let met = |met: bool| if met { "met" } else { "**missed**" };
        let _ = writeln!(
            text,
            "| {MANY} {what} | {:.1} MiB | {:.0} MiB | {} | {:.0} ms | {:.0} ms | {} | {between:.0} |",
            memory / f64::from(1 << 20),
            MEMORY_GOAL / f64::from(1 << 20),
            met(memory <= MEMORY_GOAL),
            cpu * 1e3,
            CPU_GOAL * 1e3,
            met(cpu <= CPU_GOAL),
        );
    }
    Ok(text)
}

/// A cloud where so many stacks or shares are being created, and their ids; `moves`: each second with an event.
fn cloud(service: Service, count: usize, moves: bool) -> Result<(Cloud, Vec<String>), Failure> {
    let cloud = Cloud::start(Config::new(Time::real()))
        .map_err(|e| format!("the simulated cloud does not start: {e}"))?;
    let one = |number: usize| match service {
        Service::Manila => {
            let share = Item::new(Kind::Share, &format!("share-{number}"));
            cloud.item(
                share
                    .status(Duration::ZERO, "creating")
                    .status(FOR_EVER, "available"),
            )
        }
        _ => {
            let mut stack = Stack::create(&format!("stack-{number}"), FOR_EVER);
            for second in 0..if moves { 60 } else { 0 } {
                stack = stack.event(secs(second), "reed", None, "CREATE_IN_PROGRESS", "");
            }
            cloud.stack(stack)
        }
    };
    let ids = (0..count).map(one).collect();
    Ok((cloud, ids))
}

/// Waits until the deadline, which nobody's end comes before.
fn wait(
    program: &str,
    cloud: &Cloud,
    service: Service,
    ids: &[String],
    poll: &str,
    deadline: &str,
) -> Result<Cost, Failure> {
    let noun = if service == Service::Manila {
        "share"
    } else {
        "stack"
    };
    let mut words = vec![noun, "wait", "--poll", poll, "--deadline", deadline];
    words.extend(ids.iter().map(String::as_str));
    let env = cloud.env();
    measure::run(program, &words, 124, &|command| {
        command.envs(&env);
    })
}

/// Requests by round: those that came within a second of each other.
fn rounds(cloud: &Cloud, service: Service) -> Vec<usize> {
    let mut rounds: Vec<usize> = Vec::new();
    let mut before = None;
    for seen in cloud
        .requests()
        .iter()
        .filter(|seen| seen.service == service)
    {
        match rounds.last_mut() {
            Some(round)
                if before.is_some_and(|before| seen.time.saturating_sub(before) < secs(1)) =>
            {
                *round += 1
            }
            _ => rounds.push(1),
        }
        before = Some(seen.time);
    }
    rounds
}

/// What a round costs on average; the first, with the look-up, and the last are not counted.
fn usual(rounds: &[usize]) -> f64 {
    let middle = rounds
        .get(1..rounds.len().saturating_sub(1))
        .unwrap_or_default();
    let sum: usize = middle.iter().sum();
    sum as f64 / middle.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::usual;

    #[test]
    fn the_usual_round_is_neither_the_first_nor_the_last() {
        assert!((usual(&[4, 1, 2, 1, 2, 3]) - 1.5).abs() < 1e-9);
        assert!(usual(&[4, 3]).abs() < 1e-9);
    }
}
