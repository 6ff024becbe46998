//! What is printed: the result on stdout in every format, progress on stderr in every form.

use serde_json::{Value, json};
use sim_cloud::{Fault, Stack, When, secs};

use crate::{Ended, TARN, e, standing, tarn, wait, world};

/// `tarn` at its end, in this format.
fn one(format: &str) -> String {
    let world = world();
    world.stack(standing());
    wait(&world, &format!("tarn {format}")).exits(0).stdout
}

#[test]
fn one_stack_in_every_format() {
    assert_eq!(
        one(""),
        "\
+---------------------+--------------------------------------+
| Field               | Value                                |
+---------------------+--------------------------------------+
| id                  | aaaaaaaa-0000-4000-8000-000000000001 |
| stack_name          | tarn                                 |
| description         | No description                       |
| creation_time       | 2031-03-04T10:00:00Z                 |
| updated_time        | None                                 |
| stack_status        | CREATE_COMPLETE                      |
| stack_status_reason | Stack CREATE completed successfully  |
+---------------------+--------------------------------------+
"
    );
    assert_eq!(
        one("-f json"),
        r#"{
  "id": "aaaaaaaa-0000-4000-8000-000000000001",
  "stack_name": "tarn",
  "description": "No description",
  "creation_time": "2031-03-04T10:00:00Z",
  "updated_time": null,
  "stack_status": "CREATE_COMPLETE",
  "stack_status_reason": "Stack CREATE completed successfully"
}
"#
    );
    assert_eq!(
        one("-f yaml"),
        "\
id: aaaaaaaa-0000-4000-8000-000000000001
stack_name: tarn
description: No description
creation_time: '2031-03-04T10:00:00Z'
updated_time: null
stack_status: CREATE_COMPLETE
stack_status_reason: Stack CREATE completed successfully
"
    );
    assert_eq!(
        one("-f value"),
        "\
aaaaaaaa-0000-4000-8000-000000000001
tarn
No description
2031-03-04T10:00:00Z
None
CREATE_COMPLETE
Stack CREATE completed successfully
"
    );
    assert_eq!(
        one("-f shell --prefix s_"),
        "\
s_id=\"aaaaaaaa-0000-4000-8000-000000000001\"
s_stack_name=\"tarn\"
s_description=\"No description\"
s_creation_time=\"2031-03-04T10:00:00Z\"
s_updated_time=\"None\"
s_stack_status=\"CREATE_COMPLETE\"
s_stack_status_reason=\"Stack CREATE completed successfully\"
"
    );
    assert_eq!(
        one("-f value -c id -c stack_status"),
        format!("{TARN}\nCREATE_COMPLETE\n")
    );
    assert_eq!(
        one("-f json --noindent -c stack_status"),
        "{\"stack_status\": \"CREATE_COMPLETE\"}\n"
    );
}

/// Two stacks, the second of which fails, in this format.
fn two(format: &str) -> Ended {
    let world = world();
    world.stack(standing());
    world.stack(Stack::failing("fen", secs(0), "boom").id("bbbbbbbb-0000-4000-8000-000000000002"));
    wait(&world, &format!("tarn fen {format}")).exits(1)
}

#[test]
fn several_stacks_in_every_format() {
    assert_eq!(
        two("").stdout,
        "\
+--------------------------------------+------------+-----------------+----------------------+--------------+
| ID                                   | Stack Name | Stack Status    | Creation Time        | Updated Time |
+--------------------------------------+------------+-----------------+----------------------+--------------+
| aaaaaaaa-0000-4000-8000-000000000001 | tarn       | CREATE_COMPLETE | 2031-03-04T10:00:00Z | None         |
| bbbbbbbb-0000-4000-8000-000000000002 | fen        | CREATE_FAILED   | 2031-03-04T10:00:00Z | None         |
+--------------------------------------+------------+-----------------+----------------------+--------------+
"
    );
    assert_eq!(
        two("-f csv").stdout,
        "\
\"ID\",\"Stack Name\",\"Stack Status\",\"Creation Time\",\"Updated Time\"
\"aaaaaaaa-0000-4000-8000-000000000001\",\"tarn\",\"CREATE_COMPLETE\",\"2031-03-04T10:00:00Z\",\"\"
\"bbbbbbbb-0000-4000-8000-000000000002\",\"fen\",\"CREATE_FAILED\",\"2031-03-04T10:00:00Z\",\"\"
"
    );
    assert_eq!(
        two("-f value -c ID -c 'Stack").stdout.lines().count(),
        2,
        "a column that is none is left out while another is one"
    );
    assert_eq!(two("-f value -c stack_name").stdout, "tarn\nfen\n");
    assert_eq!(
        two("-f value -c stack_name --sort-column stack_name").stdout,
        "fen\ntarn\n"
    );
    // Keys in the order of the alphabet, as PyYAML writes them in lists.
    let first = "- Creation Time: '2031-03-04T10:00:00Z'\n  ID: aaaaaaaa-0000-4000-8000-000000000001\n  Stack Name: tarn\n";
    assert!(
        two("-f yaml").stdout.starts_with(first),
        "{}",
        two("-f yaml")
    );
    let rows = two("-f json").json();
    assert_eq!(rows[0]["Stack Name"], "tarn");
    assert_eq!(
        (&rows[0]["outcome"], &rows[0]["exit"]),
        (&json!("reached"), &json!(0))
    );
    assert_eq!(
        (&rows[1]["outcome"], &rows[1]["exit"]),
        (&json!("failed"), &json!(1))
    );
}

#[test]
fn json_carries_outcome_and_exit_whenever_it_is_not_0() {
    let world = world();
    world.stack(Stack::failing("fen", secs(0), "boom"));
    world.stack(Stack::create("tarn", secs(900)));
    for (words, outcome, exit) in [
        ("fen", "failed", 1),
        ("tarn --deadline 10s", "deadline", 124),
        ("typo", "not found", 4),
    ] {
        let ended = wait(&world, &format!("{words} -f json")).exits(exit);
        assert_eq!(
            (&ended.json()["outcome"], &ended.json()["exit"]),
            (&json!(outcome), &json!(exit)),
            "{ended}"
        );
    }
    let ended = wait(&world, "fen typo tarn --deadline 10s -f json").exits(1);
    let outcomes: Vec<_> = ended
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["outcome"].clone())
        .collect();
    assert_eq!(outcomes, ["failed", "not found", "deadline"], "{ended}");
}

#[test]
fn the_result_is_printed_whenever_the_stack_is_known() {
    let world = world();
    world.stack(Stack::create("tarn", secs(900)).id(TARN));
    assert_eq!(
        wait(&world, "tarn --deadline 10s -f value -c id")
            .exits(124)
            .stdout,
        format!("{TARN}\n")
    );
    world.fault(
        When::heat().between(secs(15), secs(10_000)),
        Fault::Status(503),
    );
    assert_eq!(
        wait(&world, "tarn --max-errors 2 -f value -c id")
            .exits(3)
            .stdout,
        format!("{TARN}\n")
    );
    let gone = crate::world();
    gone.stack(Stack::create("tarn", secs(900)).id(TARN).purged(secs(9)));
    assert_eq!(
        wait(&gone, "tarn -f value -c id").exits(1).stdout,
        format!("{TARN}\n")
    );
}

/// A stack whose events and reasons try to drive the terminal.
fn hostile() -> Stack {
    let reason = "\u{0}\u{1b}]0;title\u{7}\u{1b}[2J\u{7f}\u{9b}31m\u{202e}abc\u{2066}\r\nheat-wait: all is well";
    tarn()
        .own(secs(0), "CREATE_IN_PROGRESS", "")
        .event(
            secs(1),
            "re\u{1b}[1med\u{202e}",
            Some("r"),
            "CREATE_FAILED",
            reason,
        )
        .own(secs(4), "CREATE_FAILED", reason)
}

#[test]
fn what_servers_send_is_harmless_on_stderr_and_on_a_table_and_intact_in_json() {
    let world = world();
    world.stack(hostile());
    for form in ["plain", "json", "none"] {
        let ended = wait(&world, &format!("tarn --progress {form} -f json")).exits(1);
        let bad = |c: char| {
            (c.is_control() && c != '\n')
                || ('\u{202a}'..='\u{202e}').contains(&c)
                || ('\u{2066}'..='\u{2069}').contains(&c)
        };
        if form != "json" {
            assert!(!ended.stderr.contains(bad), "{form}: {:?}", ended.stderr);
        }
        assert!(
            !ended.stderr.contains(|c: char| c.is_control() && c != '\n'),
            "{form}: {:?}",
            ended.stderr
        );
        assert!(
            !ended
                .stderr
                .lines()
                .any(|line| line == "heat-wait: all is well"),
            "{ended}"
        );
        let reason = ended.json()["stack_status_reason"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        assert!(
            reason.starts_with('\u{0}')
                && reason.contains("\u{1b}]0;title\u{7}")
                && reason.contains('\u{202e}'),
            "{reason:?}"
        );
    }
}

#[test]
fn json_progress_is_one_object_a_line_of_schema_1_with_nothing_cut() {
    let world = world();
    world.stack(hostile());
    world.fault(
        When::heat().between(secs(1), secs(7)).nth(1),
        Fault::Status(503),
    );
    let ended = wait(&world, "tarn --progress json").exits(1);
    let lines: Vec<Value> = ended
        .stderr
        .lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    assert!(
        lines
            .iter()
            .all(|line| line["schema"] == 1 && line["time"].is_string()),
        "{ended}"
    );
    let kinds: Vec<&str> = lines
        .iter()
        .filter_map(|line| line["type"].as_str())
        .collect();
    for kind in ["signin", "event", "retry", "error", "result"] {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }
    let reed = lines
        .iter()
        .find(|line| line["status"] == "CREATE_FAILED" && line["type"] == "event")
        .expect("an event");
    assert_eq!(reed["path"], "tarn.re\u{1b}[1med\u{202e}");
    assert!(
        reed["reason"]
            .as_str()
            .unwrap_or_default()
            .starts_with("\u{0}\u{1b}]0;title"),
        "{reed}"
    );
    let result = lines
        .iter()
        .find(|line| line["type"] == "result")
        .expect("a result");
    assert_eq!(
        (&result["outcome"], &result["exit"], &result["id"]),
        (&json!("failed"), &json!(1), &json!(TARN))
    );
}

#[test]
fn a_json_heartbeat_says_what_is_pending() {
    let world = world();
    world.stack(Stack::create("tarn", secs(100)).id(TARN));
    let ended = wait(&world, "tarn --progress json").exits(0);
    let beat = ended
        .stderr
        .lines()
        .find(|line| line.contains("\"heartbeat\""))
        .expect("a heartbeat");
    let beat: Value = serde_json::from_str(beat).expect(beat);
    assert_eq!(beat["pending"][0]["status"], "CREATE_IN_PROGRESS", "{beat}");
    assert_eq!(beat["pending"][0]["age"], 60, "{beat}");
}

#[test]
fn plain_progress_is_the_log_format_of_the_python_client_in_utc() {
    let world = world();
    world.stack(
        standing()
            .event(secs(9), "reed", None, "UPDATE_IN_PROGRESS", "state changed")
            .event_id(&e(41))
            .own(secs(9), "UPDATE_FAILED", "")
            .event_id(&e(42)),
    );
    world.advance(secs(10));
    let ended = wait(&world, &format!("tarn --since {}", e(40))).exits(1);
    let lines: Vec<&str> = ended.stderr.lines().collect();
    assert_eq!(
        lines[..2],
        [
            format!(
                "2031-03-04 10:00:09Z {} [tarn.reed]: UPDATE_IN_PROGRESS  state changed",
                e(41)
            ),
            format!("2031-03-04 10:00:09Z {} [tarn]: UPDATE_FAILED", e(42)),
        ]
    );
}

#[test]
fn quiet_leaves_the_result_and_the_final_error() {
    let world = world();
    world.stack(Stack::failing("fen", secs(30), "boom"));
    world.stack(Stack::create("tarn", secs(90)).id(TARN));
    let ended = wait(&world, "tarn -q").exits(0);
    assert!(
        ended.stderr.is_empty() && ended.stdout.contains(TARN),
        "{ended}"
    );
    let ended = wait(&world, "fen -q").exits(1);
    assert_eq!(ended.stderr.lines().count(), 1, "{ended}");
    ended.says(&["fen", "CREATE_FAILED: boom"]);
    let mut lone = crate::world();
    lone.env
        .insert("OS_PASSWORD".to_owned(), "wrong".to_owned());
    let ended = wait(&lone, "tarn -q").exits(5);
    assert!(ended.stderr.starts_with("heat-wait: "), "{ended}");
}

#[test]
fn without_progress_only_the_end_is_said() {
    let world = world();
    world.stack(Stack::failing("fen", secs(200), "boom"));
    let ended = wait(&world, "fen --progress none").exits(1);
    assert!(
        ended
            .stderr
            .lines()
            .all(|line| line.starts_with("heat-wait: ")),
        "{ended}"
    );
    ended
        .says(&["CREATE_FAILED: boom"])
        .never_says(&["still waiting"]);
}

#[test]
fn a_terminal_gets_a_block_that_is_gone_in_the_end_unless_it_is_dumb() {
    let mut world = world();
    world.terminal.stderr = true;
    world.screen.columns = Some(60);
    world.stack(Stack::create("tarn", secs(9)).id(TARN));
    let ended = wait(&world, "tarn")
        .exits(0)
        .says(&["tarn  CREATE_IN_PROGRESS  5s", "elapsed, 1h 4m"]);
    let (_, after) = ended.stderr.rsplit_once("\u{1b}[?7h").unwrap();
    let rest = after.strip_prefix("\r\u{1b}[1A\u{1b}[J").unwrap();
    assert!(!rest.contains('\u{1b}'), "{:?}", ended.stderr);
    world.env.insert("TERM".to_owned(), "dumb".to_owned());
    world.stack(Stack::create("fen", secs(9)));
    wait(&world, "fen").exits(0).never_says(&["\u{1b}"]);
}

#[test]
fn the_hint_can_be_pasted_and_repeats_no_secret() {
    let world = world();
    world.stack(Stack::create("tarn", secs(900)).id(TARN));
    let ended = world.run_words(&[
        "stack",
        "wait",
        "tarn",
        "--for",
        "create",
        "--deadline",
        "10s",
        "--os-region-name",
        "RegionOne",
        "--os-password",
        "secret",
        "--and",
        "stack_owner=de mo",
    ]);
    let hint = ended
        .stderr
        .lines()
        .find_map(|line| line.strip_prefix("hint: go on waiting with: "))
        .expect("a hint");
    assert!(
        hint.starts_with(&format!("heat-wait stack wait {TARN} --for create")),
        "{hint}"
    );
    assert!(
        hint.contains("--os-region-name RegionOne") && hint.contains("--and 'stack_owner=de mo'"),
        "{hint}"
    );
    assert!(!ended.stderr.contains("secret"), "{ended}");
}

#[test]
fn the_last_words_name_the_state_and_the_way_to_go_on() {
    let world = world();
    world.stack(Stack::create("tarn", secs(900)).id(TARN));
    let ended = wait(&world, "tarn --for create --deadline 10s").exits(124);
    assert!(
        ended.last_words.contains("CREATE_IN_PROGRESS"),
        "{}",
        ended.last_words
    );
    let hint = format!("hint: go on waiting with: heat-wait stack wait {TARN} --for create");
    assert!(ended.last_words.contains(&hint), "{}", ended.last_words);
    // Before anything was seen, the names that were typed.
    world.down(sim_cloud::Service::Keystone);
    let ended = wait(&world, "tarn --for create").exits(3);
    assert!(
        ended
            .last_words
            .contains("heat-wait stack wait tarn --for create"),
        "{}",
        ended.last_words
    );
}
