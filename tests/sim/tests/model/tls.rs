//! Certificates, as the client that ships sees them.

use std::sync::Arc;

use sim_cloud::{Certificate, Cloud, Config, Service, Time, Tls};
use ureq::Agent;
use ureq::tls::{Certificate as Pem, ClientCert, PrivateKey, RootCerts, TlsConfig};

fn ask(tls: &Tls, client: Option<(&str, &str)>, host: &str) -> Result<u16, String> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut config = Config::new(Time::fake(Arc::default()));
    config.tls = Some(tls.clone());
    config.host = host.to_owned();
    let cloud = Cloud::start(config).unwrap();
    let roots = RootCerts::new_with_certs(&[Pem::from_pem(tls.ca().as_bytes()).unwrap()]);
    let client = client.map(|(certificate, key)| {
        ClientCert::new_with_certs(
            &[Pem::from_pem(certificate.as_bytes()).unwrap()],
            PrivateKey::from_pem(key.as_bytes()).unwrap(),
        )
    });
    let settings = TlsConfig::builder()
        .root_certs(roots)
        .client_cert(client)
        .build();
    let agent: Agent = Agent::config_builder()
        .tls_config(settings)
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(None)
        .build()
        .into();
    let url = cloud.url(Service::Keystone);
    let mut reply = agent
        .get(&url)
        .call()
        .map_err(|error| format!("{error:?}"))?;
    let body = reply.body_mut().read_to_string().unwrap();
    assert!(body.contains(&url), "links say https: {body}");
    Ok(reply.status().as_u16())
}

#[test]
fn a_good_certificate_is_good_for_names_and_both_kinds_of_address() {
    let tls = Tls::new(Certificate::Good).unwrap();
    for host in ["localhost", "127.0.0.1", "::1"] {
        assert_eq!(ask(&tls, None, host), Ok(300), "{host}");
    }
}

#[test]
fn bad_certificates_are_bad_for_their_own_reason() {
    let bad = [
        (Certificate::Expired, "Expired"),
        (Certificate::WrongName, "NotValidForName"),
        (Certificate::UnknownAuthority, "UnknownIssuer"),
        (Certificate::SelfSigned, "CaUsedAsEndEntity"),
    ];
    for (sort, why) in bad {
        let error = ask(&Tls::new(sort).unwrap(), None, "127.0.0.1").unwrap_err();
        assert!(error.contains(why), "{sort:?}: {error}");
    }
}

#[test]
fn a_client_certificate_is_asked_for_and_looked_at() {
    let tls = Tls::new(Certificate::AsksForClient).unwrap();
    assert_eq!(ask(&tls, Some(tls.client()), "127.0.0.1"), Ok(300));
    assert!(ask(&tls, None, "127.0.0.1").is_err());
    assert!(ask(&tls, Some(tls.strange_client()), "127.0.0.1").is_err());
}
