//! The accept loop, connections, and graceful shutdown.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

use crate::app::{App, AppState};
use crate::metrics::{self, OpenConnection};
use crate::routes;
use crate::settings::ServerSettings;
use crate::stall_guard::StallGuard;

/// Most bytes of a request's head, and of an answer that waits for its client.
const MAX_BUFFERED: usize = 64 * 1024;
/// Most headers of a request.
const MAX_HEADERS: usize = 100;
/// Requests at once on one HTTP/2 connection.
const MAX_CONCURRENT_STREAMS: u32 = 200;
/// How often the other end of an HTTP/2 connection has to show that it lives.
const PING: Duration = Duration::from_secs(20);
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
            Ok((socket, _)) => {
                let (state, router) = (state.clone(), router.clone());
                connections.spawn(async move {
                    let cut = state.cut.clone();
                    tokio::select! {
                        () = cut.cancelled() => {}
                        () = connection(socket, state, router) => {}
                    }
                    drop(slot);
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

/// One connection, to its end.
async fn connection(socket: TcpStream, state: AppState, router: Router) {
    let _open = OpenConnection::new();
    // Events are small and wanted at once.
    let _ = socket.set_nodelay(true);
    let asked = Arc::new(AtomicBool::new(false));
    let noted = Arc::clone(&asked);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        noted.store(true, Ordering::Relaxed);
        router.clone().oneshot(request)
    });
    let builder = builder(&state.settings);
    let io = TokioIo::new(StallGuard::new(socket, state.settings.stalled));
    let mut serving = pin!(builder.serve_connection(io, service));
    // CategoryQuery protocol is spoken is found out without a time limit, so the first request has one of its own.
    let first = tokio::time::sleep(state.settings.head_time);
    let mut first = pin!(first);
    let (mut waits, mut closing) = (true, false);
    loop {
        tokio::select! {
            ended = serving.as_mut() => {
                if let Err(error) = ended {
                    tracing::debug!(%error, "a connection broke");
                }
                return;
            }
            () = first.as_mut(), if waits => {
                waits = false;
                if !asked.load(Ordering::Relaxed) {
                    return;
                }
            }
            () = state.closing.cancelled(), if !closing => {
                closing = true;
                serving.as_mut().graceful_shutdown();
            }
        }
    }
}

fn builder(settings: &ServerSettings) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(settings.head_time)
        .max_buf_size(MAX_BUFFERED)
        .max_headers(MAX_HEADERS);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(MAX_CONCURRENT_STREAMS)
        .max_header_list_size(16 * 1024)
        .keep_alive_interval(PING)
        .keep_alive_timeout(PING);
    builder
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
