//! Ways through a proxy.

use super::*;

/// A session with a Keystone at this address, in an environment of one variable.
fn session_in<'a>(
    (variable, value): (&str, String),
    auth_url: &str,
    clock: &'a FakeClock,
    told: &'a RefCell<Vec<Notice>>,
) -> Session<'a> {
    let flags = [("auth_url", auth_url), ("username", "a"), ("password", "b")];
    let settings = Settings::load(&Sources {
        flags: &flags
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into(),
        env: &BTreeMap::from([(variable.to_owned(), value)]),
        files: &Memory::default(),
        cwd: Path::new("/"),
    })
    .unwrap();
    session_with(settings, clock, options(), told)
}

#[test]
fn a_proxy_is_asked_to_connect() {
    let proxy = Server::new(|_| Answer::Say(403, Vec::new(), String::new()));
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let variable = ("http_proxy", proxy.url.clone());
    let session = session_in(variable, "http://keystone.invalid:5000/v3", &clock, &told);
    let error = session.sign_in().unwrap_err();
    assert_eq!(error.broke(), Some(Break::Proxy), "{}", error.chain());
    assert_eq!(proxy.lines()[0], "CONNECT keystone.invalid:5000");
}

#[test]
fn a_proxy_that_is_not_there_is_named() {
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let variable = ("ALL_PROXY", nobody());
    let session = session_in(variable, "http://127.0.0.1:5000/v3", &clock, &told);
    let error = session.sign_in().unwrap_err();
    assert_eq!(error.broke(), Some(Break::Proxy));
    assert!(
        error.chain().contains("(ALL_PROXY) cannot be reached"),
        "{}",
        error.chain()
    );
    assert!(error.hint().unwrap().contains("NO_PROXY"));
}
