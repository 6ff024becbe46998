//! Answers by script: which requests, and what happens to them instead of the model's answer.

use std::collections::VecDeque;
use std::time::Duration;

use serde_json::Value;

use crate::config::Service;
use crate::faults::Fault;
use crate::response::Response;
use crate::wire::Request;

/// Which requests a rule is about. Every condition that is given must hold.
///
/// ```
/// use sim_cloud::When;
/// let second_look = When::heat().get().ends("/stacks/tarn/aaaa").nth(2);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct When {
    service: Option<Service>,
    method: Option<String>,
    path: Option<String>,
    ends: Option<String>,
    query: Vec<String>,
    token: Option<String>,
    from: Option<Duration>,
    until: Option<Duration>,
    skip: usize,
    most: Option<usize>,
}

impl When {
    /// Any request.
    #[must_use]
    pub fn any() -> Self {
        Self::default()
    }

    /// Requests to Keystone.
    #[must_use]
    pub fn keystone() -> Self {
        Self {
            service: Some(Service::Keystone),
            ..Self::default()
        }
    }

    /// Signing in: `POST …/auth/tokens`.
    #[must_use]
    pub fn sign_in() -> Self {
        Self::keystone().method("POST").ends("/auth/tokens")
    }

    /// Requests to Heat.
    #[must_use]
    pub fn heat() -> Self {
        Self {
            service: Some(Service::Heat),
            ..Self::default()
        }
    }

    /// Requests to Manila.
    #[must_use]
    pub fn manila() -> Self {
        Self {
            service: Some(Service::Manila),
            ..Self::default()
        }
    }

    /// With this method.
    #[must_use]
    pub fn method(self, method: &str) -> Self {
        Self {
            method: Some(method.to_owned()),
            ..self
        }
    }

    /// With the method GET.
    #[must_use]
    pub fn get(self) -> Self {
        self.method("GET")
    }

    /// With any method but GET.
    #[must_use]
    pub fn change(self) -> Self {
        self.method("!GET")
    }

    /// Whose path contains this text.
    #[must_use]
    pub fn path(self, part: &str) -> Self {
        Self {
            path: Some(part.to_owned()),
            ..self
        }
    }

    /// Whose path ends in this text.
    #[must_use]
    pub fn ends(self, part: &str) -> Self {
        Self {
            ends: Some(part.to_owned()),
            ..self
        }
    }

    /// Whose query contains this text; may be given several times.
    #[must_use]
    pub fn query(mut self, part: &str) -> Self {
        self.query.push(part.to_owned());
        self
    }

    /// That carry this token.
    #[must_use]
    pub fn token(self, token: &str) -> Self {
        Self {
            token: Some(token.to_owned()),
            ..self
        }
    }

    /// That come at or after `from` and before `until`, on the cloud's clock.
    #[must_use]
    pub fn between(self, from: Duration, until: Duration) -> Self {
        Self {
            from: Some(from),
            until: Some(until),
            ..self
        }
    }

    /// Only the nth such request, counted from 1.
    #[must_use]
    pub fn nth(self, nth: usize) -> Self {
        Self {
            skip: nth.saturating_sub(1),
            most: Some(1),
            ..self
        }
    }

    /// Only the first such requests.
    #[must_use]
    pub fn first(self, count: usize) -> Self {
        Self {
            skip: 0,
            most: Some(count),
            ..self
        }
    }

    /// All such requests after the first `count`.
    #[must_use]
    pub fn after(self, count: usize) -> Self {
        Self {
            skip: count,
            most: None,
            ..self
        }
    }

    /// Whether a request is meant; how many there were before is not looked at.
    #[must_use]
    pub fn meets(&self, service: Service, request: &Request, now: Duration) -> bool {
        let method = self
            .method
            .as_ref()
            .is_none_or(|method| match method.strip_prefix('!') {
                Some(other) => request.method != other,
                None => request.method == *method,
            });
        method
            && self.service.is_none_or(|wanted| wanted == service)
            && self
                .path
                .as_ref()
                .is_none_or(|part| request.path.contains(part.as_str()))
            && self
                .ends
                .as_ref()
                .is_none_or(|part| request.path.ends_with(part.as_str()))
            && self
                .query
                .iter()
                .all(|part| request.query.contains(part.as_str()))
            && self
                .token
                .as_ref()
                .is_none_or(|token| request.header("x-auth-token") == Some(token))
            && self.from.is_none_or(|from| now >= from)
            && self.until.is_none_or(|until| now < until)
    }
}

/// What happens to one request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    pub(crate) reply: Option<Response>,
    pub(crate) fault: Option<Fault>,
    pub(crate) takes: Duration,
}

impl Answer {
    /// The model's own answer: a place-holder in a list of answers.
    #[must_use]
    pub fn model() -> Self {
        Self::default()
    }

    /// This JSON, whatever the model says. The model does not see the request.
    #[must_use]
    pub fn json(status: u16, body: &Value) -> Self {
        Self::raw(Response::json(status, body))
    }

    /// This answer, byte for byte.
    #[must_use]
    pub fn raw(reply: Response) -> Self {
        Self {
            reply: Some(reply),
            ..Self::default()
        }
    }

    /// A fault, on the model's answer where it needs one.
    #[must_use]
    pub fn fault(fault: Fault) -> Self {
        Self {
            fault: Some(fault),
            ..Self::default()
        }
    }

    /// This answer, spoilt by a fault.
    #[must_use]
    pub fn spoilt(self, fault: Fault) -> Self {
        Self {
            fault: Some(fault),
            ..self
        }
    }

    /// After this much time of the cloud's clock: a fake one is moved, a real one waited for.
    #[must_use]
    pub fn takes(self, takes: Duration) -> Self {
        Self { takes, ..self }
    }

    /// With one more header on an answer of its own.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.reply = self.reply.map(|reply| reply.header(name, value));
        self
    }
}

impl From<Fault> for Answer {
    fn from(fault: Fault) -> Self {
        Self::fault(fault)
    }
}

impl From<Response> for Answer {
    fn from(reply: Response) -> Self {
        Self::raw(reply)
    }
}

#[derive(Debug)]
pub(crate) struct Rule {
    when: When,
    met: usize,
    plan: Plan,
}

#[derive(Debug)]
enum Plan {
    Each(Answer),
    Turns(VecDeque<Answer>),
}

/// The rules of one cloud, oldest first. The first that has something to say decides.
#[derive(Debug, Default)]
pub(crate) struct Rules(Vec<Rule>);

impl Rules {
    pub(crate) fn each(&mut self, when: When, answer: Answer) {
        self.0.push(Rule {
            when,
            met: 0,
            plan: Plan::Each(answer),
        });
    }

    pub(crate) fn turns(&mut self, when: When, answers: VecDeque<Answer>) {
        self.0.push(Rule {
            when,
            met: 0,
            plan: Plan::Turns(answers),
        });
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn left(&self) -> usize {
        let left = |rule: &Rule| match &rule.plan {
            Plan::Each(_) => 0,
            Plan::Turns(answers) => answers.len(),
        };
        self.0.iter().map(left).sum()
    }

    pub(crate) fn decide(
        &mut self,
        service: Service,
        request: &Request,
        now: Duration,
    ) -> Option<Answer> {
        let mut decided = None;
        for rule in &mut self.0 {
            if !rule.when.meets(service, request, now) {
                continue;
            }
            let number = rule.met;
            if decided.is_some() {
                continue;
            }
            rule.met += 1;
            if number < rule.when.skip
                || rule
                    .when
                    .most
                    .is_some_and(|most| number >= rule.when.skip + most)
            {
                continue;
            }
            decided = match &mut rule.plan {
                Plan::Each(answer) => Some(answer.clone()),
                Plan::Turns(answers) => answers.pop_front(),
            };
        }
        decided
    }
}
