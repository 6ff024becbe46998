//! Whatever else Manila has, made by plain requests.

use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{User, until};

/// Something that is no share; taken away when the test is over.
#[derive(Debug)]
pub struct Thing<'u> {
    user: &'u User,
    path: &'static str,
    key: &'static str,
    /// Its ID.
    pub id: String,
}

impl<'u> Thing<'u> {
    /// Asks for one: `POST PATH` with `body` under `key`.
    pub fn create(user: &'u User, path: &'static str, key: &'static str, body: Value) -> Self {
        let url = format!("{}{path}", user.manila);
        let answer = user.accepted("POST", &url, Some(&json!({key: body})));
        let id = answer
            .pointer(&format!("/{key}/id"))
            .and_then(Value::as_str)
            .expect("an ID")
            .to_owned();
        Self::of(user, path, key, id)
    }

    /// One that is there.
    pub fn of(user: &'u User, path: &'static str, key: &'static str, id: String) -> Self {
        Self {
            user,
            path,
            key,
            id,
        }
    }

    /// Looks until Manila shows `word` in `field`.
    pub fn reaches(&self, field: &str, word: &str) {
        until(word, || {
            let shown = self.look()?;
            let value = shown.pointer(&format!("/{}/{field}", self.key));
            (value.and_then(Value::as_str) == Some(word)).then_some(())
        });
    }

    /// Asks Manila to delete it.
    pub fn delete(&self) {
        self.user.accepted("DELETE", &self.url(), None);
    }

    /// Sends an action.
    pub fn act(&self, body: &Value) {
        let url = format!("{}/action", self.url());
        self.user.accepted("POST", &url, Some(body));
    }

    fn look(&self) -> Option<Value> {
        let reply = self.user.send("GET", &self.url(), None);
        (reply.status == 200).then_some(reply.body)
    }

    fn url(&self) -> String {
        format!("{}{}/{}", self.user.manila, self.path, self.id)
    }
}

impl Drop for Thing<'_> {
    // What it belongs to can only be deleted after it is gone; what will not go is left to `cloud down`.
    fn drop(&mut self) {
        let start = Instant::now();
        let _ = self.user.send("DELETE", &self.url(), None);
        while self.look().is_some() && start.elapsed() < Duration::from_secs(20) {
            sleep(Duration::from_millis(300));
        }
    }
}
