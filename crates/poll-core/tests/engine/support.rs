//! A judge of words, scripts for probes, and a log of everything that a wait did.

use std::time::Duration;

use poll_core::{
    Attempt, Deadline, Event, FakeClock, Fault, Finished, Judge, Look, Observation, Outcome,
    Period, Policy, Probe, Quorum, Round, Verdict, wait_all,
};

pub type Word = &'static str;
pub type End = Outcome<Word, Word, Word>;

pub const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

pub const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A fixed period and a deadline, in seconds.
pub fn policy(period: u64, deadline: u64) -> Policy {
    Policy {
        period: Period::Fixed(s(period)),
        deadline: Deadline::At(s(deadline)),
        ..Policy::default()
    }
}

pub fn here(word: Word) -> Look<Word, Word> {
    Ok(Observation::Present(word))
}

pub fn gone() -> Look<Word, Word> {
    Ok(Observation::Gone)
}

pub fn transient() -> Look<Word, Word> {
    Err(Fault::Transient("503"))
}

pub fn refused() -> Look<Word, Word> {
    Err(Fault::Refused("403"))
}

pub fn throttled(asked: Option<u64>) -> Look<Word, Word> {
    Err(Fault::Throttled("429", asked.map(s)))
}

/// `up` is the goal, `down` and being gone are not, `more` wants another look at once, `soon` after a second, `late`
/// after an hour.
pub struct Words;

impl Judge<Word> for Words {
    type Why = Word;
    fn judge(&mut self, seen: &Observation<Word>, _at: &Attempt) -> Verdict<Word> {
        match seen {
            Observation::Present("up") => Verdict::Reached("it is up"),
            Observation::Present("down") => Verdict::Failed("it is down"),
            Observation::Present("more") => Verdict::Pending {
                again: Some(Duration::ZERO),
            },
            Observation::Present("soon") => Verdict::Pending { again: Some(s(1)) },
            Observation::Present("late") => Verdict::Pending {
                again: Some(s(3600)),
            },
            Observation::Present(_) => Verdict::Pending { again: None },
            Observation::Gone => Verdict::Failed("it is gone"),
        }
    }
}

/// An event, with the time on the clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    Seen(usize),
    Retry {
        indices: Vec<usize>,
        in_a_row: u32,
        pause: Option<Duration>,
    },
    Pause(Duration),
    Tick {
        elapsed: Duration,
        left: Option<Duration>,
    },
}

#[derive(Debug)]
pub struct Log {
    /// Each round: who was asked for, and how.
    pub rounds: Vec<(Vec<usize>, Attempt)>,
    /// Each event and when it came.
    pub events: Vec<(Duration, Said)>,
    pub finished: Vec<Finished<Word, Word, Word>>,
    /// When the wait returned.
    pub ended: Duration,
}

impl Log {
    /// When rounds began, in milliseconds: of whole tables at a glance.
    pub fn times(&self) -> Vec<u128> {
        self.rounds
            .iter()
            .map(|(_, at)| at.elapsed.as_millis())
            .collect()
    }

    /// When the resource was asked for, in milliseconds.
    pub fn times_of(&self, index: usize) -> Vec<u128> {
        let asked = self.rounds.iter().filter(|(due, _)| due.contains(&index));
        asked.map(|(_, at)| at.elapsed.as_millis()).collect()
    }

    pub fn outcomes(&self) -> Vec<&End> {
        self.finished.iter().map(|one| &one.outcome).collect()
    }

    pub fn retries(&self) -> Vec<(u32, Option<Duration>)> {
        let retry = |(_, said): &(Duration, Said)| match said {
            Said::Retry {
                in_a_row, pause, ..
            } => Some((*in_a_row, *pause)),
            _ => None,
        };
        self.events.iter().filter_map(retry).collect()
    }

    pub fn ticks(&self) -> Vec<Duration> {
        let tick = |(_, said): &(Duration, Said)| match said {
            Said::Tick { elapsed, .. } => Some(*elapsed),
            _ => None,
        };
        self.events.iter().filter_map(tick).collect()
    }
}

pub fn run<J: Judge<Word, Why = Word>>(
    policy: &Policy,
    judges: &mut [J],
    quorum: Quorum,
    mut probe: impl FnMut(&FakeClock, &[usize], &Attempt) -> Round<Word, Word>,
) -> Log {
    let clock = FakeClock::new();
    run_on(&clock, policy, judges, quorum, &mut |due, at| {
        probe(&clock, due, at)
    })
}

pub fn run_on<J: Judge<Word, Why = Word>>(
    clock: &FakeClock,
    policy: &Policy,
    judges: &mut [J],
    quorum: Quorum,
    probe: &mut Probe<'_, Word, Word>,
) -> Log {
    use poll_core::Clock;
    let (mut rounds, mut events) = (Vec::new(), Vec::new());
    let finished = wait_all(
        policy,
        clock,
        judges,
        quorum,
        &mut |due, at| {
            rounds.push((due.to_vec(), *at));
            assert!(rounds.len() < 100_000, "the wait does not end: {at:?}");
            probe(due, at)
        },
        &mut |event| {
            let said = match event {
                Event::Seen { index, .. } => Said::Seen(index),
                Event::Retry {
                    indices,
                    in_a_row,
                    pause,
                    ..
                } => Said::Retry {
                    indices: indices.to_vec(),
                    in_a_row,
                    pause,
                },
                Event::Pause(pause) => Said::Pause(pause),
                Event::Tick { elapsed, left } => Said::Tick { elapsed, left },
            };
            events.push((clock.now(), said));
        },
    );
    Log {
        rounds,
        events,
        finished,
        ended: clock.now(),
    }
}

/// One resource whose looks give these answers one after the other, the last of them for ever.
pub fn run_script(policy: &Policy, script: &[Look<Word, Word>]) -> Log {
    run_scripts(policy, Quorum::All, &[script])
}

/// The same for several resources, each with its own script. A look takes no time.
pub fn run_scripts(policy: &Policy, quorum: Quorum, scripts: &[&[Look<Word, Word>]]) -> Log {
    let mut judges: Vec<Words> = scripts.iter().map(|_| Words).collect();
    let mut looks = vec![0; scripts.len()];
    run(policy, &mut judges, quorum, |_, due, _| {
        let mut round = Vec::new();
        for &index in due {
            let Some((script, looks)) = scripts.get(index).zip(looks.get_mut(index)) else {
                continue;
            };
            round.extend(
                script
                    .get(*looks)
                    .or(script.last())
                    .map(|look| (index, *look)),
            );
            *looks += 1;
        }
        Ok(round)
    })
}
