//! The OpenStack Identity service: settings, signing in, catalog, and the HTTP session made from them.
