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

/// Checks the stderr of a wait for ten times as many: the hint names each once, and each has a line of its own, which is
/// longer where the last round did not get to look on a busy machine. What names all in each line would be a hundred times
/// as long.
pub(crate) fn grows_with_the_number_and_no_faster(few: &Ended, many: &Ended) {
    assert!(
        many.stderr.len() < 15 * few.stderr.len(),
        "{} {}",
        few.stderr.len(),
        many.stderr.len()
    );
    assert_eq!(many.stderr.matches("go on waiting with").count(), 1);
}
