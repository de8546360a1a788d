//! `App` and `AppState`: what every handler works with.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use runtime::Service;
use runtime::tenants::access_tokens::AccessTokens;
use runtime::tenants::{GuessLimit, Tenants};
use runtime::worker::Workers;
use tokio_util::sync::CancellationToken;
use wire::Code;

use crate::auth::{ApiKeys, Caller};
use crate::console::RowFrames;
use crate::holder_limit::{Held, HolderLimit, client_of};
use crate::host_origin_guard::HostOriginGuard;
use crate::mcp::McpState;
use crate::response::ApiError;
use crate::scrape_progress::KnownProgress;
use crate::sessions::Sessions;
use crate::settings::{CONNECTIONS_PER_ADDRESS, STREAMS_PER_KEY, ServerSettings};

/// The running application that the server exposes.
#[derive(Clone)]
pub struct App {
    /// Takes jobs and reports on runs.
    pub service: Service,
    /// Does the jobs; closed by the server when it closes, so that streams end after their runs.
    pub workers: Workers,
    /// Reads the access tokens of an issuer, where the operator names one.
    pub tokens: Option<Arc<AccessTokens>>,
}

/// One server's state. Cheap to clone; clones are the same one.
#[derive(Clone)]
pub(crate) struct AppState(Arc<AppStateInner>);

pub(crate) struct AppStateInner {
    pub(crate) app: App,
    pub(crate) settings: ServerSettings,
    pub(crate) keys: ApiKeys,
    /// Logins of the console.
    pub(crate) sessions: Sessions,
    /// Rows of the console's timelines that are sent to several at once.
    pub(crate) row_frames: RowFrames,
    /// Progress of scrapes that clients ask about again and again.
    pub(crate) progress: KnownProgress,
    pub(crate) host_guard: Arc<HostOriginGuard>,
    pub(crate) tenants: Tenants,
    pub(crate) guesses: GuessLimit,
    pub(crate) mcp: Arc<McpState>,
    addresses: Arc<HolderLimit<IpAddr>>,
    streams: Arc<HolderLimit<String>>,
    /// Set when the server takes no more requests.
    pub(crate) closing: CancellationToken,
    /// Set when the runs have stopped, so that no stream has anything to wait for.
    pub(crate) ended: CancellationToken,
    /// Set when what is left is cut off.
    pub(crate) cut: CancellationToken,
}

impl AppState {
    pub(crate) fn new(app: App, settings: ServerSettings, address: SocketAddr) -> Self {
        let closing = CancellationToken::new();
        let tenants = app.service.tenants(settings.tenant_limits);
        Self(Arc::new(AppStateInner {
            mcp: McpState::new(
                app.service.clone(),
                app.workers.clone(),
                tenants.clone(),
                settings.audience,
                closing.clone(),
            ),
            keys: ApiKeys::new(&settings.api_keys),
            sessions: Sessions::default(),
            row_frames: RowFrames::default(),
            progress: KnownProgress::default(),
            host_guard: Arc::new(HostOriginGuard::new(address, &settings.hosts)),
            addresses: HolderLimit::new(limit(settings.connections_per_address, CONNECTIONS_PER_ADDRESS)),
            streams: HolderLimit::new(limit(settings.streams_per_key, STREAMS_PER_KEY)),
            tenants,
            guesses: GuessLimit::default(),
            app,
            settings,
            closing,
            ended: CancellationToken::new(),
            cut: CancellationToken::new(),
        }))
    }

    /// A place for a connection of this address; none is counted where no limit holds.
    ///
    /// # Errors
    /// When the address has as many connections as one may have.
    pub(crate) fn place_for(&self, address: IpAddr) -> Result<Option<Held<IpAddr>>, ()> {
        let client = client_of(address);
        if client.is_loopback() && self.settings.connections_per_address.is_none() {
            return Ok(None);
        }
        self.addresses.take(client).map(Some).ok_or(())
    }

    /// A place for an event stream of this caller; none is counted where no limit holds.
    ///
    /// # Errors
    /// When the caller's key has as many streams as one may have.
    pub(crate) fn stream_place(&self, caller: &Caller) -> Result<Option<Held<String>>, ApiError> {
        if caller.sees().is_none() && self.settings.streams_per_key.is_none() {
            return Ok(None);
        }
        self.streams.take(caller.name()).map(Some).ok_or_else(|| {
            let text = format!(
                "{} event streams are open with this key, which is the most: close one, or ask GET /v1/runs/ID instead",
                self.streams.max()
            );
            ApiError::new(Code::RateLimited, text)
        })
    }
}

/// The limit that is set, where 0 is none, else the usual one.
fn limit(set: Option<usize>, usual: usize) -> usize {
    match set {
        Some(0) => usize::MAX,
        set => set.unwrap_or(usual),
    }
}

impl std::ops::Deref for AppState {
    type Target = AppStateInner;

    fn deref(&self) -> &AppStateInner {
        &self.0
    }
}
