//! The client of these tests: ureq as the programs set it up, on one cloud.

use std::sync::Arc;
use std::time::Duration;

use poll_core::FakeClock;
use serde_json::Value;
use sim_cloud::{Cloud, Config, Service, Time};
use ureq::{Agent, http};

/// A cloud, its clock, and somebody who has signed in.
pub struct Client {
    pub cloud: Cloud,
    pub clock: Arc<FakeClock>,
    pub token: String,
    pub headers: Vec<(String, String)>,
    pub timeout: Duration,
    agent: Agent,
}

/// What came back.
#[derive(Debug)]
pub struct Got {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Got {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&self.body)))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// The values of `key` in the list that is the first field of the body.
    pub fn all(&self, key: &str) -> Vec<String> {
        let body = self.json();
        let list = body
            .as_object()
            .unwrap()
            .values()
            .next()
            .unwrap()
            .as_array()
            .unwrap();
        list.iter()
            .map(|one| {
                one.get(key)
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned()
            })
            .collect()
    }
}

impl Client {
    pub fn new() -> Self {
        Self::with(|_| {})
    }

    pub fn with(change: impl FnOnce(&mut Config)) -> Self {
        let clock = Arc::new(FakeClock::new());
        let mut config = Config::new(Time::fake(clock.clone()));
        change(&mut config);
        let cloud = Cloud::start(config).unwrap();
        let token = cloud.token(Duration::from_secs(3600));
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None)
            .build()
            .into();
        Self {
            cloud,
            clock,
            token,
            headers: vec![("Accept".to_owned(), "application/json".to_owned())],
            timeout: Duration::from_secs(20),
            agent,
        }
    }

    pub fn project(&self) -> String {
        self.cloud.config().project_id.clone()
    }

    /// `stacks…` of the project.
    pub fn heat(&self, path: &str) -> Got {
        self.ask(
            "GET",
            &format!(
                "{}/v1/{}/{path}",
                self.cloud.url(Service::Heat),
                self.project()
            ),
            None,
        )
    }

    pub fn heat_change(&self, method: &str, path: &str, body: &Value) -> Got {
        self.ask(
            method,
            &format!(
                "{}/v1/{}/{path}",
                self.cloud.url(Service::Heat),
                self.project()
            ),
            Some(body.to_string()),
        )
    }

    /// `shares…` at a microversion 2.N.
    pub fn manila(&self, minor: u32, path: &str) -> Got {
        self.manila_with(minor, "GET", path, None)
    }

    pub fn manila_change(&self, method: &str, path: &str, body: &Value) -> Got {
        self.manila_with(99, method, path, Some(body.to_string()))
    }

    pub fn manila_with(&self, minor: u32, method: &str, path: &str, body: Option<String>) -> Got {
        let url = format!("{}/v2/{path}", self.cloud.url(Service::Manila));
        let version = (
            "X-OpenStack-Manila-API-Version".to_owned(),
            format!("2.{minor}"),
        );
        self.send(method, &url, body, &[version]).unwrap()
    }

    pub fn ask(&self, method: &str, url: &str, body: Option<String>) -> Got {
        self.send(method, url, body, &[]).unwrap()
    }

    pub fn send(
        &self,
        method: &str,
        url: &str,
        body: Option<String>,
        more: &[(String, String)],
    ) -> Result<Got, ureq::Error> {
        let mut request = http::Request::builder().method(method).uri(url);
        if !self.token.is_empty() {
            request = request.header("X-Auth-Token", &self.token);
        }
        for (name, value) in self.headers.iter().chain(more) {
            request = request.header(name, value);
        }
        let global = Some(self.timeout);
        let mut reply = match body {
            Some(body) => {
                let request = request
                    .header("Content-Type", "application/json")
                    .body(body)
                    .unwrap();
                self.agent.run(
                    self.agent
                        .configure_request(request)
                        .timeout_global(global)
                        .build(),
                )?
            }
            None => {
                let request = request.body(()).unwrap();
                self.agent.run(
                    self.agent
                        .configure_request(request)
                        .timeout_global(global)
                        .build(),
                )?
            }
        };
        let headers = reply.headers().iter().map(|(name, value)| {
            (
                name.to_string(),
                String::from_utf8_lossy(value.as_bytes()).into_owned(),
            )
        });
        let headers = headers.collect();
        let status = reply.status().as_u16();
        let body = reply
            .body_mut()
            .with_config()
            .limit(80 << 20)
            .read_to_vec()?;
        Ok(Got {
            status,
            headers,
            body,
        })
    }
}
