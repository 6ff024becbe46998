//! Cases from public bug reports of people who wait for Manila.

use std::time::Duration;

use serde_json::json;
use sim_cloud::{Answer, Fault, Item, Kind, Response, Retry, When, secs};

use crate::harness::{Bench, ID};

const WAIT: &str = "share wait lagoon --for available --poll 5";

/// The looks at the share itself.
fn look() -> When {
    When::manila().get().ends(ID)
}

fn creating_until(bench: &Bench, seconds: u64) {
    bench.cloud.item(
        bench
            .lagoon()
            .status(secs(0), "creating")
            .status(secs(seconds), "available"),
    );
}

// 6. Throttled.
#[test]
fn throttling_is_obeyed_to_the_second_and_is_no_error() {
    let bench = Bench::new();
    creating_until(&bench, 30);
    // The first look is that by name.
    bench.cloud.script(
        look(),
        [
            Answer::fault(Fault::Throttle(429, Retry::Seconds(20))),
            Answer::fault(Fault::Throttle(413, Retry::Date(secs(10)))),
        ],
    );
    let run = bench
        .line(&format!("{WAIT} --deadline 60s --max-errors 1"))
        .exits(0);
    assert_eq!(run.took, secs(35), "{run}");
    assert_eq!(bench.times(ID), [5, 25, 35]);
}

// 6b. Asked to stay away beyond the deadline.
#[test]
fn throttling_never_outlives_the_deadline() {
    let bench = Bench::new();
    creating_until(&bench, 600);
    bench
        .cloud
        .fault(look(), Fault::Throttle(429, Retry::Seconds(600)));
    let run = bench
        .line(&format!("{WAIT} --deadline 60s"))
        .exits(124)
        .says(&["still creating at the deadline"]);
    assert_eq!(run.took, secs(60), "{run}");
    assert_eq!(bench.times(ID), [5]);
}

// 6c. Throttled without a wish.
#[test]
fn throttling_without_a_wish_makes_pauses_that_grow() {
    let bench = Bench::new();
    creating_until(&bench, 0);
    bench.cloud.fault(
        When::manila().get().path("/shares").first(5),
        Fault::Throttle(429, Retry::Unsaid),
    );
    bench.line("share wait lagoon --deadline 10m").exits(0);
    let times: Vec<Duration> = bench
        .cloud
        .asked(&When::manila().path("/shares/detail"))
        .iter()
        .map(|seen| seen.time)
        .collect();
    let pauses: Vec<Duration> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(pauses.len(), 5);
    assert!(
        pauses.windows(2).all(|pair| pair[1] > pair[0]),
        "{pauses:?}"
    );
}

// 7. The token dies during the wait.
#[test]
fn a_wait_outlives_its_token_and_keeps_its_microversion() {
    let bench = Bench::with(|config| config.token_life = secs(3600));
    creating_until(&bench, 5);
    bench.cloud.script(look(), [Fault::Status(401)]);
    bench.line(WAIT).exits(0);
    assert_eq!(bench.cloud.sign_ins(), 2);
    let looks = bench.cloud.asked(&look());
    assert_eq!(looks.len(), 2);
    assert!(looks.iter().all(|seen| seen.version() == Some("2.98")));
    assert_ne!(looks[0].token(), looks[1].token());
}

// 7b. The new token is refused as well.
#[test]
fn a_401_that_stays_is_refused_without_a_third_login() {
    let bench = Bench::new();
    creating_until(&bench, 60);
    bench.cloud.fault(look(), Fault::Status(401));
    bench.line(WAIT).exits(5).says(&["go on waiting with", ID]);
    assert!(
        bench.cloud.sign_ins() <= 2,
        "{} logins",
        bench.cloud.sign_ins()
    );
}

// 7c. The second login is refused.
#[test]
fn the_words_of_the_refused_login_are_shown_and_not_those_of_the_401() {
    let bench = Bench::new();
    creating_until(&bench, 60);
    bench.cloud.fault(look(), Fault::Status(401));
    let locked = json!({"error": {"code": 401, "message": "The account is locked.", "title": "Unauthorized"}});
    bench
        .cloud
        .answer(When::sign_in().after(1), Answer::json(401, &locked));
    bench
        .line(WAIT)
        .exits(5)
        .says(&["The account is locked."])
        .hides("Authentication required");
}

// 7d. The second login meets an outage.
#[test]
fn an_outage_of_the_second_login_is_ridden_out() {
    let bench = Bench::new();
    creating_until(&bench, 5);
    bench.cloud.script(look(), [Fault::Status(401)]);
    bench
        .cloud
        .fault(When::sign_in().nth(2), Fault::Status(503));
    bench.line(WAIT).exits(0);
}

// 7e. Only a token.
#[test]
fn a_bare_token_that_ends_before_the_deadline_is_warned_of_and_ends_the_wait() {
    let mut bench = Bench::with(|config| config.token_life = secs(600));
    creating_until(&bench, 1800);
    let token = bench.cloud.token(secs(600));
    for name in ["OS_USERNAME", "OS_PASSWORD", "OS_USER_DOMAIN_NAME"] {
        bench.env.remove(name);
    }
    bench.env.insert("OS_AUTH_TYPE".into(), "token".into());
    bench.env.insert("OS_TOKEN".into(), token);
    bench
        .line(&format!("{WAIT} --deadline 1h"))
        .exits(5)
        .says(&[
            "warning: the token ends in",
            "before the deadline",
            "hint: go on waiting with",
        ]);
}

// Manila's `next` link carries a marker that /shares ignores, and unknown filters return everything.
#[test]
fn the_next_link_is_never_followed() {
    let bench = Bench::new();
    let page = |id: &str, name: &str| {
        json!({
            "shares": [{"id": id, "name": name, "status": "available"}],
            "shares_links": [{"rel": "next", "href": format!("{}/v2/shares/detail?marker={id}", "http://127.0.0.1:1")}],
        })
    };
    // A service that knows no filter and ends no list.
    bench.cloud.answer(
        When::manila().path("/shares/detail"),
        Answer::json(200, &page(ID, "other")),
    );
    bench.line("share wait lagoon").exits(4);
    assert!(
        bench
            .targets()
            .iter()
            .all(|target| !target.contains("marker="))
    );
    assert!(bench.targets().len() < 20, "{:?}", bench.targets());
}

#[test]
fn a_share_that_an_ignored_filter_brings_is_not_taken_for_another() {
    let bench = Bench::new();
    let all = json!({"shares": [
        {"id": "bbbbbbbb-0000-4000-8000-000000000009", "name": "lagoon-2", "status": "error"},
        {"id": ID, "name": "lagoon", "status": "available"},
    ]});
    bench.cloud.answer(
        When::manila().path("/shares/detail"),
        Answer::json(200, &all),
    );
    assert_eq!(
        bench.line("share wait lagoon -f json").exits(0).json()["id"],
        ID
    );
}

#[test]
fn a_project_id_of_digits_is_no_version() {
    let bench = Bench::with(|config| {
        config.project_id = "20202020202020202020202020202020".to_owned();
        config.manila_prefix = "/share".to_owned();
    });
    creating_until(&bench, 5);
    bench.line(WAIT).exits(0);
    assert!(
        bench
            .targets()
            .iter()
            .all(|target| !target.contains("/v2/v2")),
        "{:?}",
        bench.targets()
    );
}

#[test]
fn one_bad_answer_never_ends_a_wait() {
    let bench = Bench::new();
    creating_until(&bench, 300);
    bench.cloud.script(
        look(),
        [
            Answer::fault(Fault::Status(503)),
            Answer::fault(Fault::ResetBefore),
            Answer::fault(Fault::Html(404)),
            Answer::fault(Fault::BrokenJson),
            Answer::fault(Fault::OtherJson),
            Answer::fault(Fault::Empty),
            Answer::json(
                404,
                &json!({"message": "no Route matched with those values"}),
            ),
            Answer::json(200, &json!({"share": {"status": "available"}})),
        ],
    );
    bench.line(WAIT).exits(0).hides("<html").says(&["503"]);
    assert_eq!(bench.cloud.unasked(), 0);
}

#[test]
fn faults_beyond_patience_end_in_unknown_with_the_way_to_go_on() {
    let bench = Bench::new();
    creating_until(&bench, 300);
    bench.cloud.fault(look(), Fault::Status(503));
    bench
        .line(&format!("{WAIT} --max-errors 3"))
        .exits(3)
        .says(&[
            "state unknown",
            "last seen creating",
            &format!("manila-wait share wait {ID} --for available"),
        ]);
    assert_eq!(bench.times(ID).len(), 3);
}

#[test]
fn a_share_gone_once_for_a_stale_node_is_not_gone() {
    let bench = Bench::new();
    bench
        .cloud
        .item(bench.lagoon().status(secs(0), "deleting").gone(secs(60)));
    bench.cloud.script(look(), [Fault::Status(404)]);
    let run = bench
        .line(&format!("share wait {ID} --for deleted --poll 5"))
        .exits(0);
    assert!(run.took >= secs(60), "{run}");
}

#[test]
fn what_the_service_sends_cannot_drive_the_terminal() {
    let bench = Bench::new();
    bench.cloud.item(
        Item::new(Kind::Share, "la\u{1b}[2Jgoon")
            .id(ID)
            .status(secs(0), "error")
            .message(secs(0), "bad \u{7}\u{9b}31m ünlucky"),
    );
    let run = bench
        .line(&format!("share wait {ID}"))
        .exits(1)
        .says(&["ünlucky"]);
    for c in ['\u{1b}', '\u{7}', '\u{9b}'] {
        assert!(
            !run.err.contains(c) && !run.out.contains(c),
            "{c:?} in {run}"
        );
    }
}

#[test]
fn an_answer_of_another_service_is_no_share() {
    let bench = Bench::new();
    bench.cloud.answer(
        When::manila().path("/v2/"),
        Answer::raw(Response::html(200)),
    );
    bench
        .line(&format!("share wait {ID} --max-errors 2"))
        .exits(3);
}
