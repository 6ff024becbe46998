//! No secret is ever printed, whatever the log level.

use sim_cloud::{Cloud, Fault, Stack, When, secs};

use crate::binary::{Over, cloud_with, command, run};
use crate::ms;

const PASSWORD: &str = "hunter2-Pa55";
const CREDENTIAL: &str = "Cr3dential-of-demo";
const TOKEN: &str = "gAAAAA-sim-token";
const PARAMETER: &str = "db-passw0rd";

fn guarded() -> Cloud {
    let cloud = cloud_with(|config| {
        PASSWORD.clone_into(&mut config.password);
        CREDENTIAL.clone_into(&mut config.credential.1);
    });
    let stack = |name: &str| {
        Stack::create(name, ms(400))
            .parameter("db_password", PARAMETER)
            .output("key", PARAMETER.into())
    };
    cloud.stack(stack("tarn"));
    cloud.stack(stack("fen"));
    cloud.stack(Stack::failing("bog", ms(300), "boom").parameter("db_password", PARAMETER));
    cloud
}

/// Every way to turn on more talk.
const LOUD: [(&str, &str); 6] = [
    ("-v", ""),
    ("-vv", ""),
    ("--debug", ""),
    ("-vv", "trace"),
    ("", "trace"),
    ("", "ureq_proto::util=trace,ureq=trace,rustls=trace"),
];

#[track_caller]
fn tells_nothing(over: &Over) {
    for text in [&over.stdout, &over.stderr] {
        for secret in [PASSWORD, CREDENTIAL, TOKEN, PARAMETER] {
            assert!(!text.contains(secret), "{secret} is told:\n{over:#?}");
        }
        for library in ["ureq_proto", "ureq::", "rustls::"] {
            assert!(
                !text.contains(library),
                "{library} gets a word in:\n{over:#?}"
            );
        }
    }
}

fn loud(cloud: &Cloud, words: &str, env: &[(&str, &str)]) {
    std::thread::scope(|scope| {
        for (flag, filter) in LOUD {
            scope.spawn(move || {
                let mut command = command(cloud, &format!("{words} {flag} --poll 0.2"));
                if !filter.is_empty() {
                    command.env("RUST_LOG", filter);
                }
                command.envs(env.iter().copied());
                let over = run(command);
                tells_nothing(&over);
                if flag == "-vv" || flag == "--debug" {
                    let logged =
                        over.stderr.contains("POST") && over.stderr.contains("/auth/tokens");
                    assert!(logged, "there is a debug log\n{over:#?}");
                }
            });
        }
    });
}

#[test]
fn a_wait_with_a_password() {
    loud(&guarded(), "stack wait tarn bog", &[]);
    loud(&guarded(), "stack wait bog -f json --progress json", &[]);
}

#[test]
fn a_wait_with_an_application_credential() {
    let cloud = guarded();
    let id = cloud.config().credential.0.clone();
    let env = [
        ("OS_AUTH_TYPE", "v3applicationcredential"),
        ("OS_APPLICATION_CREDENTIAL_ID", id.as_str()),
        ("OS_APPLICATION_CREDENTIAL_SECRET", CREDENTIAL),
        ("OS_USERNAME", ""),
        ("OS_PASSWORD", ""),
        ("OS_PROJECT_NAME", ""),
    ];
    loud(&cloud, "stack wait tarn", &env);
}

#[test]
fn a_wait_with_a_token() {
    let cloud = guarded();
    let token = cloud.token(secs(600));
    let env = [
        ("OS_AUTH_TYPE", "token"),
        ("OS_TOKEN", token.as_str()),
        ("OS_USERNAME", ""),
        ("OS_PASSWORD", ""),
    ];
    loud(&cloud, "stack wait tarn", &env);
}

#[test]
fn errors_tell_nothing_either() {
    let cloud = guarded();
    cloud.fault(When::heat(), Fault::Status(401));
    loud(&cloud, "stack wait tarn", &[]);
    let cloud = guarded();
    loud(&cloud, "stack wait tarn", &[("OS_USERNAME", "somebody")]);
    loud(
        &cloud,
        "stack wait tarn",
        &[("OS_AUTH_URL", "http://demo:hunter2-Pa55@127.0.0.1:1/v3")],
    );
    loud(&cloud, "stack wait tarn", &[("OS_PROJECT_NAME", "other")]);
    for fault in [
        Fault::BrokenJson,
        Fault::OtherJson,
        Fault::Html(500),
        Fault::Garbage,
    ] {
        let cloud = guarded();
        cloud.fault(When::sign_in().first(1), fault.clone());
        cloud.fault(When::heat().first(1), fault);
        tells_nothing(&run(command(&cloud, "stack wait tarn -vv --poll 0.2")));
    }
}

#[test]
fn a_secret_on_the_command_line_is_not_repeated() {
    let cloud = guarded();
    cloud.stack(Stack::create("mere", secs(600)));
    loud(
        &cloud,
        &format!("stack wait mere --deadline 0 --os-password {PASSWORD}"),
        &[],
    );
    tells_nothing(&run(command(
        &cloud,
        &format!("stack wait mere --show-config --os-password {PASSWORD}"),
    )));
    tells_nothing(&run(command(
        &cloud,
        &format!("stack wait mere --frobnicate --os-password {PASSWORD}"),
    )));
}

#[test]
fn one_v_shows_requests_and_two_their_bodies() {
    for (flag, bodies) in [("-v", false), ("-vv", true), ("--debug", true)] {
        let over = run(command(
            &guarded(),
            &format!("stack wait bog --poll 0.2 {flag}"),
        ));
        assert!(over.stderr.contains("/stacks/bog"), "{over:#?}");
        assert_eq!(
            over.stderr.contains(" answers {"),
            bodies,
            "{flag}\n{over:#?}"
        );
    }
}
