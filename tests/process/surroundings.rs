//! Homes, certificates, terminals, limits, time zones, locales and clocks.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use sim_cloud::{Certificate, Cloud, Config, Fault, Retry, Time, Tls};

use crate::binary::{Over, cloud, cloud_with, dressed, run, shell};
use crate::view::view;
use crate::{ENDS, NAME, PROGRAM, WAIT, going, service};

const SHORT: Duration = Duration::from_millis(300);

fn world() -> Cloud {
    let cloud = cloud();
    going(&cloud, SHORT, true);
    cloud
}

/// The shell's line, `{}` being a wait that ends well.
#[track_caller]
fn ends_well(cloud: &Cloud, text: &str) -> Over {
    let wait = format!("{NAME} {WAIT} --poll 0.1");
    let over = run(shell(cloud, &text.replace("{}", &wait))).exits(0);
    assert!(over.stdout.contains(ENDS), "{over:#?}");
    over
}

/// What is in a folder, and when it was written.
fn listing(folder: &Path) -> Vec<(String, SystemTime)> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut found: Vec<(String, SystemTime)> = Vec::new();
    for entry in entries {
        let about = entry.metadata().unwrap();
        if about.is_dir() {
            found.extend(listing(&entry.path()));
        }
        let name = entry.path().display().to_string();
        found.push((name, about.modified().unwrap()));
    }
    found.sort();
    found
}

#[test]
fn no_home_or_one_that_cannot_be_used_does_not_matter() {
    for home in [
        "unset HOME XDG_CONFIG_HOME",
        "export HOME=/nowhere",
        "export HOME=",
        "export HOME=/dev/null",
    ] {
        ends_well(&world(), &format!("{home}; exec {{}}"));
    }
}

#[test]
fn nothing_is_written_to_home_to_tmp_or_to_the_current_folder() {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(home.path().join(".config/openstack")).unwrap();
    std::fs::create_dir_all(home.path().join("tmp")).unwrap();
    let before = listing(home.path());
    let place = home.path().display();
    ends_well(
        &world(),
        &format!(
            "cd {place}; export HOME={place} TMPDIR={place}/tmp XDG_CACHE_HOME={place}; exec {{}}"
        ),
    );
    assert_eq!(listing(home.path()), before);
    // A folder that nobody may write to is as good.
    let mut rights = std::fs::metadata(home.path()).unwrap().permissions();
    rights.set_readonly(true);
    std::fs::set_permissions(home.path(), rights).unwrap();
    ends_well(&world(), &format!("cd {place}; HOME={place} exec {{}}"));
}

#[test]
fn a_system_without_certificates_serves_http_and_whoever_brings_his_own() {
    let none = "export SSL_CERT_FILE=/nowhere SSL_CERT_DIR=/nowhere";
    ends_well(&world(), &format!("{none}; exec {{}}"));
    let tls = Tls::new(Certificate::Good).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ca.pem");
    std::fs::write(&file, tls.ca()).unwrap();
    let secured = || {
        let cloud = cloud_with(|config| config.tls = Some(tls.clone()));
        going(&cloud, SHORT, true);
        cloud
    };
    let own = format!("{none}; export OS_CACERT={}", file.display());
    ends_well(&secured(), &format!("{own}; exec {{}}"));
    let line = format!("{none}; exec {NAME} {WAIT} --deadline 20");
    let over = run(shell(&secured(), &line)).exits(3);
    assert!(
        over.stderr.contains("hint: ") && over.stderr.contains("--os-cacert"),
        "{over:#?}"
    );
}

/// Where distributions keep certificates: empty in the process's own view.
const NO_CERTIFICATES: &str = "for place in /etc/ssl /etc/pki /etc/ca-certificates /usr/lib/ssl /usr/share/ca-certificates; do
        [ ! -d $place ] || mount -t tmpfs none $place || exit 99
    done
    [ -z \"$(ls -A /etc/ssl)\" ] || exit 98
    exec \"$@\"";

#[test]
fn a_system_whose_folders_of_certificates_are_empty_is_no_other() {
    let Some(words) = view() else {
        println!("no namespaces: nothing is checked");
        return;
    };
    let started = |cloud: &Cloud, authority: Option<&Path>| {
        let mut command = Command::new("unshare");
        command
            .args(words)
            .args(["sh", "-c", NO_CERTIFICATES, "sh", PROGRAM])
            .args(WAIT.split(' '))
            .args(["--poll", "0.1", "--deadline", "20"]);
        let mut command = dressed(command, cloud);
        if let Some(file) = authority {
            command.env("OS_CACERT", file);
        }
        run(command)
    };
    started(&world(), None).exits(0);
    let tls = Tls::new(Certificate::Good).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ca.pem");
    std::fs::write(&file, tls.ca()).unwrap();
    let cloud = cloud_with(|config| config.tls = Some(tls));
    going(&cloud, SHORT, true);
    let over = started(&cloud, None).exits(3);
    assert!(
        over.stderr.contains("hint: ") && over.stderr.contains("--os-cacert"),
        "{over:#?}"
    );
    started(&cloud, Some(&file)).exits(0);
}

#[test]
fn it_needs_no_controlling_terminal() {
    let cloud = world();
    let mut command = Command::new("setsid");
    command
        .arg("-w")
        .arg(PROGRAM)
        .args(WAIT.split(' '))
        .args(["--poll", "0.1"]);
    let over = run(dressed(command, &cloud)).exits(0);
    assert!(over.stdout.contains(ENDS), "{over:#?}");
}

#[test]
fn a_small_stack_and_few_files_are_enough() {
    for limit in [
        "ulimit -s 64",
        "ulimit -n 16",
        "ulimit -s 64; ulimit -n 16",
        "ulimit -c 0",
        "ulimit -f 0",
    ] {
        ends_well(&world(), &format!("{limit}; exec {{}}"));
    }
}

#[test]
fn neither_time_zone_nor_locale_changes_a_byte() {
    // Ports, ids, times and widths of columns differ from cloud to cloud; words do not.
    let words = |over: &Over| {
        let words = over.stdout.split(|c: char| !c.is_ascii_alphabetic());
        let words = words.filter(|word| word.len() > 3);
        words.collect::<Vec<_>>().join(" ")
    };
    // Up to the hour, which may end meanwhile.
    let hour = |over: &Over| {
        let line = over.stderr.lines().find(|line| line.contains("Z "));
        // A machine that is busy may look only after the end, and has nothing to tell then.
        line.map(|line| line.chars().take(13).collect::<String>())
    };
    let usual = ends_well(&world(), "export TZ=UTC; exec {}");
    let mut seen = Vec::new();
    for odd in [
        "TZ=Asia/Kathmandu",
        "TZ=:/nowhere",
        "TZ=",
        "TZ=XYZ-99:99",
        "LC_ALL=tr_TR.UTF-8",
        "LC_ALL=C",
        "LC_ALL=nonsense LANG=nonsense LANGUAGE=zz",
        "LC_NUMERIC=de_DE.UTF-8 LC_TIME=ja_JP.UTF-8",
    ] {
        let over = ends_well(&world(), &format!("export {odd}; exec {{}}"));
        assert_eq!(words(&over), words(&usual), "{odd}");
        seen.push((odd, hour(&over)));
    }
    let hours = [
        hour(&usual),
        hour(&ends_well(&world(), "export TZ=UTC; exec {}")),
    ];
    for (odd, hour) in seen {
        assert!(hour.is_none() || hours.contains(&hour), "{odd}: {hour:?}");
    }
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the clock of the cloud is set by that of this machine"
)]
fn clocks_that_differ_by_hours_do_not_matter() {
    let two_hours = Duration::from_secs(7200);
    let now = SystemTime::now();
    for epoch in [now - two_hours, now + two_hours] {
        let cloud = Cloud::start(Config::new(Time::real().with_epoch(epoch))).unwrap();
        going(&cloud, SHORT, true);
        // A date counts from the answer's own.
        let asked = Fault::Throttle(503, Retry::Date(Duration::from_secs(1)));
        cloud.fault(service().nth(2), asked);
        let over = ends_well(&cloud, "exec {}");
        assert!(over.took < Duration::from_secs(10), "{over:#?}");
        assert_eq!(cloud.sign_ins(), 1, "the token is as good as new");
    }
}
