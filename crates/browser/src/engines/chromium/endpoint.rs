//! Connecting to a running browser at an endpoint.

use std::time::Duration;

use net::{Client, Limits, Request};
use serde::Deserialize;
use tokio::time::timeout;
use tokio_tungstenite::client_async_with_config;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, client::IntoClientRequest as _};
use url::{Host, Url};

use super::cdp::browser::GetVersion;
use super::cdp::{BROWSER_SESSION, CdpError, Connection, MAX_MESSAGE_BYTES};
use crate::error::Error;

/// The longest wait for one endpoint.
const ENDPOINT_TIMEOUT: Duration = Duration::from_secs(5);

/// Why an endpoint gave no connection.
#[derive(Debug)]
pub(super) enum EndpointFailure {
    /// No browser answers; the next endpoint may be tried. The text is a stable name.
    Unreachable(&'static str),
    /// The endpoint refuses, or is no browser: trying others would hide a mistake.
    Fatal(Error),
}

#[derive(Deserialize)]
struct EndpointDescription {
    #[serde(rename = "webSocketDebuggerUrl")]
    url: Url,
}

/// Whether the browser runs on this machine, from where it can reach our proxy.
pub(super) fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

/// Connects, and gives the browser's name and version. The operator named the endpoint, so any address is allowed.
pub(super) async fn connect(client: &Client, url: &Url) -> Result<(Connection, String), EndpointFailure> {
    match timeout(ENDPOINT_TIMEOUT, open(client, url)).await {
        Ok(opened) => opened,
        Err(_) => Err(EndpointFailure::Unreachable("timed_out")),
    }
}

async fn open(client: &Client, url: &Url) -> Result<(Connection, String), EndpointFailure> {
    let socket_url = match url.scheme() {
        "ws" | "wss" => url.clone(),
        _ => websocket_url(client, url).await?,
    };
    // The client dials http and https addresses.
    let http_url = socket_url.as_str().replacen("ws", "http", 1);
    let http_url = Url::parse(&http_url).map_err(|_| fatal("its address cannot be read"))?;
    let socket = client.socket(&http_url, true).await.map_err(unreachable)?;
    let request = socket_url
        .as_str()
        .into_client_request()
        .map_err(|_| fatal("its address cannot be used"))?;
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE_BYTES))
        .max_frame_size(Some(MAX_MESSAGE_BYTES));
    let opened = client_async_with_config(request, socket, Some(config)).await;
    let (socket, _) = opened.map_err(|why| match why {
        tungstenite::Error::Http(answer) => refused(answer.status().as_u16()),
        tungstenite::Error::Io(_) => EndpointFailure::Unreachable("refused"),
        _ => fatal("it does not speak WebSocket"),
    })?;
    let connection = Connection::over_websocket(socket);
    match connection.call(BROWSER_SESSION, &GetVersion {}).receive().await {
        Ok(version) => Ok((connection, version.product)),
        Err(CdpError::Disconnected) => Err(EndpointFailure::Unreachable("closed")),
        Err(_) => Err(fatal("it does not speak the DevTools protocol")),
    }
}

/// The address of an http endpoint's websocket, as seen from here.
async fn websocket_url(client: &Client, url: &Url) -> Result<Url, EndpointFailure> {
    let mut asked = url.clone();
    asked.set_path("/json/version");
    asked.set_fragment(None);
    let mut request = Request::get(asked);
    request.granted = true;
    request.no_cache = true;
    request.limits = Some(Limits {
        total: ENDPOINT_TIMEOUT,
        ..client.limits().clone()
    });
    let response = client.fetch(request).await.map_err(unreachable)?;
    if !response.status.is_success() {
        return Err(refused(response.status.as_u16()));
    }
    let description: EndpointDescription = serde_json::from_slice(&response.body)
        .map_err(|_| fatal("it does not describe itself under /json/version"))?;
    reachable(description.url, url).ok_or_else(|| fatal("its address cannot be used"))
}

/// The websocket that a browser names, as the endpoint leads to it. A browser in a container gives its address as seen from inside:
/// whether there is TLS, the host, the port and a token in the query are those of the endpoint.
fn reachable(mut socket: Url, endpoint: &Url) -> Option<Url> {
    let scheme = match endpoint.scheme() {
        "https" => "wss",
        _ => "ws",
    };
    socket.set_scheme(scheme).ok()?;
    socket.set_host(endpoint.host_str()).ok()?;
    socket.set_port(endpoint.port_or_known_default()).ok()?;
    if socket.query().is_none() {
        socket.set_query(endpoint.query());
    }
    Some(socket)
}

fn refused(status: u16) -> EndpointFailure {
    match status {
        401 | 403 => EndpointFailure::Fatal(Error::Unauthorized),
        429 | 502..=504 => EndpointFailure::Unreachable("unavailable"),
        _ => fatal("it answers, but not as a browser does"),
    }
}

fn fatal(why: &str) -> EndpointFailure {
    EndpointFailure::Fatal(Error::Unavailable(format!(
        "the endpoint cannot be used: {why}; check HUNTSMAN_CDP_ENDPOINTS"
    )))
}

fn unreachable(why: net::Error) -> EndpointFailure {
    match why {
        net::Error::Timeout(_) => EndpointFailure::Unreachable("timed_out"),
        net::Error::Connect(_) | net::Error::Dns => EndpointFailure::Unreachable("refused"),
        other => EndpointFailure::Fatal(Error::Net(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_websocket_of_a_browser_is_reached_as_its_endpoint_is() {
        for (named, endpoint, reached) in [
            (
                "ws://127.0.0.1:9222/d/1",
                "http://browser:9000/",
                "ws://browser:9000/d/1",
            ),
            (
                "ws://127.0.0.1:9222/d/1",
                "https://b.example/?token=T",
                "wss://b.example/d/1?token=T",
            ),
            (
                "ws://127.0.0.1/d/1?token=S",
                "https://b.example:8443/?token=T",
                "wss://b.example:8443/d/1?token=S",
            ),
            ("wss://inside/d/1", "http://b.example/", "ws://b.example/d/1"),
        ] {
            let url = |text: &str| Url::parse(text).unwrap();
            assert_eq!(
                reachable(url(named), &url(endpoint)),
                Some(url(reached)),
                "{endpoint}"
            );
        }
    }
}
