//! Tests against a real Keystone, Heat and Manila.
