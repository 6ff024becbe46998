//! The page that the benchmark writes.

use std::fmt::Write as _;

use super::{Cost, Pair};
use crate::tools::{self, Failure};

/// The goals, for both programs: shares of the Python client's processor time and memory, and seconds over the
/// servers' own time.
const CPU_GOAL: f64 = 1.0 / 100.0;
const MEMORY_GOAL: f64 = 1.0 / 8.0;
const WALL_GOAL: f64 = 0.020;

/// The whole page, in Markdown.
///
/// # Errors
/// When it cannot be learnt what the machine and the compiler are.
pub fn page(pairs: &[Pair], runs: usize) -> Result<String, Failure> {
    let rustc = tools::output(std::process::Command::new("rustc").arg("--version"))?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut text = format!(
        "# Benchmarks\n\nWritten by `cargo xtask bench --runs {runs}` against the test cloud of `cargo xtask cloud up` \
         on {cores} cores, {}; the programs as shipped (profile `dist`), the Python clients of the test cloud \
         (tests/cloud/scripts/up.sh names the versions). A finished stack and an available share, medians of {runs} runs \
         after one that is not counted. Memory is the resident maximum, never measured below 4 MiB. \"Server\" is what \
         a bare HTTP client needs for the same sign-in and the same requests.\n\n\
         | command | CPU | memory | wall | server |\n| --- | ---: | ---: | ---: | ---: |\n",
        rustc.trim(),
    );
    for pair in pairs {
        row(&mut text, &pair.ours, Some(pair.server));
        row(&mut text, &pair.theirs, None);
    }
    text.push_str("\n| goal | limit | measured | |\n| --- | ---: | ---: | --- |\n");
    for pair in pairs {
        let (name, ours) = &pair.ours;
        let theirs = &pair.theirs.1;
        let program = name.split(' ').next().unwrap_or_default();
        let share = |what: &str, limit: f64, measured: f64| {
            let shown = (
                format!("1/{:.0}", 1.0 / limit),
                format!("1/{:.0}", 1.0 / measured),
            );
            (
                format!("{program}: {what} of the Python client"),
                shown.0,
                shown.1,
                measured <= limit,
            )
        };
        let over = ours.wall - pair.server;
        let goals = [
            share("CPU", CPU_GOAL, ours.cpu / theirs.cpu),
            share("memory", MEMORY_GOAL, ours.memory / theirs.memory),
            (
                format!("{program}: wall over the server's own time"),
                format!("{:.0} ms", WALL_GOAL * 1e3),
                format!("{:.1} ms", over * 1e3),
                over <= WALL_GOAL,
            ),
        ];
        for (what, limit, measured, met) in goals {
            let _ = writeln!(
                text,
                "| {what} | {limit} | {measured} | {} |",
                if met { "met" } else { "**missed**" }
            );
        }
    }
    Ok(text)
}

fn row(text: &mut String, (command, cost): &(String, Cost), server: Option<f64>) {
    // The name of the stack or share changes with each run.
    let words = command.split(' ').map(|word| {
        if word.starts_with("bench-") {
            "NAME"
        } else {
            word
        }
    });
    let server = server.map_or_else(String::new, |seconds| format!("{:.1} ms", seconds * 1e3));
    let _ = writeln!(
        text,
        "| `{}` | {:.1} ms | {:.1} MiB | {:.1} ms | {server} |",
        words.collect::<Vec<_>>().join(" "),
        cost.cpu * 1e3,
        cost.memory / f64::from(1 << 20),
        cost.wall * 1e3,
    );
}
