//! The service catalog.

/// A service that endpoints are looked up for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Service {
    /// For messages.
    pub name: &'static str,
    /// Its types in the catalog, the best first.
    pub types: &'static [&'static str],
    /// Types that count only where the URL is of version 2 (`share` was version 1).
    pub types_if_v2: &'static [&'static str],
    /// The prefixes of its keys in clouds.yaml (`orchestration_endpoint_override`), the best first.
    pub prefixes: &'static [&'static str],
}

/// Heat.
pub const ORCHESTRATION: Service = Service {
    name: "orchestration (Heat)",
    types: &["orchestration"],
    types_if_v2: &[],
    prefixes: &["orchestration"],
};

/// Manila.
pub const SHARED_FILE_SYSTEM: Service = Service {
    name: "shared file systems (Manila)",
    types: &["shared-file-system", "sharev2"],
    types_if_v2: &["share"],
    prefixes: &["shared_file_system", "sharev2", "share"],
};

/// Swift, where Heat may keep what it wants signalled.
pub const OBJECT_STORE: Service = Service {
    name: "object store (Swift)",
    types: &["object-store"],
    types_if_v2: &[],
    prefixes: &["object_store"],
};
