//! Tests of heat-wait.
