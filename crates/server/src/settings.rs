//! `ServerSettings`: limits and timeouts of the server.

use std::time::Duration;

use runtime::config::{Config, Secret, Switch};
use wire::Audience;
use wire::tenancy::TenantLimits;

/// Connections of one client address, unless the operator says otherwise.
pub(crate) const CONNECTIONS_PER_ADDRESS: usize = 1000;
/// Event streams of one key, unless the operator says otherwise: half of all connections.
pub(crate) const STREAMS_PER_KEY: usize = 5000;

/// Limits and timeouts of the server. `ServerSettings::default()` is what the documentation promises.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// Keys that clients may present. Without any, everybody who reaches the server may use it.
    pub api_keys: Vec<Secret>,
    /// Limits of tenants that have none of their own.
    pub tenant_limits: TenantLimits,
    /// Names under which the server may be asked, besides `localhost` and its own address.
    pub hosts: Vec<String>,
    /// Which events streams carry.
    pub audience: Audience,
    /// Whether the console is served.
    pub console: bool,
    /// How long a person is given to answer a question of a run.
    pub answer_time: Duration,
    /// How long a stream may be silent before a comment says that it lives.
    pub heartbeat: Duration,
    /// How long a client may take to send a request's head.
    pub head_time: Duration,
    /// How long a client may take to send a request's body.
    pub body_time: Duration,
    /// How long the first bytes of a body may take; from then on it has to arrive at a minimum speed.
    pub body_start: Duration,
    /// Longest body, in bytes.
    pub body_bytes: usize,
    /// How long a client may take no byte of what it asked for.
    pub stalled: Duration,
    /// How long an HTTP/2 connection may be open without a request.
    pub idle: Duration,
    /// How often the other end of an HTTP/2 connection is asked for a sign of life, and how long the sign may take.
    pub ping: Duration,
    /// Most connections at once; further ones wait.
    pub connections: usize,
    /// Most connections of one client address; further ones are refused, 0 is no limit. Unless it is set, the limit is
    /// 1000 and does not hold for this machine itself.
    pub connections_per_address: Option<usize>,
    /// Most event streams that one key has open; further ones are refused, 0 is no limit. Unless it is set, the limit is
    /// 5000 and holds only where keys are in use.
    pub streams_per_key: Option<usize>,
    /// How long responses under way may take when the server closes.
    pub farewell: Duration,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            api_keys: Vec::new(),
            tenant_limits: TenantLimits::default(),
            hosts: Vec::new(),
            audience: Audience::Public,
            console: true,
            answer_time: Duration::from_secs(120),
            heartbeat: Duration::from_secs(10),
            head_time: Duration::from_secs(10),
            body_time: Duration::from_secs(30),
            body_start: Duration::from_secs(5),
            body_bytes: 2 * 1024 * 1024,
            stalled: Duration::from_secs(60),
            idle: Duration::from_secs(60),
            ping: Duration::from_secs(20),
            connections: 10_000,
            connections_per_address: None,
            streams_per_key: None,
            farewell: Duration::from_secs(5),
        }
    }
}

impl ServerSettings {
    /// The settings that follow from the configuration.
    pub fn of(config: &Config) -> Self {
        Self {
            api_keys: config.api_keys.clone(),
            // Checked when the configuration was.
            tenant_limits: config.tenant_limits().unwrap_or_default(),
            hosts: config.server_names.clone(),
            audience: config.audience,
            console: config.console == Switch::On,
            answer_time: Duration::from_secs(config.answer_seconds),
            connections_per_address: config.connections_per_address,
            streams_per_key: config.streams_per_key,
            ..Self::default()
        }
    }
}
