//! One operation: its command line, what others do meanwhile, and what the service itself says of it afterwards.

use std::time::Duration;

use cloud_tests::Ended;

use crate::dice::Dice;
use crate::outages::Service;
use crate::{shares, stacks};

/// What the service says of one resource after the program has ended, read by plain requests without the weather.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// It is as was asked for.
    Reached,
    /// It ended badly.
    Failed,
    /// It goes on.
    Running,
    /// There is no such thing, and nothing was changed.
    Absent,
    /// It stands as before: the change was not taken.
    Untouched,
    /// What must never be, such as two of one name.
    Never(String),
}

/// Reads what the service says, for each resource in the order of the command line.
pub type Facts<'u> = Box<dyn Fn(&Ended) -> Vec<Fact> + 'u>;

/// An operation.
pub struct Case<'u> {
    /// In words, for the table.
    pub what: &'static str,
    /// Whose it is.
    pub service: Service,
    /// What follows the program's name.
    pub line: Vec<String>,
    /// Runs while the program does.
    pub meanwhile: Option<Box<dyn FnOnce() + Send + 'u>>,
    /// What the service says afterwards.
    pub facts: Facts<'u>,
    /// Whether a change that was taken can be proved after its answer is lost. Manila's names are not unique, and a share
    /// that refuses to shrink is as it was.
    pub provable: bool,
    /// How often its change is sent when answers are lost: a stack's name is unique, so that its creation is sent again.
    pub sends: usize,
}

/// The deadline of a line that names none.
pub const DEADLINE: Duration = Duration::from_secs(6 * 60);

impl Case<'_> {
    /// When the program has to be over, from its start.
    pub fn deadline(&self) -> Duration {
        let mut from = self.line.iter().skip_while(|word| *word != "--deadline");
        let seconds = from.nth(1).and_then(|text| text.strip_suffix('s'));
        let seconds = seconds.and_then(|seconds| seconds.parse().ok());
        seconds.map_or(DEADLINE, Duration::from_secs)
    }
}

/// The kinds of operations; a run takes them in turns.
pub const KINDS: &[for<'u> fn(stacks::Users<'u>, &mut Dice) -> Case<'u>] = &[
    stacks::create,
    stacks::create_fails,
    stacks::create_rolls_back,
    stacks::update,
    stacks::update_fails,
    stacks::delete,
    stacks::suspend,
    stacks::check,
    stacks::wait,
    stacks::wait_deleted,
    stacks::several,
    stacks::several_go_on,
    shares::create,
    shares::create_fails,
    shares::extend,
    shares::shrink_refused,
    shares::delete,
    shares::delete_fails,
    shares::snapshot,
    shares::several,
];

/// The words of a command line.
pub fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}
