//! TLS client: one stack (rustls with ring), one list of roots.

use std::sync::Arc;

use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::dial::Socket;
use crate::error::Error;

/// Makes secure connections with ring, the roots of Mozilla's list and those the operator adds.
#[derive(Clone)]
pub(crate) struct Tls {
    connector: TlsConnector,
    http1: TlsConnector,
}

impl Tls {
    pub(crate) fn new(extra_roots: &[CertificateDer<'static>]) -> Result<Tls, Error> {
        let mut roots = RootCertStore {
            roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
        };
        for root in extra_roots {
            roots
                .add(root.clone())
                .map_err(|error| Error::Config(format!("an extra root is not usable: {error}")))?;
        }
        let mut config =
            ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
                .with_safe_default_protocol_versions()
                .map_err(|error| Error::Config(error.to_string()))?
                .with_root_certificates(roots)
                .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        let http1 = TlsConnector::from(Arc::new(config.clone()));
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Tls {
            connector: TlsConnector::from(Arc::new(config)),
            http1,
        })
    }

    /// TLS handshake as a client of `host`. The second value says whether both sides chose HTTP/2.
    pub(crate) async fn secure(
        &self,
        host: &url::Host<String>,
        socket: Box<dyn Socket>,
    ) -> Result<(TlsStream<Box<dyn Socket>>, bool), Error> {
        let name = server_name(host)?;
        let stream = self
            .connector
            .connect(name, socket)
            .await
            .map_err(|error| Error::Tls(describe(&error)))?;
        let http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
        Ok((stream, http2))
    }

    /// The same for protocols that begin as HTTP/1.1.
    pub(crate) async fn secure_http1(
        &self,
        host: &url::Host<String>,
        socket: Box<dyn Socket>,
    ) -> Result<Box<dyn Socket>, Error> {
        let stream = self.http1.connect(server_name(host)?, socket).await;
        Ok(Box::new(stream.map_err(|error| Error::Tls(describe(&error)))?))
    }
}

impl Socket for TlsStream<Box<dyn Socket>> {}

fn server_name(host: &url::Host<String>) -> Result<ServerName<'static>, Error> {
    Ok(match host {
        url::Host::Domain(name) => ServerName::try_from(name.trim_end_matches('.').to_owned())
            .map_err(|_| Error::InvalidUrl("its host is not a correct host name"))?,
        url::Host::Ipv4(ip) => ServerName::IpAddress(std::net::IpAddr::V4(*ip).into()),
        url::Host::Ipv6(ip) => ServerName::IpAddress(std::net::IpAddr::V6(*ip).into()),
    })
}

/// The cause in few words, without names and addresses of the certificate.
fn describe(error: &std::io::Error) -> String {
    use rustls::CertificateError as Bad;
    let inner = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<rustls::Error>());
    match inner {
        Some(rustls::Error::InvalidCertificate(bad)) => match bad {
            Bad::Expired | Bad::ExpiredContext { .. } => "its certificate has expired".into(),
            Bad::NotValidYet | Bad::NotValidYetContext { .. } => "its certificate is not valid yet".into(),
            Bad::NotValidForName | Bad::NotValidForNameContext { .. } => {
                "its certificate is for another host".into()
            }
            Bad::UnknownIssuer => "its certificate comes from an unknown issuer".into(),
            Bad::Revoked => "its certificate is revoked".into(),
            _ => "its certificate is not valid".into(),
        },
        Some(rustls::Error::AlertReceived(_)) => "the server refused the handshake".into(),
        Some(rustls::Error::InvalidMessage(_)) => {
            "the server does not answer in TLS; it may answer at http://".into()
        }
        Some(_) => "the two sides found no common protocol".into(),
        None => "the connection broke during the handshake".into(),
    }
}
