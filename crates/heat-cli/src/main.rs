//! heat-wait.

fn main() {}
