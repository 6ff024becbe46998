//! The service catalog: service, interface, region → URL; pure.

use serde::Deserialize;

use crate::{Error, url};

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
    /// Whether the program is about this service, so that `--os-endpoint-override` means it.
    pub main: bool,
}

/// Heat.
pub const ORCHESTRATION: Service = Service {
    name: "orchestration",
    types: &["orchestration"],
    types_if_v2: &[],
    prefixes: &["orchestration"],
    main: true,
};

/// Manila.
pub const SHARED_FILE_SYSTEM: Service = Service {
    name: "shared-file-system",
    types: &["shared-file-system", "sharev2"],
    types_if_v2: &["share"],
    prefixes: &["shared_file_system", "sharev2", "share"],
    main: true,
};

/// Swift, where Heat may keep what it wants signalled.
pub const OBJECT_STORE: Service = Service {
    name: "object-store",
    types: &["object-store"],
    types_if_v2: &[],
    prefixes: &["object_store"],
    main: false,
};

/// The catalog of a token (Identity API v3, `token.catalog`).
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct Catalog(Vec<Entry>);

#[derive(Debug, Clone, Deserialize)]
struct Entry {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    endpoints: Vec<Endpoint>,
}

#[derive(Debug, Clone, Deserialize)]
struct Endpoint {
    #[serde(default)]
    interface: String,
    #[serde(default)]
    region_id: Option<String>,
    #[serde(default)]
    region: Option<String>,
    #[serde(default)]
    url: Option<String>,
}

impl Endpoint {
    fn region(&self) -> Option<&str> {
        self.region_id
            .as_deref()
            .or(self.region.as_deref())
            .filter(|region| !region.is_empty())
    }

    fn is_in(&self, region: &str) -> bool {
        self.region_id.as_deref() == Some(region) || self.region.as_deref() == Some(region)
    }
}

/// Which endpoint is wanted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wanted {
    /// In place of the service's own types.
    pub(crate) service_type: Option<String>,
    pub(crate) service_name: Option<String>,
    /// The best first; `public`, not `publicURL`.
    pub(crate) interfaces: Vec<String>,
    pub(crate) region: Option<String>,
}

/// `internal,public`, `publicURL` and the like.
pub(crate) fn interfaces(text: &str) -> Vec<String> {
    let names = text
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty());
    names
        .map(|name| {
            name.strip_suffix("URL")
                .unwrap_or(name)
                .to_ascii_lowercase()
        })
        .collect()
}

impl Catalog {
    /// The URL of a service, as the catalog has it but without a trailing slash.
    ///
    /// # Errors
    /// [`crate::Kind::Config`] saying what is offered.
    pub(crate) fn endpoint(&self, service: &Service, wanted: &Wanted) -> Result<String, Error> {
        let own: Vec<(&str, bool)> = match &wanted.service_type {
            Some(kind) => vec![(kind.as_str(), false)],
            None => {
                let sure = service.types.iter().map(|kind| (*kind, false));
                sure.chain(service.types_if_v2.iter().map(|kind| (*kind, true)))
                    .collect()
            }
        };
        let mut offered: Vec<&Endpoint> = Vec::new();
        for (kind, only_v2) in own {
            let fits = |entry: &&Entry| {
                entry.kind == kind
                    && wanted
                        .service_name
                        .as_ref()
                        .is_none_or(|name| entry.name.as_ref() == Some(name))
            };
            let endpoints: Vec<&Endpoint> = self
                .0
                .iter()
                .filter(fits)
                .flat_map(|entry| &entry.endpoints)
                .filter(|one| one.url.as_deref().is_some_and(|url| !only_v2 || is_v2(url)))
                .collect();
            if let Some(found) = choose(service, wanted, &endpoints)? {
                return Ok(found);
            }
            offered.extend(endpoints);
        }
        Err(self.nothing(service, wanted, &offered))
    }

    fn nothing(&self, service: &Service, wanted: &Wanted, offered: &[&Endpoint]) -> Error {
        if self.0.is_empty() {
            return Error::config(format!(
                "the token has no catalog, so there is no {} endpoint",
                service.name
            ))
            .with_hint("name the project: --os-project-name, or project_name in the clouds file");
        }
        if offered.is_empty() {
            let mut kinds: Vec<&str> = self.0.iter().map(|entry| entry.kind.as_str()).collect();
            kinds.sort_unstable();
            kinds.dedup();
            return Error::config(format!("this cloud has no {} service", service.name))
                .with_hint(format!("its catalog offers: {}", kinds.join(", ")));
        }
        let of_interface: Vec<&&Endpoint> = offered
            .iter()
            .filter(|one| wanted.interfaces.contains(&one.interface))
            .collect();
        match &wanted.region {
            Some(region) if !offered.iter().any(|one| one.is_in(region)) => {
                Error::config(format!("no {} endpoint in region {region}", service.name)).with_hint(
                    format!(
                        "regions on offer: {}",
                        listed(offered.iter().filter_map(|one| one.region()))
                    ),
                )
            }
            Some(region) if !of_interface.is_empty() => Error::config(format!(
                "no {} {} endpoint in region {region}",
                wanted.interfaces.join(" or "),
                service.name
            ))
            .with_hint(format!(
                "regions on offer: {}",
                listed(of_interface.iter().filter_map(|one| one.region()))
            )),
            _ => Error::config(format!(
                "no {} {} endpoint",
                wanted.interfaces.join(" or "),
                service.name
            ))
            .with_hint(format!(
                "interfaces on offer: {}",
                listed(offered.iter().map(|one| one.interface.as_str()))
            )),
        }
    }
}

/// The endpoint of the first interface that is there; refuses to choose between regions.
fn choose(
    service: &Service,
    wanted: &Wanted,
    endpoints: &[&Endpoint],
) -> Result<Option<String>, Error> {
    for interface in &wanted.interfaces {
        let fits = |one: &&&Endpoint| {
            one.interface == *interface
                && wanted
                    .region
                    .as_ref()
                    .is_none_or(|region| one.is_in(region))
        };
        let fitting: Vec<&&Endpoint> = endpoints.iter().filter(fits).collect();
        let regions = listed(fitting.iter().filter_map(|one| one.region()));
        if wanted.region.is_none() && regions.contains(", ") {
            return Err(Error::config(format!(
                "{} is offered in several regions, and none is chosen",
                service.name
            ))
            .with_hint(format!("choose one with --os-region-name: {regions}")));
        }
        if let Some(url) = fitting.first().and_then(|one| one.url.as_deref()) {
            return Ok(Some(url.trim_end_matches('/').to_owned()));
        }
    }
    Ok(None)
}

fn is_v2(url: &str) -> bool {
    url::version(url).is_some_and(|version| version == "v2" || version.starts_with("v2."))
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

/// Fills `%(project_id)s`, `%(tenant_id)s`, `$(project_id)s` and `$(tenant_id)s` of an override.
pub(crate) fn fill(template: &str, project_id: Option<&str>) -> String {
    let mut url = template.trim_end_matches('/').to_owned();
    if let Some(id) = project_id {
        for name in [
            "%(project_id)s",
            "%(tenant_id)s",
            "$(project_id)s",
            "$(tenant_id)s",
        ] {
            url = url.replace(name, id);
        }
    }
    url
}

#[cfg(test)]
mod tests;
