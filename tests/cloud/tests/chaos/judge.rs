//! Whether a program has told the truth.

use std::time::Duration;

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
pub const ORDER: [i32; 6] = [1, 6, 5, 3, 124, 4];

/// So long a lost change is looked into (two minutes, less what measuring from outside costs) before it is given up.
const LOOKED_INTO: Duration = Duration::from_secs(115);

/// Compares what the program said with what the service says, for each resource and for all.
pub fn judge(case: &Case<'_>, ended: &Ended, facts: &[Fact], log: &Log) -> Judgement {
    let at_deadline = ended.took + Duration::from_millis(500) >= case.deadline();
    if facts.len() > 1 && ended.stdout.is_empty() && at_deadline && names_are_unknown(ended, log) {
        return Judgement::Unknown("the deadline came before all names could be looked up");
    }
    let Some(exits) = exits(ended, facts.len()) else {
        return Judgement::Wrong("there is no row for each resource".to_owned());
    };
    if facts.len() > 1 && ended.exit != combined(&exits) {
        return Judgement::Wrong(format!("{exits:?} make no {}", ended.exit));
    }
    let mut whole = Judgement::Right;
    for (exit, fact) in exits.iter().zip(facts) {
        match one(case, *exit, fact, log, at_deadline) {
            Judgement::Right => {}
            Judgement::Unknown(why) => whole = Judgement::Unknown(why),
            wrong @ Judgement::Wrong(_) => return wrong,
        }
    }
    whole
}

/// The exit code of several.
pub fn combined(exits: &[i32]) -> i32 {
    let first = ORDER.into_iter().find(|code| exits.contains(code));
    first.unwrap_or(0)
}

/// Whether nobody could have looked all names up: 3 where the last look failed, 124 where something was in the way of the
/// looks before it.
fn names_are_unknown(ended: &Ended, log: &Log) -> bool {
    let said = ["the deadline came", "not signed in at the deadline"]
        .iter()
        .any(|words| ended.stderr.contains(words));
    said && match ended.exit {
        3 => log.last == Some(Fate::Lost),
        124 => !log.faults.is_empty() || log.outage,
        _ => false,
    }
}

fn one(case: &Case<'_>, exit: i32, fact: &Fact, log: &Log, at_deadline: bool) -> Judgement {
    let losses = log.changes.iter().filter(|fate| is_lost(**fate)).count();
    let lost = losses >= case.sends;
    // What has not been seen to be absent is not sent again.
    let blind = losses > 0 && log.blind;
    let looked_into = at_deadline || log.since_change >= LOOKED_INTO;
    let refused = matches!(
        log.changes.last(),
        Some(Fate::Answered(400 | 403 | 409 | 413 | 422))
    );
    match (exit, fact) {
        (0, Fact::Reached) | (1, Fact::Failed) | (124, Fact::Running) | (4, Fact::Absent) => {
            Judgement::Right
        }
        (6, Fact::Untouched) if refused => Judgement::Right,
        (3, Fact::Untouched) if lost && (looked_into || !case.provable) => Judgement::Unknown(
            "the request or its answer was lost, and the service shows no trace of it",
        ),
        (3, Fact::Reached | Fact::Failed | Fact::Running) if lost && !case.provable => {
            Judgement::Unknown("the answer was lost, and what is there may be of another request")
        }
        (3, Fact::Reached | Fact::Failed | Fact::Running | Fact::Untouched)
            if blind && looked_into =>
        {
            Judgement::Unknown("the answer was lost, and no look was answered for two minutes")
        }
        (3, Fact::Reached | Fact::Failed | Fact::Running | Fact::Untouched)
            if at_deadline && log.last == Some(Fate::Lost) =>
        {
            Judgement::Unknown("the deadline came during an outage")
        }
        _ => Judgement::Wrong(format!("exit {exit} where the service says {fact:?}")),
    }
}

/// Whether the program cannot know what became of a change; a service in trouble may have taken it as well.
fn is_lost(fate: Fate) -> bool {
    matches!(fate, Fate::Lost | Fate::Answered(408 | 500..))
}

/// The exit code of each resource: of its row where there are several. `None`: they have no row each.
pub fn exits(ended: &Ended, count: usize) -> Option<Vec<i32>> {
    if count == 1 {
        return Some(vec![ended.exit]);
    }
    let rows = serde_json::from_str::<Vec<Value>>(&ended.stdout).unwrap_or_default();
    let exits: Vec<i32> = rows
        .iter()
        .filter_map(|row| i32::try_from(row["exit"].as_i64()?).ok())
        .collect();
    (exits.len() == count).then_some(exits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outages::Service;

    #[test]
    fn a_verdict_that_is_not_the_services_state_is_wrong() {
        let lost = Log {
            changes: vec![Fate::Lost],
            since_change: LOOKED_INTO,
            ..Log::default()
        };
        let early = Log {
            since_change: Duration::from_secs(20),
            ..lost.clone()
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
            // It could have known: there is proof, or nothing was lost, or it has not looked for two minutes.
            (3, Fact::Reached, lost.clone()),
            (3, Fact::Untouched, Log::default()),
            (3, Fact::Untouched, early),
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
    fn who_may_send_twice_sends_once_where_no_look_is_answered() {
        let case = Case { sends: 2, ..case() };
        let saw = Log {
            changes: vec![Fate::Answered(500)],
            since_change: LOOKED_INTO,
            ..Log::default()
        };
        let blind = Log {
            blind: true,
            ..saw.clone()
        };
        let judged = |log: &Log| judge(&case, &ended(3, ""), &[Fact::Untouched], log);
        assert!(matches!(judged(&saw), Judgement::Wrong(_)));
        assert!(matches!(judged(&blind), Judgement::Unknown(_)));
    }

    #[test]
    fn an_outage_excuses_nothing_before_the_deadline() {
        let log = Log {
            last: Some(Fate::Lost),
            ..Log::default()
        };
        let mut ended = ended(3, "");
        let judged = |ended: &Ended| judge(&case(), ended, &[Fact::Running], &log);
        assert!(matches!(judged(&ended), Judgement::Wrong(_)));
        ended.took = case().deadline();
        assert!(matches!(judged(&ended), Judgement::Unknown(_)));
    }

    #[test]
    fn several_without_a_row_each_are_wrong_but_where_nothing_could_be_looked_up() {
        let facts = [Fact::Running, Fact::Absent];
        let log = Log {
            last: Some(Fate::Lost),
            ..Log::default()
        };
        let mut ended = ended(3, "");
        ended.stderr = "heat-wait: looking up 2 stacks: the deadline came".to_owned();
        let early = judge(&case(), &ended, &facts, &log);
        assert!(matches!(early, Judgement::Wrong(_)), "{early:?}");
        ended.took = case().deadline();
        let blind = judge(&case(), &ended, &facts, &log);
        assert!(matches!(blind, Judgement::Unknown(_)), "{blind:?}");
        let saw = judge(&case(), &ended, &facts, &Log::default());
        assert!(matches!(saw, Judgement::Wrong(_)), "{saw:?}");
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
