//! What is told of a run.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use cloud_tests::Ended;

use crate::case::Fact;
use crate::judge::Judgement;
use crate::outages::TOKEN;
use crate::storm::Log;

/// One operation.
pub struct Row {
    /// Its number.
    pub number: u64,
    /// In words.
    pub what: &'static str,
    /// Right, unknown or wrong.
    pub judgement: Judgement,
    /// What the service said.
    pub facts: Vec<Fact>,
    /// What the program said.
    pub ended: Ended,
    /// What was done to it.
    pub log: Log,
}

/// All of them.
pub struct Table {
    /// The seed.
    pub seed: u64,
    /// How many operations ran side by side.
    pub lanes: u64,
    /// How long the run took.
    pub took: Duration,
    /// Outages of Keystone, Heat and Manila.
    pub outages: [u64; 3],
    /// The operations.
    pub rows: Vec<Row>,
}

impl Row {
    /// One line; everything of what is wrong.
    pub fn told(&self, now: Duration) -> String {
        let Self { ended, log, .. } = self;
        let line = format!(
            "{:4}s  {:3}  {}: exit {} after {} s, {:?}, {:?}: {:?}",
            now.as_secs(),
            self.number,
            self.what,
            ended.exit,
            ended.took.as_secs(),
            self.facts,
            log.changes,
            self.judgement,
        );
        match &self.judgement {
            Judgement::Wrong(why) => format!(
                "{line}\n{why}: {}\n{log:?}\n{}{}",
                ended.shown, ended.stdout, ended.stderr
            ),
            _ => line,
        }
    }
}

impl Table {
    /// How many verdicts are wrong.
    pub fn wrong(&self) -> usize {
        let wrong = |row: &&Row| matches!(row.judgement, Judgement::Wrong(_));
        self.rows.iter().filter(wrong).count()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut kinds: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
        let mut faults: BTreeMap<&str, u64> = BTreeMap::new();
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for row in &self.rows {
            let place = match row.judgement {
                Judgement::Right => 1,
                Judgement::Unknown(why) => {
                    *reasons.entry(why).or_default() += 1;
                    2
                }
                Judgement::Wrong(_) => 3,
            };
            for kind in [row.what, "all"] {
                let counts = kinds.entry(kind).or_default();
                counts[0] += 1;
                counts[place] += 1;
            }
            for (fault, count) in &row.log.faults {
                *faults.entry(fault).or_default() += count;
            }
        }
        let all = kinds.remove("all").unwrap_or_default();
        writeln!(
            f,
            "| operation | run | right | unknown | wrong |\n| --- | ---: | ---: | ---: | ---: |"
        )?;
        for (kind, [run, right, unknown, wrong]) in kinds.into_iter().chain([("**all**", all)]) {
            writeln!(f, "| {kind} | {run} | {right} | {unknown} | {wrong} |")?;
        }
        writeln!(f)?;
        for (why, count) in reasons {
            writeln!(f, "- Unknown, {count}: {why}.")?;
        }
        let faults: Vec<String> = faults
            .iter()
            .map(|(what, count)| format!("{what} {count}"))
            .collect();
        writeln!(f, "- Faults: {}.", faults.join(", "))?;
        let signins: usize = self.rows.iter().map(|row| row.ended.count("signin")).sum();
        let retries: usize = self.rows.iter().map(|row| row.ended.count("retry")).sum();
        let [keystone, heat, manila] = self.outages;
        writeln!(
            f,
            "- Restarts, {}: Keystone {keystone}, Heat {heat}, Manila {manila}. Signed in {signins} times, retried {retries} times.",
            keystone + heat + manila
        )?;
        writeln!(
            f,
            "- Seed {}, {} at a time, tokens of {TOKEN} s, {} s.",
            self.seed,
            self.lanes,
            self.took.as_secs()
        )
    }
}
