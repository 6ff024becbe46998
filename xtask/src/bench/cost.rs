//! Processor time, memory and wall time of a wait for what has ended already, beside the Python client.

use std::fmt::Write as _;
use std::process::Stdio;

use super::Peer;
use super::measure::{self, Cost, median};
use crate::tools::{self, Failure, output, say};

/// The goals, for both programs: shares of the Python client's processor time and memory, and seconds over the
/// servers' own time.
const CPU_GOAL: f64 = 1.0 / 100.0;
const MEMORY_GOAL: f64 = 1.0 / 8.0;
const WALL_GOAL: f64 = 0.020;

/// Ours and theirs, asked for the same thing.
struct Pair {
    ours: (String, Cost),
    theirs: (String, Cost),
    /// Seconds that the servers need for our requests.
    server: f64,
    /// Seconds that we need above that: the median of the differences, run by run.
    over: f64,
}

/// Measures on a stack and a share of its own.
///
/// # Errors
/// When they cannot be made, or a command fails.
pub fn section(programs: &tools::Programs, peer: &Peer, runs: usize) -> Result<String, Failure> {
    let name = format!("bench-{}", std::process::id());
    let template = tools::root().join("tests/cloud/templates/basic.yaml");
    let template = template.to_string_lossy();
    say("create a stack and a share");
    let made = peer
        .run(&["stack", "create", "--wait", "-t", &template, &name])
        .and_then(|()| peer.run(&["share", "create", "--wait", "--name", &name, "NFS", "1"]));
    let pairs = made.and_then(|()| pairs(programs, peer, &name, runs));
    // Whatever was measured: nothing of ours stays.
    let gone = peer.run(&["stack", "delete", "--yes", &name]);
    let gone = gone.and(peer.run(&["share", "delete", &name]));
    let pairs = pairs?;
    gone?;
    Ok(text(&pairs, runs))
}

fn pairs(
    programs: &tools::Programs,
    peer: &Peer,
    name: &str,
    runs: usize,
) -> Result<Vec<Pair>, Failure> {
    let heat = programs.heat_wait.to_string_lossy();
    let manila = programs.manila_wait.to_string_lossy();
    Ok(vec![
        pair(
            peer,
            &heat,
            &["stack", "wait", name],
            &["stack", "show", name],
            runs,
        )?,
        pair(
            peer,
            &manila,
            &["share", "wait", name, "--for", "available"],
            &["share", "show", name],
            runs,
        )?,
    ])
}

/// Runs both in turns, so that they meet the same load; the first turn, which fills caches, is not counted. The same
/// requests are sent bare before and after ours.
fn pair(
    peer: &Peer,
    program: &str,
    ours: &[&str],
    theirs: &[&str],
    runs: usize,
) -> Result<Pair, Failure> {
    let short = program.rsplit('/').next().unwrap_or(program);
    say(&format!("{short} {}: {runs} turns", ours.join(" ")));
    let urls = requests(peer, program, ours)?;
    let openstack = peer.openstack.to_string_lossy();
    let cost = |program: &str, words: &[&str]| {
        measure::run(program, words, 0, &|command| {
            command.envs(peer.variables.iter().map(|(name, value)| (name, value)));
        })
    };
    let (mut us, mut them, mut server, mut over) = (vec![], vec![], vec![], vec![]);
    for turn in 0..=runs {
        let before = bare(peer, &urls)?;
        let one = cost(program, ours)?;
        let bare = (before + bare(peer, &urls)?) / 2.0;
        let other = cost(&openstack, theirs)?;
        if turn > 0 {
            us.push(one);
            them.push(other);
            server.push(bare);
            over.push(one.wall - bare);
        }
    }
    Ok(Pair {
        ours: (format!("{short} {}", ours.join(" ")), middle(&us)),
        theirs: (format!("openstack {}", theirs.join(" ")), middle(&them)),
        server: median(server),
        over: median(over),
    })
}

/// Medians, and the least processor time.
fn middle(runs: &[Cost]) -> Cost {
    let of = |field: fn(&Cost) -> f64| median(runs.iter().map(field).collect());
    Cost {
        wall: of(|cost| cost.wall),
        cpu: runs.iter().map(|cost| cost.cpu).fold(f64::MAX, f64::min),
        memory: of(|cost| cost.memory),
    }
}

/// The URLs that the program asks for after signing in, by its own log.
fn requests(peer: &Peer, program: &str, arguments: &[&str]) -> Result<Vec<String>, Failure> {
    let mut verbose = peer.command(program);
    let told = verbose
        .arg("-v")
        .args(arguments)
        .stdin(Stdio::null())
        .output();
    let told = told.map_err(|e| format!("cannot start {program}: {e}"))?;
    let text = String::from_utf8_lossy(&told.stderr);
    let urls = urls(&text);
    if urls.is_empty() {
        return Err(format!("{program} -v names no request:\n{text}"));
    }
    Ok(urls)
}

/// What was asked for, from lines such as `debug: GET http://h/v1/p/stacks/m 302 397 bytes 30 ms req-…`.
fn urls(log: &str) -> Vec<String> {
    let words = log
        .lines()
        .filter_map(|line| line.strip_prefix("debug: GET "));
    words
        .filter_map(|rest| rest.split(' ').next())
        .map(str::to_owned)
        .collect()
}

/// Seconds for signing in and these requests, sent bare on kept connections.
fn bare(peer: &Peer, urls: &[String]) -> Result<f64, Failure> {
    let mut python = peer.command("python3");
    python.args(["-c", include_str!("replay.py")]);
    python.args([
        peer.variable("TESTCLOUD_AUTH_URL"),
        peer.variable("TESTCLOUD_PASSWORD"),
        "1",
    ]);
    let times = output(python.args(urls))?;
    let times: Vec<f64> =
        serde_json::from_str(&times).map_err(|e| format!("replay.py printed no list: {e}"))?;
    Ok(median(times))
}

fn text(pairs: &[Pair], runs: usize) -> String {
    let mut text = format!(
        "## The cost of a wait\n\nA finished stack and an available share, medians of {runs} runs in turns after one that \
         is not counted; of the processor time the least, for both: what else the machine does only adds to it. Memory is the resident maximum, never measured below 4 MiB. \"Server\" is what a bare HTTP \
         client needs for the same sign-in and the same requests, before and after each run of ours.\n\n\
         | command | CPU | memory | wall | server |\n| --- | ---: | ---: | ---: | ---: |\n",
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
        let mut goal = |what: &str, limit: String, measured: String, met: bool| {
            let met = measure::met(met);
            let _ = writeln!(text, "| {program}: {what} | {limit} | {measured} | {met} |");
        };
        let shares = [
            ("CPU of the Python client", CPU_GOAL, ours.cpu / theirs.cpu),
            (
                "memory of the Python client",
                MEMORY_GOAL,
                ours.memory / theirs.memory,
            ),
        ];
        for (what, limit, measured) in shares {
            let shown = |share: f64| format!("1/{:.1}", 1.0 / share);
            goal(what, shown(limit), shown(measured), measured <= limit);
        }
        let shown = |seconds: f64| format!("{:.1} ms", seconds * 1e3);
        let what = "wall over the server's own time";
        goal(
            what,
            shown(WALL_GOAL),
            shown(pair.over),
            pair.over <= WALL_GOAL,
        );
    }
    text
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

#[cfg(test)]
mod tests {
    use super::urls;

    #[test]
    fn the_requests_are_read_from_the_log_of_the_program() {
        let log = "debug: signing in at http://h:1/v3\n\
            debug: POST http://h:1/v3/auth/tokens 201 3000 bytes 90 ms req-1\n\
            debug: GET http://h:2/v1/p/stacks/m?resolve_outputs=False 302 397 bytes 930 ms req-2\n\
            note: GET out\n";
        assert_eq!(
            urls(log),
            ["http://h:2/v1/p/stacks/m?resolve_outputs=False"]
        );
    }
}
