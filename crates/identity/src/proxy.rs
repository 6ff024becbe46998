//! Which proxy a URL goes through.
//!
//! `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, the lower-case variable first, as curl and requests have it.

use std::fmt;
use std::net::IpAddr;

use crate::settings::Sources;
use crate::url;

/// The proxies of the environment. `Debug` shows no passwords.
#[derive(Clone, Default)]
pub(crate) struct Proxies {
    http: Option<Proxy>,
    https: Option<Proxy>,
    none_for: Vec<Rule>,
}

/// One proxy.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Proxy {
    /// The variable that names it.
    pub(crate) variable: &'static str,
    /// With a scheme.
    pub(crate) url: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Rule {
    All,
    /// A domain with everything below it, or a host; perhaps for one port only.
    Name(String, Option<u16>),
    /// Addresses that share so many leading bits.
    Net(IpAddr, u32, Option<u16>),
}

impl Proxies {
    pub(crate) fn read(sources: &Sources<'_>) -> Self {
        let proxy = |names: [&'static str; 2]| {
            let (variable, value) = names
                .into_iter()
                .find_map(|name| sources.var(name).map(|value| (name, value)))?;
            let url = if value.contains("://") {
                value.to_owned()
            } else {
                format!("http://{value}")
            };
            Some(Proxy {
                variable,
                url: url.trim_end_matches('/').to_owned(),
            })
        };
        let all = proxy(["all_proxy", "ALL_PROXY"]);
        let none_for = sources
            .var("no_proxy")
            .or_else(|| sources.var("NO_PROXY"))
            .unwrap_or_default();
        Self {
            http: proxy(["http_proxy", "HTTP_PROXY"]).or_else(|| all.clone()),
            https: proxy(["https_proxy", "HTTPS_PROXY"]).or(all),
            none_for: none_for
                .split([',', ' '])
                .map(str::trim)
                .filter_map(Rule::read)
                .collect(),
        }
    }

    /// The proxy for `target`; `None`: straight.
    pub(crate) fn choose(&self, target: &str) -> Option<&Proxy> {
        // Without one the target need not be looked at.
        self.all().next()?;
        let (scheme, host, port) = url::origin(target)?;
        if self.none_for.iter().any(|rule| rule.matches(&host, port)) {
            return None;
        }
        if scheme == "https" {
            self.https.as_ref()
        } else {
            self.http.as_ref()
        }
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Proxy> {
        self.http.iter().chain(&self.https)
    }
}

impl fmt::Debug for Proxies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(
                self.all()
                    .map(|proxy| (proxy.variable, url::shown(&proxy.url))),
            )
            .finish()
    }
}

impl Rule {
    fn read(text: &str) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        if text == "*" {
            return Some(Self::All);
        }
        if let Some((address, bits)) = text.split_once('/') {
            let address: IpAddr = address.trim_matches(['[', ']']).parse().ok()?;
            return Some(Self::Net(address, bits.parse().ok()?, None));
        }
        let whole = |address: IpAddr, port| Self::Net(address, width(address), port);
        if let Ok(address) = text.trim_matches(['[', ']']).parse::<IpAddr>() {
            return Some(whole(address, None));
        }
        let (name, port) = match text.rsplit_once(':') {
            Some((name, port)) => (name, Some(port.parse().ok()?)),
            None => (text, None),
        };
        if let Ok(address) = name.trim_matches(['[', ']']).parse::<IpAddr>() {
            return Some(whole(address, port));
        }
        let name = name
            .trim_start_matches('*')
            .trim_start_matches('.')
            .trim_end_matches('.');
        Some(Self::Name(name.to_ascii_lowercase(), port)).filter(|_| !name.is_empty())
    }

    fn matches(&self, host: &str, port: u16) -> bool {
        match self {
            Self::All => true,
            Self::Name(name, only) => {
                let host = host.trim_end_matches('.');
                let below = host
                    .strip_suffix(name.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
                below && only.is_none_or(|only| only == port)
            }
            Self::Net(net, bits, only) => {
                let host = host.trim_matches(['[', ']']);
                only.is_none_or(|only| only == port)
                    && host.parse().is_ok_and(|host: IpAddr| {
                        width(host) == width(*net) && *bits <= width(host) && {
                            let drop = width(host) - bits;
                            number(host).checked_shr(drop) == number(*net).checked_shr(drop)
                        }
                    })
            }
        }
    }
}

fn width(address: IpAddr) -> u32 {
    if address.is_ipv4() { 32 } else { 128 }
}

fn number(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(v4) => u32::from(v4).into(),
        IpAddr::V6(v6) => v6.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use super::*;
    use crate::settings::Files;

    struct NoFiles;
    impl Files for NoFiles {
        fn read(&self, _: &Path) -> std::io::Result<Vec<u8>> {
            Err(std::io::ErrorKind::NotFound.into())
        }
    }

    fn chosen(env: &[(&str, &str)], target: &str) -> Option<String> {
        let env: BTreeMap<String, String> = env
            .iter()
            .map(|(k, v)| ((*k).into(), (*v).into()))
            .collect();
        let sources = Sources {
            flags: &BTreeMap::new(),
            env: &env,
            files: &NoFiles,
            cwd: Path::new("/"),
        };
        Proxies::read(&sources)
            .choose(target)
            .map(|proxy| proxy.url.clone())
    }

    #[test]
    fn each_scheme_has_its_own_proxy_and_all_proxy_stands_in() {
        for (env, target, expected) in [
            (
                &[("HTTPS_PROXY", "http://p:1")][..],
                "https://h/",
                Some("http://p:1"),
            ),
            (&[("HTTPS_PROXY", "http://p:1")], "http://h/", None),
            (&[("HTTP_PROXY", "p:1")], "http://h/", Some("http://p:1")),
            (
                &[("http_proxy", "low:1"), ("HTTP_PROXY", "high:1")],
                "http://h/",
                Some("http://low:1"),
            ),
            (
                &[("ALL_PROXY", "socks5://127.0.0.1:1080/")],
                "https://h/",
                Some("socks5://127.0.0.1:1080"),
            ),
            (
                &[("ALL_PROXY", "socks5://a:1"), ("https_proxy", "http://b:1")],
                "https://h/",
                Some("http://b:1"),
            ),
            (&[("HTTP_PROXY", "")], "http://h/", None),
        ] {
            assert_eq!(chosen(env, target).as_deref(), expected, "{env:?} {target}");
        }
    }

    #[test]
    fn no_proxy_knows_suffixes_addresses_networks_and_ports() {
        for (rule, target, direct) in [
            ("example.org", "https://example.org/", true),
            ("example.org", "https://keystone.example.org/", true),
            (".example.org", "https://keystone.example.org/", true),
            ("*.example.org", "https://keystone.example.org/", true),
            ("example.org", "https://notexample.org/", false),
            ("EXAMPLE.org", "https://a.Example.ORG/", true),
            ("10.0.0.0/8", "http://10.2.3.4:5000/v3", true),
            ("10.0.0.0/8", "http://11.2.3.4:5000/v3", false),
            ("0.0.0.0/0", "http://11.2.3.4/", true),
            ("10.0.0.0/8", "http://10.example.org/", false),
            ("192.168.1.5", "http://192.168.1.5/", true),
            ("fd00::/8", "http://[fd12::1]:5000/v3", true),
            ("fd00::/8", "http://[fe80::1]:5000/v3", false),
            ("[::1]", "http://[::1]:5000/", true),
            ("::1", "http://[::1]:5000/", true),
            ("example.org:5000", "https://example.org:5000/", true),
            ("example.org:5000", "https://example.org/", false),
            ("a, b ,example.org", "https://example.org/", true),
            ("a b example.org", "https://example.org/", true),
            ("*", "https://anything/", true),
            ("", "https://anything/", false),
            ("10.0.0.0/99", "http://10.0.0.1/", false),
            ("/,:,.", "https://example.org/", false),
        ] {
            let env = [
                ("HTTP_PROXY", "p:1"),
                ("HTTPS_PROXY", "p:1"),
                ("NO_PROXY", rule),
            ];
            assert_eq!(chosen(&env, target).is_none(), direct, "{rule} {target}");
        }
    }

    #[test]
    fn debug_hides_the_proxys_password() {
        let env: BTreeMap<String, String> =
            [("HTTP_PROXY".to_owned(), "http://u:s3cret@p:1".to_owned())].into();
        let sources = Sources {
            flags: &BTreeMap::new(),
            env: &env,
            files: &NoFiles,
            cwd: Path::new("/"),
        };
        assert!(!format!("{:?}", Proxies::read(&sources)).contains("s3cret"));
    }
}
