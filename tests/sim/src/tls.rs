//! Certificates, good and bad, made afresh for each cloud.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, KeyPair, date_time_ymd};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};

/// What is wrong with the server's certificate, or asked of the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certificate {
    /// Signed by the authority of [`Tls::ca`]; names `localhost`, `127.0.0.1` and `::1`.
    Good,
    /// Ran out in 2001.
    Expired,
    /// Made out to `elsewhere.test`.
    WrongName,
    /// Signed by another authority than [`Tls::ca`].
    UnknownAuthority,
    /// Self-signed, and says that it is an authority, as `openssl req -x509` makes it; it is its own [`Tls::ca`].
    SelfSigned,
    /// Good; and the client must show [`Tls::client`].
    AsksForClient,
}

/// The server's side of TLS, and what a client needs to trust it. All texts are PEM.
#[derive(Clone)]
pub struct Tls {
    pub(crate) server: Arc<ServerConfig>,
    ca: String,
    client: (String, String),
    other: (String, String),
    authority: Arc<(rcgen::Certificate, KeyPair)>,
}

/// Certificates could not be made.
#[derive(Debug)]
pub struct TlsError(String);

impl std::fmt::Display for TlsError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "certificates cannot be made: {}", self.0)
    }
}

impl std::error::Error for TlsError {}

impl From<rcgen::Error> for TlsError {
    fn from(error: rcgen::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<rustls::Error> for TlsError {
    fn from(error: rustls::Error) -> Self {
        Self(error.to_string())
    }
}

impl Tls {
    /// Keys and certificates of this sort.
    ///
    /// # Errors
    /// When the crypto library refuses to make them.
    pub fn new(sort: Certificate) -> Result<Self, TlsError> {
        Self::signed(sort, Arc::new(authority("sim-cloud authority")?))
    }

    /// Others of the same authority, whatever they are.
    ///
    /// # Errors
    /// As [`Tls::new`].
    pub fn another(&self, sort: Certificate) -> Result<Self, TlsError> {
        Self::signed(sort, self.authority.clone())
    }

    fn signed(sort: Certificate, by: Arc<(rcgen::Certificate, KeyPair)>) -> Result<Self, TlsError> {
        let (authority, authority_key) = &*by;
        let (stranger, stranger_key) = self::authority("stranger")?;
        let names = if sort == Certificate::WrongName {
            vec!["elsewhere.test".to_owned()]
        } else {
            ["localhost", "127.0.0.1", "::1"]
                .map(str::to_owned)
                .to_vec()
        };
        let key = KeyPair::generate()?;
        let mut params = CertificateParams::new(names)?;
        params
            .distinguished_name
            .push(DnType::CommonName, "sim-cloud");
        if sort == Certificate::Expired {
            (params.not_before, params.not_after) =
                (date_time_ymd(2000, 1, 1), date_time_ymd(2001, 1, 1));
        }
        let certificate = match sort {
            Certificate::UnknownAuthority => params.signed_by(&key, &stranger, &stranger_key)?,
            Certificate::SelfSigned => {
                params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
                params.self_signed(&key)?
            }
            _ => params.signed_by(&key, authority, authority_key)?,
        };
        let client_key = KeyPair::generate()?;
        let client = CertificateParams::new(vec!["client.test".to_owned()])?.signed_by(
            &client_key,
            authority,
            authority_key,
        )?;
        let other_key = KeyPair::generate()?;
        let other = CertificateParams::new(vec!["client.test".to_owned()])?.signed_by(
            &other_key,
            &stranger,
            &stranger_key,
        )?;

        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ServerConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()?;
        let builder = if sort == Certificate::AsksForClient {
            let mut roots = RootCertStore::empty();
            roots.add(authority.der().clone())?;
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider)
                .build()
                .map_err(|error| TlsError(error.to_string()))?;
            builder.with_client_cert_verifier(verifier)
        } else {
            builder.with_no_client_auth()
        };
        let secret = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let server = builder.with_single_cert(vec![certificate.der().clone()], secret)?;
        let ca = if sort == Certificate::SelfSigned {
            certificate.pem()
        } else {
            authority.pem()
        };
        Ok(Self {
            server: Arc::new(server),
            ca,
            client: (client.pem(), client_key.serialize_pem()),
            other: (other.pem(), other_key.serialize_pem()),
            authority: by,
        })
    }

    /// What a client gives as `cacert`.
    #[must_use]
    pub fn ca(&self) -> &str {
        &self.ca
    }

    /// A client's certificate and key that are accepted.
    #[must_use]
    pub fn client(&self) -> (&str, &str) {
        (&self.client.0, &self.client.1)
    }

    /// A client's certificate and key of an authority that is not accepted.
    #[must_use]
    pub fn strange_client(&self) -> (&str, &str) {
        (&self.other.0, &self.other.1)
    }
}

fn authority(name: &str) -> Result<(rcgen::Certificate, KeyPair), TlsError> {
    let key = KeyPair::generate()?;
    let mut params = CertificateParams::new(Vec::new())?;
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, name);
    Ok((params.self_signed(&key)?, key))
}
