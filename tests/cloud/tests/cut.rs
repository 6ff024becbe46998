//! Creations whose connection is cut at a random byte, several at a time: never two stacks, never a verdict that is not known.

use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use cloud_tests::{Ended, Place, Program, User};
use serde_json::Value;
use sim_cloud::{Cut, Cutter};

/// How many creations, how many at a time, and whether each waits out its two minutes of looking for proof.
fn scale() -> (u64, usize, bool) {
    match Place::cuts() {
        Some(count) => (count, 12, true),
        None => (10, 10, false),
    }
}

#[test]
fn a_create_that_is_cut_anywhere_makes_one_stack_at_most_and_its_verdict_is_right() {
    let user = User::demo();
    let (count, workers, whole) = scale();
    let next = AtomicU64::new(0);
    let ends = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    let end = one(&user, number, whole);
                    ends.lock().expect("no test has failed").push(end);
                }
            });
        }
    });
    let ends = ends.into_inner().expect("no test has failed");
    let of = |exit: i32| ends.iter().filter(|end| **end == exit).count();
    println!(
        "{} creations were cut: {} reached, {} unknown",
        ends.len(),
        of(0),
        of(3)
    );
    assert_eq!(of(0) + of(3), usize::try_from(count).expect("few"));
}

/// Runs one, checks it against the stacks of its name, and gives its exit code.
fn one(user: &User, number: u64, whole: bool) -> i32 {
    let cut = cut(number);
    let target = user.heat.trim_start_matches("http://");
    let (host, path) = target.split_once('/').expect("an endpoint with a path");
    let target: SocketAddr = host.parse().expect("an address");
    let mut first = Some(cut);
    let cutter = Cutter::start(target, move || first.take()).expect("a free port");
    let name = Place::unique("cut");
    let template = format!(
        "{}/../templates/basic.yaml",
        Place::here().scripts.display()
    );
    let mut line = vec!["stack", "create", "-t", &template, &name];
    // Without the time to look for proof the fate of what did not pass is not known.
    if !whole {
        line.extend(["--deadline", "45s"]);
    }
    let endpoint = format!("http://{}/{path}", cutter.address());
    let ended = Program::heat(&line)
        .env("OS_ENDPOINT_OVERRIDE", &endpoint)
        .run();
    let stacks = stacks(user, &name);
    for stack in &stacks {
        let id = stack["id"].as_str().unwrap_or_default();
        user.send("DELETE", &format!("{}/stacks/{name}/{id}", user.heat), None);
    }
    check(&ended, &stacks, cut, whole);
    ended.exit
}

fn check(ended: &Ended, stacks: &[Value], cut: Cut, whole: bool) {
    let shown = format!("{cut:?}: {}\n{}\n{stacks:#?}", ended.exit, ended.stderr);
    match ended.exit {
        0 => {
            assert_eq!(stacks.len(), 1, "{shown}");
            assert_eq!(stacks[0]["stack_status"], "CREATE_COMPLETE", "{shown}");
            let id = stacks[0]["id"].as_str().expect("an id");
            assert!(ended.stdout.contains(id), "{shown}");
        }
        // There is a name to prove it by, and time to look.
        3 if !whole => {
            assert!(stacks.is_empty(), "{shown}");
            assert!(
                ended
                    .stderr
                    .contains("nobody knows whether the request was taken"),
                "{shown}"
            );
        }
        _ => assert!(stacks.len() <= 1 && ended.exit == 3 && !whole, "{shown}"),
    }
}

/// All stacks of that name.
fn stacks(user: &User, name: &str) -> Vec<Value> {
    let url = format!("{}/stacks?name={name}&show_deleted=True", user.heat);
    let body = user.accepted("GET", &url, None);
    body["stacks"].as_array().cloned().unwrap_or_default()
}

/// A byte of request or answer, the same in every run. A request has some 900 bytes, an answer some 600.
fn cut(number: u64) -> Cut {
    // Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014.
    let mut mixed = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let byte = |most: u64| usize::try_from((mixed >> 33) % most).unwrap_or(0);
    if mixed & 1 == 0 {
        Cut::Request(byte(900))
    } else {
        Cut::Answer(byte(600))
    }
}
