//! The whole table.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use poll_core::{Clock as _, SystemClock};

use crate::cell::{self, Dry};
use crate::harness::World;
use crate::table::{self, Expected};

/// More than there are cores: whoever hangs waits in real time.
const WORKERS: usize = 6;
/// No cell may take longer, in real time.
const HANGS: Duration = Duration::from_secs(60);

#[test]
fn every_fault_at_every_step_ends_as_it_is_written() {
    let only = only();
    let cells: Vec<Expected> = table::cells();
    let cells = cells.into_iter().filter(|cell| {
        only.as_ref()
            .is_none_or(|only| name(cell).contains(only.as_str()))
    });
    let cells: Arc<Vec<Expected>> = Arc::new(cells.collect());
    let clock = SystemClock::new();
    let red = run_all(&cells);
    println!(
        "fault matrix: {} cells, {} red, {} s",
        cells.len(),
        red.len(),
        clock.now().as_secs()
    );
    for (cell, why) in red.iter().take(400) {
        println!("--- {}\n{why}", name(cell));
    }
    assert!(
        red.is_empty(),
        "{} of {} cells are red",
        red.len(),
        cells.len()
    );
}

/// `FAULT_CELLS=hang` runs the cells that have this in their names.
#[expect(
    clippy::disallowed_methods,
    reason = "for whoever looks into a red cell"
)]
fn only() -> Option<String> {
    std::env::var("FAULT_CELLS").ok()
}

fn name(cell: &Expected) -> String {
    let stays = if cell.stays { "stays" } else { "once" };
    format!(
        "{} {stays} at {:?} of {:?}",
        cell.fault, cell.step, cell.program
    )
}

fn run_all(cells: &Arc<Vec<Expected>>) -> Vec<(Expected, String)> {
    let next = Arc::new(AtomicUsize::new(0));
    let dry = Arc::new(Dry::default());
    let running = Arc::new(Mutex::new(vec![String::new(); WORKERS]));
    let (tell, told) = mpsc::channel();
    for worker in 0..WORKERS {
        let (cells, next, dry) = (cells.clone(), next.clone(), dry.clone());
        let (tell, running) = (tell.clone(), running.clone());
        std::thread::spawn(move || {
            let elsewhere = World::new("nobody", heat_cli::run, |_| {});
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(cell) = cells.get(number) else {
                    return;
                };
                running.lock().unwrap()[worker] = name(cell);
                let end = cell::run(cell, &dry, &elsewhere, &format!("mark-{number}-"));
                if tell.send((number, end)).is_err() {
                    return;
                }
            }
        });
    }
    drop(tell);
    let mut red = Vec::new();
    for _ in cells.iter() {
        let Ok((number, end)) = told.recv_timeout(HANGS) else {
            panic!(
                "a cell hangs or a worker died: {:#?}",
                running.lock().unwrap()
            );
        };
        if let Err(why) = end {
            red.push((number, why));
        }
    }
    red.sort_by_key(|(number, _)| *number);
    red.into_iter()
        .map(|(number, why)| (cells[number].clone(), why))
        .collect()
}
