//! The logs of CI services.

use super::*;

/// What a wait that fails says in a log of this service.
fn log(ci: Ci, form: ProgressForm, quiet: bool) -> String {
    let place = Place {
        ci,
        ..Place::default()
    };
    place.last_words.set("interrupted\n".to_owned());
    let text = said_in(&place, form, quiet, |r, _| {
        r.watching(web());
        r.watching(web());
        r.line(&EVENT);
        if !quiet && form == ProgressForm::Plain && ci != Ci::None {
            assert!(place.last_words.current().contains("end"), "open");
        }
        r.note("100 %");
        r.failure(&Failure::usage("50 % failed").hint("again"));
        r.waited();
        r.close();
    });
    assert_eq!(place.last_words.current(), "interrupted\n");
    text
}

const LINES: &str =
    "2026-11-30 07:52:42Z e1 [web.server]: CREATE_IN_PROGRESS  state changed\nx-wait: 100 %\n";

#[test]
fn github_is_told_a_group_and_the_error() {
    assert_eq!(
        log(Ci::GitHub, ProgressForm::Plain, false),
        format!(
            "::group::x-wait: stack web (1)\n{LINES}::endgroup::\n::error::x-wait: 50 %25 failed\nhint: again\n"
        )
    );
}

#[test]
fn gitlab_is_told_a_section() {
    assert_eq!(
        log(Ci::GitLab, ProgressForm::Plain, false),
        format!(
            "\x1b[0Ksection_start:60:x-wait-60000000000\r\x1b[0Kx-wait: stack web (1)\n{LINES}\
             \x1b[0Ksection_end:60:x-wait-60000000000\r\x1b[0K\nx-wait: 50 % failed\nhint: again\n"
        )
    );
}

#[test]
fn without_their_variables_nobody_is_told_anything() {
    let plain = format!("{LINES}x-wait: 50 % failed\nhint: again\n");
    assert_eq!(log(Ci::None, ProgressForm::Plain, false), plain);
    let of = |name: &str, text: &str| Ci::of(&[(name.to_owned(), text.to_owned())].into());
    assert_eq!(of("GITHUB_ACTIONS", "true"), Ci::GitHub);
    assert_eq!(of("GITLAB_CI", "true"), Ci::GitLab);
    assert_eq!(of("TF_BUILD", "True"), Ci::Azure);
    for name in ["CI", "GITHUB_ACTION", "GITLAB"] {
        assert_eq!(of(name, "true"), Ci::None);
    }
    assert_eq!(of("GITHUB_ACTIONS", ""), Ci::None);
}

#[test]
fn what_is_quiet_or_read_by_programs_has_no_groups() {
    for ci in [Ci::GitHub, Ci::GitLab] {
        let text = log(ci, ProgressForm::Json, false);
        assert!(text.lines().all(|line| line.starts_with('{')), "{text}");
        assert_eq!(log(ci, ProgressForm::Plain, true).lines().count(), 2);
    }
    assert!(!log(Ci::GitHub, ProgressForm::None, false).contains("group"));
}

#[test]
fn what_a_server_sends_is_no_command() {
    for evil in [
        "::set-output name=x::y",
        " \t::add-mask::x",
        "a ##[set-output name=x]y",
        "##vso[task.setvariable variable=x]y",
        "\n::stop-commands::t",
        "\r::error::x",
    ] {
        let line = Line {
            time: Some(evil),
            id: evil,
            path: evil,
            status: evil,
            reason: evil,
            ..EVENT
        };
        for ci in [Ci::GitHub, Ci::Azure] {
            let place = Place {
                ci,
                ..Place::default()
            };
            let text = said_in(&place, ProgressForm::Plain, false, |r, _| {
                r.line(&line);
                r.note(evil);
                r.hint(evil);
                r.retry(evil, evil, 1, Some(Duration::ZERO));
            });
            assert_eq!(text.lines().count(), 4);
            for line in text.lines() {
                assert!(
                    !line.trim_start().starts_with("::")
                        && !line.contains("##[")
                        && !line.contains("##vso["),
                    "{line}"
                );
            }
            let text = said_in(&place, ProgressForm::Json, false, |r, _| r.line(&line));
            assert!(!text.contains("##[") && !text.contains("##vso["), "{text}");
            let object: Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(object["reason"], evil, "the value is what it was");
        }
    }
}
