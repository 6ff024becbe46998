//! Signing in: settings → what is sent; pure.
//!
//! Bodies: Identity API v3, "Authentication and token management". Which settings each type takes is as in
//! `keystoneauth1/loading/_plugins/identity/v3.py` and `generic.py` (keystoneauth 5.18.1).

use serde_json::{Value, json};

use crate::oidc::Oidc;
use crate::{Error, Secret, Settings};

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

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Domain {
    Id(String),
    Name(String),
}

/// What the token is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Whatever Keystone gives: an application credential's own project, or the user's default.
    Unscoped,
    ProjectId(String),
    Project(String, Option<Domain>),
    Domain(Domain),
    System,
    Trust(String),
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

impl Domain {
    fn body(&self) -> Value {
        match self {
            Self::Id(id) => json!({ "id": id }),
            Self::Name(name) => json!({ "name": name }),
        }
    }
}

impl Scope {
    /// Exactly one of project, domain, system and trust, or none. A domain beside a project is the domain of user and
    /// project (`openstack/config/loader.py:979-1000`).
    fn read(settings: &Settings) -> Result<Self, Error> {
        let has = |names: &[&'static str]| {
            names
                .iter()
                .copied()
                .find(|name| settings.raw(name).is_some())
        };
        let project = has(&["project_id", "project_name"]);
        let domain_of_scope = if project.is_some() {
            None
        } else {
            has(&["domain_id", "domain_name"])
        };
        let given: Vec<&str> = [
            project,
            domain_of_scope,
            has(&["system_scope"]),
            has(&["trust_id"]),
        ]
        .into_iter()
        .flatten()
        .collect();
        if given.len() > 1 {
            let told = given
                .iter()
                .map(|name| format!("{name} ({})", settings.origin(name).unwrap_or_default()));
            return Err(Error::config(format!(
                "a token is for one of project, domain, system and trust; given are {}",
                told.collect::<Vec<_>>().join(" and ")
            )));
        }
        let text = |name: &str| settings.raw(name).unwrap_or_default().to_owned();
        Ok(match given.first().copied() {
            None => Self::Unscoped,
            Some("project_id") => Self::ProjectId(text("project_id")),
            Some("project_name") => {
                Self::Project(text("project_name"), domain(settings, "project_domain"))
            }
            Some("domain_id") => Self::Domain(Domain::Id(text("domain_id"))),
            Some("domain_name") => Self::Domain(Domain::Name(text("domain_name"))),
            Some("trust_id") => Self::Trust(text("trust_id")),
            Some(_) if text("system_scope") == "all" => Self::System,
            Some(_) => {
                return Err(Error::config(format!(
                    "system_scope ({}) can be nothing but all: {}",
                    settings.origin("system_scope").unwrap_or_default(),
                    text("system_scope")
                )));
            }
        })
    }

    fn body(&self) -> Option<Value> {
        Some(match self {
            Self::Unscoped => return None,
            Self::ProjectId(id) => json!({ "project": { "id": id } }),
            Self::Project(name, None) => json!({ "project": { "name": name } }),
            Self::Project(name, Some(domain)) => {
                json!({ "project": { "name": name, "domain": domain.body() } })
            }
            Self::Domain(domain) => json!({ "domain": domain.body() }),
            Self::System => json!({ "system": { "all": true } }),
            Self::Trust(id) => json!({ "OS-TRUST:trust": { "id": id } }),
        })
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

/// The domain of a user or project: its own, that which stands for both, or the default.
fn domain(settings: &Settings, prefix: &str) -> Option<Domain> {
    let text = |name: &str| settings.raw(name).map(str::to_owned);
    text(&format!("{prefix}_id"))
        .map(Domain::Id)
        .or_else(|| text(&format!("{prefix}_name")).map(Domain::Name))
        .or_else(|| {
            is_project(settings)
                .then(|| text("domain_id").map(Domain::Id))
                .flatten()
        })
        .or_else(|| {
            is_project(settings)
                .then(|| text("domain_name").map(Domain::Name))
                .flatten()
        })
        .or_else(|| text("default_domain_id").map(Domain::Id))
        .or_else(|| text("default_domain_name").map(Domain::Name))
        .or_else(|| text("default_domain").map(Domain::Id))
}

fn is_project(settings: &Settings) -> bool {
    settings.raw("project_id").is_some() || settings.raw("project_name").is_some()
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

/// `Basic …` of RFC 7617.
pub(crate) fn basic(user: &str, password: &Secret) -> Secret {
    Secret::new(format!(
        "Basic {}",
        base64(format!("{user}:{}", password.reveal()).as_bytes())
    ))
}

/// RFC 4648 §4, encoding only.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = group
            .iter()
            .fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte))
            << (8 * (3 - group.len()));
        for place in 0..4 {
            let six = (bits >> (18 - 6 * place)) & 63;
            let sign = ALPHABET.get(six as usize).filter(|_| place <= group.len());
            text.push(char::from(*sign.unwrap_or(&b'=')));
        }
    }
    text
}

#[cfg(test)]
mod tests;
