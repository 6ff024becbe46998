//! From the name of a host to its addresses.

use std::net::IpAddr;

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{self, DefaultResolver, ResolvedSocketAddrs};
use ureq::unversioned::transport::NextTimeout;
use ureq::unversioned::transport::time::Duration;

/// ureq's own, which asks before each request, in a thread that it can leave behind when time is up: a host that is an
/// address needs neither.
#[derive(Debug, Default)]
pub(crate) struct Resolver(DefaultResolver);

impl resolver::Resolver for Resolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        mut timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        if uri.host().is_some_and(is_address) {
            timeout.after = Duration::NotHappening;
        }
        self.0.resolve(uri, config, timeout)
    }
}

fn is_address(host: &str) -> bool {
    let bare = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    bare.unwrap_or(host).parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::is_address;

    #[test]
    fn only_an_address_needs_no_look_up() {
        for host in ["127.0.0.1", "[::1]", "[fe80::1]"] {
            assert!(is_address(host), "{host}");
        }
        for host in ["localhost", "cloud.example", "127.0.0.1.example", "1", ""] {
            assert!(!is_address(host), "{host}");
        }
    }
}
