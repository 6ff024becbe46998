//! The expected ends, as they are written down in `expected.txt`.

use crate::step::{Program, Step};

const TEXT: &str = include_str!("expected.txt");

/// One cell: a fault at a step of a program, and how that has to end.
#[derive(Debug, Clone)]
pub(crate) struct Expected {
    pub(crate) fault: &'static str,
    pub(crate) stays: bool,
    pub(crate) program: Program,
    pub(crate) step: Step,
    pub(crate) exit: u8,
    /// How many changes are sent in all, where the fault strikes a change.
    pub(crate) sent: Option<usize>,
    /// What has to be said where the exit is not 0.
    pub(crate) words: &'static str,
}

/// Every cell of the table.
pub(crate) fn cells() -> Vec<Expected> {
    let mut cells = Vec::new();
    let rows = TEXT
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    for row in rows {
        let (left, words) = row
            .split_once('|')
            .unwrap_or_else(|| panic!("no words: {row}"));
        let mut columns = left.split_whitespace();
        let fault = columns.next().unwrap();
        let stays = match columns.next() {
            Some("once") => false,
            Some("stays") => true,
            other => panic!("{other:?} in {row}"),
        };
        let columns: Vec<&str> = columns.collect();
        assert_eq!(columns.len(), Step::ALL.len(), "{row}");
        for (step, column) in Step::ALL.into_iter().zip(columns) {
            let (heat, manila) = column.split_once(':').unwrap_or((column, column));
            for (program, text) in [(Program::Heat, heat), (Program::Manila, manila)] {
                if text == "-" || step.words(program).is_none() {
                    continue;
                }
                let (exit, sent) = text.split_once('x').map_or((text, None), |(exit, sent)| {
                    (exit, Some(sent.parse().unwrap()))
                });
                let exit = exit.parse().unwrap_or_else(|_| panic!("{text} in {row}"));
                let words = words.trim();
                cells.push(Expected {
                    fault,
                    stays,
                    program,
                    step,
                    exit,
                    sent,
                    words,
                });
            }
        }
    }
    cells
}
