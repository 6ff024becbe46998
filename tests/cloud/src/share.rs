//! Shares made by plain requests.

use serde_json::{Value, json};

use crate::{Place, User, until};

/// A share of this test; taken away by force when the test is over.
#[derive(Debug)]
pub struct Share<'u> {
    user: &'u User,
    /// Its name, unique.
    pub name: String,
    /// Its ID.
    pub id: String,
}

impl<'u> Share<'u> {
    /// Asks for a share of 1 GiB of `share_type`. A `fault` in the name, such as `fail-extend_share`, makes the driver's
    /// method of that name fail.
    pub fn create(user: &'u User, share_type: &str, fault: &str) -> Self {
        Self::create_sized(user, share_type, fault, 1)
    }

    /// The same, of `size` GiB.
    pub fn create_sized(user: &'u User, share_type: &str, fault: &str, size: u32) -> Self {
        let name = Place::unique(if fault.is_empty() { "share" } else { fault });
        let share =
            json!({"share_proto": "NFS", "size": size, "share_type": share_type, "name": name});
        let answer = user.accepted(
            "POST",
            &format!("{}/shares", user.manila),
            Some(&json!({"share": share})),
        );
        let id = answer
            .pointer("/share/id")
            .and_then(Value::as_str)
            .expect("an ID")
            .to_owned();
        Self { user, name, id }
    }

    /// A share that is available.
    pub fn created(user: &'u User, fault: &str) -> Self {
        let share = Self::create(user, "default", fault);
        share.reaches("available");
        share
    }

    /// Asks for another size, in GiB.
    pub fn resize(&self, from: u32, to: u32) {
        let action = if to > from { "extend" } else { "shrink" };
        self.act(self.user, &json!({action: {"new_size": to}}));
    }

    /// Asks Manila to delete it.
    pub fn delete(&self) {
        self.user.accepted("DELETE", &self.url(self.user), None);
    }

    /// Looks until Manila shows `status`.
    pub fn reaches(&self, status: &str) {
        until(status, || {
            let body = self.user.accepted("GET", &self.url(self.user), None);
            (body.pointer("/share/status").and_then(Value::as_str) == Some(status)).then_some(())
        });
    }

    fn act(&self, user: &User, body: &Value) {
        user.accepted("POST", &format!("{}/action", self.url(user)), Some(body));
    }

    fn url(&self, user: &User) -> String {
        format!("{}/shares/{}", user.manila, self.id)
    }
}

impl Drop for Share<'_> {
    // Only an administrator can delete a share in any state.
    fn drop(&mut self) {
        if self.user.send("GET", &self.url(self.user), None).status == 200 {
            let admin = User::admin();
            let force = json!({"force_delete": null});
            let _ = admin.send(
                "POST",
                &format!("{}/action", self.url(&admin)),
                Some(&force),
            );
        }
    }
}
