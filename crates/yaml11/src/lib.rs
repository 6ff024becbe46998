//! YAML 1.1 resolved and scanned as PyYAML does, into serde_json values with positions.
