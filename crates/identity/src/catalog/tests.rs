use serde_json::json;

use super::*;
use crate::Kind;

fn catalog() -> Catalog {
    let one = |interface: &str, region: &str, url: &str| json!({"interface": interface, "region": region, "region_id": region, "url": url});
    serde_json::from_value(json!([
        {"type": "identity", "name": "keystone", "endpoints": [one("public", "A", "http://k/v3")]},
        {"type": "orchestration", "name": "heat", "endpoints": [
            one("public", "A", "http://a/v1/p/"), one("internal", "A", "http://a-in/v1/p"), one("public", "B", "http://b/v1/p")]},
        {"type": "share", "name": "manila", "endpoints": [one("public", "A", "http://m/v1/p")]},
        {"type": "sharev2", "name": "manilav2", "endpoints": [one("public", "A", "http://m/v2"), {"interface": "admin", "url": null}]},
    ]))
    .unwrap()
}

fn wanted(interfaces: &str, region: Option<&str>) -> Wanted {
    Wanted {
        interfaces: super::interfaces(interfaces),
        region: region.map(str::to_owned),
        ..Wanted::default()
    }
}

#[test]
fn interface_and_region_are_chosen() {
    for (service, interfaces, region, expected) in [
        (ORCHESTRATION, "public", Some("A"), "http://a/v1/p"),
        (ORCHESTRATION, "publicURL", Some("B"), "http://b/v1/p"),
        (ORCHESTRATION, "internal", None, "http://a-in/v1/p"),
        (
            ORCHESTRATION,
            "admin, internal,public",
            Some("A"),
            "http://a-in/v1/p",
        ),
        (ORCHESTRATION, "internal,public", Some("B"), "http://b/v1/p"),
        (SHARED_FILE_SYSTEM, "public", None, "http://m/v2"),
    ] {
        assert_eq!(
            catalog()
                .endpoint(&service, &wanted(interfaces, region))
                .unwrap(),
            expected,
            "{interfaces} {region:?}"
        );
    }
    let named = Wanted {
        service_type: Some("share".into()),
        ..wanted("public", None)
    };
    assert_eq!(
        catalog().endpoint(&SHARED_FILE_SYSTEM, &named).unwrap(),
        "http://m/v1/p"
    );
    let named = Wanted {
        service_name: Some("manila".into()),
        ..wanted("public", None)
    };
    assert!(
        catalog().endpoint(&SHARED_FILE_SYSTEM, &named).is_err(),
        "share of version 1 does not count"
    );
}

#[test]
fn share_counts_where_its_url_says_version_two() {
    for (url, counts) in [
        ("http://m/v2/p", true),
        ("http://m/share/v2", true),
        ("http://m/v1/p", false),
        ("http://m", false),
        ("http://m/2", false),
    ] {
        let catalog: Catalog = serde_json::from_value(
            json!([{"type": "share", "endpoints": [{"interface": "public", "url": url}]}]),
        )
        .unwrap();
        assert_eq!(
            catalog
                .endpoint(&SHARED_FILE_SYSTEM, &wanted("public", None))
                .is_ok(),
            counts,
            "{url}"
        );
    }
}

#[test]
fn what_is_on_offer_is_told() {
    for (service, interfaces, region, message, hint) in [
        (
            ORCHESTRATION,
            "public",
            None,
            "orchestration is offered in several regions, and none is chosen",
            "A, B",
        ),
        (
            ORCHESTRATION,
            "public",
            Some("C"),
            "no orchestration endpoint in region C",
            "regions on offer: A, B",
        ),
        (
            ORCHESTRATION,
            "internal",
            Some("B"),
            "no internal orchestration endpoint in region B",
            "regions on offer: A",
        ),
        (
            ORCHESTRATION,
            "admin",
            Some("A"),
            "no admin orchestration endpoint",
            "interfaces on offer: internal, public",
        ),
        (
            OBJECT_STORE,
            "public",
            None,
            "this cloud has no object-store service",
            "identity, orchestration, share, sharev2",
        ),
    ] {
        let error = catalog()
            .endpoint(&service, &wanted(interfaces, region))
            .unwrap_err();
        assert_eq!(
            (error.to_string().as_str(), error.kind()),
            (message, Kind::Config)
        );
        assert!(error.hint().unwrap().ends_with(hint), "{:?}", error.hint());
    }
    let error = Catalog::default()
        .endpoint(&ORCHESTRATION, &wanted("public", None))
        .unwrap_err();
    assert!(error.hint().unwrap().contains("--os-project-name"));
}

#[test]
fn templates_of_overrides_are_filled() {
    for (template, expected) in [
        ("http://h/v1/%(project_id)s", "http://h/v1/42"),
        ("http://h/v1/$(tenant_id)s/", "http://h/v1/42"),
        ("http://h/%(tenant_id)s/$(project_id)s", "http://h/42/42"),
        ("http://h/v2/", "http://h/v2"),
    ] {
        assert_eq!(fill(template, Some("42")), expected);
    }
}
