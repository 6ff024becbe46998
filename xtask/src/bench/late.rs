//! How late the end of an operation is seen, beside the Python client. late.py does the runs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::Peer;
use super::measure::{median, met};
use crate::tools::{Failure, Programs, output, say};

/// What is measured: service, seconds of the operation, the most seconds that we may be late.
const KINDS: [(&str, u64, f64); 3] = [("heat", 4, 0.6), ("heat", 13, 1.0), ("manila", 4, 0.6)];

/// Runs everything `runs` times.
///
/// # Errors
/// When the runs cannot be made.
pub fn section(programs: &Programs, peer: &Peer, runs: usize) -> Result<String, Failure> {
    say(&format!(
        "{runs} runs of each operation, ours and the client's in turns; about {} minutes",
        runs * 2 + 2
    ));
    let folder = std::env::temp_dir();
    let config = json!({
        "heat_wait": programs.heat_wait, "manila_wait": programs.manila_wait, "openstack": peer.openstack,
        "auth_url": peer.variable("TESTCLOUD_AUTH_URL"), "password": peer.variable("TESTCLOUD_PASSWORD"),
        "runs": runs, "prefix": format!("late-{}", std::process::id()), "folder": folder,
    });
    let mut python = peer.command("python3");
    python.args(["-c", include_str!("late.py"), &config.to_string()]);
    let samples: Vec<Value> = serde_json::from_str(&output(&mut python)?)
        .map_err(|e| format!("late.py printed no list: {e}"))?;
    Ok(text(&samples))
}

/// The seconds under `key` of the samples of one kind.
fn of(samples: &[Value], (service, seconds): (&str, u64), who: &str, key: &str) -> Vec<f64> {
    let meant = |sample: &&Value| {
        let is = |key: &str, value: Value| sample.get(key) == Some(&value);
        is("service", json!(service)) && is("seconds", json!(seconds)) && is("who", json!(who))
    };
    samples
        .iter()
        .filter(meant)
        .filter_map(|sample| sample.get(key)?.as_f64())
        .collect()
}

fn text(samples: &[Value]) -> String {
    let mut text = "## How late an end is seen\n\nSeconds between an operation's end, as an observer sees it who looks \
        every 50 ms by bare requests, and the end of the program: `heat-wait stack wait` and `manila-wait share wait`, \
        started right after the request, and the Python client's `stack create --wait` and `share create --wait` \
        (it cannot wait without creating). In turns on the same cloud; a stack's time is spread by half a second either \
        way, a share's driver takes what it takes. Medians, and in brackets the quarter that is earliest and latest.\n\n\
        | operation | runs | ours | the client | goal | |\n| --- | ---: | ---: | ---: | ---: | --- |\n"
        .to_owned();
    for (service, seconds, most) in KINDS {
        let of = |who: &str| of(samples, (service, seconds), who, "late");
        let (ours, theirs) = (of("ours"), of("client"));
        if ours.is_empty() || theirs.is_empty() {
            continue;
        }
        let limit = most.min(median(theirs.clone()) / 2.0);
        let met = met(median(ours.clone()) <= limit);
        let what = if service == "heat" { "stack" } else { "share" };
        let _ = writeln!(
            text,
            "| {what}, {seconds} s | {} | {} | {} | {limit:.2} | {met} |",
            ours.len().min(theirs.len()),
            spread(ours),
            spread(theirs)
        );
    }
    text.push_str(&creates(samples));
    let gaps = samples
        .iter()
        .filter_map(|sample| sample.get("gap")?.as_f64())
        .collect();
    let _ = writeln!(
        text,
        "\nThe goal is half of the client's, and at most 0.6 s (4 s) and 1.0 s (13 s). The observer's last two looks were \
         {:.2} s apart (median).",
        median(gaps)
    );
    text
}

/// The most of the client's wall time that a create of ours may take.
const SHARE_OF_WALL: f64 = 0.6;

/// Whole creates: service, what the table calls them, the key of their seconds in the samples.
const WALLS: [(&str, &str, &str); 4] = [
    ("heat", "`stack create`, 4 s, observed", "wall"),
    ("manila", "`share create`, 4 s, observed", "wall"),
    ("heat", "`stack create`, 1.5 to 6.5 s", "spread"),
    ("manila", "`share create`, 1.5 to 6.5 s", "spread"),
];

/// `stack create` and `share create`: how late, and from the start of the program to its end.
fn creates(samples: &[Value]) -> String {
    let mut text = "\n`stack create` and `share create` of ours, how late the end of 4 s is seen as above:\n\n\
        | operation | runs | late | goal | |\n| --- | ---: | ---: | ---: | --- |\n"
        .to_owned();
    for (service, seconds, most) in KINDS {
        let late = of(samples, (service, seconds), "create", "late");
        if late.is_empty() {
            continue;
        }
        let what = if service == "heat" { "stack" } else { "share" };
        let _ = writeln!(
            text,
            "| `{what} create` | {} | {} | {most:.2} | {} |",
            late.len(),
            spread(late.clone()),
            met(median(late) <= most),
        );
    }
    text.push_str(
        "\nThe mean seconds of the whole command beside the client's. First those of the runs above. Then one command at a \
        time with nobody who observes, in turns; how much the client loses depends on where the end falls between two of \
        its looks, which are 5 s apart, so these times are spread evenly over 5 s, the same for both.\n\n\
        | operation | runs | ours | the client | ratio | goal | |\n| --- | ---: | ---: | ---: | ---: | ---: | --- |\n",
    );
    for (service, what, key) in WALLS {
        let of = |who: &str| of(samples, (service, 4), who, key);
        let (ours, theirs) = (of("create"), of("client"));
        if ours.is_empty() || theirs.is_empty() {
            continue;
        }
        let ratio = mean(&ours) / mean(&theirs);
        let _ = writeln!(
            text,
            "| {what} | {} | {:.1} s | {:.1} s | {:.0} % | {:.0} % | {} |",
            ours.len().min(theirs.len()),
            mean(&ours),
            mean(&theirs),
            ratio * 100.0,
            SHARE_OF_WALL * 100.0,
            met(ratio <= SHARE_OF_WALL),
        );
    }
    text
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// `0.41 (0.20–0.55)`.
fn spread(mut values: Vec<f64>) -> String {
    values.sort_by(f64::total_cmp);
    let at = |share: usize| {
        let last = values.len().saturating_sub(1);
        values.get(last * share / 4).copied().unwrap_or_default()
    };
    format!("{:.2} ({:.2}–{:.2})", median(values.clone()), at(1), at(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_missed_where_half_of_the_clients_is_less() {
        let sample = |who: &str, late: f64| json!({"service": "heat", "seconds": 4, "who": who, "late": late, "gap": 0.06});
        let met = [sample("ours", 0.5), sample("client", 1.2)];
        let missed = [sample("ours", 0.5), sample("client", 0.8)];
        assert!(
            text(&met)
                .contains("| stack, 4 s | 1 | 0.50 (0.50–0.50) | 1.20 (1.20–1.20) | 0.60 | met |")
        );
        assert!(text(&missed).contains("**missed**"));
    }

    #[test]
    fn a_create_of_ours_is_measured_against_the_clients_wall_time() {
        let sample = |who: &str, took: f64| json!({"service": "manila", "seconds": 4, "who": who, "spread": took});
        let table = text(&[sample("create", 5.0), sample("client", 10.0)]);
        assert!(
            table.contains(
                "| `share create`, 1.5 to 6.5 s | 1 | 5.0 s | 10.0 s | 50 % | 60 % | met |"
            ),
            "{table}"
        );
        let table = text(&[sample("create", 7.0), sample("client", 10.0)]);
        assert!(table.contains("| 70 % | 60 % | **missed** |"), "{table}");
        let late = json!({"service": "heat", "seconds": 4, "who": "create", "late": 0.4});
        let table = text(&[late]);
        assert!(
            table.contains("| `stack create` | 1 | 0.40 (0.40–0.40) | 0.60 | met |"),
            "{table}"
        );
    }
}
