//! Requests a second with keys and quotas, beside the same without.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::client::Client;
use crate::stand::Stand;

/// Clients at once.
const CLIENTS: usize = 16;
/// Rounds with, and as many without.
const ROUNDS: usize = 12;
/// How long a round takes.
const ROUND: Duration = Duration::from_millis(700);
/// Every limit there is, none of which is reached.
const LIMITS: &[&str] = &[
    "running=1000000",
    "queued=100000000",
    "requests_per_minute=100000000",
    "pages_per_day=100000000",
    "pages_per_month=100000000",
    "tokens_per_day=100000000",
    "tokens_per_month=100000000",
    "dollars_per_day=100000000",
    "dollars_per_month=100000000",
    "stored_megabytes=100000000",
];

/// A server, with the key to show it.
struct Served {
    stand: Stand,
    at: SocketAddr,
    key: Option<String>,
    shutdown: CancellationToken,
}

async fn served(with_keys: bool) -> Served {
    let stand = Stand::start(Duration::ZERO).await;
    let mut key = None;
    if with_keys {
        stand.tenant("acme", 1, LIMITS).await;
        key = Some(stand.key("acme").await);
    }
    let (at, shutdown) = stand.serve().await;
    Served {
        stand,
        at,
        key,
        shutdown,
    }
}

impl Served {
    /// Requests answered in a round.
    async fn round(&self, method: &'static str, path: &'static str, body: &str, status: u16) -> usize {
        let until = Instant::now() + ROUND;
        let clients = (0..CLIENTS).map(|_| {
            let (at, key, body) = (self.at, self.key.clone(), body.to_owned());
            tokio::spawn(async move {
                let mut client = Client::connect("127.0.0.1", at).await;
                let mut count = 0;
                while Instant::now() < until {
                    let (answered, text) = client.ask(method, path, key.as_deref(), &body).await;
                    assert_eq!(answered, status, "{text}");
                    count += 1;
                }
                count
            })
        });
        let mut all = 0;
        for client in clients.collect::<Vec<_>>() {
            all += client.await.unwrap();
        }
        all
    }
}

/// Lists of runs, pages read at once, and runs accepted.
pub(crate) async fn keys_and_quotas() {
    for (name, method, path, status) in [
        ("lists of runs", "GET", "/v1/runs?limit=1", 200),
        ("pages as Markdown", "POST", "/v1/extract/markdown", 200),
        ("runs accepted", "POST", "/api/scrape", 202),
    ] {
        let (on, off) = (served(true).await, served(false).await);
        let body = |served: &Served| match path {
            "/api/scrape" => json!({"assets": [served.stand.site.url("/")]}).to_string(),
            "/v1/extract/markdown" => json!({"url": served.stand.site.url("/")}).to_string(),
            _ => String::new(),
        };
        let bodies = [body(&on), body(&off)];
        let mut counts = [0, 0];
        for round in 0..=ROUNDS {
            let with = on.round(method, path, &bodies[0], status).await;
            let without = off.round(method, path, &bodies[1], status).await;
            // The first round warms up.
            if round > 0 {
                counts[0] += with;
                counts[1] += without;
            }
        }
        let a_second = |count: usize| count as f64 / (ROUNDS as f64 * ROUND.as_secs_f64());
        let [with, without] = counts.map(a_second);
        println!(
            "{name}: {with:.0} a second with keys and quotas, {without:.0} without: ratio {:.3}",
            with / without
        );
        on.shutdown.cancel();
        off.shutdown.cancel();
    }
}
