//! `NatsSettings`: how a cluster is reached, and the check of its servers.

use std::error::Error as _;
use std::path::PathBuf;
use std::time::Duration;

use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, ServerAddr};
use serde::Deserialize;
use serde_json::Value;

use super::api::{JetStream, Refusal, code};
use super::layout::{NO_JETSTREAM, cluster};
use crate::Error;

/// The oldest server that works: older ones have no batches of direct reads or no expiry of single messages.
const OLDEST_SERVER: (u32, u32) = (2, 14);
/// The oldest server that is advised.
const ADVISED_SERVER: (u32, u32, u32) = (2, 14, 5);
/// Bytes that one message must be able to have.
const LEAST_PAYLOAD: usize = 1 << 20;
/// What servers say where JetStream is off, for all or for this account.
const NOT_ENABLED: &str = "JetStream not enabled";
/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(5);

/// A server of a cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NatsAddress(String);

impl NatsAddress {
    /// Reads `nats://host:port` or `tls://host:port`; the port is 4222 where it is missing.
    ///
    /// # Errors
    /// What is wrong with it. User names and passwords are refused here: they have settings of their own.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.contains('@') {
            return Err(
                "a user name or password does not belong into the address: set HUNTSMAN_NATS_CREDENTIALS, or \
                 HUNTSMAN_NATS_USER and HUNTSMAN_NATS_PASSWORD"
                    .into(),
            );
        }
        let text = if text.contains("://") {
            text.to_owned()
        } else {
            format!("nats://{text}")
        };
        let address: ServerAddr = text
            .parse()
            .map_err(|_| format!("{text:?} is no address: write nats://host:port"))?;
        match address.scheme() {
            "nats" | "tls" if !address.host().is_empty() => Ok(Self(text)),
            _ => Err(format!(
                "{text:?} is no address: write nats://host:port or tls://host:port"
            )),
        }
    }
}

/// How a cluster is reached and what is kept there.
#[derive(Debug, Clone)]
pub struct NatsSettings {
    /// Its servers; any of them is enough to find the others.
    pub servers: Vec<NatsAddress>,
    /// A file with a user's token and key, as `nsc` writes it.
    pub credentials: Option<PathBuf>,
    /// User name and password.
    pub user: Option<(String, String)>,
    /// Certificate authorities, where the system's do not know the servers.
    pub authorities: Option<PathBuf>,
    /// Certificate and key of this client.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// What names of streams and subjects begin with: 1 to 16 lower case letters, digits, `_`, `-`.
    pub prefix: String,
    /// Copies of every message, 1 to 5.
    pub replicas: u8,
    /// What this process is, for `huntsman cluster status`.
    pub role: String,
}

impl NatsSettings {
    /// Whether connections without TLS are refused, also to servers that others name: then nobody on the way is sent the
    /// credentials.
    fn wants_tls(&self) -> bool {
        let names_tls = self.servers.iter().any(|server| server.0.starts_with("tls://"));
        names_tls || self.authorities.is_some() || self.certificate.is_some()
    }

    /// Whether a text can be a prefix.
    pub fn is_prefix(text: &str) -> bool {
        (1..=16).contains(&text.len())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte))
    }
}

/// Connects to the first server that answers.
pub(super) async fn connect(settings: &NatsSettings) -> Result<Client, Error> {
    let mut options = ConnectOptions::new()
        .name("huntsman")
        .connection_timeout(CONNECT)
        .ping_interval(Duration::from_secs(5))
        .subscription_capacity(16_384)
        .reconnect_delay_callback(|attempt| Duration::from_millis((attempt as u64 * 100).min(1000)));
    if let Some(file) = &settings.credentials {
        let unreadable = |error: std::io::Error| {
            cluster(format!(
                "HUNTSMAN_NATS_CREDENTIALS: {} cannot be used: {error}",
                file.display()
            ))
        };
        let text = tokio::fs::read_to_string(file).await.map_err(unreadable)?;
        options = options.credentials(&text).map_err(unreadable)?;
    }
    if let Some((user, password)) = &settings.user {
        options = options.user_and_password(user.clone(), password.clone());
    }
    if let Some(file) = &settings.authorities {
        options = options.add_root_certificates(file.clone());
    }
    if let Some((certificate, key)) = &settings.certificate {
        options = options.add_client_certificate(certificate.clone(), key.clone());
    }
    if settings.wants_tls() {
        options = options.require_tls(true);
    }
    let servers = settings
        .servers
        .iter()
        .map(|server| server.0.parse::<ServerAddr>())
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| cluster(error.to_string()))?;
    let connected = tokio::time::timeout(2 * CONNECT, options.connect(servers)).await;
    let named = settings
        .servers
        .iter()
        .map(|server| server.0.as_str())
        .collect::<Vec<_>>()
        .join(", ");
    match connected {
        Ok(Ok(client)) => Ok(client),
        Ok(Err(error)) => Err(match error.kind() {
            ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => cluster(
                "the NATS servers refuse the credentials: check HUNTSMAN_NATS_CREDENTIALS, or HUNTSMAN_NATS_USER and \
                 HUNTSMAN_NATS_PASSWORD",
            ),
            ConnectErrorKind::Tls => no_tls(&named, &error),
            _ if is_of_tls(&error) => no_tls(&named, &error),
            _ => cluster(format!("no NATS server answers at {named}: {error}")),
        }),
        Err(_) => Err(cluster(format!("no NATS server answers at {named}"))),
    }
}

/// Whether a connection was made and the agreement on TLS failed, which the client library tells as it does any other fault
/// of a connection.
fn is_of_tls(error: &ConnectError) -> bool {
    let source = error
        .source()
        .and_then(|source| source.downcast_ref::<std::io::Error>());
    let cause = source.and_then(std::io::Error::get_ref);
    cause.is_some_and(|cause| cause.is::<async_nats::rustls::Error>())
}

fn no_tls(named: &str, error: &ConnectError) -> Error {
    cluster(format!(
        "no TLS connection to {named} ({error}): set HUNTSMAN_NATS_CA to the authority that signed the certificates of the \
         servers, and HUNTSMAN_NATS_CERTIFICATE and HUNTSMAN_NATS_KEY where they ask for a certificate"
    ))
}

/// Checks that the servers can do what the engine needs.
pub(super) async fn check_servers(jetstream: &JetStream) -> Result<(), Error> {
    let info = jetstream.0.server_info();
    let mut numbers = info
        .version
        .split(['.', '-'])
        .map(|number| number.parse::<u32>().unwrap_or(0));
    let version = (
        numbers.next().unwrap_or(0),
        numbers.next().unwrap_or(0),
        numbers.next().unwrap_or(0),
    );
    if (version.0, version.1) < OLDEST_SERVER {
        return Err(cluster(format!(
            "the NATS server has version {}; {}.{} or later is needed, and {}.{}.{} is advised",
            info.version,
            OLDEST_SERVER.0,
            OLDEST_SERVER.1,
            ADVISED_SERVER.0,
            ADVISED_SERVER.1,
            ADVISED_SERVER.2
        )));
    }
    if version < ADVISED_SERVER {
        tracing::warn!(
            version = info.version,
            "this NATS server has known faults in the agreement of replicas: 2.14.5 or later is advised"
        );
    } else {
        tracing::info!(version = info.version, "connected to NATS");
    }
    if info.max_payload < LEAST_PAYLOAD {
        return Err(cluster(format!(
            "the NATS server takes messages of at most {} bytes: set max_payload to 1MB or more",
            info.max_payload
        )));
    }
    #[derive(Deserialize)]
    struct Account {
        #[serde(rename = "streams")]
        _streams: u64,
    }
    match jetstream.request::<Account>("INFO", &Value::Null).await {
        Ok(_) => Ok(()),
        Err(Refusal::Other(code::NOT_ENABLED | code::NOT_ENABLED_FOR_ACCOUNT, _)) => {
            Err(cluster(NO_JETSTREAM))
        }
        // Told with the code of an outage.
        Err(Refusal::Unavailable(reason)) if !info.jetstream || reason.contains(NOT_ENABLED) => {
            tracing::debug!(reason, "JetStream does not answer");
            Err(cluster(NO_JETSTREAM))
        }
        Err(Refusal::Unavailable(reason)) => Err(cluster(format!(
            "JetStream does not answer ({reason}): it is off, or most servers of the cluster are down"
        ))),
        Err(refusal) => Err(refusal.into()),
    }
}
