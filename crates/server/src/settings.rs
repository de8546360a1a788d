//! `ServerSettings`: limits and timeouts of the server.

use std::time::Duration;

use runtime::config::{Config, Secret};
use wire::Audience;

/// Limits and timeouts of the server. `ServerSettings::default()` is what the documentation promises.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// Keys that clients may present. Without any, everybody who reaches the server may use it.
    pub api_keys: Vec<Secret>,
    /// Names under which the server may be asked, besides `localhost` and its own address.
    pub hosts: Vec<String>,
    /// CategoryQuery events streams carry.
    pub audience: Audience,
    /// How long a stream may be silent before a comment says that it lives.
    pub heartbeat: Duration,
    /// How long a client may take to send a request's head.
    pub head_time: Duration,
    /// How long a client may take to send a request's body.
    pub body_time: Duration,
    /// Longest body, in bytes.
    pub body_bytes: usize,
    /// How long a client may take no byte of what it asked for.
    pub stalled: Duration,
    /// Most connections at once; further ones wait.
    pub connections: usize,
    /// How long responses under way may take when the server closes.
    pub farewell: Duration,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            api_keys: Vec::new(),
            hosts: Vec::new(),
            audience: Audience::Public,
            heartbeat: Duration::from_secs(10),
            head_time: Duration::from_secs(10),
            body_time: Duration::from_secs(30),
            body_bytes: 2 * 1024 * 1024,
            stalled: Duration::from_secs(60),
            connections: 10_000,
            farewell: Duration::from_secs(5),
        }
    }
}

impl ServerSettings {
    /// The settings that follow from the configuration.
    pub fn of(config: &Config) -> Self {
        Self {
            api_keys: config.api_keys.clone(),
            hosts: config.server_names.clone(),
            audience: config.audience,
            ..Self::default()
        }
    }
}
