//! MCP on stdin and stdout, for a client that starts the server as its child.

use std::sync::Arc;

use rmcp::service::{RunningService, ServerInitializeError, serve_server_with_ct};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{RoleServer, transport};
use runtime::Service;
use runtime::worker::Workers;
use tokio_util::sync::CancellationToken;
use wire::Audience;
use wire::tenancy::TenantLimits;

use super::session::{Access, McpState, Session};
use crate::auth::Caller;

/// Longest message, in bytes.
const MAX_MESSAGE: usize = 4 << 20;

/// Serves one client on stdin and stdout, until it closes stdin or `shutdown` is cancelled. Then runs whose id the client
/// was never told are cancelled; the others stay for whoever works on the same store next.
///
/// # Errors
/// What the client did wrong at the start.
pub async fn serve_stdio(
    service: Service,
    workers: Workers,
    audience: Audience,
    shutdown: CancellationToken,
) -> Result<(), String> {
    let closing = shutdown.child_token();
    // Who starts the process is nobody's tenant, so that no limit holds.
    let tenants = service.tenants(TenantLimits::default());
    let state = McpState::new(service, workers.clone(), tenants, audience, closing.clone());
    let session = Session {
        state: Arc::clone(&state),
        caller: Caller::nobody(),
        access: Access::All,
        is_attached: true,
        origin: None,
    };
    let (stdin, stdout) = transport::stdio_pipes();
    let pipes = AsyncRwTransport::<RoleServer, _, _>::new(stdin, stdout).with_max_line_length(MAX_MESSAGE);
    let started: Result<RunningService<RoleServer, Session>, ServerInitializeError> =
        serve_server_with_ct(session, pipes, shutdown).await;
    let outcome = match started {
        Ok(running) => running
            .waiting()
            .await
            .map(|_| ())
            .map_err(|error| error.to_string()),
        // A client that leaves before it says anything did nothing wrong.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => Ok(()),
        Err(error) => Err(error.to_string()),
    };
    closing.cancel();
    state.followers.cancel_untold().await;
    workers.close().await;
    outcome
}
