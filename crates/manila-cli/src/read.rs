//! What a script needs next: `share show` and its kin, as the `openstack` command prints them.

use poll_core::Deadline;
use serde_json::{Map, Value};
use wait_cli::options::Shape;
use wait_cli::output::{self, Format};
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure, engine, failure};

use crate::client::{Body, Client, encoded};
use crate::kind::{ACCESS, ACCESS_BY_ID, Kind, SHARE};
use crate::operation::Given;
use crate::version::Microversion;
use crate::{lookup, show};

/// Shows one resource.
///
/// # Errors
/// What kept us from it.
pub fn show(kind: &'static Kind, asked: &str, stage: &mut Stage<'_>) -> Result<Exit, Failure> {
    let layout = stage.layout(Shape::One)?;
    let reading = Reading::begin(stage)?;
    let since = if *kind == ACCESS {
        ACCESS_BY_ID
    } else {
        kind.since
    };
    reading
        .client
        .need(&format!("{} show", kind.command.join(" ")), since)?;
    let body = reading.find(kind, asked, stage)?;
    let extra = match show::extra(kind, &lookup::id_of(&body), reading.client.version()) {
        Some(extra) => Some(reading.rows(&extra.path, extra.key, kind, stage)?),
        None => None,
    };
    let fields = show::fields(kind, body, extra, layout.format == Format::Table);
    print(output::one(&layout, &fields), stage)
}

/// `share export location list`.
///
/// # Errors
/// What kept us from it.
pub fn export_locations(asked: &str, stage: &mut Stage<'_>) -> Result<Exit, Failure> {
    let layout = stage.layout(Shape::List)?;
    let reading = Reading::begin(stage)?;
    reading
        .client
        .need("share export location list", Microversion::new(9))?;
    let share = lookup::id_of(&reading.find(&SHARE, asked, stage)?);
    let path = format!("/shares/{}/export_locations", encoded(&share));
    let locations = reading.rows(&path, "export_locations", &SHARE, stage)?;
    let columns = vec![("ID", "id"), ("Path", "path"), ("Preferred", "preferred")];
    list(&layout, &columns, &locations, stage)
}

/// `share access list`.
///
/// # Errors
/// What kept us from it.
pub fn access_list(given: &Given, stage: &mut Stage<'_>) -> Result<Exit, Failure> {
    let layout = stage.layout(Shape::List)?;
    let properties = given.properties("--properties")?;
    let properties = (!properties.is_empty()).then_some(properties);
    let reading = Reading::begin(stage)?;
    let client = &reading.client;
    let asked = given.raw("SHARE").unwrap_or_default();
    let filters = [
        ("access_key", given.text("--access-key")),
        ("access_level", given.text("--access-level")),
        ("access_to", given.text("--access-to")),
        ("access_type", given.text("--access-type")),
    ];
    let given: Vec<_> = filters
        .iter()
        .filter_map(|(name, value)| Some((*name, (*value)?)))
        .collect();
    if !given.is_empty() {
        client.need(
            "listing access rules by type, key, address or level",
            Microversion::new(82),
        )?;
    }
    if properties.is_some() {
        client.need("listing access rules by properties", ACCESS_BY_ID)?;
    }
    let share = lookup::id_of(&reading.find(&SHARE, asked, stage)?);
    let filter = filter(&share, &given, properties);
    let what = format!("access rules of share {}", asked);
    let rules = engine::persist(
        &stage.retries(reading.deadline),
        stage.clock,
        stage.reporter,
        &what,
        &mut |budget| reading.client.rules(&share, &filter, budget),
    )?;
    let columns = show::access_columns(reading.client.version());
    list(&layout, &columns, &rules.unwrap_or_default(), stage)
}

/// The query of the list of rules. As in the client (share_access_rules.py:344), properties take the place of the
/// other filters, and go as Python writes a dict.
fn filter(share: &str, given: &[(&str, &str)], properties: Option<Map<String, Value>>) -> String {
    let mut parts: Vec<String> = match properties {
        Some(properties) => {
            let dict = output::python_text(&Value::Object(properties));
            vec![format!("metadata={}", encoded(&dict))]
        }
        None => given
            .iter()
            .map(|(name, value)| format!("{name}={}", encoded(value)))
            .collect(),
    };
    parts.push(format!("share_id={}", encoded(share)));
    parts.join("&")
}

/// A session for reading, and its end.
struct Reading<'s> {
    client: Client<'s>,
    deadline: Deadline,
}

impl<'s> Reading<'s> {
    fn begin(stage: &Stage<'s>) -> Result<Self, Failure> {
        let deadline = stage.deadline(SHARE.deadline);
        let client = Client::open(stage, deadline)?;
        Ok(Self { client, deadline })
    }

    fn find(&self, kind: &Kind, asked: &str, stage: &Stage<'_>) -> Result<Body, Failure> {
        if asked.trim().is_empty() {
            return Err(Failure::usage(format!(
                "'{asked}' is neither a name nor an ID"
            )));
        }
        let what = format!("{} {asked}", kind.noun);
        let found = engine::persist(
            &stage.retries(self.deadline),
            stage.clock,
            stage.reporter,
            &what,
            &mut |budget| lookup::find(&self.client, kind, asked, true, &|| budget),
        )?;
        let missing = || Failure::new(Exit::NotFound, kind.missing(asked));
        found.ok_or_else(missing)
    }

    fn rows(
        &self,
        path: &str,
        key: &str,
        kind: &Kind,
        stage: &Stage<'_>,
    ) -> Result<Vec<Body>, Failure> {
        let experimental = kind.is_experimental(self.client.version());
        let what = key.replace('_', " ");
        engine::persist(
            &stage.retries(self.deadline),
            stage.clock,
            stage.reporter,
            &what,
            &mut |budget| self.client.rows(path, key, experimental, budget),
        )
    }
}

fn list(
    layout: &output::Layout,
    columns: &show::Columns,
    bodies: &[Body],
    stage: &mut Stage<'_>,
) -> Result<Exit, Failure> {
    let headers: Vec<String> = columns
        .iter()
        .map(|(header, _)| (*header).to_owned())
        .collect();
    let rows: Vec<_> = bodies.iter().map(|body| show::row(columns, body)).collect();
    print(output::list(layout, &headers, &rows), stage)
}

fn print(
    text: Result<String, output::OutputError>,
    stage: &mut Stage<'_>,
) -> Result<Exit, Failure> {
    let text = text.map_err(|error| Failure::usage(failure::chain(&error)))?;
    stage.print(&text)?;
    Ok(Exit::Reached)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_query_of_rules_is_the_clients() {
        assert_eq!(
            filter(
                "s",
                &[("access_type", "ip"), ("access_to", "10.0.0.0/8")],
                None
            ),
            "access_type=ip&access_to=10.0.0.0%2F8&share_id=s"
        );
        let properties = serde_json::json!({"k": "v"}).as_object().cloned();
        assert_eq!(
            filter("s", &[("access_type", "ip")], properties),
            "metadata=%7B%27k%27%3A%20%27v%27%7D&share_id=s"
        );
    }
}
