//! Requests a round, and what ten to ten thousand stacks and shares in one process cost: on the simulated cloud.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use sim_cloud::{Cloud, Config, Item, Kind, Service, Stack, Time, secs};

use super::measure::{self, Cost, met};
use super::plot;
use crate::tools::{Failure, Programs, say};

const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];
/// Look-up, the first list, and one in which nothing is new.
const FIRST_ROUNDS: f64 = 3.0;
/// What one resource of ten thousand may cost, in those of one of a thousand.
const STEEPEST: f64 = 5.0;
const MIB: f64 = 1024.0 * 1024.0;
/// The goals: resident bytes, and seconds of processor time a round.
const MEMORY_GOAL: f64 = 64.0 * MIB;
const CPU_GOAL: f64 = 0.100;
/// Everything goes on for longer than any run.
const FOR_EVER: Duration = secs(24 * 60 * 60);

/// Measures.
///
/// # Errors
/// When the simulated cloud does not start or a program does not end by its deadline.
pub fn requests(programs: &Programs) -> Result<String, Failure> {
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
        let met = met(round <= most);
        let _ = writeln!(text, "| {count} {what} | {round:.1} | {most:.1} | {met} |");
    }
    Ok(text)
}

/// Measures all sizes, and draws them into `plot`. The result: the section's second part.
///
/// # Errors
/// As [`requests`].
pub fn growth(programs: &Programs, plot: &Path) -> Result<Growth, Failure> {
    let growth = Growth::measure(programs, &SIZES, 4)?;
    let lines = |of: &dyn Fn(&Point) -> f64| -> Vec<plot::Line> {
        let line = |(what, points): &(&'static str, Vec<Point>)| plot::Line {
            name: what,
            points: points
                .iter()
                .map(|one| (one.count as f64, of(one)))
                .collect(),
        };
        growth.kinds.iter().map(line).collect()
    };
    let panels = [
        plot::Panel {
            title: "CPU of a round, ms",
            goal: CPU_GOAL * 1e3,
            lines: lines(&|one| one.cpu * 1e3),
        },
        plot::Panel {
            title: "memory, MiB",
            goal: MEMORY_GOAL / MIB,
            lines: lines(&|one| one.memory / MIB),
        },
    ];
    std::fs::create_dir_all(plot.parent().unwrap_or(Path::new(".")))
        .and_then(|()| std::fs::write(plot, plot::svg(&panels)))
        .map_err(|e| format!("cannot write {}: {e}", plot.display()))?;
    Ok(growth)
}

/// What so many in one process cost.
struct Point {
    count: usize,
    /// Bytes resident at the most.
    memory: f64,
    /// Seconds of processor time a round.
    cpu: f64,
    /// Requests a round.
    requests: usize,
    /// Rounds between the two waits that were compared.
    rounds: f64,
}

/// Cost by how many are waited for.
pub struct Growth {
    kinds: Vec<(&'static str, Vec<Point>)>,
}

impl Growth {
    /// Measures these sizes; `stretch`: so many times longer than the shorter wait the longer one is, with which it is compared.
    ///
    /// # Errors
    /// When the simulated cloud does not start or a program does not end by its deadline.
    pub fn measure(programs: &Programs, sizes: &[usize], stretch: u64) -> Result<Self, Failure> {
        let mut kinds = Vec::new();
        for (what, program, service, page) in [
            ("stacks", &programs.heat_wait, Service::Heat, 100),
            ("shares", &programs.manila_wait, Service::Manila, 1_000),
        ] {
            let program = program.to_string_lossy();
            let mut points = Vec::new();
            for &count in sizes {
                say(&format!("{count} {what} in one process"));
                let requests = count.div_ceil(page);
                points.push(point(&program, service, count, requests, stretch)?);
            }
            kinds.push((what, points));
        }
        Ok(Self { kinds })
    }

    /// The table.
    pub fn table(&self) -> String {
        let mut text = "| waited for | memory | goal | | CPU a round | goal | | CPU a round and resource | requests a \
            round | rounds |\n| --- | ---: | ---: | --- | ---: | ---: | --- | ---: | ---: | ---: |\n"
            .to_owned();
        for (what, points) in &self.kinds {
            for one in points {
                let _ = writeln!(
                    text,
                    "| {} {what} | {:.1} MiB | {:.0} MiB | {} | {:.1} ms | {:.0} ms | {} | {:.1} µs | {} | {:.0} |",
                    one.count,
                    one.memory / MIB,
                    MEMORY_GOAL / MIB,
                    met(one.memory <= MEMORY_GOAL),
                    one.cpu * 1e3,
                    CPU_GOAL * 1e3,
                    met(one.cpu <= CPU_GOAL),
                    one.cpu / one.count as f64 * 1e6,
                    one.requests,
                    one.rounds,
                );
            }
        }
        text
    }

    /// Whether ten times as many cost about ten times as much, for the two largest sizes.
    ///
    /// # Errors
    /// What grows faster than that.
    pub fn is_linear(&self) -> Result<(), Failure> {
        for (what, points) in &self.kinds {
            let [.., few, many] = points.as_slice() else {
                continue;
            };
            let each = |one: &Point| one.cpu / one.count as f64;
            let ratio = each(many) / each(few).max(f64::MIN_POSITIVE);
            if ratio > STEEPEST {
                return Err(format!(
                    "the cost of {what} does not grow linearly: each of {} costs {ratio:.1} times what each of {} costs, at most {STEEPEST:.1} is wanted",
                    many.count, few.count
                ));
            }
        }
        Ok(())
    }
}

/// Compares a longer and a shorter wait: what both cost once, such as the look-up and the result, is in neither round.
fn point(
    program: &str,
    service: Service,
    count: usize,
    requests: usize,
    stretch: u64,
) -> Result<Point, Failure> {
    let (cloud, ids) = cloud(service, count, false)?;
    let run = |deadline: u64| -> Result<(Cost, f64), Failure> {
        cloud.clear_log();
        let cost = wait(program, &cloud, service, &ids, "1", &deadline.to_string())?;
        let asked = cloud.requests();
        let asked = asked.iter().filter(|seen| seen.service == service).count();
        Ok((cost, asked as f64 / requests as f64))
    };
    let mut deadline = 5;
    let (mut short, mut few) = run(deadline)?;
    // The first rounds read what is new to them.
    while few < FIRST_ROUNDS && deadline < 60 {
        deadline *= 2;
        (short, few) = run(deadline)?;
    }
    let (long, more) = run(stretch * deadline)?;
    let rounds = more - few;
    Ok(Point {
        count,
        memory: short.memory.max(long.memory),
        cpu: (long.cpu - short.cpu).max(0.0) / rounds.max(1.0),
        requests,
        rounds,
    })
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
    use super::*;

    #[test]
    fn growth_that_is_not_linear_is_a_failure() {
        let growth = |cpu: [f64; 2]| Growth {
            kinds: vec![(
                "stacks",
                cpu.iter()
                    .zip([1_000, 10_000])
                    .map(|(cpu, count)| Point {
                        count,
                        memory: 0.0,
                        cpu: *cpu,
                        requests: 1,
                        rounds: 9.0,
                    })
                    .collect(),
            )],
        };
        assert_eq!(growth([0.004, 0.060]).is_linear(), Ok(()));
        let steep = growth([0.004, 0.400]).is_linear().unwrap_err();
        assert!(steep.contains("10.0 times"), "{steep}");
    }

    #[test]
    fn the_usual_round_is_neither_the_first_nor_the_last() {
        assert!((usual(&[4, 1, 2, 1, 2, 3]) - 1.5).abs() < 1e-9);
        assert!(usual(&[4, 3]).abs() < 1e-9);
    }
}
