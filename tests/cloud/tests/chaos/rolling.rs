//! Minutes in which Keystone, Heat (API and engine) and Manila restart one after the other, again and again, while one
//! `heat-wait stack wait` waits for fifty stacks, and two smaller waits beside it for what goes on at their deadline:
//! `cargo xtask cloud test --chaos --rolling`.

use std::fmt;
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use cloud_tests::{Api, Ended, Place, Program, Running};

use crate::case::Fact;
use crate::crew::{Crew, Member, Users};
use crate::judge::{combined, exits};
use crate::outages::TOKEN;

/// So long a process that was stopped stays down, at least.
const DOWN: Duration = Duration::from_secs(2);
/// From the start of a process to the end of the next one.
const BETWEEN: Duration = Duration::from_secs(6);
/// From the last restart to the deadline of the waits: they must be able to look once more.
const REST: u64 = 60;

#[test]
fn each_of_fifty_verdicts_is_the_services_own_state_while_every_service_restarts_again_and_again() {
    let minutes = Place::number("CHAOS_MINUTES").unwrap_or(8).max(1);
    let span = Duration::from_secs(60 * minutes);
    let keystone = Api::keystone(TOKEN);
    let heat = Api::heat(&keystone);
    let manila = Api::manila(&keystone);
    let users = Users::new(&heat);
    let crew = Crew::new(&users, span);
    assert_eq!(crew.fifty.len(), 50);
    let thief = crew.thief();

    let start = Instant::now();
    let deadline = span.as_secs() + REST;
    let (to_heat, to_manila) = (Way(&keystone, &heat), Way(&keystone, &manila));
    let waits = [
        Wait::start("heat-wait", "create", crew.fifty, deadline, to_heat),
        Wait::start("heat-wait", "create", crew.few, deadline, to_heat),
        Wait::start("manila-wait", "deleted", crew.shares, deadline, to_manila),
    ];
    let mut restarts = [0; 3];
    thread::scope(|scope| {
        scope.spawn(move || {
            sleep(span / 3);
            thief();
        });
        for (turn, service) in [&keystone, &heat, &manila].into_iter().enumerate().cycle() {
            sleep(BETWEEN);
            if start.elapsed() >= span {
                break;
            }
            service.stop();
            sleep(DOWN);
            service.start();
            restarts[turn] += 1;
        }
    });
    let told = Told {
        waits: waits.map(Wait::end),
        restarts,
        took: start.elapsed(),
    };
    println!("<!-- rolling -->\n{told}<!-- rolling -->");
    let wrong: Vec<&String> = told.waits.iter().flat_map(|wait| &wait.wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(restarts.iter().all(|count| *count > 0), "{restarts:?}");
}

/// The Keystone and the service that a program is led to.
#[derive(Clone, Copy)]
struct Way<'a>(&'a Api, &'a Api);

/// One program that waits.
struct Wait<'u> {
    program: &'static str,
    members: Vec<Member<'u>>,
    running: Running,
}

impl<'u> Wait<'u> {
    fn start(
        program: &'static str,
        goal: &str,
        members: Vec<Member<'u>>,
        deadline: u64,
        Way(keystone, service): Way<'_>,
    ) -> Self {
        let noun = if program == "heat-wait" {
            "stack"
        } else {
            "share"
        };
        let mut line: Vec<String> = crate::case::words(&format!(
            "{noun} wait --for {goal} -f json --progress json --connect-wait 2m --deadline {deadline}s"
        ));
        line.extend(members.iter().map(|member| member.word.clone()));
        let command = match program {
            "heat-wait" => {
                let endpoint = format!("{}/v1/%(project_id)s", service.url());
                let command = Program::heat(&line).at(keystone);
                command
                    .env("OS_ENDPOINT_OVERRIDE", &endpoint)
                    .env("OS_USERNAME", "admin")
                    .env("OS_PROJECT_NAME", "admin")
            }
            _ => Program::manila(&line).at(keystone).env(
                "OS_SHARED_FILE_SYSTEM_ENDPOINT_OVERRIDE",
                &format!("{}/v2", service.url()),
            ),
        };
        Self {
            program,
            members,
            running: command.start(),
        }
    }

    /// Waits for its end, and compares each of its verdicts with what the service says.
    fn end(self) -> Judged {
        let ended = self.running.end();
        let mut judged = Judged {
            program: self.program,
            signins: ended.count("signin"),
            retries: ended.count("retry"),
            exit: ended.exit,
            rows: Vec::new(),
            wrong: Vec::new(),
        };
        let Some(exits) = exits(&ended, self.members.len()) else {
            let text = format!("{}: no row for each: {}", ended.exit, cut(&ended));
            judged.wrong.push(text);
            return judged;
        };
        if ended.exit != combined(&exits) {
            let text = format!("{exits:?} make no {}: {}", ended.exit, cut(&ended));
            judged.wrong.push(text);
        }
        for (member, exit) in self.members.iter().zip(exits) {
            let fact = (member.fact)();
            let right = matches!(
                (exit, &fact),
                (0, Fact::Reached) | (1, Fact::Failed) | (124, Fact::Running) | (4, Fact::Absent)
            );
            if !right {
                let (what, word) = (member.what, &member.word);
                let said: Vec<&str> = ended
                    .stderr
                    .lines()
                    .filter(|line| line.contains(word.as_str()))
                    .collect();
                let text = format!("{what} {word}: exit {exit}, {fact:?}: {}", said.join(" | "));
                judged.wrong.push(text);
            }
            judged.count(member.what, exit, right);
        }
        judged
    }
}

fn cut(ended: &Ended) -> String {
    let tail = ended.stderr.lines().rev().take(5);
    tail.collect::<Vec<_>>().join(" | ")
}

/// A wait that has ended.
struct Judged {
    program: &'static str,
    exit: i32,
    signins: usize,
    retries: usize,
    /// What was waited for, in the order of the command line: how many, how many of exit 0, 1, 124 and 4, and wrong ones.
    rows: Vec<(&'static str, [usize; 6])>,
    wrong: Vec<String>,
}

impl Judged {
    fn count(&mut self, what: &'static str, exit: i32, right: bool) {
        if self.rows.last().is_none_or(|(last, _)| *last != what) {
            self.rows.push((what, [0; 6]));
        }
        let Some((_, counts)) = self.rows.last_mut() else {
            return;
        };
        counts[0] += 1;
        let place = match (right, exit) {
            (false, _) => 5,
            (true, 0) => 1,
            (true, 1) => 2,
            (true, 124) => 3,
            (true, _) => 4,
        };
        counts[place] += 1;
    }
}

/// What is told of a run.
struct Told {
    waits: [Judged; 3],
    restarts: [u64; 3],
    took: Duration,
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| wait | waited for | of these | reached (0) | failed (1) | goes on (124) | missing (4) | wrong |\n\
             | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
        )?;
        for (number, wait) in (1..).zip(&self.waits) {
            for (what, [all, reached, failed, on, missing, wrong]) in &wait.rows {
                writeln!(
                    f,
                    "| {number} | {what} | {all} | {reached} | {failed} | {on} | {missing} | {wrong} |"
                )?;
            }
        }
        writeln!(f)?;
        for (number, wait) in (1..).zip(&self.waits) {
            let (program, exit) = (wait.program, wait.exit);
            let (signins, retries) = (wait.signins, wait.retries);
            writeln!(
                f,
                "Wait {number}: `{program}`, exit {exit}, signed in {signins} times, retried {retries} times."
            )?;
        }
        let [keystone, heat, manila] = self.restarts;
        writeln!(
            f,
            "Restarts in {} s: {}: Keystone {keystone}, Heat (API and engine) {heat}, Manila {manila}. Tokens of {TOKEN} s.",
            self.took.as_secs(),
            keystone + heat + manila,
        )
    }
}
