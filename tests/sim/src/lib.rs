//! A model of Keystone, Heat and Manila on the loopback, for fault and timing tests.
