//! Ways through a proxy.

use super::*;

#[test]
fn a_proxy_is_asked_to_connect() {
    let proxy = Server::new(|_| Answer::Say(403, Vec::new(), String::new()));
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let env = BTreeMap::from([("http_proxy".to_owned(), proxy.url.clone())]);
    let flags: BTreeMap<String, String> = [
        ("auth_url", "http://keystone.invalid:5000/v3"),
        ("username", "a"),
        ("password", "b"),
    ]
    .map(|(key, value)| (key.to_owned(), value.to_owned()))
    .into();
    let settings = Settings::load(&Sources {
        flags: &flags,
        env: &env,
        files: &Memory::default(),
        cwd: Path::new("/"),
    })
    .unwrap();
    let session = Session::new(
        settings,
        options(),
        &clock,
        &Memory::default(),
        Box::new(|notice| told.borrow_mut().push(notice)),
    )
    .unwrap();
    let error = session.sign_in().unwrap_err();
    assert_eq!(error.broke(), Some(Break::Proxy), "{}", error.chain());
    assert_eq!(proxy.lines()[0], "CONNECT keystone.invalid:5000");
}

#[test]
fn a_proxy_that_is_not_there_is_named() {
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let env = BTreeMap::from([("ALL_PROXY".to_owned(), nobody())]);
    let flags: BTreeMap<String, String> = [
        ("auth_url", "http://127.0.0.1:5000/v3"),
        ("username", "a"),
        ("password", "b"),
    ]
    .map(|(key, value)| (key.to_owned(), value.to_owned()))
    .into();
    let files = Memory::default();
    let sources = Sources {
        flags: &flags,
        env: &env,
        files: &files,
        cwd: Path::new("/"),
    };
    let settings = Settings::load(&sources).unwrap();
    let tell = Box::new(|notice| told.borrow_mut().push(notice));
    let session = Session::new(settings, options(), &clock, &files, tell).unwrap();
    let error = session.sign_in().unwrap_err();
    assert_eq!(error.broke(), Some(Break::Proxy));
    assert!(
        error.chain().contains("(ALL_PROXY) cannot be reached"),
        "{}",
        error.chain()
    );
    assert!(error.hint().unwrap().contains("NO_PROXY"));
}
