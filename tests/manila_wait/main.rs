//! Tests of manila-wait.
