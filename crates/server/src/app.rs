//! `App` and `AppState`: what every handler works with.

use std::net::SocketAddr;
use std::sync::Arc;

use runtime::Service;
use runtime::worker::Workers;
use tokio_util::sync::CancellationToken;

use crate::auth::ApiKeys;
use crate::host_origin_guard::HostOriginGuard;
use crate::settings::ServerSettings;

/// The running application that the server exposes.
#[derive(Clone)]
pub struct App {
    /// Takes jobs and reports on runs.
    pub service: Service,
    /// Does the jobs; closed by the server when it closes, so that streams end after their runs.
    pub workers: Workers,
}

/// One server's state. Cheap to clone; clones are the same one.
#[derive(Clone)]
pub(crate) struct AppState(Arc<AppStateInner>);

pub(crate) struct AppStateInner {
    pub(crate) app: App,
    pub(crate) settings: ServerSettings,
    pub(crate) keys: Arc<ApiKeys>,
    pub(crate) host_guard: Arc<HostOriginGuard>,
    /// Set when the server takes no more requests.
    pub(crate) closing: CancellationToken,
    /// Set when the runs have stopped, so that no stream has anything to wait for.
    pub(crate) ended: CancellationToken,
    /// Set when what is left is cut off.
    pub(crate) cut: CancellationToken,
}

impl AppState {
    pub(crate) fn new(app: App, settings: ServerSettings, address: SocketAddr) -> Self {
        Self(Arc::new(AppStateInner {
            keys: Arc::new(ApiKeys::new(&settings.api_keys)),
            host_guard: Arc::new(HostOriginGuard::new(address, &settings.hosts)),
            app,
            settings,
            closing: CancellationToken::new(),
            ended: CancellationToken::new(),
            cut: CancellationToken::new(),
        }))
    }
}

impl std::ops::Deref for AppState {
    type Target = AppStateInner;

    fn deref(&self) -> &AppStateInner {
        &self.0
    }
}
