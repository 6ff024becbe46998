//! What each fault looks like to a real client.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, SystemTime};

use poll_core::Clock;
use serde_json::json;
use sim_cloud::{Answer, Fault, Item, Kind, Response, Retry, Service, Stack, When, secs};

use crate::client::{Client, Got};

/// A stack to look at, its path, and a fault on every look.
fn spoilt(fault: Fault) -> (Client, String) {
    let client = Client::new();
    let id = client.cloud.stack(Stack::standing("tarn").id("aaaa01"));
    client.cloud.fault(When::heat(), fault);
    (client, format!("stacks/tarn/{id}"))
}

fn look(client: &Client, path: &str) -> Result<Got, String> {
    let url = format!(
        "{}/v1/{}/{path}",
        client.cloud.url(Service::Heat),
        client.project()
    );
    client
        .send("GET", &url, None, &[])
        .map_err(|error| format!("{error:?}"))
}

#[test]
fn a_reset_arrives_as_a_reset_before_and_after_the_request_was_taken() {
    for (fault, taken) in [(Fault::ResetBefore, false), (Fault::ResetAfter, true)] {
        let (client, path) = spoilt(fault);
        let url = format!(
            "{}/v1/{}/{path}",
            client.cloud.url(Service::Heat),
            client.project()
        );
        for body in [None, Some("{\"delete\": null}".to_owned())] {
            let error = client.send("DELETE", &url, body, &[]).unwrap_err();
            assert!(
                format!("{error:?}").contains("ConnectionReset"),
                "{error:?}"
            );
        }
        client.cloud.clear_rules();
        let status = client
            .heat(&path)
            .json()
            .pointer("/stack/stack_status")
            .unwrap()
            .clone();
        assert_eq!(status == "DELETE_IN_PROGRESS", taken, "{status}");
    }
}

#[test]
fn silence_lasts_until_the_client_leaves_and_takes_the_request_only_when_it_says_so() {
    for (fault, taken) in [(Fault::Hang, false), (Fault::HangAfter, true)] {
        let (mut client, path) = spoilt(fault);
        let url = format!(
            "{}/v1/{}/{path}",
            client.cloud.url(Service::Heat),
            client.project()
        );
        client.timeout = Duration::from_millis(200);
        let error = client.send("DELETE", &url, None, &[]).unwrap_err();
        assert!(matches!(error, ureq::Error::Timeout(_)), "{error:?}");
        client.timeout = secs(20);
        client.cloud.clear_rules();
        let status = client
            .heat(&path)
            .json()
            .pointer("/stack/stack_status")
            .unwrap()
            .clone();
        assert_eq!(status == "DELETE_IN_PROGRESS", taken, "{status}");
    }
}

#[test]
fn half_and_slow_answers_never_arrive_whole_in_time() {
    let slow = Duration::from_millis(10);
    for fault in [
        Fault::StallBody,
        Fault::Trickle(slow),
        Fault::SlowHead(slow),
    ] {
        let (mut client, path) = spoilt(fault.clone());
        client.timeout = Duration::from_millis(100);
        let error = look(&client, &path).unwrap_err();
        assert!(
            error.contains("Timeout") || error.contains("TimedOut"),
            "{fault:?}: {error}"
        );
    }
    let (client, path) = spoilt(Fault::HalfBody);
    assert!(look(&client, &path).unwrap_err().contains("UnexpectedEof"));
    let (client, path) = spoilt(Fault::Closed);
    assert!(look(&client, &path).is_err());
    let (client, path) = spoilt(Fault::Garbage);
    assert!(look(&client, &path).is_err());
}

#[test]
fn spoilt_bodies_come_with_a_good_head() {
    let bodies = [
        (Fault::BrokenJson, 200, "{\"stack\""),
        (Fault::OtherJson, 200, "{\"unexpected\":[]}"),
        (Fault::Html(502), 502, "<html>"),
        (Fault::Empty, 200, ""),
    ];
    for (fault, status, start) in bodies {
        let (client, path) = spoilt(fault.clone());
        let got = look(&client, &path).unwrap();
        assert_eq!(got.status, status, "{fault:?}");
        assert!(
            String::from_utf8_lossy(&got.body).starts_with(start),
            "{fault:?}"
        );
        let whole = matches!(fault, Fault::OtherJson);
        assert_eq!(
            serde_json::from_slice::<serde_json::Value>(&got.body).is_ok(),
            whole,
            "{fault:?}"
        );
    }
    let (client, path) = spoilt(Fault::Spaces(64 << 20));
    let got = look(&client, &path).unwrap();
    assert_eq!(got.body.len(), 64 << 20);
}

#[test]
fn chunks_and_a_connection_closed_after_the_answer_are_no_faults_to_a_good_client() {
    let (plain, path) = spoilt(Fault::Status(500));
    plain.cloud.clear_rules();
    let wanted = look(&plain, &path).unwrap().json();
    for fault in [Fault::Chunked, Fault::CloseAfter] {
        let (client, path) = spoilt(fault.clone());
        for _ in 0..2 {
            // A client that is quicker than the end of the connection asks on a dead one: once more.
            let got = look(&client, &path)
                .or_else(|_| look(&client, &path))
                .unwrap();
            assert_eq!(
                got.json().pointer("/stack/id"),
                wanted.pointer("/stack/id"),
                "{fault:?}"
            );
        }
        let connections: Vec<u64> = client
            .cloud
            .requests()
            .iter()
            .map(|seen| seen.connection)
            .collect();
        assert_eq!(
            connections.first() != connections.last(),
            fault == Fault::CloseAfter
        );
    }
}

#[test]
fn a_kept_connection_found_dead_is_one_failed_request_and_then_a_new_connection() {
    let (client, path) = spoilt(Fault::Hang);
    client.cloud.clear_rules();
    client.cloud.fault(When::heat().nth(2), Fault::Closed);
    let looks = [(); 3].map(|()| look(&client, &path).is_ok());
    assert_eq!(looks, [true, false, true]);
    let connections: Vec<u64> = client
        .cloud
        .requests()
        .iter()
        .map(|seen| seen.connection)
        .collect();
    assert_eq!(connections, [1, 1, 2]);
}

#[test]
fn a_gzipped_body_is_a_gzip_file_of_the_answer() {
    let (client, path) = spoilt(Fault::Gzip);
    let got = look(&client, &path).unwrap();
    assert_eq!(got.header("content-encoding"), Some("gzip"));
    let plain = serde_json::to_vec(&json!({})).unwrap();
    assert!(got.body.starts_with(&[0x1f, 0x8b, 8]) && got.body.len() > plain.len());
    // One stored block: header 10, block head 5, text, sum 4, length 4.
    let text = &got.body[15..got.body.len() - 8];
    assert!(
        serde_json::from_slice::<serde_json::Value>(text)
            .unwrap()
            .get("stack")
            .is_some()
    );
    let length = u32::from_le_bytes(got.body[got.body.len() - 4..].try_into().unwrap());
    assert_eq!(length as usize, text.len());
}

#[test]
fn statuses_come_in_the_words_of_the_service_asked() {
    let client = Client::new();
    client
        .cloud
        .item(Item::new(Kind::Share, "lagoon").id("bbbb02"));
    for status in [401, 403, 404, 408, 425, 429, 500, 502, 503, 504] {
        client.cloud.clear_rules();
        client.cloud.fault(When::any(), Fault::Status(status));
        for got in [
            client.heat("stacks"),
            client.manila(99, "shares/bbbb02"),
            client.ask("GET", &client.cloud.auth_url(), None),
        ] {
            assert_eq!(got.status, status);
            assert!(got.json().is_object());
            assert_eq!(got.header("retry-after"), None);
        }
    }
}

#[test]
fn retry_after_comes_in_seconds_and_as_a_date_against_the_answers_own_date() {
    let client = Client::new();
    client.clock.advance(secs(30));
    for status in [413, 429, 503] {
        client.cloud.clear_rules();
        client.cloud.script(
            When::manila(),
            [
                Fault::Throttle(status, Retry::Seconds(20)),
                Fault::Throttle(status, Retry::Date(secs(10))),
                Fault::Throttle(status, Retry::Unsaid),
            ],
        );
        let seconds = client.manila(99, "shares");
        assert_eq!(
            (seconds.status, seconds.header("retry-after")),
            (status, Some("20"))
        );
        let date = client.manila(99, "shares");
        assert_eq!(date.header("date"), Some("Tue, 04 Mar 2031 10:00:30 GMT"));
        assert_eq!(
            date.header("retry-after"),
            Some("Tue, 04 Mar 2031 10:00:40 GMT")
        );
        assert_eq!(client.manila(99, "shares").header("retry-after"), None);
        assert_eq!(client.manila(99, "shares").status, 200);
    }
}

#[test]
fn redirects_lead_in_a_circle_or_elsewhere() {
    let (client, path) = spoilt(Fault::RedirectLoop);
    let got = look(&client, &path).unwrap();
    let location = got.header("location").unwrap().to_owned();
    assert_eq!(
        client.ask("GET", &location, None).header("location"),
        Some(location.as_str())
    );
    let (client, path) = spoilt(Fault::Redirect(307, "http://other.test/".to_owned()));
    let got = look(&client, &path).unwrap();
    assert_eq!(
        (got.status, got.header("location")),
        (307, Some("http://other.test/"))
    );
}

#[test]
fn a_service_that_is_down_refuses_and_comes_back_on_its_port() {
    let client = Client::new();
    let url = client.cloud.url(Service::Heat);
    assert_eq!(client.heat("stacks").status, 200);
    client.cloud.down(Service::Heat);
    let error = client.send("GET", &url, None, &[]).unwrap_err();
    assert!(
        format!("{error:?}").contains("ConnectionRefused"),
        "{error:?}"
    );
    assert_eq!(client.manila(99, "shares").status, 200);
    client.cloud.up(Service::Heat).unwrap();
    assert_eq!(client.heat("stacks").status, 200);
    assert_eq!(client.cloud.url(Service::Heat), url);
}

#[test]
fn an_outage_begins_and_ends_by_the_clients_clock() {
    let client = Client::new();
    let clock = client.cloud.clock();
    client.cloud.outage(Service::Manila, secs(10), secs(20));
    let url = client.cloud.url(Service::Manila);
    let mut seen = Vec::new();
    for _ in 0..5 {
        seen.push((
            clock.now().as_secs(),
            client.send("GET", &format!("{url}/"), None, &[]).is_ok(),
        ));
        clock.sleep(secs(5));
    }
    assert_eq!(
        seen,
        [(0, true), (5, true), (10, false), (15, false), (20, true)]
    );
    assert_eq!(client.clock.pauses().len(), 5);
}

#[test]
fn a_script_is_played_in_order_and_then_the_model_answers() {
    let client = Client::new();
    let id = client.cloud.stack(Stack::create("tarn", secs(8)));
    let path = format!("stacks/tarn/{id}");
    let made_up = json!({"stack": {"stack_status": "MOULT_COMPLETE"}});
    client.cloud.script(
        When::heat().get().ends(&id),
        [
            Answer::json(200, &made_up),
            Fault::Status(503).into(),
            Answer::model(),
            Response::html(504).into(),
        ],
    );
    client
        .cloud
        .fault(When::heat().get().ends(&id).nth(2), Fault::Html(502));
    let statuses: Vec<u16> = (0..7).map(|_| client.heat(&path).status).collect();
    assert_eq!(statuses, [200, 503, 200, 504, 200, 502, 200]);
    assert_eq!(client.cloud.unasked(), 0);
    assert_eq!(client.cloud.count(&When::heat().ends(&id), Some(200)), 4);
}

#[test]
fn conditions_look_at_method_query_token_and_time() {
    let client = Client::new();
    client
        .cloud
        .fault(When::heat().change(), Fault::Status(500));
    client.cloud.fault(
        When::heat().query("marker=").between(secs(10), secs(20)),
        Fault::Status(502),
    );
    client
        .cloud
        .fault(When::manila().token("other"), Fault::Status(504));
    assert_eq!(client.heat_change("POST", "stacks", &json!({})).status, 500);
    assert_eq!(client.heat("stacks?marker=x").status, 200);
    client.clock.advance(secs(10));
    assert_eq!(client.heat("stacks?marker=x").status, 502);
    assert_eq!(client.heat("stacks").status, 200);
    client.clock.advance(secs(10));
    assert_eq!(client.heat("stacks?marker=x").status, 200);
    assert_eq!(client.manila(99, "shares").status, 200);
}

#[test]
fn answers_and_latency_take_time_of_the_clouds_clock() {
    let client = Client::with(|config| config.latency = Duration::from_millis(200));
    client
        .cloud
        .answer(When::heat().nth(2), Answer::model().takes(secs(7)));
    client.heat("stacks");
    assert_eq!(client.clock.now(), Duration::from_millis(200));
    client.heat("stacks");
    assert_eq!(client.clock.now(), Duration::from_millis(7_400));
    assert!(client.clock.pauses().is_empty());
}

#[test]
fn the_log_keeps_time_target_headers_body_and_status() {
    let client = Client::new();
    client.clock.advance(secs(3));
    client.manila_change(
        "POST",
        "shares?x=1",
        &json!({"share": {"size": 1, "share_proto": "NFS"}}),
    );
    let seen = client.cloud.requests().pop().unwrap();
    assert_eq!(
        (seen.time, seen.service, seen.status),
        (secs(3), Service::Manila, Some(200))
    );
    assert_eq!(
        (seen.target().as_str(), seen.version()),
        ("/v2/shares?x=1", Some("2.99"))
    );
    assert_eq!(seen.token(), Some(client.token.as_str()));
    assert_eq!(seen.json().unwrap().pointer("/share/size"), Some(&json!(1)));
}

#[test]
fn dropping_the_cloud_ends_a_silent_connection() {
    let client = Client::new();
    client.cloud.fault(When::any(), Fault::Hang);
    let address = client
        .cloud
        .url(Service::Heat)
        .trim_start_matches("http://")
        .to_owned();
    let mut stream = TcpStream::connect(&address).unwrap();
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        .unwrap();
    while client.cloud.requests().is_empty() {
        std::thread::yield_now();
    }
    drop(client);
    assert!(matches!(stream.read(&mut [0]), Ok(0) | Err(_)));
    assert!(TcpListener::bind(&address).is_ok());
}

#[test]
fn requests_in_chunks_and_with_an_expectation_are_understood() {
    let client = Client::new();
    let address = client
        .cloud
        .url(Service::Manila)
        .trim_start_matches("http://")
        .to_owned();
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!(
        "POST /v2/shares HTTP/1.1\r\nHost: x\r\nX-Auth-Token: {}\r\nConnection: close\r\n",
        client.token
    );
    let body = "{\"share\": {\"size\": 1, \"share_proto\": \"NFS\"}}";
    let (one, two) = body.split_at(10);
    let chunks = format!(
        "Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n{:x}\r\n{one}\r\n{:x}\r\n{two}\r\n0\r\n\r\n",
        one.len(),
        two.len()
    );
    stream.write_all((head + &chunks).as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert!(
        text.starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"),
        "{text}"
    );
    assert_eq!(
        client.cloud.requests().pop().unwrap().request.body,
        body.as_bytes()
    );
}

#[test]
fn the_wall_clock_starts_where_it_is_told() {
    let epoch = SystemTime::UNIX_EPOCH + secs(86_400);
    let client = Client::with(|config| config.time = config.time.clone().with_epoch(epoch));
    assert_eq!(
        client.heat("stacks").header("date"),
        Some("Fri, 02 Jan 1970 00:00:00 GMT")
    );
}
