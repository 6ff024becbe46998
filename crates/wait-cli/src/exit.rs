//! The exit codes: an interface, listed in docs/exit-codes.md. They never change meaning.

use poll_core::Outcome;

/// How a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Exit {
    /// The wanted end state was seen, for every resource.
    Reached = 0,
    /// The operation ended badly.
    Failed = 1,
    /// Arguments or configuration: nothing was sent, or nothing could be chosen.
    Usage = 2,
    /// The state could not be learnt.
    Unknown = 3,
    /// No resource of that name or id.
    NotFound = 4,
    /// Authentication or permission.
    Refused = 5,
    /// The service refused the change as such; nothing was changed.
    Rejected = 6,
    /// A bug of ours.
    Internal = 70,
    /// Still in progress when the deadline came.
    Deadline = 124,
}

impl Exit {
    /// Every code, in the order of the table in docs/exit-codes.md.
    pub const ALL: [Self; 9] = [
        Self::Reached,
        Self::Failed,
        Self::Usage,
        Self::Unknown,
        Self::NotFound,
        Self::Refused,
        Self::Rejected,
        Self::Internal,
        Self::Deadline,
    ];

    /// What the process exits with.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The name in documents and in JSON (`outcome`).
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reached => "reached",
            Self::Failed => "failed",
            Self::Usage => "usage",
            Self::Unknown => "unknown",
            Self::NotFound => "not found",
            Self::Refused => "refused",
            Self::Rejected => "rejected",
            Self::Internal => "internal",
            Self::Deadline => "deadline",
        }
    }

    /// The code of an end of the engine. `of_error` says what an error that ended the wait means.
    pub fn of_outcome<R, W, E>(outcome: &Outcome<R, W, E>, of_error: impl Fn(&E) -> Self) -> Self {
        match outcome {
            // With a quorum of any, what was left behind did not fail: another reached the goal.
            Outcome::Reached(..) | Outcome::Left(_) => Self::Reached,
            Outcome::Failed(..) => Self::Failed,
            // The last look failed: an outage, so nobody knows what became of it.
            Outcome::TimedOut(_, Some(_)) => Self::Unknown,
            Outcome::TimedOut(_, None) => Self::Deadline,
            Outcome::GaveUp(error, _) => of_error(error),
        }
    }

    /// The code for several resources: 0 only if all are 0, otherwise the first of 1, 6, 5, 3, 124, 4 that any has.
    #[must_use]
    pub fn of_all(exits: impl IntoIterator<Item = Self>) -> Self {
        exits
            .into_iter()
            .max_by_key(|exit| exit.weight())
            .unwrap_or(Self::Reached)
    }

    /// For `--any`: reached if one is; otherwise as for all.
    #[must_use]
    pub fn of_any(exits: &[Self]) -> Self {
        if exits.contains(&Self::Reached) {
            Self::Reached
        } else {
            Self::of_all(exits.iter().copied())
        }
    }

    const fn weight(self) -> u8 {
        match self {
            Self::Internal => 8,
            Self::Usage => 7,
            Self::Failed => 6,
            Self::Rejected => 5,
            Self::Refused => 4,
            Self::Unknown => 3,
            Self::Deadline => 2,
            Self::NotFound => 1,
            Self::Reached => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_in_the_documents_is_this_enum() {
        let page = include_str!("../../../docs/exit-codes.md");
        let rows: Vec<(String, String)> = page
            .lines()
            .filter_map(|line| {
                let mut cells = line
                    .strip_prefix('|')?
                    .split('|')
                    .map(|cell| cell.trim().trim_matches('`').to_owned());
                let code = cells.next()?;
                code.parse::<u8>().ok()?;
                Some((code, cells.next()?))
            })
            .collect();
        let ours: Vec<_> = Exit::ALL
            .iter()
            .map(|e| (e.code().to_string(), e.name().to_owned()))
            .collect();
        assert_eq!(rows, ours);
    }

    #[test]
    fn a_missing_name_never_hides_an_unknown_or_a_running_one() {
        use Exit::*;
        assert_eq!(
            Exit::of_all([NotFound, Deadline, Unknown, Reached]),
            Unknown
        );
        assert_eq!(Exit::of_all([NotFound, Deadline]), Deadline);
        assert_eq!(Exit::of_all([Unknown, Refused, Rejected, Failed]), Failed);
        assert_eq!(Exit::of_all([Unknown, Refused, Rejected]), Rejected);
        assert_eq!(Exit::of_all([Reached, NotFound]), NotFound);
        assert_eq!(Exit::of_all([]), Reached);
    }

    #[test]
    fn any_needs_only_one() {
        use Exit::*;
        assert_eq!(Exit::of_any(&[NotFound, Reached, Failed]), Reached);
        assert_eq!(Exit::of_any(&[NotFound, Failed]), Failed);
    }

    #[test]
    fn an_outage_at_the_deadline_is_unknown_and_an_answer_is_not() {
        let unknown: Outcome<(), (), &str> = Outcome::TimedOut(None, Some("503"));
        let running: Outcome<(), (), &str> = Outcome::TimedOut(None, None);
        assert_eq!(Exit::of_outcome(&unknown, |_| Exit::Refused), Exit::Unknown);
        assert_eq!(
            Exit::of_outcome(&running, |_| Exit::Refused),
            Exit::Deadline
        );
    }
}
