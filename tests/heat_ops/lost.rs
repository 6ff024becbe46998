//! Answers that are lost.

use sim_cloud::{Fault, Outcome, Retry, Service, When, secs};

use crate::{changes, stack, world};

#[test]
fn a_lost_answer_to_a_request_that_was_taken_is_no_harm() {
    for fault in [
        Fault::ResetAfter,
        Fault::TakenStatus(504),
        Fault::TakenStatus(500),
        Fault::HalfBody,
    ] {
        for (before, words) in [
            ("CREATE_COMPLETE", "suspend tarn"),
            ("CREATE_COMPLETE", "check tarn"),
            ("SUSPEND_COMPLETE", "resume tarn"),
            ("CREATE_COMPLETE", "delete tarn"),
        ] {
            if words.starts_with("delete") && matches!(fault, Fault::HalfBody) {
                continue; // There is no body to cut.
            }
            let world = world(before);
            world.fault(When::heat().change(), fault.clone());
            let ended = stack(&world, words).exits(0);
            assert_eq!(changes(&world), 1, "{fault:?} {words}");
            ended.says(&[
                "the answer to the request was lost",
                "the request was taken",
            ]);
        }
    }
}

#[test]
fn without_proof_the_fate_is_unknown_after_two_minutes() {
    for fault in [Fault::ResetBefore, Fault::Status(502), Fault::Status(503)] {
        for words in ["suspend tarn", "delete tarn"] {
            let world = world("CREATE_COMPLETE");
            world.fault(When::heat().change(), fault.clone());
            let ended = stack(&world, words).exits(3);
            assert_eq!(changes(&world), 1, "{fault:?}");
            assert!(
                ended.elapsed >= secs(120) && ended.elapsed < secs(130),
                "{ended}"
            );
            ended.says(&["nobody knows whether the request was taken: it is CREATE_COMPLETE"]);
        }
    }
}

#[test]
fn the_deadline_within_the_search_for_proof_is_unknown() {
    let world = world("CREATE_COMPLETE");
    world.fault(When::heat().change(), Fault::Status(502));
    let ended = stack(&world, "suspend tarn --deadline 30").exits(3);
    assert!(ended.elapsed < secs(32), "{ended}");
}

#[test]
fn what_was_surely_not_taken_is_sent_again() {
    let world = world("CREATE_COMPLETE");
    world.fault(
        When::heat().change().first(3),
        Fault::Throttle(503, Retry::Seconds(7)),
    );
    let ended = stack(&world, "suspend tarn").exits(0);
    assert_eq!(changes(&world), 4);
    assert!(ended.elapsed >= secs(21), "{ended}");
}

#[test]
fn an_outage_after_the_request_is_ridden_out() {
    let world = world("CREATE_COMPLETE");
    world.heat_outcome("suspend", None, Outcome::Complete(secs(100)));
    world.outage(Service::Heat, secs(70), secs(120));
    stack(&world, "suspend tarn").exits(0);
    assert_eq!(changes(&world), 1);
}

#[test]
fn a_redirect_to_another_server_is_not_followed() {
    let world = world("CREATE_COMPLETE");
    let away = Fault::Redirect(302, "http://192.0.2.1/".to_owned());
    world.fault(When::heat().change(), away);
    let ended = stack(&world, "suspend tarn").exits(3);
    assert_eq!(changes(&world), 1);
    ended.says(&["redirects to another server"]);
}
