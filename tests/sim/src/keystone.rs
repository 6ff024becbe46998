//! Identity: discovery, tokens, the catalog. Shapes as recorded from Keystone 30 in `fixtures/keystone`.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::config::Config;
use crate::response::{Response, reason};
use crate::wire::Request;

const USER_ID: &str = "a27808b1b9a544da99b8710b0cc66e0b";

#[derive(Debug, Clone)]
struct Token {
    issued: Duration,
    expires: Duration,
    ended: bool,
    methods: Vec<String>,
}

/// The tokens that were given out.
#[derive(Debug, Default)]
pub(crate) struct Keystone {
    tokens: BTreeMap<String, Token>,
    urls: [String; 3],
}

impl Keystone {
    pub(crate) fn set_urls(&mut self, urls: [String; 3]) {
        self.urls = urls;
    }

    pub(crate) fn issue(&mut self, now: Duration, expires: Duration) -> String {
        self.give(now, expires, vec!["password".to_owned()])
    }

    pub(crate) fn expire(&mut self) {
        self.tokens
            .values_mut()
            .for_each(|token| token.ended = true);
    }

    /// Whether a service lets the request in.
    pub(crate) fn admits(&self, config: &Config, request: &Request) -> bool {
        !config.token_wanted
            || request
                .header("x-auth-token")
                .is_some_and(|token| self.alive(token, config.time.now()))
    }

    /// What keystonemiddleware answers in front of a service.
    pub(crate) fn unauthorized(&self) -> Response {
        let body = json!({"error": {"code": 401, "title": "Unauthorized", "message": "The request you have made requires authentication."}});
        Response::json(401, &body).header("Www-Authenticate", self.challenge())
    }

    pub(crate) fn answer(&mut self, config: &Config, request: &Request) -> Response {
        let Some(path) = request.path.strip_prefix(&config.identity_prefix) else {
            return refusal(request, 404);
        };
        let segments: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let root = format!("{}{}/v3/", request.base(), config.identity_prefix);
        match (request.method.as_str(), segments.as_slice()) {
            ("GET", []) => Response::json(300, &json!({"versions": {"values": [version(&root)]}}))
                .header("Location", root),
            ("GET", ["v3"]) => Response::json(200, &json!({"version": version(&root)})),
            ("POST", ["v3", "auth", "tokens"]) => self.sign_in(config, request),
            ("GET", ["v3", "auth", "tokens"]) => self.validate(config, request),
            ("DELETE", ["v3", "auth", "tokens"]) => self.revoke(request),
            ("GET", ["v3", "auth", "catalog"]) if self.admits(config, request) => Response::json(
                200,
                &json!({"catalog": self.catalog(config), "links": {"self": format!("{root}auth/catalog")}}),
            ),
            ("GET", ["v3", "auth", "catalog"]) => refusal(request, 401),
            (
                _,
                [
                    "v3",
                    "OS-FEDERATION",
                    "identity_providers",
                    _,
                    "protocols",
                    _,
                    "auth",
                ],
            ) => self.federated(config, request),
            ("GET", ["oidc", ".well-known", "openid-configuration"]) => {
                let token_endpoint =
                    format!("{}{}/oidc/token", request.base(), config.identity_prefix);
                Response::json(
                    200,
                    &json!({"issuer": request.base(), "token_endpoint": token_endpoint}),
                )
            }
            ("POST", ["oidc", "token"]) => Response::json(
                200,
                &json!({"access_token": "sim-access-token", "token_type": "Bearer", "expires_in": 300}),
            ),
            _ => refusal(request, 404),
        }
    }

    fn sign_in(&mut self, config: &Config, request: &Request) -> Response {
        let Some(body) = request.json() else {
            let message = "Expecting to find valid JSON in request body. The server could not comply with the request since it is either malformed or otherwise incorrect. The client is assumed to be in error.";
            return error(400, message);
        };
        let auth = body.get("auth").cloned().unwrap_or_default();
        let identity = auth.get("identity").cloned().unwrap_or_default();
        let methods: Vec<String> = texts(identity.get("methods"));
        let now = config.time.now();
        if methods.is_empty()
            || !methods
                .iter()
                .all(|method| self.proves(config, method, &identity, now))
        {
            return refusal(request, 401);
        }
        let by_credential = methods
            .iter()
            .any(|method| method == "application_credential");
        if by_credential && auth.get("scope").is_some() {
            // keystone/api/_shared/authentication.py: an application credential brings its scope along.
            return error(401, "Application credentials cannot request a scope.");
        }
        let known = |project: &Value| {
            project
                .get("name")
                .is_none_or(|name| name == config.project.as_str())
                && project
                    .get("id")
                    .is_none_or(|id| id == config.project_id.as_str())
        };
        if auth
            .pointer("/scope/project")
            .is_some_and(|project| !known(project))
        {
            return refusal(request, 401);
        }
        let scoped = by_credential || auth.get("scope").is_some_and(|scope| scope != "unscoped");
        let token = self.give(now, now + config.token_life, methods);
        let body = self.described(config, &token, scoped, !request.query.contains("nocatalog"));
        Response::json(201, &body).header("X-Subject-Token", token)
    }

    fn proves(&self, config: &Config, method: &str, identity: &Value, now: Duration) -> bool {
        let given = identity.get(method).cloned().unwrap_or_default();
        let text = |pointer: &str| given.pointer(pointer).and_then(Value::as_str);
        match method {
            "password" => {
                let named =
                    text("/user/name") == Some(&config.user) || text("/user/id") == Some(USER_ID);
                named && text("/user/password") == Some(&config.password)
            }
            "token" => text("/id").is_some_and(|id| self.alive(id, now)),
            "application_credential" => {
                let (id, secret) = &config.credential;
                let named = text("/id") == Some(id)
                    || (text("/name").is_some() && given.get("user").is_some());
                named && text("/secret") == Some(secret)
            }
            other => config.methods.iter().any(|method| method == other),
        }
    }

    fn federated(&mut self, config: &Config, request: &Request) -> Response {
        if !request
            .header("authorization")
            .is_some_and(|value| value.starts_with("Bearer "))
        {
            return refusal(request, 401);
        }
        let now = config.time.now();
        let token = self.give(now, now + config.token_life, vec!["mapped".to_owned()]);
        Response::json(201, &self.described(config, &token, false, false))
            .header("X-Subject-Token", token)
    }

    fn validate(&self, config: &Config, request: &Request) -> Response {
        let subject = request
            .header("x-subject-token")
            .unwrap_or_default()
            .to_owned();
        if !self.admits(config, request) {
            return refusal(request, 401);
        }
        if !self.alive(&subject, config.time.now()) {
            return refusal(request, 404);
        }
        Response::json(200, &self.described(config, &subject, true, true))
            .header("X-Subject-Token", subject)
    }

    fn revoke(&mut self, request: &Request) -> Response {
        match request
            .header("x-subject-token")
            .and_then(|token| self.tokens.get_mut(token))
        {
            Some(token) => {
                token.ended = true;
                Response::new(204)
            }
            None => refusal(request, 404),
        }
    }

    fn alive(&self, token: &str, now: Duration) -> bool {
        self.tokens
            .get(token)
            .is_some_and(|token| !token.ended && now < token.expires)
    }

    fn give(&mut self, issued: Duration, expires: Duration, methods: Vec<String>) -> String {
        let name = format!("gAAAAA-sim-token-{:04}", self.tokens.len() + 1);
        self.tokens.insert(
            name.clone(),
            Token {
                issued,
                expires,
                ended: false,
                methods,
            },
        );
        name
    }

    fn described(&self, config: &Config, name: &str, scoped: bool, catalog: bool) -> Value {
        let Some(token) = self.tokens.get(name) else {
            return Value::Null;
        };
        let domain = json!({"id": "default", "name": "Default"});
        let mut body = json!({
            "methods": token.methods,
            "user": {"domain": domain, "id": USER_ID, "name": config.user, "password_expires_at": null},
            "audit_ids": [format!("{:0>22}", name.len())],
            "expires_at": format!("{}Z", config.time.micros(token.expires)),
            "issued_at": format!("{}Z", config.time.micros(token.issued)),
        });
        if let (Some(body), true) = (body.as_object_mut(), scoped) {
            body.insert(
                "project".to_owned(),
                json!({"domain": domain, "id": config.project_id, "name": config.project}),
            );
            body.insert("is_domain".to_owned(), json!(false));
            body.insert(
                "roles".to_owned(),
                json!([
                    {"id": "bd109716b0ae482aae8af82f7c9548dc", "name": "heat_stack_owner"},
                    {"id": "dbf2d60a488048ff8142347155e29cfe", "name": "member"},
                ]),
            );
            if token
                .methods
                .iter()
                .any(|method| method == "application_credential")
            {
                let credential =
                    json!({"id": config.credential.0, "name": "cred", "restricted": false});
                body.insert("application_credential".to_owned(), credential);
            }
            if catalog {
                body.insert("catalog".to_owned(), self.catalog(config));
            }
        }
        json!({"token": body})
    }

    fn catalog(&self, config: &Config) -> Value {
        let [keystone, heat, manila] = &self.urls;
        if let Some(given) = &config.catalog {
            let text = given
                .to_string()
                .replace("{keystone}", keystone)
                .replace("{heat}", heat);
            let text = text
                .replace("{manila}", manila)
                .replace("{project}", &config.project_id);
            return serde_json::from_str(&text).unwrap_or_default();
        }
        let project = &config.project_id;
        let services = [
            ("identity", "keystone", format!("{keystone}/v3")),
            ("orchestration", "heat", format!("{heat}/v1/{project}")),
            ("sharev2", "manilav2", format!("{manila}/v2")),
            ("shared-file-system", "manila", format!("{manila}/v2")),
            ("share", "manilav1", format!("{manila}/v1/{project}")),
        ];
        let entry = |(number, (kind, name, url)): (usize, (&str, &str, String))| {
            let mut endpoints = Vec::new();
            for region in &config.regions {
                for interface in &config.interfaces {
                    let id = format!("{number:08x}{:024x}", endpoints.len());
                    endpoints.push(json!({"id": id, "interface": interface, "region_id": region, "url": url, "region": region}));
                }
            }
            json!({"endpoints": endpoints, "id": format!("{number:032x}"), "type": kind, "name": name})
        };
        services.into_iter().enumerate().map(entry).collect()
    }

    fn challenge(&self) -> String {
        let [keystone, ..] = &self.urls;
        format!("Keystone uri=\"{keystone}/v3\"")
    }
}

/// Keystone's own refusal: one shape for all.
pub(crate) fn refusal(request: &Request, status: u16) -> Response {
    let message = match status {
        401 => "The request you have made requires authentication.",
        403 => "You are not authorized to perform the requested action.",
        404 => "Could not find the requested resource.",
        503 => "Service Unavailable",
        _ => "An unexpected error prevented the server from fulfilling your request.",
    };
    let reply = error(status, message);
    if status == 401 {
        reply.header(
            "Www-Authenticate",
            format!("Keystone uri=\"{}/v3\"", request.base()),
        )
    } else {
        reply
    }
}

fn error(status: u16, message: &str) -> Response {
    Response::json(
        status,
        &json!({"error": {"code": status, "message": message, "title": reason(status)}}),
    )
}

fn version(root: &str) -> Value {
    json!({
        "id": "v3.14", "status": "stable", "updated": "2020-04-07T00:00:00Z",
        "links": [{"rel": "self", "href": root}],
        "media-types": [{"base": "application/json", "type": "application/vnd.openstack.identity-v3+json"}],
    })
}

fn texts(list: Option<&Value>) -> Vec<String> {
    list.and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}
