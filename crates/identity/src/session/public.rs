//! Reading what lies on the web, in the cloud or elsewhere, as anybody could.

use super::{Session, ipv4_only};
use crate::http::{Http, Wire};
use crate::tls::Tls;
use crate::{Break, Error, Kind, Method, Reply, url};

/// As many as Python's `urllib` follows.
const REDIRECTS: u32 = 10;

impl Session<'_> {
    /// Reads a URL without signing in: no token, no client certificate, trusting what the system trusts. Redirects
    /// are followed wherever they lead by http or https. Any other HTTP status is `Ok`.
    ///
    /// # Errors
    /// What kept the answer from coming; [`Kind::Deadline`] where no time is left; too many redirects.
    pub fn read_public(&self, address: &str) -> Result<Reply, Error> {
        let http = self.public_agent()?;
        let until = self.until(Method::Get, None);
        let mut target = address.to_owned();
        for _ in 0..=REDIRECTS {
            if url::origin(&target).is_none() {
                let message = format!("{} is no http or https URL", url::shown(&target));
                return Err(Error::config(message));
            }
            let timeout = until.left(self.clock.now());
            if timeout.is_zero() {
                let message = format!("no time is left to ask {}", url::shown(&target));
                return Err(Error::new(Kind::Deadline, message).with_break(Break::TimedOut));
            }
            let reply = http.send(
                self.clock,
                &Wire {
                    method: Method::Get,
                    url: &target,
                    headers: &[("Accept", "*/*")],
                    body: None,
                    signing_in: false,
                    timeout,
                },
            )?;
            let location = match reply.status {
                301 | 302 | 303 | 307 | 308 => reply.header("location"),
                _ => None,
            };
            match location {
                None => return Ok(reply),
                Some(location) => target = url::join(&target, location),
            }
        }
        let message = format!(
            "{} redirects more than {REDIRECTS} times",
            url::shown(address)
        );
        Err(Error::new(Kind::Unknown, message).with_break(Break::Garbled))
    }

    fn public_agent(&self) -> Result<&Http, Error> {
        if let Some(http) = self.public.get() {
            return Ok(http);
        }
        let settings = &self.settings;
        let http = Http::new(
            &Tls::public(),
            settings.proxies.clone(),
            &self.options.user_agent,
            ipv4_only(settings),
        )?;
        Ok(self.public.get_or_init(|| http))
    }
}
