//! OpenID Connect: a token of an identity provider, which Keystone changes for one of its own.
//!
//! As `keystoneauth1/identity/v3/oidc.py` does it: discovery document, token endpoint (RFC 6749 §4.3, §4.4), then
//! `OS-FEDERATION/identity_providers/IDP/protocols/PROTOCOL/auth` with the token as a bearer.

use crate::auth::{basic, required, secret};
use crate::url::encode;
use crate::{Error, Secret, Settings};

/// What the identity provider is asked.
#[derive(Debug, Clone)]
pub(crate) struct Oidc {
    identity_provider: String,
    protocol: String,
    grant: Grant,
    /// The field of the provider's answer that Keystone is given.
    pub(crate) token_type: String,
}

#[derive(Debug, Clone)]
enum Grant {
    /// A ready access token.
    Ready(Secret),
    /// Form fields for the token endpoint.
    Ask {
        fields: Vec<(&'static str, Secret)>,
        client: Client,
        endpoint: TokenEndpoint,
    },
}

#[derive(Debug, Clone)]
struct Client {
    id: String,
    secret: Option<Secret>,
}

/// Where the identity provider gives tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TokenEndpoint {
    /// Here.
    Known(String),
    /// Where this document's `token_endpoint` says.
    Discover(String),
}

impl Oidc {
    pub(crate) fn read(settings: &Settings, auth_type: &str) -> Result<Self, Error> {
        let text = |name: &str| settings.raw(name).map(str::to_owned);
        let grant = if auth_type == "v3oidcaccesstoken" {
            Grant::Ready(secret(settings, "access_token", auth_type)?)
        } else {
            let mut fields = Vec::new();
            if auth_type == "v3oidcpassword" {
                fields.push(("grant_type", Secret::new("password")));
                fields.push((
                    "username",
                    Secret::new(required(settings, "username", auth_type)?),
                ));
                fields.push(("password", secret(settings, "password", auth_type)?));
            } else {
                fields.push(("grant_type", Secret::new("client_credentials")));
            }
            fields.push((
                "scope",
                Secret::new(text("openid_scope").unwrap_or_else(|| "openid profile".to_owned())),
            ));
            let endpoint = match (text("access_token_endpoint"), text("discovery_endpoint")) {
                (Some(endpoint), _) => TokenEndpoint::Known(endpoint),
                (None, Some(document)) => TokenEndpoint::Discover(document),
                (None, None) => {
                    return Err(Error::config(format!(
                        "access_token_endpoint and discovery_endpoint are missing, auth_type {auth_type} needs one of them"
                    )));
                }
            };
            let client = Client {
                id: required(settings, "client_id", auth_type)?,
                secret: settings.secret("client_secret"),
            };
            Grant::Ask {
                fields,
                client,
                endpoint,
            }
        };
        Ok(Self {
            identity_provider: required(settings, "identity_provider", auth_type)?,
            protocol: required(settings, "protocol", auth_type)?,
            grant,
            token_type: text("access_token_type").unwrap_or_else(|| "access_token".to_owned()),
        })
    }

    pub(crate) fn is_renewable(&self) -> bool {
        matches!(self.grant, Grant::Ask { .. })
    }

    /// The access token where it was given.
    pub(crate) fn ready(&self) -> Option<&Secret> {
        match &self.grant {
            Grant::Ready(token) => Some(token),
            Grant::Ask { .. } => None,
        }
    }

    /// Where to ask the identity provider. `None`: the token is ready.
    pub(crate) fn endpoint(&self) -> Option<&TokenEndpoint> {
        match &self.grant {
            Grant::Ready(_) => None,
            Grant::Ask { endpoint, .. } => Some(endpoint),
        }
    }

    /// Form body and `Authorization` header for the token endpoint.
    pub(crate) fn form(&self) -> (String, Option<Secret>) {
        let Grant::Ask { fields, client, .. } = &self.grant else {
            return (String::new(), None);
        };
        let mut pairs: Vec<String> = fields
            .iter()
            .map(|(name, value)| format!("{name}={}", encode(value.reveal())))
            .collect();
        let header = match &client.secret {
            Some(secret) => Some(basic(&client.id, secret)),
            None => {
                pairs.push(format!("client_id={}", encode(&client.id)));
                None
            }
        };
        (pairs.join("&"), header)
    }

    /// Where Keystone changes the token, below its v3 URL.
    pub(crate) fn federation(&self, base: &str) -> String {
        format!(
            "{base}/OS-FEDERATION/identity_providers/{}/protocols/{}/auth",
            encode(&self.identity_provider),
            encode(&self.protocol)
        )
    }
}
