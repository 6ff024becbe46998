//! What holds for any mix of answers.

use std::time::Duration;

use poll_core::{
    Attempt, Backoff, Clock, Deadline, Fault, Jitter, Judge, Look, Outcome, Patience, Period,
    Policy, Quorum, Verdict,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::support::{
    End, Log, Said, Word, Words, gone, here, ms, refused, run, run_scripts, s, transient,
};

/// One answer of the service to one resource's look.
#[derive(Debug, Clone, Copy)]
enum Answer {
    Look(Look<Word, Word>),
    /// The probe leaves the resource out.
    LeftOut,
}

/// What one resource heard: its look, and when on the clock. `None`: the look was cut short.
type Heard = (Duration, Option<Look<Word, Word>>);

/// The engine's rules for one resource by itself, as simply as they can be said.
fn model(heard: &[Heard], patience: &Patience) -> End {
    let (mut last, mut fault, mut row, mut refusals, mut since) = (None, None, 0, 0, None);
    for (now, look) in heard {
        match look {
            None => {}
            Some(Ok(seen)) => {
                let at = Attempt {
                    number: 0,
                    elapsed: *now,
                    left: None,
                    budget: None,
                    last: false,
                };
                match Words.judge(seen, &at) {
                    Verdict::Reached(why) => return Outcome::Reached(*seen, why),
                    Verdict::Failed(why) => return Outcome::Failed(*seen, why),
                    Verdict::Pending { .. } => {
                        (last, fault, row, refusals, since) = (Some(*seen), None, 0, 0, None)
                    }
                }
            }
            Some(Err(Fault::Throttled(..))) => fault = None,
            Some(Err(Fault::Fatal(error))) => return Outcome::GaveUp(error, last),
            Some(Err(other)) => {
                row += 1;
                refusals = if matches!(other, Fault::Refused(_)) {
                    refusals + 1
                } else {
                    0
                };
                let waited = *now - *since.get_or_insert(*now);
                let over = patience.faults.is_some_and(|most| row >= most)
                    || patience.time.is_some_and(|most| waited >= most)
                    || refusals >= patience.refusals.max(1);
                if over {
                    return Outcome::GaveUp(other.error(), last);
                }
                fault = Some(*other.error());
            }
        }
    }
    Outcome::TimedOut(last, fault)
}

/// Runs the scripts, each look of a resource taking `costs` of the round's budget in turn, and keeps what each heard.
fn run_heard(
    policy: &Policy,
    quorum: Quorum,
    scripts: &[Vec<Answer>],
    costs: &[Duration],
) -> (Log, Vec<Vec<Heard>>) {
    let mut judges: Vec<Words> = scripts.iter().map(|_| Words).collect();
    let mut heard: Vec<Vec<Heard>> = vec![Vec::new(); scripts.len()];
    let mut looks = vec![0; scripts.len()];
    let mut rounds = costs.iter().cycle();
    let log = run(policy, &mut judges, quorum, |clock, due, at| {
        let cost = rounds.next().copied().unwrap_or_default();
        let cost = at.budget.map_or(cost, |budget| cost.min(budget));
        clock.advance(cost);
        let cut = at.budget.is_some_and(|budget| cost >= budget);
        let mut round = Vec::new();
        for &index in due {
            let Some(((script, looks), heard)) = scripts
                .get(index)
                .zip(looks.get_mut(index))
                .zip(heard.get_mut(index))
            else {
                continue;
            };
            let answer = script
                .get(*looks)
                .copied()
                .unwrap_or(Answer::Look(here("building")));
            *looks += 1;
            if let Answer::Look(look) = answer {
                let counts = !(cut && matches!(look, Err(Fault::Transient(_))));
                heard.push((clock.now(), counts.then_some(look)));
                round.push((index, look));
            }
        }
        Ok(round)
    });
    (log, heard)
}

fn faulty() -> impl Strategy<Value = Look<Word, Word>> {
    prop_oneof![
        4 => Just(here("building")),
        3 => Just(transient()),
        1 => Just(refused()),
    ]
}

fn answer(throttling: bool) -> impl Strategy<Value = Answer> {
    let asked = option::of((0u64..900).prop_map(s));
    prop_oneof![
        12 => faulty().prop_map(Answer::Look),
        if throttling { 3 } else { 0 } => asked.prop_map(|asked| Answer::Look(Err(Fault::Throttled("429", asked)))),
        1 => Just(Answer::LeftOut),
        1 => Just(Answer::Look(here("soon"))),
        1 => Just(Answer::Look(here("more"))),
        1 => Just(Answer::Look(here("up"))),
        1 => Just(Answer::Look(here("down"))),
        1 => Just(Answer::Look(gone())),
        1 => Just(Answer::Look(Err(Fault::Fatal("401")))),
    ]
}

fn scripts(throttling: bool) -> impl Strategy<Value = Vec<Vec<Answer>>> {
    vec(vec(answer(throttling), 0..24), 1..5)
}

fn costs() -> impl Strategy<Value = Vec<Duration>> {
    vec(
        prop_oneof![3 => Just(0u64), 3 => 0u64..700, 1 => 0u64..90_000].prop_map(ms),
        1..6,
    )
}

prop_compose! {
    fn policies()(
        period in prop_oneof![(100u64..20_000).prop_map(|period| Period::Fixed(ms(period))), Just(Period::default())],
        deadline in 0u64..600_000,
        faults in option::of(1u32..6),
        time in option::of((0u64..300_000).prop_map(ms)),
        refusals in 0u32..5,
        seed in any::<u64>(),
    ) -> Policy {
        let patience = Patience { time, faults, refusals };
        Policy { period, deadline: Deadline::At(ms(deadline)), patience, seed, ..Policy::default() }
    }
}

fn deadline_of(policy: &Policy) -> Duration {
    policy.deadline.cut(Duration::ZERO, Duration::MAX)
}

fn is_open(outcome: &End) -> bool {
    matches!(outcome, Outcome::TimedOut(..) | Outcome::Left(..))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    /// Without throttling, so that time as the model counts it is time as patience counts it.
    #[test]
    fn each_resource_ends_as_its_own_looks_say(
        policy in policies(), scripts in scripts(false), costs in costs(),
    ) {
        let (log, heard) = run_heard(&policy, Quorum::All, &scripts, &costs);
        for (finished, heard) in log.finished.iter().zip(&heard) {
            prop_assert_eq!(&finished.outcome, &model(heard, &policy.patience));
            prop_assert_eq!(usize::try_from(finished.looks).unwrap(), heard.len());
        }
    }

    #[test]
    fn throttling_changes_when_it_ends_but_not_how(
        policy in policies(), scripts in scripts(true), costs in costs(),
    ) {
        let mut policy = policy;
        policy.patience.time = None;
        let (log, heard) = run_heard(&policy, Quorum::All, &scripts, &costs);
        for (finished, heard) in log.finished.iter().zip(&heard) {
            prop_assert_eq!(&finished.outcome, &model(heard, &policy.patience));
        }
    }

    #[test]
    fn the_first_goal_and_nothing_else_ends_a_wait_for_any_early(
        policy in policies(), scripts in scripts(true), costs in costs(),
    ) {
        let mut policy = policy;
        policy.patience.time = None;
        let (log, heard) = run_heard(&policy, Quorum::Any, &scripts, &costs);
        let reached = log.outcomes().iter().any(|end| matches!(end, Outcome::Reached(..)));
        for (finished, heard) in log.finished.iter().zip(&heard) {
            let expected = match model(heard, &policy.patience) {
                Outcome::TimedOut(last, _) if reached => Outcome::Left(last),
                other => other,
            };
            prop_assert_eq!(&finished.outcome, &expected);
        }
        let open = log.outcomes().into_iter().any(is_open);
        prop_assert!(reached || !open || log.ended >= deadline_of(&policy));
    }

    #[test]
    fn a_wait_ends_by_its_deadline_and_the_last_round(
        policy in policies(), scripts in scripts(true), costs in costs(),
    ) {
        let (log, _) = run_heard(&policy, Quorum::All, &scripts, &costs);
        let deadline = deadline_of(&policy);
        prop_assert!(log.ended <= deadline + policy.last_round, "{:?} after {:?}", log.ended, deadline);
        if log.outcomes().into_iter().any(is_open) {
            prop_assert!(log.ended >= deadline, "nobody gives up before the deadline");
        }
        for (now, said) in &log.events {
            if let Said::Pause(pause) = said {
                prop_assert!(*now + *pause <= deadline, "a pause past the deadline");
            }
        }
    }

    #[test]
    fn the_last_round_starts_at_the_deadline_and_no_look_follows_it(
        policy in policies(), scripts in scripts(true), costs in costs(),
    ) {
        let (log, _) = run_heard(&policy, Quorum::All, &scripts, &costs);
        let deadline = deadline_of(&policy);
        for (_, at) in &log.rounds {
            prop_assert_eq!(at.last, at.elapsed >= deadline);
            prop_assert_eq!(at.left, Some(deadline.saturating_sub(at.elapsed)));
            let end = if at.last { deadline + policy.last_round } else { deadline };
            prop_assert_eq!(at.budget, Some(end - at.elapsed));
        }
        let last = log.rounds.iter().filter(|(_, at)| at.last).count();
        prop_assert!(last <= 2, "the last round and its second look");
        // Unless throttling reaches beyond the deadline, whoever is open is looked at then.
        let open = log.outcomes().into_iter().any(is_open);
        let throttled = log.retries().iter().any(|(in_a_row, pause)| *in_a_row == 0 && pause.is_none());
        prop_assert!(!open || throttled || last > 0);
    }

    #[test]
    fn whoever_has_ended_is_not_asked_for_again(
        policy in policies(), scripts in scripts(true), costs in costs(),
    ) {
        let (log, _) = run_heard(&policy, Quorum::All, &scripts, &costs);
        for (index, finished) in log.finished.iter().enumerate() {
            let mut asked = log.rounds.iter().filter(|(due, _)| due.contains(&index));
            let last = asked.next_back().map(|(_, at)| at.elapsed).unwrap_or_default();
            prop_assert!(is_open(&finished.outcome) || last <= finished.elapsed);
        }
    }

    #[test]
    fn a_retry_says_when_the_next_look_is(
        policy in policies(), script in vec(answer(true), 0..24), costs in costs(),
    ) {
        let (log, _) = run_heard(&policy, Quorum::All, &[script], &costs);
        for (now, said) in &log.events {
            let Said::Retry { pause, .. } = said else { continue };
            let next = log.rounds.iter().map(|(_, at)| at.elapsed).find(|elapsed| *elapsed > *now);
            match pause {
                Some(pause) if pause.is_zero() => {}
                Some(pause) => prop_assert_eq!(next, Some(*now + *pause)),
                None => prop_assert_eq!(next, None),
            }
        }
    }

    #[test]
    fn the_pause_after_throttling_is_what_was_asked_for_within_five_minutes_and_the_deadline(
        asked in 1u64..1200, before in 0usize..5, deadline in 30u64..1200,
    ) {
        let policy = Policy {
            period: Period::Fixed(s(5)), deadline: Deadline::At(s(deadline)), ..Policy::default()
        };
        let mut script = vec![here("building"); before];
        script.extend([Err(Fault::Throttled("429", Some(s(asked)))), here("up")]);
        let log = run_scripts(&policy, Quorum::All, &[&script]);
        let throttled = 5 * u64::try_from(before).unwrap();
        let next = throttled + asked.min(300);
        if next <= deadline {
            prop_assert_eq!(log.ended, s(next));
            prop_assert!(matches!(log.outcomes()[..], [Outcome::Reached(..)]));
        } else {
            prop_assert_eq!(log.ended, s(deadline));
            prop_assert!(matches!(log.outcomes()[..], [Outcome::TimedOut(_, None)]));
            prop_assert_eq!(log.rounds.len(), before + 1);
        }
    }

    #[test]
    fn what_happens_to_others_moves_no_look_of_one_in_fair_weather(
        others in scripts(false), looks in 1usize..40, period in 100u64..20_000, seed in any::<u64>(),
    ) {
        let policy = Policy {
            period: Period::Fixed(ms(period)), deadline: Deadline::At(s(3600)), seed, ..Policy::default()
        };
        let mut well = vec![Answer::Look(here("building")); looks];
        well.push(Answer::Look(here("up")));
        let (alone, _) = run_heard(&policy, Quorum::All, &[well.clone()], &[]);
        let mut scripts = others;
        scripts.insert(0, well);
        let (among, _) = run_heard(&policy, Quorum::All, &scripts, &[]);
        prop_assert_eq!(alone.times_of(0), among.times_of(0));
        prop_assert_eq!(&alone.finished[0], &among.finished[0]);
    }

    #[test]
    fn the_number_of_looks_is_bounded(
        looks in vec(vec(faulty(), 1..40), 1..4), period in 0u64..20_000, faults in option::of(1u32..6),
    ) {
        let mut policy = Policy {
            period: Period::Fixed(ms(period)), deadline: Deadline::At(s(600)), ..Policy::default()
        };
        policy.patience = Patience { time: None, faults, refusals: 3 };
        policy.period = Period::Fixed(ms(period.max(100)));
        let scripts: Vec<&[_]> = looks.iter().map(Vec::as_slice).collect();
        let log = run_scripts(&policy, Quorum::All, &scripts);
        let rounds_of_one = 600_000 / u128::from(period.max(100) * 9 / 10);
        // Coming back into step may cost a look more in each period.
        let most = usize::try_from(2 * rounds_of_one + 3).unwrap();
        for finished in &log.finished {
            prop_assert!(usize::try_from(finished.looks).unwrap() <= most, "{} looks", finished.looks);
        }
    }

    #[test]
    fn the_spread_stays_within_a_tenth(pause in 0u64..10_000_000_000, seed in any::<u64>()) {
        let pause = Duration::from_micros(pause);
        let spread = Jitter::new(seed).spread(pause);
        prop_assert!(spread >= pause - pause / 10 && spread <= pause + pause / 10, "{spread:?}");
    }

    #[test]
    fn no_duration_is_too_long_for_the_arithmetic(
        values in vec(prop_oneof![Just(Duration::MAX), Just(Duration::ZERO), any::<Duration>()], 6), number in any::<u32>(),
    ) {
        let [a, b, c, d, e, f] = values[..] else { unreachable!("six values") };
        let mut jitter = Jitter::new(u64::from(number));
        let adaptive = Period::Adaptive { least: a, most: b, slow_after: c, slow_most: d };
        prop_assert!(adaptive.pace(e) >= a);
        let spread = adaptive.pause(e, &mut jitter);
        prop_assert!(spread >= adaptive.pace(e) - adaptive.pace(e) / 10);
        let backoff = Backoff { most: a, asked_most: b };
        prop_assert!(backoff.pause(c, number, &mut jitter) <= a.max(c).max(ms(100)));
        prop_assert!(Deadline::after(d, e).cut(f, a) <= a);
    }
}
