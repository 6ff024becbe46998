//! The connection of a creation is killed at every byte of its request and of its answer.

use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use sim_cloud::{Cut, Cutter, Seen, Service, secs};

use crate::harness::{Ended, World};
use crate::step::{Program, Step, world};

/// A world whose service stands behind a proxy that kills the first change there.
fn behind(program: Program, cut: Cut) -> (World, Cutter) {
    let mut world = world(program, Step::Create, None, "127.0.0.1");
    let service = Step::Create.service(program);
    let url = world.url(service);
    let target: SocketAddr = url.trim_start_matches("http://").parse().unwrap();
    let mut first = Some(cut);
    let cutter = Cutter::start(target, move || first.take()).unwrap();
    let place = match program {
        Program::Heat => format!("/v1/{}", world.config().project_id),
        Program::Manila => "/v2".to_owned(),
    };
    let endpoint = format!("http://{}{place}", cutter.address());
    world
        .env
        .insert("OS_ENDPOINT_OVERRIDE".to_owned(), endpoint);
    (world, cutter)
}

fn run(program: Program, cut: Cut) -> Ended {
    let words = Step::Create.words(program).unwrap();
    let (world, _cutter) = behind(program, cut);
    // Few looks: there are thousands of cuts.
    world.run(&words.replace("--poll 5", "--poll 30"))
}

/// The changes of a run, and how many of them were accepted.
fn changes(ended: &Ended) -> (usize, usize) {
    let is_change =
        |seen: &&Seen| seen.service != Service::Keystone && seen.request.method != "GET";
    let all: Vec<&Seen> = ended.requests.iter().filter(is_change).collect();
    let accepted = all
        .iter()
        .filter(|seen| matches!(seen.status, Some(200..=299)));
    (all.len(), accepted.count())
}

/// Bytes of request and answer, found out by cutting ever later.
fn lengths(program: Program) -> (usize, usize) {
    let whole = |cut: Cut| {
        let ended = run(program, cut);
        !ended.stderr.contains("was lost")
    };
    let least = |make: &dyn Fn(usize) -> Cut| {
        let (mut cut, mut whole_at) = (0, 8192);
        assert!(whole(make(whole_at)), "longer than {whole_at}");
        while whole_at - cut > 1 {
            let middle = usize::midpoint(cut, whole_at);
            if whole(make(middle)) {
                whole_at = middle;
            } else {
                cut = middle;
            }
        }
        whole_at
    };
    (least(&Cut::Request), least(&Cut::Answer))
}

/// `check` is told as well whether the whole request had passed.
fn every_byte(program: Program, check: fn(Cut, bool, &Ended)) {
    let (request, answer) = lengths(program);
    assert!(
        request > 300 && answer > 200,
        "{request} and {answer} bytes"
    );
    let cuts: Vec<Cut> = (0..request)
        .map(Cut::Request)
        .chain((0..answer).map(Cut::Answer))
        .collect();
    let next = AtomicUsize::new(0);
    let bad = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(cut) = cuts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let ended = run(program, *cut);
                    let passed = !matches!(cut, Cut::Request(bytes) if *bytes < request - 1);
                    let checked = std::panic::catch_unwind(|| check(*cut, passed, &ended));
                    if checked.is_err() {
                        bad.lock().unwrap().push(format!("{cut:?}\n{ended}"));
                    }
                }
            });
        }
    });
    let bad = bad.into_inner().unwrap();
    println!("{program:?}: {} cuts, {} bad", cuts.len(), bad.len());
    assert!(
        bad.is_empty(),
        "{} of {}: {}",
        bad.len(),
        cuts.len(),
        bad[0]
    );
}

#[test]
fn a_stack_whose_creation_is_cut_at_any_byte_exists_once_and_its_end_is_seen() {
    every_byte(Program::Heat, |cut, passed, ended| {
        assert_eq!(ended.exit, 0);
        let (sent, accepted) = changes(ended);
        assert_eq!(accepted, 1);
        assert!(ended.stderr.contains("the answer to the request was lost"));
        assert!(ended.stdout.contains("CREATE_COMPLETE"));
        assert_eq!(sent, 1);
        // Heat has never seen a request that did not pass: the name stayed absent for two minutes, and it was sent again.
        assert_eq!(ended.elapsed >= secs(140), !passed, "{cut:?}");
    });
}

#[test]
fn a_share_whose_creation_is_cut_at_any_byte_is_created_at_most_once_and_nothing_is_claimed_of_it()
{
    every_byte(Program::Manila, |cut, passed, ended| {
        assert_eq!(ended.exit, 3);
        assert_eq!(ended.stdout, "");
        let (sent, accepted) = changes(ended);
        let unknown = ended
            .stderr
            .contains("it is not known whether the request was taken");
        assert!(unknown);
        let (count, words) = if passed {
            (1, "and perhaps by it: ")
        } else {
            (0, "nothing like it has appeared since")
        };
        assert_eq!((sent, accepted), (count, count), "{cut:?}");
        assert!(ended.stderr.contains(words));
        let hint = "hint: if it is that one, go on waiting with: ";
        assert_eq!(ended.stderr.contains(hint), passed);
    });
}
