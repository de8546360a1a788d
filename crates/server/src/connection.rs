//! One connection: its protocol, its limits, and the refusal of one too many.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;
use tokio::time::{Instant, MissedTickBehavior};
use tower::ServiceExt as _;

use crate::activity::ConnectionActivity;
use crate::app::AppState;
use crate::auth::Peer;
use crate::event_connection::{EventAnswer, SharedSocket, Takeover};
use crate::holder_limit::client_of;
use crate::metrics::{self, OpenConnection};
use crate::settings::ServerSettings;
use crate::stall_guard::StallGuard;

/// Most bytes of a request's head, and of an answer that waits for its client.
const MAX_BUFFERED: usize = 64 * 1024;
/// Most headers of a request.
const MAX_HEADERS: usize = 100;
/// Most bytes of a request's headers over HTTP/2, unpacked.
const MAX_HEADER_BYTES: u32 = 16 * 1024;
/// Most bytes of answers that the system keeps for a client that does not take them.
const SEND_BUFFER: usize = 128 * 1024;
/// Requests at once on one HTTP/2 connection.
const MAX_CONCURRENT_STREAMS: u32 = 200;
/// Most bytes of one request's body, and of all of a connection, that a client sends over HTTP/2 before they are read.
const BODY_WINDOW: u32 = 128 * 1024;
const CONNECTION_WINDOW: u32 = 512 * 1024;
/// Requests over HTTP/2 that may be reset before they are looked at, and after errors of the client.
const MAX_RESETS: usize = 20;
const MAX_ERROR_RESETS: usize = 100;
/// How often idle, stalled and flooding connections are looked for, at most.
const CHECK: Duration = Duration::from_secs(5);
/// The answer to a connection too many.
const REFUSED: &str = "HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\n\
x-error-code: RATE_LIMITED\r\nretry-after: 5\r\nconnection: close\r\ncontent-length: 81\r\n\r\n\
{\"error\":\"too many connections from this address; close some, or use them again\"}";

/// Refuses a connection at once, whatever protocol its client speaks.
pub(crate) fn refuse(socket: &TcpStream) {
    metrics::refused_connection();
    tracing::debug!("a connection too many of one address was refused");
    // What the client has sent already would otherwise make the system discard the answer.
    let _ = socket.try_read(&mut [0; 4096]);
    let _ = socket.try_write(REFUSED.as_bytes());
}

/// Serves one connection to its end.
pub(crate) async fn serve(socket: TcpStream, state: AppState, router: Router) {
    let _open = OpenConnection::new();
    let stalled = state.settings.stalled;
    prepare(&socket, stalled);
    let peer = socket.peer_addr().map(|peer| Peer::new(client_of(peer.ip())));
    let socket = SharedSocket::new(socket);
    // In memory of its own, which is free again when a stream takes the connection over.
    let requests = Box::pin(serve_requests(socket.clone(), peer.ok(), state, router));
    let Some(answer) = requests.await else { return };
    if let Err(error) = Box::pin(answer.send(socket, stalled)).await {
        tracing::debug!(%error, "an event stream broke off");
    }
}

/// Serves requests until the connection ends, or until an event stream is to have it to itself.
async fn serve_requests(
    socket: SharedSocket,
    peer: Option<Peer>,
    state: AppState,
    router: Router,
) -> Option<EventAnswer> {
    let activity = ConnectionActivity::new();
    let requests = Arc::clone(&activity);
    let takeover = Takeover::of(&socket);
    let offered = Arc::clone(&takeover);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        let (open, takeover) = (requests.begin(), Arc::clone(&offered));
        if let Some(peer) = &peer {
            request.extensions_mut().insert(peer.clone());
        }
        let (method, version) = (request.method().clone(), request.version());
        let answering = router.clone().oneshot(request.map(Body::new));
        async move {
            let response = answering.await?.map(|body| open.answered(body));
            match takeover.offer(&method, version, response) {
                Some(response) => Ok::<_, Infallible>(response),
                None => std::future::pending().await,
            }
        }
    });
    let builder = builder(&state.settings);
    let io = TokioIo::new(StallGuard::new(socket, state.settings.stalled));
    let mut serving = pin!(builder.serve_connection(io, service));
    // Which protocol is spoken is found out without a time limit, so the first request has one of its own.
    let mut first = pin!(tokio::time::sleep(state.settings.head_time));
    let mut check = checks(&state.settings);
    let (mut waits, mut closing) = (true, None);
    loop {
        let mut close = false;
        tokio::select! {
            ended = serving.as_mut() => {
                if let Err(error) = ended {
                    tracing::debug!(%error, "a connection broke");
                }
                return None;
            }
            answer = takeover.taken() => return Some(answer),
            () = first.as_mut(), if waits => {
                waits = false;
                if !activity.has_begun() {
                    return None;
                }
            }
            _ = check.tick() => {
                let stalled = activity.is_stalled_for(state.settings.stalled);
                // A closing HTTP/2 connection waits for requests whose heads never come whole.
                let idles_on = closing.is_some_and(|since: Instant| since.elapsed() > state.settings.head_time)
                    && activity.is_idle_for(state.settings.head_time);
                if stalled || idles_on || activity.is_reset_flood() {
                    return None;
                }
                close = activity.is_idle_for(state.settings.idle);
            }
            () = state.closing.cancelled(), if closing.is_none() => close = true,
        }
        if close && closing.is_none() {
            closing = Some(Instant::now());
            serving.as_mut().graceful_shutdown();
        }
    }
}

/// Ticks several times within the shortest of the limits that are looked after.
fn checks(settings: &ServerSettings) -> tokio::time::Interval {
    let shortest = settings.idle.min(settings.stalled).min(settings.head_time);
    let every = (shortest / 4).clamp(Duration::from_millis(10), CHECK);
    let mut checks = tokio::time::interval_at(Instant::now() + every, every);
    checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    checks
}

/// Sets what the system does for the connection: events leave at once, little is kept for a client that does not read,
/// and one that vanished without a word is noticed.
fn prepare(socket: &TcpStream, stalled: Duration) {
    let _ = socket.set_nodelay(true);
    let socket = SockRef::from(socket);
    let _ = socket.set_send_buffer_size(SEND_BUFFER);
    let keepalive = TcpKeepalive::new().with_time(stalled).with_interval(stalled / 4);
    let _ = socket.set_tcp_keepalive(&keepalive);
    #[cfg(target_os = "linux")]
    let _ = socket.set_tcp_user_timeout(Some(stalled));
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
        .max_header_list_size(MAX_HEADER_BYTES)
        .max_send_buf_size(MAX_BUFFERED)
        .initial_stream_window_size(BODY_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_pending_accept_reset_streams(MAX_RESETS)
        .max_local_error_reset_streams(MAX_ERROR_RESETS)
        .keep_alive_interval(settings.ping)
        .keep_alive_timeout(settings.ping);
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_is_whole_and_of_the_shape_of_every_error() {
        let (head, body) = REFUSED.split_once("\r\n\r\n").unwrap();
        assert!(head.ends_with(&format!("content-length: {}", body.len())));
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        assert!(body["error"].is_string() && body.as_object().unwrap().len() == 1);
        assert!(head.contains(wire::Code::RateLimited.as_str()));
    }

    #[tokio::test]
    async fn a_peer_that_vanishes_is_given_up_by_the_system() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap());
        let (client, accepted) = tokio::join!(client, listener.accept());
        let (socket, _) = accepted.unwrap();
        prepare(&socket, Duration::from_secs(60));
        let socket = SockRef::from(&socket);
        assert!(socket.keepalive().unwrap());
        #[cfg(target_os = "linux")]
        assert_eq!(socket.tcp_user_timeout().unwrap(), Some(Duration::from_secs(60)));
        drop(client);
    }
}
