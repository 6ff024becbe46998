//! One measured run, and medians.

use std::process::Command;

use serde_json::Value;

use crate::tools::{Failure, output};

/// What one command took.
#[derive(Clone, Copy)]
pub struct Cost {
    /// Seconds from start to end.
    pub wall: f64,
    /// Seconds of processor time, user and system.
    pub cpu: f64,
    /// Bytes resident at the most; never below the 4 MiB of a small shell.
    pub memory: f64,
}

/// Runs `program` with `arguments`; `prepare` sets the environment.
///
/// # Errors
/// When it ends with another exit code than `exit`.
pub fn run(
    program: &str,
    arguments: &[&str],
    exit: i64,
    prepare: &dyn Fn(&mut Command),
) -> Result<Cost, Failure> {
    let mut bash = Command::new("bash");
    prepare(&mut bash);
    let asked = "import sys; print(sys.executable)";
    let python = output(Command::new("python3").args(["-c", asked]))?;
    bash.args([
        "-c",
        include_str!("measure.sh"),
        "measure",
        python.trim(),
        program,
    ])
    .args(arguments);
    let text = output(&mut bash).map_err(|error| error.chars().take(200).collect::<String>())?;
    let run: Value =
        serde_json::from_str(&text).map_err(|e| format!("measure.sh printed no JSON: {e}"))?;
    if run.get("exit").and_then(Value::as_i64) != Some(exit) {
        let words: Vec<&str> = arguments.iter().take(6).copied().collect();
        return Err(format!("{program} {} …: {run}", words.join(" ")));
    }
    let of = |key: &str| run.get(key).and_then(Value::as_f64).unwrap_or_default();
    Ok(Cost {
        wall: of("wall"),
        cpu: of("cpu"),
        memory: of("memory"),
    })
}

/// Whether a goal was met, in the words of the tables.
pub fn met(good: bool) -> &'static str {
    if good { "met" } else { "**missed**" }
}

/// The value in the middle; of an even count, between the two in the middle.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = values.get(middle).copied().unwrap_or_default();
    let lower = if values.len() % 2 == 0 {
        values.get(middle.saturating_sub(1)).copied()
    } else {
        None
    };
    lower.map_or(upper, |lower| (lower + upper) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_of_an_even_count_lies_between_the_two_in_the_middle() {
        assert!((median(vec![4.0, 1.0, 3.0, 2.0]) - 2.5).abs() < 1e-9);
        assert!((median(vec![9.0, 1.0, 2.0]) - 2.0).abs() < 1e-9);
    }
}
