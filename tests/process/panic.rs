//! A panic in a program: its own exit code, one line with where it was and nothing of what it said, and no core.
//!
//! This file is a program of its own that runs as both programs do and then panics, and, called without words, the test that
//! calls it so. It needs no switch in the programs themselves.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test, and a program with a bug"
)]

use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitCode, Output, Stdio};

use wait_cli::process::{self, End};

use wait_cli::{Exit, Host, Program};

const SECRET: &str = "gAAAAA-hunter2";
const WAYS: [&str; 5] = ["told", "error", "index", "thread", "object"];

/// What makes it panic; other words are those of `cargo test`.
const PANICS: &str = "--panics";

const BUGGY: Program = Program {
    name: "moult-wait",
    env_prefix: "MOULT_WAIT",
    version: "1.2.3",
};

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some(PANICS) {
        return process::main(&BUGGY, panicking);
    }
    for way in WAYS {
        check(way, &run(&format!("exec \"$0\" {PANICS} {way}")));
        let quiet = run(&format!("exec \"$0\" {PANICS} {way} >&- 2>&-"));
        assert_eq!(quiet.status.code(), Some(70), "{way} with closed streams");
        println!("test a_panic_tells_its_place_and_no_secret ({way}) ... ok");
    }
    println!("\ntest result: ok. {} passed; 0 failed", WAYS.len());
    ExitCode::SUCCESS
}

/// Panics in the way that its argument says, with a secret in what the panic says.
fn panicking(host: &mut Host<'_>) -> End {
    let _ = writeln!(host.out, "begun");
    let way = host.args.pop().unwrap().into_string().unwrap();
    match way.as_str() {
        "told" => panic!("the token {SECRET} is odd"),
        "error" => {
            let read = host.files.read("/nowhere/at/all".as_ref());
            read.map_err(|_| format!("answered {SECRET}")).unwrap();
        }
        "index" => {
            let secret = SECRET.to_owned();
            let _ = &secret[secret.len() + host.args.len()..];
        }
        "thread" => {
            let thread = std::thread::spawn(|| panic!("{SECRET}"));
            let _ = thread.join();
        }
        _ => std::panic::panic_any(SECRET.to_owned()),
    }
    End::Exit(Exit::Reached)
}

/// Runs this program through a shell that would let cores be dumped, in a folder where one would be seen.
fn run(line: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let program = std::env::current_exe().unwrap();
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit -c unlimited 2>/dev/null; {line}"))
        .arg(program)
        .current_dir(&folder)
        .env("RUST_BACKTRACE", "full")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "{line}");
    output
}

fn check(way: &str, output: &Output) {
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(70), "{way}: {told}");
    assert!(!output.status.core_dumped(), "{way}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "begun\n", "{way}");
    assert!(!told.contains(SECRET), "{way}: {told}");
    let lines: Vec<&str> = told.lines().collect();
    let [line, hint] = lines.as_slice() else {
        unreachable!("{way}: one line and a hint, not\n{told}");
    };
    assert!(line.starts_with("moult-wait: internal error at "), "{line}");
    assert!(
        line.contains("panic.rs") && line.contains("(version 1.2.3)"),
        "{line}"
    );
    assert!(hint.starts_with("hint: "), "{hint}");
}
