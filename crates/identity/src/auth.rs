//! Signing in: settings → what is sent; pure.
//!
//! Bodies: Identity API v3, "Authentication and token management". Which settings each type takes is as in
//! `keystoneauth1/loading/_plugins/identity/v3.py` and `generic.py` (keystoneauth 5.18.1).

use serde_json::{Value, json};

use crate::oidc::Oidc;
use crate::{Error, Secret, Settings};

mod basic;
mod scope;

pub(crate) use basic::basic;
use scope::{Domain, Scope, domain};

/// How requests come by their credentials.
#[derive(Debug, Clone)]
pub(crate) enum Auth {
    /// A token from Keystone.
    Keystone(Box<Keystone>),
    /// None at all (`none`), or the same header on every request (`admin_token`, `http_basic`).
    Fixed {
        /// Where the service is, unless there is an override.
        endpoint: Option<String>,
        /// Name and value.
        header: Option<(&'static str, Secret)>,
    },
}

/// Everything that a token is asked for with.
#[derive(Debug, Clone)]
pub(crate) struct Keystone {
    pub(crate) auth_url: String,
    pub(crate) auth_type: String,
    pub(crate) methods: Methods,
    pub(crate) scope: Scope,
}

/// What proves who one is.
#[derive(Debug, Clone)]
pub(crate) enum Methods {
    /// One or several methods of Keystone's own.
    Own(Vec<Method>),
    /// A token of an identity provider.
    Oidc(Oidc),
}

#[derive(Debug, Clone)]
pub(crate) enum Method {
    Password {
        user: User,
        password: Secret,
    },
    Totp {
        user: User,
        passcode: Secret,
    },
    Token(Secret),
    Credential {
        id: Option<String>,
        name: Option<(String, User)>,
        secret: Secret,
    },
}

/// By ID, or by name within a domain.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct User {
    id: Option<String>,
    name: Option<String>,
    domain: Option<Domain>,
}

/// Types that are known and not supported, and what to use instead.
const REFUSED: &[&str] = &[
    "v2password",
    "v2token",
    "v1password",
    "v3kerberos",
    "kerberos",
    "v3fedkerb",
    "v3saml2password",
    "v3adfspassword",
    "v3samlpassword",
    "v3oidcauthcode",
    "v3oidcdeviceauthz",
    "v3websso",
    "v3tokenlessauth",
    "v3oauth1",
    "v3oauth2clientcredential",
    "v3oauth2mtlsclientcredential",
    "gnocchi-basic",
    "gnocchi-noauth",
];

impl Auth {
    /// Reads what the settings say.
    ///
    /// # Errors
    /// [`crate::Kind::Config`] naming what is missing, too much or not supported.
    pub(crate) fn read(settings: &Settings, warnings: &mut Vec<String>) -> Result<Self, Error> {
        let auth_type = auth_type(settings);
        match auth_type.as_str() {
            "none" | "noauth" => {
                return Ok(Self::Fixed {
                    endpoint: endpoint(settings),
                    header: None,
                });
            }
            "admin_token" | "token_endpoint" => {
                let token = secret(settings, "token", &auth_type)?;
                return Ok(Self::Fixed {
                    endpoint: endpoint(settings),
                    header: Some(("X-Auth-Token", token)),
                });
            }
            "http_basic" => {
                let user = required(settings, "username", &auth_type)?;
                let password = secret(settings, "password", &auth_type)?;
                let value = basic(&user, &password);
                return Ok(Self::Fixed {
                    endpoint: endpoint(settings),
                    header: Some(("Authorization", value)),
                });
            }
            _ => {}
        }
        let methods = methods(settings, &auth_type)?;
        let auth_url = required(settings, "auth_url", &auth_type)?;
        if crate::url::origin(&auth_url).is_none() {
            return Err(Error::config(format!(
                "auth_url ({}) is not a URL: {}",
                settings.origin("auth_url").unwrap_or_default(),
                crate::url::shown(&auth_url)
            ))
            .with_hint("it looks like https://keystone.example:5000/v3"));
        }
        let scope = match &methods {
            Methods::Own(own)
                if own
                    .iter()
                    .any(|method| matches!(method, Method::Credential { .. })) =>
            {
                warn_of_scope(settings, warnings);
                Scope::Unscoped
            }
            _ => Scope::read(settings)?,
        };
        Ok(Self::Keystone(Box::new(Keystone {
            auth_url,
            auth_type,
            methods,
            scope,
        })))
    }
}

impl Keystone {
    /// The body of `POST /v3/auth/tokens`. `unscoped`: the token that an identity provider's was changed for.
    pub(crate) fn body(&self, unscoped: Option<&Secret>) -> Value {
        let mut names = Vec::new();
        let mut identity = serde_json::Map::new();
        let own = match (&self.methods, unscoped) {
            (_, Some(token)) => vec![Method::Token(token.clone())],
            (Methods::Own(own), None) => own.clone(),
            (Methods::Oidc(_), None) => Vec::new(),
        };
        for method in &own {
            names.push(Value::from(method.name()));
            identity.insert(method.name().to_owned(), method.body());
        }
        identity.insert("methods".to_owned(), Value::Array(names));
        let mut auth = json!({ "identity": identity });
        if let (Some(scope), Some(map)) = (self.scope.body(), auth.as_object_mut()) {
            map.insert("scope".to_owned(), scope);
        }
        json!({ "auth": auth })
    }

    /// Whether the same credentials give a token again, at any time and as often as needed.
    pub(crate) fn is_renewable(&self) -> bool {
        match &self.methods {
            Methods::Own(own) => own
                .iter()
                .all(|m| matches!(m, Method::Password { .. } | Method::Credential { .. })),
            Methods::Oidc(oidc) => oidc.is_renewable(),
        }
    }
}

impl Method {
    fn name(&self) -> &'static str {
        match self {
            Self::Password { .. } => "password",
            Self::Totp { .. } => "totp",
            Self::Token(_) => "token",
            Self::Credential { .. } => "application_credential",
        }
    }

    fn body(&self) -> Value {
        match self {
            Self::Password { user, password } => {
                let mut user = user.body();
                user.insert("password".to_owned(), Value::from(password.reveal()));
                json!({ "user": user })
            }
            Self::Totp { user, passcode } => {
                let mut user = user.body();
                user.insert("passcode".to_owned(), Value::from(passcode.reveal()));
                json!({ "user": user })
            }
            Self::Token(token) => json!({ "id": token.reveal() }),
            Self::Credential {
                id: Some(id),
                secret,
                ..
            } => json!({ "id": id, "secret": secret.reveal() }),
            Self::Credential {
                id: None,
                name,
                secret,
            } => {
                let (name, user) = name.clone().unwrap_or_default();
                json!({ "name": name, "secret": secret.reveal(), "user": user.body() })
            }
        }
    }
}

impl User {
    fn read(settings: &Settings, auth_type: &str) -> Result<Self, Error> {
        if let Some(id) = settings.raw("user_id") {
            return Ok(Self {
                id: Some(id.to_owned()),
                ..Self::default()
            });
        }
        let name = settings
            .raw("username")
            .ok_or_else(|| missing("username", auth_type))?;
        Ok(Self {
            id: None,
            name: Some(name.to_owned()),
            domain: domain(settings, "user_domain"),
        })
    }

    fn body(&self) -> serde_json::Map<String, Value> {
        let mut map = serde_json::Map::new();
        if let Some(id) = &self.id {
            map.insert("id".to_owned(), Value::from(id.as_str()));
        }
        if let Some(name) = &self.name {
            map.insert("name".to_owned(), Value::from(name.as_str()));
        }
        if let Some(domain) = &self.domain {
            map.insert("domain".to_owned(), domain.body());
        }
        map
    }
}

/// The type that is given, or that which fits what is given.
pub(crate) fn auth_type(settings: &Settings) -> String {
    let has = |name: &str| settings.raw(name).is_some();
    if let Some(given) = settings.raw("auth_type") {
        return given.to_owned();
    }
    let fitting = if has("token") && !has("password") {
        if has("endpoint") && !has("auth_url") {
            "admin_token"
        } else {
            "token"
        }
    } else if has("application_credential_secret") && !has("password") {
        "v3applicationcredential"
    } else {
        "password"
    };
    fitting.to_owned()
}

fn methods(settings: &Settings, auth_type: &str) -> Result<Methods, Error> {
    let one = |method| Ok(Methods::Own(vec![method]));
    match auth_type {
        "password" | "v3password" => one(password(settings, auth_type)?),
        "token" | "v3token" => one(Method::Token(secret(settings, "token", auth_type)?)),
        "v3applicationcredential" => one(credential(settings, auth_type)?),
        "v3totp" => one(totp(settings, auth_type)?),
        "v3multifactor" => {
            let named = required(settings, "auth_methods", auth_type)?;
            let mut own = Vec::new();
            for name in named.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                own.push(match name.strip_prefix("v3").unwrap_or(name) {
                    "password" => password(settings, auth_type)?,
                    "totp" => totp(settings, auth_type)?,
                    "token" => Method::Token(secret(settings, "token", auth_type)?),
                    "applicationcredential" | "application_credential" => credential(settings, auth_type)?,
                    _ => {
                        return Err(Error::config(format!("auth_methods: {name} is not supported"))
                            .with_hint("password, totp, token and application_credential are"));
                    }
                });
            }
            Ok(Methods::Own(own))
        }
        "v3oidcpassword" | "v3oidcclientcredentials" | "v3oidcaccesstoken" => {
            Ok(Methods::Oidc(Oidc::read(settings, auth_type)?))
        }
        known if REFUSED.contains(&known) => Err(Error::config(format!(
            "auth_type {known} ({}) is not supported",
            settings.origin("auth_type").unwrap_or_default()
        ))
        .with_hint("sign in with an application credential: auth_type v3applicationcredential")),
        other => Err(Error::config(format!(
            "auth_type {other} ({}) is not known",
            settings.origin("auth_type").unwrap_or_default()
        ))
        .with_hint(
            "supported are password, token, v3applicationcredential, v3totp, v3multifactor, v3oidcpassword, v3oidcclientcredentials, v3oidcaccesstoken, none, admin_token, http_basic",
        )),
    }
}

fn password(settings: &Settings, auth_type: &str) -> Result<Method, Error> {
    let user = User::read(settings, auth_type)?;
    Ok(Method::Password {
        user,
        password: secret(settings, "password", auth_type)?,
    })
}

fn totp(settings: &Settings, auth_type: &str) -> Result<Method, Error> {
    let user = User::read(settings, auth_type)?;
    Ok(Method::Totp {
        user,
        passcode: secret(settings, "passcode", auth_type)?,
    })
}

fn credential(settings: &Settings, auth_type: &str) -> Result<Method, Error> {
    let text = |name: &str| settings.raw(name).map(str::to_owned);
    let secret = secret(settings, "application_credential_secret", auth_type)?;
    let id = text("application_credential_id");
    let name = match (&id, text("application_credential_name")) {
        (None, Some(name)) => Some((name, User::read(settings, auth_type)?)),
        (None, None) => return Err(missing("application_credential_id", auth_type)),
        (Some(_), _) => None,
    };
    Ok(Method::Credential { id, name, secret })
}

fn warn_of_scope(settings: &Settings, warnings: &mut Vec<String>) {
    let scopes = [
        "project_id",
        "project_name",
        "domain_id",
        "domain_name",
        "system_scope",
        "trust_id",
    ];
    let given: Vec<String> = scopes
        .into_iter()
        .filter_map(|name| {
            settings
                .origin(name)
                .map(|origin| format!("{name} ({origin})"))
        })
        .collect();
    if !given.is_empty() {
        warnings.push(format!(
            "an application credential works in its own project; left out: {}",
            given.join(", ")
        ));
    }
}

fn endpoint(settings: &Settings) -> Option<String> {
    settings
        .raw("endpoint")
        .map(|url| url.trim_end_matches('/').to_owned())
}

pub(crate) fn required(settings: &Settings, name: &str, auth_type: &str) -> Result<String, Error> {
    settings
        .raw(name)
        .map(str::to_owned)
        .ok_or_else(|| missing(name, auth_type))
}

pub(crate) fn secret(settings: &Settings, name: &str, auth_type: &str) -> Result<Secret, Error> {
    settings
        .secret(name)
        .ok_or_else(|| missing(name, auth_type))
}

fn missing(name: &str, auth_type: &str) -> Error {
    let option = name.replace('_', "-");
    let variable = name.to_ascii_uppercase();
    Error::config(format!(
        "{name} is missing, which auth_type {auth_type} needs"
    ))
    .with_hint(format!(
        "set it in the clouds file, as OS_{variable}, or with --os-{option}"
    ))
}

#[cfg(test)]
mod tests;
