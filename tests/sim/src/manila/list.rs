//! Lists, with the quirks of the real ones: unknown filters (`id=`) are ignored, of repeated ones the
//! last counts, and the `next` link carries a marker that nobody looks at.

use serde_json::{Map, Value, json};

use super::{Ask, Item, Kind, Manila, Row, errors};
use crate::response::Response;

/// What shares may be sorted by; the model sorts by name and by age.
const SORTS: [&str; 18] = [
    "id",
    "status",
    "size",
    "host",
    "share_proto",
    "availability_zone_id",
    "user_id",
    "project_id",
    "created_at",
    "updated_at",
    "display_name",
    "name",
    "share_type_id",
    "share_type",
    "share_network_id",
    "share_network",
    "snapshot_id",
    "snapshot",
];

impl Manila {
    pub(super) fn list(&self, ask: &Ask<'_>, row: &Row, short: &[&str]) -> Response {
        let number = |name: &str| match ask.request.value(name).map(|text| text.parse::<i64>()) {
            None => Ok(None),
            Some(Err(_)) => Err(errors::fault(
                400,
                &format!("{name} param must be an integer"),
            )),
            Some(Ok(number)) => usize::try_from(number)
                .map(Some)
                .map_err(|_| errors::fault(400, &format!("{name} param must be positive"))),
        };
        let (limit, offset) = match (number("limit"), number("offset")) {
            (Ok(limit), Ok(offset)) => (limit, offset.unwrap_or(0)),
            (Err(reply), _) | (_, Err(reply)) => return reply,
        };
        if row.kind == Kind::Rule && ask.request.value("share_id").is_none() {
            return errors::fault(400, "The field 'share_id' has to be specified.");
        }
        if let Some(key) = unfit(ask, row) {
            return errors::fault(
                400,
                &format!(
                    "Invalid input received: Share groups cannot be filtered using '{key}' key."
                ),
            );
        }
        let key = ask.request.value("sort_key");
        if let Some(key) = key
            .as_ref()
            .filter(|key| row.kind == Kind::Share && !SORTS.contains(&key.as_str()))
        {
            return errors::fault(
                400,
                &format!("Invalid input received: Wrong sorting key provided - '{key}'."),
            );
        }
        let sieve = Sieve::new(ask, row);
        let mut found: Vec<&Item> = self
            .items
            .iter()
            .rev()
            .filter(|item| sieve.passes(ask, row, item))
            .collect();
        if key
            .as_deref()
            .is_some_and(|key| key == "name" || key == "display_name")
        {
            found.sort_by(|one, other| other.text("name", ask.now).cmp(one.text("name", ask.now)));
        }
        if ask
            .request
            .value("sort_dir")
            .is_some_and(|direction| direction == "asc")
        {
            found.reverse();
        }
        let most = limit.unwrap_or(ask.config.page).min(ask.config.page);
        let page: Vec<&Item> = found.iter().skip(offset).take(most).copied().collect();
        let shown = |item: &&Item| {
            let Value::Object(mut fields) = self.shown(ask, item) else {
                return Value::Null;
            };
            if row.kind == Kind::Rule {
                fields.shift_remove("share_id");
            }
            if short.is_empty() {
                Value::Object(fields)
            } else {
                Value::Object(only(&fields, short))
            }
        };
        let mut body = json!({row.many: page.iter().map(shown).collect::<Vec<Value>>()});
        if let Some(body) = body.as_object_mut() {
            if row.counted.is_some_and(|since| ask.version >= since)
                && ask.request.flag("with_count")
            {
                body.insert("count".to_owned(), json!(found.len()));
            }
            let linked = matches!(
                row.kind,
                Kind::Share | Kind::Snapshot | Kind::Group | Kind::GroupSnapshot
            );
            if let (Some(last), true) = (page.last(), linked && page.len() == most) {
                let mut kept: Vec<String> = ask
                    .request
                    .query
                    .split('&')
                    .filter(|part| !part.is_empty() && !part.starts_with("marker="))
                    .map(str::to_owned)
                    .collect();
                kept.push(format!("marker={}", last.id));
                let href = format!(
                    "{}{}?{}",
                    ask.request.base(),
                    ask.request.path,
                    kept.join("&")
                );
                body.insert(
                    format!("{}_links", row.many),
                    json!([{"rel": "next", "href": href}]),
                );
            }
        }
        Response::json(200, &body)
    }
}

/// What a list was asked for, read once: there may be ten thousand to look at.
struct Sieve {
    all_projects: bool,
    soft: bool,
    like: Option<String>,
    wanted: Vec<(&'static str, String)>,
}

impl Sieve {
    fn new(ask: &Ask<'_>, row: &Row) -> Self {
        let named = |filter: &&'static str| Some((*filter, ask.request.value(filter)?));
        Self {
            all_projects: ask.config.admin && ask.request.flag("all_tenants"),
            soft: ask.request.flag("is_soft_deleted"),
            like: ask.request.value("name~").filter(|_| ask.version >= 36),
            wanted: row
                .filters
                .iter()
                .filter(|filter| **filter != "is_soft_deleted")
                .filter_map(named)
                .collect(),
        }
    }

    fn passes(&self, ask: &Ask<'_>, row: &Row, item: &Item) -> bool {
        if item.kind != row.kind || !item.there(ask.now) {
            return false;
        }
        let own = item
            .project
            .as_ref()
            .is_none_or(|project| *project == ask.config.project_id);
        let soft = || {
            item.value("is_soft_deleted", ask.now)
                .and_then(Value::as_bool)
                .unwrap_or(false)
        };
        (own || self.all_projects)
            && (row.kind != Kind::Share || soft() == self.soft)
            && self
                .like
                .as_ref()
                .is_none_or(|part| item.text("name", ask.now).contains(part.as_str()))
            && self.wanted.iter().all(|(filter, wanted)| {
                match (*filter, item.value(filter, ask.now)) {
                    ("project_id", None) => *wanted == ask.config.project_id,
                    (_, Some(Value::String(text))) => text == wanted,
                    (_, Some(value)) => value.to_string().eq_ignore_ascii_case(wanted),
                    (_, None) => false,
                }
            })
    }
}

/// Share groups refuse what they do not know.
fn unfit(ask: &Ask<'_>, row: &Row) -> Option<String> {
    const COMMON: [&str; 8] = [
        "limit",
        "offset",
        "marker",
        "sort_key",
        "sort_dir",
        "all_tenants",
        "description",
        "name~",
    ];
    let mut keys = ask.request.pairs().into_iter().map(|(key, _)| key);
    keys.find(|key| {
        row.kind == Kind::Group
            && !COMMON.contains(&key.as_str())
            && !row.filters.contains(&key.as_str())
    })
}

fn only(fields: &Map<String, Value>, names: &[&str]) -> Map<String, Value> {
    names
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), fields.get(*name)?.clone())))
        .collect()
}
