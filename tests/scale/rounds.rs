//! What the waits for thousands of stacks and of shares have in common.

use sim_cloud::{Service, secs};

use crate::harness::{Ended, World};

/// Waits for these stacks or shares (`noun`), which are still being created at the deadline, looking every 5 s.
pub(crate) fn wait(world: &World, noun: &str, ids: &[String]) -> Ended {
    let mut words = vec![noun, "wait", "--poll", "5", "--deadline", "28"];
    words.extend(ids.iter().map(String::as_str));
    let ended = world.run_words(&words);
    // The last round has 0.4 s of the machine's own time, which the virtual clock does not count: where a page of the
    // unoptimised simulated cloud takes longer, the state at the deadline is not known (3).
    assert!(matches!(ended.exit, 124 | 3), "exit {}", ended.exit);
    ended
}

/// How many requests the service saw between these seconds.
pub(crate) fn asked(ended: &Ended, service: Service, from: u64, until: u64) -> usize {
    let at = |time| time >= secs(from) && time < secs(until);
    let its = ended.requests.iter().filter(|seen| seen.service == service);
    its.filter(|seen| at(seen.time)).count()
}

/// Checks the stderr of waits for `few` and for ten times as many: each has lines of its own, and no line but the hint, which
/// names each once, grows with the number. How long a line is depends on whether the last round got to look, which it may
/// not on a busy machine; how many there are does not.
pub(crate) fn grows_with_the_number_and_no_faster(few: &Ended, many: &Ended) {
    let lines = |ended: &Ended| ended.stderr.lines().count();
    assert!(
        lines(many) < 11 * lines(few),
        "{} {}",
        lines(few),
        lines(many)
    );
    let is_hint = |line: &&str| line.contains("go on waiting with");
    assert_eq!(many.stderr.lines().filter(is_hint).count(), 1);
    let others = many.stderr.lines().filter(|line| !is_hint(line));
    let longest = others.max_by_key(|line| line.len()).unwrap_or_default();
    assert!(longest.len() < 1_000, "{longest}");
}
