//! From the address of a running browser to a connection with it.

use std::time::Duration;

use net::{Client, Limits, Request};
use serde::Deserialize;
use serde_json::json;
use tokio::time::timeout;
use tokio_tungstenite::client_async_with_config;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, client::IntoClientRequest as _};
use url::{Host, Url};

use super::wire::{Connection, Fault, MESSAGE_BYTES};
use crate::error::Error;

/// The longest wait for one endpoint.
const ANSWER: Duration = Duration::from_secs(5);

/// Why an endpoint gave no connection.
#[derive(Debug)]
pub(super) enum Failure {
    /// Nobody is there; the next endpoint may be tried. The word is a stable name.
    Unreachable(&'static str),
    /// Somebody is there and says no, or is no browser: trying others would hide a mistake.
    Fatal(Error),
}

#[derive(Deserialize)]
struct Described {
    #[serde(rename = "webSocketDebuggerUrl")]
    url: Url,
}

#[derive(Deserialize)]
struct Version {
    product: String,
}

/// Whether the browser runs on this machine, where it can reach our proxy.
pub(super) fn is_here(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

/// Connects and asks for the browser's name. The operator named the endpoint, so any address will do.
pub(super) async fn connect(client: &Client, url: &Url) -> Result<(Connection, String), Failure> {
    match timeout(ANSWER, reach(client, url)).await {
        Ok(reached) => reached,
        Err(_) => Err(Failure::Unreachable("timed_out")),
    }
}

async fn reach(client: &Client, url: &Url) -> Result<(Connection, String), Failure> {
    let socket_url = match url.scheme() {
        "ws" | "wss" => url.clone(),
        _ => described(client, url).await?,
    };
    let mut plain = socket_url.clone();
    // The same address as net names it.
    let scheme = if socket_url.scheme() == "wss" {
        "https"
    } else {
        "http"
    };
    plain = Url::parse(&plain.as_str().replacen(socket_url.scheme(), scheme, 1))
        .map_err(|_| fatal("its address cannot be read"))?;
    let socket = client.socket(&plain, true).await.map_err(unreachable)?;
    let request = socket_url
        .as_str()
        .into_client_request()
        .map_err(|_| fatal("its address cannot be used"))?;
    let config = WebSocketConfig::default()
        .max_message_size(Some(MESSAGE_BYTES))
        .max_frame_size(Some(MESSAGE_BYTES));
    let opened = client_async_with_config(request, socket, Some(config)).await;
    let (socket, _) = opened.map_err(|why| match why {
        tungstenite::Error::Http(answer) => refused(answer.status().as_u16()),
        tungstenite::Error::Io(_) => Failure::Unreachable("refused"),
        _ => fatal("it does not speak WebSocket"),
    })?;
    let connection = Connection::over_websocket(socket);
    match connection
        .call("", "Browser.getVersion", json!({}))
        .read::<Version>()
        .await
    {
        Ok(version) => Ok((connection, version.product)),
        Err(Fault::Lost) => Err(Failure::Unreachable("closed")),
        Err(_) => Err(fatal("it does not speak the DevTools protocol")),
    }
}

/// Asks an http endpoint for the address of its websocket, as seen from here.
async fn described(client: &Client, url: &Url) -> Result<Url, Failure> {
    let asked = url
        .join("/json/version")
        .map_err(|_| fatal("its address cannot be used"))?;
    let mut request = Request::get(asked);
    request.granted = true;
    request.no_cache = true;
    request.limits = Some(Limits {
        total: ANSWER,
        ..client.limits().clone()
    });
    let response = client.fetch(request).await.map_err(unreachable)?;
    if !response.status.is_success() {
        return Err(refused(response.status.as_u16()));
    }
    let described: Described = serde_json::from_slice(&response.body)
        .map_err(|_| fatal("it does not describe itself under /json/version"))?;
    let mut socket = described.url;
    // A browser in a container names itself as it sees itself; we keep to the way that led there.
    let moved = socket.set_host(url.host_str()).and(
        socket
            .set_port(url.port_or_known_default())
            .map_err(|()| url::ParseError::InvalidPort),
    );
    moved.map_err(|_| fatal("its address cannot be used"))?;
    Ok(socket)
}

fn refused(status: u16) -> Failure {
    match status {
        401 | 403 => Failure::Fatal(Error::Unauthorized),
        429 | 502..=504 => Failure::Unreachable("unavailable"),
        _ => fatal("it answers, but not as a browser does"),
    }
}

fn fatal(why: &str) -> Failure {
    Failure::Fatal(Error::Unavailable(format!(
        "the endpoint cannot be used: {why}; check HUNTSMAN_CDP_ENDPOINTS"
    )))
}

fn unreachable(why: net::Error) -> Failure {
    match why {
        net::Error::Timeout(_) => Failure::Unreachable("timed_out"),
        net::Error::Connect(_) | net::Error::Dns => Failure::Unreachable("refused"),
        other => Failure::Fatal(Error::Net(other)),
    }
}
