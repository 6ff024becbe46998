//! Two hundred operations of both programs while everything between them and the engines fails: `cargo xtask cloud test
//! --chaos`. Each verdict has to be what the service itself says afterwards.
//!
//! By seed, requests are cut, delayed and throttled, and API processes (beside the cloud's own) are stopped at chosen
//! moments of operations and started again; tokens live 5 seconds. The engines go on, so that there is a truth to
//! compare. With `--rolling` (rolling.rs) one wait for fifty stacks goes on while every process restarts, one after the other.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests on real services, which take real time"
)]

mod case;
mod crew;
mod dice;
mod judge;
mod outages;
mod proxy;
mod rolling;
mod shares;
mod stacks;
mod storm;
mod table;
mod wire;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use cloud_tests::{Ended, Place, Program, User};

use crate::case::{Case, DEADLINE, KINDS};
use crate::dice::Dice;
use crate::judge::judge;
use crate::outages::{Outages, Service};
use crate::proxy::Proxy;
use crate::storm::Storm;
use crate::table::{Row, Table};

#[test]
fn every_verdict_is_the_services_own_state_whatever_fails_on_the_way() {
    let number = |name, usual| Place::number(name).unwrap_or(usual);
    let seed = number("CHAOS_SEED", 1);
    let count = number("CHAOS_OPERATIONS", 200);
    let lanes = number("CHAOS_LANES", 16);
    let start = Instant::now();
    let outages = Outages::start();
    let user = User::demo();
    let next = AtomicU64::new(0);
    let rows = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..lanes {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    // The cloud itself may be too slow for what an operation starts from.
                    let row = AssertUnwindSafe(|| operation(&user, seed, number, &outages));
                    if let Ok(row) = catch_unwind(row) {
                        println!("{}", row.told(start.elapsed()));
                        rows.lock().expect("no lane has failed").push(row);
                    }
                }
            });
        }
    });
    let table = Table {
        seed,
        lanes,
        took: start.elapsed(),
        outages: outages.end(),
        rows: rows.into_inner().expect("no lane has failed"),
    };
    println!("<!-- chaos -->\n{table}<!-- chaos -->");
    assert_eq!(table.rows.len() as u64, count);
    assert_eq!(table.wrong(), 0, "verdicts that are not the truth");
}

/// Runs one operation through its weather, and judges it.
fn operation(user: &User, seed: u64, number: u64, outages: &Arc<Outages>) -> Row {
    let kind = KINDS[usize::try_from(number).unwrap_or(0) % KINDS.len()];
    let mut case = kind(user, &mut Dice::new(&[seed, number]));
    let storm = Arc::new(Storm::new(seed, number, case.service, outages.clone()));
    let meanwhile = case.meanwhile.take();
    let ended = thread::scope(|scope| {
        if let Some(meanwhile) = meanwhile {
            scope.spawn(meanwhile);
        }
        run(user, &case, &storm)
    });
    storm.ends();
    let facts = (case.facts)(&ended);
    let log = storm.log();
    let judgement = judge(&case, &ended, &facts, &log);
    Row {
        number,
        what: case.what,
        judgement,
        facts,
        ended,
        log,
    }
}

fn run(user: &User, case: &Case<'_>, storm: &Arc<Storm>) -> Ended {
    // The engine that takes changes is that of the cloud's own Heat.
    let heat: Option<u16> = user
        .heat
        .split([':', '/'])
        .nth(4)
        .and_then(|port| port.parse().ok());
    let keystone = Proxy::start(Service::Keystone, storm.clone(), None);
    let own = Proxy::start(
        case.service,
        storm.clone(),
        heat.filter(|_| case.service == Service::Heat),
    );
    let mut line = case.line.clone();
    let deadline = format!("{}s", DEADLINE.as_secs());
    for (option, value) in [
        ("--connect-wait", "2m"),
        ("--deadline", &deadline),
        ("--progress", "json"),
    ] {
        if !line.iter().any(|word| word == option) {
            line.extend([option.to_owned(), value.to_owned()]);
        }
    }
    let root = format!("http://127.0.0.1:{}", own.port);
    let program = match case.service {
        Service::Manila => Program::manila(&line).env(
            "OS_SHARED_FILE_SYSTEM_ENDPOINT_OVERRIDE",
            &format!("{root}/v2"),
        ),
        _ => Program::heat(&line).env("OS_ENDPOINT_OVERRIDE", &format!("{root}/v1/%(project_id)s")),
    };
    program
        .at_url(&format!("http://127.0.0.1:{}", keystone.port))
        .run()
}
