//! Orders, by one instance of the standard library's sort: each type that it is compiled for adds four kilobytes to the
//! programs, and none here has so many things to sort that the detour over positions could be felt.

use std::cmp::Ordering;

use serde_json::{Map, Value};

/// Sorts; what is equal keeps its order.
pub fn sort_by<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let order = positions(
        items.len(),
        &|one, other| match (items.get(one), items.get(other)) {
            (Some(one), Some(other)) => compare(one, other),
            _ => Ordering::Equal,
        },
    );
    let mut slots: Vec<Option<T>> = std::mem::take(items).into_iter().map(Some).collect();
    let mut taken = |at: usize| slots.get_mut(at).and_then(Option::take);
    items.extend(order.into_iter().filter_map(&mut taken));
}

/// The members of an object in the order of their names. Python sorts text by code points, which is the order of UTF-8.
#[must_use]
pub fn by_name(map: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut members: Vec<(&String, &Value)> = map.iter().collect();
    sort_by(&mut members, |(one, _), (other, _)| one.cmp(other));
    members
}

fn positions(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&one, &other| compare(one, other));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_equal_keeps_its_order() {
        let mut words = vec!["tern", "egret", "owl", "heron", "ibis"];
        sort_by(&mut words, |one, other| one.len().cmp(&other.len()));
        assert_eq!(words, ["owl", "tern", "ibis", "egret", "heron"]);
    }

    #[test]
    fn members_are_ordered_by_name() {
        let value = serde_json::json!({"b": 1, "é": 2, "a": 3, "Z": 4});
        let map = value.as_object().cloned().unwrap_or_default();
        let names: Vec<&str> = by_name(&map)
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(names, ["Z", "a", "b", "é"]);
    }
}
