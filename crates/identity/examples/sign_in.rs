//! Signs in with what the environment and the clouds file say, and shows where Heat and Manila are.
//!
//! `cargo run -p os-identity --example sign_in -- [--os-cloud NAME] [--os-OPTION VALUE]…`
#![expect(clippy::print_stdout, reason = "an example prints")]
#![expect(clippy::disallowed_methods, reason = "an example is its own main")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use os_identity::{
    Error, Files, Kind, ORCHESTRATION, Options, Request, SETTINGS, SHARED_FILE_SYSTEM, Session,
    Settings, Sources,
};
use poll_core::{Deadline, Policy, SystemClock};

struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{}", error.chain());
            if let Some(hint) = error.hint() {
                println!("hint: {hint}");
            }
            ExitCode::from(match error.kind() {
                Kind::Config => 2,
                Kind::Unknown => 3,
                Kind::NotFound => 4,
                Kind::Refused => 5,
                Kind::Rejected => 6,
                Kind::Deadline => 124,
            })
        }
    }
}

fn run() -> Result<(), Error> {
    let mut flags = BTreeMap::new();
    let mut args = std::env::args().skip(1);
    while let Some(option) = args.next() {
        let setting = SETTINGS
            .iter()
            .find(|setting| setting.flag.contains(&option.trim_start_matches("--")));
        let setting =
            setting.ok_or_else(|| Error::new(Kind::Config, format!("no such option: {option}")))?;
        let value = if setting.switch {
            Some("true".to_owned())
        } else {
            args.next()
        };
        flags.insert(setting.name.to_owned(), value.unwrap_or_default());
    }
    let env: BTreeMap<String, String> = std::env::vars().collect();
    let cwd = std::env::current_dir().unwrap_or_default();
    let settings = Settings::load(&Sources {
        flags: &flags,
        env: &env,
        files: &Disk,
        cwd: &cwd,
    })?;
    for warning in settings.warnings() {
        println!("warning: {warning}");
    }
    for shown in settings.shown() {
        println!("{} = {} ({})", shown.name, shown.value, shown.origin);
    }
    let clock = SystemClock::new();
    let options = Options {
        deadline: Deadline::At(Duration::from_secs(30)),
        ..Options::new("sign-in/1", Policy::default())
    };
    let session = Session::new(
        settings,
        options,
        &clock,
        &Disk,
        Box::new(|notice| println!("{notice:?}")),
    )?;
    session.sign_in()?;
    println!("project {:?}", session.project_id());
    for service in [ORCHESTRATION, SHARED_FILE_SYSTEM] {
        let base = session.endpoint(&service)?;
        println!("{} {base}", service.name);
    }
    let base = session.endpoint(&ORCHESTRATION)?;
    let reply = session.send(&Request::get(&format!("{base}/stacks?limit=1")))?;
    println!("{} {} bytes", reply.status, reply.body.len());
    Ok(())
}
