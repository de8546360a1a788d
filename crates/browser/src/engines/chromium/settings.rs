//! ChromiumSettings: the program, endpoints and limits of the Chromium engine.

use std::path::PathBuf;

use url::Url;

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
    /// Where profile folders are made.
    pub folder: PathBuf,
}

impl Default for ChromiumSettings {
    fn default() -> Self {
        ChromiumSettings {
            program: None,
            endpoints: Vec::new(),
            sandbox: true,
            switches: Vec::new(),
            browsers: 4,
            folder: std::env::temp_dir(),
        }
    }
}
