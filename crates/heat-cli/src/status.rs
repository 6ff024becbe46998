//! The words of a stack's status: `ACTION_STATUS`.
//!
//! Source: heat/engine/stack.py, `ACTIONS` and `STATUSES`.

use std::fmt;

/// What Heat does with a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Making it.
    Create,
    /// Removing it.
    Delete,
    /// Changing it to another definition.
    Update,
    /// Going back to the definition before, or removing what a failed create made.
    Rollback,
    /// Pausing its resources.
    Suspend,
    /// Ending the pause.
    Resume,
    /// Taking over existing resources.
    Adopt,
    /// Taking a snapshot.
    Snapshot,
    /// Looking whether the resources are there.
    Check,
    /// Going back to a snapshot.
    Restore,
}

impl Action {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Create,
        Self::Delete,
        Self::Update,
        Self::Rollback,
        Self::Suspend,
        Self::Resume,
        Self::Adopt,
        Self::Snapshot,
        Self::Check,
        Self::Restore,
    ];

    /// Heat's word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Create => "CREATE",
            Self::Delete => "DELETE",
            Self::Update => "UPDATE",
            Self::Rollback => "ROLLBACK",
            Self::Suspend => "SUSPEND",
            Self::Resume => "RESUME",
            Self::Adopt => "ADOPT",
            Self::Snapshot => "SNAPSHOT",
            Self::Check => "CHECK",
            Self::Restore => "RESTORE",
        }
    }

    /// Reads Heat's word, in any case.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|action| action.word().eq_ignore_ascii_case(word))
    }
}

/// How far an action is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Progress {
    /// It runs.
    InProgress,
    /// It ended well.
    Complete,
    /// It ended badly.
    Failed,
}

impl Progress {
    const ALL: [Self; 3] = [Self::InProgress, Self::Complete, Self::Failed];

    const fn word(self) -> &'static str {
        match self {
            Self::InProgress => "IN_PROGRESS",
            Self::Complete => "COMPLETE",
            Self::Failed => "FAILED",
        }
    }
}

/// A status as it was understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Status {
    /// `None`: an action that is in no table.
    pub action: Option<Action>,
    /// How far it is.
    pub progress: Progress,
}

impl Status {
    /// A status of a known action.
    #[must_use]
    pub const fn new(action: Action, progress: Progress) -> Self {
        Self {
            action: Some(action),
            progress,
        }
    }

    /// Reads `ACTION_STATUS` in any case. `None`: it ends in none of the three words.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_uppercase();
        Progress::ALL.into_iter().find_map(|progress| {
            let action = text.strip_suffix(progress.word())?.strip_suffix('_')?;
            Some(Self {
                action: Action::parse(action),
                progress,
            })
        })
    }

    /// Whether it is the first of a stack: nothing of the stack is older.
    #[must_use]
    pub fn begins_a_stack(self) -> bool {
        self.runs() && matches!(self.action, Some(Action::Create | Action::Adopt))
    }

    /// Whether the action still runs.
    #[must_use]
    pub fn runs(self) -> bool {
        self.progress == Progress::InProgress
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let action = self.action.map_or("?", Action::word);
        write!(f, "{action}_{}", self.progress.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_and_status_is_read_in_any_case() {
        for action in Action::ALL {
            for progress in Progress::ALL {
                let status = Status::new(action, progress);
                assert_eq!(Status::parse(&status.to_string()), Some(status));
                assert_eq!(
                    Status::parse(&status.to_string().to_lowercase()),
                    Some(status)
                );
            }
        }
    }

    #[test]
    fn an_unknown_action_is_still_known_to_have_ended() {
        assert_eq!(
            Status::parse("MOULT_FAILED"),
            Some(Status {
                action: None,
                progress: Progress::Failed
            })
        );
        assert_eq!(
            Status::parse("_COMPLETE"),
            Some(Status {
                action: None,
                progress: Progress::Complete
            })
        );
        for text in ["", "COMPLETE", "CREATE", "CREATE_DONE", "CREATE-COMPLETE"] {
            assert_eq!(Status::parse(text), None, "{text}");
        }
    }
}
