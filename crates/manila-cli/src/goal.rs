//! What a wait is for, and the verdict on what was seen: pure.

use std::time::Duration;

use poll_core::{Attempt, Judge, Lasting, Observation, Verdict};
use serde_json::Value;

use crate::client::{Body, Seen};
use crate::kind::Kind;
use crate::words::{Field, Meaning};

/// One thing that may be waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Want {
    /// That it does not exist any more.
    Gone,
    /// That a field has a value, compared in lower case.
    Field {
        /// The field's key.
        name: String,
        /// The value, as it was asked for.
        word: String,
    },
}

/// The goal of a wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goal {
    /// Of what kind.
    pub kind: &'static Kind,
    /// Any of these.
    pub wants: Vec<Want>,
    /// What must hold as well once one of them is seen: field and value.
    pub and: Vec<(String, String)>,
    /// How long it may be missing at first.
    pub appear: Appear,
    /// How long an error must last.
    pub tolerate: Duration,
}

/// What it means that a resource was never there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appear {
    /// It is not found.
    Now,
    /// It is waited for so long; `None`: until the deadline.
    Within(Option<Duration>),
}

/// Why a verdict is what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// What was waited for was seen.
    Seen,
    /// It was there and does not exist any more.
    Vanished,
    /// It was never there.
    NeverThere,
    /// A field says that it ended badly.
    Bad {
        /// The field.
        field: String,
        /// What it says, as the service wrote it.
        word: String,
    },
    /// The end was reached, but this does not hold.
    Unmet {
        /// The field.
        field: String,
        /// What was asked for.
        wanted: String,
        /// What it is.
        is: String,
    },
}

impl Goal {
    /// Reads `--for` and `--and`. No `--for`: the default of the kind.
    ///
    /// # Errors
    /// A word that the kind's table does not have, and an `--and` without `=`.
    pub fn read(kind: &'static Kind, for_words: &[String], and: &[String]) -> Result<Self, String> {
        let field = |word: &str| Want::Field {
            name: kind.field.name.to_owned(),
            word: word.to_owned(),
        };
        let mut wants = Vec::new();
        for word in for_words {
            wants.push(match word.split_once('=') {
                Some((name, word)) => {
                    let (name, word) = pair(name, word)
                        .ok_or_else(|| format!("--for {name}={word}: write FIELD=WORD"))?;
                    Want::Field { name, word }
                }
                None if word.eq_ignore_ascii_case("deleted") => Want::Gone,
                None if kind.field.meaning(word) == Meaning::Unknown || word.is_empty() => {
                    return Err(unknown_word(kind, word));
                }
                None => field(word),
            });
        }
        if wants.is_empty() {
            wants.extend(kind.default.iter().map(|word| field(word)));
        }
        let and = and
            .iter()
            .map(|text| {
                let split = text
                    .split_once('=')
                    .and_then(|(name, value)| pair(name, value));
                split.ok_or_else(|| format!("--and {text}: write FIELD=VALUE"))
            })
            .collect::<Result<_, _>>()?;
        Ok(Self {
            kind,
            wants,
            and,
            appear: Appear::Now,
            tolerate: Duration::ZERO,
        })
    }

    /// Whether absence is what is waited for.
    #[must_use]
    pub fn wants_gone(&self) -> bool {
        self.wants.contains(&Want::Gone)
    }

    /// What is waited for, for messages: `available`, `replica_state=in_sync or error`.
    #[must_use]
    pub fn shown(&self) -> String {
        let shown: Vec<_> = self.for_words().into_iter().collect();
        shown.join(" or ")
    }

    /// What `--for` would be given to get this goal.
    #[must_use]
    pub fn for_words(&self) -> Vec<String> {
        // Alone, a word is one of the table's.
        let is_known = |word: &str| {
            let other = word.contains('=') || word.eq_ignore_ascii_case("deleted");
            !other && self.kind.field.meaning(word) != Meaning::Unknown
        };
        let word = |want: &Want| match want {
            Want::Gone => "deleted".to_owned(),
            Want::Field { name, word } if name == self.kind.field.name && is_known(word) => {
                word.clone()
            }
            Want::Field { name, word } => format!("{name}={word}"),
        };
        self.wants.iter().map(word).collect()
    }

    /// Every field that the goal names, the kind's own first.
    #[must_use]
    pub fn fields(&self) -> Vec<&str> {
        let mut fields = vec![self.kind.field.name];
        let wanted = self.wants.iter().filter_map(|want| match want {
            Want::Field { name, .. } => Some(name.as_str()),
            Want::Gone => None,
        });
        for name in wanted.chain(self.and.iter().map(|(name, _)| name.as_str())) {
            if !fields.contains(&name) {
                fields.push(name);
            }
        }
        fields
    }

    /// The fields with words that the goal looks at, the kind's own first.
    fn words(&self) -> impl Iterator<Item = &'static Field> + '_ {
        self.fields()
            .into_iter()
            .filter_map(|name| self.kind.field_named(name))
    }

    /// Words of this resource that no table has, with their fields.
    #[must_use]
    pub fn unknown_words(&self, body: &Body) -> Vec<(&'static str, String)> {
        let unknown = |field: &'static Field| {
            let word = word_of(body, field.name)?;
            (field.meaning(&word) == Meaning::Unknown).then_some((field.name, word))
        };
        self.words().filter_map(unknown).collect()
    }

    /// Whether something runs, as far as the goal's fields say.
    #[must_use]
    pub fn runs(&self, body: &Body) -> bool {
        self.words().any(|field| {
            word_of(body, field.name).is_some_and(|word| {
                matches!(field.meaning(&word), Meaning::Pending | Meaning::Unknown)
            })
        })
    }

    /// The verdict on a resource that is there.
    fn judge_present(&self, body: &Body) -> Verdict<Why> {
        let pending = Verdict::Pending { again: None };
        let is_gone = word_of(body, self.kind.field.name)
            .is_some_and(|word| self.kind.field.meaning(&word) == Meaning::Gone);
        let reached = |want: &Want| match want {
            Want::Gone => is_gone,
            Want::Field { name, word } => body.get(name).is_some_and(|value| same(value, word)),
        };
        if self.wants.iter().any(reached) {
            return self.judge_and(body);
        }
        if is_gone {
            return Verdict::Failed(Why::Vanished);
        }
        for field in self.words() {
            let Some(word) = word_of(body, field.name) else {
                continue;
            };
            if field.meaning(&word) == Meaning::Failed {
                return Verdict::Failed(Why::Bad {
                    field: field.name.to_owned(),
                    word,
                });
            }
        }
        pending
    }

    /// What must hold as well. What is still on its way is waited for.
    fn judge_and(&self, body: &Body) -> Verdict<Why> {
        for (name, wanted) in &self.and {
            let value = body.get(name).unwrap_or(&Value::Null);
            if same(value, wanted) {
                continue;
            }
            let is = if value.is_null() {
                "none".to_owned()
            } else {
                text_of(value)
            };
            let on_its_way = self
                .kind
                .field_named(name)
                .is_some_and(|field| field.meaning(&is) == Meaning::Pending);
            if on_its_way {
                return Verdict::Pending { again: None };
            }
            return Verdict::Failed(Why::Unmet {
                field: name.clone(),
                wanted: wanted.clone(),
                is,
            });
        }
        Verdict::Reached(Why::Seen)
    }
}

fn pair(name: &str, value: &str) -> Option<(String, String)> {
    (!name.trim().is_empty()).then(|| (name.trim().to_owned(), value.trim().to_owned()))
}

fn unknown_word(kind: &Kind, word: &str) -> String {
    let (field, rest) = (kind.field.name, kind.field.rest.join(", "));
    let noun = kind.noun;
    let is_there = |field: &&&Field| field.meaning(word) != Meaning::Unknown;
    if let Some(Field { name, .. }) = kind.others.iter().find(is_there) {
        return format!(
            "--for {word}: it is no {field} of a {noun}, but a {name}: write --for {name}={word}"
        );
    }
    format!(
        "--for {word}: no {field} of a {noun}: write deleted, {rest} or another of its words; any word at all: --for {field}=WORD"
    )
}

/// The word in a field as the service wrote it; `None` while it has none.
#[must_use]
pub fn word_of(body: &Body, field: &str) -> Option<String> {
    match body.get(field)? {
        Value::Null => None,
        value => Some(text_of(value)),
    }
}

fn text_of(value: &Value) -> String {
    wait_cli::output::python_text(value)
}

/// Compares what was asked for with a value: in lower case; `none` and `null` are no value.
fn same(value: &Value, wanted: &str) -> bool {
    let wanted = wanted.to_lowercase();
    match value {
        Value::Null => matches!(wanted.as_str(), "none" | "null" | ""),
        value => text_of(value).to_lowercase() == wanted,
    }
}

/// Judges one resource: was it ever there, what does it say, does an error last.
pub struct GoalJudge {
    goal: Goal,
    present: Lasting<Present>,
    was_there: bool,
}

struct Present(Goal);

impl Judge<Seen> for Present {
    type Why = Why;

    fn judge(&mut self, seen: &Observation<Seen>, _: &Attempt) -> Verdict<Why> {
        match seen {
            Observation::Present(body) => self.0.judge_present(body),
            Observation::Gone => Verdict::Failed(Why::Vanished),
        }
    }
}

impl GoalJudge {
    /// The judge of one resource.
    #[must_use]
    pub fn new(goal: &Goal) -> Self {
        Self {
            goal: goal.clone(),
            present: Lasting::new(Present(goal.clone()), goal.tolerate),
            was_there: false,
        }
    }

    /// The judge of one that is known to exist.
    #[must_use]
    pub fn of_known(goal: &Goal) -> Self {
        Self {
            was_there: true,
            ..Self::new(goal)
        }
    }
}

impl Judge<Seen> for GoalJudge {
    type Why = Why;

    fn judge(&mut self, seen: &Observation<Seen>, at: &Attempt) -> Verdict<Why> {
        if matches!(seen, Observation::Present(_)) {
            self.was_there = true;
            return self.present.judge(seen, at);
        }
        match self.goal.appear {
            _ if self.goal.wants_gone() && self.was_there => Verdict::Reached(Why::Vanished),
            _ if self.was_there => Verdict::Failed(Why::Vanished),
            Appear::Within(None) => Verdict::Pending { again: None },
            Appear::Within(Some(limit)) if at.elapsed < limit => Verdict::Pending {
                again: Some(limit.saturating_sub(at.elapsed)),
            },
            Appear::Now if self.goal.wants_gone() => Verdict::Reached(Why::NeverThere),
            Appear::Now | Appear::Within(_) => Verdict::Failed(Why::NeverThere),
        }
    }
}

#[cfg(test)]
mod tests;
