//! Whether a program has told the truth.

use cloud_tests::Ended;
use serde_json::Value;

use crate::case::{Case, Fact};
use crate::storm::{Fate, Log};

/// The judgement of one operation.
#[derive(Debug)]
pub enum Judgement {
    /// The verdict is the service's own state.
    Right,
    /// The program said that it does not know, and could not have known; with the reason.
    Unknown(&'static str),
    /// Anything else; with what it should have been.
    Wrong(String),
}

/// The first of these that any resource has is the exit code of several (docs/exit-codes.md).
const ORDER: [i32; 6] = [1, 6, 5, 3, 124, 4];

/// Compares what the program said with what the service says, for each resource and for all.
pub fn judge(case: &Case<'_>, ended: &Ended, facts: &[Fact], log: &Log) -> Judgement {
    let blind = matches!(ended.exit, 3 | 124)
        && ended.stdout.is_empty()
        && ["the deadline came", "not signed in at the deadline"]
            .iter()
            .any(|words| ended.stderr.contains(words));
    if facts.len() > 1 && blind {
        return Judgement::Unknown("the deadline came before all names could be looked up");
    }
    let exits = exits(ended, facts.len());
    let combined = ORDER.into_iter().find(|code| exits.contains(code));
    if facts.len() > 1 && ended.exit != combined.unwrap_or(0) {
        return Judgement::Wrong(format!("{exits:?} make no {}", ended.exit));
    }
    let mut whole = Judgement::Right;
    for (exit, fact) in exits.iter().zip(facts) {
        match one(case, *exit, fact, log, ended.stderr.contains("deadline")) {
            Judgement::Right => {}
            Judgement::Unknown(why) => whole = Judgement::Unknown(why),
            wrong @ Judgement::Wrong(_) => return wrong,
        }
    }
    whole
}

fn one(case: &Case<'_>, exit: i32, fact: &Fact, log: &Log, deadline: bool) -> Judgement {
    let lost = log
        .changes
        .iter()
        .filter(|fate| **fate == Fate::Lost)
        .count();
    let lost = lost >= case.sends;
    let refused = matches!(log.changes.last(), Some(Fate::Answered(400..500)));
    match (exit, fact) {
        (0, Fact::Reached) | (1, Fact::Failed) | (124, Fact::Running) | (4, Fact::Absent) => {
            Judgement::Right
        }
        (6, Fact::Untouched) if refused => Judgement::Right,
        (3, Fact::Untouched) if lost => Judgement::Unknown(
            "the request or its answer was lost, and the service shows no trace of it",
        ),
        (3, Fact::Reached | Fact::Failed | Fact::Running) if lost && !case.provable => {
            Judgement::Unknown("the answer was lost, and what is there may be of another request")
        }
        (3, Fact::Reached | Fact::Failed | Fact::Running) if lost && log.blind => {
            Judgement::Unknown("the answer was lost, and no look was answered for two minutes")
        }
        (3, Fact::Reached | Fact::Failed | Fact::Running | Fact::Untouched)
            if !log.saw && deadline =>
        {
            Judgement::Unknown("the deadline came during an outage")
        }
        _ => Judgement::Wrong(format!("exit {exit} where the service says {fact:?}")),
    }
}

/// The exit code of each resource: of its row where there are rows.
fn exits(ended: &Ended, count: usize) -> Vec<i32> {
    let rows = serde_json::from_str::<Vec<Value>>(&ended.stdout).unwrap_or_default();
    let exits: Vec<i32> = rows
        .iter()
        .filter_map(|row| i32::try_from(row["exit"].as_i64()?).ok())
        .collect();
    if count > 1 && exits.len() == count {
        exits
    } else {
        vec![ended.exit; count]
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::outages::Service;

    #[test]
    fn a_verdict_that_is_not_the_services_state_is_wrong() {
        let lost = Log {
            changes: vec![Fate::Lost],
            ..Log::default()
        };
        for (exit, fact, log) in [
            (0, Fact::Failed, Log::default()),
            (0, Fact::Running, Log::default()),
            (0, Fact::Untouched, lost.clone()),
            (1, Fact::Reached, Log::default()),
            (124, Fact::Reached, Log::default()),
            (4, Fact::Running, Log::default()),
            (5, Fact::Untouched, Log::default()),
            (6, Fact::Untouched, lost.clone()),
            // It could have known: there is proof, or nothing was lost.
            (3, Fact::Reached, lost.clone()),
            (3, Fact::Untouched, Log::default()),
        ] {
            let judgement = judge(&case(), &ended(exit, ""), &[fact], &log);
            assert!(
                matches!(judgement, Judgement::Wrong(_)),
                "{exit}: {judgement:?}"
            );
        }
        let judgement = judge(&case(), &ended(3, ""), &[Fact::Untouched], &lost);
        assert!(matches!(judgement, Judgement::Unknown(_)), "{judgement:?}");
    }

    #[test]
    fn a_missing_name_that_hides_one_that_goes_on_is_wrong() {
        let rows = r#"[{"exit": 124}, {"exit": 4}]"#;
        let facts = [Fact::Running, Fact::Absent];
        let right = judge(&case(), &ended(124, rows), &facts, &Log::default());
        assert!(matches!(right, Judgement::Right), "{right:?}");
        let hidden = judge(&case(), &ended(4, rows), &facts, &Log::default());
        assert!(matches!(hidden, Judgement::Wrong(_)), "{hidden:?}");
    }

    fn case() -> Case<'static> {
        Case {
            what: "",
            service: Service::Heat,
            line: Vec::new(),
            meanwhile: None,
            facts: Box::new(|_| Vec::new()),
            provable: true,
            sends: 1,
        }
    }

    fn ended(exit: i32, stdout: &str) -> Ended {
        Ended {
            shown: String::new(),
            exit,
            stdout: stdout.to_owned(),
            stderr: String::new(),
            took: Duration::ZERO,
        }
    }
}
