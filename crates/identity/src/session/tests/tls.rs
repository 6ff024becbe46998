//! Certificates, over real connections.

use std::io::{Read, Write};
use std::net::TcpListener;

use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::*;

struct Pair {
    pem: String,
    key: String,
}

/// As `openssl req -x509` makes it: self-signed and a CA.
fn own(names: &[&str]) -> Pair {
    let mut params = CertificateParams::new(
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>(),
    )
    .unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    Pair {
        pem: params.self_signed(&key).unwrap().pem(),
        key: key.serialize_pem(),
    }
}

/// A server's certificate, and the CA that issued it.
fn issued(names: &[&str]) -> (Pair, String) {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let ca_key = KeyPair::generate().unwrap();
    let ca = params.self_signed(&ca_key).unwrap();
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>(),
    )
    .unwrap();
    let pem = params.signed_by(&key, &ca, &ca_key).unwrap().pem();
    (
        Pair {
            pem,
            key: key.serialize_pem(),
        },
        ca.pem(),
    )
}

/// Gives out a token over TLS, again and again.
fn serve(pair: &Pair) -> String {
    let chain: Vec<_> = CertificateDer::pem_slice_iter(pair.pem.as_bytes())
        .map(Result::unwrap)
        .collect();
    let key = PrivateKeyDer::from_pem_slice(pair.key.as_bytes()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut tls =
                StreamOwned::new(ServerConnection::new(Arc::clone(&config)).unwrap(), stream);
            let body = r#"{"token": {"catalog": []}}"#;
            let mut request = [0; 4096];
            if tls.read(&mut request).is_ok() {
                let head = "HTTP/1.1 201 Created\r\nX-Subject-Token: t\r\nConnection: close\r\n";
                let _ = write!(tls, "{head}Content-Length: {}\r\n\r\n{body}", body.len());
            }
        }
    });
    format!("https://127.0.0.1:{port}")
}

fn sign_in(url: &str, files: &[(&str, &str)], more: &[(&str, &str)]) -> Result<(), Error> {
    let (clock, told) = (FakeClock::new(), RefCell::new(Vec::new()));
    let auth_url = format!("{url}/v3");
    let mut pairs = vec![
        ("auth_url", auth_url.as_str()),
        ("username", "a"),
        ("password", "b"),
    ];
    pairs.extend(more);
    let files = Memory(
        files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
            .collect(),
    );
    let tell = Box::new(|notice| told.borrow_mut().push(notice));
    Session::new(settings(&pairs), options(), &clock, &files, tell)?.sign_in()
}

#[test]
fn a_self_signed_certificate_given_as_its_own_cacert_is_accepted() {
    let pair = own(&["127.0.0.1"]);
    let url = serve(&pair);
    sign_in(&url, &[("/ca.pem", &pair.pem)], &[("cacert", "/ca.pem")]).unwrap();
    let both = format!("{}{}", own(&["other"]).pem, pair.pem);
    sign_in(&url, &[("/ca.pem", &both)], &[("cacert", "/ca.pem")]).unwrap();
}

#[test]
fn an_issued_certificate_is_accepted_with_its_ca() {
    let (pair, ca) = issued(&["127.0.0.1"]);
    sign_in(&serve(&pair), &[("/ca.pem", &ca)], &[("cacert", "/ca.pem")]).unwrap();
}

#[test]
fn other_certificates_and_names_are_refused_with_a_hint() {
    let (pair, wrong) = (own(&["127.0.0.1"]), own(&["keystone.example"]));
    let url = serve(&pair);
    for (server, ca, words) in [
        (url.clone(), Some(wrong.pem.as_str()), "not trusted"),
        (serve(&wrong), Some(wrong.pem.as_str()), "another name"),
        (url, None, ""),
    ] {
        let files: Vec<(&str, &str)> = ca.map(|pem| ("/ca.pem", pem)).into_iter().collect();
        let more: &[(&str, &str)] = if ca.is_some() {
            &[("cacert", "/ca.pem")]
        } else {
            &[]
        };
        let error = sign_in(&server, &files, more).unwrap_err();
        assert_eq!(
            (error.kind(), error.broke()),
            (Kind::Unknown, Some(Break::Tls)),
            "{}",
            error.chain()
        );
        assert!(
            error.chain().contains(words) && error.hint().unwrap().contains("--os-cacert"),
            "{}",
            error.chain()
        );
    }
}

#[test]
fn insecure_accepts_everything() {
    sign_in(&serve(&own(&["elsewhere"])), &[], &[("insecure", "true")]).unwrap();
}

#[test]
fn plain_http_where_tls_is_expected_is_told() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        }
    });
    let error = sign_in(&url, &[], &[("insecure", "true")]).unwrap_err();
    assert_eq!(error.broke(), Some(Break::Tls));
    assert!(
        error.chain().contains("does not speak TLS"),
        "{}",
        error.chain()
    );
}

#[test]
fn files_that_do_not_serve_are_named_before_anything_is_sent() {
    let (one, two) = (own(&["a"]), own(&["b"]));
    let files = [
        ("/one.pem", one.pem.as_str()),
        ("/one.key", &one.key),
        ("/two.key", &two.key),
        ("/empty", "nothing"),
        (
            "/locked.key",
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
        ),
    ];
    for (more, expected) in [
        (
            &[("cert", "/one.pem"), ("key", "/two.key")][..],
            "key /two.key (--os-key): the key does not belong to the client certificate",
        ),
        (
            &[("cert", "/one.pem"), ("key", "/empty")],
            "key /empty (--os-key): no private key in PEM format",
        ),
        (
            &[("cert", "/one.pem"), ("key", "/locked.key")],
            "the key is encrypted",
        ),
        (
            &[("cert", "/one.pem")],
            "cert /one.pem (--os-cert): no private key in PEM format",
        ),
        (&[("key", "/one.key")], "key is given, but no cert"),
        (
            &[("cacert", "/empty")],
            "cacert /empty (--os-cacert): no certificate in PEM format",
        ),
        (
            &[("cacert", "/none")],
            "cacert /none (--os-cacert): entity not found",
        ),
    ] {
        let error = sign_in("https://127.0.0.1:9", &files, more).unwrap_err();
        assert!(
            error.to_string().starts_with(expected) || error.to_string().contains(expected),
            "{error} / {expected}"
        );
        assert_eq!(error.kind(), Kind::Config);
    }
    let fitting = sign_in(
        "https://127.0.0.1:9",
        &files,
        &[("cert", "/one.pem"), ("key", "/one.key")],
    )
    .unwrap_err();
    assert_eq!(fitting.broke(), Some(Break::Refused), "{}", fitting.chain());
}
