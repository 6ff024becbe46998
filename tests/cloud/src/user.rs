//! Plain requests in a user's name, with nothing of the programs under test.

use serde_json::{Value, json};
use ureq::Agent;
use ureq::http::Request;

use crate::Place;

// The first with every kind of resource is 2.80; some of them want the experimental header for ever.
const MICROVERSION: &str = "2.85";

/// A signed-in user of the cloud.
#[derive(Debug)]
pub struct User {
    agent: Agent,
    token: String,
    /// Heat's endpoint, with the project.
    pub heat: String,
    /// Manila's endpoint, with `/v2`.
    pub manila: String,
}

/// An answer; the body is null when it is no JSON.
#[derive(Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: Value,
}

impl User {
    /// Signs in as the ordinary user.
    pub fn demo() -> Self {
        Self::sign_in("demo", "demo")
    }

    /// Signs in as the administrator.
    pub fn admin() -> Self {
        Self::sign_in("admin", "admin")
    }

    fn sign_in(name: &str, project: &str) -> Self {
        let place = Place::here();
        let agent: Agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .build()
            .into();
        let domain = json!({"id": "default"});
        let body = json!({"auth": {
            "identity": {"methods": ["password"], "password": {
                "user": {"name": name, "domain": domain, "password": place.password}}},
            "scope": {"project": {"name": project, "domain": domain}},
        }});
        let mut answer = agent
            .post(format!("{}/auth/tokens", place.auth_url))
            .header("Content-Type", "application/json")
            .send(body.to_string())
            .expect("Keystone answers");
        let token = answer
            .headers()
            .get("X-Subject-Token")
            .and_then(|token| token.to_str().ok());
        let token = token.expect("Keystone gives a token").to_owned();
        let text = answer
            .body_mut()
            .read_to_string()
            .expect("Keystone's answer can be read");
        let body: Value = serde_json::from_str(&text).expect("Keystone answers in JSON");
        let heat = endpoint(&body, "orchestration");
        let manila = endpoint(&body, "sharev2");
        Self {
            agent,
            token,
            heat,
            manila,
        }
    }

    /// Sends one request and reads the answer, whatever its status.
    ///
    /// # Panics
    /// When there is no answer.
    pub fn send(&self, method: &str, url: &str, body: Option<&Value>) -> Reply {
        let request = Request::builder()
            .method(method)
            .uri(url)
            .header("X-Auth-Token", &self.token)
            .header("X-OpenStack-Manila-API-Version", MICROVERSION)
            .header("X-OpenStack-Manila-API-Experimental", "True")
            .header("Content-Type", "application/json");
        let answer = match body {
            Some(body) => self
                .agent
                .run(request.body(body.to_string()).expect("a request")),
            None => self.agent.run(request.body(()).expect("a request")),
        };
        let mut answer = answer.unwrap_or_else(|e| panic!("{method} {url}: {e}"));
        let text = answer.body_mut().read_to_string().unwrap_or_default();
        Reply {
            status: answer.status().as_u16(),
            body: serde_json::from_str(&text).unwrap_or(Value::Null),
        }
    }

    /// Sends a request that has to be accepted.
    ///
    /// # Panics
    /// When the status is not a 2xx.
    pub fn accepted(&self, method: &str, url: &str, body: Option<&Value>) -> Value {
        let reply = self.send(method, url, body);
        assert!(
            (200..300).contains(&reply.status),
            "{method} {url}: {reply:?}"
        );
        reply.body
    }
}

fn endpoint(token: &Value, kind: &str) -> String {
    let catalog = token
        .pointer("/token/catalog")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let service = catalog
        .into_iter()
        .find(|service| service.get("type").and_then(Value::as_str) == Some(kind));
    let endpoints = service
        .and_then(|service| service.get("endpoints"))
        .and_then(Value::as_array);
    let public = endpoints
        .into_iter()
        .flatten()
        .find(|endpoint| endpoint["interface"] == "public");
    public
        .and_then(|endpoint| endpoint["url"].as_str())
        .unwrap_or_else(|| panic!("no {kind} in the catalog"))
        .to_owned()
}
