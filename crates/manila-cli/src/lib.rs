//! manila-wait: waits for Manila shares and what belongs to them.
