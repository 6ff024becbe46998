//! The probe: one look a round at one or many resources of a kind.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;
use std::time::Duration;

use os_identity::{Error, Kind as ErrorKind};
use poll_core::{Attempt, Clock, Fault, Look, Observation, Round};
use serde_json::Value;

use crate::client::{Body, Client, PAGE, Seen};
use crate::kind::{ACCESS, ACCESS_BY_ID, Kind};
use crate::lookup::{self, Left, id_of};
use crate::show;

/// So many rows of a list cost the service about as much as one request more.
const ROWS_A_REQUEST: usize = 100;

/// One resource that is watched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Target {
    /// As the user named it.
    pub asked: String,
    /// Known since it was first seen; from then on nothing else is asked for.
    pub id: Option<String>,
    /// Its name when last seen, if it has one.
    pub name: Option<String>,
    /// The list does not show it: another project's, or in the recycle bin.
    unlisted: bool,
    /// The list did show it, and the service has taken its removal since.
    leaves: bool,
}

/// What the looks of a wait have in common.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Looks {
    /// The ID of the share of access rules, where those have no address of their own.
    pub share: Option<String>,
    /// Whether a name is looked for beyond the own project.
    pub wide: bool,
    /// The fields that must be there.
    pub fields: Vec<String>,
}

/// One page of the list.
#[derive(Default)]
struct Page {
    print: u64,
    rows: usize,
    /// Those of its rows that are waited for, by the target's index.
    seen: Vec<(usize, Seen)>,
}

/// The rows of a list that are waited for, by the target's index.
struct Rows {
    wanted: Vec<bool>,
    /// How many of the wanted were not found yet.
    missing: usize,
    found: Vec<Option<Seen>>,
}

impl Rows {
    /// Those of `due` that a list may show.
    fn wanted(targets: &[Target], due: &[usize]) -> Self {
        let mut wanted = vec![false; targets.len()];
        let mut missing = 0;
        for &index in due {
            if let (Some(target), Some(wanted)) = (targets.get(index), wanted.get_mut(index)) {
                *wanted = !target.unlisted;
                missing += usize::from(*wanted);
            }
        }
        let found = vec![None; targets.len()];
        Self {
            wanted,
            missing,
            found,
        }
    }

    /// Takes what the list shows of a resource; whether that was still missing.
    fn take(&mut self, index: usize, seen: &Seen) -> bool {
        let was_missing = self.wanted.get_mut(index).is_some_and(std::mem::take);
        if let (true, Some(found)) = (was_missing, self.found.get_mut(index)) {
            *found = Some(seen.clone());
            self.missing -= 1;
        }
        was_missing
    }
}

/// The ids of `due`, in order, each with the target's index. One that is named twice stands here twice.
fn by_id_of<'t>(targets: &'t [Target], due: &[usize]) -> Vec<(&'t str, usize)> {
    let listed = due.iter().filter_map(|&index| {
        let target = targets.get(index).filter(|target| !target.unlisted)?;
        Some((target.id.as_ref().unwrap_or(&target.asked).as_str(), index))
    });
    let mut by_id: Vec<_> = listed.collect();
    by_id.sort_unstable();
    by_id
}

/// What a list says.
struct Listing {
    /// Those that are waited for, by the target's index.
    rows: Vec<Option<Seen>>,
    /// Nothing can have been left out of it.
    is_whole: bool,
    /// It shows one of them, or the service says itself that one which it does not show does not exist.
    is_proved: bool,
}

/// The resources of one wait.
pub struct Watch<'w, 's> {
    client: &'w Client<'s>,
    clock: &'w dyn Clock,
    kind: &'static Kind,
    looks: Looks,
    targets: RefCell<Vec<Target>>,
    /// As they were seen last.
    last: RefCell<Vec<Option<Seen>>>,
    /// The pages of the list as they were read last.
    pages: RefCell<Vec<Page>>,
    /// How long the last list was.
    rows: Cell<usize>,
    /// How long the first page has been at most.
    longest: Cell<usize>,
}

impl<'w, 's> Watch<'w, 's> {
    /// Watches what the user named.
    #[must_use]
    pub fn new(
        client: &'w Client<'s>,
        clock: &'w dyn Clock,
        kind: &'static Kind,
        asked: &[String],
        looks: Looks,
    ) -> Self {
        let targets = asked
            .iter()
            .map(|asked| Target {
                asked: asked.clone(),
                ..Target::default()
            })
            .collect();
        Self {
            client,
            clock,
            kind,
            looks,
            targets: RefCell::new(targets),
            last: RefCell::new(vec![None; asked.len()]),
            pages: RefCell::default(),
            rows: Cell::new(0),
            longest: Cell::new(0),
        }
    }

    /// A resource as far as it is known.
    #[must_use]
    pub fn target(&self, index: usize) -> Target {
        self.targets
            .borrow()
            .get(index)
            .cloned()
            .unwrap_or_default()
    }

    /// How messages call a resource: `share data (ID)`.
    #[must_use]
    pub fn label(&self, index: usize) -> String {
        let target = self.target(index);
        let noun = self.kind.noun;
        match (&target.id, &target.name) {
            (Some(id), Some(name)) => format!("{noun} {name} ({id})"),
            (Some(id), None) => format!("{noun} {id}"),
            (None, _) => format!("{noun} {}", target.asked),
        }
    }

    /// Notes what is known of a resource before the first look.
    pub fn knows(&self, index: usize, body: &Body) {
        if let Some(target) = self.targets.borrow_mut().get_mut(index) {
            target.id = Some(id_of(body)).filter(|id| !id.is_empty());
            target.name = name_of(body);
        }
    }

    /// Notes that the service has taken the removal of a resource which the list showed before, when its first page had
    /// so many rows.
    pub fn leaves(&self, index: usize, rows: usize) {
        if let Some(target) = self.targets.borrow_mut().get_mut(index) {
            target.leaves = true;
        }
        self.longest.set(self.longest.get().max(rows));
    }

    /// Looks at the resources that are due, within the budget of the round.
    ///
    /// # Errors
    /// What concerns all of them, and in the first round what the user has to mend.
    pub fn round(&self, due: &[usize], at: &Attempt) -> Round<Seen, Error> {
        let ends = at
            .budget
            .map(|budget| self.clock.now().saturating_add(budget));
        let left = || ends.map(|ends| ends.saturating_sub(self.clock.now()));
        if *self.kind == ACCESS && self.client.version() < ACCESS_BY_ID {
            return self.rules(due, &left);
        }
        let mut listed = self.listing(due, &left)?;
        let mut looks = Vec::new();
        for &index in due {
            let look = self.look(index, listed.as_mut(), &left);
            match &look {
                Err(fault) if at.number == 1 && is_usage(fault) => return Err(fault.clone()),
                _ => {}
            }
            // Whoever throttles one request does not want the next.
            let stop = matches!(look, Err(Fault::Throttled(..))) || left() == Some(Duration::ZERO);
            looks.push((index, look));
            if stop {
                break;
            }
        }
        Ok(looks)
    }

    /// Looks at one. What a list does not show is looked at by itself, but for what leaves it: of that, one look is enough
    /// for all where the list is whole and shows none of them any more, as a list of something else would.
    fn look(
        &self,
        index: usize,
        mut listed: Option<&mut Listing>,
        left: &Left<'_>,
    ) -> Look<Seen, Error> {
        // A row without a field that must be there has been cut to what is needed: a look by itself says what there is.
        let whole = |body: &&Seen| {
            self.looks
                .fields
                .iter()
                .all(|field| body.contains_key(field))
        };
        let row = listed
            .as_mut()
            .and_then(|listed| listed.rows.get_mut(index)?.take());
        match row {
            Some(body) if self.is_known(index, &body) => return Ok(Observation::Present(body)),
            Some(body) if whole(&&body) => return self.seen(index, body, false),
            _ => {}
        }
        let target = self.target(index);
        let mut leaves_it = listed
            .as_mut()
            .filter(|listed| target.leaves && listed.is_whole);
        if leaves_it.as_ref().is_some_and(|listed| listed.is_proved) {
            return Ok(Observation::Gone);
        }
        let found = match &target.id {
            Some(id) => self.client.one(self.kind, id, left())?,
            None => lookup::find(self.client, self.kind, &target.asked, self.looks.wide, left)?,
        };
        if let Some(listed) = &mut leaves_it {
            listed.is_proved = found.is_none();
        }
        found.map_or(Ok(Observation::Gone), |body| {
            self.seen(index, body.into(), listed.is_some())
        })
    }

    /// Whether this is the very answer that was known already: of thousands, most change in no round.
    fn is_known(&self, index: usize, body: &Seen) -> bool {
        let last = self.last.borrow();
        let known = last.get(index).and_then(Option::as_ref);
        known.is_some_and(|known| Rc::ptr_eq(known, body))
    }

    /// Notes what is known of a resource now.
    fn seen(&self, index: usize, body: Seen, unlisted: bool) -> Look<Seen, Error> {
        if let Some(field) = self
            .looks
            .fields
            .iter()
            .find(|field| !body.contains_key(*field))
        {
            let there: Vec<_> = body
                .keys()
                .filter(|key| *key != "links")
                .map(String::as_str)
                .collect();
            let message = format!(
                "a {} has no {field} here; it has {}",
                self.kind.noun,
                there.join(", ")
            );
            return Err(Fault::Fatal(Error::config(message)));
        }
        if let Some(target) = self.targets.borrow_mut().get_mut(index) {
            target.id = Some(id_of(&body)).filter(|id| !id.is_empty());
            target.name = name_of(&body);
            // What was named by its name was looked for by itself, whether the list shows it or not.
            target.unlisted = unlisted && target.id.as_ref() == Some(&target.asked);
        }
        if let Some(last) = self.last.borrow_mut().get_mut(index) {
            *last = Some(body.clone());
        }
        Ok(Observation::Present(body))
    }

    /// The list by ID, where it is cheaper than a look at each.
    ///
    /// A service may give fewer rows than a page has room for, however many there are (`osapi_max_limit`). So a list is
    /// whole only where it is one page, and shorter than that page has been before.
    fn listing(&self, due: &[usize], left: &Left<'_>) -> Result<Option<Listing>, Fault<Error>> {
        let (targets, last) = (self.targets.borrow(), self.last.borrow());
        let mut rows = Rows::wanted(&targets, due);
        if self.kind.list.is_none()
            || rows.missing < 2
            || rows.missing < 1 + self.rows.get() / ROWS_A_REQUEST
        {
            return Ok(None);
        }
        // Not needed where no page has changed.
        let by_id = OnceCell::new();
        let indices_of = |id: &str| {
            let by_id = by_id.get_or_init(|| by_id_of(&targets, due));
            let first = by_id.partition_point(|(other, _)| *other < id);
            let same = by_id.iter().skip(first);
            let same = same.take_while(|(other, _)| *other == id);
            same.map(|(_, index)| *index).collect::<Vec<usize>>()
        };
        let keep = self.kept();
        let mut others = HashSet::new();
        let mut pages = self.pages.borrow_mut();
        let mut listed_pages = 0;
        let mut first = 0;
        let mut offset = 0;
        loop {
            let mut known = pages
                .get_mut(listed_pages)
                .map(std::mem::take)
                .unwrap_or_default();
            let page = self
                .client
                .page_of(self.kind, offset, &keep, &mut known.print, left())?;
            let mut fresh = page.is_none();
            if let Some(page) = page {
                known.rows = page.len();
                known.seen.clear();
                for body in page {
                    let id = id_of(&body);
                    let indices = indices_of(&id);
                    let Some(first) = indices.first() else {
                        fresh |= others.insert(id);
                        continue;
                    };
                    // What has not changed is kept, and shared with what is known already.
                    let last = last.get(*first).and_then(Option::as_ref);
                    let seen = match last {
                        Some(last) if **last == body => last.clone(),
                        _ => body.into(),
                    };
                    for index in indices {
                        fresh |= rows.take(index, &seen);
                        known.seen.push((index, seen.clone()));
                    }
                }
            } else {
                for (index, seen) in &known.seen {
                    rows.take(*index, seen);
                }
            }
            let length = known.rows;
            match pages.get_mut(listed_pages) {
                Some(page) => *page = known,
                None => pages.push(known),
            }
            if listed_pages == 0 {
                first = length;
            }
            listed_pages += 1;
            offset += length;
            let pays = rows.missing > 1 + PAGE / ROWS_A_REQUEST;
            if length < PAGE || !fresh || !pays {
                break;
            }
        }
        if rows.missing > 0 {
            // One that is named by its id only now may be on a page that was not read again.
            pages.clear();
        }
        self.rows.set(offset);
        let longest = self.longest.get();
        self.longest.set(longest.max(first));
        Ok(Some(Listing {
            is_whole: listed_pages == 1 && first < longest,
            is_proved: rows.found.iter().any(Option::is_some),
            rows: rows.found,
        }))
    }

    /// The fields that are looked at in a row of the list: those of the goal, and those that the result shows.
    fn kept(&self) -> Vec<&str> {
        let mut keep = vec!["id", "name", "is_soft_deleted", self.kind.field.name];
        let shown = show::columns(self.kind, self.client.version());
        keep.extend(shown.into_iter().map(|(_, field)| field));
        keep.extend(self.looks.fields.iter().map(String::as_str));
        keep.sort_unstable();
        keep.dedup();
        keep
    }

    /// Access rules of old services, by the list of their share.
    fn rules(&self, due: &[usize], left: &Left<'_>) -> Round<Seen, Error> {
        let share = self.looks.share.as_deref().unwrap_or_default();
        let rules = self.client.rules(share, "", left())?.unwrap_or_default();
        let look = |index: usize| {
            let asked = self.target(index).asked;
            match rules.iter().find(|rule| id_of(rule) == asked) {
                Some(rule) => {
                    // Its own answer would say so.
                    let mut rule = rule.clone();
                    rule.entry("share_id").or_insert_with(|| share.into());
                    self.seen(index, rule.into(), false)
                }
                None => Ok(Observation::Gone),
            }
        };
        Ok(due.iter().map(|&index| (index, look(index))).collect())
    }
}

fn name_of(body: &Body) -> Option<String> {
    let name = body.get("name").and_then(Value::as_str);
    name.filter(|name| !name.is_empty()).map(str::to_owned)
}

/// A name that is not unique, a field that is not there: nothing that time would mend.
fn is_usage(fault: &Fault<Error>) -> bool {
    matches!(fault, Fault::Fatal(error) if error.kind() == ErrorKind::Config)
}
