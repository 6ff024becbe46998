//! manila-wait.

fn main() {}
