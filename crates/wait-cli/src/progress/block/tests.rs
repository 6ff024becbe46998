use super::*;

const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn watched(name: &str, status: &str, since: u64) -> (Watched, Duration) {
    let one = Watched {
        label: format!("stack {name} (ID)"),
        name: name.to_owned(),
        status: status.to_owned(),
        done: status.ends_with("COMPLETE") || status.ends_with("FAILED"),
    };
    (one, secs(since))
}

fn running(paths: &[(&str, u64)]) -> Running {
    paths
        .iter()
        .map(|(path, since)| {
            let state = ("CREATE_IN_PROGRESS".to_owned(), secs(*since));
            ((*path).to_owned(), state)
        })
        .collect()
}

/// The block a hundred seconds after the beginning, an hour before the deadline.
fn drawn(
    watched: &[(Watched, Duration)],
    running: &Running,
    columns: usize,
    rows: usize,
) -> Vec<String> {
    let facts = Facts {
        watched,
        running,
        finished: 4,
        now: secs(100),
        elapsed: secs(100),
        left: Some(secs(3_600)),
    };
    let lines = lines(&facts, columns, rows);
    for line in &lines {
        assert!(display_width(line) < columns, "{columns}: {line:?}");
        assert!(!line.contains(printable::is_control), "{line:?}");
    }
    lines
}

fn web() -> Running {
    running(&[
        ("web", 0),
        ("web.server", 40),
        ("web.volume", 88),
        ("web.pool", 5),
        ("web.pool.member-0", 60),
        ("web2.other", 1),
    ])
}

#[test]
fn one_resource_says_what_goes_on_inside_the_slowest_first() {
    let web = [watched("web", "CREATE_IN_PROGRESS", 0)];
    assert_eq!(
        drawn(&web, &self::web(), 80, 24),
        [
            "web  CREATE_IN_PROGRESS  1m 40s: pool 1m 35s, server 1m, 2 more",
            "1m 40s elapsed, 1h left; 4 finished inside, 5 in progress",
        ]
    );
}

#[test]
fn a_wide_terminal_shows_all_of_it() {
    let web = [watched("web", "CREATE_IN_PROGRESS", 0)];
    assert_eq!(
        drawn(&web, &self::web(), 200, 24)[0],
        "web  CREATE_IN_PROGRESS  1m 40s: pool 1m 35s, server 1m, pool.member-0 40s, volume 12s"
    );
}

#[test]
fn on_a_narrow_terminal_times_and_statuses_are_the_last_to_go() {
    let web = [watched("a-very-long-name", "CREATE_IN_PROGRESS", 0)];
    let none = Running::new();
    assert_eq!(
        drawn(&web, &none, 20, 24),
        ["a-very-…  CREATE…", "1m 40s elapsed, …"]
    );
    assert_eq!(drawn(&web, &none, 4, 24), ["…", "…"]);
}

#[test]
fn several_resources_stand_in_columns() {
    let several = [
        watched("web", "CREATE_IN_PROGRESS", 0),
        watched("database", "CREATE_COMPLETE", 90),
        watched("cache", "", 0),
    ];
    assert_eq!(
        drawn(&several, &Running::new(), 80, 24),
        [
            "web       CREATE_IN_PROGRESS  1m 40s",
            "database  CREATE_COMPLETE",
            "cache     not seen yet        1m 40s",
            "1m 40s elapsed, 1h left; 1 of 3 done; 4 finished inside, 0 in progress",
        ]
    );
}

#[test]
fn wide_characters_take_the_columns_that_they_take() {
    let shares = [
        watched("日本語のファイル", "creating", 0),
        watched("🚀👩\u{200d}🚀", "extending", 40),
        watched("plain", "creating", 0),
    ];
    assert_eq!(
        drawn(&shares, &Running::new(), 80, 24)[..3],
        [
            "日本語のファイル  creating   1m 40s",
            "🚀👩\u{200d}🚀              extending  1m",
            "plain             creating   1m 40s",
        ]
    );
    for columns in 4..60 {
        drawn(&shares, &Running::new(), columns, 24);
    }
    assert!(drawn(&shares, &Running::new(), 20, 24)[0].starts_with("日本語…  creat"));
}

#[test]
fn many_collapse_to_counts_and_the_slowest() {
    let mut many: Vec<_> = (0..37)
        .map(|n| watched(&format!("web-{n}"), "CREATE_IN_PROGRESS", 80 - n))
        .collect();
    many.extend((0..12).map(|n| watched(&format!("db-{n}"), "CREATE_COMPLETE", n)));
    many.push(watched("bad", "CREATE_FAILED", 3));
    let shown = drawn(&many, &running(&[("web-36.server", 50)]), 80, 24);
    assert_eq!(
        shown,
        [
            "37 CREATE_IN_PROGRESS, 12 CREATE_COMPLETE, 1 CREATE_FAILED",
            "slowest: web-36  CREATE_IN_PROGRESS  56s: server 50s",
            "         web-35  CREATE_IN_PROGRESS  55s",
            "         web-34  CREATE_IN_PROGRESS  54s",
            "1m 40s elapsed, 1h left; 13 of 50 done; 4 finished inside, 1 in progress",
        ]
    );
}

#[test]
fn at_most_half_of_a_low_terminal_is_taken() {
    let several: Vec<_> = (0..6)
        .map(|n| watched(&format!("web-{n}"), "CREATE_IN_PROGRESS", n))
        .collect();
    for rows in 0..40 {
        let height = drawn(&several, &Running::new(), 80, rows).len();
        assert!(height <= (rows / 2).max(1), "{rows}: {height}");
    }
    assert_eq!(
        drawn(&several, &Running::new(), 80, 4)[0],
        "6 CREATE_IN_PROGRESS"
    );
}

#[test]
fn names_of_strangers_cannot_drive_the_terminal() {
    let evil = [watched("a\x1b[2Jb\nc", "CREATE\x07\u{202e}", 0)];
    let inside = running(&[("a\x1b[2Jb\nc.\x1b]0;x\x07", 0)]);
    let shown = drawn(&evil, &inside, 80, 24);
    assert_eq!(shown.len(), 2);
    assert!(shown[0].contains("\\x1b]0;x\\x07"), "{shown:?}");
}

#[test]
fn before_anything_is_known_there_are_times_alone() {
    let facts = Facts {
        watched: &[],
        running: &Running::new(),
        finished: 0,
        now: secs(9),
        elapsed: Duration::from_millis(3_400),
        left: None,
    };
    assert_eq!(lines(&facts, 80, 24), ["3s elapsed"]);
}
