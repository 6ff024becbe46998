//! Secure connections: what is trusted, and who we are.

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::sign::CertifiedKey;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
};

use crate::settings::{Files, Settings};
use crate::{Error, Secret};

/// How connections are secured.
pub(crate) struct Tls {
    /// For ureq's own connector.
    pub(crate) config: ureq::tls::TlsConfig,
    /// For ours, which goes before it: certificates of the user's own are trusted in place of the system's.
    pub(crate) own: Option<Arc<ClientConfig>>,
}

impl Tls {
    /// Reads the files that the settings name. Certificate and key are checked to belong together.
    ///
    /// # Errors
    /// [`crate::Kind::Config`] naming the file and what is wrong with it.
    pub(crate) fn read(settings: &Settings, files: &dyn Files) -> Result<Self, Error> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let client = client_certificate(settings, files, &provider)?;
        let insecure = settings.is_insecure();
        let mut config = ureq::tls::TlsConfig::builder()
            .root_certs(ureq::tls::RootCerts::PlatformVerifier)
            .disable_verification(insecure)
            .unversioned_rustls_crypto_provider(Arc::clone(&provider));
        if let Some(client) = &client {
            config = config.client_cert(Some(client.for_ureq(settings)?));
        }
        let own = match settings.raw("cacert") {
            Some(path) if !insecure => Some(Arc::new(own_config(
                settings, files, path, &provider, client,
            )?)),
            _ => None,
        };
        Ok(Self {
            config: config.build(),
            own,
        })
    }
}

impl Tls {
    /// For servers that have nothing to do with the cloud: the system's trust, and nothing of ours.
    pub(crate) fn public() -> Self {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ureq::tls::TlsConfig::builder()
            .root_certs(ureq::tls::RootCerts::PlatformVerifier)
            .unversioned_rustls_crypto_provider(provider);
        Self {
            config: config.build(),
            own: None,
        }
    }
}

/// Our own certificate with its chain, and its key.
struct Client {
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
    key_pem: Secret,
}

impl Client {
    fn for_ureq(&self, settings: &Settings) -> Result<ureq::tls::ClientCert, Error> {
        let chain: Vec<ureq::tls::Certificate<'static>> = self
            .chain
            .iter()
            .map(|der| ureq::tls::Certificate::from_der(der).to_owned())
            .collect();
        let key = ureq::tls::PrivateKey::from_pem(self.key_pem.reveal().as_bytes())
            .map_err(|error| broken(settings, "key", &error.to_string()))?;
        Ok(ureq::tls::ClientCert::new_with_certs(&chain, key))
    }
}

fn client_certificate(
    settings: &Settings,
    files: &dyn Files,
    provider: &CryptoProvider,
) -> Result<Option<Client>, Error> {
    let Some(path) = settings.raw("cert") else {
        return match settings.raw("key") {
            Some(_) => Err(Error::config("key is given, but no cert")
                .with_hint("name the client certificate with --os-cert")),
            None => Ok(None),
        };
    };
    let chain = certificates(settings, files, "cert", path)?;
    // One file may hold both, as for curl and requests.
    let (name, path) = settings
        .raw("key")
        .map_or(("cert", path), |path| ("key", path));
    let pem = read(settings, files, name, path)?;
    if String::from_utf8_lossy(&pem).contains("ENCRYPTED") {
        return Err(broken(
            settings,
            name,
            "the key is encrypted; store it without a passphrase",
        ));
    }
    let key = PrivateKeyDer::from_pem_slice(&pem).map_err(|error| {
        broken(
            settings,
            name,
            &format!("no private key in PEM format: {error}"),
        )
    })?;
    let signing = provider
        .key_provider
        .load_private_key(key.clone_key())
        .map_err(|error| broken(settings, name, &format!("no usable private key: {error}")))?;
    match CertifiedKey::new(chain.clone(), signing).keys_match() {
        Ok(()) => {}
        Err(rustls::Error::InconsistentKeys(rustls::InconsistentKeys::Unknown)) => {}
        Err(_) => {
            return Err(broken(
                settings,
                name,
                "the key does not belong to the client certificate",
            )
            .with_hint("cert and key must be of one pair"));
        }
    }
    let key_pem = Secret::new(String::from_utf8_lossy(&pem));
    Ok(Some(Client {
        chain,
        key,
        key_pem,
    }))
}

fn own_config(
    settings: &Settings,
    files: &dyn Files,
    path: &str,
    provider: &Arc<CryptoProvider>,
    client: Option<Client>,
) -> Result<ClientConfig, Error> {
    let given = certificates(settings, files, "cacert", path)?;
    let mut roots = RootCertStore::empty();
    let (added, _) = roots.add_parsable_certificates(given.iter().cloned());
    if added == 0 {
        return Err(broken(
            settings,
            "cacert",
            "none of its certificates can be read",
        ));
    }
    let fault = |error: &dyn std::fmt::Display| broken(settings, "cacert", &error.to_string());
    let chains = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
        .build()
        .map_err(|error| fault(&error))?;
    let builder = ClientConfig::builder_with_provider(Arc::clone(provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| fault(&error))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(OwnOrIssued { chains, given }));
    match client {
        None => Ok(builder.with_no_client_auth()),
        Some(client) => builder
            .with_client_auth_cert(client.chain, client.key)
            .map_err(|error| broken(settings, "cert", &error.to_string())),
    }
}

fn certificates(
    settings: &Settings,
    files: &dyn Files,
    name: &str,
    path: &str,
) -> Result<Vec<CertificateDer<'static>>, Error> {
    let pem = read(settings, files, name, path)?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
    let found = found.map_err(|error| broken(settings, name, &error.to_string()))?;
    if found.is_empty() {
        return Err(broken(settings, name, "no certificate in PEM format"));
    }
    Ok(found)
}

fn read(settings: &Settings, files: &dyn Files, name: &str, path: &str) -> Result<Vec<u8>, Error> {
    files
        .read(std::path::Path::new(path))
        .map_err(|error| broken(settings, name, &error.to_string()))
}

fn broken(settings: &Settings, name: &str, what: &str) -> Error {
    let path = settings.raw(name).unwrap_or_default();
    let origin = settings.origin(name).unwrap_or_default();
    Error::config(format!("{name} {path} ({origin}): {what}"))
}

/// Trusts what the given certificates have issued, and the given certificates themselves.
///
/// webpki refuses a certificate that says it is a CA as a server's own (`CaUsedAsEndEntity`), but that is what
/// `openssl req -x509` makes, and OpenSSL takes it. By then webpki has checked its dates; the name is checked here.
#[derive(Debug)]
struct OwnOrIssued {
    chains: Arc<WebPkiServerVerifier>,
    given: Vec<CertificateDer<'static>>,
}

impl ServerCertVerifier for OwnOrIssued {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let judged = self.chains.verify_server_cert(
            end_entity,
            intermediates,
            server_name,
            ocsp_response,
            now,
        );
        let is_given = || {
            self.given
                .iter()
                .any(|given| given.as_ref() == end_entity.as_ref())
        };
        match judged {
            Err(rustls::Error::InvalidCertificate(CertificateError::Other(why)))
                if format!("{:?}", why.0) == "CaUsedAsEndEntity" && is_given() =>
            {
                rustls::client::verify_server_name(
                    &ParsedCertificate::try_from(end_entity)?,
                    server_name,
                )?;
                Ok(ServerCertVerified::assertion())
            }
            judged => judged,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.chains.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.chains.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.chains.supported_verify_schemes()
    }
}
