//! heat-wait: waits for Heat stacks.
