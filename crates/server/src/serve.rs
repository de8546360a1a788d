//! The accept loop and graceful shutdown.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::app::{App, AppState};
use crate::connection;
use crate::metrics;
use crate::routes;
use crate::settings::ServerSettings;

/// How often the counts are put in order.
const UPKEEP: Duration = Duration::from_secs(5);
/// How long to wait when the system gives no further connection.
const ACCEPT_RETRY: Duration = Duration::from_millis(50);

/// Serves until `shutdown` is cancelled. Then no more is accepted, the app's workers release their runs, streams
/// end, and responses under way have [`ServerSettings::farewell`] to be finished.
///
/// # Errors
/// When the listener has no address.
pub async fn serve(
    listener: TcpListener,
    app: App,
    settings: ServerSettings,
    shutdown: CancellationToken,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    let state = AppState::new(app, settings, address);
    let router = routes::router(&state);
    let connections = TaskTracker::new();
    // What is counted before the counts are set up is lost.
    let _ = metrics::handle();
    let upkeep = tokio::spawn(keep_counts());
    tracing::info!(%address, keys = state.settings.api_keys.len(), "the server listens");
    accept_all(&listener, &state, &router, &connections, &shutdown).await;
    drop(listener);
    tracing::info!("the server closes");
    state.app.service.close();
    state.closing.cancel();
    state.app.workers.close().await;
    state.ended.cancel();
    connections.close();
    if tokio::time::timeout(state.settings.farewell, connections.wait())
        .await
        .is_err()
    {
        tracing::warn!(left = connections.len(), "some connections were cut off");
        state.cut.cancel();
    }
    upkeep.abort();
    Ok(())
}

async fn accept_all(
    listener: &TcpListener,
    state: &AppState,
    router: &Router,
    connections: &TaskTracker,
    shutdown: &CancellationToken,
) {
    let slots = Arc::new(Semaphore::new(state.settings.connections.max(1)));
    loop {
        let next = async {
            let slot = Arc::clone(&slots).acquire_owned().await;
            (slot, listener.accept().await)
        };
        let (slot, accepted) = tokio::select! {
            () = shutdown.cancelled() => return,
            next = next => next,
        };
        match accepted {
            Ok((socket, peer)) => {
                let Ok(place) = state.place_for(peer.ip()) else {
                    connection::refuse(&socket);
                    continue;
                };
                let (state, router) = (state.clone(), router.clone());
                connections.spawn(async move {
                    let cut = state.cut.clone();
                    tokio::select! {
                        () = cut.cancelled() => {}
                        () = connection::serve(socket, state, router) => {}
                    }
                    drop((slot, place));
                });
            }
            Err(error) => {
                // One that was given up before it was taken, or too many open files: neither ends the server.
                tracing::debug!(%error, "a connection could not be taken");
                tokio::time::sleep(ACCEPT_RETRY).await;
            }
        }
    }
}

async fn keep_counts() {
    let mut tick = tokio::time::interval(UPKEEP);
    loop {
        tick.tick().await;
        if let Some(handle) = metrics::handle() {
            handle.run_upkeep();
        }
    }
}
