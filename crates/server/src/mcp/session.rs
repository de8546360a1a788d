//! `McpState` and `Session`: what all clients share, and one client's view of it.

use std::sync::Arc;

use runtime::Service;
use runtime::tenants::Tenants;
use runtime::worker::Workers;
use tokio_util::sync::CancellationToken;
use wire::Audience;

use super::followers::RunFollowers;
use super::kept_answers::KeptAnswers;
use crate::auth::Caller;

/// What all clients of the MCP server share.
pub(crate) struct McpState {
    pub(super) service: Service,
    pub(super) workers: Workers,
    pub(super) tenants: Tenants,
    pub(super) audience: Audience,
    pub(super) kept: KeptAnswers,
    pub(super) followers: Arc<RunFollowers>,
    /// Set when no call may wait any longer.
    pub(super) closing: CancellationToken,
}

impl McpState {
    pub(crate) fn new(
        service: Service,
        workers: Workers,
        tenants: Tenants,
        audience: Audience,
        closing: CancellationToken,
    ) -> Arc<Self> {
        Arc::new(Self {
            followers: RunFollowers::new(service.clone()),
            service,
            workers,
            tenants,
            audience,
            kept: KeptAnswers::default(),
            closing,
        })
    }
}

/// Which tools a client is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// All of them.
    All,
    /// Those that change nothing.
    ReadOnly,
}

/// One client's view of the server. Cheap to clone.
#[derive(Clone)]
pub(super) struct Session {
    pub(super) state: Arc<McpState>,
    pub(super) caller: Caller,
    pub(super) access: Access,
    /// Whether the client can be asked while its call is under way, as a process on stdio can.
    pub(super) is_attached: bool,
    /// Where this server is for the client, such as `http://127.0.0.1:8787`; none on stdio, where no server listens.
    pub(super) origin: Option<String>,
}
