//! ChromiumSettings: the program, endpoints and limits of the Chromium engine.

use std::path::PathBuf;

use net::proxy::TrafficLimits;
use url::Url;

use super::endpoint;
use crate::error::Error;

/// What an operator sets about browsers.
#[derive(Debug, Clone)]
pub struct ChromiumSettings {
    /// Chromium's program; found on `PATH` when absent.
    pub program: Option<PathBuf>,
    /// Running browsers: ws, wss, http or https addresses, tried in order. With any, none is launched.
    pub endpoints: Vec<Url>,
    /// Whether Chromium's own sandbox is on.
    pub sandbox: bool,
    /// Further switches for Chromium.
    pub switches: Vec<String>,
    /// Most browsers at once; at least 1.
    pub browsers: usize,
    /// Most bytes of memory of one process; at least 256 MiB. A page that needs more crashes.
    pub process_bytes: u64,
    /// What the pages of one tab, with the tabs that they open, may load.
    pub traffic: TrafficLimits,
    /// Whether endpoints on other machines may be used. A browser there loads pages past our proxy and its guard.
    pub remote_endpoints: bool,
    /// Where profile folders are made.
    pub folder: PathBuf,
}

impl ChromiumSettings {
    /// Refuses endpoints on other machines, unless they were allowed.
    pub(super) fn check_endpoints(&self) -> Result<(), Error> {
        let remote = self.endpoints.iter().find(|url| !endpoint::is_local(url));
        match remote.and_then(Url::host_str) {
            Some(host) if !self.remote_endpoints => Err(Error::Unavailable(format!(
                "the endpoint at {host} (HUNTSMAN_CDP_ENDPOINTS) is not on this machine, so its pages would load past \
                 the guard of addresses; set HUNTSMAN_CDP_REMOTE=on if its own network may decide what they reach"
            ))),
            _ => Ok(()),
        }
    }
}

impl Default for ChromiumSettings {
    fn default() -> Self {
        ChromiumSettings {
            program: None,
            endpoints: Vec::new(),
            sandbox: true,
            switches: Vec::new(),
            browsers: 4,
            process_bytes: 2 << 30,
            traffic: TrafficLimits {
                requests: 20_000,
                bytes: 2_000_000_000,
            },
            remote_endpoints: false,
            folder: std::env::temp_dir(),
        }
    }
}
