//! The outside: disk, standard input, the web and the object store, over real connections on loopback.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Cursor, Read, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use heat_cli::template::{self, Body, Error, Operation, Outside, TemplateOptions};
use os_identity::{Options, Session, Settings, Sources};
use poll_core::{Deadline, Policy, SystemClock};

use crate::recorded::Disk;

const HOT: &str = "heat_template_version: 2021-04-16\n";

/// The paths that were asked for, each with its token.
type Asked = Vec<(String, Option<String>)>;

/// A web server that answers by path: body and status, after it has looked whether the token came.
struct Server {
    url: String,
    /// Path and token of each request.
    seen: Arc<Mutex<Asked>>,
}

type Answers = Vec<(&'static str, u16, String)>;

/// `answers`: path, status without the token, body; with the token the status is 200. A path that is not there: 404. A
/// body that begins with `http` is a redirect to it.
fn serve(answers: impl Fn(&str) -> Answers) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let answers = answers(&url);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&seen);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap())
                .lines()
                .map_while(Result::ok);
            let Some(first) = lines.next() else { continue };
            let path = first.split(' ').nth(1).unwrap().to_owned();
            let headers: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            let token = headers.iter().find_map(|header| {
                let (name, value) = header.split_once(": ")?;
                name.eq_ignore_ascii_case("x-auth-token")
                    .then(|| value.to_owned())
            });
            let found = answers.iter().find(|(name, ..)| *name == path);
            let (status, body) = match found {
                None => (404, "nothing here".to_owned()),
                Some((_, status, body)) => {
                    (if token.is_some() { 200 } else { *status }, body.clone())
                }
            };
            noted.lock().unwrap().push((path, token));
            let location = if body.starts_with("http") {
                format!("Location: {body}\r\n")
            } else {
                String::new()
            };
            let status = if location.is_empty() { status } else { 302 };
            let length = body.len();
            let _ = write!(
                stream,
                "HTTP/1.1 {status} X\r\n{location}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
            );
        }
    });
    Server { url, seen }
}

fn tokens(server: &Server) -> Vec<(String, bool)> {
    let seen = server.seen.lock().unwrap();
    seen.iter()
        .map(|(path, token)| (path.clone(), token.as_deref() == Some("T")))
        .collect()
}

fn create(template: &str) -> TemplateOptions {
    TemplateOptions {
        template: Some(template.to_owned()),
        ..TemplateOptions::new(Operation::Create {
            name: "s".to_owned(),
            enable_rollback: false,
        })
    }
}

/// Makes the body with a session whose object store is at `store`.
fn made(
    options: &TemplateOptions,
    store: &str,
    stdin: &mut dyn Read,
    cwd: &Path,
) -> Result<Body, Error> {
    let flags: BTreeMap<String, String> = [
        ("auth_type", "admin_token"),
        ("token", "T"),
        ("endpoint", store),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    let settings = Settings::load(&Sources {
        flags: &flags,
        env: &BTreeMap::new(),
        files: &Disk,
        cwd,
    })
    .unwrap();
    let clock = SystemClock::new();
    let session_options = Options {
        deadline: Deadline::At(Duration::from_secs(20)),
        ..Options::new("test/1", Policy::default())
    };
    let session = Session::new(settings, session_options, &clock, &Disk, Box::new(|_| {})).unwrap();
    let outside = Outside {
        files: &Disk,
        cwd,
        stdin: RefCell::new(Some(stdin)),
        session: Some(&session),
    };
    template::body(options, &outside)
}

#[test]
fn a_template_is_read_from_standard_input_and_refers_to_files_of_the_current_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.sh"), "echo").unwrap();
    let text = format!("{HOT}resources: {{get_file: a.sh}}\n");
    let body = made(
        &create("-"),
        "http://127.0.0.1:1",
        &mut text.as_bytes(),
        folder.path(),
    )
    .unwrap();
    let place = std::fs::canonicalize(folder.path()).unwrap();
    let key = format!("file://{}/a.sh", place.display());
    assert_eq!(body.fields["files"][&key], "echo");

    let twice = TemplateOptions {
        environments: vec!["-".to_owned()],
        ..create("-")
    };
    let error = made(
        &twice,
        "http://127.0.0.1:1",
        &mut text.as_bytes(),
        folder.path(),
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read standard input: standard input can be read only once"
    );

    let error = made(
        &create("-"),
        "http://127.0.0.1:1",
        &mut Cursor::new("a: [\n"),
        folder.path(),
    )
    .unwrap_err();
    assert!(error.to_string().starts_with("standard input:"), "{error}");
}

#[test]
fn a_link_is_followed_before_the_folder_of_a_template_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().join("real");
    std::fs::create_dir(&real).unwrap();
    std::fs::write(real.join("a.sh"), "echo").unwrap();
    std::fs::write(
        real.join("t.yaml"),
        format!("{HOT}resources: {{get_file: a.sh}}\n"),
    )
    .unwrap();
    std::os::unix::fs::symlink(real.join("t.yaml"), folder.path().join("link.yaml")).unwrap();
    let body = made(
        &create("link.yaml"),
        "http://127.0.0.1:1",
        &mut Cursor::new(""),
        folder.path(),
    )
    .unwrap();
    assert_eq!(body.fields["files"].as_object().unwrap().len(), 1);
}

#[test]
fn a_folder_and_a_missing_file_are_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    for (name, expected) in [
        ("sub", "cannot read sub: it is a folder, not a file"),
        ("lost.yaml", "cannot read lost.yaml: no such file"),
        (
            "ftp://h/x",
            "cannot read ftp://h/x: ftp URLs are not read; file, http and https are",
        ),
        (
            "file://elsewhere/x",
            "cannot read file://elsewhere/x: a file URL names files of this machine only: file:///path",
        ),
    ] {
        let error = made(
            &create(name),
            "http://127.0.0.1:1",
            &mut Cursor::new(""),
            folder.path(),
        )
        .unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn the_web_is_read_without_the_token_along_redirects() {
    let other = serve(|_| {
        vec![(
            "/deep/t.yaml",
            200,
            format!("{HOT}resources: {{get_file: a.sh}}\n"),
        )]
    });
    let target = format!("{}/deep/t.yaml", other.url);
    let server = serve(|_| {
        vec![
            ("/x/t.yaml", 200, target.clone()),
            ("/x/a.sh", 200, "echo".to_owned()),
        ]
    });
    let address = format!("{}/x/t.yaml", server.url);
    let body = made(
        &create(&address),
        &server.url,
        &mut Cursor::new(""),
        Path::new("/"),
    )
    .unwrap();
    // Files are found beside what was asked for, as urllib has it.
    assert_eq!(
        body.fields["files"][format!("{}/x/a.sh", server.url)],
        "echo"
    );
    assert_eq!(tokens(&other), [("/deep/t.yaml".to_owned(), false)]);
    assert!(tokens(&server).iter().all(|(_, token)| !token));
}

#[test]
fn an_object_is_read_with_the_token_and_so_is_what_it_refers_to_there() {
    let elsewhere = serve(|_| vec![("/b.sh", 200, "far".to_owned())]);
    let far = format!("{}/b.sh", elsewhere.url);
    let store = serve(|_| {
        let text =
            format!("{HOT}resources: {{a: {{get_file: a.sh}}, b: {{get_file: \"{far}\"}}}}\n");
        vec![
            ("/v1/box/t.yaml", 401, text),
            ("/v1/box/a.sh", 401, "near".to_owned()),
        ]
    });
    let endpoint = format!("{}/v1", store.url);
    for template in ["box/t.yaml".to_owned(), format!("{endpoint}/box/t.yaml")] {
        let body = made(
            &create(&template),
            &endpoint,
            &mut Cursor::new(""),
            Path::new("/"),
        )
        .unwrap();
        assert_eq!(body.fields["files"][format!("{endpoint}/box/a.sh")], "near");
        assert_eq!(body.fields["files"][&far], "far");
    }
    assert!(tokens(&elsewhere).iter().all(|(_, token)| !token));
    assert!(tokens(&store).contains(&("/v1/box/a.sh".to_owned(), true)));
}

#[test]
fn elsewhere_than_at_the_object_store_the_first_error_stands() {
    let store = serve(|_| Vec::new());
    let other = serve(|_| vec![("/t.yaml", 401, HOT.to_owned())]);
    let address = format!("{}/t.yaml", other.url);
    let error = made(
        &create(&address),
        &store.url,
        &mut Cursor::new(""),
        Path::new("/"),
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("cannot read {address}: the server answers 401")
    );
    assert_eq!(tokens(&other), [("/t.yaml".to_owned(), false)]);
    assert!(tokens(&store).is_empty());

    let error = made(
        &create("box/t.yaml"),
        &store.url,
        &mut Cursor::new(""),
        Path::new("/"),
    )
    .unwrap_err();
    assert_eq!(error.to_string(), "cannot read box/t.yaml: no such file");
    assert_eq!(
        error.hint(),
        Some("the object store was asked for it too: the server answers 404")
    );
}
