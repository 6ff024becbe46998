//! Only tests: both programs against every fault at every step.
